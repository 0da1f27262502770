"""How many memories each kind has in use, without counting them."""

from collections.abc import Mapping
from datetime import datetime

from mnemic.records.memory import KindTally, MemoryKind, ScopeKind
from mnemic.storage.database import Database, Row
from mnemic.storage.timestamps import from_micros, to_micros


def change(db: Database, changes: Mapping[tuple[int, MemoryKind], int], *, now: datetime) -> None:
    """Count so many more or fewer memories of a scope's kinds, in the transaction that makes it
    so. A change of 0 says that one of them is another than before.
    """
    db.many(
        "tally_change",
        [
            {"scope_id": scope_id, "kind": kind, "change": number, "now": to_micros(now)}
            for (scope_id, kind), number in sorted(changes.items())
        ],
    )


def of_scope(db: Database, scope_id: int, *, now: datetime) -> dict[MemoryKind, KindTally]:
    """Return what a scope holds, by kind; kinds that it never held are left out."""
    overdue = {
        row["kind"]: row["memories"]
        for row in db.all("memories_overdue_by_kind", scope_id=scope_id, now=to_micros(now))
    }
    return {
        row["kind"]: KindTally(
            row["memories"] - overdue.get(row["kind"], 0), from_micros(row["changed_at"])
        )
        for row in db.all("tally_of_scope", scope_id=scope_id)
    }


def at(db: Database, scope_id: int, moment: datetime) -> dict[MemoryKind, KindTally]:
    """Return what a scope held at a time, by kind. It reads every memory of the scope."""
    return {
        row["kind"]: KindTally(row["memories"], from_micros(row["changed_at"]))
        for row in db.all("memories_by_kind_at", scope_id=scope_id, moment=to_micros(moment))
    }


def of_account(db: Database) -> dict[ScopeKind, dict[MemoryKind, int]]:
    """Return how many memories in use the account has, by the kinds of scope and of memory."""
    tallies: dict[ScopeKind, dict[MemoryKind, int]] = {}
    for row in db.all("tally_by_kind"):
        tallies.setdefault(row["scope_kind"], {})[row["kind"]] = row["memories"]
    return tallies


def latest(db: Database) -> list[tuple[int, datetime]]:
    """Return the account's scopes that hold memories in use, and when each changed last; the last
    changed first.
    """
    return [(row["scope_id"], from_micros(row["changed_at"])) for row in db.all("tally_latest")]


def by_kind(db: Database) -> list[Row]:
    """Return how much the account has in use, for each kind of scope and of memory."""
    return db.all("tally_by_kind")


def by_scope(db: Database, *, limit: int) -> list[Row]:
    """Return the account's fullest scopes of each kind, and how many there are of it."""
    return db.all("tally_by_scope", limit=limit)


def by_category(db: Database) -> list[Row]:
    """Return how many memories are of which status and category. It reads every memory."""
    return db.all("memory_categories")
