"""What does a server add to the engine, and how much of it fits on several connections?

    python benchmarks/server.py [--size 10000] [--requests 300] [--rounds 3]

A store of robots' experiences is filled. Then `mnemic serve` runs on it as a process of its own,
and another process asks it on 1, 8 and 32 connections: `recall`, `learn` and `list`, over HTTP
(`POST /sdk/robot.…`, what `mnemic.Client` sends) and over MCP (`tools/call` at `/mcp`). Measured
are requests a second, the median and the 95th percentile of the time until an answer, and the CPU
time of the server's process per request. A program that opened the memory itself makes such calls
too, in turns with one connection of the server: what is left is what the server adds. A chat with a
language model that takes 100 ms shows what several connections bring where the work is mostly
waiting. Kinds take turns, round after round; the median round is shown.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice, product
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final

import mnemic
from harness.measure import percentile
from harness.options import DEFAULT, Options
from harness.process import DriverProcess
from harness.results import Result, conditions, progress, save
from harness.sentences import Writer
from mnemic.records.memory import Draft
from report import server as report
from speed.http_load import request
from speed.http_server import Server, slow_model

_WAYS: Final = ("HTTP", "MCP")
# Reading first: what is learned makes the store another one.
_KINDS: Final = (("recall", "list"), ("learn",))
_CONNECTIONS: Final = (1, 8, 32)
_MCP: Final = "/mcp?profile=extended"
_PROTOCOL: Final = "2025-11-25"
_MODEL_SECONDS: Final = 0.1
_WARM_UP: Final = 20
_PORTION: Final = 25
_PUBLISHED_REQUESTS: Final = 200
_PUBLISHED_SIZE: Final = 10_000
_MESSAGE_IDS: Final = count(1)

Arguments = dict[str, Any]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = Options(__doc__)
    parser.add_argument("--size", type=int, default=_PUBLISHED_SIZE)
    parser.add_argument("--requests", type=int, default=300, help="of a kind, in a round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.embedder()
    parser.seed()
    options = parser.parse_args(arguments)
    result: Result = {"run": conditions(seed=options.seed), "size": options.size}
    result |= {"requests": options.requests, "engine": {}, "served": []}
    with TemporaryDirectory() as folder:
        database = Path(folder) / "memory.db"
        progress(f"filling {options.size:,}")
        _fill(database, options)
        for kinds in _KINDS:
            _serve(database, kinds, options, result)
    result["waiting"] = _waiting(options.requests)
    print(report.write({"server": result}))
    complete = options.requests >= _PUBLISHED_REQUESTS and options.size >= _PUBLISHED_SIZE
    save("server", result, complete=complete and options.embedder == DEFAULT)


def _fill(database: Path, options: argparse.Namespace) -> None:
    lessons = Writer(options.seed).experiences(options.size)
    with mnemic.open(database, embedder=options.embedder, durability="off") as memory:
        while batch := list(islice(lessons, 1_000)):
            memory.remember_many(
                [Draft(lesson.text, context=lesson.context, dedup=False) for lesson in batch]
            )


def _calls(kind: str, seed: int) -> Iterator[Arguments]:
    """Return the arguments of one call after another: with one seed always the same."""
    for lesson in Writer(seed).experiences(10**9):
        if kind == "recall":
            yield {"query": " ".join(lesson.text.split()[:8])[:60], "n": 5}
        elif kind == "learn":
            yield {"insight": lesson.text[:300], "context": lesson.context}
        else:
            yield {"n": 20}


def _serve(
    database: Path, kinds: Sequence[str], options: argparse.Namespace, result: Result
) -> None:
    """Measure kinds of calls at one server, and in a program that opened the memory itself."""
    rounds: defaultdict[tuple[str, str, int], list[dict[str, float]]] = defaultdict(list)
    alone: dict[str, list[float]] = {kind: [] for kind in kinds}
    with (
        Server(database, embedder=options.embedder, worker=True) as server,
        DriverProcess("drivers.mnemic_robot", database.parent, options.embedder) as program,
    ):
        program.call("open", "anything")
        session = server.open_session(_MCP, _PROTOCOL)
        # Always other calls: what is asked again, or learned again, costs less.
        calls = {kind: _calls(kind, options.seed + 100) for kind in kinds}
        for turn, way, kind in product(range(options.rounds), _WAYS, kinds):
            progress(f"round {turn + 1}: {kind} over {way}")
            trial = _Trial(server, program, calls[kind], way, kind, session)
            measured, own = trial.in_turns(options.requests)
            alone[kind].append(own)
            for connections in _CONNECTIONS:
                if connections > 1:
                    measured = _summary([trial.send(options.requests, connections)])
                added = {"added_ms": measured["cpu_ms"] - own}
                rounds[way, kind, connections].append({**measured, **added})
        result.setdefault("rss_mb", server.resident_mb())
    result["engine"] |= {kind: median(spent) for kind, spent in alone.items()}
    for (way, kind, connections), turns in rounds.items():
        medians = {name: median(turn[name] for turn in turns) for name in turns[0]}
        named = {"way": way, "kind": kind, "connections": connections}
        result["served"].append(named | medians)


@dataclass(frozen=True, slots=True)
class _Trial:
    """Calls of one kind that come one way."""

    server: Server
    program: DriverProcess
    calls: Iterator[Arguments]
    way: str
    kind: str
    session: dict[str, str]

    def in_turns(self, requests: int) -> tuple[dict[str, float], float]:
        """Return what one connection sees, and the CPU time of a call without a server.

        In short turns: on a shared machine the speed of a core changes from second to second.
        """
        self._without_server(_WARM_UP)
        self.send(_WARM_UP, 1)
        loads: list[dict[str, Any]] = []
        own = 0.0
        for start in range(0, requests, _PORTION):
            number = min(_PORTION, requests - start)
            own += self._without_server(number)
            loads.append(self.send(number, 1))
        return _summary(loads), own / requests

    def send(self, number: int, connections: int) -> dict[str, Any]:
        """Send the next calls as requests on so many connections."""
        requests = [self._request(call) for call in islice(self.calls, number)]
        return _send(self.server, requests, connections)

    def _without_server(self, number: int) -> float:
        """Return the CPU milliseconds of calls with the JSON of their answers, less the asking.

        They are asked for one after the other: who never waits computes quicker than who does.
        """
        calls, spent = list(islice(self.calls, number)), dict[str, float]()
        for name in ("call", "take"):
            before = self.program.call("cpu_ms")
            for call in calls:
                self.program.call(name, self.kind, call)
            spent[name] = self.program.call("cpu_ms") - before
        return spent["call"] - spent["take"]

    def _request(self, call: Arguments) -> str:
        if self.way == "HTTP":
            return request("POST", f"/sdk/robot.{self.kind}", call)
        params = {"name": self.kind, "arguments": call}
        message = {"jsonrpc": "2.0", "id": next(_MESSAGE_IDS), "method": "tools/call"}
        return request("POST", _MCP, {**message, "params": params}, self.session)


def _send(server: Server, requests: Sequence[str], connections: int) -> dict[str, Any]:
    """Let another process send requests; return what it saw, and what they cost the server."""
    with DriverProcess("speed.http_load", *server.address) as load:
        load.call("connect", connections)
        before = server.cpu_ms()
        seen = load.call("send", requests)
        seen["cpu_ms"] = server.cpu_ms() - before
    if seen["errors"]:
        raise RuntimeError(f"the server refused: {seen['errors'][0]}")
    return seen


def _summary(loads: Sequence[dict[str, Any]]) -> dict[str, float]:
    milliseconds = [seconds * 1000 for load in loads for seconds in load["seconds"]]
    return {
        "per_second": len(milliseconds) / sum(load["wall"] for load in loads),
        "p50_ms": median(milliseconds),
        "p95_ms": percentile(milliseconds, 95),
        "cpu_ms": sum(load["cpu_ms"] for load in loads) / len(milliseconds),
    }


def _waiting(requests: int) -> dict[str, float]:
    """Return how many replies a second come from a model that takes its time."""
    speeds: dict[str, float] = {}
    message = {"message": "What do I like?", "memorizing": False}
    chats = [
        request("POST", "/tools/memory_chat", {**message, "user_id": f"u{number}"})
        for number in range(max(20, requests // 3))
    ]
    with TemporaryDirectory() as folder, slow_model(_MODEL_SECONDS) as url:
        model = {"MNEMIC_LLM_URL": url, "MNEMIC_LLM_MODEL": "slow"}
        database = Path(folder) / "memory.db"
        with Server(database, embedder="none", worker=False, **model) as server:
            for connections in _CONNECTIONS[:2]:
                progress(f"a model that takes {_MODEL_SECONDS} s, {connections} connections")
                load = _summary([_send(server, chats, connections)])
                speeds[str(connections)] = load["per_second"]
    return speeds


if __name__ == "__main__":
    main()
