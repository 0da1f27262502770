"""Fill a large store: one process writes and embeds the texts, this one stores them."""

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

import mnemic
from mnemic import opening
from mnemic.engine.context_words import embedding_text
from mnemic.providers.embedder import Embedder
from mnemic.records import Draft, Scope
from recall_stock import Row, rows
from standin import choose

BATCH: Final = 2_000
_AHEAD: Final = 4

Vectors = NDArray[np.float32]
Batch = tuple[list[Row], Vectors | None]


def fill(database: Path, embedder: str, size: int, seed: int) -> Iterator[int]:
    """Store the memories in bulk, without looking for duplicates; yield how many are in."""
    given: dict[str, NDArray[np.float32]] = {}

    def choose_given(spec: str, **options: str | None) -> object:
        source = choose(spec, **options)
        return source and replace(source, load=lambda: _Given(source.load(), given))

    opening.choose_embedder = choose_given
    stored = 0
    with mnemic.open(database, embedder=embedder, durability="off") as memory:
        for batch, vectors in _batches(embedder, size, seed):
            given.clear()
            if vectors is not None:
                given.update(zip(map(_embedded, batch), vectors, strict=True))
            memory.remember_many([_draft(row) for row in batch])
            stored += len(batch)
            yield stored


class _Given:
    """The vectors that the other process made; any other text is embedded here."""

    def __init__(self, embedder: Embedder, given: dict[str, NDArray[np.float32]]) -> None:
        self._embedder = embedder
        self._given = given
        self.name = embedder.name
        self.dimensions = embedder.dimensions
        self.multilingual = embedder.multilingual

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row per text."""
        if all(text in self._given for text in texts):
            return np.stack([self._given[text] for text in texts])
        return self._embedder.embed(texts)

    def close(self) -> None:
        """Close the embedder."""
        self._embedder.close()


def _batches(embedder: str, size: int, seed: int) -> Iterator[Batch]:
    with ProcessPoolExecutor(
        1,
        # A fork of a process that runs threads may hang.
        mp_context=get_context("spawn"),
        initializer=_start,
        initargs=(embedder, size, seed),
    ) as worker:
        waiting = deque(worker.submit(_next_batch) for _ in range(_AHEAD))
        while (batch := waiting.popleft().result())[0]:
            waiting.append(worker.submit(_next_batch))
            yield batch


class _Source:
    """What the other process goes on with from batch to batch."""

    rows: Iterator[Row] = iter(())
    embedder: Embedder | None = None


def _start(embedder: str, size: int, seed: int) -> None:
    _Source.rows = rows(size, seed)
    chosen = choose(embedder)
    _Source.embedder = chosen.load() if chosen else None


def _next_batch() -> Batch:
    batch = list(islice(_Source.rows, BATCH))
    if _Source.embedder is None or not batch:
        return batch, None
    return batch, _Source.embedder.embed([_embedded(row) for row in batch])


def _embedded(row: Row) -> str:
    """Return the text that the engine will want to be embedded."""
    return embedding_text(row.text, row.context, None)


def _draft(row: Row) -> Draft:
    scope = Scope("collection", row.scope)
    return Draft(row.text, scope, context=row.context, dedup=False)
