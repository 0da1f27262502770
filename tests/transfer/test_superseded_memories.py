"""What was superseded comes over as that: with its end, what replaced it, and a way back."""

from pathlib import Path

import pytest

from tests.conftest import Clock
from tests.storage.stores import opened
from tests.transfer.conftest import ExportIt, NewStore, imported


@pytest.mark.parametrize("backend", ["sqlite", "postgres"])
def test_what_was_superseded_keeps_its_successor_under_new_numbers(
    backend: str, new_store: NewStore, export_it: ExportIt, clock: Clock
) -> None:
    source, target = new_store("sqlite"), new_store(backend)
    with opened(source, clock) as memory:
        memory.robot.learn("Door A is locked.")
        memory.robot.learn("Door A is not locked.")
    with opened(target, clock) as memory:
        memory.robot.learn("The cellar holds honey")

    file: Path = export_it(source)
    imported(target, file)

    with opened(target, clock) as memory:
        old, new = memory.get(2), memory.get(3)
        assert (old.superseded_by, old.valid_until) == (new.id, new.occurred_at)
        [event] = [one for one in memory.history(2) if one.verb == "superseded"]
        assert event.after is not None
        assert event.after["superseded_by"] == 3
        assert memory.undo(2).superseded_by is None
        assert memory.links(3) == []
