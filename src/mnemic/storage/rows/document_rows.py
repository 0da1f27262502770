"""What search knows of a memory: its terms and its vector, under a number of their own."""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

import numpy as np

from mnemic.records.filters import Path
from mnemic.search.index_queries import Trait, Vector
from mnemic.search.terms import hash_term, pack_terms
from mnemic.storage.database import Database
from mnemic.storage.timestamps import to_micros


@dataclass(frozen=True, slots=True)
class Embedded:
    """A vector and the number of the model that made it."""

    model_id: int
    vector: Vector


@dataclass(frozen=True, slots=True)
class Traits:
    """What search knows of a text besides its terms: by whom and when it was said, what kind of
    text it is, how many words tell something, and how many terms are the text's own, not its
    context's.
    """

    speaker: str | None
    said_at: datetime
    traits: Trait
    telling: int
    own_terms: int


@dataclass(frozen=True, slots=True)
class Unembedded:
    """A document that a model has not seen yet, and what was said just before it in its run."""

    doc: int
    scope_id: int
    content: str
    context: Mapping[str, Any]
    before: str | None
    before_context: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TextPlace:
    """Where a passage stands: from which character to which, and in which message of a turn, where
    it is not of a memory.
    """

    first: int
    last: int
    turn_id: str | None = None
    version: int | None = None
    position: int | None = None


@dataclass(frozen=True, slots=True)
class NewDocument:
    """What is to be found: the terms of a text, its traits and its vector.

    `thread` names the run in which it was said: what stands next to it there helps to find it.
    `own` are the terms of its text, without those of its context. A long text is its beginning,
    with the passages that follow; each knows its place then.
    """

    terms: Mapping[str, int]
    scope_id: int
    thread: str | None
    traits: Traits
    embedded: Embedded | None
    own: Collection[str] = ()
    place: TextPlace | None = None
    passages: "tuple[NewDocument, ...]" = ()


def add(db: Database, new: Sequence[NewDocument]) -> list[int]:
    """Make texts findable, and return their numbers, ascending within a scope."""
    counts: Counter[int] = Counter()
    for one in new:
        counts[one.scope_id] += 1 + len(one.passages)
    taken = {scope_id: _ticks(db, scope_id, count) for scope_id, count in counts.items()}
    docs: list[int] = []
    entries: list[_Entry] = []
    for one in new:
        doc = next(taken[one.scope_id])
        docs.append(doc)
        entries.append(_Entry(doc, None, one))
        entries += (
            _Entry(next(taken[one.scope_id]), doc, replace(passage, scope_id=one.scope_id))
            for passage in one.passages
        )
    db.many(
        "document_add", [document_values(entry.doc, entry.new, entry.head) for entry in entries]
    )
    vectors = [
        _vector_values(entry.doc, entry.new.scope_id, entry.new.embedded)
        for entry in entries
        if entry.new.embedded is not None
    ]
    if vectors:
        db.many("vector_put", vectors)
    places = [
        {"doc": entry.doc, **asdict(entry.new.place)}
        for entry in entries
        if entry.new.place is not None
    ]
    if places:
        db.many("passage_add", places)
    return docs


def copy(db: Database, wanted: Sequence[tuple[int, int]]) -> list[int]:
    """Make texts that are findable so in other scopes, too, by the numbers of their documents and
    of the scopes; return their new numbers. Nothing is read or embedded again.
    """
    parts: dict[int, list[int]] = {}
    for row in db.all("documents_headed", docs=[like for like, _ in wanted]):
        parts.setdefault(row["head"], []).append(row["doc"])
    counts: Counter[int] = Counter()
    for like, scope_id in wanted:
        counts[scope_id] += 1 + len(parts.get(like, ()))
    taken = {scope_id: _ticks(db, scope_id, count) for scope_id, count in counts.items()}
    docs: list[int] = []
    rows: list[dict[str, object]] = []
    for like, scope_id in wanted:
        head = next(taken[scope_id])
        docs.append(head)
        placed: dict[str, object] = {"scope_id": scope_id}
        rows.append({**placed, "doc": head, "like": like, "head": None})
        rows += (
            {**placed, "doc": next(taken[scope_id]), "like": part, "head": head}
            for part in parts.get(like, ())
        )
    db.many("document_copy", rows)
    named = ("doc", "like", "scope_id")
    if db.keeps_vectors:
        db.many("vector_copy", [{name: row[name] for name in named} for row in rows])
    if parts:
        db.many("passage_copy", [{"doc": row["doc"], "like": row["like"]} for row in rows])
    return docs


