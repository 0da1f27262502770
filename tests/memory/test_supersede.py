"""A newer memory ends what an older one said: an event that is seen, explained and taken back."""

from datetime import timedelta
from typing import Any

import pytest

from mnemic.dialects.robot.tools import RobotTools
from mnemic.errors import NotFoundError, StateError
from mnemic.opening import OpenMemory
from mnemic.records.memory import Draft, Memory, Scope
from tests.conftest import NOON, OpenIt

ADA = Scope("user", "ada")


def tell(memory: OpenMemory, text: str, scope: Scope = ADA, days: float = 0) -> Memory:
    when = NOON + timedelta(days=days)
    draft = Draft(text, scope, dedup="exact", occurred_at=when)
    return memory.remember(draft).memory


def test_what_a_newer_memory_ends_is_kept_dated_and_named(memory: OpenMemory) -> None:
    old = tell(memory, "The lamp stands on shelf three")
    new = tell(memory, "The lamp stands on shelf nine", days=2)

    [ended] = memory.supersede(new.id, [old.id], reason="another shelf")

    assert (ended.id, ended.status) == (old.id, "active")
    assert ended.valid_until == new.occurred_at
    assert ended.superseded_by == new.id
    assert memory.get(old.id) == ended
    event = memory.history(old.id)[-1]
    assert event.verb == "superseded"
    assert event.after == {
        "valid_until": new.occurred_at.isoformat(),
        "superseded_by": new.id,
        "reason": "another shelf",
    }
    assert links(memory, new.id) == [("supersedes", old.id)]


def test_undo_makes_what_was_ended_current_again(memory: OpenMemory) -> None:
    old, new = tell(memory, "The key is red"), tell(memory, "The key is blue")
    memory.supersede(new.id, [old.id])

    again = memory.undo(old.id)

    assert (again.valid_until, again.superseded_by) == (None, None)
    assert links(memory, new.id) == []
    with pytest.raises(StateError, match="no change"):
        memory.undo(old.id)
    assert [one.id for one in memory.supersede(new.id, [old.id])] == [old.id]


def test_undo_takes_back_one_change_at_a_time(memory: OpenMemory) -> None:
    old, new = tell(memory, "The key is red"), tell(memory, "The key is blue")
    memory.supersede(new.id, [old.id])
    memory.revise(old.id, "The key was red")

    assert memory.undo(old.id).content == "The key is red"
    assert memory.get(old.id).superseded_by == new.id
    assert memory.undo(old.id).superseded_by is None


def test_whoever_guesses_does_no_harm(memory: OpenMemory) -> None:
    other = Scope("user", "bo")
    new = tell(memory, "The key is blue")
    later = tell(memory, "The key is green", days=1)
    foreign = tell(memory, "The key is red", other)
    gone = tell(memory, "The key is white")
    memory.forget(gone.id, reason="wrong")

    assert memory.supersede(new.id, [new.id, later.id, foreign.id, gone.id, 10_000]) == []
    with pytest.raises(NotFoundError):
        memory.supersede(10_000, [new.id])
    old = tell(memory, "The key is black")
    assert len(memory.supersede(new.id, [old.id, old.id])) == 1
    assert memory.supersede(later.id, [old.id]) == []
    # Neither can end the other in turn.
    assert memory.supersede(old.id, [new.id]) == []


def test_history_does_not_go_with_what_came_after_it(memory: OpenMemory) -> None:
    old, new = tell(memory, "The key is red"), tell(memory, "The key is blue")
    newest = tell(memory, "The key is green")
    memory.supersede(new.id, [old.id])
    memory.supersede(newest.id, [new.id])

    assert memory.erase("memory", new.id).counts["memories"] == 1
    assert memory.get(old.id).superseded_by is None
    assert memory.get(newest.id).content == "The key is green"


def test_another_value_of_the_same_ends_the_older_one(memory: OpenMemory) -> None:
    old = memory.remember(Draft("I live in Leeds.", ADA)).memory
    other = memory.remember(Draft("My sister lives in Hull.", ADA)).memory
    new = memory.remember(Draft("I moved to Berlin last month.", ADA))

    assert new.supersedes == (old.id,)
    assert memory.get(old.id).superseded_by == new.memory.id
    assert memory.get(other.id).valid_until is None
    assert memory.history(old.id)[-1].after == {
        "valid_until": NOON.isoformat(),
        "superseded_by": new.memory.id,
        "reason": "a newer memory says what it is now",
    }


