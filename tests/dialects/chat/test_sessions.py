"""Promises of conversations over HTTP: sessions, branches, turns and what to inject."""

import re
from typing import Any

import pytest

from tests.conftest import NOON, Clock
from tests.dialects.chat_calling import META, Api, Json, problem, wrong

AT_NOON = int(NOON.timestamp() * 1000)
SAID: list[Json] = [
    {"role": "user", "content": "My name is Mira and I am afraid of thunder."},
    {"role": "assistant", "content": "I will stay with you tonight, Mira."},
]


@pytest.fixture
def session(api: Api) -> str:
    return api.create("/sessions", {"id": "海边 1"})["id"]


def add_turn(api: Api, session: str, text: str = "Hello", **more: Any) -> Json:
    body = {"messages": [{"role": "user", "content": text}], **more}
    return api.create(f"/sessions/{session}/turns", body)


def test_a_session_begins_with_its_main_branch(api: Api) -> None:
    made = api.create("/sessions", {"id": "seaside", "colour": 1})

    assert made == {
        "id": "seaside",
        "branch_count": 1,
        "floor_count": 0,
        "created_at": AT_NOON,
        "updated_at": AT_NOON,
    }
    assert api.get("/sessions/seaside") == made
    assert api.get("/sessions/seaside/branches") == [
        {
            "branch_id": "main",
            "session_id": "seaside",
            "from_branch": None,
            "at_floor_no": None,
            "floor_count": 0,
            "scope_id": '["seaside","main"]',
            "created_at": AT_NOON,
        }
    ]


@pytest.mark.parametrize("raw", [b"", b"{}", b'{"id": null}'])
def test_a_session_gets_an_id_where_it_brings_none(api: Api, raw: bytes) -> None:
    response = api.send("POST", "/sessions", raw=raw)

    assert response.status_code == 201
    assert re.fullmatch(r"[A-Za-z0-9_-]{21}", response.json()["data"]["id"])


def test_a_second_session_of_the_same_id_is_a_conflict(api: Api, session: str) -> None:
    problem(api.send("POST", "/sessions", {"id": session}), 409, "conflict")


@pytest.mark.parametrize("name", ["", " ", "..", "a/b", "a\nb", "\0", "x" * 201, 5])
def test_an_id_that_could_not_stand_in_an_address_is_refused(
    api: Api, session: str, name: object
) -> None:
    assert wrong(api.send("POST", "/sessions", {"id": name})) == ["id"]
    body = {"branch_id": name}
    assert wrong(api.send("POST", f"/sessions/{session}/branches", body)) == ["branch_id"]


def test_sessions_are_listed_newest_first(api: Api, clock: Clock) -> None:
    for name in ("one", "two", "three"):
        api.create("/sessions", {"id": name})
        clock.turn(seconds=1)
    add_turn(api, "one")

    answer = api.ok("GET", "/sessions", limit=2)

    assert [one["id"] for one in answer["data"]] == ["three", "two"]
    assert list(answer["meta"]) == META
    assert answer["meta"]["total"] == 3
    assert answer["meta"]["has_more"] is True
    recent = api.get("/sessions", sort_by="updated_at", sort_order="desc")
    assert [one["id"] for one in recent] == ["one", "three", "two"]


def test_a_turn_comes_back_with_its_place_and_the_job_of_its_memory(api: Api, session: str) -> None:
    made = api.create(f"/sessions/{session}/turns", {"messages": SAID})

    assert list(made) == ["floor_id", "floor_no", "memory"]
    assert re.fullmatch(r"[A-Za-z0-9_-]{21}", made["floor_id"])
    assert made["floor_no"] == 0
    assert made["memory"] == {
        "mode": "async",
        "status": "pending",
        "job_id": made["memory"]["job_id"],
        "error": None,
    }
    assert api.get(f"/memory/jobs/{made['memory']['job_id']}")["floor_id"] == made["floor_id"]
    [turn] = api.get(f"/sessions/{session}/turns")
    assert api.get(f"/sessions/{session}/turns/{made['floor_id']}") == turn
    assert turn == {
        "floor_id": made["floor_id"],
        "session_id": session,
        "branch_id": "main",
        "floor_no": 0,
        "version": 0,
        "version_count": 1,
        "messages": [
            {"id": turn["messages"][at]["id"], "role": said["role"], "name": None,
             "content": said["content"]}
            for at, said in enumerate(SAID)
        ],
        "occurred_at": AT_NOON,
        "created_at": AT_NOON,
        "updated_at": AT_NOON,
    }  # fmt: skip


