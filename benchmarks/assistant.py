"""What do the assistant's tools cost as a user's memory grows, for us and for Mem0?

    python benchmarks/assistant.py [--sizes 1000,10000,100000] [--skip-peers]

Both get the same texts and the same embedder, in one run. A store is filled in bulk, with vectors
that were made before; then single calls are measured, and what those add or ask is embedded as they
come. The programs take turns, fifty calls each, so that a machine that gets busier is no program's
disadvantage. A search asks with about half of the words of one memory, in their order: something
that every program can find, by words or by meaning.
"""

import argparse
import re
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

from drivers.environments import interpreters
from harness.measure import Timed, summary
from harness.options import Options
from harness.process import DriverError, DriverProcess, store_process
from harness.results import SMALL, Result, conditions, name_for, progress, save
from harness.sentences import Writer
from harness.vectors import table_of
from report import assistant as report

_UNIT: Final = "ann"
_BATCH: Final = 1_000
_LIMIT: Final = 10
_WARM_UP: Final = 10
_CALLS: Final = 200
_TURN: Final = 50
# For both programs together. Mem0 reads every point of the user for each search.
_SECONDS: Final = 900.0
_LARGE_SECONDS: Final = 3_600.0
_OWN: Final = "mnemic"
_TYPES: Final = ("core", "episodic", "semantic", "procedural", "resource", "knowledge_vault")
_WORD: Final = re.compile(r"[\w.=-]*\w")
_CHINESE_MARKS: Final = re.compile(r"[，。]")
_LEAST_WORDS: Final = 4
_LEAST_CHARACTERS: Final = 8


def main(arguments: Sequence[str] | None = None) -> None:
    parser = Options(__doc__)
    parser.sizes(1_000, 10_000)
    parser.add_argument("--skip-peers", action="store_true")
    parser.add_argument("--calls", type=int, default=_CALLS, help="adds and searches to measure")
    parser.seed()
    options = parser.parse_args(arguments)
    result: Result = {"run": conditions(seed=options.seed), "programs": {}, "costs": {}}
    names = [_OWN] if options.skip_peers else list(report.PROGRAMS)
    pythons = interpreters(names, result["programs"])
    for size in options.sizes:
        costs = _measure(pythons, size, options)
        for name, own in costs.items():
            result["programs"][name] = own.pop("about", {"note": own.get("stopped")})
        result["costs"][str(size)] = costs
        print(report.write_size(result, str(size)))
    complete = len(pythons) == len(report.PROGRAMS) and options.calls >= _CALLS
    save(name_for("assistant", options.sizes), result, complete=complete)


def _measure(
    pythons: dict[str, Path], size: int, options: argparse.Namespace
) -> dict[str, dict[str, Any]]:
    """Measure every program at one size; one that stops is reported with what it had done."""
    calls, messages = options.calls + _WARM_UP, options.calls // 5 + _WARM_UP
    workload = make_workload(size, options.seed, adds=calls, searches=calls, messages=messages)
    progress(f"{size:,}: vectors of what the stores are filled with")
    vectors = table_of(doc["text"] for doc in workload.filled)
    seconds = _SECONDS if size <= SMALL else _LARGE_SECONDS
    with ExitStack() as opened:
        trials = {
            name: Trial(
                opened.enter_context(
                    store_process(python, f"{name}_assistant", vectors, seconds=seconds)
                ),
                workload,
                is_own=name == _OWN,
            )
            for name, python in pythons.items()
        }
        return measure_in_turns(trials)


def measure_in_turns(trials: dict[str, "Trial"]) -> dict[str, dict[str, Any]]:
    """Let the trials take their steps in turns, and return what each cost."""
    running = {name: trial.steps() for name, trial in trials.items()}
    while running:
        for name, steps in list(running.items()):
            try:
                progress(f"{name}: {next(steps)}")
            except StopIteration:
                del running[name]
            except DriverError as error:
                progress(f"{name} {error}")
                trials[name].costs["stopped"] = str(error)
                del running[name]
    return {name: trial.costs for name, trial in trials.items()}


