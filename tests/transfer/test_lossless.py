"""Promises of an exchange: what is exported and imported is the same, on every pair of backends."""

import json
from typing import Any

import apsw

from mnemic.transfer.kinds import KINDS, MESSAGE, QUEUED, VERSION
from tests.conftest import Clock
from tests.storage.chats import sessions_of
from tests.storage.stores import REPEATED, everything, fill, found, opened
from tests.transfer.conftest import ExportIt, NewStore, Sample, imported

# Each next one gets what the one before was given: every pair of backends, in one chain.
CHAIN = ("sqlite", "postgres", "postgres", "sqlite")


def test_what_was_exported_imported_and_exported_again_is_identical(
    new_store: NewStore, export_it: ExportIt, full: Sample, clock: Clock
) -> None:
    stores = [new_store(backend) for backend in CHAIN]
    said = sessions_of(full.store, "default")
    last = full.export
    for there in stores:
        [taken] = imported(there, last).accounts
        assert not taken.renumbered
        assert taken.vectors > 40
        last = export_it(there, vectors=True)
        assert last.read_bytes() == full.export.read_bytes()

    with opened(full.store, clock) as one:
        told, recalled = everything(one), found(one)
    for there in stores[1:3]:
        with opened(there, clock) as other:
            assert everything(other) == told
            assert found(other) == recalled
        assert sessions_of(there, "default") == said


def test_without_vectors_the_file_is_identical_too_and_vectors_can_be_made(
    new_store: NewStore, export_it: ExportIt, full: Sample, clock: Clock
) -> None:
    there = new_store("postgres")
    imported(there, full.export)
    bare = export_it(there)
    back = new_store("sqlite")

    report = imported(back, bare)

    assert not report.has_vectors
    assert export_it(back).read_bytes() == bare.read_bytes()
    assert b'"vector"' not in bare.read_bytes()
    with opened(back, clock) as memory, opened(there, clock) as like:
        assert memory.embed_missing() > 40
        like.embed_missing()
        assert found(memory) == found(like)


def test_all_accounts_go_together_and_stay_apart(
    new_store: NewStore, export_it: ExportIt, clock: Clock
) -> None:
    here, there = new_store("sqlite"), new_store("postgres")
    fill(here, clock, lessons=3, chats=False)
    fill(here, clock, account="第二", lessons=5, chats=False)
    whole = export_it(here, all_accounts=True, vectors=True)

    report = imported(there, whole)

    assert [one.account for one in report.accounts] == ["default", "第二"]
    assert export_it(there, all_accounts=True, vectors=True).read_bytes() == whole.read_bytes()
    for account in ("default", "第二"):
        with (
            opened(here, clock, account=account) as one,
            opened(there, clock, account=account) as other,
        ):
            assert found(other) == found(one)
            assert other.robot.list(n=100) == one.robot.list(n=100)


def test_a_line_is_plain_json_with_named_fields(full: Sample) -> None:
    lines = [json.loads(line) for line in full.export.read_text("utf-8").splitlines()]

    header, *rest, footer = lines
    assert header["format"] == "mnemic-export"
    assert header["exported_at"] == "2026-03-12T12:00:00.000000Z"
    assert footer["lines"]["memory"] == sum(one["kind"] == "memory" for one in rest)
    memory = next(one for one in rest if one["kind"] == "memory")
    assert memory["scope"] == {"kind": "collection", "name": "default"}
    assert memory["content"] == "The mug at station 0 needs 0.5 N"
    assert memory["context"] == {"task": {"success": True}, "place": [0, 0.5]}
    assert memory["created_at"] == "2026-03-09T12:00:00.000000Z"
    [sensed] = [one for one in rest if one["kind"] == "perception"]
    assert json.loads(sensed["data"])["newton"] == [0.0, 4.2, 9.81]


