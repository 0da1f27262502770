"""Promises of lists of memory items over HTTP: filters, search, order, pages and sums."""

from typing import Any

import pytest

from tests.conftest import NOON, Clock
from tests.dialects.chat_calling import META, Api, wrong

AT_NOON = int(NOON.timestamp() * 1000)


@pytest.fixture
def tale(api: Api, clock: Clock) -> dict[str, str]:
    """Items that differ in everything, a second apart; their ids by what they are called."""
    told: dict[str, dict[str, Any]] = {
        "fear": {"fact_key": "mira.fear", "importance": 0.9, "source_floor_id": "f1"},
        "trip": {"type": "summary", "summary_tier": "micro", "confidence": 0.4},
        "saga": {"type": "summary", "summary_tier": "macro", "importance": 0.2},
        "debt": {"type": "open_loop", "status": "deprecated", "source_message_id": "m1"},
        "past": {"scope": "branch", "scope_id": '["s","b"]', "lifecycle_status": "compacted"},
        "role": {"scope": "global", "scope_id": "s"},
    }
    ids: dict[str, str] = {}
    for name, fields in told.items():
        ids[name] = api.item(f"the {name}", **fields)["id"]
        clock.turn(seconds=1)
    api.ok("PATCH", f"/memories/{ids['fear']}", {"confidence": 0.8})
    return ids


FILTERS: list[tuple[dict[str, Any], list[str]]] = [
    ({}, ["role", "past", "debt", "saga", "trip", "fear"]),
    ({"scope": "chat"}, ["debt", "saga", "trip", "fear"]),
    ({"scope_id": "s"}, ["role", "debt", "saga", "trip", "fear"]),
    ({"scope": "branch", "scope_id": '["s","b"]'}, ["past"]),
    ({"scope": "floor"}, []),
    ({"scope": "chat", "scope_id": "nobody"}, []),
    ({"type": "summary"}, ["saga", "trip"]),
    ({"type": "open_loop"}, ["debt"]),
    ({"summary_tier": "micro"}, ["trip"]),
    ({"summary_tier": "macro"}, ["saga"]),
    ({"status": "active"}, ["role", "past", "saga", "trip", "fear"]),
    ({"status": "deprecated"}, ["debt"]),
    ({"lifecycle_status": "active"}, ["role", "saga", "trip", "fear"]),
    ({"lifecycle_status": "compacted"}, ["past"]),
    ({"lifecycle_status": "deprecated"}, ["debt"]),
    ({"fact_key": " MIRA.fear "}, ["fear"]),
    ({"fact_key": "mira"}, []),
    ({"source_floor_id": "f1"}, ["fear"]),
    ({"source_message_id": "m1"}, ["debt"]),
    ({"created_from": AT_NOON + 4_000}, ["role", "past"]),
    ({"created_to": AT_NOON + 1_000}, ["trip", "fear"]),
    ({"created_from": AT_NOON + 2_000, "created_to": AT_NOON + 2_000}, ["saga"]),
    ({"updated_from": AT_NOON + 5_000}, ["role", "fear"]),
    ({"updated_to": AT_NOON + 2_000}, ["saga", "trip"]),
    ({"importance_min": 0.9}, ["fear"]),
    ({"importance_max": 0.2}, ["saga"]),
    ({"importance_min": 0.5, "importance_max": 0.5}, ["role", "past", "debt", "trip"]),
    ({"confidence_min": 0.41, "confidence_max": 0.8}, ["fear"]),
    ({"confidence_max": 0.4}, ["trip"]),
    ({"q": "the"}, ["role", "past", "debt", "saga", "trip", "fear"]),
    ({"q": "debt"}, ["debt"]),
    ({"q": "the", "type": "summary"}, ["saga", "trip"]),
    ({"q": "saga", "scope": "global"}, []),
    ({"scope": "chat", "scope_id": "s", "type": "summary", "status": "active",
      "confidence_min": 0.5, "importance_max": 0.3, "summary_tier": "macro"}, ["saga"]),
]  # fmt: skip


@pytest.mark.parametrize(("given", "names"), FILTERS)
def test_a_filter_chooses_what_it_says_in_lists_and_in_sums(
    api: Api, tale: dict[str, str], given: dict[str, Any], names: list[str]
) -> None:
    answer = api.ok("GET", "/memories", **given)

    assert [one["id"] for one in answer["data"]] == [tale[name] for name in names]
    assert answer["meta"]["total"] == len(names)
    assert api.get("/memories/stats", **given)["total"] == len(names)
    assert api.ok("GET", "/memories/items", **given) == answer