class Trial:
    """One program at one size, and what it has cost so far."""

    def __init__(self, program: DriverProcess, workload: "Workload", *, is_own: bool) -> None:
        self.costs: dict[str, Any] = {}
        self._program, self._workload, self._is_own = program, workload, is_own

    def steps(self) -> Iterator[str]:
        """Fill, add, search and so on; after each step yield its name, so that others may go on."""
        docs, searches = self._workload.filled, self._workload.searches
        for start in range(0, len(docs), _BATCH):
            self._program.call("load", _UNIT, docs[start : start + _BATCH])
        state = self._program.call("state")
        self.costs["about"] = {key: state[key] for key in ("note", "versions")}
        self.costs["bytes_each"] = state["bytes"] / len(docs)
        self.costs["rss_mb_of_store"] = state["rss_mb_of_store"]
        yield "filled"
        added = yield from self._timed("add", [[_UNIT, [doc]] for doc in self._workload.added])
        self.costs["add"] = summary(added, warm_up=_WARM_UP)
        asked = [[_UNIT, search.text, _LIMIT] for search in searches]
        found = yield from self._timed("search", asked)
        self.costs["search"] = {**summary(found, warm_up=_WARM_UP), **_hit_rates(searches, found)}
        self._find_added()
        if self._is_own:
            self._measure_own()

    def _timed(self, name: str, each: Sequence[Any]) -> Generator[str, None, list[Timed]]:
        timed: list[Timed] = []
        for start in range(0, len(each), _TURN):
            timed += self._program.timed(name, each[start : start + _TURN])
            yield f"{name}, {len(timed)} of {len(each)}"
        return timed

    def _find_added(self) -> None:
        docs = self._workload.added[:_WARM_UP]
        found = self._program.timed("search", [[_UNIT, doc["text"], _LIMIT] for doc in docs])
        hits = [doc["id"] in timed["answer"] for doc, timed in zip(docs, found, strict=True)]
        self.costs["found_after_add"] = sum(hits) / len(hits)

    def _measure_own(self) -> None:
        """Measure what the peer has no counterpart for."""
        messages = self._workload.messages
        profiles = self._program.timed("profile", [[_UNIT] for _ in messages])
        counted = {"counted": profiles[-1]["answer"]}
        self.costs["profile"] = {**summary(profiles, warm_up=_WARM_UP), **counted}
        chats = self._program.timed("chat", [[_UNIT, message] for message in messages])
        self.costs["chat"] = summary(chats, warm_up=_WARM_UP)


def _hit_rates(searches: Sequence[Any], found: Sequence[Timed]) -> dict[str, float]:
    """Return the share of the questions, by language, that find the memory they are made of."""
    hits: dict[str, list[bool]] = {}
    for search, timed in zip(searches, found, strict=True):
        hits.setdefault(f"hit_rate_{search.language}", []).append(search.target in timed["answer"])
    return {name: sum(own) / len(own) for name, own in hits.items()}


@dataclass(frozen=True, slots=True)
class Search:
    """A question, and the id of the memory whose words it has."""

    text: str
    target: str

    @property
    def language(self) -> str:
        return "English" if self.text.isascii() else "Chinese"


@dataclass(frozen=True, slots=True)
class Workload:
    """What is in the store before anything is measured, and what is then added and asked."""

    filled: list[dict[str, Any]]
    added: list[dict[str, Any]]
    searches: list[Search]
    messages: list[str]


def make_workload(size: int, seed: int, *, adds: int, searches: int, messages: int) -> Workload:
    """Return the memories and the calls of a run; searches are English and Chinese in turn."""
    writer, rng = Writer(seed), Random(seed)
    docs = [
        {"id": str(at), "text": text, "type": _TYPES[at % len(_TYPES)]}
        for at, text in enumerate(writer.texts(size + adds))
    ]
    filled = docs[:size]
    english = [doc for doc in filled if doc["text"].isascii()]
    chinese = [doc for doc in filled if not doc["text"].isascii()]
    asked: list[Search] = []
    for at in range(searches):
        doc = rng.choice(chinese if at % 2 else english)
        part = _chinese_part if at % 2 else _english_part
        asked.append(Search(part(doc["text"], rng), doc["id"]))
    return Workload(filled, docs[size:], asked, writer.questions(messages))


def _english_part(text: str, rng: Random) -> str:
    words = _WORD.findall(text)
    kept = sorted(rng.sample(range(len(words)), min(len(words), _half(words, _LEAST_WORDS))))
    return " ".join(words[at] for at in kept)


def _chinese_part(text: str, rng: Random) -> str:
    """Return a stretch of the text, because its words have no marks between them."""
    bare = _CHINESE_MARKS.sub(" ", text).strip()
    length = min(len(bare), _half(bare, _LEAST_CHARACTERS))
    start = rng.randrange(len(bare) - length + 1)
    return bare[start : start + length].strip()


def _half(parts: Sequence[str], least: int) -> int:
    return max(least, len(parts) // 2)


if __name__ == "__main__":
    main()
