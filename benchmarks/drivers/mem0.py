"""Mem0 without a language model, one user per unit. Arguments: the folder, the vectors."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mem0 import Memory  # pyright: ignore[reportMissingImports]
from mem0.embeddings.base import EmbeddingBase  # pyright: ignore[reportMissingImports]

from harness.driver import Doc, serve_store
from harness.vectors import DIMENSIONS, KnownVectors


class _KnownEmbeddings(EmbeddingBase):
    """The vectors that every program gets."""

    def __init__(self, vectors: KnownVectors) -> None:
        super().__init__()
        self._vectors = vectors

    def embed(self, text: str, memory_action: Any = None) -> list[float]:
        return self._vectors.lists([text])[0]


class Mem0:
    """Its open-source package over Qdrant on disk, `infer=False`."""

    note = (
        "Qdrant on disk, infer=False; dense only, because its keyword search needs fastembed and "
        "a model that is downloaded"
    )

    def __init__(self, folder: Path, vectors: KnownVectors) -> None:
        # It wants to know a language model, which infer=False never asks.
        unused = {"provider": "openai", "config": {"api_key": "unused"}}
        store = {"path": str(folder / "qdrant"), "on_disk": True}
        self._memory: Any = Memory.from_config(  # pyright: ignore[reportAttributeAccessIssue]
            {
                "llm": unused,
                "embedder": unused,
                "vector_store": {
                    "provider": "qdrant",
                    "config": {**store, "embedding_model_dims": DIMENSIONS},
                },
                "history_db_path": str(folder / "history.db"),
            }
        )
        self._memory.embedding_model = _KnownEmbeddings(vectors)

    def add(self, unit: str, docs: Sequence[Doc]) -> None:
        """Add each text as a message of the unit's user."""
        for doc in docs:
            message = {"role": "user", "content": doc["text"]}
            self._memory.add([message], user_id=unit, metadata={"doc": doc["id"]}, infer=False)

    def search(self, unit: str, question: str, limit: int) -> list[str]:
        """Search among the unit's memories; nothing is cut off for a low score."""
        hits = self._memory.search(question, filters={"user_id": unit}, top_k=limit, threshold=0.0)
        return [hit["metadata"]["doc"] for hit in hits["results"]]


if __name__ == "__main__":
    serve_store(Mem0, packages=["mem0ai", "qdrant-client"])
