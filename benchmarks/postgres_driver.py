"""One contestant of the PostgreSQL benchmark, in a process of its own.

python postgres_driver.py PHASE NAME WHERE SERVER_PID QUESTIONS TABLES SIZE SEED
python postgres_driver.py recalling|inserting (the same) THREADS [KIND]

`TABLES` are the files of vectors, with commas between; none for the stand-in. The last two are one
process of several clients: it says that it is ready, begins when it is told to, and stops after
some seconds.
"""

import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import count, cycle, islice
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any, Final

import numpy as np

from postgres_contestants import POSTGRES, SQLITE, TOP, Contestant, Found, opened
from postgres_server import cpu_ms
from postgres_stock import Known, embedded, embedder_of, lessons
from recall_stock import Question, read_questions, rows
from reporting import percentile
from trials import answer, resident_mb

KINDS: Final = (
    "rare words",
    "common words",
    "mixed",
    "Chinese",
    "filter that 30 % pass",
    "filter that 0.1 % pass",
    "in a scope of 1,000",
)
_CLOSEST: Final = (
    "mixed",
    "filter that 30 % pass",
    "filter that 0.1 % pass",
    "in a scope of 1,000",
)
SECONDS: Final = 3.0
_UNCOUNTED: Final = 10
_SINGLES: Final = 60
_BULK: Final = 100
_BULKS: Final = 5
# A kind of call that is very slow is made fewer times, but never less often than this.
_PATIENCE_SECONDS: Final = 30.0
_LEAST: Final = 5
_ROUNDING: Final = 1e-5


class Costs:
    """What calls cost: wall time one by one, CPU time of client and server in all."""

    def __init__(self, server: int) -> None:
        self._server = server
        self._begun = (process_time() * 1000, cpu_ms(server))
        self.wall: list[float] = []

    def time(self, call: Callable[[], object]) -> None:
        """Make a call."""
        started = perf_counter()
        call()
        self.wall.append((perf_counter() - started) * 1000)

    def each(self, *, per_call: int = 1) -> dict[str, Any]:
        """Return milliseconds per item, where each call had so many."""
        done = len(self.wall) * per_call
        client, server = process_time() * 1000, cpu_ms(self._server)
        return {
            "calls": len(self.wall),
            "wall_ms": median(self.wall) / per_call,
            "wall_ms_p95": percentile(self.wall, 95) / per_call,
            "client_cpu_ms": (client - self._begun[0]) / done,
            "server_cpu_ms": (server - self._begun[1]) / done,
        }


