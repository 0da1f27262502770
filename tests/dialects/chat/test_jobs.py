"""Promises of background work over HTTP: jobs, the states of scopes, and what sets them going."""

from typing import Any
from urllib.parse import quote

import pytest

from mnemic.opening import OpenMemory
from tests.conftest import NOON, Clock
from tests.dialects.chat_calling import META, Api, Json, problem, wrong

AT_NOON = int(NOON.timestamp() * 1000)
JOB = [
    *("id", "scope", "scope_id", "job_type", "status", "floor_id", "based_on_revision"),
    *("payload", "attempt_count", "max_attempts", "available_at", "lease_owner", "lease_until"),
    *("last_error", "created_at", "updated_at", "finished_at", "progress"),
]
STATE = [
    *("scope", "scope_id", "revision", "lease_owner", "lease_until", "last_processed_floor_no"),
    *("last_compaction_at", "updated_at"),
]
SCOPE_ID = '["sea/side \\"1\\"","主线/rebuild"]'


@pytest.fixture
def pending(api: Api) -> Json:
    """A turn whose memory waits to be made."""
    api.create("/sessions", {"id": "s"})
    body = {"messages": [{"role": "user", "content": "I am Mira"}]}
    return api.create("/sessions/s/turns", body)


def micro(api: Api, scope: str, scope_id: str, number: int) -> Json:
    return api.item(
        f"They talked about boat {number}",
        scope=scope,
        scope_id=scope_id,
        type="summary",
        summary_tier="micro",
    )


def test_a_job_comes_back_with_all_its_fields(api: Api, pending: Json) -> None:
    job_id = pending["memory"]["job_id"]

    [job] = api.get("/memory/jobs")

    assert list(job) == JOB
    assert api.get(f"/memory/jobs/{job_id}") == job
    assert job == {
        **dict.fromkeys(JOB),
        "id": job_id,
        "scope": "branch",
        "scope_id": '["s","main"]',
        "job_type": "ingest_turn",
        "status": "pending",
        "floor_id": pending["floor_id"],
        "based_on_revision": job["based_on_revision"],
        "payload": job["payload"],
        "attempt_count": 0,
        "max_attempts": 5,
        "available_at": AT_NOON,
        "created_at": AT_NOON,
        "updated_at": AT_NOON,
        "progress": 0,
    }
    assert isinstance(job["payload"], dict)
    assert isinstance(job["based_on_revision"], int)


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"scope": "branch"}, True),
        ({"scope": "chat"}, False),
        ({"scope_id": '["s","main"]'}, True),
        ({"scope_id": "s"}, False),
        ({"job_type": "ingest_turn"}, True),
        ({"job_type": "maintenance"}, False),
        ({"status": "pending"}, True),
        ({"status": "running"}, False),
        ({"floor_id": "nothing"}, False),
        ({"created_from": AT_NOON, "created_to": AT_NOON}, True),
        ({"created_from": AT_NOON + 1}, False),
        ({"available_to": AT_NOON - 1}, False),
        ({"available_from": AT_NOON}, True),
    ],
)
def test_jobs_are_filtered(api: Api, pending: Json, given: Json, found: bool) -> None:
    listed = [one["id"] for one in api.get("/memory/jobs", **given)]

    assert listed == ([pending["memory"]["job_id"]] if found else [])


def test_jobs_are_sorted_and_paged(api: Api, pending: Json, clock: Clock) -> None:
    clock.turn(seconds=1)
    body = {"messages": [{"role": "user", "content": "And now?"}]}
    later = api.create("/sessions/s/turns", body)["memory"]["job_id"]
    first = pending["memory"]["job_id"]

    for sort in ("created_at", "updated_at", "available_at"):
        newest = [one["id"] for one in api.get("/memory/jobs", sort_by=sort)]
        oldest = [one["id"] for one in api.get("/memory/jobs", sort_by=sort, sort_order="asc")]
        assert newest == [later, first]
        assert oldest == [first, later]
    answer = api.ok("GET", "/memory/jobs", limit=1, offset=1)
    assert [one["id"] for one in answer["data"]] == [first]
    assert list(answer["meta"]) == META
    assert answer["meta"]["total"] == 2
    assert [one["id"] for one in api.get("/memory/jobs", floor_id=pending["floor_id"])] == [first]


def test_a_job_that_waits_can_be_cancelled_and_tried_again(
    api: Api, pending: Json, clock: Clock
) -> None:
    job_id = pending["memory"]["job_id"]
    path = f"/memory/jobs/{job_id}"
    queued = {"job_id": job_id, "created": True, "scope": "branch", "scope_id": '["s","main"]'}

    refused = problem(api.send("POST", f"{path}/retry"), 409, "invalid_state")
    assert api.ok("POST", f"{path}/cancel") == {"data": queued}
    cancelled = api.get(path)
    again = problem(api.send("POST", f"{path}/cancel"), 409, "invalid_state")
    clock.turn(seconds=1)
    assert api.ok("POST", f"{path}/retry") == {"data": queued}
    waiting = api.get(path)

    assert all(word in refused["message"] for word in ("pending", "dead_letter", "cancelled"))
    assert all(word in again["message"] for word in ("cancelled", "pending", "retry_waiting"))
    assert (cancelled["status"], cancelled["finished_at"]) == ("cancelled", AT_NOON)
    assert (waiting["status"], waiting["attempt_count"]) == ("retry_waiting", 0)
    assert waiting["finished_at"] is waiting["last_error"] is waiting["lease_owner"] is None


