"""What was kept elsewhere comes in with its times, and with what became of it there."""

from datetime import UTC, datetime, timedelta

import pytest

from mnemic.errors import InvalidInputError
from mnemic.memory.adopt import Arrival, Earlier, Retired
from mnemic.opening import OpenMemory
from mnemic.records.memory import Draft, Remembered, Scope
from tests.conftest import NOON, Clock, OpenIt

LONG_AGO = datetime(2021, 5, 1, 8, 0, 0, 250, tzinfo=UTC)


def test_a_draft_may_say_when_it_was_written(memory: OpenMemory) -> None:
    changed = LONG_AGO + timedelta(days=1)

    stored = memory.remember(
        Draft("The lift is slow", created_at=LONG_AGO, updated_at=changed)
    ).memory

    assert (stored.created_at, stored.updated_at) == (LONG_AGO, changed)
    assert stored.accessed_at == NOON
    assert memory.history(stored.id)[0].at == LONG_AGO
    assert memory.get(memory.remember(Draft("今天很热")).memory.id).created_at == NOON


def test_a_time_without_a_zone_is_refused(memory: OpenMemory) -> None:
    naive = LONG_AGO.replace(tzinfo=None)
    with pytest.raises(InvalidInputError, match="created_at: it names no time zone"):
        memory.remember(Draft("The lift is slow", created_at=naive))


def test_what_is_old_ages_from_the_day_it_came(open_it: OpenIt, clock: Clock) -> None:
    memory = open_it(decay_rate=0.1)
    old = memory.remember(Draft("The lift is slow", created_at=LONG_AGO, confidence=0.8)).memory
    run, _ = memory.start_episode()

    memory.end_episode(run.id)
    assert memory.get(old.id).confidence == 0.8

    clock.turn(days=2)
    later, _ = memory.start_episode()
    memory.end_episode(later.id)
    assert memory.get(old.id).confidence == pytest.approx(0.8 * 0.9**2)


def test_of_one_batch_what_is_wrong_is_refused_and_the_rest_kept(memory: OpenMemory) -> None:
    arrivals = [
        Arrival(Draft("A fact", Scope("collection", "a"))),
        Arrival(Draft("  ")),
        Arrival(Draft("A fact", Scope("collection", "a"))),
        Arrival(Draft("Gone", created_at=LONG_AGO), Retired("invalidated", "wrong", NOON)),
        Arrival(Draft("New", created_at=LONG_AGO), earlier=(Earlier("Old", NOON),)),
    ]

    first, empty, repeated, gone, changed = memory.arrivals().keep(arrivals)

    assert isinstance(first, Remembered)
    assert isinstance(empty, InvalidInputError)
    assert isinstance(repeated, Remembered)
    assert repeated.duplicate is not None
    assert repeated.memory.id == first.memory.id
    assert isinstance(gone, Remembered)
    assert (gone.memory.status, gone.memory.status_at) == ("invalidated", NOON)
    assert isinstance(changed, Remembered)
    assert memory.undo(changed.memory.id).content == "Old"
    assert memory.undo(gone.memory.id).status == "active"
