"""Values for every statement that PostgreSQL knows, as the engine would give them."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

import numpy as np

from mnemic.records.filters import EVERYTHING, of_kinds, parse_filter
from tests.storage.account_samples import ACCOUNT_SAMPLES
from tests.storage.chat_samples import ITEM_SAMPLES, SESSION_SAMPLES, Sample
from tests.storage.erasure_samples import ERASURE_SAMPLES
from tests.storage.job_samples import JOB_SAMPLES
from tests.storage.many_memories import LARGE_SCOPE, LONG, SCOPE, SHORT
from tests.storage.passage_samples import PASSAGE_SAMPLES

# Every 46th row belongs to the same account; what stands at the end of the store is found as well.
_MEMORY: Final = 46_000
_DOCS: Final = [1_000_000 + number for number in range(46, 9_200, 46)]
_DOC: Final = _DOCS[0]
_NOW: Final = 1_800_000_000_000_000
_RARE: Final = parse_filter({"task.name": "task-7"})
_RANGE: Final = parse_filter({"task.success": True, "params.force": {"$gte": 3}})
_OF_A_KIND: Final = of_kinds(["fact", "core"]) & _RARE
_SHORT: Final = np.linspace(-1, 1, 64, dtype=np.float32)
_LONG: Final = np.linspace(-1, 1, 512, dtype=np.float32)
_CURRENT: Final = {"moment": _NOW, "occurred_by": _NOW}
_WITHIN: Final = {"other_than_episode": None, "min_confidence": 0.2, **_CURRENT}
_NEAREST: Final = {"model_id": SHORT, "vector": _SHORT, "limit": 125}
_AUDITED: Final = {"account": None, "act": None, "since": None}
_WORDING: Final = {
    "doc": 2_000_000,
    "content": "a lesson",
    "summary": "a lesson",
    "content_hash": bytes(32),
    "measurement": bytes(16),
    "category": "observation",
    "protected": False,
    "confidence": 0.9,
    "tags": "[]",
    "scope_files": "[]",
    "context": "{}",
    "now": _NOW,
}


def _filtered(by: Sequence[str], **values: object) -> list[Sample]:
    return [
        Sample({**values, "filter": one}, by) for one in (EVERYTHING, _RARE, _RANGE, _OF_A_KIND)
    ]


def _listed(**values: object) -> list[Sample]:
    page = {"scope_id": SCOPE, "before_id": 90_000, "category": None, "limit": 20}
    page |= {"moment": _NOW, "as_of": None}
    return _filtered(("scope_id", "id"), **page, **values)


def _newest(scope_ids: list[int], episode_id: str | None, by: Sequence[str]) -> list[Sample]:
    asked = {"scope_ids": scope_ids, "episode_id": episode_id, "limit": 10}
    return _filtered(by, **asked, **_WITHIN)


_CONVERSATION: Final = {"scope_id": SCOPE, "conversation_id": "c-1"}
_KEY: Final = {
    "id": "key-1",
    "account": "account-77",
    "name": "a robot",
    "hash": bytes(32),
    "access": "write",
    "now": _NOW,
    "expires_at": None,
}

SAMPLES: Final[dict[str, list[Sample]]] = {
    **ACCOUNT_SAMPLES,
    **ERASURE_SAMPLES,
    **ITEM_SAMPLES,
    **SESSION_SAMPLES,
    **PASSAGE_SAMPLES,
    **JOB_SAMPLES,
    "account_find": [Sample({"name": "account-77"}, ("name",))],
    "accounts_all": [Sample({})],
    "account_add": [Sample({"name": "new", "now": _NOW})],
    "key_add": [Sample(_KEY)],
    "key_find": [Sample({"id": "key-1"}, ("id",))],
    "keys_all": [Sample({})],
    "key_revoke": [Sample({"id": "key-1", "now": _NOW}, ("id",))],
    "key_end": [Sample({"id": "key-1", "expires_at": _NOW}, ("id",))],
    "keys_in_use": [Sample({})],
    "scope_named": [Sample({"scope_id": 1}, ("id",))],
    "audit_add": [
        Sample(
            {
                "account": None,
                "at": _NOW,
                "actor": "anna",
                "key_id": None,
                "act": "export",
                "target": "all.jsonl",
                "scope_id": None,
                "counts": "{}",
                "outcome": "done",
                "request_id": None,
                "address": None,
            }
        )
    ],
    "audit_trim_refused": [Sample({"kept": 10_000})],
    "audit_page": [Sample({**_AUDITED, "limit": 50, "offset": 0})],
    "audit_count": [Sample(_AUDITED)],
    "receipt_add": [Sample({"token": UUID(int=2**127), "swept": UUID(int=2**126)}, ("token",))],
    "scope_find": [Sample({"kind": "collection", "name": "scope-1"}, ("kind", "name"))],
    "scope_find_at": [
        Sample({"kind": "collection", "name": "scope-1", "moment": _NOW}, ("kind", "name"))
    ],
    "scope_hold": [Sample({"kind": "collection", "name": "scope-1"}, ("kind", "name"))],
    "scope_add": [Sample({"kind": "collection", "name": "new", "now": _NOW})],
    "scope_decay": [Sample({"scope_id": SCOPE}, ("id",))],
    "scope_decaying": [Sample({"scope_id": SCOPE, "now": _NOW}, ("scope_id",))],
    "scope_set_decay": [Sample({"scope_id": SCOPE, "now": _NOW, "rate": 0.01}, ("id",))],
    "scope_counts": [Sample({"kind": "collection"}, ("kind",))],
    "scope_numbers": [Sample({})],
    "scope_made": [Sample({"scope_id": SCOPE}, ("id",))],
    "account_made": [Sample({}, ("id",))],
    "store_check": [Sample({})],
    "store_size": [Sample({})],
    "jobs_unfinished": [Sample({})],
    "tally_by_scope_kind": [Sample({})],
    "tally_change": [Sample({"scope_id": SCOPE, "kind": "fact", "change": 1, "now": _NOW})],
    "tally_of_scope": [Sample({"scope_id": SCOPE}, ("scope_id",))],
    "tally_latest": [Sample({})],
    "tally_by_kind": [Sample({})],
    "tally_by_scope": [Sample({"limit": 5})],
    "memory_categories": [Sample({})],
    "activity_add": [
        Sample(
            {
                "scope_id": SCOPE,
                "action": "add",
                "kind": "core",
                "memory_id": _MEMORY,
                "at": _NOW,
            },
            ("scope_id",),
        )
    ],
    "activity_recent": [Sample({"scope_id": SCOPE}, ("scope_id",))],
    "usage_add": [Sample({"scope_id": SCOPE, "hour": 1})],
    "usage_since": [Sample({"scope_id": SCOPE, "since": 1}, ("scope_id", "hour"))],
    "conversation_get": [Sample({"scope_id": SCOPE, "id": "c-1"}, ("scope_id", "id"))],
    "conversation_latest": [Sample({"scope_id": SCOPE}, ("scope_id",))],
    "conversations_listed": [Sample({"scope_id": SCOPE, "limit": 50, "offset": 0}, ("scope_id",))],
    "conversation_add": [Sample({"scope_id": SCOPE, "id": "new", "now": _NOW})],
    "conversation_grow": [
        Sample({"scope_id": SCOPE, "id": "c-1", "now": _NOW}, ("scope_id", "id"))
    ],
    "conversation_drop": [Sample({**_CONVERSATION}, ("scope_id", "id"))],
    "turn_add": [
        Sample({**_CONVERSATION, "id": "new", "number": 1, "idempotency_key": None, "now": _NOW})
    ],
    "message_add": [
        Sample(
            {
                "id": "new",
                "turn_id": "t-1",
                "version": 0,
                "position": 0,
                "role": "user",
                "name": None,
                "content": "x",
            }
        )
    ],
    "messages_of_turns": [
        Sample({**_CONVERSATION, "first": 0, "after": 20}, ("scope_id", "conversation_id"))
    ],
    "source_add": [Sample({"memory_id": _MEMORY, "turn_id": "t-1"})],
    "source_find": [Sample({"memory_id": _MEMORY}, ("memory_id",))],
    "memories_of_conversation": [Sample({**_CONVERSATION}, ("scope_id", "conversation_id"))],
    "clock_read": [Sample({"scope_ids": [SCOPE]}, ("id",))],
    "clock_tick": [Sample({"scope_id": SCOPE}, ("id",))],
    "clock_ticks": [Sample({"scope_id": SCOPE, "count": 3}, ("id",))],
    "document_add": [
        Sample(
            {
                "doc": 2_000_000,
                "scope_id": SCOPE,
                "thread": None,
                "terms": b"",
                "own_terms": 3,
                "speaker": None,
                "said_at": None,
                "traits": 0,
                "telling": 9,
                "head": None,
            }
        )
    ],
    "document_last": [Sample({}, ("account_id",))],
    "document_retire": [Sample({"doc": _DOC, "seq": 2_000_000}, ("doc",))],
    "document_touch": [Sample({"doc": _DOC, "seq": 2_000_000}, ("doc",))],
    "documents_after": [
        Sample({"clock": SCOPE, "last": last, "limit": 2_000}, ("doc",))
        for last in (0, 1_050_000, 1_099_990)
    ],
    "documents_retired": [
        Sample({"clock": SCOPE, "seq": seq, "last": 1_099_990}, ("scope_id", "seq"))
        for seq in (0, 1_050_000, 1_099_990)
    ],
    "vectors_of": [Sample({"docs": _DOCS, "model_id": SHORT}, ("doc",))],
    "vectors_nearest": [
        Sample({"scope_ids": scopes, **_NEAREST}, ("scope_id", "model_id"))
        for scopes in ([SCOPE], [SCOPE, SCOPE + 1])
    ],
    "vectors_nearest_among": [
        Sample({"scope_ids": [SCOPE], "docs": docs, **_NEAREST}, ("doc",))
        for docs in (_DOCS, _DOCS[:3])
    ],
    "vectors_nearest_in_graph": [
        Sample(
            {
                "scope_ids": [LARGE_SCOPE],
                "model_id": LONG,
                "vector": _LONG,
                "limit": 125,
            }
        )
    ],
    "graph_size": [Sample({})],
    "graph_settings": [Sample({"width": 250, "goes_on": True})],
    "vector_put": [Sample({"doc": _DOC, "scope_id": SCOPE, "model_id": SHORT, "data": _SHORT})],
    "vectors_drop": [Sample({"docs": _DOCS}, ("doc",))],
    "vectors_missing": [
        Sample({"model_id": model, "after": after, "limit": 64}, ("doc",))
        for model in (SHORT, LONG)
        for after in (0, 1_050_000)
    ],
    "vectors_none_count": [Sample({})],
    "vectors_missing_count": [Sample({"model_id": SHORT}), Sample({"model_id": LONG})],
    "model_add": [Sample({"name": "new", "dimensions": 512})],
    "model_find": [Sample({"name": "short"})],
    "docs_passing": _filtered(("doc",), docs=_DOCS, **_WITHIN),
    "docs_within": _filtered(("scope_id",), scope_ids=[SCOPE], **_WITHIN),
    "docs_of_episode": _filtered(
        ("episode_id",), scope_ids=[SCOPE], episode_id="run-46", **_WITHIN
    ),
    "context_values": [Sample({"docs": _DOCS, "path": ("task", "success")}, ("doc",))],
    "created_times": [Sample({"docs": _DOCS}, ("doc",))],
    "memory_kinds": [Sample({"docs": _DOCS}, ("doc",))],
    "edge_add": [Sample({"from_id": 46, "to_id": 92, "relation": "supersedes", "now": _NOW})],
    "edge_unlink": [Sample({"from_id": 46, "to_id": 92, "relation": "supersedes"})],
    "edge_targets": [Sample({"from_id": 46, "relation": "supersedes"}, ("from_id",))],
    "edges_around": [Sample({"memory_id": 46, "limit": 100}, ("from_id",))],
    "episode_add": [Sample({"id": "run", "scope_id": SCOPE, "context": "{}", "now": _NOW})],
    "episode_get": [Sample({"id": "run-46"}, ("id",))],
    "episode_end": [Sample({"id": "run-46", "now": _NOW, "outcome_score": 0.5}, ("id",))],
    "event_add": [
        Sample(
            {
                "scope_id": SCOPE,
                "memory_id": _MEMORY,
                "verb": "created",
                "actor": "robot",
                "at": _NOW,
                "before": None,
                "after": "{}",
            }
        )
    ],
    "events_of_memory": [Sample({"memory_id": _MEMORY}, ("memory_id",))],
    "payload_add": [Sample({"memory_id": _MEMORY, "data": b"x", "metadata": None})],
    "payload_get": [Sample({"memory_id": _MEMORY}, ("memory_id",))],
    "memory_add": [
        Sample(
            {
                **_WORDING,
                "scope_id": SCOPE,
                "kind": "fact",
                "episode_id": None,
                "perception_type": None,
                "created_at": _NOW,
                "updated_at": _NOW,
                "occurred_at": _NOW,
                "expires_at": None,
            }
        )
    ],
    "memory_set_end": [Sample({"id": _MEMORY, "valid_until": _NOW, "superseded_by": 92}, ("id",))],
    "memory_outlive": [Sample({"id": _MEMORY, "expires_at": None}, ("id",))],
    "memories_overdue": [Sample({"now": _NOW, "after": 0, "limit": 50})],
    "memories_overdue_count": [Sample({"now": _NOW})],
    "memories_overdue_by_kind": [Sample({"scope_id": SCOPE, "now": _NOW}, ("scope_id",))],
    "memories_by_kind_at": [Sample({"scope_id": SCOPE, "moment": _NOW}, ("scope_id",))],
    "memory_revise": [Sample({**_WORDING, "id": _MEMORY}, ("id",))],
    "memory_set_status": [
        Sample({"id": _MEMORY, "status": "invalidated", "reason": "x", "now": _NOW}, ("id",))
    ],
    "memory_get": [Sample({"id": _MEMORY}, ("id",))],
    "memory_hold": [Sample({"id": _MEMORY}, ("id",))],
    "memory_document": [Sample({"id": _MEMORY}, ("id",))],
    "memories_by_docs": [Sample({"docs": docs}, ("doc",)) for docs in (_DOCS, _DOCS[:5])],
    "memory_contents": [Sample({"docs": _DOCS[:5], "measurement": b"", "now": _NOW}, ("doc",))],
    "memory_by_hash": [
        Sample(
            {
                "scope_id": SCOPE,
                "content_hash": bytes(32),
                "measurement": bytes(16),
                "now": _NOW,
            },
            ("scope_id", "content_hash", "measurement"),
        )
    ],
    "memories_with_hash": [
        Sample(
            {"scope_id": SCOPE, "content_hash": bytes(32), "kind": "core"},
            ("scope_id", "content_hash"),
        )
    ],
    "memory_last_of_episode": [
        Sample({"episode_id": "run-46", "before_id": 90_000}, ("episode_id", "id"))
    ],
    "memories_of_episode": [Sample({"episode_id": "run-46"}, ("episode_id",))],
    "memory_count": [Sample({"scope_id": SCOPE}, ("scope_id",))],
    "memories_listed": [*_listed(status=None), *_listed(status="active")],
    "docs_newest": [
        *_newest([SCOPE], None, ("scope_id",)),
        *_newest([SCOPE, SCOPE + 1], None, ("scope_id",)),
        *_newest([SCOPE], "run-46", ("episode_id",)),
    ],
    "memories_expired": [Sample({"before": _NOW, "after": 0, "limit": 100})],
    "memories_expired_count": [Sample({"before": _NOW})],
    "conversations_expired": [
        Sample({"before": _NOW, "after_scope": 0, "after_id": "", "limit": 100}, ("scope_id", "id"))
    ],
    "pins_all": [Sample({})],
    "events_page": [Sample({"before": _NOW, "after": 0, "limit": 1_000}, ("id",))],
    "events_expire": [Sample({"before": _NOW, "after": 0, "last": 46_000}, ("id",))],
    "events_expired_count": [Sample({"before": _NOW})],
    "jobs_expired_count": [Sample({"before": _NOW})],
    "memories_refresh": [Sample({"scope_id": SCOPE, "since": _NOW, "now": _NOW}, ("scope_id",))],
    "memories_accessed": [Sample({"ids": [_MEMORY], "times": [_NOW], "counts": [1]}, ("id",))],
}
