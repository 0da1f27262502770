"""What the figures about PostgreSQL rely on: a fair baseline, the same store, counted CPU time."""

from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import pytest

import mnemic
from mnemic import opening
from mnemic.records.memory import Draft, Scope
from mnemic.records.query import Query
from tests.benchmarks.conftest import Loader
from tests.postgres import Server

HERE = Scope("collection", "here")
TEXTS = ["a red cube on the table", "a blue cube in the box", "water in a cup", "红色的方块"]


@pytest.fixture
def empty_database(postgres: Server) -> Iterator[str]:
    name = f"bench_{uuid4().hex}"
    yield postgres.make_database(name)
    postgres.drop_database(name)


class Axes:
    """An embedder that puts each known text on an axis: only texts on the same one are near."""

    name, dimensions, multilingual = "axes@512", 512, False

    def __init__(self, axes: dict[str, int]) -> None:
        self._axes = axes

    def embed(self, texts: Sequence[str]) -> Any:
        return np.eye(512, dtype=np.float32)[[self._axes[text] for text in texts]]

    def close(self) -> None: ...


@pytest.fixture
def notes(benchmark: Loader, empty_database: str) -> Iterator[Any]:
    """A baseline of three notes in one scope and one in another."""
    row = benchmark("speed.recall_workload").Row
    notes = {"a red cube": 0, "a blue cube": 1, "water": 2}
    # A question lies near the note that it means.
    embedder = Axes({**notes, "which cubes are blue?": 1, "nothing like it": 2})
    store = benchmark("postgresql.baseline").Baseline(
        empty_database, embedder, words="any", text_of=attrgetter("text")
    )
    store.load(
        [
            row("a red cube", "here", {"outcome": "success"}),
            row("a blue cube", "here", {"outcome": "failure"}),
            row("water", "here", {"outcome": "success"}),
        ]
    )
    store.insert(row("a red cube", "there", {}))
    yield store
    store.close()


@pytest.fixture
def ask(benchmark: Loader, notes: Any) -> Callable[..., list[str]]:
    question = benchmark("speed.recall_workload").Question

    def recall(text: str, where: dict[str, Any] | None = None) -> list[str]:
        return [content for content, _ in notes.recall(question(text, "here", where))]

    return recall


def test_the_baseline_puts_first_what_both_words_and_vectors_find(
    ask: Callable[..., list[str]],
) -> None:
    assert ask("which cubes are blue?")[0] == "a blue cube"
    assert ask("nothing like it")[0] == "water"


def test_the_baseline_stays_in_its_scope_and_within_its_filter(
    ask: Callable[..., list[str]],
) -> None:
    assert ask("a red cube").count("a red cube") == 1
    assert sorted(ask("a blue cube", {"outcome": "success"})) == ["a red cube", "water"]


def test_the_baseline_by_vectors_alone_returns_the_closest_first(
    benchmark: Loader, notes: Any
) -> None:
    question = benchmark("speed.recall_workload").Question("which cubes are blue?", "here")

    [best, *_], vector = notes.closest(question, limit=2)

    assert best == ("a blue cube", {"outcome": "failure"})
    assert vector.tolist().index(1) == 1


@pytest.mark.parametrize("name", ["postgres", "baseline, any word"])
def test_a_contestant_is_loaded_asked_and_used_by_several_clients(
    benchmark: Loader, monkeypatch: pytest.MonkeyPatch, empty_database: str, name: str
) -> None:
    monkeypatch.setattr(opening, "choose_embedder", opening.choose_embedder)
    contestants = benchmark("postgresql.contestants")
    stock = list(benchmark("speed.recall_workload").rows(120, 7))
    question = {"text": stock[5].text, "scope": stock[5].scope}
    driver = contestants.ContestantDriver(name, empty_database, "", "120", "7")

    driver.load()

    assert driver.recall(question) == 10
    assert driver.closest([question]) == 1
    client = contestants.ContestantDriver(name, empty_database, "", "120", "7")
    client.start_clients(2, [question])
    run = client.run_clients(0.05)
    assert len(run["wall_ms"]) >= 2
    assert run["cpu_ms"] > 0


