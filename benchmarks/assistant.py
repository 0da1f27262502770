"""What do the assistant's tools cost as a user's memory grows, for us and for Mem0?

    python benchmarks/assistant.py [--sizes 1000,10000,100000] [--skip-peers]

Both get the same texts and the same embedder, in one run. A store is filled in bulk, with vectors
that were made before; then single calls are measured, and what those add or ask is embedded as they
come. The programs take turns, fifty calls each, so that a machine that gets busier is no program's
disadvantage.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any, Final

from assistant_stock import Stock, stock
from conversing import Conversation, StoppedError
from known_vectors import table_of
from peers import MEM0, NotInstalledError, interpreter_of
from reporting import SMALL, conditions, name_for, percentile, progress, save, state, table

PROGRAMS: Final = {"mnemic": "Mnemic", "mem0": "Mem0"}
_UNIT: Final = "ann"
_BATCH: Final = 1_000
_LIMIT: Final = 10
_UNCOUNTED: Final = 10
_CALLS: Final = 200
_TURN: Final = 50
# For both programs together. Mem0 reads every point of the user for each search.
_SECONDS: Final = 900.0
_LARGE_SECONDS: Final = 3_600.0
# What the peer has no counterpart for.
_OWN: Final = "mnemic"
_COLUMNS: Final = ("cpu_ms", "cpu_ms_p95", "wall_ms", "wall_ms_p95", "cpu_ms_rest", "wall_ms_rest")

Step = Callable[["Trial"], None]


def main(arguments: Sequence[str] | None = None) -> None:
    options = _options(arguments)
    run = conditions(seed=options.seed)
    state(run)
    result: dict[str, Any] = {"run": run, "programs": {}, "costs": {}}
    pythons = _pythons(result["programs"], peers=not options.skip_peers)
    for size in options.sizes:
        result["costs"][str(size)] = _measured(pythons, size, options, result["programs"])
    save(_name(options, result["costs"]), result)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--sizes", type=_numbers, default=[1_000, 10_000])
    parser.add_argument("--skip-peers", action="store_true")
    parser.add_argument("--calls", type=int, default=_CALLS, help="adds and searches to measure")
    parser.add_argument("--seed", type=int, default=7)
    return parser.parse_args(arguments)


def _numbers(text: str) -> list[int]:
    return [int(one) for one in text.split(",")]


def _name(options: argparse.Namespace, costs: dict[str, Any]) -> str:
    """Return where the result belongs: what lacks a program, or calls, is not published."""
    complete = all(name in one for one in costs.values() for name in PROGRAMS)
    complete = complete and options.calls >= _CALLS
    return name_for("assistant", options.sizes) if complete else "assistant-partial"


def _pythons(about: dict[str, Any], *, peers: bool) -> dict[str, Path]:
    """Return the interpreter of each program; why there is none is noted in `about`."""
    pythons = {_OWN: Path(sys.executable)}
    if peers:
        try:
            pythons["mem0"] = interpreter_of(MEM0)
        except NotInstalledError as error:
            progress(str(error))
            about["mem0"] = {"note": str(error)}
    return pythons


def _measured(
    pythons: dict[str, Path], size: int, options: argparse.Namespace, about: dict[str, Any]
) -> dict[str, Any]:
    """Measure every program at one size; one that stops is reported with what it had done."""
    calls = options.calls + _UNCOUNTED
    few = options.calls // 5 + _UNCOUNTED
    given = stock(size, options.seed, adds=calls, searches=calls, messages=few)
    progress(f"{size:,}: vectors of what the stores are filled with")
    vectors = table_of(doc["text"] for doc in given.filled)
    seconds = _SECONDS if size <= SMALL else _LARGE_SECONDS
    with ExitStack() as opened:
        trials = {
            name: Trial(
                name,
                opened.enter_context(
                    Conversation(python, f"assistant_{name}", vectors, seconds=seconds)
                ),
                given,
            )
            for name, python in pythons.items()
        }
        for step in _steps(given):
            for trial in trials.values():
                trial.go_on(step)
    costs = {name: trial.costs() for name, trial in trials.items()}
    about |= {name: trial.about for name, trial in trials.items() if trial.about}
    _show(size, costs)
    return costs


def _steps(given: Stock) -> Iterator[Step]:
    yield Trial.fill
    for part in _parts(len(given.added)):
        yield lambda trial, part=part: trial.add(part)
    for part in _parts(len(given.searches)):
        yield lambda trial, part=part: trial.search(part)
    yield Trial.finish


def _parts(count: int) -> list[slice]:
    return [slice(start, start + _TURN) for start in range(0, count, _TURN)]


class Trial:
    """One program at one size: what it has done so far."""

    def __init__(self, name: str, program: Conversation, given: Stock) -> None:
        self.about: dict[str, Any] = {}
        self._name = name
        self._program = program
        self._given = given
        self._costs: dict[str, Any] = {}
        self._added: list[dict[str, Any]] = []
        self._found: list[dict[str, Any]] = []

    def go_on(self, step: Step) -> None:
        """Take a step, unless the program has stopped before."""
        if "stopped" in self._costs:
            return
        try:
            step(self)
        except StoppedError as error:
            progress(f"{self._name} {error}")
            self._costs["stopped"] = str(error)

    def fill(self) -> None:
        """Put everything into the store that is there before the calls."""
        docs = self._given.filled
        progress(f"{len(docs):,}: filling {self._name}")
        for start in range(0, len(docs), _BATCH):
            self._program.ask("load", unit=_UNIT, docs=docs[start : start + _BATCH])
        kept = self._program.ask("state")
        self.about = {"note": kept["note"], "versions": kept["versions"]}
        self._costs["bytes_each"] = kept["bytes"] / len(docs)
        self._costs["rss_mb_of_store"] = kept["rss_mb_of_store"]
        progress(f"{len(docs):,}: filled")

    def add(self, part: slice) -> None:
        """Add some texts, each by a call of its own."""
        for doc in self._given.added[part]:
            self._added.append(self._program.ask("add", unit=_UNIT, docs=[doc]))

    def search(self, part: slice) -> None:
        """Ask some of the questions."""
        self._found += self._asked([one.text for one in self._given.searches[part]])

    def finish(self) -> None:
        """See whether what was added is found, and measure what only Mnemic can do."""
        added = self._given.added[:_UNCOUNTED]
        found = self._asked([one["text"] for one in added])
        hits = [doc["id"] in one["found"] for doc, one in zip(added, found, strict=True)]
        self._costs["found_after_add"] = sum(hits) / len(hits)
        if self._name != _OWN:
            return
        messages = self._given.messages
        profiles = self._each("profile", [[_UNIT] for _ in messages])
        self._costs["profile"] = {**summary(profiles), "counted": profiles[-1]["found"]}
        self._costs["chat"] = summary(self._each("chat", [[_UNIT, one] for one in messages]))

    def costs(self) -> dict[str, Any]:
        """Return what was measured."""
        costs = dict(self._costs)
        if len(self._added) > _UNCOUNTED:
            costs["add"] = summary(self._added)
        if len(self._found) > _UNCOUNTED:
            costs["search"] = {**summary(self._found), **hit_rates(self._given, self._found)}
        return costs

    def _asked(self, questions: list[str]) -> list[dict[str, Any]]:
        return self._program.ask("search", unit=_UNIT, questions=questions, limit=_LIMIT)["each"]

    def _each(self, call: str, arguments: list[list[str]]) -> list[dict[str, Any]]:
        return self._program.ask("each", call=call, arguments=arguments)["each"]


def hit_rates(given: Stock, found: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Return the share of the questions, by language, that find the memory they are made of."""
    hits: dict[str, list[bool]] = {"English": [], "Chinese": []}
    for one, each in zip(given.searches, found, strict=False):
        hits[one.language].append(one.target in each["found"])
    return {f"hit_rate_{name}": sum(one) / len(one) for name, one in hits.items() if one}


