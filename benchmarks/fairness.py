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
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from math import inf
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final

import mnemic
from harness.results import conditions, progress, save
from mnemic.records.memory import Draft
from report import fairness as report

WAYS: Final = ("recall", "learn", "turns", "long texts", "half-sent bodies")
ALONE: Final = "alone"
_CONNECTIONS: Final = 64
_HALF_BODIES: Final = 300
_PAUSE_SECONDS: Final = 0.03
_SETTLE_SECONDS: Final = 1.0
_LEARN_EVERY: Final = 5
_UNCOUNTED: Final = 10
_ADDRESS: Final = re.compile(r"serving on http://([\d.]+):(\d+)")
_WORDS: Final = [
    "gripper",
    "force",
    "speed",
    "cup",
    "mug",
    "shelf",
    "tray",
    "door",
    "drawer",
    "bottle",
    "plate",
    "corner",
    "floor",
    "wheel",
    "lid",
    "handle",
    "slips",
    "holds",
    "turns",
    "opens",
    "closes",
    "lifts",
    "pushes",
    "pulls",
    "slowly",
    "quickly",
    "firmly",
    "wet",
    "dry",
    "heavy",
    "light",
    "left",
    "right",
    "above",
    "below",
    "before",
    "after",
    "sometimes",
    "always",
    "kitchen",
    "corridor",
    "station",
    "table",
    "rack",
]


def main(arguments: Sequence[str] | None = None) -> None:
    options = _options(arguments)
    if options.flood is not None:
        asyncio.run(_flood(json.loads(options.flood)))
        return
    run = conditions(seed=options.seed)
    with TemporaryDirectory() as folder:
        database = Path(folder) / "memory.db"
        progress(f"filling 2 × {options.size:,}")
        keys = _fill(database, options)
        with _served(database, options.embedder) as address:
            seconds = asyncio.run(_measured(address, keys, options))
    result = {"run": run, "size": options.size, "requests": options.requests, **_told(seconds)}
    print(report.write({"fairness": result}))
    save("fairness", result, complete=options.requests >= 100 and options.rounds >= 5)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--size", type=int, default=1_000, help="memories of each account")
    parser.add_argument("--requests", type=int, default=100, help="of the quiet one, in a round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--embedder", default="default")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--flood", help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def _sentences(seed: int) -> Iterator[str]:
    random = Random(seed)
    for number in count():
        yield f"{' '.join(random.choices(_WORDS, k=10))} {number}"


def _fill(database: Path, options: argparse.Namespace) -> dict[str, str]:
    """Fill the store of both accounts; return their keys."""
    with mnemic.open(database, embedder=options.embedder, durability="off") as memory:
        for at, account in enumerate(("quiet", "busy")):
            texts = _sentences(options.seed + at)
            drafts = [Draft(next(texts), dedup=False) for _ in range(options.size)]
            memory.of_account(account).remember_many(drafts)
        for word in _WORDS:
            memory.of_account("busy").chat.create_session(word)
        return {name: memory.keys.create(name, account=name)[1] for name in ("quiet", "busy")}


@contextmanager
def _served(database: Path, embedder: str) -> Iterator[tuple[str, int]]:
    command = [sys.executable, "-m", "mnemic.cli.main", "serve", "--port", "0"]
    # A flood is to be met by fair shares, not by a limit that happens to be reached first.
    given = {"MNEMIC_DATABASE": str(database), "MNEMIC_EMBEDDER": embedder}
    given["MNEMIC_REQUESTS_PER_MINUTE"] = "0"
    with subprocess.Popen(
        command, env={**os.environ, **given}, stderr=subprocess.PIPE, text=True
    ) as server:
        try:
            found = None
            while found is None and server.stderr is not None:
                found = _ADDRESS.search(server.stderr.readline())
            if found is None:
                raise RuntimeError("the server did not start")
            yield found[1], int(found[2])
        finally:
            server.terminate()


def _request(key: str, path: str, body: object) -> bytes:
    content = json.dumps(body).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nhost: localhost\r\nx-api-key: {key}\r\n"
        f"content-type: application/json\r\ncontent-length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content


def _recall(text: str) -> tuple[str, dict[str, Any]]:
    return "/sdk/robot.recall", {"query": " ".join(text.split()[:5]), "n": 5}


def _learn(text: str) -> tuple[str, dict[str, Any]]:
    return "/sdk/robot.learn", {"insight": text}


