"""Promises of an import of a store that was imported before and has changed since."""

import json
from pathlib import Path
from typing import Any

import pytest

from mnemic.transfer.file_format import LineWriter
from mnemic.transfer.outcomes import ImportedChanges
from tests.conftest import Clock
from tests.storage.stores import ask, everything, opened
from tests.transfer.conftest import ExportIt, NewStore, Sample, imported


@pytest.fixture(params=("sqlite", "postgres"))
def there(request: pytest.FixtureRequest, new_store: NewStore) -> str:
    """A store on each backend."""
    return new_store(request.param)


def change_there(store: Path, clock: Clock) -> None:
    """Update, forget, bring back and add, an hour after the first export."""
    clock.turn(hours=1)
    with opened(store, clock) as memory:
        robot = memory.robot
        robot.update(1, "The mug at station 0 needs 0.8 N", context={"params": {"force": 0.8}})
        robot.forget(4, "it is another bottle")
        robot.undo(3)
        clock.turn(hours=1)
        robot.update(5, "瓶子在五号站")
        robot.update(5, "瓶子在六号站")
        robot.undo(5)
        robot.learn("Windows of the workshop stay shut in winter")


def changes_of(there: str, path: Path) -> ImportedChanges:
    [taken] = imported(there, path).accounts
    return taken.changes


def states(memory: Any) -> list[Any]:
    """Return what a collection holds, and each change with its time."""
    listed = memory.robot.list(status="all", n=100)
    return [
        [(one["id"], one["status"], one["content"], one["context"]) for one in listed],
        [
            [(event["verb"], event["at"]) for event in memory.robot.history(one["id"])]
            for one in listed
        ],
    ]


def test_updates_forgets_and_undos_are_applied_with_their_history(
    there: str, small: Sample, clock: Clock, export_it: ExportIt
) -> None:
    imported(there, small.export)
    change_there(small.store, clock)

    done = changes_of(there, export_it(str(small.store)))

    assert (done.updated, done.forgotten, done.restored, done.kept) == (2, 1, 1, 0)
    assert done.not_applied == {}
    with opened(there, clock) as memory, opened(small.store, clock) as like:
        assert states(memory) == states(like)
        [best, *_] = memory.robot.recall("mug needs 0.8 N")["memories"]
        assert (best["id"], best["content"]) == (1, "The mug at station 0 needs 0.8 N")
        assert all(hit["id"] != 4 for hit in memory.robot.recall("bottle", n=50)["memories"])
        # A change that was undone there is not undone once more here.
        memory.robot.undo(5)
        assert memory.robot.get(5)["content"] == like.robot.undo(5)["content"]


def test_the_changed_file_once_more_changes_nothing(
    there: str, small: Sample, clock: Clock, export_it: ExportIt
) -> None:
    imported(there, small.export)
    change_there(small.store, clock)
    changed = export_it(str(small.store))
    imported(there, changed)
    before = export_it(there).read_bytes()

    done = changes_of(there, changed)

    assert done == ImportedChanges(unchanged=done.unchanged)
    assert done.unchanged > 4
    assert export_it(there).read_bytes() == before


def test_an_older_file_takes_nothing_back(
    there: str, small: Sample, clock: Clock, export_it: ExportIt
) -> None:
    change_there(small.store, clock)
    imported(there, export_it(str(small.store)))
    before = export_it(there).read_bytes()

    done = changes_of(there, small.export)

    assert (done.updated, done.forgotten, done.restored, done.kept) == (0, 0, 0, 0)
    assert done.newer == 4
    assert export_it(there).read_bytes() == before


def test_what_was_changed_here_too_is_kept_and_told(
    there: str, small: Sample, clock: Clock, export_it: ExportIt
) -> None:
    imported(there, small.export)
    change_there(small.store, clock)
    with opened(there, clock) as memory:
        memory.robot.update(1, "The mug at station 0 broke")
        memory.robot.forget(5, "not ours")

    done = changes_of(there, export_it(str(small.store)))

    assert (done.updated, done.forgotten, done.restored, done.kept) == (0, 1, 1, 2)
    with opened(there, clock) as memory:
        assert memory.robot.get(1)["content"] == "The mug at station 0 broke"
        assert memory.robot.get(5)["status"] == "invalidated"


def test_where_numbers_were_taken_changes_find_their_memories(
    there: str, small: Sample, clock: Clock, export_it: ExportIt
) -> None:
    with opened(there, clock) as memory:
        own = [memory.robot.learn(f"Shelf {n} holds {n} jars").get("memory_id") for n in range(5)]
        assert own == [1, 2, 3, 4, 5]
    imported(there, small.export)
    change_there(small.store, clock)

    done = changes_of(there, export_it(str(small.store)))

    assert (done.updated, done.forgotten, done.restored) == (2, 1, 1)
    with opened(there, clock) as memory:
        assert memory.robot.get(1)["content"] == "Shelf 0 holds 0 jars"
        contents = [one["content"] for one in memory.robot.list(n=100)]
        assert "The mug at station 0 needs 0.8 N" in contents


def test_of_a_known_conversation_that_went_on_it_says_what_it_leaves_out(
    there: str, full: Sample, clock: Clock, export_it: ExportIt
) -> None:
    imported(there, full.export)
    clock.turn(hours=1)
    with opened(full.store, clock) as memory:
        ask(memory, "anna", "memory_chat", message="绿茶也好", conversation_id="茶")
    with opened(there, clock) as memory:
        before = everything(memory)[4]

    done = changes_of(there, export_it(str(full.store)))

    assert done.not_applied == {"turn": 1}
    with opened(there, clock) as memory:
        assert everything(memory)[4] == before


def test_a_history_that_cannot_be_followed_is_left_alone_and_told(
    there: str, small: Sample, clock: Clock, export_it: ExportIt, tmp_path: Path
) -> None:
    imported(there, small.export)
    change_there(small.store, clock)
    lines = [
        json.loads(line) for line in export_it(str(small.store)).read_text("utf-8").splitlines()
    ]
    for line in lines:
        if line.get("memory") == 1 and line.get("verb") == "revised":
            line["after"] = {"content": ["no text"], "category": None}
    broken = tmp_path / "broken.jsonl"
    with broken.open("wb") as out:
        writer = LineWriter(out)
        for line in lines[:-1]:
            writer.write(line)
        writer.finish()

    done = changes_of(there, broken)

    assert (done.updated, done.forgotten, done.restored) == (1, 1, 1)
    assert done.not_applied == {"memory": 1}
    with opened(there, clock) as memory:
        assert memory.robot.get(1)["content"] == "The mug at station 0 needs 0.5 N"
