"""Txtai, words and vectors, one index per unit. Arguments: the store's folder, the vectors."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from txtai.embeddings import Embeddings  # pyright: ignore[reportMissingImports]

from harness.driver import Doc, serve_store
from harness.vectors import KnownVectors


class Txtai:
    """Its hybrid index with the texts kept: BM25 and Faiss, fused by txtai."""

    note = "hybrid, content kept; in memory until it is saved, which is not in the cost of an add"

    def __init__(self, folder: Path, vectors: KnownVectors) -> None:
        self._folder = folder
        self._vectors = vectors
        self._indexes: dict[str, Any] = {}

    def add(self, unit: str, docs: Sequence[Doc]) -> None:
        """Add to the unit's index; it makes no difference whether it is the first time."""
        self._index(unit).upsert([(doc["id"], doc["text"], None) for doc in docs])

    def search(self, unit: str, question: str, limit: int) -> list[str]:
        # Without SQL around it, a question's quotes and brackets mean nothing.
        return [hit["id"] for hit in self._index(unit).search(question, limit)]

    def flush(self) -> None:
        for at, index in enumerate(self._indexes.values()):
            index.save(str(self._folder / f"unit-{at}"))

    def _index(self, unit: str) -> Any:
        if unit not in self._indexes:
            self._indexes[unit] = Embeddings(
                method="external",
                # It calls what is not a plain function, and expects a function from it.
                transform=lambda texts: self._vectors.embed(texts),
                hybrid=True,
                content=True,
            )
        return self._indexes[unit]


if __name__ == "__main__":
    serve_store(Txtai, packages=["txtai", "faiss-cpu"])
