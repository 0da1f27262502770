"""What does a chat app's request cost as a chat grows?

    python benchmarks/chat.py [--sizes 1000,10000,11000] [--requests 200] [--rounds 3]

A store is filled through the engine, all in one branch of one session. Then `mnemic serve` runs
on it as a process of its own, and requests come one after the other on one connection. Measured is
the CPU time of the server's process, all threads, user and system, per request. The kinds
of requests take turns, round after round; the median round is shown. The server is measured
without the worker, which gives vectors to what was created; with it, creating is measured again
until the server is idle.
"""

import argparse
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import quote

import mnemic
from harness import embedders
from harness.options import DEFAULT, Options
from harness.results import Result, conditions, progress, save_sizes
from harness.sentences import Writer
from mnemic import opening
from mnemic.records.conversation import MAIN, branch_scope
from mnemic.records.item import ItemType, NewItem
from report import chat as report
from speed.http_server import Server

_WARM_UP: Final = 30
_REQUESTS: Final = 200
_ROUNDS: Final = 3
_SESSION: Final = "bench"
_SCOPE: Final = branch_scope(_SESSION, MAIN)
_BEGAN: Final = datetime(2026, 1, 1, tzinfo=UTC)
_APART: Final = timedelta(seconds=20)
_TYPES: Final[tuple[ItemType, ...]] = ("fact", "summary", "open_loop")
_SEARCHES: Final = 200
_WORD: Final = re.compile(r"[a-z]{4,}")
_MEMORIES: Final = f"/memories?scope={_SCOPE.kind}&scope_id={quote(_SCOPE.name)}"

Send = Callable[[Server, int], dict[str, Any]]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = Options(__doc__)
    parser.sizes(1_000, 10_000, 11_000)
    parser.add_argument("--requests", type=int, default=_REQUESTS, help="of a kind, in a round")
    parser.add_argument("--rounds", type=int, default=_ROUNDS)
    parser.embedder()
    parser.seed()
    options = parser.parse_args(arguments)
    run = {"run": conditions(seed=options.seed), "requests": options.requests}
    results = {size: {**run, **_measure(size, options)} for size in options.sizes}
    print(report.write_costs({"sizes": {str(size): result for size, result in results.items()}}))
    complete = options.requests >= _REQUESTS and options.rounds >= _ROUNDS
    save_sizes("chat", results, complete=complete and options.embedder == DEFAULT)


def _measure(size: int, options: argparse.Namespace) -> Result:
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
    for send in sends.values():
        for number in range(min(_WARM_UP, options.requests)):
            send(server, -1 - number)
    rounds: dict[str, list[float]] = {kind: [] for kind in sends}
    rows = dict.fromkeys(sends, 0)
    for turn in range(options.rounds):
        for kind, send in sends.items():
            first, before = turn * options.requests, server.cpu_ms()
            answers = [send(server, first + number) for number in range(options.requests)]
            rounds[kind].append((server.cpu_ms() - before) / options.requests)
            rows[kind] += sum(map(_rows, answers))
    requests = options.rounds * options.requests
    return {
        kind: {"cpu_ms": median(spent), "rounds": spent, "rows": rows[kind] / requests}
        for kind, spent in rounds.items()
    }


def _rows(answer: dict[str, Any]) -> int:
    """Return how many rows an answer holds; a block's are its items."""
    data = answer.get("data", answer)
    if isinstance(data, list):
        return len(data)
    return len(data["items"]) if "items" in data else 1


def _sends(ids: Sequence[str], seed: int) -> dict[str, Send]:
    rng, texts, words = Random(seed), new_texts(seed), searches(seed)

    def create(server: Server, _: int) -> dict[str, Any]:
        body = {
            "scope": _SCOPE.kind,
            "scope_id": _SCOPE.name,
            "type": "fact",
            "content": next(texts),
        }
        return server.post("/memories", body, status=201)

    def context(server: Server, number: int) -> dict[str, Any]:
        body = {"query": words[number % len(words)].beginning}
        return server.post(f"/sessions/{_SESSION}/context", body, status=200)

    def search(server: Server, number: int) -> dict[str, Any]:
        return server.get(f"{_MEMORIES}&q={quote(words[number % len(words)].word)}")

    return {
        "create": create,
        "get": lambda server, _: server.get(f"/memories/{rng.choice(ids)}"),
        "list": lambda server, _: server.get(_MEMORIES),
        "q": search,
        "stats": lambda server, _: server.get(_MEMORIES.replace("?", "/stats?")),
        "context": context,
    }


def _with_embedding(server: Server, options: argparse.Namespace) -> dict[str, Any]:
    """Return what an item costs in all, until the worker has given it its vector."""
    create = _sends([""], options.seed + 1)["create"]
    create(server, 0)
    server.wait_until_idle()
    before = server.cpu_ms()
    for number in range(options.requests):
        create(server, number)
    server.wait_until_idle()
    return {"cpu_ms": (server.cpu_ms() - before) / options.requests}


@dataclass(frozen=True, slots=True)
class ItemSearch:
    """One word of an item, or two characters of Chinese, and the beginning of that item."""

    word: str
    beginning: str


def fill(database: Path, size: int, *, seed: int, embedder: str) -> list[str]:
    """Store items one after the other, 20 seconds apart, each with its vector; return their ids.

    With the default embedder the vectors are means of those of words, under its name: to embed
    the texts would take far longer, and what is searched through costs the same.
    """
    choose, moments = opening.choose_embedder, count()
    if embedder == "default":
        embedders.use(embedders.WordMeans(as_default=True))

    def clock() -> datetime:
        return _BEGAN + next(moments) * _APART

    try:
        with mnemic.open(database, embedder=embedder, durability="off", clock=clock) as memory:
            memory.chat.create_session(_SESSION)
            texts = enumerate(Writer(seed).texts(size))
            ids = [memory.chat.create_item(_item(at, text)).id for at, text in texts]
            memory.embed_missing()
    finally:
        opening.choose_embedder = choose
    return ids


def _item(at: int, text: str) -> NewItem:
    type_ = _TYPES[at % len(_TYPES)]
    return NewItem(
        scope=_SCOPE,
        type=type_,
        tier="micro" if type_ == "summary" else None,
        fact_key=f"thing {at}.state" if type_ == "fact" else None,
        content=text,
        importance=0.3 + at % 8 / 10,
    )


def new_texts(seed: int) -> Iterator[str]:
    """Return texts that no store was filled with, without an end."""
    for part in count(1):
        yield from Writer(seed + 1_000_003 * part).texts(1_000)


def searches(seed: int) -> list[ItemSearch]:
    """Return what users look for, English and Chinese in turn."""
    rng = Random(seed)
    texts = list(Writer(seed).texts(1_000))
    english = [text for text in texts if text.isascii() and _WORD.search(text)]
    chinese = [text for text in texts if not text.isascii()]
    found: list[ItemSearch] = []
    for at in range(_SEARCHES):
        text = rng.choice(chinese if at % 2 else english)
        start = rng.randrange(len(text) - 2)
        word = text[start : start + 2] if at % 2 else rng.choice(_WORD.findall(text))
        found.append(ItemSearch(word, text[:60]))
    return found


if __name__ == "__main__":
    main()
