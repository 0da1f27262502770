"""Promises about texts that take too long to read: the call or the job ends with an error that says
so, and what was to be kept is kept as it is, and found.
"""

from pathlib import Path

import pytest

from mnemic import Draft, StateError
from mnemic.errors import OutOfTimeError
from mnemic.opening import OpenMemory
from mnemic.records.conversation import Ingest, Line, Turn, branch_scope
from mnemic.records.item import ItemFilter, Paging
from mnemic.transfer.foreign import import_foreign
from tests.conftest import OpenIt
from tests.memory.rule_clocks import SlowRules

LESSON = "The gripper slips on wet tiles because of `grip_force`"


@pytest.fixture
def rules() -> SlowRules:
    return SlowRules()


@pytest.fixture
def memory(open_it: OpenIt, rules: SlowRules) -> OpenMemory:
    opened = open_it(rule_clock=rules, locale="en")
    opened.chat.create_session("p")
    return opened


def found(memory: OpenMemory, words: str) -> list[str]:
    items = memory.chat.items(ItemFilter(words=words), Paging()).rows
    return [one.content for one in items]


def tell(memory: OpenMemory, *texts: str, mode: str = "sync") -> tuple[Turn, Ingest]:
    lines = [Line("user", text) for text in texts]
    return memory.chat.add_turn("p", lines, mode="sync" if mode == "sync" else "async")


def test_a_lesson_is_kept_and_found(memory: OpenMemory, rules: SlowRules) -> None:
    rules.slow = True
    with pytest.raises(OutOfTimeError, match="call_seconds") as late:
        memory.remember(Draft(LESSON))
    rules.slow = False

    [hit] = memory.robot.recall("wet tiles")["memories"]
    kept = memory.get(hit["id"])
    assert late.value.details["memory_ids"] == [kept.id]
    assert (kept.content, kept.tags, kept.scope_files) == (LESSON, (), ())


def test_a_lesson_that_is_learned_twice_is_kept_once(memory: OpenMemory, rules: SlowRules) -> None:
    rules.slow = True
    for _ in range(2):
        with pytest.raises(OutOfTimeError):
            memory.robot.learn(LESSON)

    assert [one.content for one in memory.browse()] == [LESSON]


def test_likenesses_that_take_too_long_are_both_kept(memory: OpenMemory, rules: SlowRules) -> None:
    memory.robot.learn(LESSON)
    rules.slow = True
    with pytest.raises(OutOfTimeError):
        memory.robot.learn(f"{LESSON}, mostly")

    assert len(memory.browse()) == 2


def test_a_revision_is_kept(memory: OpenMemory, rules: SlowRules) -> None:
    number = memory.remember(Draft(LESSON)).memory.id
    rules.slow = True
    with pytest.raises(OutOfTimeError, match=f"Memory {number}"):
        memory.revise(number, "The gripper holds on dry tiles")
    assert memory.get(number).content == "The gripper holds on dry tiles"
    with pytest.raises(OutOfTimeError):
        memory.undo(number)
    assert memory.get(number).content == LESSON


def test_a_question_ends_with_an_error(memory: OpenMemory, rules: SlowRules) -> None:
    memory.robot.learn(LESSON)
    rules.slow = True
    with pytest.raises(OutOfTimeError):
        memory.robot.recall("wet tiles")


def test_a_message_is_kept_though_nothing_answers_it(memory: OpenMemory, rules: SlowRules) -> None:
    rules.slow = True
    answer = memory.assistant.call("memory_chat", {"message": "I keep bees in Lyon"})
    rules.slow = False

    assert answer["success"] is False
    assert "call_seconds" in str(answer)
    hits = memory.assistant.call("memory_search", {"query": "bees"})["data"]["results"]
    assert [hit["content"] for hit in hits] == ["I keep bees in Lyon"]


