"""Chroma, on disk, one collection per unit. Arguments: the store's folder, the vectors."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import chromadb  # pyright: ignore[reportMissingImports]
from chromadb.config import Settings  # pyright: ignore[reportMissingImports]

from harness.driver import Doc, serve_store
from harness.vectors import KnownVectors


class Chroma:
    """Dense vectors in its HNSW index, by cosine."""

    note = "PersistentClient, cosine"

    def __init__(self, folder: Path, vectors: KnownVectors) -> None:
        self._client = chromadb.PersistentClient(
            path=str(folder), settings=Settings(anonymized_telemetry=False)
        )
        self._vectors = vectors
        self._collections: dict[str, Any] = {}

    def add(self, unit: str, docs: Sequence[Doc]) -> None:
        """Add to the unit's collection, in one call."""
        texts = [doc["text"] for doc in docs]
        self._collection(unit).add(
            ids=[doc["id"] for doc in docs], documents=texts, embeddings=self._vectors.embed(texts)
        )

    def search(self, unit: str, question: str, limit: int) -> list[str]:
        vectors = self._vectors.embed([question])
        return self._collection(unit).query(query_embeddings=vectors, n_results=limit)["ids"][0]

    def _collection(self, unit: str) -> Any:
        if unit not in self._collections:
            self._collections[unit] = self._client.create_collection(
                f"unit-{len(self._collections)}",
                configuration={"hnsw": {"space": "cosine"}},
                embedding_function=None,
            )
        return self._collections[unit]


if __name__ == "__main__":
    serve_store(Chroma, packages=["chromadb"])
