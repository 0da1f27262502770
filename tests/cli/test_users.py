"""Promises of the commands that show a person what an assistant remembers of them."""

from pathlib import Path

import pytest

import mnemic
from tests.cli.commanding import failed, run, told


@pytest.fixture(autouse=True)
def surroundings(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMIC_DATABASE", database)
    monkeypatch.setenv("MNEMIC_EMBEDDER", "hashing")
    monkeypatch.setenv("MNEMIC_DURABILITY", "off")
    monkeypatch.setenv("MNEMIC_LOCALE", "en")


@pytest.fixture
def name(database: str) -> str:
    """A memory of Ada's, beside one of somebody else and a robot's."""
    with mnemic.open(database) as memory:
        ids = [
            memory.assistant.call(
                "memory_add", {"content": content, "memory_type": "core", "user_id": user}
            )["data"]["memory_id"]
            for user, content in (("ada", "I live in Leeds"), ("bob", "I live in York"))
        ]
        memory.robot.learn("Grip force 12.5 N holds a mug")
    return ids[0]


def test_a_user_lists_finds_and_sees_their_memories_and_no_others(name: str) -> None:
    listed = told("list", "--user", "ada")
    found = told("search", "where do I live", "--user", "ada")
    shown = told("show", name, "--user", "ada")

    assert [one["content"] for one in listed] == ["I live in Leeds"]
    assert [one["content"] for one in found["memories"]] == ["I live in Leeds"]
    assert shown["scope"] == {"kind": "user", "name": "ada"}
    assert told("get", "1", "--user", "ada")["content"] == "I live in Leeds"
    assert "no memory" in failed("show", name, "--user", "bob", code=1)
    assert "no memory" in failed("forget", name, "--user", "bob", code=1)


def test_a_user_edits_forgets_and_undoes_with_the_history_of_it(name: str) -> None:
    told("edit", name, "I live in Bath", "--user", "ada")
    told("forget", name, "--user", "ada")
    gone = told("list", "--user", "ada")
    told("undo", name, "--user", "ada")

    assert gone == []
    assert [one["content"] for one in told("list", "--user", "ada")] == ["I live in Bath"]
    verbs = [event["verb"] for event in told("history", name, "--user", "ada")]
    assert verbs == ["created", "revised", "forgotten", "restored"]


def test_a_user_erases_one_memory_by_its_name_or_all_of_them(name: str) -> None:
    assert run("erase", name, "--user", "ada", "--yes").exit_code == 0
    assert told("list", "--user", "ada") == []
    assert run("erase", "--user", "bob", "--yes").exit_code == 0
    assert told("list", "--user", "bob") == []
    assert len(told("list")) == 1


def test_secrets_are_masked_until_they_are_to_be_revealed(database: str) -> None:
    with mnemic.open(database) as memory:
        added = {"content": "My bank PIN is 4711", "memory_type": "core", "user_id": "ada"}
        name = memory.assistant.call("memory_add", added)["data"]["memory_id"]

    for command in (["list"], ["show", name], ["get", name], ["history", name]):
        assert "4711" not in run(*command, "--user", "ada").output
    for command in (["list"], ["show", name], ["get", name]):
        assert "4711" in run(*command, "--user", "ada", "--reveal").output


def test_a_chat_in_the_terminal_replies_and_shows_the_memories_it_used(name: str) -> None:
    talked = run("chat", "--user", "ada", given="Where do I live?\n\n/quit\nnot read\n")

    assert talked.exit_code == 0, talked.output
    assert "You live in Leeds." in talked.output
    assert f"  {name}  I live in Leeds" in talked.output
    assert "not read" not in talked.output


@pytest.mark.parametrize("wrong", ["mem_x", "twelve"])
def test_what_is_no_id_is_refused(wrong: str, tmp_path: Path) -> None:
    assert "mem_0000000012" in failed("show", wrong, code=2)