def test_a_turn_may_be_taken_in_before_the_answer(api: Api, session: str) -> None:
    made = api.create(f"/sessions/{session}/turns", {"messages": SAID, "mode": "sync"})

    assert made["memory"]["mode"] == "sync"
    assert made["memory"]["status"] == "succeeded"
    items = api.get("/memories", scope="branch", scope_id=f'["{session}","main"]')
    assert items
    for item in items:
        assert item["source_floor_id"] == made["floor_id"]
        assert item["source_job_id"] == made["memory"]["job_id"]
        assert item["extractor"]


def test_the_same_idempotency_key_is_the_same_turn(api: Api, session: str) -> None:
    first = add_turn(api, session, idempotency_key="k1")
    again = add_turn(api, session, idempotency_key="k1")
    other = add_turn(api, session, idempotency_key="k2")

    assert again["floor_id"] == first["floor_id"]
    assert other["floor_no"] == 1


def test_messages_keep_the_ids_and_names_of_the_app(api: Api, session: str) -> None:
    body = {"messages": [{"id": "m-1", "role": "user", "name": "米拉", "content": "嗨"}]}

    made = api.create(f"/sessions/{session}/turns", body)

    turn = api.get(f"/sessions/{session}/turns/{made['floor_id']}")
    assert turn["messages"] == body["messages"]


def test_a_swipe_makes_a_version_and_an_older_one_can_come_back(api: Api, session: str) -> None:
    made = add_turn(api, session, "first")
    path = f"/sessions/{session}/turns/{made['floor_id']}"

    swiped = api.ok("PUT", path, {"messages": [{"role": "user", "content": "second"}]})["data"]
    after = api.get(path)
    back = api.ok("PUT", path, {"version": 0, "mode": "sync"})["data"]

    assert list(swiped) == ["floor_id", "floor_no", "memory", "version"]
    assert (swiped["floor_id"], swiped["floor_no"]) == (made["floor_id"], 0)
    assert (swiped["version"], after["version_count"]) == (1, 2)
    assert after["messages"][0]["content"] == "second"
    assert (back["version"], back["memory"]["status"]) == (0, "succeeded")
    assert api.get(path)["messages"][0]["content"] == "first"


@pytest.mark.parametrize(
    ("body", "paths"),
    [
        ({}, ["messages", "version"]),
        ({"messages": SAID, "version": 0}, ["messages", "version"]),
        ({"version": 7}, ["version"]),
        ({"version": -1}, ["version"]),
        ({"messages": []}, ["messages"]),
    ],
)
def test_a_turn_is_changed_in_one_way_at_a_time(
    api: Api, session: str, body: Json, paths: list[str]
) -> None:
    made = add_turn(api, session)

    assert wrong(api.send("PUT", f"/sessions/{session}/turns/{made['floor_id']}", body)) == paths


def test_a_deleted_turn_is_gone_with_its_memory(api: Api, session: str) -> None:
    made = api.create(f"/sessions/{session}/turns", {"messages": SAID, "mode": "sync"})
    path = f"/sessions/{session}/turns/{made['floor_id']}"

    deleted = api.ok("DELETE", path)

    assert deleted == {"data": {"id": made["floor_id"], "deleted": True}}
    problem(api.send("GET", path), 404, "not_found")
    assert api.get(f"/sessions/{session}/turns") == []
    assert api.get("/memories") == []


