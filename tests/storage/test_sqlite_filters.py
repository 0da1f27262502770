import json
import math
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import apsw
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from mnemic.filters import Filter, Near, distance, matches, parse_filter, parse_near
from mnemic.storage.sqlite.filters import compile_distance, compile_filter

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
NOON = datetime(2026, 3, 9, 12, tzinfo=UTC)

# Every one of these means something in a JSON path, in SQL, or in an encoding.
KEYS = [
    *("a", "b", "A", "0", "[0]", "$", "#", "*", " ", "'", ":f0", "键", "é", "😀", "\n", "\x01"),
    *("\x7f", '"', 'q"q', "\\", "a\\", "\\u0061", "\\x61", '\\"'),
]
BIG = [2**53 + 1, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 2**64, 10**25, -(10**25)]
# Python and SQLite round this one differently.
ROUNDED = -6361841109411426781786691339973994
TEXTS = ["", "1", "a", "true", "null", "[]", "{}", "[1]", "é", "😀", 'q"', "\\", "a\0b"]

MOSTLY = st.sampled_from([True, True, True, False])
keys = st.sampled_from(KEYS)
numbers = (
    st.integers(-2, 2)
    | st.sampled_from(BIG)
    | st.sampled_from([0.0, -0.0, 1.0, 0.5, 1e22, 0.1 + 0.2, 2.0**53, 2.0**63, 5e-324])
    | st.floats(allow_nan=False, allow_infinity=False)
)
scalars = (
    st.none()
    | st.booleans()
    | numbers
    | st.just(ROUNDED)
    | st.sampled_from(TEXTS)
    | st.text(max_size=3)
)
values = st.recursive(
    scalars | st.just(10**400),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=8,
)
contexts = st.dictionaries(keys, scalars | values, min_size=1, max_size=4)
paths = st.lists(keys, min_size=1, max_size=3).map(".".join)
points = st.lists(numbers, min_size=1, max_size=4)


def entries(value: object, prefix: str = "") -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        for key, inner in cast("dict[str, object]", value).items():
            yield prefix + key, inner
            yield from entries(inner, f"{prefix}{key}.")


def lookalike(stored: object) -> object:
    """What SQLite would take for the stored value if only the extracts were compared."""
    if isinstance(stored, bool):
        return int(stored)
    return json.dumps(stored, separators=(",", ":"), ensure_ascii=False)


@st.composite
def operations(draw: st.DrawFn, stored: object) -> object:
    """An operand that is often what is stored there."""
    # A union of strategies is flattened, which would make what is stored one choice of many.
    scalar: object = lookalike(stored) if draw(MOSTLY) else draw(scalars)
    if stored != 10**400 and isinstance(stored, str | int | float | None) and draw(MOSTLY):
        scalar = stored
    number = scalar if isinstance(scalar, int | float) else draw(numbers)
    number = number + 0 if isinstance(number, bool) else number
    members = draw(st.permutations([scalar, *draw(st.lists(scalars, max_size=3))]))
    return draw(
        st.just(scalar)
        | st.sampled_from(["$eq", "$ne"]).map(lambda op: {op: scalar})
        | st.dictionaries(
            st.sampled_from(["$lt", "$lte", "$gt", "$gte"]), st.just(number), min_size=1, max_size=2
        )
        | st.sampled_from(["$in", "$nin"]).map(lambda op: {op: members})
        | st.fixed_dictionaries({"$exists": st.booleans()})
    )


@st.composite
def filtered(draw: st.DrawFn) -> tuple[dict[str, object], dict[str, object]]:
    """A context, and a filter on paths that mostly exist in it."""
    context: dict[str, object] = {**draw(contexts)}
    present = dict(entries(context))
    likely = st.sampled_from(sorted(present))
    chosen = likely if draw(MOSTLY) else paths
    asked = draw(st.sets(chosen, min_size=1, max_size=1 if draw(MOSTLY) else 3))
    return context, {path: draw(operations(present.get(path))) for path in sorted(asked)}


@st.composite
def measured(draw: st.DrawFn) -> tuple[dict[str, object], Near]:
    """A context with a point in it, mostly of the target's dimension."""
    path = tuple(draw(st.lists(keys, min_size=1, max_size=2)))
    target = draw(points)
    same = st.lists(numbers, min_size=len(target), max_size=len(target))
    mixed = st.lists(scalars | values, min_size=len(target), max_size=len(target))
    stored: object = draw(same | mixed | points | values)
    for segment in reversed(path):
        stored = {segment: stored}
    near = parse_near({"field": ".".join(path), "target": target})
    assert near is not None
    return cast("dict[str, object]", stored), near


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


@settings(max_examples=300, deadline=None)
@given(measured())
def test_compiled_distances_agree_with_the_reference(
    drawn: tuple[dict[str, object], Near],
) -> None:
    context, near = drawn

    value = evaluated(*compile_distance(near), json.dumps(context))

    expected = distance(near, context)
    event(f"measured: {expected is not None}")
    if expected is None:
        assert value is None
    else:
        assert isinstance(value, float)
        assert math.isclose(value, expected, rel_tol=1e-12)


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
    near_sql, near_bindings = compile_distance(Near(("evil",), (31337.0,)))

    for text in ("evil", "31337", "or 1", "000"):
        assert text not in sql + near_sql
    assert all(f":{name}" in sql for name in bindings)
    assert all(f":{name}" in near_sql for name in near_bindings)
    assert not bindings.keys() & near_bindings.keys()


@pytest.mark.parametrize("key", [*KEYS, ""])
@pytest.mark.parametrize("escaped", [True, False])
def test_every_key_finds_itself_and_no_other(key: str, escaped: bool) -> None:
    for stored in [*KEYS, ""]:
        context = json.dumps({"top": {stored: 7}}, ensure_ascii=escaped)
        sql, bindings = compile_distance(Near(("top", key), (0.0,)))
        assert evaluated(sql, bindings, context) is None
        if key:
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
    near_sql, _ = compile_distance(Near(("a",), (1.0,)), context="old.c")

    assert "old.c" in sql
    assert "old.t" in sql
    assert "m." not in sql + near_sql
    assert len(bindings) == 3


def test_rows_are_filtered_and_sorted_in_one_query() -> None:
    rows: list[dict[str, object]] = [
        {"task": {"success": True}, "at": [0, 3]},
        {"task": {"success": True}, "at": [0, 1]},
        {"task": {"success": False}, "at": [0, 0]},
        {"task": {"success": True}, "at": [0, "1"]},
        {"task": {"success": "true"}, "at": [0, 0]},
        {"at": [0, 0]},
    ]
    where, bindings = compile_filter(parse_filter({"task.success": True}))
    far, more = compile_distance(Near(("at",), (0.0, 0.0)))
    db = apsw.Connection(":memory:")
    rows_of(db, "create table m (id integer primary key, context text, created_at integer)")
    for row in rows:
        rows_of(db, "insert into m (context) values (?)", (json.dumps(row),))

    found = rows_of(
        db,
        f"select id, {far} as d from m where {where} order by d nulls last",  # noqa: S608
        {**bindings, **more},
    )

    assert found == [(2, 1.0), (1, 3.0), (4, None)]
