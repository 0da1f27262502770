"""Promises of an import into a store that is in use: nothing is doubled, nothing is lost."""

import json
from pathlib import Path
from typing import Any

import pytest

from mnemic.errors import ConflictError, InvalidInputError
from mnemic.transfer.file_format import LineWriter
from tests.conftest import Clock
from tests.storage.stores import USERS, ask, everything, found, opened
from tests.transfer.conftest import ExportIt, NewStore, Sample, imported

BACKENDS = ("sqlite", "postgres")


@pytest.fixture(params=BACKENDS)
def there(request: pytest.FixtureRequest, new_store: NewStore) -> str:
    """A store on each backend."""
    return new_store(request.param)


def test_a_second_import_of_the_same_file_changes_nothing(
    there: str, full: Sample, export_it: ExportIt
) -> None:
    imported(there, full.export)

    [again] = imported(there, full.export).accounts

    assert set(again.added.values()) == {0}
    assert export_it(there, vectors=True).read_bytes() == full.export.read_bytes()


def test_where_numbers_are_taken_everything_gets_new_ones(
    there: str, small: Sample, clock: Clock
) -> None:
    with opened(there, clock) as memory:
        for number in range(5):
            memory.robot.learn(f"Shelf {number} in the cellar holds {number} jars of honey")
        own = memory.robot.list(n=100)

    [taken] = imported(there, small.export).accounts

    assert taken.renumbered
    with opened(there, clock) as memory, opened(small.store, clock) as like:
        robot = memory.robot
        assert [one for one in robot.list(n=100) if one["id"] <= 5] == own
        shift = max(one["id"] for one in robot.list("厨房", n=9)) - max(
            one["id"] for one in like.robot.list("厨房", n=9)
        )
        merged = next(one for one in like.robot.list(status="superseded", n=100))
        here = robot.get(merged["id"] + shift)
        assert here["content"] == merged["content"]
        survivor = int(str(merged["status_reason"]).rsplit(maxsplit=1)[1])
        assert here["status_reason"] == f"merged into memory {survivor + shift}"
        # What was undone stays undone: the journal refers to its own new numbers.
        with pytest.raises(Exception, match="no change that could be undone"):
            robot.undo(4 + shift)
        for user in USERS:
            said = ask(memory, user, "conversation_get", conversation_id="茶")["messages"]
            [cited] = [one["content"] for one in said if "[mem_" in one["content"]]
            name = cited.split("[")[1].split("]")[0]
            known = {one["memory_id"]: one for one in ask(memory, user, "memory_list")["memories"]}
            assert known[name]["content"] == "我喜欢乌龙茶"


def test_renumbered_or_not_a_second_import_is_recognised_also_after_changes(
    there: str, small: Sample, clock: Clock, export_it: ExportIt
) -> None:
    with opened(there, clock) as memory:
        memory.robot.learn("A memory of its own")
    imported(there, small.export)
    with opened(there, clock) as memory:
        number = next(
            one["id"] for one in memory.robot.list(n=100) if "station 4" in one["content"]
        )
        memory.robot.update(number, "The tray at station 4 was taken away")
    before = export_it(there).read_bytes()

    [again] = imported(there, small.export).accounts

    assert set(again.added.values()) == {0}
    assert export_it(there).read_bytes() == before


def test_a_grown_store_brings_only_what_is_new(
    there: str, small: Sample, clock: Clock, export_it: ExportIt
) -> None:
    imported(there, small.export)
    with opened(there, clock) as memory:
        own = memory.robot.learn("Said in the new place only").get("memory_id", 0)
    clock.turn(hours=1)
    with opened(small.store, clock) as memory:
        memory.robot.learn("Windows of the workshop stay shut in winter")

    [again] = imported(there, export_it(str(small.store))).accounts

    assert again.added["memory"] == 1
    assert again.added["event"] == 1
    with opened(there, clock) as memory:
        contents = [one["content"] for one in memory.robot.list(n=100)]
        assert len(contents) == len(set(contents))
        assert memory.robot.get(own)["content"] == "Said in the new place only"
        [hit, *_] = memory.robot.recall("workshop windows in winter")["memories"]
        assert hit["content"].startswith("Windows of the workshop")


def test_an_account_of_a_file_can_be_copied_under_another_name(
    there: str, small: Sample, clock: Clock
) -> None:
    # Episodes and turns have ids that are the same in a copy: a file has room for one of each.
    with opened(there, clock, account="someone") as memory:
        memory.robot.learn("Somebody else's")

    [taken] = imported(there, small.export, account="copy").accounts

    assert taken.account == "copy"
    with (
        opened(there, clock, account="copy") as memory,
        opened(small.store, clock) as like,
    ):
        assert [one["content"] for one in memory.robot.list(n=100)] == [
            one["content"] for one in like.robot.list(n=100)
        ]
        assert [[hit[1:] for hit in hits] for hits in found(memory)] == [
            [hit[1:] for hit in hits] for hits in found(like)
        ]
    with opened(there, clock, account="someone") as memory:
        assert len(memory.robot.list()) == 1


