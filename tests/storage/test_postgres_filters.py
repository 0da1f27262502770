import json
from collections.abc import Iterator
from typing import LiteralString, cast

import psycopg
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mnemic.records.filters import MAX_SEGMENTS, matches, parse_filter
from mnemic.storage.postgres.filter_sql import compile_filter, json_path, value_at
from tests.conftest import NOON
from tests.postgres import postgres_server
from tests.storage.contexts import KEYS, contexts, entries

# The least integer that is infinite as a float.
BEYOND = 2**1024 - 2**970


@pytest.fixture(scope="module")
def db() -> Iterator[psycopg.Connection]:
    """A table `m` that is empty when a test begins to fill it."""
    with postgres_server() as server, psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute("create table m (context text not null, created_at bigint default 0)")
        yield connection


def filled(db: psycopg.Connection, texts: list[str]) -> None:
    db.execute("truncate m")
    db.execute("insert into m select unnest(%s::text[])", [texts])


def rows(db: psycopg.Connection, query: str, bindings: dict[str, object]) -> list[object]:
    return [row[0] for row in db.execute(cast("LiteralString", query), bindings)]


def found(db: psycopg.Connection, raw: dict[str, object]) -> list[object]:
    sql, bindings = compile_filter(parse_filter(raw))
    return rows(db, f"select context from m where {sql}", bindings)  # noqa: S608


def value(db: psycopg.Connection, context: str, path: tuple[str, ...]) -> object:
    filled(db, [context])
    sql = f"select {value_at('%(path)s')} from m"  # noqa: S608
    (only,) = rows(db, sql, {"path": json_path(path)})
    return only


def test_integers_at_the_edge_of_the_floats_compare_as_in_the_reference(
    db: psycopg.Connection,
) -> None:
    stored = [sign * (BEYOND + step) for sign in (1, -1) for step in (-1, 0, 1, 10**309)]
    filled(db, [json.dumps({"a": number}) for number in stored])
    for operand in (BEYOND - 1, 1 - BEYOND, 0):
        for op in ("$eq", "$ne", "$lt", "$lte", "$gt", "$gte"):
            raw: dict[str, object] = {"a": {op: operand}}
            expected = [{"a": n} for n in stored if matches(parse_filter(raw), {"a": n}, NOON)]
            assert found(db, raw) == [json.dumps(context) for context in expected]


def test_the_longest_number_that_python_writes_does_no_harm(db: psycopg.Connection) -> None:
    longest = json.dumps({"a": 10**4299, "b": "x", "c": 1})
    filled(db, [longest])

    assert found(db, {"a": {"$gt": 1}, "b": {"$in": ["x"]}, "c": 1}) == [longest]
    assert found(db, {"a": {"$lt": 1}}) == []


def test_each_row_of_a_table_is_judged_by_its_own_context(db: psycopg.Connection) -> None:
    texts = [json.dumps({"a": {"b": number}, "c": str(number % 3)}) for number in range(300)]
    filled(db, [*texts, "{}"])

    near = found(db, {"a.b": {"$gte": 10, "$lt": 20.5}, "c": "1"})
    assert near == [text for text in texts[10:21] if '"c": "1"' in text]


@settings(max_examples=200, deadline=None)
@given(contexts, st.booleans())
def test_the_value_at_a_path_is_the_text_that_was_written(
    db: psycopg.Connection, context: dict[str, object], escaped: bool
) -> None:
    text = json.dumps(context, ensure_ascii=escaped)
    assume("\\u0000" not in text)
    for path, stored in entries(context):
        segments = tuple(path.split("."))
        if len(segments) <= MAX_SEGMENTS:
            assert value(db, text, segments) == json.dumps(stored, ensure_ascii=escaped)


def test_there_is_no_value_at_a_missing_path_or_inside_an_array(db: psycopg.Connection) -> None:
    assert value(db, '{"a": null}', ("a",)) == "null"
    assert value(db, '{"a": {}}', ("a", "b")) is None
    assert value(db, '{"a": [5]}', ("a", "0")) is None
    assert value(db, '{"a": 5}', ("a", "0")) is None
    assert value(db, '{"a": {"0": 5}}', ("a", "0")) == "5"


def test_the_longest_path_finds_its_value(db: psycopg.Connection) -> None:
    path = tuple(KEYS[:MAX_SEGMENTS])
    nested: object = 7
    for segment in reversed(path):
        nested = {segment: nested}

    assert value(db, json.dumps(nested), path) == "7"
