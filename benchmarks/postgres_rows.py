"""What one memory costs on PostgreSQL: bytes on disk and of log, CPU of the server and of the
client, RAM of the client, and the first look at a scope.

python benchmarks/postgres_rows.py [--accounts 10] [--calls 200]

Every account holds 10,000 memories of robots, in runs of 20, with vectors of 512 dimensions from
a stand-in (see standin.py), over 32 partitions. 2,500 are written by Mnemic and then copied, four
times to each account. The client's role is held to its account by row-level security.
"""

import argparse
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from time import perf_counter, process_time
from typing import Any, Final

import psycopg

import mnemic
from mnemic import opening
from mnemic.engine.query import Query
from mnemic.opening import OpenMemory
from mnemic.records import Draft, Scope
from mnemic.storage.postgres.schema import bring_up_to_date, grant
from mnemic.storage.postgres.server import Server as DatabaseServer
from postgres_copies import Place, spread
from postgres_server import SETTINGS, Server, cpu_ms, measured_server
from reporting import conditions, progress, save, state, table
from sentences import Writer
from standin import STAND_IN, choose
from trials import resident_mb

MEMBERS: Final = 10_000
WRITTEN: Final = 2_500
PARTITIONS: Final = 32
_DATABASE: Final = "rows"
_SCOPE: Final = "robots"
_SOURCE: Final = "source"
_SMALL: Final = 1_000
_RUN: Final = 20
_BATCH: Final = 500
_UNCOUNTED: Final = 30

# Of each table and each index, over all of its partitions.
_SIZES: Final = """
select coalesce(whole.relname, own.relname) as name,
       sum(pg_relation_size(part.oid)) as bytes,
       sum(coalesce(pg_total_relation_size(nullif(part.reltoastrelid, 0)), 0)) as toast,
       part.relkind = 'i' as is_index,
       max(coalesce(whole_of.relname, of_part.relname)) as belongs_to
  from pg_class part
  join pg_class own on own.oid = part.oid
  left join pg_inherits i on i.inhrelid = part.oid
  left join pg_class whole on whole.oid = i.inhparent
  left join pg_index x on x.indexrelid = part.oid
  left join pg_class of_part on of_part.oid = coalesce(x.indrelid, part.oid)
  left join pg_inherits j on j.inhrelid = of_part.oid
  left join pg_class whole_of on whole_of.oid = j.inhparent
 where part.relnamespace = 'public'::regnamespace and part.relkind in ('r', 'i')
 group by 1, 4
"""


def main() -> None:
    options = _options()
    run = conditions(seed=options.seed)
    state(run)
    opening.choose_embedder = choose
    with measured_server() as (server, process):
        _make(server)
        empty = _sizes(server)
        progress(f"writing {WRITTEN:,} memories")
        _fill_source(server, options.seed)
        progress(f"copying them to {options.accounts} accounts")
        places = [one for n in range(options.accounts) for one in _places(f"account-{n}", MEMBERS)]
        spread(server.url(_DATABASE), _SOURCE, places, vectors=True, seed=options.seed)
        rows = options.accounts * MEMBERS + WRITTEN
        sizes = _sizes(server)
        stored = [_each(name, sizes[name], empty.get(name), rows) for name in sorted(sizes)]
        result: dict[str, Any] = {
            "run": run,
            "server": _about(server),
            "settings": SETTINGS,
            "partitions": PARTITIONS,
            "memories": rows,
            "stored": [one for one in stored if one["bytes"] >= 0.5 or one["toast"] >= 0.5],
            "calls": _calls(server, process, options),
            "first": _first_looks(server, options),
        }
    _show(result)
    save("postgres-rows", result)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--accounts", type=int, default=10)
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    return parser.parse_args()


def _make(server: Server) -> None:
    server.run("create role app login")
    owner = DatabaseServer(server.make_database(_DATABASE), pool_size=1)
    bring_up_to_date(owner, partitions=PARTITIONS)
    grant(owner, "app")
    owner.close()


def _opened(server: Server, account: str, embedder: str = STAND_IN) -> OpenMemory:
    url = server.url(_DATABASE, user="app")
    return mnemic.open(url, account=account, embedder=embedder)


def _fill_source(server: Server, seed: int) -> None:
    scope = Scope("collection", _SCOPE)
    lessons = Writer(seed).experiences(WRITTEN)
    with _opened(server, _SOURCE) as memory:
        while batch := list(islice(lessons, _BATCH)):
            drafts: list[Draft] = []
            for first in range(0, len(batch), _RUN):
                run = memory.start_episode(scope)[0].id
                drafts += [
                    Draft(one.text, scope, context=one.context, episode_id=run, dedup=False)
                    for one in batch[first : first + _RUN]
                ]
            memory.remember_many(drafts)


def _places(account: str, members: int) -> list[Place]:
    return [
        Place(account, _SCOPE, min(WRITTEN, members - first), copy)
        for copy, first in enumerate(range(0, members, WRITTEN))
    ]


def _sizes(server: Server) -> dict[str, dict[str, Any]]:
    with psycopg.connect(server.url(_DATABASE)) as connection:
        found = connection.execute(_SIZES).fetchall()
    return {
        name: {"bytes": int(size), "toast": int(toast), "is_index": is_index, "of": of}
        for name, size, toast, is_index, of in found
    }


