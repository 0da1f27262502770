"""Workers that wait are woken by what is added, on each backend."""

import multiprocessing
from concurrent.futures import ThreadPoolExecutor

import pytest

from mnemic.errors import StateError
from mnemic.storage.chat_rows import job_rows
from mnemic.storage.database import Database
from tests.conftest import NOON
from tests.storage.workers import KIND, KITCHEN, account, add, cancel, open_store

# Longer than any machine is slow: who is not woken in this time was not woken.
LONG = 60.0
# Long enough for what should not have come, and came.
SHORT = 0.3


def begin(waiting: Database) -> int:
    """Return the mark of a worker that has begun to wait, in a store in which a job was added."""
    add(account(waiting, "default"), "first")
    return waiting.wait(LONG)


def add_elsewhere(database: str) -> None:
    """Run in a process of its own."""
    elsewhere = open_store(database)
    add(account(elsewhere, "default"), "from elsewhere")
    elsewhere.close()


def test_a_waiting_worker_is_woken_by_an_add(store: Database, db: Database) -> None:
    mark = begin(store)

    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(store.wait, LONG, since=mark)
        add(db, "j")

        assert waiting.result(LONG) != mark


def test_a_waiting_worker_is_woken_from_another_process(database: str, store: Database) -> None:
    mark = begin(store)
    context = multiprocessing.get_context("spawn")
    other = context.Process(target=add_elsewhere, args=(database,))
    other.start()

    assert store.wait(LONG, since=mark) != mark

    other.join(LONG)
    assert other.exitcode == 0


def test_every_waiting_worker_is_woken(store: Database, db: Database) -> None:
    mark = begin(store)

    with ThreadPoolExecutor(3) as pool:
        waiting = [pool.submit(store.wait, LONG, since=mark) for _ in range(3)]
        add(db, "j")

        assert all(one.result(LONG) != mark for one in waiting)


def test_what_came_between_two_waits_ends_the_second_at_once(store: Database, db: Database) -> None:
    mark = begin(store)
    add(db, "j")

    assert store.wait(LONG, since=mark) != mark


def test_a_job_that_is_lined_up_again_wakes_too(store: Database, db: Database) -> None:
    mark = begin(store)
    cancel(db, "first")
    db.write(lambda: job_rows.retry(db, "first", now=NOON))

    assert store.wait(LONG, since=mark) != mark


def test_nobody_is_woken_by_what_was_rolled_back_or_there_already(
    store: Database, db: Database
) -> None:
    def add_and_break() -> None:
        job_rows.add(db, "j", scope=KITCHEN, kind=KIND, payload={}, now=NOON)
        raise RuntimeError

    mark = begin(store)
    with pytest.raises(RuntimeError):
        db.write(add_and_break)
    assert not add(db, "first")

    assert store.wait(SHORT, since=mark) == mark


def test_closing_wakes_who_waits(database: str) -> None:
    closing = open_store(database)
    mark = begin(closing)

    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(closing.wait, LONG, since=mark)
        closing.close()

        with pytest.raises(StateError, match="closed"):
            waiting.result(LONG)
    with pytest.raises(StateError, match="closed"):
        closing.wait(LONG)
    closing.close()
