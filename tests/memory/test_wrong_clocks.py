"""A clock that is wrong by months hides no memory and delays no work, on each backend."""

import pytest

from mnemic.engine.chat_verbs import ChatMemory
from mnemic.opening import OpenMemory
from mnemic.records.conversation import Line, branch_scope
from mnemic.records.memory import Scope
from mnemic.storage.chat_rows import job_rows as queue
from mnemic.worker import Worker
from tests.chat.chatting import items_in, texts_in
from tests.conftest import Clock, OpenIt
from tests.dialects.calling import add, done, search

WRONG = pytest.mark.parametrize("days", [-400, -100, 100, 400])
BEHIND = pytest.mark.parametrize("days", [100, 400])
BRANCH = branch_scope("s", "main")
PROMISE = "I promise to call my mother on Sunday. I live in Oslo."


def end_a_session(memory: OpenMemory) -> int:
    session = memory.robot.start_session()["session_id"]
    return memory.robot.end_session(session)["decayed_count"]


def found(memory: OpenMemory, query: str) -> list[str]:
    return [one["content"] for one in memory.robot.recall(query)["memories"]]


@BEHIND
def test_what_is_learned_while_the_clock_is_behind_is_found_at_once_and_later(
    memory: OpenMemory, clock: Clock, days: int
) -> None:
    memory.robot.learn("the kettle is blue")
    clock.turn(days=2)
    end_a_session(memory)

    clock.turn(days=-days)
    memory.robot.learn("the gripper slips on wet cups")
    at_once = found(memory, "gripper")
    end_a_session(memory)
    after_a_session = found(memory, "gripper")
    clock.turn(days=days)
    right_again = found(memory, "gripper")
    clock.turn(days=1)
    end_a_session(memory)

    assert at_once == after_a_session == right_again == ["the gripper slips on wet cups"]
    assert found(memory, "gripper") == right_again
    assert memory.robot.get(2)["confidence"] == 0.8


@BEHIND
def test_a_recall_while_the_clock_is_behind_ages_nothing_twice(
    memory: OpenMemory, clock: Clock, days: int
) -> None:
    memory.robot.learn("the cup is red")
    clock.turn(days=30)
    end_a_session(memory)
    clock.turn(days=-days)

    for _ in range(5):
        memory.robot.recall("cup")
        assert memory.robot.get(1)["confidence"] == 0.5918
    clock.turn(days=days)

    assert found(memory, "cup") == ["the cup is red"]
    assert memory.robot.get(1)["confidence"] == 0.5918


@BEHIND
def test_a_text_that_is_changed_while_the_clock_is_behind_is_fresh(
    memory: OpenMemory, clock: Clock, days: int
) -> None:
    memory.robot.learn("the cup is red")
    clock.turn(days=2)
    end_a_session(memory)
    clock.turn(days=-days)

    memory.robot.update(1, "the cup is green")

    assert found(memory, "cup") == ["the cup is green"]
    assert memory.robot.get(1)["confidence"] == 0.8


@BEHIND
def test_a_session_that_ends_while_the_clock_is_ahead_takes_no_confidence_for_good(
    memory: OpenMemory, clock: Clock, days: int
) -> None:
    memory.robot.learn("the cup is red")
    clock.turn(days=days)
    end_a_session(memory)
    clock.turn(days=-days)
    memory.robot.learn("the kettle is blue")

    assert found(memory, "kettle") == ["the kettle is blue"]
    clock.turn(hours=1)
    assert end_a_session(memory) == 0
    assert found(memory, "cup") == ["the cup is red"]
    assert [memory.robot.get(number)["confidence"] for number in (1, 2)] == [0.8, 0.8]


@BEHIND
def test_a_new_store_finds_what_a_session_learned_before_its_clock_was_set_right(
    memory: OpenMemory, clock: Clock, days: int
) -> None:
    clock.turn(days=-days)
    session = memory.robot.start_session()["session_id"]
    memory.robot.learn("the gripper slips on wet cups", session_id=session)
    memory.robot.learn("the kettle is blue")
    assert found(memory, "gripper") == ["the gripper slips on wet cups"]
    clock.turn(days=days)

    assert found(memory, "kettle") == ["the kettle is blue"]
    assert memory.robot.end_session(session)["decayed_count"] == 0
    assert found(memory, "gripper") == ["the gripper slips on wet cups"]
    assert found(memory, "kettle") == ["the kettle is blue"]


@BEHIND
def test_a_session_under_a_corrected_clock_keeps_nothing_older_from_ageing(
    memory: OpenMemory, clock: Clock, days: int
) -> None:
    memory.robot.learn("the cup is red")
    clock.turn(days=29)
    end_a_session(memory)
    clock.turn(days=1 - days)
    session = memory.robot.start_session()["session_id"]
    memory.robot.learn("the kettle is blue", session_id=session)
    clock.turn(days=days)

    memory.robot.end_session(session)

    assert [memory.robot.get(number)["confidence"] for number in (1, 2)] == [0.5918, 0.8]


@WRONG
def test_a_session_may_begin_and_end_on_either_side_of_a_turned_clock(
    memory: OpenMemory, clock: Clock, days: int
) -> None:
    session = memory.robot.start_session()["session_id"]
    memory.robot.learn("the cup is red", session_id=session)
    clock.turn(days=days)

    assert memory.robot.end_session(session)["status"] == "ended"
    clock.turn(days=-days)
    assert [one["content"] for one in memory.robot.list()] == ["the cup is red"]


