"""The three that are measured beside each other, each through the calls that its users make."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

import mnemic
from mnemic import opening
from mnemic.engine.query import Query
from mnemic.filters import parse_filter
from mnemic.providers.embedder import Embedder, EmbedderSource
from mnemic.records import Draft, Scope
from postgres_baseline import Baseline, Note
from postgres_stock import embedded
from recall_stock import Question, Row

SQLITE: Final = "sqlite"
POSTGRES: Final = "postgres"
ANY_WORD: Final = "baseline, any word"
ALL_WORDS: Final = "baseline, all words"
CONTESTANTS: Final = (SQLITE, POSTGRES, ANY_WORD, ALL_WORDS)
TOP: Final = 10
_DEPTH: Final = 100
# As many at a time as PostgreSQL's users send, and as learn_many is called with.
_BATCH: Final = 2_000

Found = tuple[str, Mapping[str, Any]]
"""The text of a memory and its context."""


class Contestant(Protocol):
    """A store under trial."""

    def load(self, rows: Sequence[Row]) -> None:
        """Fill an empty store."""
        ...

    def insert(self, row: Row, *, dedup: bool) -> None:
        """Store one memory for good."""
        ...

    def insert_many(self, rows: Sequence[Row]) -> None:
        """Store many for good, without looking for duplicates."""
        ...

    def recall(self, question: Question) -> list[Found]:
        """Return the best ten."""
        ...

    def closest(self, question: Question) -> tuple[list[Found], NDArray[np.float32]]:
        """Return the closest ten by vectors alone, and the question's vector."""
        ...

    def close(self) -> None:
        """Let go of the store."""
        ...


class Mnemic:
    """Mnemic, on whichever backend its address names."""

    def __init__(self, where: str, embedder: Embedder, clients: int) -> None:
        self._watched = _Watched(embedder)
        source = EmbedderSource(spec="default", load=lambda: self._watched)
        opening.choose_embedder = lambda spec, **options: source
        self.memory = mnemic.open(where, pool_size=clients)

    def load(self, rows: Sequence[Row]) -> None:
        """Fill an empty store."""
        for start in range(0, len(rows), _BATCH):
            self.insert_many(rows[start : start + _BATCH])

    def insert(self, row: Row, *, dedup: bool) -> None:
        """Store one memory for good."""
        self.memory.remember(_draft(row, dedup=dedup))

    def insert_many(self, rows: Sequence[Row]) -> None:
        """Store many, without looking for duplicates."""
        self.memory.remember_many([_draft(row, dedup=False) for row in rows])

    def recall(self, question: Question) -> list[Found]:
        """Return the best ten."""
        hits = self.memory.recall(_query(question, limit=TOP)).hits
        return [(hit.memory.content, hit.memory.context) for hit in hits]

    def closest(self, question: Question) -> tuple[list[Found], NDArray[np.float32]]:
        """Return the closest ten by vectors alone, and the question's vector."""
        # Signals move hits: what the channel of vectors found is told by its own ranks.
        hits = self.memory.recall(_query(question, limit=_DEPTH, mode="vec_only")).hits
        best = [hit.memory for hit in hits if 0 < (hit.vector_rank or 0) <= TOP]
        return [(one.content, one.context) for one in best], self._watched.last

    def close(self) -> None:
        """Let go of the store."""
        self.memory.close()


class ByHand:
    """The hand-written baseline."""

    def __init__(self, where: str, embedder: Embedder, clients: int, *, any_word: bool) -> None:
        self._embedder = embedder
        self._notes = Baseline(where, words="any" if any_word else "all", clients=clients)

    def load(self, rows: Sequence[Row]) -> None:
        """Fill an empty store."""
        self._notes.make()
        for start in range(0, len(rows), _BATCH):
            self.insert_many(rows[start : start + _BATCH])
        self._notes.index()

    def insert(self, row: Row, *, dedup: bool) -> None:
        """Store one memory for good."""
        if dedup:
            raise ValueError("The baseline looks for no duplicates.")
        self._notes.add(self._noted([row])[0])

    def insert_many(self, rows: Sequence[Row]) -> None:
        """Store many, without looking for duplicates."""
        self._notes.load(self._noted(rows))

    def recall(self, question: Question) -> list[Found]:
        """Return the best ten."""
        [vector] = self._embedder.embed([question.text])
        found = self._notes.search(
            question.text, vector, scope=question.scope, where=question.filter, limit=TOP
        )
        return [(content, meta) for _, content, meta in found]

    def closest(self, question: Question) -> tuple[list[Found], NDArray[np.float32]]:
        """Return the closest ten by vectors alone, and the question's vector."""
        [vector] = self._embedder.embed([question.text])
        found = self._notes.closest(vector, scope=question.scope, where=question.filter, limit=TOP)
        return [(content, meta) for _, content, meta in found], vector

    def close(self) -> None:
        """Let go of the store."""
        self._notes.close()

    def _noted(self, rows: Sequence[Row]) -> list[Note]:
        vectors = self._embedder.embed([embedded(row.text, row.context) for row in rows])
        return [
            (row.scope, row.text, row.context, vector)
            for row, vector in zip(rows, vectors, strict=True)
        ]


class _Watched:
    """An embedder whose last answer can be asked for."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.name = embedder.name
        self.dimensions = embedder.dimensions
        self.multilingual = embedder.multilingual
        self.last: NDArray[np.float32] = np.zeros(embedder.dimensions, np.float32)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = self._embedder.embed(texts)
        self.last = rows[-1]
        return rows

    def close(self) -> None:
        self._embedder.close()


def opened(name: str, where: str, embedder: Embedder, *, clients: int = 1) -> Contestant:
    """Open the store of a contestant for so many callers at a time."""
    if name in (SQLITE, POSTGRES):
        return Mnemic(where, embedder, clients)
    return ByHand(where, embedder, clients, any_word=name == ANY_WORD)


def _draft(row: Row, *, dedup: bool) -> Draft:
    return Draft(row.text, Scope("collection", row.scope), context=row.context, dedup=dedup)


def _query(one: Question, *, limit: int, mode: str | None = None) -> Query:
    return Query(
        one.text,
        scopes=(Scope("collection", one.scope),),
        limit=limit,
        filter=parse_filter(one.filter),
        mode=mode or one.mode,  # pyright: ignore[reportArgumentType]
    )
