"""What the figures about PostgreSQL rely on: a fair baseline, the same store, counted CPU time."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import pytest

import mnemic
from mnemic.engine.query import Query
from mnemic.records import Draft, Scope
from tests.benchmarks.conftest import Loader
from tests.postgres import Server

HERE = Scope("collection", "here")
TEXTS = ["a red cube on the table", "a blue cube in the box", "water in a cup", "红色的方块"]


@pytest.fixture
def empty_database(postgres: Server) -> Iterator[str]:
    name = f"bench_{uuid4().hex}"
    yield postgres.make_database(name)
    postgres.drop_database(name)


def axis(at: int) -> Any:
    """Return a vector along one axis: only itself is near it."""
    return np.eye(512, dtype=np.float32)[at]


@pytest.fixture
def notes(benchmark: Loader, empty_database: str) -> Iterator[Any]:
    """A baseline of three notes in one scope and one in another."""
    store = benchmark("postgres_baseline").Baseline(empty_database, words="any")
    store.make()
    store.load(
        [
            ("here", "a red cube", {"outcome": "success"}, axis(0)),
            ("here", "a blue cube", {"outcome": "failure"}, axis(1)),
            ("here", "water", {"outcome": "success"}, axis(2)),
        ]
    )
    store.index()
    store.add(("there", "a red cube", {}, axis(0)))
    yield store
    store.close()


def found(store: Any, text: str, vector: Any, where: dict[str, Any] | None = None) -> list[str]:
    return [one for _, one, _ in store.search(text, vector, scope="here", where=where, limit=10)]


def test_the_baseline_puts_first_what_both_words_and_vectors_find(notes: Any) -> None:
    assert found(notes, "which cubes are blue?", axis(1))[0] == "a blue cube"
    assert found(notes, "nothing of the kind", axis(2))[0] == "water"


def test_the_baseline_stays_in_its_scope_and_within_its_filter(notes: Any) -> None:
    assert found(notes, "red cube", axis(0)).count("a red cube") == 1
    passing = found(notes, "cube", axis(1), {"outcome": "success"})
    assert sorted(passing) == ["a red cube", "water"]


def test_the_baseline_by_vectors_alone_returns_the_closest_first(notes: Any) -> None:
    close = 0.9 * axis(2) + 0.4 * axis(1)

    best = notes.closest(close, scope="here", where=None, limit=2)

    assert [content for _, content, _ in best] == ["water", "a blue cube"]


def test_a_store_that_was_copied_into_postgresql_answers_as_the_one_it_was_copied_from(
    benchmark: Loader, tmp_path: Path, empty_database: str
) -> None:
    with mnemic.open(tmp_path / "memory.db", embedder="hashing") as memory:
        memory.remember_many([Draft(text, HERE, context={"at": text}) for text in TEXTS])
        expected = memory.recall(Query("red cube", scopes=(HERE,))).hits
    mnemic.open(empty_database, embedder="hashing", partitions=2).close()

    benchmark("postgres_filling").copy_store(tmp_path / "memory.db", empty_database)

    with mnemic.open(empty_database, embedder="hashing") as memory:
        hits = memory.recall(Query("red cube", scopes=(HERE,))).hits
        assert [hit.memory.id for hit in hits] == [hit.memory.id for hit in expected]
        assert [hit.score for hit in hits] == pytest.approx([hit.score for hit in expected])
        learned = memory.remember(Draft("a green ball", HERE)).memory
        assert learned.id > max(hit.memory.id for hit in hits)


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
    benchmark("postgres_filling").copy_store(tmp_path / "memory.db", empty_database)

    assert graphs() == before > 0


def test_the_time_of_a_server_counts_the_processes_that_have_ended(
    benchmark: Loader, postgres: Server
) -> None:
    cpu_ms = benchmark("postgres_server").cpu_ms
    process = int((postgres.folder / "data" / "postmaster.pid").read_text().splitlines()[0])

    before = cpu_ms(process)
    postgres.run("select count(*) from generate_series(1, 2000000)")

    assert cpu_ms(process) > before
    assert cpu_ms(0) == 0


def test_the_best_of_several_clients_is_judged_by_what_the_cores_allow(benchmark: Loader) -> None:
    goals = benchmark("tables_postgres").goals

    def judged(many: dict[str, float]) -> bool:
        alone = {"per_second": 10.0, "share_of_cores": 0.3}
        kept = {"postgres": {"recalling": {"1x1": alone, "4x4": many}}}
        empty: dict[str, Any] = {"postgres": {}, "postgres-quality": {}}
        full = {"sizes": {"100000": {"contestants": kept}}}
        *_, (_, _, _, met) = goals({**empty, "postgres-full": full})
        return met

    assert judged({"per_second": 45.0, "share_of_cores": 0.5})
    assert judged({"per_second": 20.0, "share_of_cores": 0.95})
    assert not judged({"per_second": 20.0, "share_of_cores": 0.5})
