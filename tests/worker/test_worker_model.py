"""A worker with a language model that is slow, broken, shy or wrong."""

from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from threading import Event
from typing import Any

import pytest

from mnemic.opening import OpenMemory
from mnemic.providers.chat_models.chat_model import choose_chat_model
from mnemic.records.conversation import chat_scope
from mnemic.records.item import Item, ItemFilter
from mnemic.records.memory import Job
from mnemic.worker import Worker
from tests.conftest import Clock, OpenIt
from tests.providers.chat_server import Answering, ChatServer, after, failing, saying
from tests.providers.scripted_server import Pauses, Reply
from tests.worker.model_server import block, reading, with_facts
from tests.worker.scenes import SCOPE, SESSION, SWIPED, TOLD, jobs, lines, tell, work_off

CHAT = chat_scope(SESSION)


@pytest.fixture(autouse=True)
def nobody_sleeps(monkeypatch: pytest.MonkeyPatch) -> None:
    patient = partial(choose_chat_model, patience=Pauses().patience())
    monkeypatch.setattr("mnemic.opening.choose_chat_model", patient)


@pytest.fixture
def ended() -> Iterator[Event]:
    """Set at the end, so that no answer is waited for any longer."""
    event = Event()
    yield event
    event.set()


def answered(open_it: OpenIt, server: ChatServer, **settings: object) -> OpenMemory:
    return open_it(llm_url=server.base, llm_model="m", **settings)


def attempt(memory: OpenMemory, job_id: str, clock: Clock) -> Job:
    """Let a worker do what is due, then turn the clock to the next attempt."""
    Worker(memory).work_off()
    job = memory.chat.job(job_id)
    clock.now = max(clock.now, job.run_at)
    return job


def facts(memory: OpenMemory, **wanted: object) -> dict[str | None, str]:
    found = memory.chat.items(ItemFilter(type="fact", lifecycle="active", **wanted))  # pyright: ignore[reportArgumentType]
    return {one.fact_key: one.content for one in found.rows}


def micro(memory: OpenMemory) -> Item:
    [item] = memory.chat.items(ItemFilter(type="summary", tier="micro")).rows
    return item


def first_turn(memory: OpenMemory, clock: Clock) -> Job:
    tell(memory, clock, 1, waiting=1)
    [job] = jobs(memory)
    return job


def test_a_slow_model_is_asked_again_later(open_it: OpenIt, clock: Clock, ended: Event) -> None:
    with ChatServer(after(ended, saying("late")), reading) as server:
        memory = answered(open_it, server, llm_timeout=0.2)
        waiting = first_turn(memory, clock)
        slow = attempt(memory, waiting.id, clock)
        done = attempt(memory, waiting.id, clock)
        ended.set()

    assert (slow.status, slow.attempts) == ("retry_waiting", 1)
    assert slow.last_error is not None
    assert "did not answer within 0.2 s" in slow.last_error
    assert slow.run_at - slow.updated_at == timedelta(seconds=1)
    assert (done.status, done.attempts, done.last_error) == ("succeeded", 2, None)
    assert facts(memory)["city"] == "city: Oslo"


@pytest.mark.parametrize("status", [500, 503, 429, 401])
def test_a_model_that_fails_is_asked_again_after_growing_pauses_until_the_job_is_dead(
    status: int, open_it: OpenIt, clock: Clock
) -> None:
    with ChatServer(failing(status)) as server:
        memory = answered(open_it, server)
        tell(memory, clock, 2, waiting=2)
        first, second = jobs(memory, job_type="ingest_turn")
        tries = [attempt(memory, first.id, clock) for _ in range(5)]
        behind = memory.chat.job(second.id)

    pauses = [(one.run_at - one.updated_at).total_seconds() for one in tries[:4]]
    assert pauses == [1, 2, 4, 8]
    assert [one.status for one in tries] == ["retry_waiting"] * 4 + ["dead_letter"]
    assert [one.attempts for one in tries] == [1, 2, 3, 4, 5]
    assert all(str(status) in (one.last_error or "") for one in tries)
    # It waited its turn, and then it had it.
    assert behind.attempts == 1


def test_a_dead_job_blocks_nobody_and_can_be_tried_again_with_all_its_attempts(
    open_it: OpenIt, clock: Clock
) -> None:
    def choosy(body: dict[str, Any]) -> Reply:
        said = block(str(body["messages"][-1]["content"]), "turn")
        return failing(500, "no") if "Oslo" in said[0] and broken else reading(body)

    broken = True
    with ChatServer(choosy) as server:
        memory = answered(open_it, server)
        tell(memory, clock, 2, waiting=2)
        first, second = jobs(memory, job_type="ingest_turn")
        for _ in range(5):
            attempt(memory, first.id, clock)
        Worker(memory).work_off()
        dead, behind = memory.chat.job(first.id), memory.chat.job(second.id)
        broken = False
        memory.chat.retry_job(first.id)
        retried = memory.chat.job(first.id)
        work_off(memory)

    assert (dead.status, behind.status) == ("dead_letter", "succeeded")
    assert (retried.status, retried.attempts, retried.last_error) == ("retry_waiting", 0, None)
    done = memory.chat.job(first.id)
    assert (done.status, done.attempts) == ("succeeded", 1)
    assert facts(memory)["name"] == "name: Ann"


