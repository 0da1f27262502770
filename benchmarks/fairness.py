"""What does a quiet tenant notice of one that floods the server?

    python benchmarks/fairness.py [--size 1000] [--requests 100] [--rounds 5]

Two accounts share one `mnemic serve` with its worker, each with a key. The quiet one recalls, and
now and then learns, one request after the other with a pause between them. First alone, then while
the other one floods the server in five ways: 64 connections that recall without a pause, 64 that
learn, 64 that add turns to chats, whose jobs keep the worker busy, 64 that send texts of 20,000
characters, and 300 bodies that are begun and never finished. Alone and flooded take turns, round
after round, so that both meet the same machine. Told are the 95th percentiles of both, their ratio,
and how many requests of the quiet one were refused. The one who floods is a process of its own.
"""

import argparse
import asyncio
import json
import subprocess
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from itertools import count, islice
from math import inf
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

import mnemic
from harness.measure import percentile
from harness.options import Options
from harness.results import conditions, progress, save
from harness.sentences import Writer
from mnemic.records.memory import Draft
from report import fairness as report
from speed.http_load import Streams, exchange, request
from speed.http_server import Server

WAYS: Final = ("recall", "learn", "turns", "long texts", "half-sent bodies")
ALONE: Final = "alone"
_CONNECTIONS: Final = 64
_SESSIONS: Final = 44
_HALF_BODIES: Final = 300
_PAUSE_SECONDS: Final = 0.03
_SETTLE_SECONDS: Final = 1.0
_LEARN_EVERY: Final = 5
_UNCOUNTED: Final = 10