@WRONG
def test_an_assistant_finds_lists_and_tells_what_was_done_under_a_wrong_clock(
    memory: OpenMemory, clock: Clock, days: int
) -> None:
    for number in range(25):
        clock.turn(minutes=1)
        add(memory, f"Note number {number} about tea")
    clock.turn(days=days)

    for text in ("My sister lives in Bergen", "My brother lives in Turku"):
        add(memory, text)
        name = text.split()[1]
        assert search(memory, f"Where does my {name} live?")[0] == text
        profile = done(memory, "memory_get_profile")["profile"]
        assert [one["action"] for one in profile["recent_activity"][:2]] == ["search", "add"]
        clock.turn(days=-days)


@WRONG
def test_a_chat_turn_under_a_wrong_clock_is_read_and_remembered(
    memory: OpenMemory, clock: Clock, days: int
) -> None:
    chat = memory.chat
    chat.create_session("s")
    clock.turn(days=days)
    chat.add_turn("s", [Line("user", PROMISE)])
    clock.turn(days=-days)

    assert Worker(memory).work_off() >= 1
    assert items_in(chat, BRANCH, type="open_loop", status="active")
    assert "user.home: Oslo" in texts_in(chat, BRANCH, type="fact", status="active")
    chat.add_turn("s", [Line("user", "My cat is called Miso.")], mode="sync")
    assert len(items_in(chat, BRANCH, tier="micro")) == 2


@WRONG
def test_what_is_deleted_by_hand_under_a_wrong_clock_stays_deleted(
    memory: OpenMemory, clock: Clock, days: int
) -> None:
    chat = memory.chat
    chat.create_session("s")
    clock.turn(days=days)
    chat.add_turn("s", [Line("user", PROMISE)], mode="sync")
    clock.turn(days=-days)
    [home] = [one for one in items_in(chat, BRANCH, type="fact") if "Oslo" in one.content]
    chat.delete_item(home.id)

    chat.rebuild(BRANCH)
    Worker(memory).work_off()

    assert all("Oslo" not in text for text in texts_in(chat, BRANCH, type="fact"))
    assert items_in(chat, BRANCH, type="open_loop")


@BEHIND
def test_a_job_that_was_made_while_the_clock_was_ahead_is_taken(
    memory: OpenMemory, clock: Clock, days: int
) -> None:
    chat = memory.chat
    chat.create_session("s")
    clock.turn(days=days)
    chat.add_turn("s", [Line("user", PROMISE)])
    chat.add_turn("s", [Line("user", "My cat is called Miso.")])
    clock.turn(days=-days)

    assert Worker(memory).work_off() == 2
    assert len(items_in(chat, BRANCH, tier="micro")) == 2


@BEHIND
def test_a_job_whose_worker_was_lost_while_the_clock_was_ahead_is_taken_again(
    memory: OpenMemory, clock: Clock, days: int
) -> None:
    chat = memory.chat
    chat.create_session("s")
    clock.turn(days=days)
    chat.add_turn("s", [Line("user", PROMISE)])
    assert chat.take_job("lost") is not None
    clock.turn(days=-days)

    again = chat.take_job("other")

    assert again is not None
    assert again.do() == "succeeded"


@BEHIND
def test_a_worker_goes_on_with_its_rounds_when_the_clock_is_set_back(
    open_it: OpenIt, clock: Clock, days: int
) -> None:
    memory = open_it(embedder="hashing")
    worker = Worker(memory)
    clock.turn(days=days)
    worker.work_off()
    clock.turn(days=-days)
    other = open_it(account="other")
    loop_of(other.chat, clock)

    clock.turn(days=8)
    worker.work_off()

    assert [one.status for one in items_in(other.chat, BRANCH, type="open_loop")] == ["deprecated"]


def loop_of(chat: ChatMemory, clock: Clock) -> None:
    chat.create_session("s")
    chat.add_turn("s", [Line("user", "I promise to call my mother on Sunday.")], mode="sync")
    clock.turn(seconds=1)


def test_two_workers_whose_clocks_differ_by_a_minute_leave_each_others_jobs_alone(
    memory: OpenMemory, clock: Clock
) -> None:
    chat = memory.chat
    chat.create_session("s")
    clock.turn(seconds=60)
    chat.add_turn("s", [Line("user", PROMISE)])
    assert chat.take_job("ahead") is not None
    clock.turn(seconds=-60)

    assert chat.take_job("behind") is None


def test_a_pause_before_the_next_attempt_is_waited_for(memory: OpenMemory, clock: Clock) -> None:
    chat = memory.chat
    chat.create_session("s")
    chat.add_turn("s", [Line("user", PROMISE)])
    held = chat.take_job("w")
    assert held is not None
    db, claim = held.workspace.db, held.claim
    db.write(lambda: queue.fail(db, claim, error="no answer", now=clock()))

    assert chat.take_job("w") is None
    clock.turn(seconds=1)
    assert chat.take_job("w") is not None


def test_a_scope_has_a_decay_clock_of_its_own(memory: OpenMemory, clock: Clock) -> None:
    memory.robot.learn("the cup is red", collection="kitchen")
    clock.turn(days=2)
    end_a_session(memory)
    clock.turn(days=-400)
    memory.robot.learn("the pan is hot", collection="kitchen")

    assert memory.count(Scope("collection", "kitchen")) == 2
    assert memory.robot.recall("pan", collection="kitchen")["total"] == 1
