"""Promises of memory_get_profile."""

from typing import Any

import pytest

from mnemic.language.memory_types import TYPES
from mnemic.opening import OpenMemory
from mnemic.records.memory import Draft, Scope
from tests.conftest import Clock, OpenIt
from tests.dialects.calling import add, call, done, refused


def profile(memory: OpenMemory, **params: Any) -> dict[str, Any]:
    return done(memory, "memory_get_profile", **params)["profile"]


def test_an_empty_store_has_a_profile_of_the_default_user(memory: OpenMemory) -> None:
    envelope = call(memory, "memory_get_profile")

    assert envelope["message"] == "配置文件获取成功"
    data = envelope["data"]
    assert data["user_id"] == "default_user"
    found = data["profile"]
    assert found["total_memories"] == 0
    assert found["memory_types"] == {kind: {"count": 0, "last_updated": None} for kind in TYPES}
    assert found["recent_activity"] == []
    assert found["created_at"] == "2026-03-09T12:00:00Z"
    assert found["last_activity"] is None
    assert found["usage_patterns"]["activity_level"] == "inactive"
    assert found["usage_patterns"]["type_distribution"] == dict.fromkeys(TYPES, 0.0)


def test_counts_are_exact_through_adding_changing_and_deleting(
    memory: OpenMemory, clock: Clock
) -> None:
    first = add(memory, "I am a nurse")
    add(memory, "I am a nurse")
    add(memory, "My cat is called Tofu")
    add(memory, "Met Tom", "episodic")
    clock.turn(hours=1)
    done(memory, "memory_update", memory_id=first, content="I am a doctor")
    clock.turn(hours=1)
    done(memory, "memory_delete", memory_id=first)

    types = profile(memory)["memory_types"]

    assert types["core"] == {"count": 1, "last_updated": "2026-03-09T14:00:00Z"}
    assert types["episodic"] == {"count": 1, "last_updated": "2026-03-09T12:00:00Z"}
    assert types["semantic"] == {"count": 0, "last_updated": None}
    memory.undo(int(first.removeprefix("mem_")))
    assert profile(memory)["memory_types"]["core"]["count"] == 2


def test_a_filter_shows_only_the_types_that_are_asked_for(memory: OpenMemory) -> None:
    add(memory, "I am a nurse")
    add(memory, "Met Tom", "episodic")

    found = profile(memory, memory_types=["episodic", "semantic"])

    assert found["total_memories"] == 1
    assert list(found["memory_types"]) == ["episodic", "semantic"]
    assert profile(memory, memory_types=[])["total_memories"] == 2


@pytest.mark.parametrize("types", ["core", 5, {"core": 1}, ["core", "nothing"], [1], [None]])
def test_wrong_types_are_refused(memory: OpenMemory, types: Any) -> None:
    problem = refused(memory, "memory_get_profile", memory_types=types)

    assert problem["code"] == "INVALID_MEMORY_TYPES"


def test_a_user_of_whom_nothing_is_known_has_no_profile(memory: OpenMemory) -> None:
    add(memory, "I am a nurse", user_id="anna")

    assert refused(memory, "memory_get_profile", user_id="ben")["code"] == "PROFILE_NOT_FOUND"
    done(memory, "memory_search", query="nurse", user_id="ben")
    assert refused(memory, "memory_get_profile", user_id="ben")["code"] == "PROFILE_NOT_FOUND"
    assert profile(memory, user_id="anna")["total_memories"] == 1
    assert profile(memory, user_id="default_user")["total_memories"] == 0


def test_the_last_twenty_operations_are_told_newest_first(memory: OpenMemory, clock: Clock) -> None:
    kept = add(memory, "I am a nurse")
    for tool, params in [
        ("memory_search", {"query": "nurse"}),
        ("memory_search", {"query": "nurse", "memory_types": ["core"]}),
        ("memory_chat", {"message": "What do I do?"}),
        ("memory_update", {"memory_id": kept, "content": "I am a doctor"}),
        ("memory_delete", {"memory_id": kept}),
    ]:
        clock.turn(minutes=1)
        done(memory, tool, **params)

    recent = profile(memory)["recent_activity"]

    assert [(one["action"], one["memory_type"]) for one in recent] == [
        ("delete", "core"),
        ("update", "core"),
        ("chat", None),
        ("search", "core"),
        ("search", None),
        ("add", "core"),
    ]
    assert recent[0]["timestamp"] == "2026-03-09T12:05:00Z"
    assert profile(memory)["last_activity"] == "2026-03-09T12:05:00Z"
    for number in range(25):
        add(memory, f"note {number}", "semantic")
    recent = profile(memory)["recent_activity"]
    assert [(one["action"], one["memory_type"]) for one in recent] == [("add", "semantic")] * 20


def test_the_profile_itself_leaves_no_activity(memory: OpenMemory) -> None:
    add(memory, "I am a nurse")

    assert profile(memory) == profile(memory)


@pytest.mark.parametrize(
    ("operations", "level"), [(1, "low"), (9, "low"), (10, "medium"), (19, "medium"), (20, "high")]
)
def test_how_active_a_user_is_follows_from_the_last_seven_days(
    memory: OpenMemory, clock: Clock, operations: int, level: str
) -> None:
    for number in range(operations):
        add(memory, f"note {number}")

    patterns = profile(memory)["usage_patterns"]
    assert patterns["activity_level"] == level
    assert patterns["operations_last_7_days"] == operations
    assert patterns["operations_per_day"] == round(operations / 7, 2)
    clock.turn(days=8)
    assert profile(memory)["usage_patterns"]["activity_level"] == "inactive"


def test_patterns_tell_shares_busy_hours_and_topics(memory: OpenMemory, clock: Clock) -> None:
    add(memory, "机器学习的概念", "semantic")
    add(memory, "机器学习的步骤", "procedural")
    clock.turn(hours=2)
    for text in ("Python decorators", "Python generators", "Python threads"):
        add(memory, text, "knowledge_vault")

    patterns = profile(memory)["usage_patterns"]

    assert patterns["type_distribution"]["knowledge_vault"] == 60.0
    assert sum(patterns["type_distribution"].values()) == 100.0
    assert patterns["peak_hours"] == [14, 12]
    assert patterns["top_topics"] == ["python", "机器学习"]


def test_what_was_counted_is_the_same_for_another_process(open_it: OpenIt) -> None:
    with open_it() as memory:
        add(memory, "I am a nurse")
        done(memory, "memory_search", query="nurse")
        before = profile(memory)

    assert profile(open_it()) == before


def test_tallies_agree_with_a_count_of_the_memories_themselves(memory: OpenMemory) -> None:
    scope = Scope("user", "anna")
    drafts = [Draft(f"note {at}", scope, kind=TYPES[at % 6], dedup=False) for at in range(60)]
    stored = memory.remember_many(drafts)
    for one in stored[::7]:
        memory.forget(one.memory.id, reason="wrong")

    counted = {
        kind: sum(one.kind == kind for one in memory.browse(scope, limit=1_000)) for kind in TYPES
    }
    types = profile(memory, user_id="anna")["memory_types"]
    assert {kind: types[kind]["count"] for kind in TYPES} == counted
    assert memory.count(scope) == sum(counted.values())
