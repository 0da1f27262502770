"""The journal: who did what, when, and what it looked like before and after."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from mnemic.records.memory import Context, Event, MemoryKind, MemoryStatus, Scope, Verb
from mnemic.storage.database import Database, Row
from mnemic.storage.timestamps import from_micros, maybe_micros, to_micros

_NEWEST: Final = 2**62


@dataclass(frozen=True, slots=True)
class FeedEvent:
    """An event as a list of them shows it: with the memory as it stands now, where there is one."""

    id: int
    verb: Verb
    memory_id: int | None
    actor: str
    at: datetime
    scope: Scope
    memory_kind: MemoryKind | None
    status: MemoryStatus | None
    summary: str | None
    is_sensitive: bool


def record(
    db: Database,
    verb: Verb,
    *,
    scope_id: int,
    memory_id: int | None,
    actor: str,
    at: datetime,
    before: Context | None = None,
    after: Context | None = None,
) -> None:
    """Write down one change, in the transaction that makes it."""
    told = {"before": _text(before), "after": _text(after)}
    db.run("event_add", **_values(verb, scope_id, memory_id, actor, at), **told)


def record_created(
    db: Database, memories: Iterable[tuple[int, int, datetime]], *, actor: str
) -> None:
    """Write down that memories came into being: in which scope, under which number, and when."""
    untold = {"before": None, "after": None}
    db.many(
        "event_add",
        [
            {**_values("created", scope_id, memory_id, actor, at), **untold}
            for scope_id, memory_id, at in memories
        ],
    )


def of_memory(db: Database, memory_id: int) -> list[Event]:
    """Return everything that happened to a memory, oldest first."""
    return [
        Event(
            id=row["id"],
            verb=row["verb"],
            memory_id=row["memory_id"],
            actor=row["actor"],
            at=from_micros(row["at"]),
            before=_value(row["before"]),
            after=_value(row["after"]),
        )
        for row in db.all("events_of_memory", memory_id=memory_id)
    ]


def before(
    db: Database,
    event_id: int | None,
    *,
    until: datetime | None,
    verb: Verb | None,
    scope_id: int | None,
    limit: int,
) -> list[FeedEvent]:
    """Return what happened to the account before an event, and until a time, the latest first."""
    before_id = _NEWEST if event_id is None else event_id
    values = {"until": maybe_micros(until), "verb": verb, "scope_id": scope_id, "limit": limit}
    return [_of_feed(row) for row in db.all("events_before", before_id=before_id, **values)]


def after(
    db: Database, event_id: int, *, verb: Verb | None, scope_id: int | None, limit: int
) -> list[FeedEvent]:
    """Return what happened to the account after an event, in order."""
    values = {"verb": verb, "scope_id": scope_id, "limit": limit}
    return [_of_feed(row) for row in db.all("events_after", after_id=event_id, **values)]


def last(db: Database) -> int:
    """Return the number of the account's last event; 0 where there is none."""
    row = db.one("event_last")
    return 0 if row is None else row["id"]


def by_day(db: Database, *, latest: int) -> list[Row]:
    """Return how many of the account's latest events there were on each day, by verb."""
    return db.all("events_by_day", latest=latest)


def _of_feed(row: Row) -> FeedEvent:
    context = row["context"]
    return FeedEvent(
        id=row["id"],
        verb=row["verb"],
        memory_id=row["memory_id"],
        actor=row["actor"],
        at=from_micros(row["at"]),
        scope=Scope(row["scope_kind"], row["scope_name"]),
        memory_kind=row["memory_kind"],
        status=row["status"],
        summary=row["summary"],
        is_sensitive=context is not None and json.loads(context).get("sensitivity") == "high",
    )


def _text(value: Context | None) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False)


def _value(text: str | None) -> Context | None:
    return None if text is None else json.loads(text)


def _values(
    verb: Verb, scope_id: int, memory_id: int | None, actor: str, at: datetime
) -> dict[str, object]:
    return {
        "scope_id": scope_id,
        "memory_id": memory_id,
        "verb": verb,
        "actor": actor,
        "at": to_micros(at),
    }
