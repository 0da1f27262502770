"""Mnemic, one scope per unit. Arguments: the store's folder, the table of vectors."""

from collections.abc import Sequence
from pathlib import Path

import mnemic
from harness import embedders
from harness.datasets import context_of
from harness.driver import Doc, serve_store
from harness.vectors import KnownVectors
from mnemic.records.memory import Draft, Scope
from mnemic.records.query import Query


class Mnemic:
    """The engine's own calls, on disk, as safe as it is by default."""

    note = "words and vectors, on disk, durability full; not looking for duplicates"

    def __init__(self, folder: Path, vectors: KnownVectors) -> None:
        embedders.use(vectors)
        self._memory = mnemic.open(folder / "memory.db")
        self._ids: dict[int, str] = {}
        self._episodes: dict[tuple[str, str], str] = {}

    def add(self, unit: str, docs: Sequence[Doc]) -> None:
        """Remember the texts with who said them and when, as far as that is known."""
        scope = Scope("collection", unit)
        drafts = [
            Draft(
                doc["text"],
                scope,
                context=context_of(doc),
                episode_id=self._episode(scope, doc),
                dedup=False,
            )
            for doc in docs
        ]
        for stored, doc in zip(self._memory.remember_many(drafts), docs, strict=True):
            self._ids[stored.memory.id] = doc["id"]

    def search(self, unit: str, question: str, limit: int) -> list[str]:
        query = Query(question, scopes=(Scope("collection", unit),), limit=limit)
        return [self._ids[hit.memory.id] for hit in self._memory.recall(query).hits]

    def _episode(self, scope: Scope, doc: Doc) -> str | None:
        if not (session := doc.get("session")):
            return None
        key = (scope.name, session)
        if key not in self._episodes:
            episode, *_ = self._memory.start_episode(scope, context={"began": doc.get("ts")})
            self._episodes[key] = episode.id
        return self._episodes[key]


if __name__ == "__main__":
    serve_store(Mnemic, packages=["mnemic"], embeds=True)
