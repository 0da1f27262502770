"""Promises of erasures that do not come to their end: the next start brings them there."""

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

import mnemic
from mnemic.opening import OpenMemory
from mnemic.records.conversation import Line
from mnemic.records.memory import Draft, Scope
from tests.administration.erasing import interrupted
from tests.administration.erasing.test_erasing import ADA, BEN, converse, learned
from tests.administration.erasing.traces import MARKER, rows_with, traces_in
from tests.conftest import OpenIt
from tests.postgres import Server

_OF_FILES = ("before the file is written anew", "after the file is written anew")


def killed_while_erasing(database: str, place: str) -> None:
    script = str(Path(interrupted.__file__))
    ended = subprocess.run(
        [sys.executable, script, database, place], capture_output=True, check=False
    )
    assert ended.returncode == -signal.SIGKILL, ended.stderr.decode()


@pytest.fixture
def traces(database: str, request: pytest.FixtureRequest) -> Callable[[], list[str]]:
    """Tell where the marker stands in a store that is closed."""

    def look() -> list[str]:
        if "postgres" in database:
            server: Server = request.getfixturevalue("postgres")
            return sorted(rows_with(database, server))
        return [*traces_in(Path(database).parent), *sorted(rows_with(database, None))]

    return look


def told(memory: OpenMemory) -> None:
    """Let two users tell something, of whom one is to be erased."""
    converse(memory, f"My sister {MARKER} lives in Bern.")
    converse(memory, "I live in Basel.", BEN, "c-9")
    for number in range(40):
        learned(memory, f"Ada met {MARKER} {number} times", scope=ADA, kind="episodic")


@pytest.mark.parametrize("place", interrupted.PLACES)
def test_an_erasure_that_was_killed_is_finished_at_the_next_start(
    open_it: OpenIt, database: str, traces: Callable[[], list[str]], place: str
) -> None:
    if "postgres" in database and place in _OF_FILES:
        pytest.skip("a server has no file that is written anew")
    with open_it(embedder="hashing") as memory:
        told(memory)
    killed_while_erasing(database, place)

    with open_it(embedder="hashing") as memory:
        [receipt] = memory.erasures()
        assert receipt.finished_at is not None
        assert receipt.counts["memories"] > 40
        assert memory.profile(ADA) is None
        assert memory.browse(BEN)

    assert traces() == []


def test_a_process_that_read_before_an_erasure_keeps_no_index_of_it(
    open_it: OpenIt, database: str, traces: Callable[[], list[str]]
) -> None:
    with open_it(embedder="hashing") as memory:
        told(memory)
    other = open_it(embedder="hashing")
    assert other.recall(mnemic.Query(MARKER, scopes=(ADA,))).hits
    with open_it(embedder="hashing") as memory:
        memory.erase("user", "ada")

    assert not other.recall(mnemic.Query(MARKER, scopes=(ADA,))).hits
    other.close()

    assert traces() == []


def test_while_somebody_reads_the_log_an_erasure_is_not_finished_but_the_next_start_is(
    tmp_path: Path,
) -> None:
    store = str(tmp_path / "memory.db")
    with mnemic.open(store, embedder="hashing", busy_seconds=0.2) as memory:
        told(memory)
        reader: Any = apsw.Connection(store)
        reader.execute("begin")
        reader.execute("select count(*) from memory").fetchall()
        receipt = memory.erase("user", "ada")
        assert receipt.finished_at is None
        assert memory.profile(Scope("user", "ada")) is None
        reader.close()
    with mnemic.open(store, embedder="hashing") as memory:
        [finished] = memory.erasures()
        memory.remember(Draft("The door opens inwards"))

    assert finished.finished_at is not None
    assert traces_in(tmp_path) == []


def test_what_was_deleted_long_before_goes_with_the_next_erasure(
    open_it: OpenIt, traces: Callable[[], list[str]]
) -> None:
    with open_it(embedder="hashing") as memory:
        memory.chat.create_session("s1")
        for number in range(20):
            memory.chat.add_turn("s1", [Line("user", f"I moved to {MARKER} {number}")])
        memory.chat.delete_session("s1")
        number = learned(memory, "The valve leaks")
        memory.erase("memory", number)

    assert traces() == []
