"""Whether `context_filter` and `spatial_sort` return exactly what they must."""

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import mnemic
from mnemic.records import Draft, Scope
from reporting import progress, table

_CLOSE: Final = 1e-3


def filter_cases(data: Path, *, embedder: str) -> dict[str, Any]:
    """Return how many cases are answered exactly, and what was wrong with the others."""
    cases = _lines(data / "robot_filter_cases.dev.jsonl.gz")
    trials = _lines(data / "robot_experiences.jsonl.gz")
    progress(f"filters: {len(trials):,} trials, {len(cases)} cases")
    wrong: list[str] = []
    counts = {kind: [0, 0] for kind in ("context_filter", "spatial_sort")}
    with mnemic.open(":memory:", embedder=embedder, durability="off") as memory:
        names = _remember(memory, trials)
        for case in cases:
            problem = _problem(memory, case, names)
            counts[case["kind"]][0] += 1
            counts[case["kind"]][1] += problem is None
            if problem:
                wrong.append(f"{case['kind']} in {case['collection']}: {problem}")
    rows = [[kind, total, right, right / total] for kind, (total, right) in counts.items()]
    table(
        f"Filters and distances, development half, embedder {embedder}",
        ["", "cases", "exact", "share"],
        rows,
    )
    for one in wrong[:10]:
        print(f"  {one}")
    return {"half": "dev", "embedder": embedder, "kinds": rows, "wrong": wrong}


def _lines(path: Path) -> list[dict[str, Any]]:
    lines = gzip.decompress(path.read_bytes()).decode("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def _remember(memory: mnemic.OpenMemory, trials: Sequence[dict[str, Any]]) -> dict[int, str]:
    stored = memory.remember_many(
        [
            Draft(
                _described(trial["annotations"][0]),
                Scope("collection", trial["scene"]),
                context=trial["context"],
                dedup=False,
            )
            for trial in trials
        ]
    )
    return {one.memory.id: trial["id"] for one, trial in zip(stored, trials, strict=True)}


def _described(annotation: dict[str, Any]) -> str:
    return f"{annotation['task']} Steps: {'; '.join(annotation['steps'])}"


def _problem(memory: mnemic.OpenMemory, case: dict[str, Any], names: dict[int, str]) -> str | None:
    """Return what is wrong with the answer to a case, or None."""
    found = memory.robot.recall(
        case["query"],
        collection=case["collection"],
        n=case["n"],
        context_filter=case.get("context_filter"),
        spatial_sort=case.get("spatial_sort"),
    )["memories"]
    answered = [names[one["id"]] for one in found]
    if case["kind"] == "context_filter":
        return _set_problem(answered, set(case["expect_set"]), case["n"])
    placed = [names[one["id"]] for one in found if one.get("distance") is not None]
    return _order_problem(placed, case)


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
    for rank, (one, distance) in enumerate(zip(placed, wanted, strict=True), 1):
        if one not in distances or abs(distances[one] - distance) > _CLOSE:
            return f"{one} at rank {rank}, distance {distances.get(one)} instead of {distance}"
    return None
