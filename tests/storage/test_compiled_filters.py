"""What every backend's compiled filters promise, on each backend in turn."""

import json
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, LiteralString, cast

import apsw
import psycopg
import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from mnemic.records.filters import Filter, matches, of_kinds, parse_filter
from mnemic.records.memory import MemoryKind
from mnemic.storage.postgres import filter_sql as postgres
from mnemic.storage.sqlite import filter_sql as sqlite
from tests.postgres import postgres_server
from tests.storage.contexts import BIG, KEYS, ROUNDED, filtered

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
NOON = datetime(2026, 3, 9, 12, tzinfo=UTC)
# Where an integer lies between two floats, and floats that are not what their decimals say.
EDGES = [
    *(*BIG, ROUNDED, 2**62, 2**62 + 1, 4611686018427388000, 2.0**62, 2.0**63, 1e22, 1e23, 10**23),
    *(10**308, 0.1 + 0.2, 0.3, 5e-324, -5e-324, -0.0, 0, 1, 1.0, 2**53, 2.0**53),
]

Compiled = tuple[str, dict[str, object]]
Select = Callable[[str, Mapping[str, object]], object]


@dataclass(frozen=True)
class Backend:
    """How one backend compiles a filter, and evaluates SQL on a row of a context and a time."""

    compile: Callable[..., Compiled]
    select: Select
    placeholder: str
    everything: str
    holds_nul: bool

    def evaluated(
        self,
        compiled: Compiled,
        context: str,
        created_at: datetime = NOON,
        kind: MemoryKind = "fact",
    ) -> object:
        moment = (created_at - EPOCH) // timedelta(microseconds=1)
        sql, bindings = compiled
        row = {"context": context, "moment": moment, "kind": kind}
        return self.select(sql, {**bindings, **row})

    def passes(self, raw: dict[str, object], context: object) -> bool:
        return bool(self.evaluated(self.compile(parse_filter(raw)), json.dumps(context)))


@contextmanager
def sqlite_backend() -> Generator[Backend]:
    # apsw's types name a class that Python 3.11 lacks, hence Any.
    db: Any = apsw.Connection(":memory:")
    columns = "context text not null, created_at integer not null, kind text not null"
    db.execute(f"create table m ({columns})")

    def select(sql: str, values: Mapping[str, object]) -> object:
        db.execute("delete from m")
        db.execute("insert into m values (:context, :moment, :kind)", values)
        ((value,),) = db.execute(f"select {sql} from m", values).fetchall()  # noqa: S608
        return value

    yield Backend(sqlite.compile_filter, select, ":{}", "1", holds_nul=True)
    db.close()


@contextmanager
def postgres_backend() -> Generator[Backend]:
    with postgres_server() as server, psycopg.connect(server.url(), autocommit=True) as db:

        def select(sql: str, values: Mapping[str, object]) -> object:
            # A row that the planner cannot see through, as in a table.
            row = "%(context)s::text as context, %(moment)s::bigint as created_at"
            row = f"select {row}, %(kind)s::text as kind"
            query = f"with m as materialized ({row}) select {sql} from m"  # noqa: S608
            found = db.execute(cast("LiteralString", query), values).fetchone()
            assert found is not None
            return found[0]

        yield Backend(postgres.compile_filter, select, "%({})s::", "true", holds_nul=False)


@pytest.fixture(scope="module", params=[sqlite_backend, postgres_backend])
def backend(request: pytest.FixtureRequest) -> Iterator[Backend]:
    with request.param() as made:
        yield made


@settings(max_examples=500, deadline=None)
@given(filtered(), st.booleans())
def test_compiled_filters_agree_with_the_reference(
    backend: Backend, drawn: tuple[dict[str, object], dict[str, object]], escaped: bool
) -> None:
    context, raw = drawn
    stored = json.dumps(context, ensure_ascii=escaped)
    assume(backend.holds_nul or "\\u0000" not in stored)
    wanted = parse_filter(json.dumps(raw))

    value = backend.evaluated(backend.compile(wanted), stored)

    expected = matches(wanted, context, NOON)
    event(f"matches: {expected}")
    assert bool(value) is expected


@pytest.mark.parametrize("kind", ["fact", "core", "semantic"])
@pytest.mark.parametrize("wanted", [(), ("fact",), ("core", "fact"), ("episodic",)])
def test_kinds_agree_with_the_reference_also_beside_other_conditions(
    backend: Backend, kind: MemoryKind, wanted: tuple[MemoryKind, ...]
) -> None:
    # A user's own key of that name is another thing.
    for own in (None, "fact", "core"):
        asked = of_kinds(wanted)
        if own is not None:
            asked &= parse_filter({"kind": own, "created_at": {"$lte": NOON.isoformat()}})
        for context in ({"kind": "fact"}, {"kind": "core"}, {"": {"kind": "fact"}}, {}):
            value = backend.evaluated(backend.compile(asked), json.dumps(context), kind=kind)

            assert bool(value) is matches(asked, context, NOON, kind)


