"""Killed at any point, a worker loses nothing and does nothing twice."""

import signal
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

import mnemic
from mnemic.chat.jobs.execute import LEASE
from tests.conftest import Clock, OpenIt
from tests.providers.chat_server import ChatServer
from tests.worker.dying import die_working
from tests.worker.model_server import reading
from tests.worker.scenes import SCENES, ids, jobs, state_of, work_off

POINTS = ("claimed", "beaten", "begun", "unkept", "kept")
ASKING = ("append", "swipe", "compaction", "rebuild")

Expected = Callable[[str, bool], dict[str, Any]]


@pytest.fixture(scope="module")
def model() -> Iterator[str]:
    """The address of a model that always answers the same."""
    with ChatServer(reading) as server:
        yield server.base


@pytest.fixture(scope="module")
def undisturbed(model: str) -> Expected:
    """What a scene comes to where nobody is killed."""

    @cache
    def state(scene: str, with_model: bool) -> dict[str, Any]:
        clock = Clock()
        settings = asked(model) if with_model else {}
        given: dict[str, Any] = {"embedder": "none", **settings}
        with mnemic.open(":memory:", clock=clock, new_id=ids(), **given) as memory:
            SCENES[scene](memory, clock)
            work_off(memory)
            return state_of(memory)

    return state


def asked(model: str) -> dict[str, str]:
    return {"llm_url": model, "llm_model": "m"}


def remembered(state: dict[str, Any]) -> list[Any]:
    return [state[part] for part in ("items", "journal", "edges", "tallies", "stats", "found")]


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("point", POINTS)
def test_a_job_of_a_killed_worker_is_done_once_by_the_next(
    scene: str, point: str, database: str, open_it: OpenIt, clock: Clock, undisturbed: Expected
) -> None:
    memory = open_it(new_id=ids())
    SCENES[scene](memory, clock)
    before = state_of(memory)

    assert die_working(database, clock(), point) == -signal.SIGKILL
    left = state_of(memory)
    clock.turn(seconds=LEASE.total_seconds() + 1)
    work_off(memory)

    if point != "kept":
        assert remembered(left) == remembered(before)
    assert state_of(memory) == undisturbed(scene, False)


@pytest.mark.parametrize("scene", ASKING)
@pytest.mark.parametrize("point", ["answered", "unkept"])
def test_a_job_whose_worker_is_killed_after_the_models_answer_is_done_once_by_the_next(
    scene: str,
    point: str,
    model: str,
    database: str,
    open_it: OpenIt,
    clock: Clock,
    undisturbed: Expected,
) -> None:
    memory = open_it(new_id=ids(), **asked(model))
    SCENES[scene](memory, clock)

    assert die_working(database, clock(), point, **asked(model)) == -signal.SIGKILL
    clock.turn(seconds=LEASE.total_seconds() + 1)
    work_off(memory)

    assert state_of(memory) == undisturbed(scene, True)


def test_a_compaction_whose_worker_is_killed_between_text_and_transaction_is_made_once(
    database: str, open_it: OpenIt, clock: Clock, undisturbed: Expected
) -> None:
    memory = open_it(new_id=ids())
    SCENES["compaction"](memory, clock)

    assert die_working(database, clock(), "summarised") == -signal.SIGKILL
    clock.turn(seconds=LEASE.total_seconds() + 1)
    work_off(memory)

    assert state_of(memory) == undisturbed("compaction", False)


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("statement", [4, 12])
def test_a_worker_that_is_killed_between_two_statements_leaves_nothing_half_done(
    scene: str,
    statement: int,
    database: str,
    open_it: OpenIt,
    clock: Clock,
    undisturbed: Expected,
) -> None:
    memory = open_it(new_id=ids())
    SCENES[scene](memory, clock)
    before = state_of(memory)

    assert die_working(database, clock(), f"statement:{statement}") == -signal.SIGKILL
    left = state_of(memory)
    clock.turn(seconds=LEASE.total_seconds() + 1)
    work_off(memory)

    assert remembered(left) == remembered(before)
    assert state_of(memory) == undisturbed(scene, False)


def test_a_job_that_kills_each_of_its_workers_is_dead_and_blocks_nobody(
    database: str, open_it: OpenIt, clock: Clock
) -> None:
    memory = open_it(new_id=ids())
    SCENES["append"](memory, clock)
    [waiting] = jobs(memory, status="pending")

    for _ in range(waiting.max_attempts):
        assert die_working(database, clock(), "begun") == -signal.SIGKILL
        clock.turn(seconds=LEASE.total_seconds() + 1)
    work_off(memory)

    dead = memory.chat.job(waiting.id)
    assert (dead.status, dead.attempts) == ("dead_letter", 5)
    assert dead.last_error is not None
    memory.chat.retry_job(waiting.id)
    work_off(memory)
    assert memory.chat.job(waiting.id).status == "succeeded"
