"""What does Mnemic on PostgreSQL cost, beside SQLite and beside what a user writes by hand?

    python benchmarks/postgres.py [--sizes 10000,100000,1000000] [--skip quality]

A server is started from the tests' wheel and stopped again. All get the same memories, questions
and vectors; every text was embedded before, so that no call pays for a model. Above 100,000 the
vectors are a stand-in's (see standin.py). The settings of the server are in postgres_server.py.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any, Final

import psycopg

import postgres_quality
from postgres_contestants import ALL_WORDS, ANY_WORD, CONTESTANTS, POSTGRES, SQLITE
from postgres_filling import copy_store
from postgres_server import SETTINGS, Server, cpu_ms, measured_server
from postgres_stock import vectors_of_calls, vectors_of_store
from recall_stock import questions, write_questions
from reporting import conditions, name_for, progress, save, save_sizes, state, table
from standin import STAND_IN
from trials import folder_bytes

_HERE: Final = Path(__file__).resolve().parent
_MOST_EMBEDDED: Final = 100_000
_FIRSTS: Final = 3
# Processes and the threads of each.
CLIENTS: Final = ((1, 1), (1, 16), (4, 4))
Tables = list[Path]
_ASKED_BY_MANY: Final = "mixed"


def main() -> None:
    options = _options()
    state(conditions(seed=options.seed))
    with measured_server() as (server, process):
        for size in options.sizes:
            if "costs" not in options.skip:
                result = _measured(size, options.seed, server, process)
                save_sizes(name_for("postgres", [size]), {size: result})
        if "quality" not in options.skip:
            run = conditions()
            found = postgres_quality.evaluate(options.data, server)
            save("postgres-quality", {"run": run, **found})


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    usual = os.environ.get("MNEMIC_DATA") or _HERE.parent.parent / "shared" / "data"
    parser.add_argument("--data", type=Path, default=Path(usual))
    parser.add_argument("--sizes", type=_numbers, default=[10_000])
    parser.add_argument("--skip", type=lambda text: text.split(","), default=[])
    parser.add_argument("--seed", type=int, default=7)
    return parser.parse_args()


def _numbers(text: str) -> list[int]:
    return [int(one) for one in text.split(",")]


def _measured(size: int, seed: int, server: Server, process: int) -> dict[str, Any]:
    embedder = "default" if size <= _MOST_EMBEDDED else STAND_IN
    progress(f"{size:,}: vectors of {embedder}, or finding them")
    kinds = questions(size, seed)
    some = [] if embedder == STAND_IN else [vectors_of_calls(seed, kinds)]
    every = [] if embedder == STAND_IN else [*some, vectors_of_store(size, seed)]
    run = conditions(seed=seed)
    with tempfile.TemporaryDirectory(prefix="mnemic-") as made:
        folder = Path(made)
        write_questions(kinds, folder / "questions.json")
        places = _Places(size, folder, server)
        drivers = {
            name: _Driver(name, places.of(name), process, [folder / "questions.json", size, seed])
            for name in CONTESTANTS
        }
        loading = _loaded(drivers, places, every)
        result: dict[str, Any] = {}
        for name, driver in drivers.items():
            result[name] = {"loading": loading[name], **_measure(driver, every, some)}
            _show(f"{size:,}: {name}", result[name])
    places.drop()
    return {"run": run, "embedder": embedder, "settings": SETTINGS, "contestants": result}


class _Places:
    """Where each contestant keeps its memories; both baselines share one table."""

    def __init__(self, size: int, folder: Path, server: Server) -> None:
        self.size, self.folder, self.server = size, folder, server
        self._names = {POSTGRES: f"mnemic_{size}", ANY_WORD: f"baseline_{size}"}
        urls = {name: server.make_database(made) for name, made in self._names.items()}
        self._where = {SQLITE: str(folder / "memory.db"), **urls, ALL_WORDS: urls[ANY_WORD]}

    def of(self, name: str) -> str:
        """Return where a contestant is opened."""
        return self._where[name]

    def bytes_each(self, name: str) -> float:
        """Return what a memory takes on disk, indexes included."""
        if name == SQLITE:
            return folder_bytes(self.folder) / self.size
        with psycopg.connect(self._where[name]) as connection:
            row = connection.execute("select pg_database_size(current_database())").fetchone()
        return row[0] / self.size if row else 0.0

    def drop(self) -> None:
        """Remove the databases."""
        for name in self._names.values():
            self.server.drop_database(name)


class _Driver:
    """Runs the driver for one contestant."""

    def __init__(self, name: str, where: str, process: int, stock: list[Any]) -> None:
        self.name, self.where = name, where
        self.process = 0 if name == SQLITE else process
        self._asked, self.size, self._seed = stock

    def run(self, phase: str, vectors: Tables) -> dict[str, Any]:
        """Return what one phase answers."""
        command = self._command(phase, vectors)
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        return json.loads(done.stdout.splitlines()[-1])

    def together(
        self, phase: str, vectors: Tables, kind: str, processes: int, threads: int
    ) -> dict[str, Any]:
        """Let several processes call at the same time, and add up what they did."""
        clients = [
            subprocess.Popen(
                self._command(phase, vectors, threads, kind),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for _ in range(processes)
        ]
        for one in clients:
            if one.stdout is None or one.stdout.readline() != "ready\n":
                raise RuntimeError(f"{self.name}: a client did not start")
        server = cpu_ms(self.process)
        answers = [json.loads(said.splitlines()[-1]) for said in _all_at_once(clients)]
        return _added_up(answers, cpu_ms(self.process) - server)

    def _command(self, phase: str, vectors: Tables, *more: object) -> list[str]:
        words = [
            phase,
            self.name,
            self.where,
            self.process,
            self._asked,
            ",".join(map(str, vectors)),
        ]
        words += [self.size, self._seed]
        return [sys.executable, str(_HERE / "postgres_driver.py"), *map(str, [*words, *more])]


def _all_at_once(clients: list[subprocess.Popen[str]]) -> list[str]:
    for one in clients:
        if one.stdin is not None:
            one.stdin.write("\n")
            one.stdin.flush()
    said = [one.communicate()[0] for one in clients]
    if any(one.returncode for one in clients):
        raise RuntimeError("a client failed")
    return said


def _added_up(answers: list[dict[str, Any]], server_ms: float) -> dict[str, Any]:
    calls = sum(one["calls"] for one in answers)
    seconds = max(one["seconds"] for one in answers)
    client_ms = sum(one["client_cpu_ms"] for one in answers)
    cores = os.cpu_count() or 1
    return {
        "calls": calls,
        "per_second": calls / seconds,
        "wall_ms": median(one["wall_ms"] for one in answers),
        "wall_ms_p95": max(one["wall_ms_p95"] for one in answers),
        "client_cpu_ms": client_ms / calls,
        "server_cpu_ms": server_ms / calls,
        "share_of_cores": (client_ms + server_ms) / 1000 / seconds / cores,
        "cores_would_allow": cores * 1000 * calls / (client_ms + server_ms),
        "embedded_anew": sum(one["embedded_anew"] for one in answers),
    }


def _loaded(drivers: dict[str, _Driver], places: _Places, every: Tables) -> dict[str, Any]:
    """Load every store. Mnemic's on PostgreSQL is a copy of the one on SQLite, row by row."""
    loaded: dict[str, Any] = {}
    for name, driver in drivers.items():
        progress(f"{driver.size:,}: {name}: loading")
        if name == ALL_WORDS:
            loaded[name] = loaded[ANY_WORD]
        elif name == POSTGRES:
            driver.run("make", every)
            copy_store(Path(places.of(SQLITE)), driver.where)
            loaded[name] = {"bytes": places.bytes_each(name)}
        else:
            loaded[name] = {**driver.run("load", every), "bytes": places.bytes_each(name)}
    return loaded