def test_an_import_goes_on_with_fresh_numbers_and_is_found_at_once(
    new_store: NewStore, full: Sample, clock: Clock
) -> None:
    for backend in ("sqlite", "postgres"):
        there = new_store(backend)
        # Open before, and has searched: what it knows so far, it must know to be old afterwards.
        with opened(there, clock, account="watcher") as watching, opened(there, clock) as memory:
            assert watching.robot.recall("mug")["memories"] == []
            assert memory.robot.recall("mug")["memories"] == []
            imported(there, full.export)

            assert memory.robot.recall("mug at station 0")["memories"][0]["id"] == 1
            assert memory.robot.learn(*REPEATED)["status"] == "duplicate"
            fresh = memory.robot.learn("Doors with a brass handle open inwards")
            newest = max(one["id"] for one in memory.robot.list(status="all", n=100))
            assert fresh.get("memory_id") == newest
            assert memory.robot.undo(3)["status"] == "active"


def test_an_export_is_of_one_moment_while_others_write(
    new_store: NewStore, export_it: ExportIt, small: Sample, clock: Clock
) -> None:
    for backend in ("sqlite", "postgres"):
        here = new_store(backend)
        imported(here, small.export)
        before = export_it(here).read_bytes()

        with opened(here, clock) as memory:

            def write(_doing: str, what: str, done: int, _total: int) -> None:
                if what == "memory" and not done:
                    memory.robot.learn("Sponges dry faster on the upper rack")

            during = export_it(here, progress=write).read_bytes()

        assert during == before
        assert export_it(here).read_bytes() != before


def test_a_store_of_thousands_of_accounts_comes_back(
    new_store: NewStore, export_it: ExportIt, small: Sample
) -> None:
    db: Any = apsw.Connection(str(small.store))
    names = [(f"customer {number:08}",) for number in range(4_000)]
    with db:
        db.executemany("insert into account (name, created_at) values (?, 1)", names)
    db.close()
    whole = export_it(str(small.store), all_accounts=True)
    there = new_store("sqlite")

    assert len(imported(there, whole).accounts) == 4_001

    assert export_it(there, all_accounts=True).read_bytes() == whole.read_bytes()


# What a store keeps for itself: numbers, caches, and what follows from the rest.
OWN = {
    **dict.fromkeys(("clock", "job_clock", "snapshot", "sqlite_sequence", "model"), frozenset("*")),
    # Keys belong to a server, not to what is remembered: they are made anew.
    "api_key": frozenset("*"),
    # So does what was done to this store: another one begins a log of its own.
    "audit_entry": frozenset("*"),
    # Receipts are applied to exports, and have a file of their own.
    "erasure": frozenset("*"),
    "account": frozenset({"id"}),
    "scope": frozenset({"id", "account_id"}),
    **dict.fromkeys(("document", "passage"), frozenset("*")),
    "vector": frozenset({"doc"}),
    "item_tally": frozenset("*"),
    **dict.fromkeys(("item", "job", "job_queue"), frozenset({"account_id"})),
}
# These have lines of their own, or stand in those of memories.
TOLD = {
    "account": ("name", "created_at"),
    "scope": ("kind", "name", "decayed_at", "decay_rate", "created_at"),
    "vector": ("model_id", "data"),
}


def test_every_column_of_a_store_is_carried_or_follows_from_what_is(full: Sample) -> None:
    db: Any = apsw.Connection(str(full.store))
    tables = db.execute("select name from sqlite_schema where type = 'table'").fetchall()
    known = {kind.table.name: kind.table.columns for kind in (*KINDS, VERSION, MESSAGE, QUEUED)}
    for (name,) in tables:
        if "*" in OWN.get(name, ()):
            continue
        columns = {row[0] for row in db.execute("select name from pragma_table_info(?)", (name,))}
        carried = {*known.get(name, ()), *TOLD.get(name, ())}
        assert columns - OWN.get(name, frozenset()) == carried, name
    db.close()
