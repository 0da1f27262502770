"""Robotmem, words only, one collection per unit. Arguments: the store's folder, the vectors."""

import json
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from robotmem.auto_classify import (  # pyright: ignore[reportMissingImports]
    build_context_json,
    classify_category,
    classify_tags,
    estimate_confidence,
)
from robotmem.ops import memories  # pyright: ignore[reportMissingImports]
from robotmem.sdk import RobotMemory  # pyright: ignore[reportMissingImports]

from harness.driver import Doc, serve_store

# It refuses a longer text.
_LONGEST: Final = 300


class Robotmem:
    """Its SDK, as a robot's program calls it."""

    note = (
        "words only, with jieba: its vectors need sqlite-vec, and this Python's sqlite3 loads no "
        "extensions; texts cut to the 300 characters that it takes; it looks for duplicates"
    )

    def __init__(self, folder: Path, vectors: object) -> None:
        self._memory = RobotMemory(db_path=folder / "memory.db", embed_backend="none")
        self._ids: dict[int, str] = {}

    def add(self, unit: str, docs: Sequence[Doc]) -> None:
        """Learn each text. What it takes for a duplicate it does not keep."""
        for doc in docs:
            learned = self._memory.learn(doc["text"][:_LONGEST], collection=unit)
            if learned["status"] == "created":
                self._ids[learned["memory_id"]] = doc["id"]

    def load(self, unit: str, docs: Sequence[Doc]) -> None:
        """Insert as its `learn` would: that reads the whole collection for every text."""
        connection = self._memory._db.conn
        with one_transaction():
            for doc in docs:
                row = row_of(doc["text"][:_LONGEST], {}, unit)
                self._ids[memories.insert_memory(connection, row)] = doc["id"]
        connection.commit()

    def search(self, unit: str, question: str, limit: int) -> list[str]:
        """Recall from the unit's collection; nothing is cut off for a low confidence."""
        hits = self._memory.recall(question, collection=unit, n=limit, min_confidence=0.0)
        return [self._ids[hit["id"]] for hit in hits if hit["id"] in self._ids]


@contextmanager
def one_transaction() -> Generator[None]:
    """Let its insert not commit: it does so row by row, and the caller commits them all."""
    committing = memories.safe_db_transaction
    memories.safe_db_transaction = lambda conn, write: (True, write(conn))
    try:
        yield
    finally:
        memories.safe_db_transaction = committing


def row_of(text: str, context: dict[str, Any], collection: str) -> dict[str, Any]:
    """Return what its `learn` would insert."""
    written = json.dumps(context, ensure_ascii=False)
    built = build_context_json(text, written)
    return {
        "collection": collection,
        "type": "fact",
        "content": text,
        "human_summary": text[:200],
        "context": built if isinstance(built, str) else json.dumps(built),
        "category": classify_category(text),
        "confidence": estimate_confidence(text, written),
        "source": "sdk",
        "scope": "project",
        "tags": classify_tags(text, written),
        "tag_source": "auto",
    }


if __name__ == "__main__":
    serve_store(Robotmem, packages=["robotmem"])