def test_an_order_that_ran_late_is_carried_out_and_no_memory(
    memory: OpenMemory, rules: SlowRules
) -> None:
    def told(words: str) -> list[str]:
        hits = memory.assistant.call("memory_search", {"query": words})["data"]["results"]
        return [hit["content"] for hit in hits]

    for said in ("I live in Lyon", "Where do I live?", "That is wrong: I live in Paris"):
        assert memory.assistant.call("memory_chat", {"message": said})["success"]
    assert told("live") == ["I live in Paris"]
    rules.slow = True
    answer = memory.assistant.call("memory_chat", {"message": "Bring it back"})
    rules.slow = False

    assert answer["error"]["code"] == "OUT_OF_TIME"
    assert (told("live"), told("bring it back")) == (["I live in Lyon"], [])


def test_a_question_without_an_answer_is_no_memory(memory: OpenMemory, rules: SlowRules) -> None:
    rules.slow = True
    answer = memory.assistant.call("memory_chat", {"message": "Where do I keep my bees?"})
    rules.slow = False

    assert answer["error"]["code"] == "OUT_OF_TIME"
    assert memory.assistant.call("memory_search", {"query": "bees"})["data"]["results"] == []


def test_a_run_ends_though_nothing_is_merged(memory: OpenMemory, rules: SlowRules) -> None:
    run = memory.robot.start_session()["session_id"]
    memory.robot.learn(LESSON, session_id=run)
    rules.slow = True
    with pytest.raises(OutOfTimeError, match="has ended"):
        memory.robot.end_session(run)

    with pytest.raises(StateError, match="already ended"):
        memory.robot.end_session(run)


def test_what_is_imported_is_kept(memory: OpenMemory, rules: SlowRules, tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_text('{"content": "Doors open inwards"}\n{"content": "Mind the step"}\n')
    rules.slow = True
    report = import_foreign(memory, path, "jsonl")

    assert (report.added, report.skipped) == (2, ())
    assert {one.content for one in memory.browse()} == {"Doors open inwards", "Mind the step"}


def test_a_turn_is_kept_and_its_beginning_found(memory: OpenMemory, rules: SlowRules) -> None:
    rules.slow = True
    floor, ingest = tell(memory, "My dog is called Rex", "那就" * 28)

    assert (ingest.status, "job_seconds" in str(ingest.error)) == ("dead_letter", True)
    assert memory.chat.turn("p", floor.id).lines[0].content == "My dog is called Rex"
    assert [text[:26] for text in found(memory, "Rex")] == ["user: My dog is called Rex"]


def test_a_job_without_time_is_not_tried_again_by_who_starts_anew(
    memory: OpenMemory, rules: SlowRules, open_it: OpenIt
) -> None:
    rules.slow = True
    tell(memory, "My dog is called Rex")
    memory.close()
    rules.slow = False
    again = open_it(rule_clock=rules)

    assert again.chat.take_job("worker") is None
    assert tell(again, "My cat is called Tom")[1].status == "succeeded"
    assert any("Tom" in text for text in found(again, "Tom"))


def test_a_dead_job_reads_the_turn_when_it_is_retried(memory: OpenMemory, rules: SlowRules) -> None:
    rules.slow = True
    _, ingest = tell(memory, "My dog is called Rex")
    assert ingest.job_id is not None
    rules.slow = False
    memory.chat.retry_job(ingest.job_id)
    held = memory.chat.take_job("worker")

    assert held is not None
    assert held.do() == "succeeded"
    facts = memory.chat.items(
        ItemFilter(scope_kind="branch", scope_name=branch_scope("p", "main").name, type="fact")
    )
    assert any("Rex" in one.content for one in facts.rows)


def test_a_turn_that_would_have_others_read_again_is_not_deleted(
    memory: OpenMemory, rules: SlowRules
) -> None:
    first, _ = tell(memory, "My dog is called Rex")
    tell(memory, "My dog is called Max")
    rules.slow = True
    with pytest.raises(OutOfTimeError):
        memory.chat.delete_turn("p", first.id)
    rules.slow = False

    assert memory.chat.turn("p", first.id).id == first.id
    memory.chat.delete_turn("p", first.id)
    assert memory.chat.turns("p").total == 1
