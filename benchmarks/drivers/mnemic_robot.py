"""Mnemic through the robot dialect. Arguments: the store's folder, the embedder."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import mnemic
from harness.driver import serve
from harness.embedders import Recorder
from harness.measure import folder_bytes
from harness.results import progress
from mnemic.records.memory import Draft, Scope

_BATCH: Final = 5_000


class MnemicRobot:
    """The robot dialect, as a robot's program calls it."""

    def __init__(self, folder: str, embedder: str) -> None:
        self._folder, self._embedder = Path(folder), embedder
        self._database = self._folder / "memory.db"
        self.embedding = Recorder()

    def open(self, question: str) -> int:
        self._robot = mnemic.open(self._database, embedder=self._embedder).robot
        return self.recall(question)

    def call(self, tool: str, arguments: dict[str, Any]) -> None:
        """Call a tool; its answer is made JSON, as a server would, and then dropped."""
        json.dumps(getattr(self._robot, tool)(**arguments), ensure_ascii=False)

    def take(self, tool: str, arguments: dict[str, Any]) -> None:
        """Take a question without answering it."""

    def load(self, collections: dict[str, list[Any]], age_days: int) -> dict[str, Any]:
        """Fill a store in bulk, without looking for duplicates and without vectors."""
        aged = datetime.now(UTC) - timedelta(days=age_days)
        with mnemic.open(self._database, embedder="none", clock=lambda: aged) as memory:
            for collection, lessons in collections.items():
                scope = Scope("collection", collection)
                drafts = [Draft(text, scope, context=given, dedup=False) for text, given in lessons]
                for start in range(0, len(drafts), _BATCH):
                    memory.remember_many(drafts[start : start + _BATCH])
        return {"bytes": folder_bytes(self._folder)}

    def embed(self) -> dict[str, Any]:
        with mnemic.open(self._database, embedder=self._embedder) as memory:
            memory.embed_missing(progress=_report)
        return {"bytes": folder_bytes(self._folder)}

    def learn(self, text: str, context: dict[str, Any], session: str | None = None) -> str:
        return self._robot.learn(text, context=context, session_id=session)["status"]

    def recall(
        self, question: str, collection: str = "default", where: dict[str, Any] | None = None
    ) -> int:
        return self._robot.recall(question, collection=collection, context_filter=where)["total"]

    def start_session(self) -> str:
        return self._robot.start_session(context={"task": "benchmark"})["session_id"]

    def end_session(self, session: str) -> None:
        self._robot.end_session(session, outcome_score=0.5)


def _report(done: int, total: int) -> None:
    if done % _BATCH < 64 or done >= total:
        progress(f"embedded {done:,} of {total:,}")


if __name__ == "__main__":
    serve(MnemicRobot)