def test_a_store_that_was_copied_into_postgresql_answers_as_the_one_it_was_copied_from(
    benchmark: Loader, tmp_path: Path, empty_database: str
) -> None:
    with mnemic.open(tmp_path / "memory.db", embedder="hashing") as memory:
        memory.remember_many([Draft(text, HERE, context={"at": text}) for text in TEXTS])
        expected = memory.recall(Query("red cube", scopes=(HERE,))).hits
    mnemic.open(empty_database, embedder="hashing", partitions=2).close()

    benchmark("postgresql.loading").copy_stores({None: tmp_path / "memory.db"}, empty_database)

    with mnemic.open(empty_database, embedder="hashing") as memory:
        hits = memory.recall(Query("red cube", scopes=(HERE,))).hits
        assert [hit.memory.id for hit in hits] == [hit.memory.id for hit in expected]
        assert [hit.score for hit in hits] == pytest.approx([hit.score for hit in expected])
        learned = memory.remember(Draft("a green ball", HERE)).memory
        assert learned.id > max(hit.memory.id for hit in hits)


def test_stores_are_copied_into_the_accounts_that_they_are_named_for(
    benchmark: Loader, tmp_path: Path, empty_database: str
) -> None:
    sources = {"one": tmp_path / "one.db", "two": tmp_path / "two.db"}
    for number, path in enumerate(sources.values()):
        with mnemic.open(path, embedder="hashing") as memory:
            memory.remember_many([Draft(text, HERE) for text in TEXTS[number:]])
    mnemic.open(empty_database, embedder="hashing", partitions=2).close()

    benchmark("postgresql.loading").copy_stores(sources, empty_database)

    for account, count in (("one", 4), ("two", 3)):
        with mnemic.open(empty_database, embedder="hashing", account=account) as memory:
            assert memory.count(HERE) == count
            assert memory.recall(Query("water", scopes=(HERE,))).hits[0].memory.content == TEXTS[2]


def test_the_copy_has_the_graph_on_every_partition(
    benchmark: Loader, tmp_path: Path, empty_database: str
) -> None:
    psycopg = pytest.importorskip("psycopg")
    with mnemic.open(tmp_path / "memory.db", embedder="hashing") as memory:
        memory.remember(Draft(TEXTS[0], HERE))
    mnemic.open(empty_database, embedder="hashing", partitions=2).close()

    def graphs() -> int:
        with psycopg.connect(empty_database) as connection:
            count = "select count(*) from pg_indexes where indexdef like '%hnsw%'"
            return connection.execute(count).fetchone()[0]

    before = graphs()
    benchmark("postgresql.loading").copy_stores({None: tmp_path / "memory.db"}, empty_database)

    assert graphs() == before > 0


def test_the_time_of_a_server_counts_the_processes_that_have_ended(
    benchmark: Loader, postgres: Server
) -> None:
    cpu_ms = benchmark("postgresql.server").cpu_ms
    process = int((postgres.folder / "data" / "postmaster.pid").read_text().splitlines()[0])

    before = cpu_ms(process)
    postgres.run("select count(*) from generate_series(1, 2000000)")

    assert cpu_ms(process) > before
    assert cpu_ms(0) == 0


def test_the_best_of_several_clients_is_judged_by_what_the_cores_allow(benchmark: Loader) -> None:
    goals = benchmark("report.postgres").goals

    def judged(many: dict[str, float]) -> bool:
        alone = {"per_second": 10.0, "share_of_cores": 0.3}
        kept = {"postgres": {"recalling": {"1x1": alone, "4x4": many}}}
        empty: dict[str, Any] = {"postgres": {}, "postgres-quality": {}}
        full = {"sizes": {"100000": {"contestants": kept}}}
        return goals({**empty, "postgres-full": full})[-1].met

    assert judged({"per_second": 45.0, "share_of_cores": 0.5})
    assert judged({"per_second": 20.0, "share_of_cores": 0.95})
    assert not judged({"per_second": 20.0, "share_of_cores": 0.5})
