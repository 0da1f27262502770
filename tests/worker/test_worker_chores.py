"""What a worker does besides jobs: vectors, maintenance, old jobs, and waiting for its store."""

import logging
from datetime import timedelta
from pathlib import Path
from threading import Event
from typing import Any, cast

import apsw
import pytest

import mnemic
from mnemic.opening import OpenMemory
from mnemic.records.conversation import Line
from mnemic.records.item import ItemFilter, NewItem
from mnemic.records.memory import Draft, Scope
from mnemic.records.query import Query
from mnemic.worker import Chores, Worker, WorkerThread
from tests.conftest import Clock, OpenIt
from tests.worker.gates import running, until
from tests.worker.scenes import SCOPE, jobs, statuses, tell, work_off

KITCHEN = Scope("global", "kitchen")


class Patience(Event):
    """An event that notes for how long it is waited for, and is set after so many times."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.pauses: list[float] = []
        self._most = most

    def wait(self, timeout: float | None = None) -> bool:
        self.pauses.append(timeout or 0.0)
        if len(self.pauses) >= self._most:
            self.set()
        return self.is_set()


def write_items(memory: OpenMemory, count: int, first: int = 0) -> None:
    for number in range(first, first + count):
        content = f"第{number}把勺子 spoon number {number}"
        memory.chat.create_item(NewItem(scope=KITCHEN, type="fact", content=content))


def account_of(memory: OpenMemory) -> int:
    account = memory.upkeep.own_account()
    assert account is not None
    return account


def without_vectors(memory: OpenMemory) -> int:
    """Tell how many memories have no vector, by giving them one."""
    return memory.embed_missing()


def test_what_was_written_without_a_vector_gets_one_while_no_job_is_due(open_it: OpenIt) -> None:
    memory = open_it(embedder="hashing")
    write_items(memory, 40)
    memory.remember(Draft("A robot's lesson has its vector already"))

    work_off(memory)

    assert without_vectors(memory) == 0


def test_a_running_worker_gives_vectors_to_what_its_jobs_and_others_write(
    open_it: OpenIt, clock: Clock
) -> None:
    memory = open_it(embedder="hashing")
    with WorkerThread(memory):
        tell(memory, clock, 2, waiting=2)
        until(lambda: len(statuses(memory, "succeeded")) >= 2)
        write_items(memory, 3)
        until(lambda: found_by_meaning(memory) == 3)


def found_by_meaning(memory: OpenMemory) -> int:
    """Tell how many items of the kitchen are found by their vectors."""
    hits = memory.recall(Query(text="spoon", scopes=(KITCHEN,), limit=5)).hits
    return sum(hit.vector_rank is not None for hit in hits)


def test_vectors_are_made_a_few_at_a_time_so_that_a_job_need_not_wait(open_it: OpenIt) -> None:
    memory = open_it(embedder="hashing")
    write_items(memory, 70)

    portions: list[int] = []
    after, last = 0, False
    while not last:
        portion = memory.upkeep.embed(account_of(memory), after=after, limit=32, wait=True)
        assert portion is not None
        portions.append(portion.done)
        after, last = portion.after, portion.is_last

    assert portions == [32, 32, 6]
    again = memory.upkeep.embed(account_of(memory), after=after, limit=32, wait=True)
    assert again is not None
    assert (again.done, again.after, again.is_last) == (0, after, True)


def test_what_has_its_vectors_is_not_looked_at_again(open_it: OpenIt) -> None:
    memory = open_it(embedder="hashing")
    memory.remember_many([Draft(f"Lesson {number} 有向量") for number in range(5)])
    first = memory.upkeep.embed(account_of(memory), after=0, limit=32, wait=True)
    write_items(memory, 1)
    assert first is not None
    second = memory.upkeep.embed(account_of(memory), after=first.after, limit=32, wait=True)

    assert (first.done, first.is_last) == (0, True)
    assert first.after > 0
    assert second is not None
    assert second.done == 1
    assert second.after > first.after


def test_without_an_embedder_no_vectors_are_made_and_nothing_hangs(memory: OpenMemory) -> None:
    write_items(memory, 2)

    assert not Worker(memory).work_off()
    assert memory.upkeep.embed(account_of(memory), after=0, limit=32, wait=True) is None


def test_a_scope_with_something_old_is_maintained_once_a_day_and_others_are_left_alone(
    open_it: OpenIt, clock: Clock
) -> None:
    memory = open_it(purge_days=1)
    tell(memory, clock, 3)
    worker = Worker(memory)
    lined_up: list[int] = []

    for days in (0, 8, 0, 0, 1):
        clock.turn(days=days, hours=2)
        worker.work_off()
        lined_up.append(len(jobs(memory, job_type="maintenance")))

    # A loop nobody mentioned for a week; a day later what it left is deleted.
    assert lined_up == [0, 1, 1, 1, 2]
    assert {job.scope for job in jobs(memory, job_type="maintenance")} == {SCOPE}
    assert {job.status for job in jobs(memory)} == {"succeeded"}


def test_what_grew_old_goes_out_of_use_without_being_asked_for(
    open_it: OpenIt, clock: Clock
) -> None:
    memory = open_it()
    tell(memory, clock, 3)
    worker = Worker(memory)
    loops = ItemFilter(type="open_loop", lifecycle="active", scope_name=SCOPE.name)
    worker.work_off()
    before = memory.chat.items(loops).total

    clock.turn(days=8)
    worker.work_off()

    assert before > 0
    assert memory.chat.items(loops).total == 0


def test_jobs_that_were_over_for_longer_than_they_are_kept_are_forgotten_in_every_account(
    open_it: OpenIt, clock: Clock
) -> None:
    memory, other = open_it(job_days=30), open_it(account="other")
    for one in (memory, other):
        one.chat.create_session("s")
        one.chat.add_turn("s", [Line("user", "Hello.")])
    worker = Worker(memory)
    worker.work_off()
    done = [statuses(one, "succeeded") for one in (memory, other)]

    clock.turn(days=29)
    worker.work_off()
    kept = [set(statuses(one, "succeeded")) for one in (memory, other)]
    clock.turn(days=2)
    worker.work_off()

    for one, of, still in zip((memory, other), done, kept, strict=True):
        assert of
        assert set(of) <= still
        assert not set(of) & {job.id for job in jobs(one)}
        assert all(job.created_at > clock() - timedelta(days=30) for job in jobs(one))


def test_a_worker_of_one_account_does_the_jobs_of_all(open_it: OpenIt) -> None:
    memory, other = open_it(), open_it(account="other")
    other.chat.create_session("s")
    other.chat.add_turn("s", [Line("user", "My name is Ann.")])

    Worker(memory).work_off()

    assert statuses(other, "pending") == []
    assert other.chat.items(ItemFilter(type="summary")).total == 1
    assert memory.chat.items(ItemFilter()).total == 0


def test_a_store_that_is_closed_is_told_and_waited_for_longer_and_longer(
    memory: OpenMemory, caplog: pytest.LogCaptureFixture
) -> None:
    patience = Patience(7)
    worker = Worker(memory, stopping=patience)
    memory.close()

    with caplog.at_level(logging.WARNING, "mnemic.worker"):
        worker.run()

    assert patience.pauses == [1, 2, 4, 8, 16, 30, 30]
    assert "closed" in caplog.text


def test_a_worker_goes_on_once_its_store_is_there_again(tmp_path: Path, clock: Clock) -> None:
    path = str(tmp_path / "memory.db")
    given: dict[str, Any] = {"embedder": "none", "durability": "off"}
    with mnemic.open(path, clock=clock, busy_seconds=0.01, **given) as memory:
        tell(memory, clock, 1, waiting=1)
        blocking = cast("Any", apsw.Connection(path))
        blocking.execute("begin immediate")

        class Return(Patience):
            def wait(self, timeout: float | None = None) -> bool:
                if blocking.in_transaction:
                    blocking.execute("rollback")
                return super().wait(timeout)

        patience = Return(most=1_000)
        worker = Worker(memory, stopping=patience)
        with running(worker):
            until(lambda: bool(statuses(memory, "succeeded")))
        blocking.close()

    assert patience.pauses[0] == 1


def test_of_the_workers_of_a_process_one_at_a_time_does_the_chores(open_it: OpenIt) -> None:
    memory = open_it(embedder="hashing")
    write_items(memory, 5)
    chores = Chores(memory)
    crew = [Worker(memory, chores=chores) for _ in range(3)]

    done = [worker.work_off() for worker in crew]

    assert done == [0, 0, 0]
    assert without_vectors(memory) == 0