@pytest.mark.parametrize("stored", [*EDGES, 10**309, 10**400, -(10**400)])
def test_numbers_compare_as_in_the_reference(backend: Backend, stored: float) -> None:
    for operand in EDGES:
        for op in ("$eq", "$ne", "$lt", "$lte", "$gt", "$gte"):
            wanted = parse_filter({"a": {op: operand}})
            value = backend.evaluated(backend.compile(wanted), json.dumps({"a": stored}))
            assert bool(value) is matches(wanted, {"a": stored}, NOON), (op, operand)


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from(["$eq", "$ne", "$lt", "$lte", "$gt", "$gte"]),
    st.integers(-1, 1),
    st.datetimes(timezones=st.just(UTC)),
)
def test_compiled_times_agree_with_the_reference_to_the_microsecond(
    backend: Backend, op: str, offset: int, moment: datetime
) -> None:
    created_at = min(moment, datetime.max.replace(tzinfo=UTC) - timedelta(days=1))
    created_at = max(created_at, datetime.min.replace(tzinfo=UTC) + timedelta(days=1))
    asked = created_at + timedelta(microseconds=offset)
    wanted = parse_filter({"created_at": {op: asked.isoformat()}})

    value = backend.evaluated(backend.compile(wanted), "{}", created_at)

    assert bool(value) is matches(wanted, {}, created_at)


def test_the_empty_filter_lets_everything_pass(backend: Backend) -> None:
    assert backend.compile(Filter()) == (backend.everything, {})


def test_nothing_the_caller_wrote_becomes_sql(backend: Backend) -> None:
    raw: dict[str, object] = {
        "x') or 1 --.y": "evil' text",
        "evil.range": {"$gt": 31337},
        "evil.list": {"$in": ["evil", 31337], "$ne": 10**30},
        "created_at": {"$lt": "2026-03-09"},
    }

    sql, bindings = backend.compile(parse_filter(raw))

    for text in ("evil", "31337", "or 1", "000000"):
        assert text not in sql
    assert all(backend.placeholder.format(name) in sql for name in bindings)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("escaped", [True, False])
def test_every_key_finds_itself_and_no_other(backend: Backend, key: str, escaped: bool) -> None:
    for wanted in (7, {"$gt": 6}):
        compiled = backend.compile(parse_filter({f"top.{key}": wanted}))
        for stored in [*KEYS, ""]:
            context = json.dumps({"top": {stored: 7}}, ensure_ascii=escaped)
            assert bool(backend.evaluated(compiled, context)) is (key == stored)


def test_a_missing_path_never_matches_even_with_ne(backend: Backend) -> None:
    for wanted in ({"$ne": 1}, {"$nin": [1]}, {"$nin": [None]}, None, {"$ne": None}):
        assert not backend.passes({"a.b": wanted}, {"a": {}})
        assert not backend.passes({"a.b": wanted}, {"a": [{"b": 2}]})


def test_true_is_not_one_and_a_text_is_not_an_array(backend: Backend) -> None:
    assert not backend.passes({"a": 1}, {"a": True})
    assert not backend.passes({"a": {"$in": [0, 1, 2]}}, {"a": False})
    assert not backend.passes({"a": {"$gte": 0}}, {"a": True})
    assert not backend.passes({"a": "[1]"}, {"a": [1]})
    assert not backend.passes({"a": {"$in": ["[1]", "{}"]}}, {"a": [1]})
    assert backend.passes({"a": {"$ne": 1}}, {"a": True})


def test_an_array_does_not_equal_what_it_holds(backend: Backend) -> None:
    for member in (5, "x", True, None):
        assert not backend.passes({"a": member}, {"a": [member]})
        assert not backend.passes({"a.b": member}, {"a": [{"b": member}]})
        assert backend.passes({"a": {"$ne": member}}, {"a": [member]})


def test_a_numeric_segment_never_indexes_an_array(backend: Backend) -> None:
    for wanted in (5, {"$in": [5]}):
        assert not backend.passes({"a.0": wanted}, {"a": [5]})
        assert not backend.passes({"a.[0]": wanted}, {"a": [5]})
        assert not backend.passes({"a[0]": wanted}, {"a": [5]})
        assert backend.passes({"a.0": wanted}, {"a": {"0": 5}})


@pytest.mark.parametrize("number", [*BIG, ROUNDED])
def test_a_big_integer_equals_itself(backend: Backend, number: int) -> None:
    assert backend.passes({"a": number}, {"a": number})
    assert backend.passes({"a": {"$in": [number, "x"]}}, {"a": number})
    assert backend.passes({"a": {"$gte": number, "$lte": number}}, {"a": number})
    assert not backend.passes({"a": {"$ne": number}}, {"a": number})


def test_a_text_with_nul_may_be_asked_for(backend: Backend) -> None:
    assert not backend.passes({"a": "x\0"}, {"a": "x"})
    assert not backend.passes({"a": {"$in": ["x\0", "\0"]}}, {"a": "x"})
    assert backend.passes({"a": {"$in": ["x\0", "x"]}}, {"a": "x"})
    assert backend.passes({"a": {"$ne": "x\0"}}, {"a": "x"})


def test_a_thousand_members_in_each_of_ten_conditions_is_one_query(backend: Backend) -> None:
    raw: dict[str, object] = {f"k{index}": {"$in": list(range(1_000))} for index in range(10)}

    assert backend.passes(raw, {f"k{index}": 999 for index in range(10)})
    assert not backend.passes(raw, {f"k{index}": 999 + index for index in range(10)})


def test_columns_can_have_other_names(backend: Backend) -> None:
    raw: dict[str, object] = {"a": 1, "b": {"$lt": 2}, "created_at": {"$gte": "2026-01-01"}}
    sql, _ = backend.compile(parse_filter(raw), context="old.c", created_at="old.t")

    assert "old.c" in sql
    assert "old.t" in sql
    assert "m." not in sql
