"""What do Mnemic and its peers find, and what does it cost them, on the same texts and vectors?

    python benchmarks/peers.py [--sizes 10000,100000] [--only mnemic,mem0] [--skip quality]

Every program gets the same texts, in one run, one program after the other. Those that take
vectors get the same ones, made by the default embedder of Mnemic; nothing is downloaded.
"""

import argparse
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

from drivers.environments import interpreters
from evaluation.retrieval import means
from harness.datasets import CONVERSATIONS, SETS, Ranking, Unit, load, texts_of
from harness.measure import percentile, rest
from harness.options import Options
from harness.process import DriverError, DriverProcess, store_process
from harness.results import SMALL, Result, conditions, name_for, progress, save
from harness.sentences import Writer
from harness.vectors import table_of
from report import peers as report

_BATCH: Final = 500
_SINGLES: Final = 110
_QUESTIONS: Final = 40
_WARM_UP: Final = 10
_DEPTH: Final = 10
_UNIT: Final = "everything"
_SECONDS: Final = 300.0
_LARGE_SECONDS: Final = 600.0
# What a program is told of a text.
_FIELDS: Final = ("id", "text", "ts", "speaker", "context", "session")


def main(arguments: Sequence[str] | None = None) -> None:
    options = _options(arguments)
    sets = {} if "quality" in options.skip else {name: load(name, options.data) for name in SETS}
    result: Result = {"run": conditions(seed=options.seed), "costs": {}}
    trial = _Trial(options.only)
    result["quality"] = {name: trial.quality(name, units) for name, units in sets.items()}
    for size in options.sizes if "costs" not in options.skip else ():
        result["costs"][str(size)] = trial.costs(size, options.seed)
    result["programs"] = trial.programs
    print(report.write({"peers": result, "peers-full": {}}))
    name = name_for("peers", options.sizes)
    # The full run may leave quality out, which does not depend on the size.
    missing = set(options.skip) - ({"quality"} if name != "peers" else set())
    complete = len(options.only) == len(report.PROGRAMS) and not missing
    save(name, result, complete=complete)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = Options(__doc__)
    parser.data()
    parser.sizes(10_000)
    parser.names("--only", list(report.PROGRAMS))
    parser.names("--skip", ("quality", "costs"), usual=())
    parser.seed()
    return parser.parse_args(arguments)


class _Trial:
    """The programs under comparison; `programs` gathers what each says about itself."""

    def __init__(self, names: Sequence[str]) -> None:
        self.programs: dict[str, Any] = {}
        self._pythons = interpreters(names, self.programs)

    def quality(self, name: str, units: Sequence[Unit]) -> dict[str, Any]:
        """Return what every program finds in one data set."""
        fields = _FIELDS if name in CONVERSATIONS else _FIELDS[:-1]
        for unit in units:
            unit["docs"] = [
                {key: doc[key] for key in fields if doc.get(key)} for doc in unit["docs"]
            ]
        progress(f"{name}: vectors")
        vectors = table_of(texts_of(units))
        # What is found does not depend on who else is running.
        return self._each(vectors, lambda program: _found(program, units), at_once=2)

    def costs(self, size: int, seed: int) -> dict[str, Any]:
        """Return what every program needs for a store of some size."""
        writer = Writer(seed)
        docs = [{"id": str(at), "text": text} for at, text in enumerate(writer.texts(size))]
        questions = writer.questions(_QUESTIONS)
        progress(f"{size:,}: vectors")
        vectors = table_of([*(doc["text"] for doc in docs), *questions])
        seconds = _SECONDS if size <= SMALL else _LARGE_SECONDS
        return self._each(vectors, lambda program: _costs(program, docs, questions), seconds)

    def _each(
        self,
        vectors: Path,
        measure: Callable[[DriverProcess], dict[str, Any]],
        seconds: float = _SECONDS,
        *,
        at_once: int = 1,
    ) -> dict[str, Any]:
        """Measure every program; one that stops is reported and passed over."""

        def measured(name: str) -> dict[str, Any]:
            progress(name)
            with store_process(self._pythons[name], name, vectors, seconds=seconds) as program:
                try:
                    costs = measure(program)
                    state = program.call("state")
                except DriverError as error:
                    progress(f"{name} {error}")
                    return {"stopped": str(error)}
            self.programs[name] = {key: state[key] for key in ("note", "versions")}
            return costs

        with ThreadPoolExecutor(at_once) as workers:
            return dict(zip(self._pythons, workers.map(measured, self._pythons), strict=True))


def _found(program: DriverProcess, units: Sequence[Unit]) -> dict[str, Any]:
    """Fill one store per unit, ask its questions, and return recall@k."""
    for unit in units:
        program.call("add", unit["unit"], unit["docs"])
    rankings: list[Ranking] = []
    for unit in units:
        asked = [[unit["unit"], query["q"], _DEPTH] for query in unit["queries"]]
        found = [timed["answer"] for timed in program.timed("search", asked)]
        rankings += zip(unit["queries"], found, strict=True)
    return means(rankings, depths=(5, 10))


def _costs(program: DriverProcess, docs: list[Any], questions: list[str]) -> dict[str, Any]:
    bulk, singles = docs[:-_SINGLES], docs[-_SINGLES:]
    batches = [[_UNIT, bulk[start : start + _BATCH]] for start in range(0, len(bulk), _BATCH)]
    loaded = [program.timed("load", [batch])[0] for batch in batches]
    added = program.timed("add", [[_UNIT, [doc]] for doc in singles])[_WARM_UP:]
    asked = program.timed("search", [[_UNIT, text, _DEPTH] for text in questions])[_WARM_UP:]
    state = program.call("state")
    return {
        "bulk_add_cpu_ms": sum(rest(loaded, "cpu_ms")) / len(bulk),
        **_summary("add", added),
        **_summary("search", asked),
        "nothing_found": sum(not timed["answer"] for timed in asked),
        "bytes_each": state["bytes"] / len(docs) if state["bytes"] else None,
        "rss_mb": state["rss_mb"],
        "rss_mb_of_store": state["rss_mb_of_store"],
    }


def _summary(call: str, calls: Sequence[dict[str, Any]]) -> dict[str, float]:
    costs = {"cpu_ms": rest(calls, "cpu_ms"), "wall_ms": [timed["wall_ms"] for timed in calls]}
    return {
        f"{call}_{key}{suffix}": percentile(values, percent)
        for key, values in costs.items()
        for suffix, percent in (("", 50), ("_p95", 95))
    }


if __name__ == "__main__":
    main()