def summary(timed: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return medians of whole calls, and of what is left of each without its embedding."""
    counted = timed[_UNCOUNTED:]
    rest = [one["cpu_ms"] for one in counted]
    cpu = [one["cpu_ms"] + one["embedding_cpu_ms"] for one in counted]
    wall = [one["wall_ms"] for one in counted]
    return {
        "calls": len(counted),
        "cpu_ms": median(cpu),
        "cpu_ms_p95": percentile(cpu, 95),
        "wall_ms": median(wall),
        "wall_ms_p95": percentile(wall, 95),
        "embedding_cpu_ms": median(one["embedding_cpu_ms"] for one in counted),
        "cpu_ms_rest": median(rest),
        "wall_ms_rest": median(one["wall_ms"] - one["embedding_wall_ms"] for one in counted),
    }


def _show(size: int, costs: dict[str, Any]) -> None:
    rows = [
        [f"{call}, {PROGRAMS[name]}", *(one[call][key] for key in _COLUMNS)]
        for call in ("add", "search", "profile", "chat")
        for name, one in costs.items()
        if call in one
    ]
    columns = ["", "CPU", "p95", "wall", "p95", "CPU less embedding", "wall less embedding"]
    table(f"{size:,} memories of one user, ms per call", columns, rows)
    rows = [
        [
            PROGRAMS[name],
            *(one["search"][f"hit_rate_{spoken}"] for spoken in ("English", "Chinese")),
            one["found_after_add"],
            one["bytes_each"],
        ]
        for name, one in costs.items()
        if "found_after_add" in one
    ]
    table(
        "What is found", ["", "known, English", "known, Chinese", "just added", "bytes each"], rows
    )


if __name__ == "__main__":
    main()