class Trial:
    """What is measured of one contestant."""

    def __init__(self, words: list[str]) -> None:
        name, where, server, asked, tables, size, seed, *rest = words
        self.name, self.where, self.server = name, where, int(server)
        self.size, self.seed, self.rest = int(size), int(seed), rest
        self._questions = read_questions(Path(asked))
        self._embedder = embedder_of(*map(Path, filter(None, tables.split(","))))

    def load(self) -> dict[str, Any]:
        """Fill the store; what looking vectors up costs is part of it, for all alike."""
        stock, costs = list(rows(self.size, self.seed)), Costs(self.server)
        store = self._opened()
        costs.time(lambda: store.load(stock))
        store.close()
        return costs.each(per_call=self.size)

    def make(self) -> dict[str, Any]:
        """Make the store, empty."""
        self._opened().close()
        return {}

    def first(self) -> dict[str, Any]:
        """Open the store as a new process and ask once by words and vectors."""
        [asked, *_] = self._asked("mixed")
        self._embedder.embed([asked.text])
        costs, stores = Costs(self.server), list[Contestant]()

        def open_and_ask() -> None:
            stores.append(self._opened())
            stores[0].recall(asked)

        costs.time(open_and_ask)
        spent = {**costs.each(), "rss_mb": resident_mb()}
        stores[0].close()
        return spent

    def measure(self) -> dict[str, Any]:
        """Return what every kind of recall costs one client."""
        store = self._opened()
        kinds = {kind: self._recalled(store, self._asked(kind)) for kind in self._kinds(KINDS)}
        rss = resident_mb()
        store.close()
        return {"kinds": kinds, "rss_mb": rss, "embedded_anew": self._anew}

    def insert(self) -> dict[str, Any]:
        """Return what one insert costs, with and without a look for duplicates, and in bulk."""
        store, given = self._opened(), iter(lessons(self.seed))
        done: dict[str, Any] = {}
        for kind, dedup in (("one by one, deduplicated", True), ("one by one", False)):
            if dedup and self.name not in (SQLITE, POSTGRES):
                continue
            for row in islice(given, _UNCOUNTED):
                store.insert(row, dedup=dedup)
            costs = Costs(self.server)
            for row in _patiently(list(islice(given, _SINGLES))):
                costs.time(lambda row=row, dedup=dedup: store.insert(row, dedup=dedup))
            done[kind] = costs.each()
        costs = Costs(self.server)
        for _ in range(_BULKS):
            batch = list(islice(given, _BULK))
            costs.time(lambda batch=batch: store.insert_many(batch))
        done["100 at a time"] = costs.each(per_call=_BULK)
        store.close()
        return done

    def closest(self) -> dict[str, Any]:
        """Return which share of the true best ten by cosine is found; `TABLES` hold every vector.

        Of several that are equally close, any will do.
        """
        stock, store, shares = list(rows(self.size, self.seed)), self._opened(), dict[str, float]()
        vectors = self._embedder.embed([embedded(row.text, row.context) for row in stock])
        for kind in self._kinds(_CLOSEST):
            found: list[float] = []
            for asked in self._asked(kind)[_UNCOUNTED:]:
                best, vector = store.closest(asked)
                passing = [
                    at
                    for at, row in enumerate(stock)
                    if row.scope == asked.scope
                    and (asked.filter or {}).items() <= row.context.items()
                ]
                true = np.sort(vectors[passing] @ vector)[-TOP:]
                if len(true):
                    close = self._cosines(best, vector) >= true[0] - _ROUNDING
                    found.append(float(close.sum()) / len(true))
            shares[kind] = sum(found) / len(found)
        store.close()
        return shares

    def serve_clients(self, phase: str) -> dict[str, Any]:
        """Call from several threads for some seconds, beginning when a line is read."""
        threads, kind = int(self.rest[0]), self.rest[1]
        store = self._opened(clients=threads)
        call = self._inserting(store) if phase == "inserting" else self._recalling(store, kind)
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(call, range(threads)))  # Every connection is made, every cache filled.
            sys.stdout.write("ready\n")
            sys.stdout.flush()
            sys.stdin.readline()
            begun, cpu = perf_counter(), process_time()
            walls = list(pool.map(lambda one: _until(begun + SECONDS, call, one), range(threads)))
        spent = (perf_counter() - begun, (process_time() - cpu) * 1000)
        store.close()
        every = [wall for one in walls for wall in one]
        return {
            "calls": len(every),
            "seconds": spent[0],
            "client_cpu_ms": spent[1],
            "wall_ms": median(every),
            "wall_ms_p95": percentile(every, 95),
            "embedded_anew": self._anew,
        }

    def _recalling(self, store: Contestant, kind: str) -> Callable[[int], object]:
        asked = self._asked(kind)
        turns = cycle(asked)
        return lambda _: store.recall(next(turns))

    def _inserting(self, store: Contestant) -> Callable[[int], object]:
        """Each client writes to a scope of its own, as the robots of a fleet do."""
        given, numbers = lessons(self.seed), count()

        def insert(thread: int) -> None:
            at = next(numbers)
            # A scope meets each text once, whatever the process and its turn.
            scope = f"robot-{os.getpid()}-{thread}-{at // len(given)}"
            row = replace(given[at % len(given)], scope=scope)
            store.insert(row, dedup=self.name in (SQLITE, POSTGRES))

        return insert

    def _recalled(self, store: Contestant, asked: list[Question]) -> dict[str, Any]:
        for one in _patiently(asked[:_UNCOUNTED]):
            store.recall(one)
        costs, nothing = Costs(self.server), 0
        for one in _patiently(asked[_UNCOUNTED:]):
            found: list[Found] = []
            costs.time(lambda one=one, found=found: found.extend(store.recall(one)))
            nothing += not found
        return {**costs.each(), "nothing": nothing}

    def _opened(self, *, clients: int = 1) -> Contestant:
        return opened(self.name, self.where, self._embedder, clients=clients)

    def _asked(self, kind: str) -> list[Question]:
        return self._questions[kind]

    def _kinds(self, kinds: tuple[str, ...]) -> list[str]:
        return [kind for kind in kinds if kind in self._questions]

    def _cosines(self, found: list[Found], vector: Any) -> Any:
        if not found:
            return np.zeros(0)
        return self._embedder.embed([embedded(*one) for one in found]) @ vector

    @property
    def _anew(self) -> int:
        return self._embedder.unknown if isinstance(self._embedder, Known) else 0


def _until(end: float, call: Callable[[int], object], thread: int) -> list[float]:
    walls: list[float] = []
    while (started := perf_counter()) < end:
        call(thread)
        walls.append((perf_counter() - started) * 1000)
    return walls


def _patiently(given: list[Any]) -> Iterator[Any]:
    started = perf_counter()
    for at, one in enumerate(given):
        if at >= _LEAST and perf_counter() - started > _PATIENCE_SECONDS:
            return
        yield one


def main() -> None:
    phase, *words = sys.argv[1:]
    trial = Trial(words)
    if phase in ("recalling", "inserting"):
        answer(trial.serve_clients(phase))
    else:
        answer(getattr(trial, phase)())


if __name__ == "__main__":
    main()