# How many seconds each request took in each round, by what else was going on; None: refused.
Rounds = dict[str, list[list[float | None]]]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = Options(__doc__)
    parser.add_argument("--size", type=int, default=1_000, help="memories of each account")
    parser.add_argument("--requests", type=int, default=100, help="of the quiet one, in a round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.names("--ways", WAYS)
    parser.embedder()
    parser.seed()
    parser.add_argument("--flood", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.flood is not None:
        asyncio.run(_flood(**json.loads(options.flood)))
        return
    run = conditions(seed=options.seed)
    with TemporaryDirectory() as folder:
        database = Path(folder) / "memory.db"
        progress(f"filling 2 × {options.size:,}")
        keys = _fill(database, options)
        # A flood is to be met by fair shares, not by a limit that happens to be reached first.
        unlimited = {"MNEMIC_REQUESTS_PER_MINUTE": "0"}
        with Server(database, embedder=options.embedder, worker=True, **unlimited) as server:
            rounds = asyncio.run(_measured(server.address, keys, options))
    result = {"run": run, "size": options.size, "requests": options.requests, "rows": _rows(rounds)}
    print(report.write({"fairness": result}))
    save("fairness", result, complete=options.requests >= 100 and options.rounds >= 5)


def _texts(seed: int) -> Iterator[str]:
    return Writer(seed).texts(10**9)


def _fill(database: Path, options: argparse.Namespace) -> dict[str, str]:
    """Fill the store of both accounts; return their keys."""
    with mnemic.open(database, embedder=options.embedder, durability="off") as memory:
        for at, account in enumerate(("quiet", "busy")):
            texts = islice(_texts(options.seed + at), options.size)
            drafts = [Draft(text, dedup=False) for text in texts]
            memory.of_account(account).remember_many(drafts)
        for number in range(_SESSIONS):
            memory.of_account("busy").chat.create_session(f"s{number}")
        return {name: memory.keys.create(name, account=name)[1] for name in ("quiet", "busy")}


def _requests(way: str, key: str, texts: Iterator[str]) -> Iterator[bytes]:
    """Return one request after the other, always another one."""
    for number, text in enumerate(texts):
        path, body = f"/sdk/robot.{way}", {"query": " ".join(text.split()[:5])[:60], "n": 5}
        if way == "learn":
            body = {"insight": text}
        elif way == "long texts":
            path = "/sdk/robot.save_perception"
            body = {"description": f"{text} {'(' * 20_000}"[:20_000]}
        elif way == "turns":
            path = f"/sessions/s{number % _SESSIONS}/turns"
            body = {"messages": [{"role": "user", "content": f"I like it when {text}"}]}
        yield request("POST", path, body, {"x-api-key": key}).encode()


async def _flood(address: tuple[str, int], key: str, way: str, seed: int) -> None:
    """Ask for all one can, until somebody ends it."""
    if way == "half-sent bodies":
        body = {"content": "x" * 10_000}
        begun = request("POST", "/memories", body, {"x-api-key": key}).encode()[:1_000]
        while True:
            lines = await asyncio.gather(
                *(asyncio.open_connection(*address) for _ in range(_HALF_BODIES))
            )
            for _, writer in lines:
                writer.write(begun)
            # The server sends them away after a while; then they come again.
            await asyncio.gather(*(reader.read() for reader, _ in lines), return_exceptions=True)
    requests = _requests(way, key, _texts(seed))

    async def endlessly() -> None:
        streams = await asyncio.open_connection(*address)
        for sent in requests:
            await exchange(streams, sent)

    await asyncio.gather(*(endlessly() for _ in range(_CONNECTIONS)))


async def _measured(
    address: tuple[str, int], keys: dict[str, str], options: argparse.Namespace
) -> Rounds:
    streams = await asyncio.open_connection(*address)
    quiet = _quiet_requests(keys["quiet"], options.seed + 2)
    rounds: Rounds = {}
    seeds = count(options.seed + 100)
    await _ask(streams, quiet, 5 * _UNCOUNTED)
    for turn in range(options.rounds):
        for way in options.ways:
            progress(f"round {turn + 1}: {way}")
            alone = await _ask(streams, quiet, options.requests // len(options.ways))
            rounds.setdefault(ALONE, []).append(alone)
            with _flooding(address=address, key=keys["busy"], way=way, seed=next(seeds)):
                await asyncio.sleep(_SETTLE_SECONDS)
                await _ask(streams, quiet, _UNCOUNTED)
                flooded = await _ask(streams, quiet, options.requests)
            rounds.setdefault(way, []).append(flooded)
            await asyncio.sleep(_SETTLE_SECONDS)
    return rounds


def _quiet_requests(key: str, seed: int) -> Iterator[bytes]:
    recalls, learns = (_requests(way, key, _texts(seed)) for way in ("recall", "learn"))
    for number in count():
        yield next(recalls if number % _LEARN_EVERY else learns)


@contextmanager
def _flooding(**plan: object) -> Generator[None]:
    with subprocess.Popen([sys.executable, __file__, "--flood", json.dumps(plan)]) as flood:
        try:
            yield
        finally:
            flood.kill()


async def _ask(streams: Streams, requests: Iterator[bytes], number: int) -> list[float | None]:
    seconds: list[float | None] = []
    for sent in islice(requests, number):
        started = perf_counter()
        head, _ = await exchange(streams, sent)
        seconds.append(perf_counter() - started if b" 200 " in head[:13] else None)
        await asyncio.sleep(_PAUSE_SECONDS)
    return seconds


def _rows(rounds: Rounds) -> dict[str, dict[str, float]]:
    rows: dict[str, dict[str, float]] = {}
    for way, turns in rounds.items():
        taken = [1000 * seconds for turn in turns for seconds in turn if seconds is not None]
        rows[way] = {
            "p50_ms": median(taken) if taken else inf,
            "p95_ms": percentile(taken, 95) if taken else inf,
            "refused": sum(seconds is None for turn in turns for seconds in turn),
        }
        rows[way]["ratio"] = rows[way]["p95_ms"] / rows[ALONE]["p95_ms"]
    return rows


if __name__ == "__main__":
    main()
