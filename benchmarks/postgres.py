"""What does Mnemic on PostgreSQL cost, beside SQLite and beside what a user writes by hand?

    python benchmarks/postgres.py [--sizes 10000,100000,1000000] [--skip quality]

A server is started from the tests' wheel and stopped again. All get the same memories, questions
and vectors; what a call still embeds is left out of its time. Above 100,000 the vectors are a
stand-in's (see harness/embedders.py). The settings of the server are in postgresql/server.py.
"""

import os
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from statistics import mean, median
from typing import Any, Final

import psycopg

from harness.embedders import WORD_MEANS, embedder_for
from harness.measure import folder_bytes, percentile, rest
from harness.options import Options
from harness.process import DriverProcess
from harness.results import Result, conditions, name_for, progress, save, save_sizes
from postgresql import quality
from postgresql.contestants import (
    ALL_WORDS,
    ANY_WORD,
    CONTESTANTS,
    POSTGRES,
    SQLITE,
    lessons,
    vectors_of_calls,
    vectors_of_store,
)
from postgresql.loading import copy_stores
from postgresql.server import SETTINGS, Server, cpu_ms, measured_server
from report import postgres as report
from speed.recall_workload import Question, questions

_DRIVER: Final = "postgresql.contestants"
_CLOSEST: Final = (
    "mixed",
    "filter that 30 % pass",
    "filter that 0.1 % pass",
    "in a scope of 1,000",
)
_KINDS: Final = ("rare words", "common words", "Chinese", *_CLOSEST)
_STARTS: Final = 3
_WARM_UP: Final = 10
_SINGLES: Final = 60
_BULK: Final = 100
_BULKS: Final = 5
# A kind of call that is very slow is made fewer times.
_SECONDS: Final = 30.0
_CLIENT_SECONDS: Final = 3.0
# Processes and the threads of each.
_CLIENTS: Final = ((1, 1), (1, 16), (4, 4))

Each = list[list[Any]]
"""The arguments of several calls."""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = Options(__doc__)
    parser.data()
    parser.sizes(10_000)
    parser.names("--skip", ("costs", "quality"), usual=())
    parser.add_argument("--seconds", type=float, default=_CLIENT_SECONDS, help="of several clients")
    parser.seed()
    options = parser.parse_args(arguments)
    with measured_server() as (server, process):
        for size in options.sizes if "costs" not in options.skip else ():
            result = _measure(size, options.seed, options.seconds, server, process)
            print(report.write_size(size, result))
            complete = size >= 10_000 and options.seconds >= _CLIENT_SECONDS
            save_sizes(name_for("postgres", [size]), {size: result}, complete=complete)
        if "quality" not in options.skip:
            run = conditions()
            found = quality.evaluate(options.data, server)
            print(report.write_quality(found))
            save("postgres-quality", {"run": run, **found})


def _measure(size: int, seed: int, seconds: float, server: Server, process: int) -> Result:
    embedder, kinds = embedder_for(size), questions(size, seed)
    progress(f"{size:,}: vectors of {embedder}, or finding them")
    calls = [] if embedder == WORD_MEANS else [vectors_of_calls(seed, kinds)]
    every = [] if embedder == WORD_MEANS else [*calls, vectors_of_store(size, seed)]
    run = conditions(seed=seed)
    databases = {POSTGRES: f"mnemic_{size}", ANY_WORD: f"baseline_{size}"}
    with tempfile.TemporaryDirectory(prefix="mnemic-") as scratch:
        urls = {SQLITE: str(Path(scratch) / "memory.db")}
        urls |= {name: server.make_database(database) for name, database in databases.items()}
        # Both baselines share one table.
        urls[ALL_WORDS] = urls[ANY_WORD]
        trials = {
            name: _Trial(
                name, urls[name], 0 if name == SQLITE else process, (size, seed), calls, every
            )
            for name in CONTESTANTS
        }
        # All are loaded before one is measured: what is inserted then is no part of the copy.
        loading = {name: trials[name].load(urls[SQLITE]) for name in (SQLITE, POSTGRES, ANY_WORD)}
        loading[ALL_WORDS] = loading[ANY_WORD]
        results = {
            name: {"loading": loading[name], **trial.measure(kinds, seconds)}
            for name, trial in trials.items()
        }
    for database in databases.values():
        server.drop_database(database)
    return {"run": run, "embedder": embedder, "settings": SETTINGS, "contestants": results}


