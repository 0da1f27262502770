"""What a user did last, and how often in each hour."""

from datetime import datetime, timedelta
from typing import Final

from mnemic.records.memory import Action, Activity, MemoryKind
from mnemic.storage.database import Database
from mnemic.storage.timestamps import from_micros, to_micros

_HOUR: Final = 3_600_000_000
# Searches are counted in the background, and written about once a second; a busy machine may take
# longer. What a clock was turned by within an hour moves nothing far.
_WRITTEN_WITHIN: Final = timedelta(hours=1)


def note(
    db: Database,
    action: Action,
    *,
    scope_id: int,
    kind: MemoryKind | None,
    memory_id: int | None,
    at: datetime,
) -> None:
    """Write down one operation; who calls this holds the scope."""
    moment = to_micros(at)
    db.run(
        "activity_add",
        scope_id=scope_id,
        action=action,
        kind=kind,
        memory_id=memory_id,
        at=moment,
    )
    db.run("usage_add", scope_id=scope_id, hour=moment // _HOUR)


def recent(db: Database, scope_id: int) -> list[Activity]:
    """Return the last operations of a user, newest first: at most 20.

    They stand in the order in which they were written. Only a search, which is written a moment
    later, goes before what was done in that moment; a clock that was turned moves nothing.
    """
    done: list[Activity] = []
    for row in db.all("activity_recent", scope_id=scope_id):
        one = Activity(row["action"], row["kind"], row["memory_id"], from_micros(row["at"]))
        place = len(done)
        while place and one.at < done[place - 1].at <= one.at + _WRITTEN_WITHIN:
            place -= 1
        done.insert(place, one)
    return done[::-1]


def operations(db: Database, scope_id: int, *, since: datetime) -> dict[datetime, int]:
    """Return how many operations there were in each hour, from a moment's hour on."""
    first = to_micros(since) // _HOUR
    rows = db.all("usage_since", scope_id=scope_id, since=first)
    epoch = from_micros(0)
    return {epoch + timedelta(hours=row["hour"]): row["operations"] for row in rows}
