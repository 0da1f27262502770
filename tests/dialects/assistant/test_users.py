"""Promises about users: nothing of one is visible to another, and nobody is mixed up."""

import asyncio
from typing import Any

import pytest

from mnemic import NotFoundError
from mnemic.opening import OpenMemory
from tests.conftest import Clock, OpenIt
from tests.dialects.calling import add, call, done, refused, search, total

TREASURE = "The treasure lies under the old oak"


@pytest.fixture
def two(memory: OpenMemory) -> OpenMemory:
    """A memory with two users, one of whom knows something."""
    add(memory, TREASURE, "episodic", user_id="anna")
    done(memory, "memory_chat", message="My dog is called Rex", user_id="anna")
    add(memory, "I collect stamps", user_id="ben")
    return memory


def test_a_search_sees_only_its_user(two: OpenMemory) -> None:
    assert search(two, "treasure oak", user_id="anna") == [TREASURE]
    for query in ("treasure oak", TREASURE, "Rex", "dog"):
        found = done(two, "memory_search", query=query, user_id="ben")
        assert found["results"] == []
        assert found["total_results"] == 0


def test_a_profile_counts_only_its_user(two: OpenMemory) -> None:
    assert total(two, user_id="ben") == 1
    assert total(two) == 0
    found = done(two, "memory_get_profile", user_id="ben")["profile"]
    assert [one["action"] for one in found["recent_activity"]] == ["add"]
    assert "treasure" not in str(found)


def test_a_chat_knows_nothing_of_another_user(two: OpenMemory) -> None:
    for user in ("ben", "default_user", "nobody"):
        data = done(two, "memory_chat", message="Where does the treasure lie?", user_id=user)
        assert "oak" not in data["response"]
        assert TREASURE not in str(data["used_memories"])


def test_a_conversation_belongs_to_one_user(two: OpenMemory) -> None:
    mine = done(two, "memory_chat", message="I keep bees", user_id="anna")["conversation_id"]

    for tool in ("conversation_get", "conversation_delete"):
        assert refused(two, tool, conversation_id=mine, user_id="ben")["code"] == "NOT_FOUND"
    assert done(two, "conversation_list", user_id="ben")["conversations"] == []
    said = done(two, "memory_chat", message="And?", conversation_id=mine, user_id="ben")
    assert "bees" not in said["response"]
    assert [
        one["content"]
        for one in done(two, "conversation_get", conversation_id=mine, user_id="anna")["messages"]
    ][-2] == "I keep bees"


def test_another_users_memory_is_as_little_there_as_one_that_never_was(two: OpenMemory) -> None:
    theirs = add(two, "Anna's note", user_id="anna")

    for tool, more in (("memory_update", {"content": "x"}), ("memory_delete", {})):
        foreign = refused(two, tool, memory_id=theirs, user_id="ben", **more)
        missing = refused(two, tool, memory_id="mem_9999999999", user_id="ben", **more)
        assert foreign == missing
        assert foreign["code"] == "NOT_FOUND"
    assert "Anna's note" in search(two, "note", user_id="anna")


@pytest.mark.parametrize("user", ["", " ", 5, ["a"], "a" * 201, "a\nb", " anna"])
def test_a_user_id_that_is_no_name_is_refused(memory: OpenMemory, user: Any) -> None:
    for tool, params in (
        ("memory_add", {"content": "x", "memory_type": "core"}),
        ("memory_search", {"query": "x"}),
        ("memory_chat", {"message": "x"}),
        ("memory_get_profile", {}),
    ):
        assert refused(memory, tool, user_id=user, **params)["code"] == "INVALID_USER_ID"


def test_robots_and_users_do_not_see_each_other(memory: OpenMemory) -> None:
    memory.robot.learn("Grip force 12 N holds the mug", collection="anna")
    add(memory, "I like my mug", user_id="anna")

    assert search(memory, "mug", user_id="anna") == ["I like my mug"]
    hits = memory.robot.recall("mug", collection="anna")["memories"]
    assert [one["content"] for one in hits] == ["Grip force 12 N holds the mug"]


def test_a_robot_cannot_reach_a_users_memory_by_its_number(memory: OpenMemory) -> None:
    number = int(add(memory, "I keep bees", user_id="anna").removeprefix("mem_"))
    robot = memory.robot

    for reach in (
        lambda: robot.get(number),
        lambda: robot.history(number),
        lambda: robot.update(number, "x"),
        lambda: robot.forget(number, "x"),
        lambda: robot.undo(number),
    ):
        with pytest.raises(NotFoundError, match=f"no memory {number}"):
            reach()
    assert search(memory, "bees", user_id="anna") == ["I keep bees"]


def test_fifty_adds_and_fifty_searches_at_once_lose_nothing_and_mix_up_nobody(
    open_it: OpenIt, clock: Clock
) -> None:
    memory = open_it()
    users = [f"user{number}" for number in range(5)]
    for user in users:
        add(memory, f"{user} keeps a lighthouse", user_id=user)

    async def at_once() -> list[dict[str, Any]]:
        adds = [
            memory.assistant.execute_tool(
                "memory_add",
                {
                    "content": f"{users[at % 5]} saw ship number {at}",
                    "memory_type": "episodic",
                    "user_id": users[at % 5],
                },
            )
            for at in range(50)
        ]
        searches = [
            memory.assistant.execute_tool(
                "memory_search", {"query": "lighthouse", "user_id": users[at % 5]}
            )
            for at in range(50)
        ]
        return await asyncio.gather(*adds, *searches)

    answers = asyncio.run(at_once())

    assert all(one["success"] for one in answers), [one for one in answers if not one["success"]]
    assert len({one["data"]["memory_id"] for one in answers[:50]}) == 50
    for at, one in enumerate(answers[50:]):
        assert [hit["content"] for hit in one["data"]["results"]] == [
            f"{users[at % 5]} keeps a lighthouse"
        ]
    for user in users:
        assert total(memory, user_id=user) == 11
        ships = search(memory, "ship", limit=100, user_id=user)
        assert len(ships) == 10
        assert all(user in text for text in ships)


def test_a_user_may_have_any_printable_name(memory: OpenMemory) -> None:
    for user in ("小明", "o'brien; drop table", "user/default_user", "a b"):
        assert (
            call(memory, "memory_add", content="x", memory_type="core", user_id=user)["data"][
                "user_id"
            ]
            == user
        )
        assert total(memory, user_id=user) == 1