@pytest.mark.parametrize("setting", [{}, {"embedder": "hashing"}, {"dedup_guard": False}])
@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Door A is locked.", "Door A is not locked."),
        ("The floor in the lab is wet.", "The floor in the lab is dry."),
        ("B门能打开。", "B门不能打开。"),
    ],
)
def test_a_lesson_that_contradicts_leads_and_the_older_one_is_marked(
    open_it: OpenIt, setting: dict[str, Any], older: str, newer: str
) -> None:
    memory = open_it(**setting)
    first = memory.robot.learn(older).get("memory_id")
    told = memory.robot.learn(newer)
    second = told.get("memory_id")

    assert (told["status"], told.get("supersedes")) == ("created", [first])
    hits = memory.robot.recall(older)["memories"]
    assert [hit["id"] for hit in hits] == [second, first]
    assert hits[1].get("superseded_by") == second
    assert hits[1].get("valid_until")
    # And back again: it is a lesson anew, not a duplicate of what is over.
    again = memory.robot.learn(older)
    assert (again["status"], again.get("supersedes")) == ("created", [second])


def test_what_is_only_near_ends_nothing(robot: RobotTools) -> None:
    for lesson in (
        "Door A is locked.",
        "Door B is not locked.",
        "Grip the mug with 9 N.",
        "Grip the mug with 11 N.",
        "My brother lives in Leeds.",
        "I live in Leeds.",
        "Should I move to Berlin?",
        "I would like to move to Berlin.",
        "I used to live in Berlin.",
    ):
        assert "supersedes" not in robot.learn(lesson), lesson


def test_another_measurement_or_another_speaker_ends_nothing(memory: OpenMemory) -> None:
    robot = memory.robot
    robot.learn("Door A is locked.", {"spatial": {"x": 1}})
    assert "supersedes" not in robot.learn("Door A is not locked.", {"spatial": {"x": 2}})
    for name, text in (("Bo", "I live in Leeds."), ("Cy", "I moved to Berlin.")):
        stored = memory.remember(Draft(text, ADA, context={"speaker": name}))
        assert stored.supersedes == ()
    assert memory.remember(Draft("I moved to Rome.", ADA, context={"speaker": "Bo"})).supersedes


def test_lessons_of_one_batch_end_each_other_in_order(robot: RobotTools) -> None:
    robot.learn_many(["I live in Leeds.", "I moved to Berlin.", "I moved to Rome."])

    over = [entry.get("superseded_by") for entry in robot.list(n=3)]
    assert sorted(over, key=str) == [2, 3, None]


def test_what_happened_before_ends_nothing_later(memory: OpenMemory) -> None:
    tell(memory, "I live in Leeds.", days=-1)
    earlier = Draft("I moved to Berlin.", ADA, occurred_at=NOON - timedelta(days=900))

    assert memory.remember(earlier).supersedes == ()


def test_a_statement_in_a_chat_ends_what_the_assistant_knew(memory: OpenMemory) -> None:
    added = {"content": "My favourite colour is green", "memory_type": "core"}
    first = memory.assistant.call("memory_add", added)["data"]
    change = {"content": "My favourite colour is red now", "memory_type": "core"}
    second = memory.assistant.call("memory_add", change)["data"]
    assert second["supersedes"] == [first["memory_id"]]

    memory.assistant.call("memory_chat", {"message": "My favourite colour is blue now."})

    over = memory.get(2)
    assert over.superseded_by == 3
    results = memory.assistant.call("memory_search", {"query": "favourite colour"})["data"]
    assert results["results"][0]["memory_id"].endswith("3")
    assert ["superseded_by" in found for found in results["results"]] == [False, True, True]


def links(memory: OpenMemory, number: int) -> list[tuple[str, int]]:
    return [(link.relation, link.memory_id) for link in memory.links(number)]
