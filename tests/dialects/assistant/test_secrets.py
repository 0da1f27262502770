"""Promises about secrets that are told to an assistant: who sees them, and who does not."""

from typing import Any

import pytest

import mnemic
from mnemic.mcp.resources import ResourceReader
from mnemic.opening import OpenMemory
from tests.conftest import OpenIt
from tests.dialects.calling import add, done, search

WIFI = "The wifi password at home is plum-badger-12"
WORD = "plum-badger-12"
COVERED = "The wifi password at home is ••••••"


def test_a_secret_is_told_to_whom_asks_for_it_by_name_and_to_nobody_else(
    memory: OpenMemory,
) -> None:
    add(memory, WIFI, "knowledge_vault")
    add(memory, "We got new wifi at home in March", "episodic")

    asked = done(memory, "memory_chat", message="What is the wifi password at home?")
    beside = done(memory, "memory_chat", message="When did we get wifi at home?")

    assert WORD in asked["response"]
    assert WORD not in str(beside)
    assert WIFI in search(memory, "wifi password")
    assert WORD not in str(search(memory, "wifi at home"))
    assert COVERED in search(memory, "wifi at home")


def test_lists_conversations_and_resources_mask_secrets_unless_they_are_to_be_revealed(
    memory: OpenMemory,
) -> None:
    name = add(memory, WIFI, "knowledge_vault")
    talk = done(memory, "memory_chat", message="My bank PIN is 4711.")["conversation_id"]

    listed = done(memory, "memory_list")
    shown = done(memory, "memory_list", reveal=True)
    said = done(memory, "conversation_get", conversation_id=talk)
    whole = done(memory, "conversation_get", conversation_id=talk, reveal=True)
    resource = ResourceReader(memory).read(f"memory://memories/{name}")
    recent = ResourceReader(memory).read("memory://recent")

    assert COVERED in [one["content"] for one in listed["memories"]]
    assert WIFI in [one["content"] for one in shown["memories"]]
    assert "4711" not in str((listed, said))
    assert "4711" in str(whole)
    assert WORD not in resource + recent


def test_what_a_user_marks_is_covered_whole_and_never_quoted(memory: OpenMemory) -> None:
    add(memory, "The tea safe opens at dawn", "semantic", context={"sensitivity": "high"})

    reply = done(memory, "memory_chat", message="When does the tea safe open?")

    assert "dawn" not in str(reply)
    assert search(memory, "tea safe") == ["••••••"]


def test_what_a_user_says_is_no_secret_is_none(memory: OpenMemory) -> None:
    add(memory, WIFI, "semantic", context={"sensitivity": "none"})

    assert search(memory, "wifi at home") == [WIFI]


def test_a_secret_that_an_update_brings_is_recognised(memory: OpenMemory) -> None:
    name = add(memory, "The wifi at home is fast", "semantic")

    told = done(memory, "memory_update", memory_id=name, content=WIFI)

    assert told["content"] == WIFI
    assert search(memory, "wifi at home") == [COVERED]


def test_robots_mask_secrets_too(open_it: OpenIt) -> None:
    with open_it() as memory:
        learned = memory.robot.learn("The gate code of dock 4 is 7781")
        number = learned.get("memory_id", 0)

        beside = memory.robot.recall("how to reach dock 4")["memories"]
        asked = memory.robot.recall("gate code of dock 4")["memories"]

        assert [one["content"] for one in beside] == ["The gate code of dock 4 is ••••••"]
        assert "7781" not in str(beside)
        assert "7781" in str(asked)
        assert "7781" not in str((memory.robot.list(), memory.robot.get(number)))
        assert "7781" in memory.robot.get(number, reveal=True)["content"]
        memory.robot.update(number, "The gate code of dock 4 is 9902")
        assert "7781" not in str(memory.robot.history(number))
        assert "7781" in str(memory.robot.history(number, reveal=True))


@pytest.mark.parametrize("content", [WIFI, "我的银行卡密码是602918"])
def test_the_mark_is_kept_with_the_memory(content: str) -> None:
    with mnemic.open(":memory:", embedder="none") as memory:
        stored: Any = memory.remember(mnemic.Draft(content)).memory

        assert stored.context == {"sensitivity": "high", "recognised_secret": True}
        assert stored.content == content
