"""Promises of the command line to terminals, pipes and shells."""

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import mnemic
from mnemic.cli import panels
from mnemic.cli.command_line import app

COMMAND = [sys.executable, "-m", "mnemic.cli.main"]


@pytest.fixture(scope="module")
def surroundings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a command on a store with one lesson, without anything about colours."""
    path = tmp_path_factory.mktemp("terminals") / "memory.db"
    with mnemic.open(path, embedder="none", durability="off") as memory:
        memory.robot.learn("Keep left")
    about_colours = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "PY_COLORS", "TTY_COMPATIBLE")
    kept = {name: value for name, value in os.environ.items() if name not in about_colours}
    return {**kept, "MNEMIC_DATABASE": str(path), "MNEMIC_EMBEDDER": "none", "TERM": "xterm"}


def on_a_terminal(*words: str, environment: dict[str, str]) -> str:
    """Return what a command writes to a terminal, on both of its streams."""
    ours, theirs = pty.openpty()
    with subprocess.Popen([*COMMAND, *words], stdout=theirs, stderr=theirs, env=environment) as run:
        os.close(theirs)
        said = b""
        try:
            while part := os.read(ours, 65_536):
                said += part
        except OSError:
            # Linux says it so when the other end is closed.
            pass
        assert run.wait() == 0
    os.close(ours)
    return said.decode()


def test_a_terminal_gets_colours(surroundings: dict[str, str]) -> None:
    assert "\x1b[" in on_a_terminal("list", environment=surroundings)


@pytest.mark.parametrize(("words", "part"), [(["list"], "Keep left"), (["--help"], "Remember")])
def test_with_no_color_there_are_no_escape_codes(
    words: list[str], part: str, surroundings: dict[str, str]
) -> None:
    said = on_a_terminal(*words, environment={**surroundings, "NO_COLOR": "1"})

    assert part in said
    assert "\x1b" not in said


def test_a_dumb_terminal_gets_plain_text(surroundings: dict[str, str]) -> None:
    dumb = {**surroundings, "TERM": "dumb"}

    said = on_a_terminal("reindex", environment=dumb)

    assert said.strip() == "embedded 0"


def test_a_pipe_gets_plain_text_and_no_bars(surroundings: dict[str, str]) -> None:
    run = subprocess.run(
        [*COMMAND, "reindex"], capture_output=True, env=surroundings, check=True, encoding="utf-8"
    )

    assert run.stdout == "embedded 0\n"
    assert run.stderr == ""


def test_a_memory_stays_on_its_line_in_a_pipe(surroundings: dict[str, str], tmp_path: Path) -> None:
    lesson = "Keep left, " * 20 + "whoever comes"
    there = {**surroundings, "MNEMIC_DATABASE": str(tmp_path / "memory.db")}
    there.pop("COLUMNS", None)
    subprocess.run([*COMMAND, "learn", lesson], env=there, check=True, stdout=subprocess.DEVNULL)

    listed = subprocess.run([*COMMAND, "list"], capture_output=True, env=there, check=True)
    narrow = subprocess.run(
        [*COMMAND, "list"], capture_output=True, env={**there, "COLUMNS": "60"}, check=True
    )

    assert lesson in listed.stdout.decode()
    assert max(len(line) for line in narrow.stdout.decode().splitlines()) == 60


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_what_an_output_cannot_write_is_escaped(
    encoding: str, surroundings: dict[str, str], tmp_path: Path
) -> None:
    there = {
        **surroundings,
        "MNEMIC_DATABASE": str(tmp_path / "memory.db"),
        "PYTHONIOENCODING": encoding,
    }
    subprocess.run([*COMMAND, "learn", "抽屉 🍵"], env=there, check=True, stdout=subprocess.DEVNULL)

    listed = subprocess.run([*COMMAND, "list"], capture_output=True, env=there, check=True)
    as_json = subprocess.run(
        [*COMMAND, "list", "--json"], capture_output=True, env=there, check=True
    )

    assert b"\\u62bd\\u5c49" in listed.stdout
    assert json.loads(as_json.stdout.decode(encoding))[0]["content"] == "抽屉 🍵"


@pytest.mark.parametrize(
    "words",
    [["show", "abc"], ["show"], ["list", "--bogus"], ["lern"], ["setup", "emacs"]],
)
def test_a_line_that_cannot_be_read_is_told_as_json_too(
    words: list[str], surroundings: dict[str, str]
) -> None:
    run = subprocess.run(
        [*COMMAND, *words, "--json"], capture_output=True, env=surroundings, check=False
    )

    assert run.returncode == 2
    assert run.stdout == b""
    told = json.loads(run.stderr)
    assert told["error"] == "invalid_input"
    assert told["message"]


def test_help_that_cannot_be_written_is_an_error_of_one_line(surroundings: dict[str, str]) -> None:
    with Path("/dev/full").open("wb") as full:
        run = subprocess.run(
            [*COMMAND, "--help"], stdout=full, stderr=subprocess.PIPE, env=surroundings, check=False
        )

    assert run.returncode == 1
    assert run.stderr.startswith(b"mnemic: ")
    assert run.stderr.count(b"\n") == 1


def test_ctrl_c_ends_an_mcp_server_that_waits_for_its_client(surroundings: dict[str, str]) -> None:
    with subprocess.Popen(
        [*COMMAND, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=surroundings
    ) as run:
        assert run.stdin is not None
        assert run.stdout is not None
        run.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
        run.stdin.flush()
        # It answers, so it waits for the next line.
        assert run.stdout.readline()
        run.send_signal(signal.SIGINT)

        assert run.wait(timeout=30) == -signal.SIGINT


def test_a_reader_that_leaves_ends_a_command_quietly(surroundings: dict[str, str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)

    run = subprocess.run(
        [*COMMAND, "list", "--json"],
        stdout=writing,
        stderr=subprocess.PIPE,
        env=surroundings,
        check=False,
    )

    os.close(writing)
    assert run.stderr == b""


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_can_complete(shell: str) -> None:
    script = CliRunner().invoke(app, [], env={"_MNEMIC_COMPLETE": f"source_{shell}"}).output
    offered = (
        CliRunner()
        .invoke(
            app,
            [],
            env={
                "_MNEMIC_COMPLETE": f"complete_{shell}",
                "_TYPER_COMPLETE_ARGS": "mnemic sh",
                "_TYPER_COMPLETE_FISH_ACTION": "get-args",
                "COMP_WORDS": "mnemic sh",
                "COMP_CWORD": "1",
            },
        )
        .output
    )

    assert "_MNEMIC_COMPLETE" in script
    assert "show" in offered
    assert "learn" not in offered


def test_the_commands_stand_in_groups(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MNEMIC_DATABASE", str(tmp_path / "memory.db"))
    monkeypatch.setenv("COLUMNS", "100")

    said = CliRunner().invoke(app, ["--help"]).output

    groups = ["Remember", "Look", "Serve", "Move and keep", "Set up and check"]
    places = [said.index(f"─ {group} ─") for group in groups]
    assert places == sorted(places)
    assert "─ Commands ─" not in said


@pytest.mark.parametrize("named", ["inside", "outside"])
def test_a_group_of_commands_stands_in_a_group_too(named: str) -> None:
    whole = typer.Typer()
    keys = typer.Typer(name="keys") if named == "inside" else typer.Typer()
    keys.command("list")(lambda: None)
    keys.command("create")(lambda: None)
    if named == "inside":
        whole.add_typer(keys)
    else:
        whole.add_typer(keys, name="keys")
    whole.command("learn")(lambda: None)

    panels.arrange(whole)

    assert "─ Serve ─" in CliRunner().invoke(whole, ["--help"]).output
