"""What does a request to the chat's REST API cost the server as a scope grows?

    python benchmarks/chat.py [--sizes 1000,10000,11000] [--requests 200] [--rounds 3]

A store is filled through the engine, all in one branch of one session. Then `mnemic serve` runs
on it as a process of its own, and requests come one after the other on one connection. What is
told is the CPU time of the server's process, all threads, user and system, per request. The kinds
of requests take turns, round after round; the median round is shown. The server is measured
without the worker, which gives vectors to what was created; with it, creating is measured again
until the server is idle.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import quote

from chat_server import Server
from chat_stock import SCOPE, SESSION, fill, new_texts, searches
from reporting import conditions, progress, save_sizes, state, table

KINDS: Final = ("create", "get", "list", "q", "stats", "context")
_UNCOUNTED: Final = 30
_REQUESTS: Final = 200
_ROUNDS: Final = 3

Send = Callable[[Server, int], dict[str, Any]]


def main(arguments: Sequence[str] | None = None) -> None:
    options = _options(arguments)
    run = conditions(seed=options.seed)
    state(run)
    measured: dict[int, dict[str, Any]] = {}
    for size in options.sizes:
        measured[size] = {"run": run, "requests": options.requests, **_measured(size, options)}
        _show(size, measured[size])
    complete = options.requests >= _REQUESTS and options.rounds >= _ROUNDS
    save_sizes("chat" if complete else "chat-partial", measured)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--sizes", type=_numbers, default=[1_000, 10_000, 11_000])
    parser.add_argument("--requests", type=int, default=_REQUESTS, help="of a kind, in a round")
    parser.add_argument("--rounds", type=int, default=_ROUNDS)
    parser.add_argument("--embedder", default="default")
    parser.add_argument("--seed", type=int, default=7)
    return parser.parse_args(arguments)


def _numbers(text: str) -> list[int]:
    return [int(one) for one in text.split(",")]


def _measured(size: int, options: argparse.Namespace) -> dict[str, Any]:
    with TemporaryDirectory() as folder:
        database = Path(folder) / "memory.db"
        progress(f"{size:,}: filling")
        ids = fill(database, size, seed=options.seed, embedder=options.embedder)
        bytes_each = database.stat().st_size / size
        progress(f"{size:,}: measuring")
        with Server(database, embedder=options.embedder, worker=False) as server:
            costs = _costs(server, ids, options)
            resident = server.resident_mb()
        with Server(database, embedder=options.embedder, worker=True) as server:
            costs["create_and_embed"] = _with_embedding(server, options)
    return {"costs": costs, "bytes_each": bytes_each, "rss_mb": resident}


def _costs(server: Server, ids: Sequence[str], options: argparse.Namespace) -> dict[str, Any]:
    """Return the CPU milliseconds per request of each kind: of every round, and the median."""
    sends = _sends(ids, options.seed)
    for kind in KINDS:
        for at in range(min(_UNCOUNTED, options.requests)):
            sends[kind](server, -1 - at)
    rounds: dict[str, list[float]] = {kind: [] for kind in KINDS}
    found: dict[str, list[int]] = {kind: [] for kind in KINDS}
    for turn in range(options.rounds):
        for kind in KINDS:
            first = turn * options.requests
            before = server.cpu_ms()
            answers = [sends[kind](server, first + at) for at in range(options.requests)]
            rounds[kind].append((server.cpu_ms() - before) / options.requests)
            found[kind] += [_size(one) for one in answers]
    return {
        kind: {
            "cpu_ms": median(rounds[kind]),
            "rounds": rounds[kind],
            "rows": sum(found[kind]) / len(found[kind]),
        }
        for kind in KINDS
    }


def _size(answer: dict[str, Any]) -> int:
    """Return how many rows an answer holds; a block's are its items."""
    data = answer.get("data", answer)
    if isinstance(data, list):
        return len(data)
    return len(data["items"]) if "items" in data else 1


def _sends(ids: Sequence[str], seed: int) -> dict[str, Send]:
    rng = Random(seed)
    texts = new_texts(seed)
    words = searches(seed)
    where = f"/memories?scope={SCOPE.kind}&scope_id={quote(SCOPE.name)}"
    stats = where.replace("?", "/stats?")

    def create(server: Server, _: int) -> dict[str, Any]:
        body = {"scope": SCOPE.kind, "scope_id": SCOPE.name, "type": "fact", "content": next(texts)}
        return server.post("/memories", body, status=201)

    def context(server: Server, at: int) -> dict[str, Any]:
        asked = {"query": words[at % len(words)].asked}
        return server.post(f"/sessions/{SESSION}/context", asked, status=200)

    return {
        "create": create,
        "get": lambda server, _: server.get(f"/memories/{rng.choice(ids)}"),
        "list": lambda server, _: server.get(where),
        "q": lambda server, at: server.get(f"{where}&q={quote(words[at % len(words)].word)}"),
        "stats": lambda server, _: server.get(stats),
        "context": context,
    }


def _with_embedding(server: Server, options: argparse.Namespace) -> dict[str, Any]:
    """Return what an item costs in all, until the worker has given it its vector."""
    create = _sends([""], options.seed + 1)["create"]
    create(server, 0)
    server.wait_until_idle()
    before = server.cpu_ms()
    for at in range(options.requests):
        create(server, at)
    server.wait_until_idle()
    return {"cpu_ms": (server.cpu_ms() - before) / options.requests}


def _show(size: int, measured: dict[str, Any]) -> None:
    rows = [
        [kind, one["cpu_ms"], one.get("rows"), *_span(one.get("rounds", []))]
        for kind, one in measured["costs"].items()
    ]
    table(f"{size:,} items in one scope", ["", "CPU ms", "rows", "least", "most"], rows)


def _span(rounds: Sequence[float]) -> Iterator[float | None]:
    yield min(rounds, default=None)
    yield max(rounds, default=None)


if __name__ == "__main__":
    main()
