"""Promises to the threads of one process that write to one file."""

from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from mnemic import BusyError, StateError
from mnemic.storage.sqlite.database import SqliteDatabase


@contextmanager
def opened(path: Path, *, busy_seconds: float) -> Generator[SqliteDatabase]:
    """Give a store that is closed again."""
    db = SqliteDatabase(path, busy_seconds=busy_seconds, durability="off")
    try:
        yield db
    finally:
        db.close()


@contextmanager
def written_by_another_thread(db: SqliteDatabase) -> Generator[None]:
    """Let another thread be writing until the block is left."""
    begun, enough = Event(), Event()

    def write() -> None:
        begun.set()
        enough.wait()

    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(db.write, write)
        begun.wait()
        try:
            yield
        finally:
            enough.set()
            writing.result()


def test_a_turn_that_does_not_come_in_time_is_an_error(tmp_path: Path) -> None:
    with opened(tmp_path / "memory.db", busy_seconds=0.01) as db:
        with written_by_another_thread(db), pytest.raises(BusyError, match="nothing was written"):
            db.write(lambda: None)

        assert db.write(lambda: "again") == "again"


def test_who_must_not_wait_does_not_wait_for_another_thread_either(tmp_path: Path) -> None:
    with opened(tmp_path / "memory.db", busy_seconds=600) as db:
        with written_by_another_thread(db), pytest.raises(BusyError):
            db.at_once(lambda: db.write(lambda: None))

        assert db.write(lambda: "patient") == "patient"


def test_a_store_can_be_closed_while_another_thread_reads(tmp_path: Path) -> None:
    begun, enough = Event(), Event()

    def slowly() -> int:
        begun.set()
        enough.wait()
        return 7

    def read() -> object:
        connection: Any = db._connection()  # pyright: ignore[reportPrivateUsage]  # to be slow in
        connection.create_scalar_function("slowly", slowly, 0)
        return connection.execute("select slowly()").fetchone()

    with opened(tmp_path / "memory.db", busy_seconds=0.01) as db, ThreadPoolExecutor(1) as pool:
        reading = pool.submit(read)
        begun.wait()
        try:
            db.close()
        finally:
            enough.set()

        assert reading.result() == (7,)
        with pytest.raises(StateError, match="closed"):
            pool.submit(read).result()


def test_an_error_gives_the_turn_back(tmp_path: Path) -> None:
    with opened(tmp_path / "memory.db", busy_seconds=0.01) as db:
        with pytest.raises(ZeroDivisionError):
            db.write(lambda: 1 / 0)

        assert db.write(lambda: "next") == "next"