def test_turns_are_listed_along_their_branch(api: Api, session: str) -> None:
    for text in ("zero", "one", "two"):
        add_turn(api, session, text)
    fork = api.create(f"/sessions/{session}/branches", {"branch_id": "另一条", "at_floor_no": 1})
    add_turn(api, session, "else", branch_id="另一条")

    def texts(**params: Any) -> list[str]:
        turns = api.get(f"/sessions/{session}/turns", **params)
        return [one["messages"][0]["content"] for one in turns]

    assert fork["from_branch"] == "main"
    assert fork["at_floor_no"] == 1
    assert fork["scope_id"] == f'["{session}","另一条"]'
    assert texts() == ["zero", "one", "two"]
    assert texts(branch_id="另一条") == ["zero", "one", "else"]
    assert texts(sort_order="desc", limit=2) == ["two", "one"]
    meta = api.ok("GET", f"/sessions/{session}/turns", limit=1, offset=1)["meta"]
    assert meta == {
        "total": 3,
        "limit": 1,
        "offset": 1,
        "has_more": True,
        "sort_by": "floor_no",
        "sort_order": "asc",
    }


def test_branches_are_forked_and_deleted_but_main_stays(
    api: Api, session: str, clock: Clock
) -> None:
    add_turn(api, session)
    path = f"/sessions/{session}/branches"
    clock.turn(seconds=1)
    api.create(path, {"branch_id": "b"})

    problem(api.send("POST", path, {"branch_id": "b"}), 409, "conflict")
    problem(api.send("POST", path, {"branch_id": "c", "from_branch": "no"}), 404, "not_found")
    assert [one["branch_id"] for one in api.get(path)] == ["main", "b"]
    assert api.ok("DELETE", f"{path}/b") == {"data": {"id": "b", "deleted": True}}
    problem(api.send("DELETE", f"{path}/b"), 404, "not_found")
    problem(api.send("DELETE", f"{path}/main"), 409, "protected_branch")


def test_a_deleted_session_is_gone_with_its_memory_and_jobs(api: Api, session: str) -> None:
    api.create(f"/sessions/{session}/turns", {"messages": SAID, "mode": "sync"})
    api.item(scope="chat", scope_id=session)

    deleted = api.ok("DELETE", f"/sessions/{session}")

    assert deleted == {"data": {"id": session, "deleted": True}}
    problem(api.send("GET", f"/sessions/{session}"), 404, "not_found")
    assert api.get("/memories") == api.get("/memory/jobs") == api.get("/sessions") == []


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "", None),
        ("DELETE", "", None),
        ("GET", "/branches", None),
        ("POST", "/branches", {"branch_id": "b"}),
        ("DELETE", "/branches/b", None),
        ("GET", "/turns", None),
        ("POST", "/turns", {"messages": SAID}),
        ("GET", "/turns/x", None),
        ("PUT", "/turns/x", {"messages": SAID}),
        ("DELETE", "/turns/x", None),
        ("POST", "/context", {}),
    ],
)
def test_a_session_that_is_not_there_is_404_everywhere(
    api: Api, method: str, path: str, body: object
) -> None:
    problem(api.send(method, f"/sessions/nobody{path}", body), 404, "not_found")


WRONG_MESSAGES: list[tuple[Any, str]] = [
    (None, "messages"),
    ([], "messages"),
    ("hi", "messages"),
    ([*SAID, 5], "messages.2"),
    ([{"role": "user"}], "messages.0.content"),
    ([{"role": "user", "content": ""}], "messages.0.content"),
    ([{"role": "user", "content": {"text": "x"}}], "messages.0.content"),
    ([{"role": "npc", "content": "x"}], "messages.0.role"),
    ([{"content": "x"}], "messages.0.role"),
    ([{"role": "user", "content": "x", "name": ""}], "messages.0.name"),
    ([{"role": "user", "content": "x", "id": 5}], "messages.0.id"),
    ([{"role": "user", "content": "a\0"}], "messages.0.content"),
    ([{"role": "user", "content": "x"}] * 101, "messages"),
]


