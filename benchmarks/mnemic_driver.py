"""Mnemic under trial, in a process of its own.

python mnemic_driver.py load|embed|measure WORKLOAD STORE [EMBEDDER]
"""

import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any, Final

import mnemic
from mnemic.providers.choosing import choose_embedder
from mnemic.records import Draft, Scope
from trials import (
    AGE_DAYS,
    CELL,
    Calls,
    Costs,
    Stock,
    answer,
    folder_bytes,
    measure,
    read_calls,
    read_stock,
)

_BATCH: Final = 5_000


class Mnemic:
    """Its robot dialect, as a robot's program calls it."""

    def __init__(self, folder: Path, embedder: str) -> None:
        self._memory = mnemic.open(folder / "memory.db", embedder=embedder)

    def learn(self, text: str, context: dict[str, Any], session: str | None = None) -> str:
        """Learn, and return the status."""
        return self._memory.robot.learn(text, context=context, session_id=session)["status"]

    def recall(
        self, question: str, collection: str = "default", where: dict[str, Any] | None = None
    ) -> int:
        """Recall, and return how many were found."""
        found = self._memory.robot.recall(question, collection=collection, context_filter=where)
        return found["total"]

    def start_session(self) -> str:
        """Return a new session."""
        return self._memory.robot.start_session(context={"task": "benchmark"})["session_id"]

    def end_session(self, session: str) -> None:
        """End a session."""
        self._memory.robot.end_session(session, outcome_score=0.5)

    def close(self) -> None:
        """Let go of the store."""
        self._memory.close()


def load(folder: Path, stock: Stock) -> dict[str, Any]:
    """Fill a store in bulk, without looking for duplicates."""
    started = process_time()
    aged = datetime.now(UTC) - timedelta(days=AGE_DAYS)
    with mnemic.open(folder / "memory.db", embedder="none", clock=lambda: aged) as memory:
        for collection, lessons in (("default", stock.load), (CELL, stock.cell)):
            scope = Scope("collection", collection)
            drafts = [Draft(text, scope, context=context, dedup=False) for text, context in lessons]
            for start in range(0, len(drafts), _BATCH):
                memory.remember_many(drafts[start : start + _BATCH])
                _tell("loaded", start + _BATCH, len(drafts))
        stored = memory.count() + memory.count(Scope("collection", CELL))
    return {"stored": stored, "cpu_s": process_time() - started, "bytes": folder_bytes(folder)}


def embed(folder: Path, embedder: str) -> dict[str, Any]:
    """Give every memory its vector."""
    started, wall = process_time(), perf_counter()
    with mnemic.open(folder / "memory.db", embedder=embedder) as memory:
        done = memory.embed_missing(progress=lambda done, total: _tell("embedded", done, total))
    return {
        "embedded": done,
        "cpu_s": process_time() - started,
        "wall_s": perf_counter() - wall,
        "bytes": folder_bytes(folder),
    }


def embedding_costs(embedder: str, calls: Calls) -> dict[str, Any]:
    """Return what the embedder alone costs, on what is learned and asked."""
    source = choose_embedder(embedder)
    if source is None:
        return {}
    loading = Costs()
    models: list[Any] = []
    loading.time(lambda: models.append(source.load()))
    costs = {"load_cpu_ms": median(loading.cpu)}
    for name, texts in (
        ("learn", [text for text, _ in calls.learns]),
        ("recall", calls.questions),
    ):
        each = Costs()
        for text in texts:
            each.time(lambda text=text: models[0].embed([text]))
        costs[f"{name}_cpu_ms"] = median(each.cpu)
        costs[f"{name}_cpu_ms_mean"] = sum(each.cpu) / len(each.cpu)
    return costs


def _tell(what: str, done: int, total: int) -> None:
    if total and (done % _BATCH < 64 or done >= total):
        sys.stderr.write(f"    {what} {min(done, total):,} of {total:,}\n")
        sys.stderr.flush()


def main() -> None:
    phase, workload, store, *rest = sys.argv[1:]
    embedder = rest[0] if rest else "none"
    folder = Path(store)
    if phase == "load":
        answer(load(folder, read_stock(Path(workload))))
    elif phase == "embed":
        answer(embed(folder, embedder))
    else:
        calls = read_calls(Path(workload))
        result = measure(lambda: Mnemic(folder, embedder), calls)
        answer({**result, "embedding": embedding_costs(embedder, calls)})


if __name__ == "__main__":
    main()