def test_a_list_says_which_part_it_is_and_nothing_else(api: Api) -> None:
    for at in range(3):
        api.item(f"number {at}")

    answer = api.ok("GET", "/memories", limit=2, offset=0)

    assert list(answer) == ["data", "meta"]
    assert list(answer["meta"]) == META
    assert answer["meta"] == {
        "total": 3,
        "limit": 2,
        "offset": 0,
        "has_more": True,
        "sort_by": "created_at",
        "sort_order": "desc",
    }
    assert api.ok("GET", "/memories", limit=2, offset=1)["meta"]["has_more"] is False
    assert api.ok("GET", "/memories", limit=1, offset=2)["meta"]["has_more"] is False
    beyond = api.ok("GET", "/memories", offset=3, sort_by="importance", sort_order="asc")
    assert beyond["data"] == []
    assert beyond["meta"] == {
        **answer["meta"],
        "limit": 50,
        "offset": 3,
        "has_more": False,
        "sort_by": "importance",
        "sort_order": "asc",
    }


@pytest.mark.parametrize("sort", ["created_at", "updated_at", "importance", "confidence"])
@pytest.mark.parametrize("order", ["asc", "desc"])
@pytest.mark.parametrize("q", [None, "number"])
def test_a_list_is_sorted_and_pages_neither_repeat_nor_miss_among_equals(
    api: Api, clock: Clock, sort: str, order: str, q: str | None
) -> None:
    made: list[dict[str, Any]] = []
    for at in range(9):
        half = at % 3 / 2
        made.append(api.item(f"number {at}", importance=half, confidence=half))
        clock.turn(seconds=at % 2)
    given = {"sort_by": sort, "sort_order": order} | ({} if q is None else {"q": q})

    pages = [api.ids(limit=2, offset=offset, **given) for offset in range(0, 10, 2)]

    falling = order == "desc"
    in_order = made[::-1] if falling and sort.endswith("_at") else made
    expected = sorted(in_order, key=lambda one: one[sort], reverse=falling)
    assert [one for page in pages for one in page] == [one["id"] for one in expected]
    assert [len(page) for page in pages] == [2, 2, 2, 2, 1]


TEXTS = [
    "Mira hides 100% of her fear_of thunder",
    'The captain\'s "old" map is * torn',
    "米拉害怕打雷",
    "船长的旧地图在雨中",
    "雨",
    "grasping the rope; C++ and text",
]


@pytest.mark.parametrize(
    ("q", "found"),
    [
        ("thunder mira", [0]),
        ("THUNDER", [0]),
        ("thunder map", []),
        ("thund", []),
        ("雨", [3, 4]),
        ("地图", [3]),
        ("图地", []),
        ("害怕 米拉", [2]),
        ("米拉害怕打雷", [2]),
        ("米 打雷", [2]),
        ("old map", [1]),
        ('"old"', [1]),
        ("captain's", [1]),
        ("text", [5]),
        ("100%", [0]),
        ("th%", []),
        ("m_p", []),
        ("ma*", []),
    ],
)
@pytest.mark.parametrize("wrapped", [False, True])
def test_a_search_finds_words_in_any_order_in_both_languages_and_nothing_leaks(
    api: Api, q: str, found: list[int], wrapped: bool
) -> None:
    ids = [api.item({"text": text} if wrapped else text)["id"] for text in TEXTS]

    expected = {ids[at] for at in found}
    assert set(api.ids(q=q)) == expected
    assert set(api.ids(q=q, sort_by="importance", scope="chat", scope_id="s")) == expected
    assert api.get("/memories/stats", q=q)["total"] == len(expected)


@pytest.mark.parametrize("q", ["%", "_", "*", "'", '"', "--", ";", "\\", "( )", "👍", "%_*"])
def test_a_search_for_signs_alone_is_no_search_for_everything(api: Api, q: str) -> None:
    api.item("plain words")

    assert api.ids(q=q) == []


def test_what_is_out_of_use_is_still_found(api: Api) -> None:
    gone = api.item("an old promise", status="deprecated")
    taken = api.item("a promise taken in", type="summary", lifecycle_status="compacted")

    assert set(api.ids(q="promise")) == {gone["id"], taken["id"]}
    assert api.ids(q="promise", status="deprecated") == [gone["id"]]


def test_a_search_follows_a_changed_text(api: Api) -> None:
    made = api.item("the tea was cold")

    api.ok("PATCH", f"/memories/{made['id']}", {"content": "茶凉了"})

    assert api.ids(q="tea") == []
    assert api.ids(q="茶") == [made["id"]]


