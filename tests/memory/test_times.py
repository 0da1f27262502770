"""When something happened, what expired and what was known at a time, on each backend."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from mnemic.errors import InvalidInputError
from mnemic.opening import OpenMemory
from mnemic.records.memory import Chat, Draft, Scope, Utterance
from mnemic.records.query import Query
from mnemic.worker import Worker
from tests.conftest import NOON, Clock, OpenIt

ADA = Scope("user", "ada")
LAST_MAY = datetime(2025, 5, 1, 8, 30, 15, 123_000, tzinfo=UTC)


def search(memory: OpenMemory, query: str, **params: Any) -> list[dict[str, Any]]:
    envelope = memory.assistant.call("memory_search", {"query": query, **params})
    assert envelope["success"], envelope
    return envelope["data"]["results"]


def add(memory: OpenMemory, content: str, **params: Any) -> dict[str, Any]:
    params = {"content": content, "memory_type": "core", **params}
    return memory.assistant.call("memory_add", params)


def test_what_happened_is_told_to_the_millisecond_and_by_default_it_happens_now(
    memory: OpenMemory,
) -> None:
    past = memory.remember(Draft("The ferry left late", ADA, occurred_at=LAST_MAY)).memory
    now = memory.remember(Draft("The ferry is red", ADA)).memory

    assert past.occurred_at == LAST_MAY
    assert past.created_at == now.occurred_at == NOON
    assert (past.valid_until, past.expires_at, past.superseded_by) == (None, None, None)
    told = add(memory, "I met Bo", occurred_at="2025-05-01T16:30:15.123+08:00")["data"]
    assert told["occurred_at"] == "2025-05-01T08:30:15.123Z"
    assert "occurred_at" not in add(memory, "I met Cy")["data"]


def test_a_time_without_a_zone_is_the_users(open_it: OpenIt) -> None:
    memory = open_it(time_zone="Europe/Berlin")
    assert add(memory, "I met Bo", occurred_at="2025-07-01T10:00")["data"]["occurred_at"] == (
        "2025-07-01T08:00:00Z"
    )
    there = {"occurred_at": "2025-07-01T10:00", "time_zone": "Asia/Shanghai"}
    assert add(memory, "I met Cy", **there)["data"]["occurred_at"] == "2025-07-01T02:00:00Z"
    memory.robot.save_perception("the tray slid off", occurred_at="2025-07-01T10:00")
    [tray] = memory.robot.recall("tray")["memories"]
    assert tray.get("occurred_at") == "2025-07-01T08:00:00"


@pytest.mark.parametrize(
    ("tool", "params", "code"),
    [
        ("memory_add", {"content": "x", "memory_type": "core", "occurred_at": "soon"}, "TIME"),
        ("memory_add", {"content": "x", "memory_type": "core", "expires_at": "2020-01-01"}, "TIME"),
        ("memory_search", {"query": "x", "as_of": 5}, "TIME"),
        ("memory_search", {"query": "x", "time_zone": "Mars/Base"}, "TIME_ZONE"),
        ("memory_get_profile", {"as_of": "0000-01-01"}, "TIME"),
    ],
)
def test_what_is_no_time_is_refused_by_its_name(
    memory: OpenMemory, tool: str, params: dict[str, Any], code: str
) -> None:
    error = memory.assistant.call(tool, params)["error"]
    assert error["code"] == f"INVALID_{code}"
    assert next(one for one in reversed(params)) in error["details"]


def test_a_robot_is_told_what_is_no_time(memory: OpenMemory) -> None:
    with pytest.raises(InvalidInputError, match="occurred_at"):
        memory.robot.learn("door A sticks", occurred_at="yesterday")
    with pytest.raises(InvalidInputError, match="as_of"):
        memory.robot.recall("door", as_of="1e9")


def test_what_expired_is_out_of_every_read_at_once(open_it: OpenIt, clock: Clock) -> None:
    memory = open_it(embedder="hashing")
    user = {"user_id": "ada"}
    add(memory, "The offer code is HELLO", expires_at="2026-03-10", **user)
    add(memory, "The offer is for tea", **user)
    assert len(search(memory, "offer", **user)) == 2
    clock.turn(days=1)

    assert [one["content"] for one in search(memory, "offer", **user)] == ["The offer is for tea"]
    hits = memory.recall(Query("offer code HELLO", scopes=(ADA,))).hits
    assert [hit.memory.content for hit in hits] == ["The offer is for tea"]
    assert [one.content for one in memory.browse(ADA)] == ["The offer is for tea"]
    assert memory.count(ADA) == 1
    profile = memory.profile(ADA)
    assert profile is not None
    assert profile.kinds["core"].memories == 1
    assert [one.content for one in memory.newest()] == ["The offer is for tea"]
    reply = memory.converse(Chat(Utterance("user", "What is the offer code?"), ADA))
    assert "HELLO" not in reply.text
    assert all(hit.memory.content == "The offer is for tea" for hit in reply.used)


def test_the_worker_takes_out_what_expired_and_undo_brings_it_back_to_stay(
    memory: OpenMemory, clock: Clock
) -> None:
    until = NOON + timedelta(hours=1)
    number = memory.remember(Draft("The lift is closed", ADA, expires_at=until)).memory.id
    clock.turn(hours=2)
    Worker(memory).work_off()

    gone = memory.get(number)
    assert (gone.status, gone.status_reason) == ("invalidated", "expired")
    assert memory.count(ADA) == 0
    assert memory.undo(number).expires_at is None
    clock.turn(days=9)
    Worker(memory).work_off()
    assert [one.content for one in memory.browse(ADA)] == ["The lift is closed"]


def test_what_expired_is_said_anew_and_what_is_said_again_lasts_longer(
    memory: OpenMemory, clock: Clock
) -> None:
    until = NOON + timedelta(hours=1)
    first = memory.remember(Draft("The lift is closed", ADA, expires_at=until)).memory
    again = memory.remember(Draft("The lift is closed", ADA))
    assert again.duplicate is not None
    assert again.memory.expires_at is None
    late = memory.remember(Draft("The pool is closed", ADA, expires_at=until)).memory
    clock.turn(hours=2)
    anew = memory.remember(Draft("The pool is closed", ADA))
    assert anew.duplicate is None
    assert anew.memory.id != late.id
    assert memory.get(first.id).status == "active"


def test_as_of_leaves_out_what_happened_later(memory: OpenMemory) -> None:
    add(memory, "I live in Leeds", occurred_at="2024-02-01")
    add(memory, "I live near a park", occurred_at="2025-06-01")

    then = search(memory, "where do I live", as_of="2024-02-01")
    assert [one["content"] for one in then] == ["I live in Leeds"]
    assert len(search(memory, "where do I live", as_of="2025-06-01")) == 2
    assert search(memory, "where do I live", as_of="2024-01-31") == []
    profile = memory.assistant.call("memory_get_profile", {"as_of": "2024-12-31"})
    assert profile["data"]["profile"]["total_memories"] == 1
    chat = {"message": "Where do I live?", "as_of": "2024-12-31", "memorizing": False}
    used = memory.assistant.call("memory_chat", chat)["data"]["used_memories"]
    assert [one["content"] for one in used] == ["I live in Leeds"]
    memory.robot.learn("gripper B slips", occurred_at="2025-01-01")
    assert memory.robot.recall("gripper", as_of="2024-12-31")["total"] == 0


def test_yesterday_is_the_users_day(open_it: OpenIt, clock: Clock) -> None:
    memory = open_it()
    clock.now = datetime(2026, 3, 9, 20, 0, tzinfo=UTC)  # The 10th in Shanghai.
    for hour, name in ((3, "heron"), (27, "crane")):
        when = datetime(2026, 3, 8, tzinfo=UTC) + timedelta(hours=hour)
        memory.remember(Draft(f"I saw a {name} by the lake", ADA, occurred_at=when))

    def seen(zone: str) -> str:
        question = Query("what was by the lake yesterday", scopes=(ADA,), time_zone=zone)
        return memory.recall(question).hits[0].memory.content

    assert "heron" in seen("UTC")
    assert "crane" in seen("Asia/Shanghai")
