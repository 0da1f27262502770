"""What does a server add to the engine, and how much of it fits on several connections?

    python benchmarks/server.py [--size 10000] [--requests 300] [--rounds 3]

A store of robots' experiences is filled. Then `mnemic serve` runs on it as a process of its own,
and another process asks it on 1, 8 and 32 connections: `recall`, `learn` and `list`, over HTTP
(`POST /sdk/robot.…`, what `mnemic.Client` sends) and over MCP (`tools/call` at `/mcp`). Told are
requests a second, the median and the 95th percentile of the time until an answer, and the CPU time
of the server's process per request. The same calls are made without a server in this process: what
is left is what the server adds. A chat with a language model that takes 100 ms shows what several
connections bring where the work is mostly waiting. Kinds take turns, round after round; the median
round is shown.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import count, islice
from multiprocessing import get_context
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, Final

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
        engine = _engine(database, READS, options)
        served = _served(database, READS, options)
        engine |= _engine(database, WRITES, options)
        written = _served(database, WRITES, options)
        served["served"] += written["served"]
        measured = {"engine": engine, **served}
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


def _engine(database: Path, kinds: Sequence[str], options: argparse.Namespace) -> dict[str, float]:
    """Return the CPU milliseconds of each call without a server, with the JSON of its answer, in a
    process of its own: whoever filled the store still holds much of it in memory.
    """
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as another:
        return another.submit(_own_time, database, kinds, options).result()


def _own_time(
    database: Path, kinds: Sequence[str], options: argparse.Namespace
) -> dict[str, float]:
    found: dict[str, float] = {}
    with mnemic.open(database, embedder=options.embedder) as memory:
        memory.embed_missing()
        for kind in kinds:
            calls = _calls(kind, options.seed + 100)
            verb = getattr(memory.robot, kind)
            for given in islice(calls, _UNCOUNTED):
                verb(**given)
            rounds: list[float] = []
            for _ in range(options.rounds):
                before = process_time()
                for given in islice(calls, options.requests):
                    json.dumps(verb(**given), ensure_ascii=False)
                rounds.append((process_time() - before) * 1000 / options.requests)
            found[kind] = median(rounds)
    return found


def _served(database: Path, kinds: Sequence[str], options: argparse.Namespace) -> dict[str, Any]:
    rounds: dict[tuple[str, str, int], list[dict[str, float]]] = {}
    with Server(database, embedder=options.embedder, worker=True) as server:
        session = _session(server)
        # Reads are the very ones that the engine was asked; a lesson can be learned only once.
        sources = {
            (way, kind): _calls(kind, options.seed + (100 if kind in READS else 1_000 + at))
            for at, way in enumerate(WAYS)
            for kind in kinds
        }
        for turn in range(options.rounds):
            for (way, kind), calls in sources.items():
                for connections in CONNECTIONS:
                    progress(f"round {turn + 1}: {kind} over {way}, {connections} connections")
                    sent = [
                        _written(way, kind, given, session)
                        for given in islice(calls, _UNCOUNTED + options.requests)
                    ]
                    _asked(server, sent[:_UNCOUNTED], 1)
                    once = _asked(server, sent[_UNCOUNTED:], connections)
                    rounds.setdefault((way, kind, connections), []).append(once)
        resident = server.resident_mb()
    return {
        "served": [
            {"way": way, "kind": kind, "connections": connections, **_median_of(found)}
            for (way, kind, connections), found in rounds.items()
        ],
        "rss_mb": resident,
    }


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


def _asked(server: Server, sent: list[str], connections: int) -> dict[str, float]:
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
    milliseconds = sorted(one * 1000 for one in seen["seconds"])
    return {
        "per_second": len(sent) / seen["wall"],
        "p50_ms": median(milliseconds),
        "p95_ms": quantiles(milliseconds, n=20)[-1],
        "cpu_ms": spent / len(sent),
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
                found[str(connections)] = _asked(server, sent, connections)["per_second"]
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
            row["cpu_ms"] - engine[row["kind"]],
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
