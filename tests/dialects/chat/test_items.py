"""Promises of memory items over HTTP: what is written, what follows from it, what comes back."""

import re
from typing import Any

import pytest

from mnemic.opening import OpenMemory
from tests.conftest import NOON, Clock
from tests.dialects.chat_calling import FIELDS, Api, Json, problem, wrong

AT_NOON = int(NOON.timestamp() * 1000)
LONE_SURROGATE = "half \ud83d"


def test_an_item_comes_back_with_all_fields_and_the_defaults(api: Api) -> None:
    made = api.item("我喜欢乌龙茶 😀")

    assert list(made) == FIELDS
    assert re.fullmatch(r"[A-Za-z0-9_-]{21}", made["id"])
    assert made == {
        **dict.fromkeys(FIELDS),
        "id": made["id"],
        "scope": "chat",
        "scope_id": "s",
        "type": "fact",
        "content": "我喜欢乌龙茶 😀",
        "importance": 0.5,
        "confidence": 1,
        "status": "active",
        "lifecycle_status": "active",
        "token_count_estimate": 7,
        "created_at": AT_NOON,
        "updated_at": AT_NOON,
    }
    assert api.get(f"/memories/{made['id']}") == made


def test_what_was_given_is_kept(api: Api) -> None:
    given: Json = {
        "scope": "branch",
        "scope_id": '["a/b","主线"]',
        "type": "summary",
        "summary_tier": "macro",
        "content": "They sailed.",
        "importance": 0.25,
        "confidence": 0,
        "source_floor_id": "floor-1",
        "source_message_id": "message-1",
        "status": "deprecated",
        "lifecycle_status": "deprecated",
    }

    made = api.create("/memories", given)

    assert {name: made[name] for name in given} == given


@pytest.mark.parametrize("text", ["x", " ", "  two lines\n\n ", "{text}", '{"text": "x"}', "雨"])
@pytest.mark.parametrize("wrapped", [False, True])
def test_content_comes_back_in_the_form_in_which_it_was_written(
    api: Api, text: str, wrapped: bool
) -> None:
    content = {"text": text} if wrapped else text

    made = api.item(content)

    assert made["content"] == content
    assert api.get(f"/memories/{made['id']}")["content"] == content
    assert [one["content"] for one in api.get("/memories")] == [content]


def test_a_change_of_content_changes_its_form_too(api: Api) -> None:
    made = api.item({"text": "one"})

    changed = api.ok("PATCH", f"/memories/{made['id']}", {"content": "下雨了"})["data"]

    assert changed["content"] == "下雨了"
    assert changed["token_count_estimate"] == 3
    other = api.ok("PATCH", f"/memories/{made['id']}", {"importance": 0.1})["data"]
    assert other["content"] == "下雨了"


@pytest.mark.parametrize(
    ("text", "tokens"), [("x", 1), ("four", 1), ("fives", 2), ("雨", 1), ("下雨 rain", 4)]
)
def test_tokens_are_estimated_for_what_is_written_by_hand(api: Api, text: str, tokens: int) -> None:
    assert api.item(text)["token_count_estimate"] == tokens


def test_a_fact_key_is_trimmed_and_lower_cased_and_only_of_facts(api: Api) -> None:
    fact = api.item(fact_key="  Mira.Fear OF  ")
    loop = api.item(type="open_loop", fact_key="mira.fear")

    assert fact["fact_key"] == "mira.fear of"
    assert loop["fact_key"] is None
    assert api.item(fact_key=None)["fact_key"] is None
    changed = api.ok("PATCH", f"/memories/{fact['id']}", {"fact_key": None})["data"]
    assert changed["fact_key"] is None


def test_two_items_may_have_the_same_fact_key(api: Api) -> None:
    ids = {api.item(fact_key="name")["id"], api.item(fact_key="name")["id"]}

    assert set(api.ids(fact_key="NAME")) == ids


def test_the_tier_of_a_summary_is_lost_with_its_type(api: Api) -> None:
    made = api.item(type="summary", summary_tier="micro")
    path = f"/memories/{made['id']}"

    fact = api.ok("PATCH", path, {"type": "fact", "summary_tier": "macro"})["data"]
    again = api.ok("PATCH", path, {"type": "summary"})["data"]
    tiered = api.ok("PATCH", path, {"summary_tier": "macro"})["data"]

    assert [one["summary_tier"] for one in (made, fact, again, tiered)] == [
        *("micro", None, None, "macro")
    ]
    assert api.item(type="fact", summary_tier="micro")["summary_tier"] is None