@pytest.mark.parametrize(("messages", "path"), WRONG_MESSAGES)
def test_a_wrong_message_is_refused_where_it_stands(
    api: Api, session: str, messages: object, path: str
) -> None:
    response = api.send("POST", f"/sessions/{session}/turns", {"messages": messages})

    assert wrong(response) == [path]
    assert api.get(f"/sessions/{session}/turns") == []


@pytest.mark.parametrize(
    ("field", "value"),
    [("mode", "later"), ("mode", None), ("branch_id", ""), ("idempotency_key", "")],
)
def test_a_wrong_field_of_a_turn_is_refused(
    api: Api, session: str, field: str, value: object
) -> None:
    body = {"messages": SAID, field: value}

    assert wrong(api.send("POST", f"/sessions/{session}/turns", body)) == [field]


def test_a_turn_on_a_branch_that_is_not_there_is_404(api: Api, session: str) -> None:
    body = {"messages": SAID, "branch_id": "nowhere"}

    problem(api.send("POST", f"/sessions/{session}/turns", body), 404, "not_found")


@pytest.mark.parametrize("strategy", ["relevance", "importance", "balanced", "dual_summary"])
def test_a_context_tells_its_text_items_tokens_and_reasons(
    api: Api, session: str, strategy: str
) -> None:
    item = api.item("Mira is afraid of thunder", scope="chat", scope_id=session, importance=0.9)
    long = "Mira is afraid of thunder, as everybody knows. " * 9
    large = api.item(long, scope="chat", scope_id=session, importance=0.8)

    found = api.ok(
        "POST",
        f"/sessions/{session}/context",
        {"query": "Is Mira afraid of thunder?", "strategy": strategy, "token_budget": 50},
    )["data"]

    assert list(found) == ["text", "items", "token_count", "dropped", "trace"]
    assert "Mira is afraid of thunder" in found["text"]
    [chosen] = found["items"]
    assert list(chosen) == ["id", "type", "score", "tokens", "reason"]
    assert (chosen["id"], chosen["type"]) == (item["id"], "fact")
    assert chosen["reason"]
    assert 0 < found["token_count"] <= 50
    assert [one["id"] for one in found["dropped"]] == [large["id"]]
    assert list(found["dropped"][0]) == ["id", "reason"]
    assert isinstance(found["trace"], dict)
    assert api.get(f"/memories/{item['id']}")["last_used_at"] == AT_NOON


def test_a_context_may_be_asked_for_with_messages_or_with_nothing(api: Api, session: str) -> None:
    api.item("Mira is afraid of thunder", scope="chat", scope_id=session, importance=0.9)
    path = f"/sessions/{session}/context"

    for body in ({"messages": SAID}, {}, {"branch_id": "main", "token_budget": 100_000}):
        assert api.ok("POST", path, body)["data"]["items"]
    assert api.send("POST", path).status_code == 200


@pytest.mark.parametrize(
    ("body", "paths"),
    [
        ({"query": "x", "messages": SAID}, ["query", "messages"]),
        ({"query": ""}, ["query"]),
        ({"query": 5}, ["query"]),
        ({"token_budget": 0}, ["token_budget"]),
        ({"token_budget": 100_001}, ["token_budget"]),
        ({"token_budget": "500"}, ["token_budget"]),
        ({"token_budget": True}, ["token_budget"]),
        ({"token_budget": 1.5}, ["token_budget"]),
        ({"strategy": "best"}, ["strategy"]),
        ({"window_start_floor_no": -1}, ["window_start_floor_no"]),
        ({"branch_id": 5}, ["branch_id"]),
        ({"messages": [{"role": "user"}]}, ["messages.0.content"]),
    ],
)
def test_a_wrong_question_for_a_context_is_refused(
    api: Api, session: str, body: Json, paths: list[str]
) -> None:
    assert wrong(api.send("POST", f"/sessions/{session}/context", body)) == paths
