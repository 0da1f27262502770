"""How many memories each kind has in use, without counting them."""

from collections.abc import Mapping
from datetime import datetime

from mnemic.records import KindTally, MemoryKind
from mnemic.storage.database import Database
from mnemic.storage.times import from_micros, to_micros


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


def of_scope(db: Database, scope_id: int) -> dict[MemoryKind, KindTally]:
    """Return what a scope holds, by kind; kinds that it never held are left out."""
    return {
        row["kind"]: KindTally(row["memories"], from_micros(row["changed_at"]))
        for row in db.all("tally_of_scope", scope_id=scope_id)
    }
