"""Several workers share the work of one store: each job once, in order, scopes side by side."""

import logging
from collections.abc import Iterator
from threading import Barrier, Lock
from threading import enumerate as enumerate_threads
from typing import Any

import pytest

import mnemic
from mnemic.opening import OpenMemory
from mnemic.worker import Worker, WorkerThread
from tests.conftest import Clock, OpenIt
from tests.providers.chat_server import ChatServer, Reply
from tests.worker.dying import work_elsewhere
from tests.worker.gates import SECONDS, Gate, running, until, working_off
from tests.worker.model_server import reading
from tests.worker.scenes import SCENES, SCOPE, TOLD, ids, jobs, lines, state_of, tell, work_off

SESSIONS = ("one", "two", "三")


def enqueue(memory: OpenMemory, *, turns: int = 4) -> dict[str, list[str]]:
    """Add turns to several sessions by turns; return the jobs of each in their order."""
    for session in SESSIONS:
        memory.chat.create_session(session)
    lined_up: dict[str, list[str]] = {session: [] for session in SESSIONS}
    for told in TOLD[:turns]:
        for session in SESSIONS:
            _, ingest = memory.chat.add_turn(session, lines(told))
            lined_up[session].append(str(ingest.job_id))
    return lined_up


def all_done(memory: OpenMemory) -> bool:
    return all(job.finished_at is not None for job in jobs(memory))


def facts_of(memory: OpenMemory) -> list[Any]:
    state = state_of(memory)
    return [state[part] for part in ("items", "edges", "tallies", "journal")]


@pytest.fixture
def by_one_worker(clock: Clock) -> Iterator[list[Any]]:
    """What the same turns come to where one worker does all."""
    with mnemic.open(":memory:", clock=clock, new_id=ids(), embedder="none") as memory:
        enqueue(memory)
        work_off(memory)
        yield facts_of(memory)


def test_two_workers_of_a_program_do_each_job_once_and_in_the_order_of_its_scope(
    open_it: OpenIt, by_one_worker: list[Any], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "mnemic.worker")
    caplog.clear()
    memory = open_it(new_id=ids())
    lined_up = enqueue(memory)

    with WorkerThread(memory, workers=2):
        until(lambda: all_done(memory))

    ended = [record.getMessage().partition(" ")[0] for record in caplog.records]
    for in_order in lined_up.values():
        assert [job for job in ended if job in in_order] == in_order
    assert {job.attempts for job in jobs(memory)} == {1}
    assert facts_of(memory) == by_one_worker


def test_two_processes_do_each_job_once(
    open_it: OpenIt, database: str, clock: Clock, by_one_worker: list[Any]
) -> None:
    memory = open_it(new_id=ids())
    lined_up = enqueue(memory)

    processes = [work_elsewhere(database, clock()) for _ in range(2)]
    for process in processes:
        process.join(SECONDS)
    work_off(memory)

    assert [process.exitcode for process in processes] == [0, 0]
    done = {job.id: (job.status, job.attempts) for job in jobs(memory, job_type="ingest_turn")}
    assert done == {job: ("succeeded", 1) for of in lined_up.values() for job in of}
    assert facts_of(memory) == by_one_worker


def test_jobs_of_several_scopes_are_done_at_the_same_time(open_it: OpenIt) -> None:
    together = Barrier(len(SESSIONS))

    def answer(body: dict[str, Any]) -> Reply:
        # Nobody is answered before all of them have asked.
        together.wait(SECONDS)
        return reading(body)

    with ChatServer(answer) as server:
        memory = open_it(llm_url=server.base, llm_model="m")
        enqueue(memory, turns=1)
        with running(*(Worker(memory) for _ in SESSIONS)):
            until(lambda: all_done(memory))

    assert {job.status for job in jobs(memory)} == {"succeeded"}


def test_of_one_scope_no_two_jobs_are_done_at_the_same_time(open_it: OpenIt, clock: Clock) -> None:
    alone = Lock()

    def answer(body: dict[str, Any]) -> Reply:
        assert alone.acquire(blocking=False)
        try:
            return reading(body)
        finally:
            alone.release()

    with ChatServer(answer) as server:
        memory = open_it(llm_url=server.base, llm_model="m")
        tell(memory, clock, 4, waiting=4)
        with running(*(Worker(memory) for _ in range(3))):
            until(lambda: all_done(memory))

    assert {(job.status, job.attempts) for job in jobs(memory)} == {("succeeded", 1)}


