"""Both backends, asked the same: the first ten must be the same memories in the same order."""

import random
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import psycopg
import pytest

import mnemic
from mnemic import Draft, OpenMemory, Query, Scope
from mnemic.opening import move_to_postgres
from mnemic.records.filters import EVERYTHING, parse_filter, parse_near
from mnemic.settings import Settings
from tests.postgres import Server

MEMORIES: Final = 50_000
QUERIES: Final = 520
FIRST: Final = 10
LEAST: Final = 0.99
# One large scope, and some that are smaller.
SCOPES: Final = [Scope("collection", name) for name in ("fleet", "hall", "dock", "cell")]
SHARES: Final = (70, 20, 8, 2)
WORDS: Final = (
    *("grip", "push", "pull", "lift", "turn", "place", "open", "close", "move", "hold", "weigh"),
    *("scan", "clean", "load", "cup", "plate", "door", "crate", "bolt", "cable", "lamp", "drawer"),
    *("bottle", "valve", "panel", "wheel", "slowly", "gently", "firmly", "twice", "upright"),
    *("sideways", "early", "late", "again", "alone"),
)
CHINESE: Final = "夹爪要先减速抬起杯子慢慢放下打开柜门检查电缆清洁传送带称重零件"


def lesson(chance: random.Random, number: int) -> str:
    """Say something that shares words with many others, and some with few."""
    rare = [f"unit{chance.randrange(4_000)}", f"zone{chance.randrange(300)}"]
    if number % 5 == 0:
        said = "".join(chance.sample(CHINESE, 9))
        return f"{said}{chance.choice(rare)}"
    words = [*rare, *chance.choices(WORDS, k=chance.randrange(6, 12))]
    return " ".join(words)


def drafts(chance: random.Random) -> Iterator[Draft]:
    for number in range(MEMORIES):
        yield Draft(
            f"{lesson(chance, number)} {number}",
            chance.choices(SCOPES, SHARES)[0],
            context={
                "task": {"success": number % 3 == 0, "kind": f"k{number % 40}"},
                "place": [chance.random() * 50, chance.random() * 50],
            },
            dedup=False,
        )


def queries(chance: random.Random) -> Iterator[Query]:
    for number in range(QUERIES):
        text = " ".join(lesson(chance, number).split()[: 2 + number % 4])
        asked: dict[str, Any] = {"scopes": (SCOPES[number % 4],), "limit": FIRST}
        if number % 7 == 1:
            asked["scopes"] = tuple(SCOPES[1:])
        if number % 5 == 2:
            asked["filter"] = parse_filter({"task.kind": f"k{number % 40}"})
        if number % 11 == 3:
            asked["filter"] = parse_filter({"task.success": True})
        if number % 13 == 4:
            asked["near"] = parse_near({"field": "place", "target": [number % 50, 25]})
        if number % 6 == 5:
            asked["mode"] = "bm25_only"
        yield Query(text, **asked)


@pytest.fixture(scope="module")
def both(
    postgres: Server, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[OpenMemory, OpenMemory]]:
    """The same memories on SQLite and, moved there, on PostgreSQL."""
    path: Path = tmp_path_factory.mktemp("parity") / "memory.db"
    told = drafts(random.Random(4))  # noqa: S311 - to draw examples
    with mnemic.open(path, embedder="hashing", durability="off") as memory:
        while batch := list(islice(told, 2_000)):
            memory.remember_many(batch)
    name = f"parity_{uuid4().hex}"
    postgres.make_database(name, template="made")
    with psycopg.connect(postgres.url(name), autocommit=True) as owner:
        # Made anew over all, a graph takes a fraction of the time that growing it takes.
        [[graph]] = owner.execute("select pg_get_indexdef('memory_vector_near_512'::regclass)")
        owner.execute("drop index memory_vector_near_512")
        move_to_postgres(path, Settings(database=postgres.url(name, user="owner")))
        owner.execute(graph.replace(" ONLY ", " ").encode())
        owner.execute("analyze")
    with (
        mnemic.open(path, embedder="hashing", durability="off") as ours,
        mnemic.open(postgres.url(name, user="app"), embedder="hashing") as theirs,
    ):
        yield ours, theirs
    postgres.drop_database(name)


def test_the_first_ten_of_both_backends_agree_in_99_of_100_positions(
    both: tuple[OpenMemory, OpenMemory], capsys: pytest.CaptureFixture[str]
) -> None:
    def tell(text: str) -> None:
        with capsys.disabled():
            sys.stdout.write(f"\n{text}\n")

    positions, different = 0, Counter[str]()
    for query in queries(random.Random(5)):  # noqa: S311 - to draw examples
        one, other = ([hit.memory.id for hit in memory.recall(query).hits] for memory in both)
        positions += max(len(one), len(other))
        apart = sum(a != b for a, b in zip(one, other, strict=False))
        apart += abs(len(one) - len(other))
        if apart:
            kind = "all" if query.filter == EVERYTHING else "filtered"
            different[f"{query.mode}, {kind}"] += apart
            tell(f"{query.text!r} in {query.scopes}:\n  {one}\n  {other}")

    agreement = 1 - different.total() / positions
    tell(f"{agreement:.2%} of {positions} positions agree; apart: {dict(different)}")
    assert positions > QUERIES * 5
    assert agreement >= LEAST, different
