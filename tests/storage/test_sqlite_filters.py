import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import apsw
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from mnemic.filters import Filter, matches, parse_filter
from mnemic.storage.sqlite.filters import compile_filter
from tests.storage.contexts import BIG, KEYS, ROUNDED, filtered

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
NOON = datetime(2026, 3, 9, 12, tzinfo=UTC)


def rows_of(db: Any, sql: str, bindings: object = None) -> list[tuple[object, ...]]:
    # apsw's types name a class that Python 3.11 lacks, hence Any.
    return db.execute(sql, bindings).fetchall()


def evaluated(
    sql: str, bindings: Mapping[str, object], context: str, created_at: datetime = NOON
) -> object:
    db = apsw.Connection(":memory:")
    rows_of(db, "create table m (context text not null, created_at integer not null)")
    moment = (created_at - EPOCH) // timedelta(microseconds=1)
    rows_of(db, "insert into m values (?, ?)", (context, moment))
    ((value,),) = rows_of(db, f"select {sql} from m", bindings)  # noqa: S608
    return value


def passes(raw: dict[str, object], context: object) -> bool:
    return bool(evaluated(*compile_filter(parse_filter(raw)), json.dumps(context)))


@settings(max_examples=500, deadline=None)
@given(filtered(), st.booleans())
def test_compiled_filters_agree_with_the_reference(
    drawn: tuple[dict[str, object], dict[str, object]], escaped: bool
) -> None:
    context, raw = drawn
    wanted = parse_filter(json.dumps(raw))

    value = evaluated(*compile_filter(wanted), json.dumps(context, ensure_ascii=escaped))

    expected = matches(wanted, context, NOON)
    event(f"matches: {expected}")
    assert bool(value) is expected


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from(["$eq", "$ne", "$lt", "$lte", "$gt", "$gte"]),
    st.integers(-1, 1),
    st.datetimes(timezones=st.just(UTC)),
)
def test_compiled_times_agree_with_the_reference_to_the_microsecond(
    op: str, offset: int, moment: datetime
) -> None:
    created_at = min(moment, datetime.max.replace(tzinfo=UTC) - timedelta(days=1))
    created_at = max(created_at, datetime.min.replace(tzinfo=UTC) + timedelta(days=1))
    asked = created_at + timedelta(microseconds=offset)
    wanted = parse_filter({"created_at": {op: asked.isoformat()}})

    value = evaluated(*compile_filter(wanted), "{}", created_at)

    assert bool(value) is matches(wanted, {}, created_at)


def test_the_empty_filter_lets_everything_pass() -> None:
    assert compile_filter(Filter()) == ("1", {})


def test_nothing_the_caller_wrote_becomes_sql() -> None:
    raw: dict[str, object] = {
        "x') or 1 --.y": "evil' text",
        "evil.range": {"$gt": 31337},
        "evil.list": {"$in": ["evil", 31337], "$ne": 10**30},
        "created_at": {"$lt": "2026-03-09"},
    }

    sql, bindings = compile_filter(parse_filter(raw))

    for text in ("evil", "31337", "or 1", "000"):
        assert text not in sql
    assert all(f":{name}" in sql for name in bindings)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("escaped", [True, False])
def test_every_key_finds_itself_and_no_other(key: str, escaped: bool) -> None:
    for stored in [*KEYS, ""]:
        context = json.dumps({"top": {stored: 7}}, ensure_ascii=escaped)
        sql, bindings = compile_filter(parse_filter({f"top.{key}": 7}))
        assert bool(evaluated(sql, bindings, context)) is (key == stored)


def test_a_missing_path_never_matches_even_with_ne() -> None:
    for wanted in ({"$ne": 1}, {"$nin": [1]}, {"$nin": [None]}, None, {"$ne": None}):
        assert not passes({"a.b": wanted}, {"a": {}})
        assert not passes({"a.b": wanted}, {"a": [{"b": 2}]})


def test_true_is_not_one_and_a_text_is_not_an_array() -> None:
    assert not passes({"a": 1}, {"a": True})
    assert not passes({"a": {"$in": [0, 1, 2]}}, {"a": False})
    assert not passes({"a": {"$gte": 0}}, {"a": True})
    assert not passes({"a": "[1]"}, {"a": [1]})
    assert not passes({"a": {"$in": ["[1]", "{}"]}}, {"a": [1]})
    assert passes({"a": {"$ne": 1}}, {"a": True})


def test_a_numeric_segment_never_indexes_an_array() -> None:
    assert not passes({"a.0": 5}, {"a": [5]})
    assert not passes({"a.[0]": 5}, {"a": [5]})
    assert not passes({"a[0]": 5}, {"a": [5]})
    assert passes({"a.0": 5}, {"a": {"0": 5}})


@pytest.mark.parametrize("number", [*BIG, ROUNDED])
def test_a_big_integer_equals_itself(number: int) -> None:
    assert passes({"a": number}, {"a": number})
    assert passes({"a": {"$in": [number, "x"]}}, {"a": number})
    assert passes({"a": {"$gte": number, "$lte": number}}, {"a": number})
    assert not passes({"a": {"$ne": number}}, {"a": number})


def test_half_a_surrogate_pair_in_a_row_does_no_harm() -> None:
    assert not passes({"a": "😀"}, {"a": "\ud83d", "\ud83d": 1})
    assert passes({"a": {"$ne": "😀"}}, {"a": "\ud83d", "\ud83d": 1})


def test_a_thousand_members_in_each_of_ten_conditions_is_one_query() -> None:
    raw: dict[str, object] = {f"k{index}": {"$in": list(range(1_000))} for index in range(10)}

    assert passes(raw, {f"k{index}": 999 for index in range(10)})
    assert not passes(raw, {f"k{index}": 999 + index for index in range(10)})


def test_columns_can_have_other_names() -> None:
    wanted = parse_filter({"a": 1, "created_at": {"$gte": "2026-01-01"}})
    sql, bindings = compile_filter(wanted, context="old.c", created_at="old.t")

    assert "old.c" in sql
    assert "old.t" in sql
    assert "m." not in sql
    assert len(bindings) == 3
