"""Mem0 beside the assistant's tools. Arguments: the store's folder, the table of vectors."""

import hashlib
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mem0.utils.lemmatization import lemmatize_for_bm25  # pyright: ignore[reportMissingImports]

from drivers.mem0 import Mem0
from harness.driver import Doc, serve_store
from harness.vectors import KnownVectors


class FilledMem0(Mem0):
    """The same program with a quicker way to fill it, for stores of many thousands."""

    note = (
        f"{Mem0.note}. An add embeds the text, writes a point into Qdrant's local store and a row "
        "into a history in SQLite, each with a commit of its own; it looks for no duplicate. The "
        "store is filled by `vector_store.insert` in batches, with the fields that `add` writes; "
        "the adds that are measured are calls of `add`"
    )

    def __init__(self, folder: Path, vectors: KnownVectors) -> None:
        super().__init__(folder, vectors)
        self._vectors = vectors
        self._checked = False

    def load(self, unit: str, docs: Sequence[Doc]) -> None:
        """Insert what `add` would, in one batch."""
        if not self._checked:
            first, *docs = docs
            self._check_fields(unit, first)
        ids = [str(uuid.uuid4()) for _ in docs]
        fields = [_fields(unit, doc) for doc in docs]
        vectors = self._vectors.lists([doc["text"] for doc in docs])
        self._memory.vector_store.insert(vectors=vectors, ids=ids, payloads=fields)
        self._memory.db.batch_add_history(
            [
                {
                    "memory_id": memory,
                    "new_memory": payload["data"],
                    "event": "ADD",
                    "created_at": payload["created_at"],
                    "updated_at": payload["updated_at"],
                    "role": payload["role"],
                }
                for memory, payload in zip(ids, fields, strict=True)
            ]
        )

    def _check_fields(self, unit: str, doc: Doc) -> None:
        """Add one text by `add` and see that the others get the same fields."""
        self.add(unit, [doc])
        [[kept, *_]] = [self._memory.vector_store.list(filters={"user_id": unit}, top_k=1)[0]]
        moments = {"created_at", "updated_at"}
        true, made = kept.payload, _fields(unit, doc)
        if true.keys() != made.keys() or any(
            true[key] != made[key] for key in true.keys() - moments
        ):
            raise RuntimeError(f"mem0 writes {true}, and the filling would write {made}")
        self._checked = True


def _fields(unit: str, doc: Doc) -> dict[str, Any]:
    moment = datetime.now(UTC).isoformat()
    return {
        "doc": doc["id"],
        "user_id": unit,
        "role": "user",
        "data": doc["text"],
        "hash": hashlib.md5(doc["text"].encode(), usedforsecurity=False).hexdigest(),
        "created_at": moment,
        "updated_at": moment,
        "text_lemmatized": lemmatize_for_bm25(doc["text"]),
    }


if __name__ == "__main__":
    serve_store(FilledMem0, packages=["mem0ai", "qdrant-client"], embeds=True)
