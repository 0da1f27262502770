"""What does a server add to the engine, and how much of it fits on several connections?

    python benchmarks/server.py [--size 10000] [--requests 300] [--rounds 3]

A store of robots' experiences is filled. Then `mnemic serve` runs on it as a process of its own,
and another process asks it on 1, 8 and 32 connections: `recall`, `learn` and `list`, over HTTP
(`POST /sdk/robot.…`, what `mnemic.Client` sends) and over MCP (`tools/call` at `/mcp`). Told are
requests a second, the median and the 95th percentile of the time until an answer, and the CPU time
of the server's process per request. A program that opened the memory itself makes such calls too,
in turns with one connection of the server: what is left is what the server adds. A chat with a
language model that takes 100 ms shows what several connections bring where the work is mostly
waiting. Kinds take turns, round after round; the median round is shown.
"""

import argparse
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import count, islice, product
from multiprocessing import get_context
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, ClassVar, Final, Self

import mnemic
from chat_server import Server
from mnemic.records import Draft
from reporting import conditions, progress, save, state, table
from sentences import Writer
from server_load import request
from slow_model import slow_model

WAYS: Final = ("HTTP", "MCP")
READS: Final = ("recall", "list")
WRITES: Final = ("learn",)
KINDS: Final = (*READS, *WRITES)
CONNECTIONS: Final = (1, 8, 32)
_PROTOCOL: Final = "2025-11-25"
_WAIT_SECONDS: Final = 0.1
_UNCOUNTED: Final = 20
_PORTION: Final = 25
_NUMBERS: Final = count(1)

Calls = Iterator[dict[str, Any]]


def main(arguments: Sequence[str] | None = None) -> None:
    options = _options(arguments)
    run = conditions(seed=options.seed)
    state(run)
    with TemporaryDirectory() as folder:
        database = Path(folder) / "memory.db"
        progress(f"filling {options.size:,}")
        _fill(database, options)
        # Reading first: what is learned makes the store another one.
        measured = _served(database, READS, options)
        written = _served(database, WRITES, options)
        measured["served"] += written["served"]
        measured["engine"] |= written["engine"]
    measured["waiting"] = _waiting(options)
    result = {"run": run, "size": options.size, "requests": options.requests, **measured}
    _show(result)
    save(
        "server" if options.requests >= 200 and options.size >= 10_000 else "server-partial", result
    )


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--size", type=int, default=10_000)
    parser.add_argument("--requests", type=int, default=300, help="of a kind, in a round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--embedder", default="default")
    parser.add_argument("--seed", type=int, default=7)
    return parser.parse_args(arguments)


def _fill(database: Path, options: argparse.Namespace) -> None:
    lessons = Writer(options.seed).experiences(options.size)
    with mnemic.open(database, embedder=options.embedder, durability="off") as memory:
        while batch := list(islice(lessons, 1_000)):
            drafts = [Draft(one.text, context=one.context, dedup=False) for one in batch]
            memory.remember_many(drafts)


def _calls(kind: str, seed: int) -> Calls:
    """Return the arguments of one call after another: with one seed always the same."""
    for one in Writer(seed).experiences(10**9):
        if kind == "recall":
            yield {"query": " ".join(one.text.split()[:8])[:60], "n": 5}
        elif kind == "learn":
            yield {"insight": one.text[:300], "context": one.context}
        else:
            yield {"n": 20}


