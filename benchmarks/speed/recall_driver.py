"""Mnemic's recall over a loaded store, in a process of its own. Arguments: folder, embedder."""

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, Final

import apsw
import numpy as np

import mnemic
from harness.driver import serve
from harness.embedders import Recorder
from harness.measure import folder_bytes
from harness.results import progress
from harness.vectors import Vectors
from mnemic.records.memory import Draft, Scope
from speed.recall_workload import EVERYWHERE, TOP, Question, Row, rows

_BATCH: Final = 2_000
_DEPTH: Final = 100
_ROUNDING: Final = 1e-5
_STEP: Final = 20_000
_VECTORS: Final = """
    select v.data
      from memory m
      join scope s on s.id = m.scope_id
      join vector v on v.doc = m.doc
     where m.status = 'active' and s.name = ?
"""


class RecallDriver:
    """What `recall.py` asks for; the store is opened by the first call that needs it."""

    def __init__(self, folder: str, embedder: str) -> None:
        self._folder, self._embedder = Path(folder), embedder
        self._database = self._folder / "memory.db"
        self.embedding = Recorder()

    @cached_property
    def _memory(self) -> mnemic.OpenMemory:
        return mnemic.open(self._database, embedder=self._embedder)

    def load(self, size: int, seed: int) -> int:
        """Fill a store in bulk, without looking for duplicates; return its bytes."""
        for stored in fill(self._database, self._embedder, size, seed):
            if stored % (25 * _BATCH) == 0:
                progress(f"{stored:,} of {size:,}")
        return folder_bytes(self._folder)

    def recall(self, question: dict[str, Any]) -> int:
        return len(self._memory.recall(Question(**question).query()).hits)

    def explain(self, question: dict[str, Any]) -> dict[str, float]:
        """Return the CPU time of each stage of a recall."""
        explanation = self._memory.recall(Question(**question).query(explain=True)).explanation
        return {stage.name: stage.cpu_ms for stage in (explanation.stages if explanation else ())}

    def learn(self, text: str, context: dict[str, Any]) -> bool:
        """Learn a text; return whether it was new."""
        draft = Draft(text, Scope("collection", EVERYWHERE), context=context)
        return self._memory.remember(draft).duplicate is None

    def find(self, text: str) -> bool:
        hits = self._memory.recall(Question(text).query()).hits
        return any(text in hit.memory.content for hit in hits)

    def close(self) -> None:
        """Close the store; what it keeps to open faster may be written here."""
        self._memory.close()

    def cosine(self, questions: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Return which share of the true best by cosine recall finds, over every stored vector."""
        cosines: list[list[float]] = []
        vectors: list[Any] = []
        for question in questions:
            # Signals move hits: what the vector channel found is known by its own ranks.
            asked = replace(Question(**question), mode="vec_only")
            hits = self._memory.recall(asked.query(limit=_DEPTH)).hits
            if self.embedding.last is not None:
                best = [hit for hit in hits if 0 < (hit.vector_rank or 0) <= TOP]
                cosines.append([hit.cosine or 0.0 for hit in best])
                vectors.append(self.embedding.last)
        if not cosines:
            return {"questions": 0, "recall": None}
        true = nearest(self._database, vectors, scope=EVERYWHERE, limit=TOP)
        # Of several that are equally close, any will do.
        shares = [
            sum(cosine >= best[-1] - _ROUNDING for cosine in found) / len(best)
            for found, best in zip(cosines, true, strict=True)
        ]
        return {"questions": len(shares), "recall": sum(shares) / len(shares)}


def fill(database: Path, embedder: str, size: int, seed: int) -> Iterator[int]:
    """Store the memories in bulk, without looking for duplicates; yield how many are in."""
    stored, waiting = 0, rows(size, seed)
    with mnemic.open(database, embedder=embedder, durability="off") as memory:
        while batch := list(islice(waiting, _BATCH)):
            memory.remember_many([_draft(row) for row in batch])
            stored += len(batch)
            yield stored


def _draft(row: Row) -> Draft:
    return Draft(row.text, Scope("collection", row.scope), context=row.context, dedup=False)


def nearest(
    database: Path, questions: Sequence[Vectors], *, scope: str, limit: int
) -> list[list[float]]:
    """Return, for each question's vector, the cosines of the closest memories of a scope.

    Every stored vector is read and compared.
    """
    asked = np.stack(questions).astype(np.float32)
    kept: list[list[float]] = [[] for _ in questions]
    connection = apsw.Connection(str(database), flags=apsw.SQLITE_OPEN_READONLY)
    cursor = connection.execute(_VECTORS, (scope,))
    while rows := list(islice(cursor, _STEP)):
        blobs = b"".join(bytes(data) for (data,) in rows)
        cosines = np.frombuffer(blobs, "<f2").reshape(len(rows), -1).astype(np.float32) @ asked.T
        for at, column in enumerate(cosines.T):
            top = np.partition(column, max(0, len(rows) - limit))[-limit:]
            kept[at] = heapq.nlargest(limit, kept[at] + top.tolist())
    connection.close()
    return kept


if __name__ == "__main__":
    serve(RecallDriver)
