"""One store, many users: threads and processes at once."""

import multiprocessing
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

import mnemic
from mnemic import BusyError
from mnemic.opening import OpenMemory
from mnemic.storage.sqlite.connection import connect
from tests.conftest import OpenIt

WORKERS = 8
LESSONS = 25


def learn_and_recall(database: str, worker: int) -> int:
    """Run in a process of its own: learn, and find each lesson at once."""
    found = 0
    with mnemic.open(database, embedder="hashing", durability="off") as memory:
        for number in range(LESSONS):
            memory.robot.learn(f"worker{worker} noted thing{worker}x{number}")
            found += memory.robot.recall(f"thing{worker}x{number}", n=1)["total"]
    return found


def test_eight_processes_at_once_lose_nothing(database: str) -> None:
    context = multiprocessing.get_context("spawn")
    with context.Pool(WORKERS) as pool:
        found = pool.starmap(learn_and_recall, [(database, worker) for worker in range(WORKERS)])

    assert found == [LESSONS] * WORKERS
    with mnemic.open(database, embedder="none") as memory:
        assert memory.count() == WORKERS * LESSONS
        for worker in range(WORKERS):
            hits = memory.robot.recall(f"worker{worker}", n=100)["memories"]
            assert len(hits) == LESSONS


def test_threads_share_one_memory(memory: OpenMemory) -> None:
    def learn(number: int) -> int:
        memory.robot.learn(f"thread noted thing{number}")
        return memory.robot.recall(f"thing{number}", n=1)["total"]

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(learn, range(100)))

    assert sum(found) == 100
    assert memory.count() == 100


def test_what_another_process_wrote_is_found_by_the_next_recall(open_it: OpenIt) -> None:
    ours, theirs = open_it(), open_it()
    assert ours.robot.recall("cup")["total"] == 0

    theirs.robot.learn("the cup is red")
    assert ours.robot.recall("cup")["total"] == 1

    theirs.robot.update(1, "the door is open")
    assert ours.robot.recall("cup")["total"] == 0
    assert ours.robot.recall("door")["total"] == 1

    theirs.robot.forget(1, "closed now")
    assert ours.robot.recall("door")["total"] == 0


def hold(database: str) -> Callable[[], None]:
    """Keep everybody else from writing, until the answer is called."""
    if database.startswith("postgresql:"):
        holder = psycopg.connect(database)
        holder.execute("select set_config('mnemic.account', '1', true)")
        holder.execute("select id from scope for update")
        return holder.close
    blocker = connect(Path(database), key=None, busy_seconds=1, durability="off")
    blocker.execute("begin immediate")
    return blocker.close


def test_a_write_that_cannot_get_the_lock_fails_loudly_and_changes_nothing(
    open_it: OpenIt, database: str
) -> None:
    memory = open_it(busy_seconds=0.01)
    memory.robot.learn("the cup is red")
    let_go = hold(database)

    for write in (
        lambda: memory.robot.forget(1, "wrong"),
        lambda: memory.robot.update(1, "the cup is blue"),
        lambda: memory.robot.learn("another lesson"),
    ):
        with pytest.raises(BusyError, match="nothing was written"):
            write()
    assert memory.robot.recall("cup")["total"] == 1

    let_go()
    assert memory.robot.forget(1, "wrong")["status"] == "forgotten"


def test_a_closed_memory_says_so(memory: OpenMemory) -> None:
    memory.close()
    memory.close()

    with pytest.raises(mnemic.StateError, match="closed"):
        memory.robot.recall("cup")