def _turn(text: str) -> tuple[str, dict[str, Any]]:
    lines = [{"role": "user", "content": f"I live in {text}. I like {text}."}]
    return f"/sessions/{text.split()[0]}/turns", {"messages": lines}


def _perception(text: str) -> tuple[str, dict[str, Any]]:
    return "/sdk/robot.save_perception", {"description": f"{text} {'(' * 20_000}"[:20_000]}


class Line:
    """One connection that is kept."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def ask(self, sent: bytes) -> int:
        """Send a request; return the status of the answer."""
        self._writer.write(sent)
        head = await self._reader.readuntil(b"\r\n\r\n")
        size = re.search(rb"content-length: (\d+)", head.lower())
        await self._reader.readexactly(int(size[1]) if size else 0)
        return int(head.split(b" ", 2)[1])


async def _flood(plan: dict[str, Any]) -> None:
    """Ask for all one can, until somebody ends it."""
    where, key, way = plan["address"], plan["key"], plan["way"]
    if way == "half-sent bodies":
        begun = _request(key, "/memories", {"content": "x" * 10_000})[:1_000]
        while True:
            lines = await asyncio.gather(
                *(asyncio.open_connection(*where) for _ in range(_HALF_BODIES))
            )
            for _, writer in lines:
                writer.write(begun)
            # The server sends them away after a while; then they come again.
            await asyncio.gather(*(reader.read() for reader, _ in lines), return_exceptions=True)
    say = {"recall": _recall, "learn": _learn, "turns": _turn, "long texts": _perception}[way]
    texts = _sentences(plan["seed"])

    async def endlessly() -> None:
        line = Line(*await asyncio.open_connection(*where))
        while True:
            await line.ask(_request(key, *say(next(texts))))

    await asyncio.gather(*(endlessly() for _ in range(_CONNECTIONS)))


async def _measured(
    address: tuple[str, int], keys: dict[str, str], options: argparse.Namespace
) -> dict[str, list[list[float | None]]]:
    """Return, by what else is going on, how long each request took in each round; None where it
    was refused.
    """
    line = Line(*await asyncio.open_connection(*address))
    texts = _sentences(options.seed + 2)
    ways = options.ways.split(",")
    found: dict[str, list[list[float | None]]] = {}
    await _asked(line, keys["quiet"], texts, 5 * _UNCOUNTED)
    for turn in range(options.rounds):
        for at, way in enumerate(ways):
            progress(f"round {turn + 1}: {way}")
            alone = await _asked(line, keys["quiet"], texts, options.requests // len(ways))
            found.setdefault(ALONE, []).append(alone)
            plan = {"address": address, "key": keys["busy"], "way": way}
            plan["seed"] = options.seed + 100 + turn * len(ways) + at
            with _flooding(plan):
                await asyncio.sleep(_SETTLE_SECONDS)
                await _asked(line, keys["quiet"], texts, _UNCOUNTED)
                flooded = await _asked(line, keys["quiet"], texts, options.requests)
            found.setdefault(way, []).append(flooded)
            await asyncio.sleep(_SETTLE_SECONDS)
    return found


@contextmanager
def _flooding(plan: dict[str, Any]) -> Iterator[None]:
    with subprocess.Popen([sys.executable, __file__, "--flood", json.dumps(plan)]) as flood:
        try:
            yield
        finally:
            flood.kill()


async def _asked(line: Line, key: str, texts: Iterator[str], number: int) -> list[float | None]:
    seconds: list[float | None] = []
    for at in range(number):
        say = _learn if at % _LEARN_EVERY == 0 else _recall
        sent = _request(key, *say(next(texts)))
        started = perf_counter()
        status = await line.ask(sent)
        seconds.append(perf_counter() - started if status == 200 else None)
        await asyncio.sleep(_PAUSE_SECONDS)
    return seconds


def _told(found: dict[str, list[list[float | None]]]) -> dict[str, Any]:
    rows: dict[str, dict[str, float]] = {}
    for way, rounds in found.items():
        taken = [1000 * one for once in rounds for one in once if one is not None]
        rows[way] = {
            "p50_ms": median(taken) if taken else inf,
            "p95_ms": quantiles(taken, n=20)[-1] if len(taken) > 1 else inf,
            "refused": sum(one is None for once in rounds for one in once),
        }
        rows[way]["ratio"] = rows[way]["p95_ms"] / rows[ALONE]["p95_ms"]
    return {"rows": rows}


if __name__ == "__main__":
    main()