def _each(
    name: str, now: dict[str, Any], before: dict[str, Any] | None, rows: int
) -> dict[str, Any]:
    """Return what one memory added to a table or an index."""
    empty = before or {"bytes": 0, "toast": 0}
    added = {part: (now[part] - empty[part]) / rows for part in ("bytes", "toast")}
    return {"table": now["of"], "name": name, "is_index": now["is_index"], **added}


def _about(server: Server) -> dict[str, str]:
    with psycopg.connect(server.url(_DATABASE)) as connection:
        row = connection.execute(
            "select current_setting('server_version'),"
            " (select extversion from pg_extension where extname = 'vector')"
        ).fetchone()
    return dict(zip(("postgresql", "pgvector"), row or ("?", "?"), strict=True))


def _calls(server: Server, process: int, options: argparse.Namespace) -> list[dict[str, Any]]:
    """Return what learning and recalling cost in scopes of two sizes."""
    small = _places("small", _SMALL)
    spread(server.url(_DATABASE), _SOURCE, small, vectors=True, seed=options.seed + 1)
    measured: list[dict[str, Any]] = []
    for account, members in (("small", _SMALL), ("account-1", MEMBERS)):
        for embedder in ("none", STAND_IN):
            progress(f"calls in a scope of {members:,}, embedder {embedder}")
            with _opened(server, account, embedder) as memory:
                memory.warm_up()
                costs = _both(memory, _Meter(server, process), options)
            measured.append({"members": members, "vectors": embedder != "none", **costs})
    return measured


def _both(memory: OpenMemory, meter: "_Meter", options: argparse.Namespace) -> dict[str, Any]:
    scope = Scope("collection", _SCOPE)
    writer = Writer(options.seed + 2 + memory.count(scope))
    asked = [Query(one, scopes=(scope,), limit=10) for one in writer.questions(options.calls)]
    told = [
        Draft(one.text, scope, context=one.context) for one in writer.experiences(options.calls)
    ]
    return {
        "recall": meter.measure(memory.recall, asked),
        "learn": meter.measure(memory.remember, told),
    }


class _Meter:
    """Reads the CPU times of the server and of this process, and the position in the log."""

    def __init__(self, server: Server, process: int) -> None:
        self._url = server.url(_DATABASE)
        self._process = process

    def measure(self, call: Callable[[Any], object], values: Iterable[Any]) -> dict[str, float]:
        """Call it once for each value; return what a call cost, the first ones not counted."""
        rest = iter(values)
        for value in islice(rest, _UNCOUNTED):
            call(value)
        before, calls = self._read(), 0
        for value in rest:
            call(value)
            calls += 1
        spent = [now - then for now, then in zip(self._read(), before, strict=True)]
        names = ("wall_ms", "client_cpu_ms", "server_cpu_ms", "log_bytes", "page_images")
        return {name: one / calls for name, one in zip(names, spent, strict=True)}

    def _read(self) -> list[float]:
        with psycopg.connect(self._url) as connection:
            row = connection.execute(
                "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0'), wal_fpi"
                " from pg_stat_wal"
            ).fetchone()
        log, images = row or (0, 0)
        client, wall = process_time() * 1000, perf_counter() * 1000
        return [wall, client, cpu_ms(self._process), float(log), float(images)]


def _first_looks(server: Server, options: argparse.Namespace) -> list[dict[str, Any]]:
    """Return what the first recall of a scope costs a new process."""
    large = _places("large", 10 * MEMBERS)
    spread(server.url(_DATABASE), _SOURCE, large, vectors=False, seed=options.seed)
    looks: list[dict[str, Any]] = []
    for account in ("small", "account-1", "large"):
        progress(f"first look at {account}")
        # A fork of a process that runs threads may hang.
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as one:
            looks.append(one.submit(_look, server.url(_DATABASE, user="app"), account).result())
    return looks


def _look(url: str, account: str) -> dict[str, Any]:
    scope = Scope("collection", _SCOPE)
    with mnemic.open(url, account=account, embedder="none") as memory:
        members = memory.count(scope)
        question = Query("grasp the red cube on the wet table", scopes=(scope,))
        # What any recall needs is there before the scope is read.
        memory.recall(Query(question.text, scopes=(Scope("collection", "empty"),)))
        before = (perf_counter(), process_time(), resident_mb())
        memory.recall(question)
        after = (perf_counter(), process_time(), resident_mb())
    wall, cpu, grown = (now - then for now, then in zip(after, before, strict=True))
    return {"members": members, "wall_ms": wall * 1000, "cpu_ms": cpu * 1000, "rss_mb": grown}


def _show(result: dict[str, Any]) -> None:
    rows = [[one["name"], one["table"], one["bytes"], one["toast"]] for one in result["stored"]]
    table(f"Bytes a memory, at {result['memories']:,}", ["", "of", "bytes", "toast"], rows)
    names = ["wall_ms", "client_cpu_ms", "server_cpu_ms", "log_bytes", "page_images"]
    calls = [
        [f"{call}, {one['members']:,}{', vectors' if one['vectors'] else ''}"]
        + [one[call][name] for name in names]
        for one in result["calls"]
        for call in ("recall", "learn")
    ]
    table("Each call", ["", *names], calls)
    table("First looks", list(result["first"][0]), [list(one.values()) for one in result["first"]])


if __name__ == "__main__":
    main()
