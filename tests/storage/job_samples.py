"""Values for the statements of jobs."""

from typing import Final

from tests.storage.chat_samples import Sample
from tests.storage.many_memories import SCOPE

_NOW: Final = 1_800_000_000_000_000
_LEASE: Final = {"id": "job-1", "lease": 1, "now": _NOW}

JOB_SAMPLES: Final[dict[str, list[Sample]]] = {
    "job_number": [Sample({})],
    "job_add": [Sample({"id": "new", "payload": "{}", "now": _NOW})],
    "job_line_up": [
        Sample(
            {
                "id": "job-1",
                "number": 1,
                "scope_id": SCOPE,
                "kind": "ingest",
                "max_attempts": 3,
                "run_at": _NOW,
                "now": _NOW,
                "floor_id": None,
                "revision": None,
            }
        )
    ],
    "job_accounts": [
        Sample(
            {
                "kinds": ["ingest"],
                "now": _NOW,
                "far_off": _NOW,
                "lost_lease": _NOW,
                "after": after,
                "limit": 100,
            }
        )
        for after in (0, 7)
    ],
    "job_claim": [
        Sample(
            {
                "kinds": ["ingest"],
                "worker": "w",
                "lease_until": _NOW,
                "far_off": _NOW,
                "lost_lease": _NOW,
                "now": _NOW,
                "scope_id": scope_id,
            }
        )
        for scope_id in (None, SCOPE)
    ],
    # Of an account, few jobs are held at a time, and an index holds only those.
    "job_heartbeat": [Sample({**_LEASE, "lease_until": _NOW, "progress": None})],
    "job_end": [Sample({**_LEASE, "status": "succeeded"})],
    "job_postpone": [Sample({**_LEASE, "run_at": _NOW})],
    "job_release": [Sample({**_LEASE})],
    "job_set_error": [Sample({"id": "job-1", "error": None}, ("id",))],
    "job_cancel": [Sample({"id": "job-1", "statuses": ["pending"], "now": _NOW}, ("job_id",))],
    "job_retry": [Sample({"id": "job-1", "number": 2, "now": _NOW}, ("job_id",))],
    "job_get": [Sample({"id": "job-1"}, ("id",))],
    "jobs_list": [Sample({"statuses": None, "kinds": None, "limit": 20, "offset": 0})],
    "job_counts": [Sample({})],
    "job_forget": [Sample({"id": "job-1"}, ("id",))],
    "jobs_maintaining": [Sample({"day": "2026-01-01"})],
    "jobs_purge": [Sample({"before": _NOW, "limit": 100})],
}
