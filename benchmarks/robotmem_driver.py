"""robotmem 0.1.3, words only, under trial. Runs in the peer's own environment.

python robotmem_driver.py load|measure WORKLOAD STORE
"""

import json
import sys
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import process_time
from typing import Any

from robotmem.auto_classify import (  # pyright: ignore[reportMissingImports]
    build_context_json,
    classify_category,
    classify_tags,
    estimate_confidence,
)
from robotmem.ops import memories  # pyright: ignore[reportMissingImports]
from robotmem.sdk import RobotMemory  # pyright: ignore[reportMissingImports]

from trials import AGE_DAYS, CELL, Stock, answer, folder_bytes, measure, read_calls, read_stock


class Robotmem:
    """Its public SDK."""

    def __init__(self, folder: Path) -> None:
        self._memory = RobotMemory(db_path=folder / "memory.db", embed_backend="none")

    def learn(self, text: str, context: dict[str, Any], session: str | None = None) -> str:
        """Learn, and return the status."""
        return self._memory.learn(text, context=context, session_id=session)["status"]

    def recall(
        self, question: str, collection: str = "default", where: dict[str, Any] | None = None
    ) -> int:
        """Recall, and return how many were found."""
        return len(self._memory.recall(question, collection=collection, context_filter=where))

    def start_session(self) -> str:
        """Return a new session."""
        return self._memory.start_session(context={"task": "benchmark"})

    def end_session(self, session: str) -> None:
        """End a session."""
        self._memory.end_session(session, outcome_score=0.5)

    def close(self) -> None:
        """Let go of the store."""
        self._memory.close()


def load(folder: Path, stock: Stock) -> dict[str, Any]:
    """Fill a store with its own insert, in one transaction.

    Its `learn` reads the whole collection each time: 100,000 of them would take an hour.
    """
    started = process_time()
    memory = RobotMemory(db_path=folder / "memory.db", embed_backend="none")
    connection = memory._db.conn
    with inserting_at_once():
        for collection, lessons in (("default", stock.load), (CELL, stock.cell)):
            for text, context in lessons:
                memories.insert_memory(connection, row_of(text, context, collection))
    aged = datetime.now(UTC) - timedelta(days=AGE_DAYS)
    moment = aged.strftime("%Y-%m-%dT%H:%M:%S.000")
    connection.execute("update memories set created_at = ?, updated_at = ?", (moment, moment))
    connection.commit()
    [(stored,)] = connection.execute("select count(*) from memories").fetchall()
    connection.execute("vacuum")
    connection.execute("pragma wal_checkpoint(truncate)")
    memory.close()
    return {"stored": stored, "cpu_s": process_time() - started, "bytes": folder_bytes(folder)}


@contextmanager
def inserting_at_once() -> Generator[None]:
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


def main() -> None:
    phase, workload, store = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    if phase == "load":
        answer(load(store, read_stock(workload)))
    else:
        answer(measure(lambda: Robotmem(store), read_calls(workload)))


if __name__ == "__main__":
    main()