def test_what_bears_the_same_name_and_is_something_else_stops_the_import(
    there: str, small: Sample, clock: Clock, export_it: ExportIt
) -> None:
    clock.turn(seconds=1)
    with opened(there, clock) as memory:
        ask(memory, "anna", "memory_chat", message="绿茶也好", conversation_id="茶")
    before = export_it(there).read_bytes()

    with pytest.raises(ConflictError, match="conversation 茶 is there"):
        imported(there, small.export)

    assert export_it(there).read_bytes() == before


def test_a_failing_import_leaves_nothing_behind(
    there: str, small: Sample, clock: Clock, export_it: ExportIt
) -> None:
    class BrokenOffError(Exception):
        """Raised by the test in the middle of an import."""

    def break_off(doing: str, _what: str, done: int, total: int) -> None:
        if doing == "importing" and done > total / 2:
            raise BrokenOffError

    with pytest.raises(BrokenOffError):
        imported(there, small.export, progress=break_off)

    with opened(there, clock) as memory:
        assert memory.robot.list() == []
    imported(there, small.export)
    with opened(there, clock) as memory, opened(small.store, clock) as like:
        assert everything(memory)[:3] == everything(like)[:3]


def test_a_damaged_file_is_refused_with_the_line_before_anything_is_written(
    tmp_path: Path, small: Sample
) -> None:
    lines = small.export.read_bytes().splitlines(keepends=True)
    spots = {
        "cut off": (b"".join(lines)[:-200], f"line {len(lines)}: it is no JSON"),
        "no footer": (b"".join(lines[:-1]), f"line {len(lines) - 1}: the file ends here"),
        "no JSON": (b"".join([*lines[:9], b"{oops\n", *lines[10:]]), "line 10: it is no JSON"),
        "lost": (b"".join(lines[:9] + lines[10:]), "not those that the footer tells of"),
        "changed": (small.export.read_bytes().replace(b"0.5 N", b"0.6 N"), "footer tells of"),
        "more": (b"".join([*lines, lines[5]]), f"line {len(lines) + 1}: it comes after"),
        "other": (b'{"insight": "a lesson"}\n', "no export of Mnemic"),
        "empty": (b"", "no export of Mnemic"),
        "deep": (b"[" * 100_000, "no export of Mnemic"),
        "deep inside": (
            b"".join([*lines[:9], b'{"kind": ' + b"[" * 100_000 + b"\n", *lines[10:]]),
            "line 10: it is no JSON",
        ),
        "newer": (
            b"".join(
                [json.dumps({**json.loads(lines[0]), "version": 2}).encode(), b"\n", *lines[1:]]
            ),
            "format 2, and this Mnemic knows 1",
        ),
    }
    for name, (data, told) in spots.items():
        path = tmp_path / f"{name}.jsonl"
        path.write_bytes(data)
        with pytest.raises(InvalidInputError, match=told):
            imported(str(tmp_path / "fresh.db"), path)
    assert not (tmp_path / "fresh.db").exists()


NOBODY = {"scope": {"kind": "user", "name": "nobody"}}
UNREADABLE: list[tuple[str, Any, str]] = [
    ("memory", {"content": None}, "line .* without scope, type, time or content"),
    ("memory", {"created_at": "yesterday"}, "line .* without scope, type, time or content"),
    ("memory", {"status": "lost"}, "line .*(CHECK|check)"),
    ("memory", {"search": NOBODY}, "is not named before"),
    ("memory", {"vector": {"model": "other", "float16": ""}}, "model of memory"),
    ("event", {"at": 7}, "at of event.* it is a int"),
    ("event", {"id": "first"}, "it has no id"),
    ("edge", {"from": "x"}, "from of edge"),
    ("turn", {"scope": "anna"}, "scope of turn"),
    ("account", {"name": None}, "account without name"),
    ("surprise", {}, "'surprise' is not a kind"),
    ("header", {"models": 7}, "line 1: models that cannot be read"),
    ("memory", {"id": 10**30}, "it has no id"),
    ("memory", {"search": 7}, "line .* a memory that cannot be read"),
    ("memory", {"access_count": 10**30}, "line .* memory"),
    ("event", {"after": [7]}, "line .* an? event that cannot be read"),
    ("turn", {"messages": 7}, "line .* a turn that cannot be read"),
]


def test_a_line_that_nobody_can_read_is_named_and_nothing_is_written(
    there: str, small: Sample, tmp_path: Path, clock: Clock
) -> None:
    for kind, change, told in UNREADABLE:
        lines = [json.loads(line) for line in small.export.read_text("utf-8").splitlines()]
        place = next((at for at, one in enumerate(lines) if one["kind"] == kind), 5)
        lines[place] |= {"kind": kind, **change}
        with (tmp_path / "changed.jsonl").open("wb") as out:
            writer = LineWriter(out)
            for line in lines[:-1]:
                writer.write(line)
            writer.finish()

        with pytest.raises(InvalidInputError, match=told):
            imported(there, tmp_path / "changed.jsonl")

    with opened(there, clock) as memory:
        assert memory.robot.list() == []
