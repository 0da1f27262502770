"""Robotmem, words only, one collection per unit. Arguments: the store's folder, the vectors."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from robotmem.ops import memories  # pyright: ignore[reportMissingImports]
from robotmem.sdk import RobotMemory  # pyright: ignore[reportMissingImports]
from speaking import Doc, Encoder, serve

from robotmem_driver import (  # pyright: ignore[reportMissingImports]
    inserting_at_once,
    row_of,
)

# It refuses a longer text.
_LONGEST: Final = 300


class Robotmem:
    """Its SDK, as a robot's program calls it."""

    note = (
        "words only, with jieba: its vectors need sqlite-vec, and this Python's sqlite3 loads no "
        "extensions; texts cut to the 300 characters that it takes; it looks for duplicates"
    )

    def __init__(self, folder: Path, encoder: Encoder) -> None:
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
        with inserting_at_once():
            for doc in docs:
                row = row_of(doc["text"][:_LONGEST], {}, unit)
                self._ids[memories.insert_memory(connection, row)] = doc["id"]
        connection.commit()

    def search(self, unit: str, question: str, limit: int) -> list[str]:
        """Recall from the unit's collection; nothing is cut off for a low confidence."""
        found = self._memory.recall(question, collection=unit, n=limit, min_confidence=0.0)
        return [self._ids[one["id"]] for one in found if one["id"] in self._ids]

    def settle(self) -> None:
        """Do nothing: it writes as it goes."""


if __name__ == "__main__":
    serve(Robotmem, packages=["robotmem"])
