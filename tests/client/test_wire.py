"""Promises of the wire: what is read is what was written, to the last bit and the last None."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic import Draft, Query, Scope, parse_filter, parse_near
from mnemic.records.conversation import ContextBlock, Line
from mnemic.records.filters import Filter, of_kinds
from mnemic.records.item import Item, ItemChange, ItemFilter, NewItem, Page
from mnemic.records.memory import KindTally, Payload, Profile
from mnemic.rpc.reading import reader
from mnemic.rpc.wire import decoded, encoded

HERE = Scope("branch", '["茶室","main"]')
NOON = datetime(2026, 3, 9, 12, 0, 0, 123456, tzinfo=UTC)

ITEM = Item(
    id="a",
    memory_id=1,
    scope=HERE,
    type="fact",
    content="茶",
    tokens=1,
    created_at=NOON,
    updated_at=NOON,
)

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


def there_and_back(kind: Any, value: object) -> Any:
    return reader(kind, strict=True)(decoded(encoded(value)), "value")


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (Query, Query("杯子", (HERE,), filter=of_kinds(["fact"]), near=parse_near(None))),
        (
            Query,
            Query("x", near=parse_near({"field": "a.b", "target": [1, 0.1], "max_distance": 2})),
        ),
        (Filter, parse_filter({"a.b": {"$in": [1, 1.5, None, True, "是"]}, "c": {"$ne": None}})),
        (Filter, parse_filter({"created_at": {"$gte": "2026-03-09T10:30:00+08:00"}})),
        (Filter, parse_filter({"n": 2**70, "f": {"$lt": 5e-324}, "e": {"$exists": False}})),
        (Draft, Draft("x", HERE, "perception", payload=Payload("{}", None), dedup=False)),
        (Draft, Draft("x", dedup="exact", confidence=0.1 + 0.2)),
        (ItemFilter, ItemFilter(created_from=NOON, created_to=NOON.replace(tzinfo=None))),
        (ItemFilter, ItemFilter(updated_from=NOON.astimezone(timezone(timedelta(hours=8))))),
        (NewItem, NewItem(scope=HERE, type="open_loop", content="x", tier=None)),
        (ContextBlock, ContextBlock("", (), 0, (), {"reasons": [1, {"b": None}]})),
        (tuple[Line, ...], (Line("user", "hi"), Line("tool", "", "名字", "id"))),
        (Profile, Profile(HERE, {"fact": KindTally(1, NOON)}, (), {NOON: 3}, ("茶",), NOON)),
        (Page[Item], Page((ITEM,), 7)),
    ],
)
def test_a_record_arrives_as_it_was(kind: Any, value: object) -> None:
    assert repr(there_and_back(kind, value)) == repr(value)


@given(st.dictionaries(TEXTS, JSON, max_size=3), TEXTS)
@settings(max_examples=60, deadline=None)
def test_whatever_json_a_context_holds_arrives_as_it_was(
    context: dict[str, Any], text: str
) -> None:
    draft = Draft(text, context=context)

    assert repr(there_and_back(Draft, draft)) == repr(draft)


def test_what_a_change_sets_to_none_is_kept_apart_from_what_it_does_not_name() -> None:
    change = there_and_back(ItemChange, ItemChange(fact_key=None, pinned=False))

    assert decoded(encoded(ItemChange(fact_key=None))) == {"fact_key": None}
    assert repr(change) == repr(ItemChange(fact_key=None, pinned=False))


def test_a_client_understands_a_newer_server_that_tells_more() -> None:
    told = {"role": "user", "content": "hi", "mood": "glad"}

    assert reader(Line, strict=False)(told, "line") == Line("user", "hi")