# Status, lifecycle: as given, then as stored. None is not given; a refusal stores nothing.
CREATED = [
    ((None, None), ("active", "active")),
    (("active", None), ("active", "active")),
    (("deprecated", None), ("deprecated", "deprecated")),
    ((None, "active"), ("active", "active")),
    ((None, "deprecated"), ("deprecated", "deprecated")),
    ((None, "compacted"), ("active", "compacted")),
    (("active", "active"), ("active", "active")),
    (("active", "compacted"), ("active", "compacted")),
    (("deprecated", "deprecated"), ("deprecated", "deprecated")),
    (("active", "deprecated"), None),
    (("deprecated", "active"), None),
    (("deprecated", "compacted"), None),
]


def _said(status: str | None, lifecycle: str | None) -> Json:
    given = {"status": status, "lifecycle_status": lifecycle}
    return {name: value for name, value in given.items() if value is not None}


@pytest.mark.parametrize(("given", "stored"), CREATED)
def test_a_new_items_two_states_follow_from_each_other(
    api: Api, given: tuple[str | None, str | None], stored: tuple[str, str] | None
) -> None:
    body = {"scope": "chat", "scope_id": "s", "type": "fact", "content": "x", **_said(*given)}

    response = api.send("POST", "/memories", body)

    if stored is None:
        problem(response, 409, "invalid_state")
        assert api.get("/memories") == []
    else:
        made = response.json()["data"]
        assert (made["status"], made["lifecycle_status"]) == stored


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        (("active", None), ("active", "active")),
        (("deprecated", None), ("deprecated", "deprecated")),
        ((None, "active"), ("active", "active")),
        ((None, "compacted"), ("active", "compacted")),
        ((None, "deprecated"), ("active", "deprecated")),
        (("active", "deprecated"), ("active", "deprecated")),
        (("deprecated", "active"), ("deprecated", "active")),
        (("deprecated", "compacted"), ("deprecated", "compacted")),
    ],
)
def test_a_changed_lifecycle_follows_the_status_but_not_the_other_way_round(
    api: Api, given: tuple[str | None, str | None], stored: tuple[str, str]
) -> None:
    made = api.item()

    changed = api.ok("PATCH", f"/memories/{made['id']}", _said(*given))["data"]

    assert (changed["status"], changed["lifecycle_status"]) == stored
    assert api.get(f"/memories/{made['id']}") == changed


def test_a_change_keeps_the_time_of_making_and_sets_that_of_changing(
    api: Api, clock: Clock
) -> None:
    made = api.item()
    clock.turn(seconds=1.5)

    changed = api.ok("PATCH", f"/memories/{made['id']}", {"confidence": 0.5})["data"]

    assert changed == {**made, "confidence": 0.5, "updated_at": AT_NOON + 1_500}


def test_an_item_may_move_to_another_scope(api: Api) -> None:
    made = api.item()

    api.ok("PATCH", f"/memories/{made['id']}", {"scope": "branch", "scope_id": '["s","主"]'})

    assert api.ids(scope="chat") == []
    assert api.ids(scope="branch", scope_id='["s","主"]', q="rains") == [made["id"]]


def test_an_item_may_be_pinned(api: Api) -> None:
    made = api.item()
    pinned = api.ok("PATCH", f"/memories/{made['id']}", {"pinned": True, "importance": 1})["data"]
    freed = api.ok("PATCH", f"/memories/{made['id']}", {"pinned": False})["data"]

    assert "pinned" not in made
    assert pinned["pinned"] is True
    assert "pinned" not in freed
    assert api.item(pinned=True)["pinned"] is True


def test_what_only_the_server_writes_is_ignored(api: Api) -> None:
    readonly: Json = {
        **dict.fromkeys(("id", "source_job_id", "last_used_at"), "mine"),
        **dict.fromkeys(("created_at", "updated_at", "token_count_estimate"), 5),
        "colour": [float(5)],
    }

    made = api.item(**readonly)
    changed = api.ok("PATCH", f"/memories/{made['id']}", {**readonly, "importance": 1})["data"]

    assert made["id"] != "mine"
    assert made["created_at"] == AT_NOON
    assert changed == {**made, "importance": 1}


@pytest.mark.parametrize("body", [{}, {"colour": 1}, {"id": "x", "created_at": 1}])
def test_a_change_needs_a_field_that_can_be_changed(api: Api, body: Json) -> None:
    made = api.item()

    assert wrong(api.send("PATCH", f"/memories/{made['id']}", body)) == ["body"]


