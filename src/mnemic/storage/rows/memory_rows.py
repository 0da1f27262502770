"""Memory rows: written by the engine, read back as records."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from mnemic.records.filters import Filter
from mnemic.records.memory import Memory, MemoryKind, MemoryStatus, Scope
from mnemic.search.index_queries import Within
from mnemic.storage.database import Database, Row
from mnemic.storage.timestamps import from_micros, maybe_from_micros, maybe_micros, to_micros


@dataclass(frozen=True, slots=True)
class DerivedText:
    """The part of a memory that follows from its text and context, and changes with them."""

    content: str
    summary: str
    content_hash: bytes
    category: str
    protected: bool
    confidence: float
    tags: tuple[str, ...]
    scope_files: tuple[str, ...]
    context: Mapping[str, Any]
    measurement: bytes = b""


@dataclass(frozen=True, slots=True)
class Access:
    """How often a memory was recalled since the last count, and when last."""

    memory_id: int
    count: int
    at: datetime


@dataclass(frozen=True, slots=True)
class NewMemoryRow:
    """What is to be stored as an active memory. `created_at` and `updated_at` are None for what is
    new in every way, `occurred_at` for what is told as it happens.
    """

    wording: DerivedText
    doc: int
    scope_id: int
    kind: MemoryKind
    episode_id: str | None
    perception_type: str | None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    occurred_at: datetime | None = None
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ActiveMemory:
    """As much of an active memory as tells whether another one is the same."""

    id: int
    content: str
    context: Mapping[str, Any]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class MemoryToPlace:
    """As much of a memory as a map needs, besides what stands in its context."""

    id: int
    doc: int
    created_at: datetime
    episode_id: str | None


def insert(db: Database, new: Sequence[NewMemoryRow], *, now: datetime) -> list[int]:
    """Add active memories and return their ids."""
    values = [
        {
            "doc": one.doc,
            "scope_id": one.scope_id,
            "kind": one.kind,
            "episode_id": one.episode_id,
            "perception_type": one.perception_type,
            "created_at": to_micros(one.created_at or now),
            "updated_at": to_micros(one.updated_at or one.created_at or now),
            "occurred_at": to_micros(one.occurred_at or one.created_at or now),
            "expires_at": maybe_micros(one.expires_at),
            "now": to_micros(now),
            **_wording_values(one.wording),
        }
        for one in new
    ]
    return [row["id"] for row in db.many("memory_add", values)]


def revise(db: Database, memory_id: int, wording: DerivedText, *, doc: int, now: datetime) -> None:
    """Give a memory a new wording, and make it active."""
    db.run(
        "memory_revise",
        id=memory_id,
        doc=doc,
        now=to_micros(now),
        **_wording_values(wording),
    )


def set_status(
    db: Database, memory_id: int, status: MemoryStatus, *, reason: str | None, now: datetime
) -> None:
    """Take a memory out of use, or back into it."""
    db.run("memory_set_status", id=memory_id, status=status, reason=reason, now=to_micros(now))


def get(db: Database, memory_id: int) -> Memory | None:
    """Return one of the account's memories, whatever its status."""
    row = db.one("memory_get", id=memory_id)
    return memory_of(row) if row else None


def hold(db: Database, memory_id: int) -> None:
    """Until the end of the transaction, let nobody else change what is in a memory's scope."""
    db.one("memory_hold", id=memory_id)


def document_of(db: Database, memory_id: int) -> tuple[int, int]:
    """Return the document under which a memory is searched, and its scope's number."""
    row = db.only("memory_document", id=memory_id)
    return row["doc"], row["scope_id"]


def set_document(db: Database, memory_id: int, doc: int) -> None:
    """Let a memory, and the item that it may be kept as, be searched under another document."""
    db.run("memory_set_document", id=memory_id, doc=doc)
    db.run("item_set_document", id=memory_id, doc=doc)


def by_docs(db: Database, docs: Iterable[int]) -> dict[int, Memory]:
    """Return the active memories behind documents."""
    rows = db.all("memories_by_docs", docs=list(docs))
    return {row["doc"]: memory_of(row) for row in rows}


def contents_of(
    db: Database, docs: Iterable[int], *, measurement: bytes, now: datetime
) -> dict[int, tuple[int, str]]:
    """Return the ids and texts behind those documents that tell of the same measurement, and are
    current.
    """
    rows = db.all("memory_contents", docs=list(docs), measurement=measurement, now=to_micros(now))
    return {row["doc"]: (row["id"], row["content"]) for row in rows}


def first_like(db: Database, scope_id: int, wording: DerivedText, *, now: datetime) -> int | None:
    """Return the oldest current memory with just this text and measurement, or None."""
    row = db.one(
        "memory_by_hash",
        scope_id=scope_id,
        content_hash=wording.content_hash,
        measurement=wording.measurement,
        now=to_micros(now),
    )
    return row["id"] if row else None


def same_text(
    db: Database,
    scope_id: int,
    content_hash: bytes,
    *,
    kind: MemoryKind,
    content: str,
    now: datetime,
) -> int | None:
    """Return the oldest current memory of a kind that says just this, letter by letter, or None."""
    rows = db.all("memories_with_hash", scope_id=scope_id, content_hash=content_hash, kind=kind)
    return next(
        (
            row["id"]
            for row in rows
            if row["content"] == content
            and row["valid_until"] is None
            and (row["expires_at"] is None or row["expires_at"] > to_micros(now))
        ),
        None,
    )