def test_a_job_that_is_not_there_is_404(api: Api) -> None:
    problem(api.send("GET", "/memory/jobs/nothing"), 404, "not_found")
    problem(api.send("POST", "/memory/jobs/nothing/retry"), 404, "not_found")
    problem(api.send("POST", "/memory/jobs/nothing/cancel"), 404, "not_found")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("scope", ""), ("scope_id", ""), ("job_type", "x"), ("status", "done")),
        *(("floor_id", ""), ("created_from", "x"), ("available_to", "-1"), ("sort_by", "id")),
        *(("limit", "0"), ("offset", "-1"), ("sort_order", "x")),
    ],
)
def test_a_wrong_filter_of_jobs_is_refused(api: Api, name: str, value: str) -> None:
    assert wrong(api.send("GET", "/memory/jobs", **{name: value})) == [name]


@pytest.mark.parametrize("what", ["created", "available"])
def test_an_inverted_range_of_jobs_is_refused_by_both_names(api: Api, what: str) -> None:
    ends = {f"{what}_from": 2, f"{what}_to": 1}

    assert wrong(api.send("GET", "/memory/jobs", **ends)) == list(ends)


def test_the_state_of_a_scope_tells_how_far_its_work_is(api: Api, clock: Clock) -> None:
    api.create("/sessions", {"id": "s"})
    body = {"messages": [{"role": "user", "content": "I am Mira"}], "mode": "sync"}
    api.create("/sessions/s/turns", body)

    [state] = api.get("/memory/scopes", scope="branch", scope_id='["s","main"]')

    assert list(state) == STATE
    assert state["revision"] >= 1
    assert state["last_processed_floor_no"] == 0
    assert state["last_compaction_at"] is None
    assert state["updated_at"] == AT_NOON
    assert api.get("/memory/scopes", scope="floor") == []
    sorts = ("updated_at", "revision", "last_compaction_at", "last_processed_floor_no")
    for sort in sorts:
        answer = api.ok("GET", "/memory/scopes", sort_by=sort, sort_order="asc", limit=1)
        assert list(answer["meta"]) == META
        assert answer["meta"]["sort_by"] == sort
    assert wrong(api.send("GET", "/memory/scopes", sort_by="scope")) == ["sort_by"]
    assert wrong(api.send("GET", "/memory/scopes", scope="user")) == ["scope"]


def address(scope: str, scope_id: str, verb: str) -> str:
    return f"/memory/scopes/{scope}/{quote(scope_id, safe='')}/{verb}"


@pytest.mark.parametrize("scope_id", ['["s","main"]', SCOPE_ID, "雨/rebuild", "a b?c#d%20&e"])
def test_a_compaction_is_lined_up_whatever_the_scope_is_called(api: Api, scope_id: str) -> None:
    made = [micro(api, "branch", scope_id, number)["id"] for number in range(7)]

    first = api.ok("POST", address("branch", scope_id, "compact"), {"force": True})["data"]
    again = api.ok("POST", address("branch", scope_id, "compact"))["data"]

    assert list(first) == [
        *("job_id", "created", "scope", "scope_id", "reason", "source_micro_ids"),
        *("coverage_start_floor_no", "coverage_end_floor_no"),
    ]
    assert first == {
        "job_id": first["job_id"],
        "created": True,
        "scope": "branch",
        "scope_id": scope_id,
        "reason": "forced",
        "source_micro_ids": first["source_micro_ids"],
        "coverage_start_floor_no": None,
        "coverage_end_floor_no": None,
    }
    assert len(first["source_micro_ids"]) == 3
    assert set(first["source_micro_ids"]) <= set(made)
    assert again == {**first, "created": False}
    [job] = api.get("/memory/jobs", scope_id=scope_id)
    assert (job["id"], job["job_type"]) == (first["job_id"], "compact_macro")


def test_nothing_to_compact_is_a_conflict(api: Api) -> None:
    micro(api, "chat", "s", 1)

    told = problem(api.send("POST", address("chat", "s", "compact")), 409, "invalid_state")

    assert told["message"] == "No compaction candidates are available for this scope"


def test_a_rebuild_is_lined_up_once(api: Api, pending: Json) -> None:
    path = address("branch", '["s","main"]', "rebuild")

    first = api.ok("POST", path, {"trigger_floor_id": pending["floor_id"]})["data"]
    again = api.ok("POST", path, {"trigger_floor_id": pending["floor_id"]})["data"]

    assert first == {
        "job_id": first["job_id"],
        "created": True,
        "scope": "branch",
        "scope_id": '["s","main"]',
    }
    assert again == {**first, "created": False}
    assert api.get(f"/memory/jobs/{first['job_id']}")["job_type"] == "rebuild_scope"


@pytest.mark.parametrize("verb", ["rebuild", "compact"])
def test_without_a_worker_no_work_is_lined_up(memory: OpenMemory, verb: str) -> None:
    api = Api(memory, worker=False)
    for number in range(7):
        micro(api, "chat", "s", number)

    told = problem(api.send("POST", address("chat", "s", verb)), 409, "invalid_state")

    assert told["message"] == "Background memory worker is not enabled"
    assert api.get("/memory/jobs") == []


@pytest.mark.parametrize(
    ("path", "body", "names"),
    [
        (address("user", "x", "compact"), {}, ["scope"]),
        (address("chat", " ", "compact"), {}, ["scope_id"]),
        (address("chat", "s", "compact"), {"force": "yes"}, ["force"]),
        (address("chat", "s", "compact"), {"trigger_floor_id": 5}, ["trigger_floor_id"]),
        (address("chat", "s", "rebuild"), {"force_compaction": 1}, ["force_compaction"]),
        (address("chat", "s", "rebuild"), [], ["body"]),
    ],
)
def test_a_wrong_order_for_a_scope_is_refused(
    api: Api, path: str, body: Any, names: list[str]
) -> None:
    assert wrong(api.send("POST", path, body)) == names
