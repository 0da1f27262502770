"""What does a robot's call cost as its memory grows, for us and for robotmem?

    python benchmarks/robot.py [--sizes 1000,10000,100000] [--skip-peer] [--skip-vectors]

All programs get the same sentences, in one run; CPU time counts every thread of a process.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from peers import ROBOTMEM, NotInstalledError, interpreter_of
from reporting import conditions, name_for, progress, save, state, table
from sentences import Writer
from trials import Calls, Lesson, Stock, write

_HERE: Final = Path(__file__).resolve().parent
_SIZES: Final = [1_000, 10_000]
_CELL: Final = 1_000
_LEARNS: Final = 205
_QUESTIONS: Final = 105
_SESSIONS: Final = 5
_LESSONS: Final = 10
_CALLS: Final = ("learn", "recall", "recall_filtered", "recall_in_cell", "end_session", "open")
_NAMES: Final = {
    "words": "Mnemic, words only",
    "vectors": "Mnemic, with vectors",
    "robotmem": "robotmem 0.1.3, words only",
}


def main() -> None:
    options = _options()
    run = conditions(seed=options.seed)
    state(run)
    peer = None if options.skip_peer else _peer()
    trials: dict[str, list[dict[str, Any]]] = {}
    with tempfile.TemporaryDirectory(prefix="mnemic-bench-") as scratch:
        work = Path(options.work or scratch)
        for size in options.sizes:
            trial = _trial(work / str(size), size, options, peer)
            for name, result in trial.items():
                trials.setdefault(name, []).append(result)
            _show(trials)
    goals = _goals(trials)
    table("Goals", ["what", "reached", "goal", "met"], goals)
    complete = len(trials) == len(_NAMES)
    name = name_for("robot", options.sizes) if complete else "robot-partial"
    save(name, {"run": run, "trials": trials, "goals": goals})


def _peer() -> Path | None:
    """Return robotmem's interpreter; without it, Mnemic is measured alone."""
    try:
        return interpreter_of(ROBOTMEM)
    except NotInstalledError as error:
        progress(str(error))
        return None


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument(
        "--sizes",
        type=lambda text: [int(one) for one in text.split(",")],
        default=_SIZES,
    )
    parser.add_argument("--skip-peer", action="store_true")
    parser.add_argument("--skip-vectors", action="store_true")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--embedder", default="default", help="for the trial with vectors")
    parser.add_argument("--work", help="keep the stores in this folder")
    return parser.parse_args()


def _write_workload(folder: Path, size: int, seed: int) -> None:
    writer = Writer(seed)
    cell = _CELL if size >= 10 * _CELL else 0

    def lessons(count: int) -> list[Lesson]:
        return [(one.text, one.context) for one in writer.experiences(count)]

    write(Stock(load=lessons(size - cell), cell=lessons(cell)), folder)
    calls = Calls(
        size=size,
        has_cell=cell > 0,
        learns=lessons(_LEARNS),
        questions=writer.questions(_QUESTIONS),
        sessions=[lessons(_LESSONS) for _ in range(_SESSIONS)],
    )
    write(calls, folder)