class _Trial:
    """One contestant at one size."""

    def __init__(
        self,
        name: str,
        url: str,
        server: int,
        stock: tuple[int, int],
        calls: Sequence[Path],
        every: Sequence[Path],
    ) -> None:
        self._name, self._url, self._server = name, url, server
        self._size, self._seed = stock
        self._calls, self._every = calls, every

    def _process(self, *, every: bool = False) -> DriverProcess:
        tables = ",".join(map(str, self._every if every else self._calls))
        return DriverProcess(_DRIVER, self._name, self._url, tables, self._size, self._seed)

    def load(self, source: str) -> dict[str, Any]:
        """Fill the store; Mnemic's on PostgreSQL is a copy of the one on SQLite, row by row."""
        progress(f"{self._size:,}: {self._name}: loading")
        costs: dict[str, Any] = {}
        with self._process(every=True) as process:
            if self._name == POSTGRES:
                process.call("make")
                copy_stores({None: Path(source)}, self._url)
            else:
                costs = self._timed(process, "load", [[]], per_call=self._size)
        return {**costs, "bytes": self._bytes() / self._size}

    def _bytes(self) -> int:
        """Return what the store takes on disk, indexes included."""
        if self._name == SQLITE:
            return folder_bytes(Path(self._url).parent)
        with psycopg.connect(self._url) as connection:
            row = connection.execute("select pg_database_size(current_database())").fetchone()
        return row[0] if row else 0

    def measure(self, kinds: dict[str, list[Question]], seconds: float) -> dict[str, Any]:
        """Return what recalls cost one client and several, and then inserts."""
        progress(f"{self._size:,}: {self._name}: measuring")
        each = {kind: [[asdict(question)] for question in asked] for kind, asked in kinds.items()}
        starts = [self._start(each["mixed"][0]) for _ in range(_STARTS)]
        first = {key: median(start[key] for start in starts) for key in starts[0]}
        with self._process() as process:
            costs = {
                kind: self._timed(process, "recall", each[kind], warm_up=_WARM_UP)
                for kind in _KINDS
                if kind in each
            }
            rss_mb = process.call("resident_mb")
        asked = [question for [question] in each["mixed"]]
        result = {"first": first, "kinds": costs, "rss_mb": rss_mb, "closest": {}}
        result["recalling"] = self._together(asked, seconds)
        if self._name == ALL_WORDS:
            return {**result, "insert": {}, "inserting": {}}
        with self._process(every=True) as process:
            result["closest"] = {
                kind: process.call("closest", [question for [question] in each[kind][_WARM_UP:]])
                for kind in _CLOSEST
                if kind in each
            }
        return {**result, "insert": self._inserts(), "inserting": self._together([], seconds)}

    def _start(self, arguments: list[Any]) -> dict[str, Any]:
        """Open the store as a new process and ask once by words and vectors."""
        with self._process() as process:
            costs = self._timed(process, "recall", [arguments])
            return {**costs, "rss_mb": process.call("resident_mb")}

    def _inserts(self) -> dict[str, Any]:
        """Return what one insert costs, with and without a look for duplicates, and in bulk."""
        given, costs = iter([asdict(row) for row in lessons(self._seed)]), dict[str, Any]()
        with self._process() as process:
            for kind, dedup in (("one by one, deduplicated", True), ("one by one", False)):
                if not dedup or self._name in (SQLITE, POSTGRES):
                    each = [[row, dedup] for row in islice(given, _WARM_UP + _SINGLES)]
                    costs[kind] = self._timed(process, "insert", each, warm_up=_WARM_UP)
            each = [[list(islice(given, _BULK))] for _ in range(_BULKS)]
            costs["100 at a time"] = self._timed(process, "insert_many", each, per_call=_BULK)
        return costs

    def _timed(
        self, process: DriverProcess, name: str, each: Each, *, warm_up: int = 0, per_call: int = 1
    ) -> dict[str, Any]:
        """Return milliseconds per item, where each call has so many, without embedding."""
        process.timed_within(_SECONDS, name, each[:warm_up])
        before = cpu_ms(self._server)
        timed = process.timed_within(_SECONDS, name, each[warm_up:])
        server_ms, wall = cpu_ms(self._server) - before, rest(timed, "wall_ms")
        return {
            "calls": len(timed),
            "wall_ms": median(wall) / per_call,
            "wall_ms_p95": percentile(wall, 95) / per_call,
            "client_cpu_ms": mean(rest(timed, "cpu_ms")) / per_call,
            "server_cpu_ms": server_ms / len(timed) / per_call,
            "nothing": sum(not call["answer"] for call in timed),
        }

    def _together(self, asked: list[dict[str, Any]], seconds: float) -> dict[str, Any]:
        """Let several clients recall at the same time, or without questions, insert."""
        costs: dict[str, Any] = {}
        for processes, threads in _CLIENTS:
            with ExitStack() as stack:
                clients = [stack.enter_context(self._process()) for _ in range(processes)]
                for client in clients:
                    client.call("start_clients", threads, asked)
                before = cpu_ms(self._server)
                for client in clients:
                    client.send("run_clients", [[seconds]])
                runs = [client.receive("run_clients")[0]["answer"] for client in clients]
                costs[f"{processes}x{threads}"] = _sum(runs, cpu_ms(self._server) - before)
        return costs


def _sum(runs: Sequence[dict[str, Any]], server_ms: float) -> dict[str, Any]:
    walls = [wall for run in runs for wall in run["wall_ms"]]
    seconds = max(run["seconds"] for run in runs)
    client_ms, cores = sum(run["cpu_ms"] for run in runs), os.cpu_count() or 1
    return {
        "calls": len(walls),
        "per_second": len(walls) / seconds,
        "wall_ms": median(walls),
        "wall_ms_p95": percentile(walls, 95),
        "client_cpu_ms": client_ms / len(walls),
        "server_cpu_ms": server_ms / len(walls),
        "share_of_cores": (client_ms + server_ms) / 1000 / seconds / cores,
        "cores_would_allow": cores * 1000 * len(walls) / (client_ms + server_ms),
    }


if __name__ == "__main__":
    main()
