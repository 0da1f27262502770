"""The journal: who did what, when, and what it looked like before and after."""

import json
from collections.abc import Iterable
from datetime import datetime

from mnemic.records.memory import Context, Event, Verb
from mnemic.storage.database import Database
from mnemic.storage.timestamps import from_micros, to_micros


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