class Program:
    """A process that opened the memory itself; whoever filled the store holds too much of it."""

    memory: ClassVar[mnemic.OpenMemory]

    def __init__(self, database: Path, embedder: str) -> None:
        self._process = ProcessPoolExecutor(
            1, mp_context=get_context("spawn"), initializer=_open, initargs=(database, embedder)
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.shutdown()

    def cpu_ms(self, kind: str, calls: Sequence[dict[str, Any]]) -> float:
        """Return the CPU time of calls, with the JSON of their answers and what they leave for
        later, but without the asking.

        They are asked for one after the other: who never waits computes quicker than who does.
        """
        return self._spent_on(kind, calls) - self._spent_on(None, calls)

    def _spent_on(self, kind: str | None, calls: Sequence[dict[str, Any]]) -> float:
        before = self._process.submit(process_time).result()
        for given in calls:
            self._process.submit(_do, kind, given).result()
        return (self._process.submit(process_time).result() - before) * 1000


def _open(database: Path, embedder: str) -> None:
    Program.memory = mnemic.open(database, embedder=embedder)
    Program.memory.embed_missing()


def _do(kind: str | None, given: dict[str, Any]) -> None:
    """Do what a robot asks for, or only take the question."""
    if kind is not None:
        json.dumps(getattr(Program.memory.robot, kind)(**given), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Seen:
    """How long some requests took, together and each, and what they cost the server."""

    wall: float
    seconds: Sequence[float]
    cpu_ms: float


def _served(database: Path, kinds: Sequence[str], options: argparse.Namespace) -> dict[str, Any]:
    rounds: defaultdict[tuple[str, str, int], list[dict[str, float]]] = defaultdict(list)
    alone: dict[str, list[float]] = {kind: [] for kind in kinds}
    with (
        Server(database, embedder=options.embedder, worker=True) as server,
        Program(database, options.embedder) as program,
    ):
        session = _session(server)
        # Always other calls: what is asked again, or learned again, costs less.
        sources = {kind: _calls(kind, options.seed + 100) for kind in kinds}
        for turn, way, kind in product(range(options.rounds), WAYS, kinds):
            progress(f"round {turn + 1}: {kind} over {way}")
            source = Source(sources[kind], way, kind, session)
            one_by_one, own = _in_turns(server, program, source, options.requests)
            alone[kind].append(own)
            for connections in CONNECTIONS:
                seen = (
                    one_by_one
                    if connections == 1
                    else [_asked(server, source.requests(options.requests), connections)]
                )
                once = _told(seen)
                once["added_ms"] = once["cpu_ms"] - own
                rounds[way, kind, connections].append(once)
        resident = server.resident_mb()
    return {
        "engine": {kind: median(found) for kind, found in alone.items()},
        "served": [
            {"way": way, "kind": kind, "connections": connections, **_median_of(found)}
            for (way, kind, connections), found in rounds.items()
        ],
        "rss_mb": resident,
    }


@dataclass(frozen=True, slots=True)
class Source:
    """Calls of one kind that come one way."""

    source: Calls
    way: str
    kind: str
    session: dict[str, str]

    def calls(self, number: int) -> list[dict[str, Any]]:
        """Return the arguments of the next calls."""
        return list(islice(self.source, number))

    def requests(self, number: int) -> list[str]:
        """Return the next calls as requests."""
        return [_written(self.way, self.kind, given, self.session) for given in self.calls(number)]


def _in_turns(
    server: Server, program: Program, source: Source, requests: int
) -> tuple[list[Seen], float]:
    """Return what one connection saw, and the CPU time of a call without a server.

    In short turns: on a shared machine the speed of a core changes from second to second.
    """
    program.cpu_ms(source.kind, source.calls(_UNCOUNTED))
    _asked(server, source.requests(_UNCOUNTED), 1)
    seen: list[Seen] = []
    own = 0.0
    for at in range(0, requests, _PORTION):
        number = min(_PORTION, requests - at)
        own += program.cpu_ms(source.kind, source.calls(number))
        seen.append(_asked(server, source.requests(number), 1))
    return seen, own / requests


def _session(server: Server) -> dict[str, str]:
    """Open a session of MCP; return the headers that name it."""
    client = {"name": "benchmark", "version": "1"}
    wanted = {"protocolVersion": _PROTOCOL, "capabilities": {}, "clientInfo": client}
    headers = server.open_session("/mcp?profile=extended", wanted)
    return {**headers, "mcp-protocol-version": _PROTOCOL}


def _written(way: str, kind: str, given: dict[str, Any], session: dict[str, str]) -> str:
    """Return a request; in a session of MCP each has a number of its own."""
    if way == "HTTP":
        return request("POST", f"/sdk/robot.{kind}", given).decode()
    message = {
        "jsonrpc": "2.0",
        "id": next(_NUMBERS),
        "method": "tools/call",
        "params": {"name": kind, "arguments": given},
    }
    return request("POST", "/mcp?profile=extended", message, session).decode()


def _asked(server: Server, sent: list[str], connections: int) -> Seen:
    """Let another process send requests; return what it saw, and what they cost the server."""
    host, port = server.address
    plan = {"host": host, "port": port, "connections": connections, "requests": sent}
    before = server.cpu_ms()
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("server_load.py"))],
        input=json.dumps(plan),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    spent = server.cpu_ms() - before
    seen = json.loads(done.stdout)
    if seen["wrong"]:
        raise RuntimeError(f"the server refused: {seen['wrong'][0]}")
    return Seen(seen["wall"], seen["seconds"], spent)


def _told(seen: Sequence[Seen]) -> dict[str, float]:
    milliseconds = [one * 1000 for some in seen for one in some.seconds]
    return {
        "per_second": len(milliseconds) / sum(one.wall for one in seen),
        "p50_ms": median(milliseconds),
        "p95_ms": quantiles(milliseconds, n=20)[-1],
        "cpu_ms": sum(one.cpu_ms for one in seen) / len(milliseconds),
    }


def _median_of(rounds: list[dict[str, float]]) -> dict[str, float]:
    return {name: median(one[name] for one in rounds) for name in rounds[0]}


def _waiting(options: argparse.Namespace) -> dict[str, float]:
    """Return how many replies a second come from a model that takes its time."""
    found: dict[str, float] = {}
    with TemporaryDirectory() as folder, slow_model(_WAIT_SECONDS) as url:
        model = {"MNEMIC_LLM_URL": url, "MNEMIC_LLM_MODEL": "slow"}
        database = Path(folder) / "memory.db"
        with Server(database, embedder="none", worker=False, environment=model) as server:
            for connections in CONNECTIONS[:2]:
                progress(f"a model that takes {_WAIT_SECONDS} s, {connections} connections")
                sent = [
                    request(
                        "POST",
                        "/tools/memory_chat",
                        {"message": "What do I like?", "memorizing": False, "user_id": f"u{at}"},
                    ).decode()
                    for at in range(max(20, options.requests // 3))
                ]
                found[str(connections)] = _told([_asked(server, sent, connections)])["per_second"]
    return found


def _show(result: dict[str, Any]) -> None:
    engine = result["engine"]
    one = {(row["way"], row["kind"]): row for row in result["served"] if row["connections"] == 1}
    rows = [
        [
            f"{row['kind']} over {row['way']}, {row['connections']}",
            row["per_second"],
            row["p50_ms"],
            row["p95_ms"],
            row["cpu_ms"],
            row["added_ms"],
            row["per_second"] / one[row["way"], row["kind"]]["per_second"],
        ]
        for row in result["served"]
    ]
    columns = ["", "per second", "p50 ms", "p95 ms", "CPU ms", "added", "times 1 connection"]
    table(f"{result['size']:,} memories", columns, rows)
    table("without a server", ["", "CPU ms"], [[kind, engine[kind]] for kind in KINDS])
    table(
        "a chat whose model takes 100 ms",
        ["connections", "per second"],
        [*result["waiting"].items()],
    )
    print(f"RSS of the server: {result['rss_mb']:.0f} MB")


if __name__ == "__main__":
    main()
