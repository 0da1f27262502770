"""A newer memory ends what an older one said: an event that is seen, explained and taken back."""

from datetime import timedelta

import pytest

from mnemic.errors import NotFoundError, StateError
from mnemic.opening import OpenMemory
from mnemic.records.memory import Draft, Memory, Scope
from tests.conftest import NOON

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


def links(memory: OpenMemory, number: int) -> list[tuple[str, int]]:
    return [(link.relation, link.memory_id) for link in memory.links(number)]