WRONG: list[tuple[str, Any]] = [
    *(("scope", one) for one in ("user", "", 1, None, ["chat"])),
    *(("scope_id", one) for one in ("", " \n", 7, None, "a\0b", LONE_SURROGATE, "x" * 1_001)),
    *(("type", one) for one in ("perception", "Fact", None, 1)),
    *(("content", one) for one in ("", 123, True, None, ["x"], {"text": ""})),
    ("content", []),
    ("content", {}),
    *(("content", one) for one in ({"text": 1}, {"text": None}, {"txt": "x"}, "a\0b")),
    *(("content", one) for one in (LONE_SURROGATE, {"text": LONE_SURROGATE}, {"text": "\0"})),
    *(("summary_tier", one) for one in ("mini", "", 1)),
    *(("fact_key", one) for one in ("", "  ", "\u3000", 5, "a\0", LONE_SURROGATE)),
    *(("importance", one) for one in ("0.5", True, None, -0.01, 1.01, 10**400, float("nan"))),
    *(("confidence", one) for one in ("1", False, None, -1, 2, float("inf"))),
    *(("source_floor_id", one) for one in ("", 5, "a\0")),
    *(("source_message_id", one) for one in ("", ["x"])),
    *(("status", one) for one in ("compacted", "", None, 1)),
    *(("lifecycle_status", one) for one in ("gone", None, 0)),
    *(("pinned", one) for one in ("true", 1, None)),
]


@pytest.mark.parametrize(("field", "value"), WRONG)
def test_a_wrong_value_is_refused_and_never_read_as_another(
    api: Api, field: str, value: object
) -> None:
    good: Json = {"scope": "chat", "scope_id": "s", "type": "fact", "content": "x"}
    made = api.item()

    created = api.send("POST", "/memories", {**good, field: value})
    changed = api.send("PATCH", f"/memories/{made['id']}", {field: value})

    # What is not even JSON is a problem of the whole body.
    assert wrong(created) in ([field], ["body"])
    assert wrong(changed) in ([field], ["body"])
    assert api.get("/memories") == [made]


@pytest.mark.parametrize("field", ["scope", "scope_id", "type", "content"])
def test_what_an_item_needs_must_be_given(api: Api, field: str) -> None:
    good: Json = {"scope": "chat", "scope_id": "s", "type": "fact", "content": "x"}
    del good[field]

    assert wrong(api.send("POST", "/memories", good)) == [field]


def test_all_that_is_wrong_is_told_at_once(api: Api) -> None:
    body = {"scope": "x", "type": "fact", "content": 1, "importance": 2}

    assert wrong(api.send("POST", "/memories", body)) == [
        *("scope", "scope_id", "content", "importance")
    ]


def test_a_source_cannot_be_nulled_but_need_not_be_given(api: Api) -> None:
    made = api.item(source_floor_id="f", summary_tier=None)

    for field in ("source_floor_id", "source_message_id"):
        assert wrong(api.send("PATCH", f"/memories/{made['id']}", {field: None})) == [field]
    assert api.get(f"/memories/{made['id']}") == made


def test_a_whole_number_is_a_number(api: Api) -> None:
    made = api.item(importance=1, confidence=0)

    assert (made["importance"], made["confidence"]) == (1, 0)


def test_a_deleted_item_is_gone_with_its_edges(api: Api) -> None:
    one, other = api.item("one")["id"], api.item("two")["id"]
    edge = api.create("/memory-edges", {"from_id": one, "to_id": other, "relation": "supports"})

    deleted = api.ok("DELETE", f"/memories/{one}")

    assert deleted == {"data": {"id": one, "deleted": True}}
    problem(api.send("GET", f"/memories/{one}"), 404, "not_found")
    problem(api.send("GET", f"/memory-edges/{edge['id']}"), 404, "not_found")
    assert api.ids() == [other]
    assert api.ids(q="one") == []


@pytest.mark.parametrize("name", ["nothing", "mem_0000000099", "x" * 500, "雨", "a%2Fb", "items "])
def test_what_is_not_there_is_404(api: Api, name: str) -> None:
    for method, body in (("GET", None), ("PATCH", {"importance": 1}), ("DELETE", None)):
        problem(api.send(method, f"/memories/{name}", body), 404, "not_found")


def test_what_a_robot_learned_can_be_read_as_an_item(api: Api, memory: OpenMemory) -> None:
    memory.robot.learn("Grip force 12.5 N holds a mug")

    found = api.get("/memories/mem_0000000001")

    assert list(found) == FIELDS
    assert (found["scope"], found["type"]) == ("collection", "fact")
    assert found["content"] == "Grip force 12.5 N holds a mug"
