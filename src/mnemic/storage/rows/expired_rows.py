"""What is older than it may be, in portions: memories, conversations, the journal and jobs."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from mnemic.records.memory import Scope
from mnemic.storage.database import Database
from mnemic.storage.timestamps import to_micros

_MEMORIES: Final = 50
_CONVERSATIONS: Final = 100


@dataclass(frozen=True, slots=True)
class OldConversation:
    """A conversation of a user, or a session of a chat, in which nothing was said lately."""

    scope_id: int
    scope: Scope
    id: str


@dataclass(frozen=True, slots=True)
class EventPage:
    """Lines of the journal up to a number, and how many of them are too old."""

    last: int
    old: int


def memories(db: Database, *, before: datetime) -> Iterator[list[int]]:
    """Return the episodic memories that did not change since then, in portions. They may be
    deleted meanwhile.
    """
    after, limit = 0, _MEMORIES
    while rows := db.all("memories_expired", before=to_micros(before), after=after, limit=limit):
        after = rows[-1]["id"]
        yield [row["id"] for row in rows]


def conversations(db: Database, *, before: datetime) -> Iterator[OldConversation]:
    """Return the conversations in which nothing was said since then. They may be deleted
    meanwhile.
    """
    last = OldConversation(0, Scope("user", ""), "")
    while rows := db.all(
        "conversations_expired",
        before=to_micros(before),
        after_scope=last.scope_id,
        after_id=last.id,
        limit=_CONVERSATIONS,
    ):
        for row in rows:
            scope = Scope(row["scope_kind"], row["scope_name"])
            last = OldConversation(row["scope_id"], scope, row["id"])
            yield last


def pins(db: Database) -> list[tuple[Scope, str | None]]:
    """Return the scopes of all pinned items, each with the turn that it was made from."""
    rows = db.all("pins_all")
    return [(Scope(row["scope_kind"], row["scope_name"]), row["turn_id"]) for row in rows]


def event_page(db: Database, *, before: datetime, after: int, limit: int) -> EventPage | None:
    """Return the next page of the journal after a number; None at its end."""
    row = db.only("events_page", before=to_micros(before), after=after, limit=limit)
    return None if row["last"] is None else EventPage(row["last"], row["old"])


def drop_events(db: Database, *, before: datetime, after: int, last: int) -> int:
    """Delete what is too old between two numbers; return how many lines that were."""
    return db.run("events_expire", before=to_micros(before), after=after, last=last)


def overdue(db: Database, *, now: datetime) -> Iterator[list[int]]:
    """Return the memories in use that expired by themselves, in portions. They may be deleted
    meanwhile.
    """
    after, limit = 0, _MEMORIES
    while rows := db.all("memories_overdue", now=to_micros(now), after=after, limit=limit):
        after = rows[-1]["id"]
        yield [row["id"] for row in rows]


def count_overdue(db: Database, *, now: datetime) -> int:
    """Return how many memories in use expired by themselves."""
    return db.only("memories_overdue_count", now=to_micros(now))["n"]


def count_memories(db: Database, *, before: datetime) -> int:
    """Return how many episodic memories are too old."""
    return db.only("memories_expired_count", before=to_micros(before))["n"]


def count_events(db: Database, *, before: datetime) -> int:
    """Return how many lines of the journal are too old."""
    return db.only("events_expired_count", before=to_micros(before))["n"]


def count_jobs(db: Database, *, before: datetime) -> int:
    """Return how many jobs were over before then."""
    return db.only("jobs_expired_count", before=to_micros(before))["n"]
