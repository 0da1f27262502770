"""Promises of the commands for people: what there is, what changed, and how quick it is."""

import json
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from typer.testing import CliRunner, Result

import mnemic
from mnemic.cli.command_line import app
from mnemic.cli.history_text import compared
from mnemic.records.memory import memory_name


@pytest.fixture(autouse=True)
def surroundings(own_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMIC_EMBEDDER", "hashing")


@pytest.fixture
def store(database: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The store that the commands use, on each backend in turn."""
    monkeypatch.setenv("MNEMIC_DATABASE", database)
    return database


def run(*words: str, given: str | None = None) -> Result:
    result = CliRunner().invoke(app, list(words), input=given)
    assert result.exit_code == 0, result.output
    return result


def told(*words: str) -> Any:
    return json.loads(run(*words, "--json").stdout)


def test_show_has_all_that_get_has_and_what_is_around(store: str) -> None:
    with mnemic.open(store, actor="Mira") as memory:
        session = memory.robot.start_session()["session_id"]
        for one in ("Keep left", "Never run on ice"):
            memory.robot.learn(one, session_id=session)
        memory.chat.create_edge(memory_name(1), memory_name(2), "supports")
        got = memory.robot.get(1)
        history = memory.robot.history(1)

    shown = told("show", "1")
    text = run("show", "1").stdout

    assert {name: shown[name] for name in got} == got
    assert shown["scope"] == {"kind": "collection", "name": "default"}
    assert shown["history"] == history
    [link] = shown["links"]
    [back] = told("show", "2")["links"]
    assert (link["direction"], link["relation"], link["memory_id"]) == ("to", "supports", 2)
    assert (back["direction"], back["relation"], back["memory_id"]) == ("from", "supports", 1)
    for part in ("#1", "collection default", "by Mira", "→ supports", "#2", session):
        assert part in text


@pytest.mark.parametrize("command", ["show", "get", "history"])
def test_an_id_beyond_all_numbers_is_not_allowed(command: str, store: str) -> None:
    del store
    result = CliRunner().invoke(app, [command, str(10**23), "--json"])

    assert result.exit_code == 2
    assert json.loads(result.stderr)["error"] == "invalid_input"


def test_stats_count_what_is_there(store: str) -> None:
    with mnemic.open(store) as memory:
        memory.robot.learn_many(["Keep left", "Never run on ice"], "roads")
        memory.robot.learn("Keep right", collection="rails")
        memory.robot.forget(3, "wrong")
        memory.assistant.call(
            "memory_add", {"content": "Mira likes tea", "memory_type": "core", "user_id": "mira"}
        )
    with mnemic.open(store, embedder="none") as memory:
        memory.robot.learn("Brake early", collection="roads")

    found = told("stats")
    text = run("stats", "-n", "1").stdout

    assert found["memories"] == 4
    assert found["scope_kinds"] == {"collection": 3, "user": 1}
    assert found["kinds"] == {"core": 1, "fact": 3}
    assert found["statuses"] == {"active": 4, "invalidated": 1}
    assert sum(found["categories"].values()) == 4
    assert found["fullest"][0] == {"kind": "collection", "name": "roads", "memories": 3}
    assert found["vectors_missing"] == 1
    assert found["bytes"] > 0
    assert "roads" in text
    assert "mnemic reindex" in text


def test_stats_see_one_account_only(store: str) -> None:
    with mnemic.open(store, account="other") as memory:
        memory.robot.learn("Keep left", collection="secret")

    found = told("stats")

    assert found["memories"] == 0
    assert found["fullest"] == []
    assert found["categories"] == {}
    assert found["vectors_missing"] == 0


def test_a_full_page_tells_how_to_go_on() -> None:
    run("learn-many", "-", given="Keep left\nNever run on ice\nBrake early\n")

    first = run("list", "-n", "2").stdout
    second = run("list", "-n", "2", "--before", "2").stdout

    assert "--before 2" in first
    assert "--before" not in second


def test_history_marks_what_went_and_what_came() -> None:
    run("learn", "Grip force 9 N slips")
    run("update", "1", "Grip force 11 N holds")

    lines = run("history", "1").stdout.splitlines()

    assert lines[1].rstrip().endswith("Grip force 9 N slips")
    assert lines[2].rstrip().endswith("- Grip force 9 N slips")
    assert lines[3].rstrip().endswith("+ Grip force 11 N holds")


@pytest.mark.parametrize(
    ("old", "new", "gone", "come"),
    [
        ("Grip 9 N slips", "Grip 11 N slips", ["9"], ["11"]),
        ("先减速再抓杯子", "先加速再抓杯子", ["减"], ["加"]),
        ("Keep left", "Keep left always", [], [" always"]),
    ],
)
def test_only_what_differs_is_marked(old: str, new: str, gone: list[str], come: list[str]) -> None:
    text = compared(old, new)

    def marked(style: str) -> list[str]:
        return [text.plain[one.start : one.end] for one in text.spans if one.style == style]

    assert [one for one in marked("bold red") if one] == gone
    assert [one for one in marked("bold green") if one] == come


def test_a_lesson_may_come_from_standard_input() -> None:
    run("learn", "-", given="先减速再抓取玻璃杯\n")

    assert told("get", "1")["content"] == "先减速再抓取玻璃杯"


def test_wide_characters_are_aligned() -> None:
    run("learn-many", "-", given="先减速再抓取玻璃杯\nKeep left\n")

    lines = run("list").stdout.splitlines()

    starts = {
        cell_len(line[: line.index(text)])
        for line, text in zip(lines, ("memory", "Keep", "先减速"), strict=True)
    }
    assert len(starts) == 1


def test_the_bench_measures_a_store_of_its_own() -> None:
    found = told("bench", "--size", "100")
    text = run("bench", "--size", "100", "--embedder", "none").stdout

    assert [one["call"] for one in found["measured"]] == ["learn", "learn_many", "recall", "list"]
    assert all(0 < one["cpu_ms"] <= one["cpu_p95_ms"] for one in found["measured"])
    assert all(0 < one["wall_ms"] <= one["wall_p95_ms"] for one in found["measured"])
    assert "benchmarks/" in found["note"]
    assert "100 memories, embedder none" in text
    assert told("stats")["memories"] == 0