def test_while_a_job_is_done_its_scope_tells_by_whom_and_a_rebuild_how_far_it_is(
    open_it: OpenIt, clock: Clock
) -> None:
    gate = Gate("favourite tea")
    with ChatServer(gate) as server:
        open_memory = open_it(llm_url=server.base, llm_model="m")
        gate.opened.set()
        SCENES["rebuild"](open_memory, clock)
        gate.opened.clear()
        gate.asked.clear()
        worker = Worker(open_memory)
        with working_off(worker):
            assert gate.asked.wait(SECONDS)
            [state] = open_memory.chat.scope_states(
                scope_kind=SCOPE.kind, scope_name=SCOPE.name
            ).rows
            [job] = jobs(open_memory, status="running")
            gate.opened.set()

    assert (state.lease_owner, job.worker) == (worker.name, worker.name)
    assert state.lease_until == job.lease_until is not None
    # Three of seven turns were read, and the writing counts as one more.
    assert job.progress == pytest.approx(3 / 8)
    [after] = open_memory.chat.scope_states(scope_kind=SCOPE.kind, scope_name=SCOPE.name).rows
    assert after.lease_owner is None


def test_a_worker_whose_lease_ran_out_keeps_nothing_of_its_work(
    open_it: OpenIt, clock: Clock
) -> None:
    gate = Gate()
    with ChatServer(gate) as server:
        memory = open_it(new_id=ids(), llm_url=server.base, llm_model="m")
        tell(memory, clock, 1, waiting=1)
        [waiting] = jobs(memory)
        with working_off(Worker(memory)):
            assert gate.asked.wait(SECONDS)
            clock.turn(seconds=121)
            work_off(memory)
            done = state_of(memory)
            gate.opened.set()

    job = memory.chat.job(waiting.id)
    assert (job.status, job.attempts, job.last_error) == ("succeeded", 2, None)
    assert state_of(memory) == done


def test_a_long_job_keeps_its_lease_by_signs_of_life(open_it: OpenIt, clock: Clock) -> None:
    gate = Gate()
    with ChatServer(gate) as server:
        memory = open_it(llm_url=server.base, llm_model="m")
        tell(memory, clock, 1, waiting=1)
        [waiting] = jobs(memory)

        def lease() -> Any:
            return memory.chat.job(waiting.id).lease_until

        with working_off(Worker(memory, heartbeat_seconds=0.01)):
            assert gate.asked.wait(SECONDS)
            for _ in range(3):
                before = lease()
                clock.turn(seconds=100)
                until(lambda: lease() > before)  # noqa: B023 - called at once
            taken = memory.chat.take_job("another")
            gate.opened.set()

    assert taken is None
    job = memory.chat.job(waiting.id)
    assert (job.status, job.attempts) == ("succeeded", 1)


def test_a_job_that_does_not_end_in_time_is_given_back_and_another_worker_goes_on_at_once(
    open_it: OpenIt, clock: Clock
) -> None:
    gate = Gate()
    with ChatServer(gate) as server:
        memory = open_it(new_id=ids(), llm_url=server.base, llm_model="m")
        tell(memory, clock, 1, waiting=1)
        [waiting] = jobs(memory)
        with WorkerThread(memory, grace=0.01):
            assert gate.asked.wait(SECONDS)
        given_back = memory.chat.job(waiting.id)
        work_off(memory)
        done = state_of(memory)
        gate.opened.set()
        until(lambda: not any(one.name.startswith("mnemic-work-") for one in enumerate_threads()))

    assert (given_back.status, given_back.attempts, given_back.worker) == ("pending", 0, None)
    assert memory.chat.job(waiting.id).attempts == 1
    assert memory.chat.job(waiting.id).status == "succeeded"
    assert state_of(memory) == done


def test_at_the_end_a_job_that_is_being_done_may_be_finished(open_it: OpenIt, clock: Clock) -> None:
    gate = Gate()
    with ChatServer(gate) as server:
        memory = open_it(llm_url=server.base, llm_model="m")
        tell(memory, clock, 2, waiting=2)
        first, second = jobs(memory)
        with WorkerThread(memory, grace=SECONDS) as thread:
            assert gate.asked.wait(SECONDS)
            gate.opened.set()
            thread.stop()

    assert memory.chat.job(first.id).status == "succeeded"
    assert memory.chat.job(second.id).status in ("pending", "succeeded")


def test_only_who_holds_a_job_can_give_it_back_and_it_costs_no_attempt(
    memory: OpenMemory, clock: Clock
) -> None:
    tell(memory, clock, 1, waiting=1)
    [waiting] = jobs(memory)
    slow = memory.chat.take_job("slow")
    clock.turn(seconds=121)
    quick = memory.chat.take_job("quick")
    assert slow is not None
    assert quick is not None

    assert not slow.release()
    assert memory.chat.job(waiting.id).worker == "quick"
    assert quick.release()
    assert not quick.release()

    job = memory.chat.job(waiting.id)
    assert (job.status, job.attempts, job.lease_until) == ("retry_waiting", 1, None)
    again = memory.chat.take_job("next")
    assert again is not None
    assert (again.job.id, again.job.attempts) == (waiting.id, 2)
