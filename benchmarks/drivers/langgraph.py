"""LangGraph's long-term store, one namespace per unit. Arguments: the folder, the vectors."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from langgraph.store.memory import InMemoryStore  # pyright: ignore[reportMissingImports]
from langgraph.store.sqlite import SqliteStore  # pyright: ignore[reportMissingImports]

from harness.driver import Doc, serve_store
from harness.vectors import DIMENSIONS, KnownVectors


class Langgraph:
    """SqliteStore with an index, or InMemoryStore where SQLite cannot load its extension."""

    note = "SqliteStore with sqlite-vec"

    def __init__(self, folder: Path, vectors: KnownVectors) -> None:
        index = {"dims": DIMENSIONS, "embed": vectors.lists, "fields": ["text"]}
        self._store: Any
        if hasattr(sqlite3.Connection, "enable_load_extension"):
            connection = sqlite3.connect(
                folder / "store.db", check_same_thread=False, isolation_level=None
            )
            self._store = SqliteStore(connection, index=index)
            self._store.setup()
        else:
            self.note = (
                "InMemoryStore: SqliteStore searches with sqlite-vec, and this Python's sqlite3 "
                "loads no extensions"
            )
            self._store = InMemoryStore(index=index)

    def add(self, unit: str, docs: Sequence[Doc]) -> None:
        """Put into the unit's namespace, one by one: a batch breaks when a text occurs twice."""
        for doc in docs:
            self._store.put((unit,), doc["id"], {"text": doc["text"]})

    def search(self, unit: str, question: str, limit: int) -> list[str]:
        return [item.key for item in self._store.search((unit,), query=question, limit=limit)]


if __name__ == "__main__":
    serve_store(Langgraph, packages=["langgraph", "langgraph-checkpoint-sqlite"])
