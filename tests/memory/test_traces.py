"""A recall reads: what it leaves behind is a count, and only where that is wanted."""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import apsw
import psycopg
import pytest
from psycopg import sql

from mnemic import Draft, Query
from mnemic.opening import OpenMemory
from tests.conftest import Clock, OpenIt

Tables = dict[str, list[Any]]


def tables(database: str) -> Tables:
    """Return every row of every table, whoever it belongs to."""
    if not database.startswith("postgresql:"):
        # apsw's types name a class that Python 3.11 lacks, hence Any.
        file: Any = apsw.Connection(str(Path(database)))
        names = [name for (name,) in file.execute("select name from sqlite_schema where rootpage")]
        names = [one for one in names if file.table_exists(None, one)]
        return {one: file.execute(f'select * from "{one}"').fetchall() for one in names}  # noqa: S608
    everything = database.replace(f"{urlsplit(database).username}@", "postgres@", 1)
    with psycopg.connect(everything) as server:
        found = server.execute("select tablename from pg_tables where schemaname = 'public'")
        return {
            name: server.execute(
                sql.SQL("select t::text from {} t order by 1").format(sql.Identifier(name))
            ).fetchall()
            for (name,) in found.fetchall()
        }


QUERIES = [
    Query("the red cup", traceless=True),
    Query("红色的杯子", mode="vec_only", traceless=True),
    Query("door", traceless=True, explain=True, min_confidence=0.1),
]


@pytest.mark.parametrize("embedder", ["none", "hashing"])
def test_a_recall_leaves_a_fresh_store_as_it_is(
    database: str, open_it: OpenIt, embedder: str
) -> None:
    memory = open_it(embedder=embedder)
    before = tables(database)

    for query in QUERIES:
        assert memory.recall(query).hits == ()

    assert len(before) > 5
    assert tables(database) == before


@pytest.mark.parametrize(
    ("remembering", "asking"),
    [("none", "none"), ("none", "hashing"), ("hashing", "hashing"), ("hashing", "none")],
)
def test_a_recall_leaves_a_filled_store_as_it_is(
    database: str, open_it: OpenIt, clock: Clock, remembering: str, asking: str
) -> None:
    _fill(open_it(embedder=remembering))
    memory = open_it(embedder=asking)
    before = tables(database)
    clock.turn(days=3)

    found = [memory.recall(query) for query in QUERIES]
    memory.get(found[0].hits[0].memory.id)  # Writes what was noted, if anything was.

    assert len(found[0].hits) >= 1
    assert tables(database) == before


def test_a_model_that_the_store_does_not_know_has_no_say_and_is_heard_once_it_does(
    open_it: OpenIt,
) -> None:
    _fill(open_it(embedder="none"))
    memory = open_it(embedder="hashing")

    unknown = memory.recall(Query("the red cup", explain=True))
    memory.remember(Draft("the red cup fell from the shelf"))
    known = memory.recall(Query("the red cup", explain=True))

    assert unknown.mode == "bm25_only"
    assert unknown.explanation is not None
    assert unknown.explanation.embedded is None
    assert known.mode == "hybrid"
    assert known.explanation is not None
    assert known.explanation.embedded == "red cup"


def test_a_recall_that_may_leave_a_trace_is_counted_once(memory: OpenMemory) -> None:
    _fill(memory)

    hidden = memory.recall(Query("the red cup", traceless=True)).hits
    shown = memory.recall(Query("the red cup")).hits

    assert hidden == shown
    assert memory.get(shown[0].memory.id).access_count == 1


def _fill(memory: OpenMemory) -> None:
    memory.remember_many(
        [Draft("the red cup is on the table"), Draft("门在厨房的后面"), Draft("the door is shut")]
    )
