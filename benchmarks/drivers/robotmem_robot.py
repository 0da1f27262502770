"""Robotmem, words only, through its SDK. Runs in its own environment. Argument: the folder."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from robotmem.ops import memories  # pyright: ignore[reportMissingImports]
from robotmem.sdk import RobotMemory  # pyright: ignore[reportMissingImports]

from drivers.robotmem import one_transaction, row_of
from harness.driver import serve
from harness.measure import folder_bytes


class RobotmemRobot:
    """Its public SDK, with the calls of `drivers/mnemic_robot.py`."""

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)
        self._memory: Any = None

    def open(self, question: str) -> int:
        self._memory = RobotMemory(db_path=self._folder / "memory.db", embed_backend="none")
        return self.recall(question)

    def load(self, collections: dict[str, list[Any]], age_days: int) -> dict[str, Any]:
        """Fill a store with its own insert, in one transaction.

        Its `learn` reads the whole collection each time: 100,000 of them would take an hour.
        """
        memory = RobotMemory(db_path=self._folder / "memory.db", embed_backend="none")
        connection = memory._db.conn
        with one_transaction():
            for collection, lessons in collections.items():
                for text, context in lessons:
                    memories.insert_memory(connection, row_of(text, context, collection))
        aged = datetime.now(UTC) - timedelta(days=age_days)
        moment = aged.strftime("%Y-%m-%dT%H:%M:%S.000")
        connection.execute("update memories set created_at = ?, updated_at = ?", (moment, moment))
        connection.commit()
        connection.execute("vacuum")
        connection.execute("pragma wal_checkpoint(truncate)")
        memory.close()
        return {"bytes": folder_bytes(self._folder)}

    def learn(self, text: str, context: dict[str, Any], session: str | None = None) -> str:
        return self._memory.learn(text, context=context, session_id=session)["status"]

    def recall(
        self, question: str, collection: str = "default", where: dict[str, Any] | None = None
    ) -> int:
        return len(self._memory.recall(question, collection=collection, context_filter=where))

    def start_session(self) -> str:
        return self._memory.start_session(context={"task": "benchmark"})

    def end_session(self, session: str) -> None:
        self._memory.end_session(session, outcome_score=0.5)


if __name__ == "__main__":
    serve(RobotmemRobot)
