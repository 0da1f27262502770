"""What is closed lets go of the store, also where something goes wrong meanwhile."""

import resource
import signal
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

import mnemic
from tests.conftest import Clock


@contextmanager
def no_room() -> Generator[None]:
    """Let no file grow, as on a full disk."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)


def test_closing_on_a_full_disk_says_so_and_lets_go_of_the_store(
    tmp_path: Path, clock: Clock
) -> None:
    path = tmp_path / "memory.db"
    memory = mnemic.open(path, clock=clock, embedder="none")
    memory.robot.learn("The gripper slips on wet glass")
    memory.robot.recall("gripper")

    with no_room(), pytest.raises(mnemic.StorageError, match="disk"):
        memory.close()

    memory.close()  # nothing is left to do
    # Whoever holds a connection open could not be locked out.
    other = sqlite3.connect(path, timeout=0)
    other.execute("pragma locking_mode = exclusive")
    other.execute("begin exclusive")
    other.rollback()
    other.close()
    with mnemic.open(path, clock=clock, embedder="none") as again:
        assert again.robot.recall("gripper")["total"] == 1


def test_an_older_sqlite_finds_no_damage(tmp_path: Path, clock: Clock) -> None:
    path = tmp_path / "memory.db"
    with mnemic.open(path, clock=clock, embedder="none") as memory:
        first = memory.remember(mnemic.Draft("Door A is locked")).memory.id
        memory.robot.update(first, "Door A is open")
        memory.robot.forget(first, "wrong door")
        memory.undo(first)

    older = sqlite3.connect(path)
    assert older.execute("pragma integrity_check").fetchall() == [("ok",)]
    older.close()
