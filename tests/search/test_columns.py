"""Columns in memory decide exactly as the reference does, for every value that JSON can hold."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import apsw
import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

import mnemic
from mnemic import Draft, Query, Scope, parse_filter, parse_near
from mnemic.records.filters import Filter, Near, Path, distance, matches
from mnemic.search.columns import PointColumn, TimeColumn, ValueColumn
from mnemic.storage.sqlite.filter_sql import json_path
from tests.storage.contexts import KEYS, filtered, measured

NOON = datetime(2026, 3, 9, 12, tzinfo=UTC)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def at_path(context: str, path: Path) -> str | None:
    # apsw's types name a class that Python 3.11 lacks, hence Any.
    connection: Any = apsw.Connection(":memory:")
    [(text,)] = connection.execute("select ? -> ?", (context, json_path(path))).fetchall()
    return text


def passes(wanted: Filter, context: str) -> bool:
    held: list[bool] = []
    for condition in wanted.conditions:
        column = ValueColumn(condition.path)
        # Others stand beside it: what they hold must not matter.
        column.extend(["1", at_path(context, condition.path), None, "[]"])
        held.append(bool(column.holding(condition)[1]))
    return all(held)


@settings(max_examples=500, deadline=None)
@given(filtered(), st.booleans())
def test_columns_agree_with_the_reference(
    drawn: tuple[dict[str, object], dict[str, object]], escaped: bool
) -> None:
    context, raw = drawn
    wanted = parse_filter(json.dumps(raw))

    value = passes(wanted, json.dumps(context, ensure_ascii=escaped))

    expected = matches(wanted, context, NOON)
    event(f"matches: {expected}")
    assert value is expected


@settings(max_examples=300, deadline=None)
@given(measured())
def test_distances_agree_with_the_reference(drawn: tuple[dict[str, object], Near]) -> None:
    context, near = drawn
    column = PointColumn(len(near.target))
    column.extend([None, at_path(json.dumps(context), near.path)])

    nowhere, value = column.distances(near.target)

    expected = distance(near, context)
    event(f"measured: {expected is not None}")
    assert np.isnan(nowhere)
    if expected is None:
        assert np.isnan(value)
    else:
        assert value == pytest.approx(expected, rel=1e-12)


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from(["$eq", "$ne", "$lt", "$lte", "$gt", "$gte"]),
    st.integers(-1, 1),
    st.datetimes(datetime(1970, 1, 2), datetime(9000, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001
)
def test_times_agree_with_the_reference_to_the_microsecond(
    op: str, offset: int, moment: datetime
) -> None:
    asked = moment + timedelta(microseconds=offset)
    wanted = parse_filter({"created_at": {op: asked.isoformat()}})
    column = TimeColumn()
    column.extend([(moment - EPOCH) // timedelta(microseconds=1)])

    assert bool(column.holding(wanted.conditions[0])[0]) is matches(wanted, {}, moment)


@pytest.mark.parametrize("key", KEYS)
def test_every_key_finds_itself_and_no_other(key: str) -> None:
    for stored in [*KEYS, ""]:
        context = json.dumps({"top": {stored: 7}}, ensure_ascii=False)
        assert passes(parse_filter({f"top.{key}": 7}), context) is (key == stored)


def test_a_rare_filter_finds_the_one_that_passes_among_thousands() -> None:
    with mnemic.open(":memory:", embedder="hashing", durability="off") as memory:
        drafts = [
            Draft(f"cup number{at}", context={"run": {"id": f"r{at}", "score": at}}, dedup=False)
            for at in range(3000)
        ]
        memory.remember_many(drafts)
        only = parse_filter({"run.id": "r2718"})
        few = parse_filter({"run.score": {"$gte": 10, "$lt": 13}})

        one = memory.recall(Query("cup", filter=only)).hits
        for _ in range(2):
            assert memory.recall(Query("cup", filter=only)).hits == one
            some = memory.recall(Query("cup", filter=few, limit=10)).hits
            assert [hit.memory.content for hit in one] == ["cup number2718"]
            assert {hit.memory.context["run"]["score"] for hit in some} == {10, 11, 12}

        memory.forget(one[0].memory.id, reason="wrong")
        memory.remember(Draft("a fresh cup", context={"run": {"id": "r2718"}}))
        again = memory.recall(Query("cup", filter=only)).hits
        assert [hit.memory.content for hit in again] == ["a fresh cup"]


def test_distances_keep_to_the_scope_the_filter_and_the_confidence() -> None:
    kitchen, garage = Scope("collection", "kitchen"), Scope("collection", "garage")
    with mnemic.open(":memory:", embedder="none", durability="off") as memory:
        for at in range(40):
            memory.remember(
                Draft(
                    f"thing{at} seen",
                    garage if at % 4 == 0 else kitchen,
                    context={"at": [float(at), 0.0], "even": at % 2 == 0},
                    confidence=0.2 if at == 2 else 0.9,
                )
            )
        near = parse_near({"field": "at", "target": [0, 0]})
        even = parse_filter({"even": True})
        found = memory.recall(
            Query("seen", scopes=(kitchen,), near=near, filter=even, min_confidence=0.5, limit=3)
        )

    assert [hit.distance for hit in found.hits] == [6.0, 10.0, 14.0]