def _measure(driver: _Driver, every: Tables, some: Tables) -> dict[str, Any]:
    progress(f"{driver.size:,}: {driver.name}: first answers")
    firsts = [driver.run("first", some) for _ in range(_FIRSTS)]
    first = {key: median(one[key] for one in firsts) for key in firsts[0]}
    progress(f"{driver.size:,}: {driver.name}: recall")
    measured = driver.run("measure", some)
    progress(f"{driver.size:,}: {driver.name}: the true best")
    closest = {} if driver.name == ALL_WORDS else driver.run("closest", every)
    progress(f"{driver.size:,}: {driver.name}: several clients")
    many = _clients(driver, "recalling", _ASKED_BY_MANY, some)
    inserted, inserting = {}, {}
    if driver.name != ALL_WORDS:
        progress(f"{driver.size:,}: {driver.name}: inserting")
        inserted = driver.run("insert", some)
        inserting = _clients(driver, "inserting", "", some)
    return {
        "first": first,
        **measured,
        "closest": closest,
        "recalling": many,
        "insert": inserted,
        "inserting": inserting,
    }


def _clients(driver: _Driver, phase: str, kind: str, some: Tables) -> dict[str, Any]:
    return {
        f"{processes}x{threads}": driver.together(phase, some, kind, processes, threads)
        for processes, threads in CLIENTS
    }


def _show(title: str, one: dict[str, Any]) -> None:
    measures = ["wall_ms", "wall_ms_p95", "client_cpu_ms", "server_cpu_ms"]
    many = ["per_second", "share_of_cores", "cores_would_allow", *measures]
    _rows(f"{title}, recall, one client", one["kinds"], ["calls", *measures])
    _rows("Inserted", one["insert"], ["calls", *measures])
    _rows("First answer", {"": one["first"]}, [*measures, "rss_mb"])
    _rows("Recall, processes x threads", one["recalling"], many)
    _rows("Insert, processes x threads", one["inserting"], many)
    print(f"True best ten: {one['closest']}; loading: {one['loading']}\n", flush=True)


def _rows(title: str, rows: dict[str, Any], columns: list[str]) -> None:
    shown = [[kind, *(one.get(column) for column in columns)] for kind, one in rows.items()]
    table(title, ["", *columns], shown)


if __name__ == "__main__":
    main()
