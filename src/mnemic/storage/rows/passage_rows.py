"""Where passages stand: in which memory or message, and from which character to which."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from mnemic.records.conversation import ChatRole
from mnemic.storage.database import Database
from mnemic.storage.timestamps import from_micros, maybe_micros

_NEVER: Final = 2**62
# In bytes: less than this is never too long for a passage.
_LONG: Final = 300


@dataclass(frozen=True, slots=True)
class SaidPassage:
    """A passage of a message: its words, who said them, and in which turn."""

    doc: int
    turn_id: str
    number: int
    position: int
    first: int
    last: int
    role: ChatRole
    name: str | None
    content: str


@dataclass(frozen=True, slots=True)
class UnsplitMemory:
    """A memory that may be too long for the one document under which it is found, or of which that
    holds the accents still; and where that document is searched.
    """

    id: int
    doc: int
    searched_in: int
    content: str
    context: Mapping[str, Any]
    episode_id: str | None
    said_at: datetime
    unfolded: bool


@dataclass(frozen=True, slots=True)
class UnsplitTurn:
    """A turn of which no passage is found, or one under words with their accents only."""

    scope_id: int
    session_id: str
    number: int
    id: str


def spans(db: Database, docs: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Return from which character of their texts to which some passages stand."""
    rows = db.all("passage_spans", docs=list(docs))
    return {row["doc"]: (row["first"], row["last"]) for row in rows}


def of_memory(db: Database, memory_id: int) -> list[tuple[int, int]]:
    """Return into which parts a memory's text was cut to be found; none where it is short."""
    rows = db.all("passages_of_memory", memory_id=memory_id)
    return [(row["first"], row["last"]) for row in rows]


def said(db: Database, docs: Sequence[int]) -> dict[int, SaidPassage]:
    """Return what some passages of messages say, by document."""
    rows = db.all("passages_said", docs=list(docs))
    return {row["doc"]: SaidPassage(**row) for row in rows}


def hidden(
    db: Database,
    scope_id: int,
    conversation_id: str,
    *,
    branch_id: str,
    window_start: int | None,
    as_of: datetime | None,
) -> frozenset[int]:
    """Return the documents of a session that are not to be found from a branch: of turns that are
    not along it, of those from a number on, and of what was said after a time.
    """
    rows = db.all(
        "passages_hidden",
        scope_id=scope_id,
        conversation_id=conversation_id,
        branch_id=branch_id,
        window_start=_NEVER if window_start is None else window_start,
        as_of=maybe_micros(as_of),
    )
    return frozenset(row["doc"] for row in rows)


def unsplit_memories(db: Database, *, limit: int) -> Iterator[list[UnsplitMemory]]:
    """Return what may be long and has no passages, in portions; it may get some meanwhile."""
    after = 0
    while rows := db.all("memories_unsplit", after=after, longer=_LONG, limit=limit):
        after = rows[-1]["doc"]
        yield [
            UnsplitMemory(
                id=row["id"],
                doc=row["doc"],
                searched_in=row["searched_in"],
                content=row["content"],
                context=json.loads(row["context"]),
                episode_id=row["episode_id"],
                said_at=from_micros(row["said_at"]),
                unfolded=bool(row["unfolded"]),
            )
            for row in rows
        ]


def unsplit_turns(db: Database, *, limit: int) -> Iterator[list[UnsplitTurn]]:
    """Return the turns of sessions of which nothing is found, each session in its order, in
    portions; it may be found meanwhile.
    """
    last = UnsplitTurn(0, "", 0, "")
    while rows := db.all(
        "turns_unsplit",
        after_scope=last.scope_id,
        after_number=last.number,
        after_id=last.id,
        limit=limit,
    ):
        turns = [UnsplitTurn(**row) for row in rows]
        last = turns[-1]
        yield turns
