"""One contestant of the PostgreSQL benchmark, through the calls that its users make.

All get the memories and questions of `recall.py`. Every text is embedded once, by the default
embedder of Mnemic or by the stand-in, and looked up afterwards: what a call costs here is what
storing and finding cost.

Arguments: the contestant, its address, files of vectors with commas between (none for the
stand-in), and the store's size and seed.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cached_property
from itertools import chain, count, cycle
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, Final

import numpy as np

import mnemic
from harness import embedders
from harness.driver import serve
from harness.vectors import KnownVectors, TimedEmbedder, Vectors, table_of
from mnemic.records.memory import Draft, Scope
from postgresql.baseline import Baseline, Found
from speed.recall_workload import EVERYWHERE, TOP, Question, Row, embedding_text_of, rows

SQLITE: Final = "sqlite"
POSTGRES: Final = "postgres"
ANY_WORD: Final = "baseline, any word"
ALL_WORDS: Final = "baseline, all words"
CONTESTANTS: Final = (SQLITE, POSTGRES, ANY_WORD, ALL_WORDS)
_DEPTH: Final = 100
# As many at a time as PostgreSQL's users send, and as learn_many is called with.
_BATCH: Final = 2_000
_ROUNDING: Final = 1e-5
_LESSONS: Final = 2_000


def lessons(seed: int) -> list[Row]:
    """Return what is inserted while it is measured; no text of it is in the store."""
    return [replace(row, scope=EVERYWHERE) for row in rows(_LESSONS, seed + 100)]


def vectors_of_store(size: int, seed: int) -> Path:
    """Return the file of the vectors of all memories."""
    return table_of(map(embedding_text_of, rows(size, seed)))


def vectors_of_calls(seed: int, kinds: dict[str, list[Question]]) -> Path:
    """Return the file of the vectors that calls need once the store is loaded."""
    asked = (question.text for questions in kinds.values() for question in questions)
    return table_of(chain(map(embedding_text_of, lessons(seed)), asked))


class MnemicStore:
    """Mnemic, on whichever backend its address names."""

    def __init__(self, url: str, embedder: TimedEmbedder, clients: int) -> None:
        self._embedder = embedder
        embedders.use(embedder)
        self._memory = mnemic.open(url, pool_size=clients)

    def load(self, stock: Sequence[Row]) -> None:
        for start in range(0, len(stock), _BATCH):
            self.insert_many(stock[start : start + _BATCH])

    def insert(self, row: Row, *, dedup: bool = True) -> None:
        self._memory.remember(_draft(row, dedup=dedup))

    def insert_many(self, given: Sequence[Row]) -> None:
        self._memory.remember_many([_draft(row, dedup=False) for row in given])

    def recall(self, question: Question) -> list[Found]:
        hits = self._memory.recall(question.query()).hits
        return [(hit.memory.content, dict(hit.memory.context)) for hit in hits]

    def closest(self, question: Question) -> tuple[list[Found], Vectors]:
        """Return the closest ten by vectors alone, and the question's vector."""
        # Signals move hits: what the vector channel found is known by its own ranks.
        hits = self._memory.recall(question.query(limit=_DEPTH, mode="vec_only")).hits
        best = [hit.memory for hit in hits if 0 < (hit.vector_rank or 0) <= TOP]
        vector = self._embedder.last
        if vector is None:
            raise RuntimeError("the question was not embedded")
        return [(memory.content, dict(memory.context)) for memory in best], vector


def _draft(row: Row, *, dedup: bool) -> Draft:
    return Draft(row.text, Scope("collection", row.scope), context=row.context, dedup=dedup)


class ContestantDriver:
    """What `postgres.py` asks for; the store is opened by the first call that needs it."""

    def __init__(self, name: str, url: str, tables: str, size: str, seed: str) -> None:
        paths = [Path(table) for table in tables.split(",") if table]
        self.embedding = KnownVectors(*paths) if paths else embedders.WordMeans()
        self._name, self._url = name, url
        self._size, self._seed = int(size), int(seed)
        self._clients = 1

    @cached_property
    def _store(self) -> MnemicStore | Baseline:
        if self._name in (SQLITE, POSTGRES):
            return MnemicStore(self._url, self.embedding, self._clients)
        words = "any" if self._name == ANY_WORD else "all"
        return Baseline(self._url, self.embedding, words=words, clients=self._clients)

    def make(self) -> None:
        self._store.load([])

    def load(self) -> None:
        self._store.load(list(rows(self._size, self._seed)))

    def recall(self, question: dict[str, Any]) -> int:
        return len(self._store.recall(Question(**question)))

    def insert(self, row: dict[str, Any], dedup: bool) -> None:  # noqa: FBT001 - comes as JSON
        self._store.insert(Row(**row), dedup=dedup)

    def insert_many(self, given: Sequence[dict[str, Any]]) -> None:
        self._store.insert_many([Row(**row) for row in given])

    def closest(self, questions: Sequence[dict[str, Any]]) -> float:
        """Return which share of the true best ten by cosine is found; of equals any will do."""
        stock = list(rows(self._size, self._seed))
        vectors = self.embedding.embed([embedding_text_of(row) for row in stock])
        shares: list[float] = []
        for asked in (Question(**question) for question in questions):
            best, vector = self._store.closest(asked)
            wanted = (asked.filter or {}).items()
            passing = [
                at
                for at, row in enumerate(stock)
                if row.scope == asked.scope and wanted <= row.context.items()
            ]
            true = np.sort(vectors[passing] @ vector)[-TOP:]
            if len(true):
                found = [embedding_text_of(Row(text, "", context)) for text, context in best]
                cosines = self.embedding.embed(found) @ vector if found else np.zeros(0)
                shares.append(float((cosines >= true[0] - _ROUNDING).sum()) / len(true))
        return sum(shares) / len(shares)

    def start_clients(self, threads: int, questions: Sequence[dict[str, Any]]) -> None:
        """Get ready to recall from so many threads, or without questions, to insert."""
        self._clients = threads
        call = self._recalls(questions) if questions else self._inserts()
        self._pool, self._call = ThreadPoolExecutor(threads), call
        # Every question is embedded, then every connection made.
        for _ in questions:
            call(0)
        list(self._pool.map(call, range(threads)))

    def run_clients(self, seconds: float) -> dict[str, Any]:
        """Call from all threads for some seconds."""
        threads = self._pool._max_workers
        started, cpu = perf_counter(), process_time()
        walls = self._pool.map(lambda at: _until(started + seconds, self._call, at), range(threads))
        every = [wall for own in walls for wall in own]
        spent = {"seconds": perf_counter() - started, "cpu_ms": (process_time() - cpu) * 1000}
        return {"wall_ms": every, **spent}

    def _recalls(self, questions: Sequence[dict[str, Any]]) -> Callable[[int], object]:
        turns = cycle([Question(**question) for question in questions])
        return lambda _: self._store.recall(next(turns))

    def _inserts(self) -> Callable[[int], object]:
        """Each client writes to a scope of its own, as the robots of a fleet do."""
        given, numbers = lessons(self._seed), count()

        def insert(thread: int) -> None:
            at = next(numbers)
            # A scope meets each text once, whatever the process and its turn.
            scope = f"robot-{os.getpid()}-{thread}-{at // len(given)}"
            self._store.insert(replace(given[at % len(given)], scope=scope))

        return insert


def _until(end: float, call: Callable[[int], object], thread: int) -> list[float]:
    walls: list[float] = []
    while (started := perf_counter()) < end:
        call(thread)
        walls.append((perf_counter() - started) * 1000)
    return walls


if __name__ == "__main__":
    serve(ContestantDriver)