def test_a_cancelled_job_is_not_done(open_it: OpenIt, clock: Clock) -> None:
    memory = open_it()
    tell(memory, clock, 2, waiting=2)
    first, second = jobs(memory)

    memory.chat.cancel_job(first.id)
    work_off(memory)

    assert memory.chat.job(first.id).status == "cancelled"
    assert memory.chat.job(second.id).status == "succeeded"
    found = memory.chat.items(ItemFilter(source_floor_id=str(first.floor_id)))
    assert found.total == 0


@pytest.mark.parametrize(
    "reply",
    [
        saying('{"micro_summary": "It began well, but'),
        saying("I'm sorry, but I can't help with that."),
        saying(None, refusal="I will not read this."),
        saying("", finish="content_filter"),
        saying("[1, 2, 3]"),
    ],
    ids=["broken", "apology", "refusal", "filtered", "list"],
)
def test_an_answer_that_cannot_be_used_gives_what_the_rules_find_and_says_so(
    reply: Reply, open_it: OpenIt, clock: Clock
) -> None:
    with ChatServer(reply) as server:
        memory = answered(open_it, server)
        waiting = first_turn(memory, clock)
        job = attempt(memory, waiting.id, clock)

    assert (job.status, job.attempts) == ("succeeded", 1)
    assert "not used" in str(job.last_error)
    item = micro(memory)
    assert item.content == TOLD[0][1]
    assert item.extractor == "fallback"
    assert "not used" in str(item.note)
    assert facts(memory) == {"ann.home": "ann.home: Oslo", "ann.name": "ann.name: Ann"}


def test_ids_that_the_model_was_not_shown_are_left_out_and_the_rest_is_kept(
    open_it: OpenIt, clock: Clock
) -> None:
    memory = open_it()
    hidden = memory.chat.create_session("elsewhere")
    memory.chat.add_turn(hidden.id, lines(TOLD[0]), mode="sync")
    secret = memory.chat.items(ItemFilter(type="fact")).rows[0]
    strange: Answering = with_facts(
        facts_to_update=[{"id": secret.id, "value": "stolen"}, {"id": "made-up", "value": "x"}],
        facts_to_deprecate=[{"id": secret.id, "reason": "no reason"}],
        open_loops_to_resolve=[{"id": "nobody", "resolution": "done"}],
    )
    with ChatServer(strange) as server:
        asking = answered(open_it, server)
        tell(asking, clock, 1, waiting=1)
        work_off(asking)

    assert memory.chat.item(secret.id) == secret
    assert facts(asking, scope_kind=SCOPE.kind, scope_name=SCOPE.name) == {
        "city": "city: Oslo",
        "name": "name: Ann",
    }
    [told] = memory.chat.items(
        ItemFilter(type="summary", scope_kind=SCOPE.kind, scope_name=SCOPE.name)
    ).rows
    assert "not shown to the model" in str(told.note)


def test_a_fact_of_the_whole_chat_goes_with_its_swipe_and_the_one_before_comes_back(
    open_it: OpenIt, clock: Clock
) -> None:
    with ChatServer(reading) as server:
        memory = answered(open_it, server)
        floors = tell(memory, clock, 2, waiting=2)
        work_off(memory)
        first = facts(memory, scope_kind=CHAT.kind, scope_name=CHAT.name)
        floor, _ = memory.chat.add_turn(SESSION, lines(SWIPED))
        work_off(memory)
        newer = facts(memory, scope_kind=CHAT.kind, scope_name=CHAT.name)
        memory.chat.change_turn(SESSION, floor.id, lines=lines(("Never mind.", "All right.")))
        at_once = facts(memory, scope_kind=CHAT.kind, scope_name=CHAT.name)
        work_off(memory)
        in_the_end = facts(memory, scope_kind=CHAT.kind, scope_name=CHAT.name)
        memory.chat.change_turn(SESSION, floors[1], lines=lines(("Well.", "Well, well.")))
        work_off(memory)

    assert first == {"城市": "城市: 上海"}
    assert newer == {"城市": "城市: 成都"}
    assert at_once == in_the_end == first
    assert facts(memory, scope_kind=CHAT.kind, scope_name=CHAT.name) == {}


def test_a_fact_about_the_user_is_seen_from_every_session(open_it: OpenIt, clock: Clock) -> None:
    with ChatServer(reading) as server:
        memory = answered(open_it, server)
        floors = tell(memory, clock, 6, waiting=6)
        work_off(memory)
        told = facts(memory, scope_kind="global")
        memory.chat.delete_turn(SESSION, floors[5])
        work_off(memory)

    assert told == {"dog": "dog: Rex"}
    assert facts(memory, scope_kind="global") == {}
