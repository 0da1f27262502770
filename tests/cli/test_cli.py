"""Promises of the command line: the same answers as in Python, and errors without a traceback."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from uuid import uuid4

import pytest

import mnemic
from mnemic.cli.commands.mcp_command import BackgroundEmbedding
from mnemic.cli.main import quick_mcp
from tests.cli.commanding import run, told
from tests.postgres import Server

VERBS = [
    *("learn", "recall", "save-perception", "forget", "update", "start-session", "end-session"),
    *(
        "get",
        "list",
        "history",
        "undo",
        "learn-many",
        "mcp",
        "reindex",
        "maintain",
        "doctor",
        "console",
        "demo",
    ),
    *("migrate", "serve", "worker", "show", "stats", "setup", "bench"),
    *("export", "import", "backup", "restore", "keys"),
]


@pytest.fixture(autouse=True)
def surroundings(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMIC_DATABASE", database)
    monkeypatch.setenv("MNEMIC_EMBEDDER", "hashing")
    monkeypatch.setenv("MNEMIC_DURABILITY", "off")


def shown(*words: str, given: str | None = None) -> str:
    result = run(*words, given=given)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_what_a_command_answers_is_what_python_answers(database: str) -> None:
    learned = told("learn", "Grip force 12.5 N holds a mug", "--context", '{"task": {"ok": true}}')
    found = told("recall", "mug", "-n", "3", "--filter", '{"task.ok": true}')

    with mnemic.open(database) as memory:
        assert told("get", "1") == memory.robot.get(1)
        assert told("list") == memory.robot.list()
        assert told("history", "1") == memory.robot.history(1)
        again = memory.robot.recall("mug", n=3, context_filter={"task.ok": True})
    assert learned["memory_id"] == 1
    assert found.pop("query_ms") >= 0
    assert found == {name: value for name, value in again.items() if name != "query_ms"}


def test_json_keeps_chinese_readable() -> None:
    told("learn", "先减速再抓取玻璃杯")

    assert "先减速再抓取玻璃杯" in run("recall", "玻璃杯", "--json").stdout


def test_a_run_from_start_to_end() -> None:
    session = told("start-session", "--context", '{"robot": {"type": "UR5e"}}')["session_id"]
    told("learn", "The tray is slippery", "--session", session)
    sensed = told("save-perception", "A wet tray", "--type", "tactile", "--session", session)
    ended = told("end-session", session, "--outcome", "0.9")

    assert sensed["perception_type"] == "tactile"
    assert ended["summary"]["by_type"] == {"fact": 1, "perception": 1}


def test_what_is_forgotten_or_changed_comes_back() -> None:
    told("learn", "Grip force 9 N slips")
    told("update", "1", "Grip force 11 N holds")
    told("forget", "1", "--reason", "wrong scale")

    assert told("undo", "1")["content"] == "Grip force 11 N holds"
    assert told("undo", "1")["content"] == "Grip force 9 N slips"
    assert [one["verb"] for one in told("history", "1")][:3] == ["created", "revised", "forgotten"]


def test_without_json_each_verb_reads_well() -> None:
    assert "learned as memory 1" in shown("learn", "Lesson: [red] mugs slip", "--context", "oops")
    assert "known already as memory 1" in shown("learn", "Lesson: [red] mugs slip")
    assert "Lesson: [red] mugs slip" in shown("recall", "mugs")
    assert "nothing" in shown("recall", "mugs", "--collection", "elsewhere")
    assert "kept as memory 2" in shown("save-perception", "A red mug", "--data", "[1]")
    assert "+ Lesson: blue mugs slip" in shown("update", "1", "Lesson: blue mugs slip")
    assert "because: no" in shown("forget", "1", "--reason", "no")
    assert "because: no" in shown("history", "1")
    assert "invalidated" in shown("list", "--status", "all")
    assert "blue" in shown("undo", "1")
    assert "nothing here" in shown("list", "--category", "tradeoff")
    session = shown("start-session").split()[1]
    assert f"ended {session}" in shown("end-session", session)


def test_a_place_can_be_asked_for() -> None:
    told("learn", "The mug stood here", "--context", '{"spatial": {"at": [1, 2]}}')

    near = '{"field": "spatial.at", "target": [1, 3]}'
    assert told("recall", "mug", "--near", near)["memories"][0]["distance"] == 1.0
    assert "distance 1.000" in shown("recall", "mug", "--near", near)


def test_json_may_come_from_a_file(tmp_path: Path) -> None:
    readings = '{"newton":  [1.50]}'
    (tmp_path / "force.json").write_text(readings, "utf-8")

    told("save-perception", "Force of a grasp", "--data", f"@{tmp_path / 'force.json'}")

    assert told("get", "1")["data"] == readings


def test_many_lessons_come_from_a_file_or_a_pipe(tmp_path: Path) -> None:
    lines = (
        'Never run on ice\n\n{"insight": "Keep left", "context": {"task": {"ok": true}}}\n[1, 2]\n'
    )
    (tmp_path / "lessons.txt").write_text(lines, "utf-8")

    answers = told("learn-many", str(tmp_path / "lessons.txt"))
    again = shown("learn-many", "-", given=lines)

    assert [one["status"] for one in answers] == ["created"] * 3
    assert json.loads(told("get", "2")["context"]) == {"task": {"ok": True}}
    assert told("get", "3")["content"] == "[1, 2]"
    assert "learned 0 · 3 known already" in again


def test_a_broken_line_is_named() -> None:
    result = run("learn-many", "-", given='Keep left\n{"insight": \n')

    assert result.exit_code == 2
    assert "line 2" in result.stderr


@pytest.mark.parametrize(
    ("words", "code", "part"),
    [
        (["recall", "x", "-n", "0"], 2, "n: 0 is out of range"),
        (["recall", "x", "--filter", "{"], 2, "context_filter"),
        (["learn", " "], 2, "insight: it is empty"),
        (["learn", "x", "--context", "@nowhere.json"], 2, "nowhere.json cannot be read"),
        (["mcp", "--profile", "human"], 2, "robot, robot-extended"),
        (["forget", "7", "--reason", "x"], 1, "no memory 7"),
        (["end-session", "no-such-run"], 1, "no-such-run"),
        (["--database", "/dev/null/memory.db", "list"], 4, "/dev/null"),
    ],
)
def test_an_error_is_one_line_and_a_code(words: list[str], code: int, part: str) -> None:
    result = run(*words)

    assert result.exit_code == code
    assert part in result.stderr
    assert result.stderr.startswith("mnemic: ")
    assert result.stdout == ""


def test_with_json_an_error_is_json_too() -> None:
    result = run("forget", "7", "--reason", "x", "--json")

    assert json.loads(result.stderr) == {"error": "not_found", "message": "There is no memory 7."}


def test_reindex_gives_vectors_to_what_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMIC_EMBEDDER", "none")
    told("learn", "Keep left")
    monkeypatch.setenv("MNEMIC_EMBEDDER", "hashing")

    assert told("reindex") == {"embedded": 1}
    assert "embedded 0" in shown("reindex")


def test_the_doctor_makes_no_memory_where_there_is_none(
    tmp_path: Path, postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    for database in (str(tmp_path / "none.db"), postgres.make_database(f"none_{uuid4().hex}")):
        monkeypatch.setenv("MNEMIC_DATABASE", database)
        for _ in range(2):
            assert told("doctor")["exists"] is False
    assert not (tmp_path / "none.db").exists()


def test_the_doctor_tells_what_is_there(database: str) -> None:
    told("learn", "Keep left", "--collection", "roads")

    after = told("doctor")
    assert after["collections"] == {"roads": 1}
    assert after["embedder_state"] == "ready"
    assert after["schema"] > 0
    assert "roads: 1" in shown("doctor")


def test_the_doctor_tells_which_language_model_is_set_but_never_its_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert told("doctor")["llm"] == "none"

    monkeypatch.setenv("MNEMIC_LLM_URL", "http://127.0.0.1:9/")
    monkeypatch.setenv("MNEMIC_LLM_MODEL", "qwen3:8b")
    monkeypatch.setenv("MNEMIC_LLM_API_KEY", "sk-secret")

    assert told("doctor", "--offline")["llm"] == "qwen3:8b at http://127.0.0.1:9/v1"
    assert "qwen3:8b at http://127.0.0.1:9/v1" in shown("doctor", "--offline")
    assert "sk-secret" not in shown("doctor", "--offline")


def test_the_doctor_names_a_language_model_that_is_half_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MNEMIC_LLM_MODEL", "qwen3:8b")

    result = run("doctor")

    assert result.exit_code == 1
    assert "MNEMIC_LLM_URL: missing" in " ".join(result.stdout.split())


@pytest.mark.parametrize("verb", VERBS)
def test_help_shows_an_example(verb: str) -> None:
    assert f"mnemic {verb}" in " ".join(shown(verb, "--help").split())


@pytest.mark.parametrize("columns", ["80", "100"])
def test_the_demo_runs_to_its_end_fits_and_tells_how_to_look_into_its_store(
    columns: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    lines = shown("demo").splitlines()

    assert "mnemic mcp" in lines[-4]
    command, option, path, verb = lines[-2].split()
    assert (command, option, verb) == ("mnemic", "--database", "console")
    assert Path(path).is_relative_to(tmp_path)
    assert Path(path).exists()
    assert "mnemic demo --open" in lines[-1]
    assert len(lines) <= 90
    assert any("known: #1" in line for line in lines)


def test_the_demo_leaves_the_memory_alone(
    database: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    shown("demo")

    assert not Path(database).exists()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["mcp"], (None, "all")),
        (["mcp", "--profile", "robot-extended"], (None, "robot-extended")),
        (["--database=m.db", "mcp", "--profile=robot"], ("m.db", "robot")),
        (["mcp", "--help"], None),
        (["mcp", "--profile", "human"], None),
        (["learn", "mcp"], None),
        ([], None),
    ],
)
def test_only_a_plain_mcp_takes_the_short_cut(words: list[str], expected: object) -> None:
    assert quick_mcp(words) == expected


def test_what_was_learned_before_the_embedder_was_there_gets_its_vector(database: str) -> None:
    told("learn", "Keep left")
    with mnemic.open(database, embedder="none") as memory:
        memory.robot.learn("Never run on ice")
    with (
        mnemic.open(database, wait_for_embedder=False) as memory,
        BackgroundEmbedding(memory) as vectors,
    ):
        vectors.begin()
        vectors.wait()

    assert told("reindex") == {"embedded": 0}


def test_the_server_ends_quietly_when_nobody_is_there(database: str) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "mnemic.cli.main", "--database", database, "mcp"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
    )

    assert run.stdout == b""
    assert run.stderr == b""


def test_a_memory_that_cannot_be_opened_is_no_traceback_for_the_server() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "mnemic.cli.main", "--database", "/dev/null/memory.db", "mcp"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.returncode == 4
    assert run.stderr.startswith("mnemic: ")
    assert run.stdout == ""


def test_the_installed_command_works_in_a_pipe(database: str) -> None:
    def mnemic_command(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "mnemic.cli.main", "--database", database, *words],
            capture_output=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
            check=False,
        )

    assert "learned as memory 1" in mnemic_command("learn", "先减速再抓取").stdout
    wrong = mnemic_command("forget", "2", "--reason", "x")

    assert "先减速再抓取" in mnemic_command("recall", "减速").stdout
    assert wrong.returncode == 1
    assert wrong.stderr == "mnemic: There is no memory 2.\n"
    assert mnemic_command("--version").stdout == f"mnemic {mnemic.__version__}\n"
