"""Whether `context_filter` and `spatial_sort` return exactly what they must."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import mnemic
from evaluation.retrieval import open_memory
from harness.datasets import load_lines
from harness.results import progress
from mnemic.records.memory import Draft, Scope

_CLOSE: Final = 1e-3


def evaluate(data: Path, *, embedder: str) -> dict[str, Any]:
    """Return how many cases are answered exactly, and what was wrong with the others."""
    cases = load_lines("robot_filter_cases.dev.jsonl.gz", data)
    trials = load_lines("robot_experiences.jsonl.gz", data)
    progress(f"filters: {len(trials):,} trials, {len(cases)} cases")
    wrong: list[str] = []
    counts = {kind: [0, 0] for kind in ("context_filter", "spatial_sort")}
    with open_memory(embedder) as memory:
        names = _remember(memory, trials)
        for case in cases:
            problem = _problem(memory, case, names)
            counts[case["kind"]][0] += 1
            counts[case["kind"]][1] += problem is None
            if problem:
                wrong.append(f"{case['kind']} in {case['collection']}: {problem}")
    kinds = [[kind, total, right, right / total] for kind, (total, right) in counts.items()]
    return {"half": "dev", "embedder": embedder, "kinds": kinds, "wrong": wrong}


def _remember(memory: mnemic.OpenMemory, trials: Sequence[dict[str, Any]]) -> dict[int, str]:
    drafts = [
        Draft(
            _description(trial["annotations"][0]),
            Scope("collection", trial["scene"]),
            context=trial["context"],
            dedup=False,
        )
        for trial in trials
    ]
    stored = memory.remember_many(drafts)
    return {result.memory.id: trial["id"] for result, trial in zip(stored, trials, strict=True)}


def _description(annotation: dict[str, Any]) -> str:
    return f"{annotation['task']} Steps: {'; '.join(annotation['steps'])}"


def _problem(memory: mnemic.OpenMemory, case: dict[str, Any], names: dict[int, str]) -> str | None:
    """Return what is wrong with the answer to a case, or None."""
    hits = memory.robot.recall(
        case["query"],
        collection=case["collection"],
        n=case["n"],
        context_filter=case.get("context_filter"),
        spatial_sort=case.get("spatial_sort"),
    )["memories"]
    if case["kind"] == "context_filter":
        answered = [names[hit["id"]] for hit in hits]
        return _set_problem(answered, set(case["expect_set"]), case["n"])
    return _order_problem(
        [names[hit["id"]] for hit in hits if hit.get("distance") is not None], case
    )


def _set_problem(answered: list[str], expected: set[str], limit: int) -> str | None:
    missing = min(len(expected), limit) - len(set(answered) & expected)
    foreign = len(set(answered) - expected)
    if missing or foreign or len(answered) != len(set(answered)):
        return f"{missing} missing and {foreign} foreign among {len(answered)} of {len(expected)}"
    return None


def _order_problem(placed: list[str], case: dict[str, Any]) -> str | None:
    """Compare two orders; those at the same distance may change places."""
    distances = dict(zip(case["expect_order"], case["distances"], strict=True))
    wanted = case["distances"][: case["n"]]
    if len(placed) != len(wanted) or len(set(placed)) != len(placed):
        return f"{len(placed)} placed instead of {len(wanted)}"
    for rank, (trial, distance) in enumerate(zip(placed, wanted, strict=True), 1):
        if trial not in distances or abs(distances[trial] - distance) > _CLOSE:
            return f"{trial} at rank {rank}, distance {distances.get(trial)} instead of {distance}"
    return None
