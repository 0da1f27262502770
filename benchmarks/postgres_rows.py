"""What does one memory cost on PostgreSQL, on disk, in the log, in CPU and in RAM?

    python benchmarks/postgres_rows.py [--accounts 10] [--calls 200]

Every account holds 10,000 memories of robots, in runs of 20, with vectors of 512 dimensions from
a stand-in (see harness/embedders.py), over 32 partitions. They are written to SQLite and moved.
The client's role is held to its account by row-level security.
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any, Final

import psycopg

import mnemic
from harness.embedders import WORD_MEANS, choose
from harness.markdown import read_named
from harness.measure import resident_mb, time_call
from harness.options import Options
from harness.results import Result, conditions, progress, save
from harness.sentences import Writer
from mnemic import opening
from mnemic.records.memory import Draft, Scope
from mnemic.records.query import Query
from mnemic.storage.postgres.schema import bring_up_to_date, grant
from mnemic.storage.postgres.server import PostgresServer as DatabaseServer
from postgresql.loading import copy_stores
from postgresql.server import SETTINGS, Server, cpu_ms, measured_server
from report import scale as report

_MEMBERS: Final = 10_000
_SMALL: Final = 1_000
_LARGE: Final = 100_000
_PARTITIONS: Final = 32
_DATABASE: Final = "rows"
_SCOPE: Final = Scope("collection", "robots")
_RUN: Final = 20
_BATCH: Final = 500
_WARM_UP: Final = 30
_ACCOUNTS: Final = 10
_CALLS: Final = 200
_SQL: Final = read_named(Path(__file__).parent / "postgresql" / "rows.sql")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = Options(__doc__)
    parser.add_argument("--accounts", type=int, default=_ACCOUNTS)
    parser.add_argument("--members", type=int, default=_MEMBERS, help="memories of each account")
    parser.add_argument("--calls", type=int, default=_CALLS)
    parser.seed()
    options = parser.parse_args(arguments)
    result: Result = {"run": conditions(seed=options.seed), "settings": SETTINGS}
    opening.choose_embedder = choose
    with measured_server() as (server, process):
        _make(server)
        empty, url = _sizes(server), server.url(_DATABASE)
        _add(url, {f"account-{n}": options.members for n in range(options.accounts)}, options.seed)
        memories = options.accounts * options.members
        stored = [
            _added(name, size, empty.get(name), memories)
            for name, size in sorted(_sizes(server).items())
        ]
        small = min(_SMALL, options.members)
        _add(url, {"small": small}, options.seed + 100)
        scopes = {"small": small, "account-0": options.members}
        calls = _calls(server, process, scopes, options)
        large = options.members * _LARGE // _MEMBERS
        _add(url, {"large": large}, options.seed + 200, embedder="none")
        with psycopg.connect(url) as connection:
            versions = connection.execute(_SQL["versions"].encode()).fetchone() or ("?", "?")
        result |= {
            "server": dict(zip(("postgresql", "pgvector"), versions, strict=True)),
            "partitions": _PARTITIONS,
            "memories": memories,
            "stored": [part for part in stored if max(part["bytes"], part["toast"]) >= 0.5],
            "calls": calls,
            "first": [_first_look(server, account) for account in (*scopes, "large")],
        }
    print(report.write(result))
    published = {"accounts": _ACCOUNTS, "members": _MEMBERS, "calls": _CALLS}
    complete = all(vars(options)[name] >= least for name, least in published.items())
    save("postgres-rows", result, complete=complete)


def _make(server: Server) -> None:
    server.run("create role app login")
    owner = DatabaseServer(server.make_database(_DATABASE), pool_size=1)
    bring_up_to_date(owner, partitions=_PARTITIONS)
    grant(owner, "app")
    owner.close()


def _add(url: str, sizes: Mapping[str, int], seed: int, embedder: str = WORD_MEANS) -> None:
    """Write so many memories to SQLite and move them, for each account."""
    with TemporaryDirectory(prefix="mnemic-rows-") as folder:
        sources: dict[str | None, Path] = {}
        for number, (account, members) in enumerate(sizes.items()):
            progress(f"{account}: writing {members:,} memories")
            sources[account] = Path(folder) / f"{account}.db"
            lessons = Writer(seed + number).experiences(members)
            with mnemic.open(sources[account], embedder=embedder, durability="off") as memory:
                while batch := list(islice(lessons, _BATCH)):
                    runs = [memory.start_episode(_SCOPE)[0].id for _ in batch[::_RUN]]
                    drafts = [
                        Draft(
                            lesson.text,
                            _SCOPE,
                            context=lesson.context,
                            episode_id=runs[at // _RUN],
                            dedup=False,
                        )
                        for at, lesson in enumerate(batch)
                    ]
                    memory.remember_many(drafts)
        progress(f"moving {', '.join(sizes)}")
        copy_stores(sources, url)


def _sizes(server: Server) -> dict[str, dict[str, Any]]:
    with psycopg.connect(server.url(_DATABASE)) as connection:
        found = connection.execute(_SQL["sizes"].encode()).fetchall()
    return {
        name: {"bytes": int(size), "toast": int(toast), "is_index": is_index, "table": table}
        for name, size, toast, is_index, table in found
    }


def _added(
    name: str, now: dict[str, Any], before: dict[str, Any] | None, memories: int
) -> dict[str, Any]:
    """Return what one memory added to a table or an index."""
    empty = before or {"bytes": 0, "toast": 0}
    added = {part: (now[part] - empty[part]) / memories for part in ("bytes", "toast")}
    return {"table": now["table"], "name": name, "is_index": now["is_index"], **added}


def _calls(
    server: Server, process: int, scopes: Mapping[str, int], options: argparse.Namespace
) -> list[dict[str, Any]]:
    """Return what learning and recalling cost in scopes of two sizes."""
    measured: list[dict[str, Any]] = []
    meter = _Meter(server.url(_DATABASE), process)
    for account, members in scopes.items():
        for embedder in ("none", WORD_MEANS):
            progress(f"calls in a scope of {members:,}, embedder {embedder}")
            # Never the same questions and lessons twice.
            writer = Writer(options.seed + 1_000 + len(measured))
            questions = writer.questions(options.calls)
            queries = [Query(text, scopes=(_SCOPE,), limit=10) for text in questions]
            lessons = writer.experiences(options.calls)
            drafts = [Draft(lesson.text, _SCOPE, context=lesson.context) for lesson in lessons]
            url = server.url(_DATABASE, user="app")
            with mnemic.open(url, account=account, embedder=embedder) as memory:
                memory.warm_up()
                recall = meter.measure(memory.recall, queries)
                learn = meter.measure(memory.remember, drafts)
            costs = {"recall": recall, "learn": learn}
            measured.append({"members": members, "vectors": embedder != "none", **costs})
    return measured


class _Meter:
    """Reads the CPU times of the server and of this process, and the position in the log."""

    def __init__(self, url: str, process: int) -> None:
        self._url, self._process = url, process

    def measure(self, call: Callable[[Any], object], values: Sequence[Any]) -> dict[str, float]:
        """Call it once for each value; return what a call cost, the first ones not counted."""
        warm_up = min(_WARM_UP, len(values) // 2)
        for value in values[:warm_up]:
            call(value)
        before = self._read()
        for value in values[warm_up:]:
            call(value)
        calls = len(values) - warm_up
        return {name: (total - before[name]) / calls for name, total in self._read().items()}

    def _read(self) -> dict[str, float]:
        with psycopg.connect(self._url) as connection:
            log, images = connection.execute(_SQL["log"].encode()).fetchone() or (0, 0)
        return {
            "wall_ms": perf_counter() * 1000,
            "client_cpu_ms": process_time() * 1000,
            "server_cpu_ms": cpu_ms(self._process),
            "log_bytes": float(log),
            "page_images": float(images),
        }


def _first_look(server: Server, account: str) -> dict[str, Any]:
    """Return what the first recall of a scope costs a new process."""
    progress(f"first look at {account}")
    # A fork of a process that runs threads may hang.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as worker:
        return worker.submit(_look, server.url(_DATABASE, user="app"), account).result()


def _look(url: str, account: str) -> dict[str, Any]:
    question = Query("grasp the red cube on the wet table", scopes=(_SCOPE,))
    with mnemic.open(url, account=account, embedder="none") as memory:
        members = memory.count(_SCOPE)
        # What any recall needs is there before the scope is read.
        memory.recall(Query(question.text, scopes=(Scope("collection", "empty"),)))
        before = resident_mb()
        timed = time_call(memory.recall, [question])
        grown = resident_mb() - before
    costs = {key: timed[key] for key in ("wall_ms", "cpu_ms")}
    return {"members": members, **costs, "rss_mb": grown}


if __name__ == "__main__":
    main()