def _trial(
    folder: Path, size: int, options: argparse.Namespace, peer: Path | None
) -> dict[str, dict[str, Any]]:
    """Measure every program at one size; each phase is a process of its own."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    _write_workload(folder, size, options.seed)
    results: dict[str, dict[str, Any]] = {}
    words, vectors, robotmem = folder / "words", folder / "vectors", folder / "robotmem"
    ours = (Path(sys.executable), "mnemic_driver.py")
    progress(f"{size:,}: loading Mnemic")
    words.mkdir()
    loaded = _run(*ours, "load", folder, words)
    if not options.skip_vectors:
        shutil.copytree(words, vectors)
        progress(f"{size:,}: embedding")
        embedded = _run(*ours, "embed", folder, vectors, options.embedder)
        progress(f"{size:,}: measuring Mnemic with vectors")
        measured = _run(*ours, "measure", folder, vectors, options.embedder)
        results["vectors"] = {**measured, "loading": loaded, "bulk_embedding": embedded}
    progress(f"{size:,}: measuring Mnemic, words only")
    results["words"] = {**_run(*ours, "measure", folder, words, "none"), "loading": loaded}
    if peer is not None:
        theirs = (peer, "robotmem_driver.py")
        robotmem.mkdir()
        progress(f"{size:,}: loading robotmem")
        loaded = _run(*theirs, "load", folder, robotmem)
        progress(f"{size:,}: measuring robotmem")
        results["robotmem"] = {**_run(*theirs, "measure", folder, robotmem), "loading": loaded}
    return results


def _run(python: Path, driver: str, *arguments: str | Path) -> dict[str, Any]:
    command = [str(python), str(_HERE / driver), *map(str, arguments)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def _show(trials: dict[str, list[dict[str, Any]]]) -> None:
    for call in _CALLS:
        rows = [
            [_NAMES[name], one["size"], *_costs(one[call])]
            for name, results in trials.items()
            for one in results
            if call in one
        ]
        columns = ["", "memories", "CPU median", "mean", "worst", "wall median", "mean"]
        note = " (opening and the first recall)" if call == "open" else ""
        table(f"{call}{note}, ms per call", columns, rows)
    _show_stores(trials)


def _show_stores(trials: dict[str, list[dict[str, Any]]]) -> None:
    every = [(_NAMES[name], one) for name, results in trials.items() for one in results]
    columns = ["", "memories", "bytes each", "RSS MB", "load CPU s", "first end_session CPU ms"]
    columns += ["recall in English CPU ms", "questions without answer", "duplicates learned"]
    rows = [
        [
            name,
            one["size"],
            _bytes(one),
            one["rss_mb"],
            one["loading"]["cpu_s"],
            one["end_session"]["cpu_ms_first"],
            one["recall"]["cpu_ms_english"],
            one["recall"]["answers"].get("nothing", 0),
            one["learn"]["answers"].get("duplicate", 0),
        ]
        for name, one in every
    ]
    table("The store, and what it answered", columns, rows)
    columns = ["", "memories", "all, CPU s", "loading the model, CPU ms"]
    columns += ["one text, CPU ms", "one question, CPU ms"]
    rows = [
        [
            name,
            one["size"],
            one["bulk_embedding"]["cpu_s"],
            *(one["embedding"][f"{what}_cpu_ms"] for what in ("load", "learn", "recall")),
        ]
        for name, one in every
        if "bulk_embedding" in one
    ]
    table("Embedding alone (included above)", columns, rows)


def _costs(one: dict[str, Any]) -> list[float]:
    names = ("cpu_ms", "cpu_ms_mean", "cpu_ms_worst", "wall_ms", "wall_ms_mean")
    return [one[name] for name in names]


def _bytes(one: dict[str, Any]) -> float:
    kept = one.get("bulk_embedding") or one["loading"]
    return kept["bytes"] / one["size"]


def _goals(trials: dict[str, list[dict[str, Any]]]) -> list[list[Any]]:
    """Compare what was reached at the largest size with what was asked for."""
    ours, peers = trials["words"], trials.get("robotmem", [])
    largest, smallest = ours[-1], ours[0]
    rows: list[list[Any]] = []
    for call, factor in (("learn", 20), ("recall", 8)):
        if peers:
            ratio = peers[-1][call]["cpu_ms"] / largest[call]["cpu_ms"]
            rows.append(
                [f"{call}, robotmem / Mnemic words", ratio, f"≥ {factor}×", ratio >= factor]
            )
    span = f"{smallest['size']:,} → {largest['size']:,}"
    for name, results in trials.items():
        for call, most in (("learn", 3), ("recall", 10)):
            growth = results[-1][call]["cpu_ms"] / results[0][call]["cpu_ms"]
            rows.append([f"{_NAMES[name]}: {call} {span}", growth, f"≤ {most}×", growth <= most])
    return rows + _absolute_goals(trials.get("vectors", ours)[-1])


def _absolute_goals(one: dict[str, Any]) -> list[list[Any]]:
    embedding = one.get("embedding", {}).get("learn_cpu_ms", 0.0)
    reached: list[tuple[str, float, float]] = [
        ("learn less embedding, ms CPU", one["learn"]["cpu_ms"] - embedding, 1),
        ("recall, ms CPU", one["recall"]["cpu_ms"], 12),
        ("end_session, ms CPU", one["end_session"]["cpu_ms"], 10),
        ("bytes per memory", _bytes(one), 2_500),
    ]
    if "recall_in_cell" in one:
        reached.append(("recall in a scope of 1,000, ms CPU", one["recall_in_cell"]["cpu_ms"], 5))
    return [[what, value, f"≤ {most:,}", value <= most] for what, value, most in reached]


if __name__ == "__main__":
    main()