def with_hash(
    db: Database, scope_id: int, content_hash: bytes, *, kind: MemoryKind
) -> list[ActiveMemory]:
    """Return the active memories of a kind that say this but for the case of letters."""
    rows = db.all("memories_with_hash", scope_id=scope_id, content_hash=content_hash, kind=kind)
    return [
        ActiveMemory(
            id=row["id"],
            content=row["content"],
            context=json.loads(row["context"]),
            created_at=from_micros(row["created_at"]),
        )
        for row in rows
    ]


def of_episode(db: Database, episode_id: str) -> list[Memory]:
    """Return everything that an episode stored, oldest first, whatever its status."""
    rows = db.all("memories_of_episode", episode_id=episode_id)
    return [memory_of(row) for row in rows]


NEWEST: Final = 2**62


def said_before(
    db: Database, episode_id: str, *, before_id: int = NEWEST
) -> tuple[str, dict[str, Any]] | None:
    """Return the text and the context of the last memory of a run that is older than another."""
    row = db.one("memory_last_of_episode", episode_id=episode_id, before_id=before_id)
    return None if row is None else (row["content"], json.loads(row["context"]))


def count_active(db: Database, scope_id: int) -> int:
    """Return how many memories of a scope are in use."""
    return db.only("memory_count", scope_id=scope_id)["active"]


def listed(
    db: Database,
    scope_id: int,
    *,
    status: str | None,
    category: str | None,
    chosen: Filter,
    limit: int,
    before_id: int,
    moment: datetime | None = None,
    as_of: datetime | None = None,
) -> list[Memory]:
    """Return a page of a scope's memories, newest first, without what expired by a moment. As of a
    time, what happened later is not there, and what went out of use since is.
    """
    rows = db.all(
        "memories_listed",
        scope_id=scope_id,
        status=status,
        category=category,
        filter=chosen,
        limit=limit,
        before_id=before_id,
        moment=maybe_micros(moment),
        as_of=maybe_micros(as_of),
    )
    return [memory_of(row) for row in rows]


def outlive(db: Database, memory_id: int, expires_at: datetime | None) -> None:
    """Let a memory stay in use for longer."""
    db.run("memory_outlive", id=memory_id, expires_at=maybe_micros(expires_at))


def set_end(
    db: Database, memory_id: int, *, valid_until: datetime | None, superseded_by: int | None
) -> None:
    """Say until when a memory was true, and which one tells that; None makes it current again."""
    until = maybe_micros(valid_until)
    db.run("memory_set_end", id=memory_id, valid_until=until, superseded_by=superseded_by)


def to_place(
    db: Database, scope_id: int, *, episode_id: str | None, before_id: int | None, limit: int
) -> list[MemoryToPlace]:
    """Return a page of the memories in use of a scope, the newest first, for a map."""
    rows = db.all(
        "memories_to_place",
        scope_id=scope_id,
        episode_id=episode_id,
        before_id=NEWEST if before_id is None else before_id,
        limit=limit,
    )
    return [
        MemoryToPlace(row["id"], row["doc"], from_micros(row["created_at"]), row["episode_id"])
        for row in rows
    ]


def newest(db: Database, within: Within, *, limit: int) -> list[int]:
    """Return the newest documents that may be shown."""
    return [row["doc"] for row in db.all("docs_newest", limit=limit, **_within_values(within))]


def refresh(db: Database, scope_id: int, *, since: datetime, now: datetime) -> None:
    """Let what a scope learned or recalled since a moment age from now on."""
    db.run("memories_refresh", scope_id=scope_id, since=to_micros(since), now=to_micros(now))


def record_accesses(db: Database, accesses: Iterable[Access]) -> None:
    """Count recalls. What decay has taken so far is kept: ageing starts anew from here."""
    noted = list(accesses)
    db.run(
        "memories_accessed",
        ids=[one.memory_id for one in noted],
        counts=[one.count for one in noted],
        times=[to_micros(one.at) for one in noted],
    )


def memory_of(row: Row) -> Memory:
    """Turn a row of current_memory into the record."""
    return Memory(
        id=row["id"],
        scope=Scope(row["scope_kind"], row["scope_name"]),
        kind=row["kind"],
        status=row["status"],
        content=row["content"],
        summary=row["summary"],
        category=row["category"],
        confidence=row["confidence"],
        tags=tuple(json.loads(row["tags"])),
        scope_files=() if row["scope_files"] == "[]" else tuple(json.loads(row["scope_files"])),
        context=json.loads(row["context"]),
        episode_id=row["episode_id"],
        perception_type=row["perception_type"],
        created_at=from_micros(row["created_at"]),
        updated_at=from_micros(row["updated_at"]),
        accessed_at=from_micros(row["accessed_at"]),
        access_count=row["access_count"],
        occurred_at=from_micros(row["occurred_at"]),
        status_reason=row["status_reason"],
        status_at=maybe_from_micros(row["status_at"]),
        valid_until=maybe_from_micros(row["valid_until"]),
        expires_at=maybe_from_micros(row["expires_at"]),
        superseded_by=row["superseded_by"],
    )


def _wording_values(wording: DerivedText) -> dict[str, object]:
    return {
        "content": wording.content,
        "summary": wording.summary,
        "content_hash": wording.content_hash,
        "measurement": wording.measurement,
        "category": wording.category,
        "protected": wording.protected,
        "confidence": wording.confidence,
        "tags": json.dumps(wording.tags),
        "scope_files": json.dumps(wording.scope_files, ensure_ascii=False),
        "context": json.dumps(wording.context, ensure_ascii=False),
    }


def _within_values(within: Within) -> dict[str, object]:
    return {
        "scope_ids": list(within.scope_ids),
        "episode_id": within.episode_id,
        "other_than_episode": within.other_than_episode,
        "min_confidence": within.min_confidence,
        "filter": within.filter,
        "moment": within.moment,
        "occurred_by": within.occurred_by,
    }