def test_sums_tell_counts_means_and_tokens(api: Api) -> None:
    api.item("four", importance=1, confidence=0.5)
    api.item("下雨了", type="summary", importance=0, status="deprecated")
    api.item("eight ch", type="open_loop", importance=0.5, lifecycle_status="compacted")

    assert api.get("/memories/stats") == {
        "total": 3,
        "active": 2,
        "deprecated": 1,
        "by_type": {"fact": 1, "summary": 1, "open_loop": 1},
        "avg_importance": pytest.approx(0.5),
        "avg_confidence": pytest.approx(2.5 / 3),
        "estimated_tokens": 6,
    }


def test_sums_of_nothing_are_zero(api: Api) -> None:
    nothing = {
        "total": 0,
        "active": 0,
        "deprecated": 0,
        "by_type": {"fact": 0, "summary": 0, "open_loop": 0},
        "avg_importance": 0,
        "avg_confidence": 0,
        "estimated_tokens": 0,
    }

    assert api.get("/memories/stats") == nothing
    api.item("x")
    assert api.get("/memories/stats", q="y") == nothing
    assert api.get("/memories/stats", scope="floor") == nothing


WRONG = [
    *(("limit", one) for one in ("0", "101", "abc", "", "1.5", "-1", "1e2", " 5", "9" * 30)),
    *(("limit", one) for one in ("true", "0x10", "1_0", "٣")),
    *(("offset", one) for one in ("-1", "x", "", "9" * 25)),
    *(("sort_by", one) for one in ("id", "", "created_at;")),
    *(("sort_order", one) for one in ("up", "ASC", "")),
]
WRONG_FILTERS = [
    *(("scope", one) for one in ("", "user", "resting")),
    *(("scope_id", one) for one in ("", " ", "\0")),
    *(("type", one) for one in ("", "core")),
    *(("summary_tier", one) for one in ("", "mini")),
    *(("status", one) for one in ("", "compacted")),
    *(("lifecycle_status", one) for one in ("", "gone")),
    *(("fact_key", one) for one in ("", " ", "\0")),
    *(("source_floor_id", one) for one in ("", "a\0")),
    *(("source_message_id", one) for one in ("",)),
    *(("created_from", one) for one in ("", "x", "1.5", "-1", "9" * 18, "2026-01-01")),
    *(("created_to", one) for one in ("", "253402300800000")),
    *(("updated_from", one) for one in ("", "nan")),
    *(("updated_to", one) for one in ("", "1e9")),
    *(("importance_min", one) for one in ("", "nan", "inf", "-0.1", "1.1", "x")),
    *(("importance_max", one) for one in ("", "2", "0x1")),
    *(("confidence_min", one) for one in ("", "-1")),
    *(("confidence_max", one) for one in ("", "true")),
    *(("q", one) for one in ("", "  ", "\u3000", "\0", "x" * 1_001)),
]


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_wrong_part_of_a_list_is_refused_by_its_name(api: Api, name: str, value: str) -> None:
    assert wrong(api.send("GET", "/memories", **{name: value})) == [name]


@pytest.mark.parametrize(("name", "value"), WRONG_FILTERS)
def test_a_wrong_filter_is_refused_by_its_name_in_lists_and_sums(
    api: Api, name: str, value: str
) -> None:
    assert wrong(api.send("GET", "/memories", **{name: value})) == [name]
    assert wrong(api.send("GET", "/memories/stats", **{name: value})) == [name]


@pytest.mark.parametrize(
    ("low", "high"),
    [
        ("created_from", "created_to"),
        ("updated_from", "updated_to"),
        ("importance_min", "importance_max"),
        ("confidence_min", "confidence_max"),
    ],
)
def test_an_inverted_range_is_refused_by_both_names(api: Api, low: str, high: str) -> None:
    inverted = {low: 1, high: 0}

    assert wrong(api.send("GET", "/memories", **inverted)) == [low, high]
    assert wrong(api.send("GET", "/memories/stats", **inverted)) == [low, high]


def test_the_ends_of_every_limit_are_allowed(api: Api) -> None:
    made = api.item("x" * 1_000)

    assert api.ids(limit=100) == api.ids(limit=1) == [made["id"]]
    assert api.ids(offset=2**53 - 1) == []
    assert api.ids(created_from=0, created_to=253_402_300_799_999) == [made["id"]]
    assert api.ids(q="x" * 1_000) == [made["id"]]


def test_a_parameter_that_is_given_twice_is_refused(api: Api) -> None:
    assert wrong(api.send("GET", "/memories?limit=1&limit=2")) == ["limit"]
    assert wrong(api.send("GET", "/memories?q=a&q=a")) == ["q"]
    assert wrong(api.send("GET", "/memories?q=%FF")) == ["query"]
