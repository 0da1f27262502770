"""What do Mnemic and its peers find, and what does it cost them, on the same texts and vectors?

    python benchmarks/comparing.py [--sizes 10000,100000] [--only mnemic,mem0] [--skip quality]

Every program gets the same texts, in one run, one program after the other. Those that take
vectors get the same ones, made by the default embedder of Mnemic; nothing is downloaded.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from typing import Any, Final

import evaluating
from conversing import Conversation, StoppedError
from known_vectors import table_of
from peers import CHROMA, LANGGRAPH, MEM0, ROBOTMEM, TXTAI, NotInstalledError, Peer, interpreter_of
from reporting import REPOSITORY, conditions, name_for, percentile, progress, save, state, table
from sentences import Writer

PROGRAMS: Final[dict[str, Peer | None]] = {
    "mnemic": None,
    "fts5": None,
    "chroma": CHROMA,
    "langgraph": LANGGRAPH,
    "mem0": MEM0,
    "robotmem": ROBOTMEM,
    "txtai": TXTAI,
}
_BATCH: Final = 500
_SINGLES: Final = 110
_QUESTIONS: Final = 40
_UNCOUNTED: Final = 10
_UNIT: Final = "everything"
_QUALITY_SECONDS: Final = 300.0
_COST_SECONDS: Final = {10_000: 300.0}
_LARGE_SECONDS: Final = 600.0


def main() -> None:
    options = _options()
    run = conditions(seed=options.seed)
    state(run)
    result: dict[str, Any] = {"run": run, "programs": {}, "quality": {}, "costs": {}}
    pythons = _pythons(options.only, result["programs"])
    if "quality" not in options.skip:
        result["quality"] = _quality(pythons, options.data, result["programs"])
    for size in options.sizes:
        if "costs" not in options.skip:
            result["costs"][str(size)] = _costs(pythons, size, options.seed, result["programs"])
    save(_name(options), result)


def _name(options: argparse.Namespace) -> str:
    """Return where the result belongs: what leaves something out is not published.

    The full run may leave quality out, which does not depend on the size.
    """
    name = name_for("peers", options.sizes)
    left_out = set(options.skip) - ({"quality"} if name != "peers" else set())
    return name if len(options.only) == len(PROGRAMS) and not left_out else "peers-partial"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    usual = os.environ.get("MNEMIC_DATA") or REPOSITORY.parent / "shared" / "data"
    parser.add_argument("--data", type=Path, default=Path(usual))
    parser.add_argument("--sizes", type=_numbers, default=[10_000])
    parser.add_argument("--only", type=lambda text: text.split(","), default=list(PROGRAMS))
    parser.add_argument("--skip", type=lambda text: text.split(","), default=[])
    parser.add_argument("--seed", type=int, default=7)
    return parser.parse_args()


def _numbers(text: str) -> list[int]:
    return [int(one) for one in text.split(",")]


def _pythons(names: Sequence[str], about: dict[str, Any]) -> dict[str, Path]:
    """Return the interpreter of each program; why there is none is noted in `about`."""

    def python_of(name: str) -> Path | None:
        peer = PROGRAMS[name]
        try:
            return Path(sys.executable) if peer is None else interpreter_of(peer)
        except NotInstalledError as error:
            about[name] = {"note": str(error)}
            return None

    with ThreadPoolExecutor(2) as workers:
        found = zip(names, workers.map(python_of, names), strict=True)
        return {name: python for name, python in found if python is not None}


def _each(
    pythons: dict[str, Path],
    vectors: Path,
    about: dict[str, Any],
    measure: Callable[[Conversation], Any],
    *,
    seconds: float,
    at_once: int = 1,
) -> dict[str, Any]:
    """Measure every program; one that stops is reported and passed over."""

    def one(name: str) -> dict[str, Any]:
        progress(f"{name}")
        with Conversation(pythons[name], name, vectors, seconds=seconds) as program:
            try:
                measured = measure(program)
                about[name] = _about(program)
            except StoppedError as error:
                progress(f"{name} {error}")
                return {"stopped": str(error)}
        return measured

    with ThreadPoolExecutor(at_once) as workers:
        return dict(zip(pythons, workers.map(one, pythons), strict=True))


def _about(program: Conversation) -> dict[str, Any]:
    told = program.ask("state")
    return {"note": told["note"], "versions": told["versions"]}


def _quality(pythons: dict[str, Path], data: Path, about: dict[str, Any]) -> dict[str, Any]:
    quality: dict[str, Any] = {}
    for name in evaluating.SETS:
        units = evaluating.units_of(name, data)
        progress(f"{name}: vectors")
        vectors = table_of(evaluating.texts_of(units))
        quality[name] = _each(
            pythons,
            vectors,
            about,
            lambda program, units=units: evaluating.evaluate(program, units),
            seconds=_QUALITY_SECONDS,
            # What is found does not depend on who else is running.
            at_once=2,
        )
        measures = ("recall@5", "recall@10", "mrr")
        rows = [[one, *map(found.get, measures)] for one, found in quality[name].items()]
        table(f"{name}, development half", ["", *measures], rows)
    return quality


def _costs(pythons: dict[str, Path], size: int, seed: int, about: dict[str, Any]) -> dict[str, Any]:
    writer = Writer(seed)
    docs = [{"id": str(at), "text": text} for at, text in enumerate(writer.texts(size))]
    questions = writer.questions(_QUESTIONS)
    progress(f"{size:,}: vectors")
    vectors = table_of([*(doc["text"] for doc in docs), *questions])
    costs = _each(
        pythons,
        vectors,
        about,
        lambda program: _cost(program, docs, questions),
        seconds=_COST_SECONDS.get(size, _LARGE_SECONDS),
    )
    columns = ["bulk_add_cpu_ms", "add_cpu_ms", "add_wall_ms", "search_cpu_ms", "search_wall_ms"]
    columns += ["bytes_each", "rss_mb_of_store"]
    rows = [[name, *map(cost.get, columns)] for name, cost in costs.items()]
    table(f"{size:,} texts, less embedding", ["", *columns], rows)
    return costs


def _cost(
    program: Conversation, docs: list[dict[str, Any]], questions: list[str]
) -> dict[str, Any]:
    bulk, singles = docs[:-_SINGLES], docs[-_SINGLES:]
    batches = [bulk[start : start + _BATCH] for start in range(0, len(bulk), _BATCH)]
    loaded = [program.ask("load", unit=_UNIT, docs=batch) for batch in batches]
    added = [program.ask("add", unit=_UNIT, docs=[one]) for one in singles][_UNCOUNTED:]
    asked = program.ask("search", unit=_UNIT, questions=questions, limit=10)["each"][_UNCOUNTED:]
    kept = program.ask("state")
    return {
        "bulk_add_cpu_ms": sum(one["cpu_ms"] for one in loaded) / len(bulk),
        **_summary("add", added),
        **_summary("search", asked),
        "nothing_found": sum(not one["found"] for one in asked),
        "bytes_each": kept["bytes"] / len(docs) if kept["bytes"] else None,
        "rss_mb": kept["rss_mb"],
        "rss_mb_of_store": kept["rss_mb_of_store"],
    }


def _summary(call: str, timed: Sequence[dict[str, Any]]) -> dict[str, float]:
    cpu, wall = ([one[key] for one in timed] for key in ("cpu_ms", "wall_ms"))
    return {
        f"{call}_cpu_ms": median(cpu),
        f"{call}_cpu_ms_p95": percentile(cpu, 95),
        f"{call}_wall_ms": median(wall),
        f"{call}_wall_ms_p95": percentile(wall, 95),
    }


if __name__ == "__main__":
    main()
