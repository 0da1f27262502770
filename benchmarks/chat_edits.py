"""What does a change of a long chat cost?

    python benchmarks/chat_edits.py [--sizes 1000,5000] [--rounds 5]

A session of so many turns, each of a user and an assistant, is filled in bulk, and its memory is
made. Then, in turns: a turn is added, the last answer is swiped, floor 3 is edited, and a branch
is forked from the end. Measured is the CPU time of the process until all jobs that follow are done;
the median of the rounds is shown. At last a server is asked for blocks of another session while a
second client edits floor 3 all the time: how long 95 of 100 took, and without edits.
"""

import argparse
import json
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any, Final

import mnemic
from harness.options import Options
from harness.results import Result, conditions, progress, save_sizes
from harness.sentences import Writer
from mnemic.chat import Line, TurnDraft, VersionDraft
from mnemic.engine.chat_verbs import ChatMemory
from report import chat as report
from speed.http_server import Server

_SESSION: Final = "bench"
_OTHER: Final = "other"
_ROUNDS: Final = 5
_BLOCKS: Final = 200
_BEGAN: Final = datetime(2026, 1, 1, tzinfo=UTC)
# Every so many turns tell something that is true until another one says otherwise.
_FACTS: Final = (
    "I live in Oslo.",
    "I have a cat named Tofu.",
    "I promise to call my mother on Sunday.",
    "I moved to Lyon last week.",
    "I work as a nurse.",
    "我住在杭州。",
    "I called my mother.",
)
_FACT_EVERY: Final = 5


def main(arguments: Sequence[str] | None = None) -> None:
    parser = Options(__doc__)
    parser.sizes(1_000, 5_000)
    parser.add_argument("--rounds", type=int, default=_ROUNDS)
    parser.seed()
    options = parser.parse_args(arguments)
    run = {"run": conditions(seed=options.seed), "rounds": options.rounds}
    results = {size: {**run, **_measure(size, options)} for size in options.sizes}
    print(report.write_edits({"sizes": {str(size): result for size, result in results.items()}}))
    save_sizes("chat_edits", results, complete=options.rounds >= _ROUNDS)


def _measure(size: int, options: argparse.Namespace) -> Result:
    with TemporaryDirectory() as folder:
        database = Path(folder) / "memory.db"
        with mnemic.open(database, embedder="none", durability="off") as memory:
            chat = memory.chat
            progress(f"{size:,}: filling")
            filled = _cpu_ms(lambda: _fill(chat, size, options.seed))
            ingested = _cpu_ms(lambda: _work(chat))
            progress(f"{size:,}: measuring")
            costs = _costs(chat, options)
        blocks = _blocks(database)
    return {
        "bulk_ms": filled / size,
        "ingest_ms": ingested / size,
        "costs": costs,
        "context": blocks,
    }


def _fill(chat: ChatMemory, size: int, seed: int) -> None:
    texts = list(Writer(seed).texts(2 * size))
    for name, count in ((_SESSION, size), (_OTHER, min(size, 200))):
        chat.create_session(name)
        drafts = [
            TurnDraft(
                (
                    VersionDraft(
                        _lines(texts[2 * at], texts[2 * at + 1], at), _BEGAN + timedelta(hours=at)
                    ),
                )
            )
            for at in range(count)
        ]
        for first in range(0, count, 5_000):
            chat.add_turns(name, drafts[first : first + 5_000])


def _lines(asked: str, answered: str, at: int) -> tuple[Line, ...]:
    fact = "" if at % _FACT_EVERY else f" {_FACTS[at // _FACT_EVERY % len(_FACTS)]}"
    return Line("user", asked + fact), Line("assistant", answered)


def _work(chat: ChatMemory) -> None:
    while (job := chat.take_job(worker="bench")) is not None:
        job.do()


def _cpu_ms(work: Callable[[], object]) -> float:
    before = time.process_time()
    work()
    return 1000 * (time.process_time() - before)


def _costs(chat: ChatMemory, options: argparse.Namespace) -> dict[str, float]:
    texts = iter(Writer(options.seed + 1).texts(10_000))
    third = chat.turns(_SESSION, offset=3, limit=1).rows[0].id

    def lines(fact: str = "") -> tuple[Line, ...]:
        return Line("user", f"{next(texts)} {fact}"), Line("assistant", next(texts))

    def last() -> str:
        return chat.turns(_SESSION, order="desc", limit=1).rows[0].id

    kinds: dict[str, Callable[[int], object]] = {
        "add": lambda _: chat.add_turn(_SESSION, lines()),
        "swipe": lambda _: chat.change_turn(_SESSION, last(), lines=lines()),
        "edit": lambda at: chat.change_turn(_SESSION, third, lines=lines(_FACTS[at % 5])),
        "fork": lambda at: chat.create_branch(_SESSION, f"fork-{at}"),
    }
    spent: dict[str, list[float]] = {kind: [] for kind in kinds}
    for number in range(options.rounds + 1):
        for kind, act in kinds.items():

            def done(act: Callable[[int], object] = act, number: int = number) -> None:
                act(number)
                _work(chat)

            cost = _cpu_ms(done)
            if number:
                spent[kind].append(cost)
            if kind == "fork":
                chat.delete_branch(_SESSION, f"fork-{number}")
                _work(chat)
    return {kind: median(costs) for kind, costs in spent.items()} | {
        f"{kind}_worst": max(costs) for kind, costs in spent.items()
    }


def _blocks(database: Path) -> dict[str, Any]:
    """Return how long blocks of another session take, alone and while an early turn is edited."""
    with Server(database, embedder="none", worker=True) as server:
        path = f"/sessions/{_SESSION}/turns"
        third = server.get(f"{path}?offset=3&limit=1")["data"][0]["floor_id"]
        over = threading.Event()

        def edit() -> None:
            at = 0
            with closing(HTTPConnection(*server.address)) as connection:
                while not over.is_set():
                    at += 1
                    said = {"role": "user", "content": f"On day {at}. {_FACTS[at % 5]}"}
                    body = json.dumps({"messages": [said], "mode": "sync"})
                    headers = {"content-type": "application/json"}
                    connection.request("PUT", f"{path}/{third}", body, headers)
                    answer = connection.getresponse()
                    if answer.status != HTTPStatus.OK:
                        raise RuntimeError(f"an edit: {answer.status} {answer.read()[:300]!r}")
                    answer.read()

        alone = _p95(server)
        editing = threading.Thread(target=edit)
        editing.start()
        try:
            beside = _p95(server)
        finally:
            over.set()
            editing.join()
    return {"alone_p95_ms": alone, "beside_p95_ms": beside}


def _p95(server: Server) -> float:
    took: list[float] = []
    for number in range(_BLOCKS):
        before = time.perf_counter()
        body = {"query": f"Where do you live? {number}"}
        server.post(f"/sessions/{_OTHER}/context", body, status=200)
        took.append(1000 * (time.perf_counter() - before))
    return quantiles(took, n=20)[-1]


if __name__ == "__main__":
    main()