def retire(db: Database, doc: int, *, scope_id: int) -> bool:
    """Make a text unfindable, with its passages; tell whether it could be found until now."""
    gone = [row["doc"] for row in db.all("document_retire", doc=doc, seq=_tick(db, scope_id))]
    if db.keeps_vectors:
        db.run("vectors_drop", docs=gone)
    if len(gone) > 1:
        db.run("passages_drop", docs=gone)
    return bool(gone)


def retire_said(db: Database, turn_ids: Sequence[str], *, scope_id: int) -> None:
    """Make what was said in turns unfindable."""
    seq, given = _tick(db, scope_id), list(turn_ids)
    gone = [row["doc"] for row in db.all("documents_said_retire", turn_ids=given, seq=seq)]
    if gone:
        if db.keeps_vectors:
            db.run("vectors_drop", docs=gone)
        db.run("passages_drop", docs=gone)


def find_model(db: Database, name: str) -> int | None:
    """Return a model's number; None where the store holds no vector of it."""
    row = db.one("model_find", name=name)
    return None if row is None else row["id"]


def ensure_model(db: Database, name: str, dimensions: int) -> int:
    """Return a model's number; it is made on first use."""
    found = find_model(db, name)
    if found is not None:
        return found
    db.write(lambda: db.run("model_add", name=name, dimensions=dimensions))
    return db.only("model_find", name=name)["id"]


def missing_vectors(db: Database, model_id: int, *, after: int, limit: int) -> list[Unembedded]:
    """Return documents that a model has not embedded, oldest first."""
    rows = db.all("vectors_missing", model_id=model_id, after=after, limit=limit)
    return [
        Unembedded(
            row["doc"],
            row["scope_id"],
            row["content"],
            json.loads(row["context"]),
            row["before"],
            json.loads(row["before_context"] or "{}"),
        )
        for row in rows
    ]


def last_number(db: Database) -> int:
    """Return the largest number that a document has; 0 where there is none."""
    return db.only("document_last")["doc"] or 0


def count_missing_vectors(db: Database, model_id: int) -> int:
    """Return how many documents a model has not embedded."""
    return db.only("vectors_missing_count", model_id=model_id)["missing"]


def count_without_vectors(db: Database) -> int:
    """Return how many documents of the account have no vector of any model."""
    return db.only("vectors_none_count")["missing"]


def context_values(db: Database, docs: Sequence[int], path: Path) -> dict[int, str]:
    """Return the JSON text at a path of the contexts of some documents, where there is anything."""
    rows = db.all("context_values", docs=list(docs), path=path)
    return {row["doc"]: text for row in rows if (text := row["value"]) is not None}


def put_vectors(db: Database, texts: Sequence[Unembedded], embedded: Sequence[Embedded]) -> None:
    """Add vectors that came later than their texts; caches are told to look again."""
    for text, one in zip(texts, embedded, strict=True):
        if db.run("document_touch", doc=text.doc, seq=_tick(db, text.scope_id)):
            db.run("vector_put", **_vector_values(text.doc, text.scope_id, one))


def _tick(db: Database, scope_id: int) -> int:
    return db.only("clock_tick", scope_id=scope_id)["seq"]


def _ticks(db: Database, scope_id: int, count: int) -> Iterator[int]:
    ranges = db.all("clock_ticks", scope_id=scope_id, count=count)
    return (number for one in ranges for number in range(one["first"], one["last"] + 1))


@dataclass(frozen=True, slots=True)
class _Entry:
    """A document with its number, and that of the beginning of its text."""

    doc: int
    head: int | None
    new: NewDocument


def document_values(doc: int, new: NewDocument, head: int | None = None) -> dict[str, object]:
    """Return the row under which search finds a text, by column."""
    traits = new.traits
    return {
        "doc": doc,
        "scope_id": new.scope_id,
        "head": head,
        "thread": None if new.thread is None else hash_term(new.thread),
        "terms": pack_terms(new.terms),
        "own_terms": traits.own_terms,
        "speaker": traits.speaker,
        "said_at": to_micros(traits.said_at),
        "traits": int(traits.traits),
        "telling": traits.telling,
    }


def _vector_values(doc: int, scope_id: int, embedded: Embedded) -> dict[str, object]:
    return {
        "doc": doc,
        "scope_id": scope_id,
        "model_id": embedded.model_id,
        "data": embedded.vector.astype(np.float16),
    }
