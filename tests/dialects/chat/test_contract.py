"""Promises of small points of the contract, over HTTP: null, order, unknown parameters, accents,
and who speaks.
"""

from typing import Any

import pytest

from mnemic.opening import OpenMemory
from tests.chat.chatting import work
from tests.dialects.chat_calling import Api, Json, problem, wrong


@pytest.mark.parametrize("name", ["source_floor_id", "source_message_id"])
def test_a_source_is_named_or_left_out_but_never_null(api: Api, name: str) -> None:
    given = {"scope": "chat", "scope_id": "s", "type": "fact", "content": "It rains"}

    assert wrong(api.send("POST", "/memories", {**given, name: None})) == [name]
    item = api.create("/memories", given)
    assert item[name] is None
    assert wrong(api.send("PATCH", f"/memories/{item['id']}", {name: None})) == [name]


@pytest.mark.parametrize("sort", ["created_at", "updated_at", "importance", "confidence"])
@pytest.mark.parametrize("filters", [{}, {"q": "drop"}, {"scope": "chat", "scope_id": "s"}])
def test_equals_come_in_the_order_in_which_they_were_made(
    api: Api, sort: str, filters: Json
) -> None:
    made = [api.item(f"drop {number}")["id"] for number in range(7)]

    def paged(order: str) -> list[str]:
        given = {"sort_by": sort, "sort_order": order, "limit": 3, **filters}
        return [one for offset in (0, 3, 6) for one in api.ids(offset=offset, **given)]

    assert paged("asc") == made
    # The last of equal times is the latest.
    assert paged("desc") == (made[::-1] if sort.endswith("_at") else made)


def test_relations_sessions_and_jobs_of_one_moment_come_in_the_order_in_which_they_were_made(
    api: Api,
) -> None:
    ids = [api.item(f"drop {number}")["id"] for number in range(5)]
    edges = [
        api.create("/memory-edges", {"from_id": ids[0], "to_id": one, "relation": "supports"})
        for one in ids[1:]
    ]
    names = ["night", "day", "zoo", "ant"]
    for name in names:
        api.create("/sessions", {"id": name})
        turn = {"messages": [{"role": "user", "content": "Hello"}]}
        api.create(f"/sessions/{name}/turns", turn)

    def listed(path: str, field: str) -> list[str]:
        return [one[field] for one in api.get(path, sort_order="asc")]

    assert listed("/memory-edges", "id") == [one["id"] for one in edges]
    assert listed("/sessions", "id") == names
    branches = [f'["{name}","main"]' for name in names]
    assert listed("/memory/jobs", "scope_id") == branches


@pytest.mark.parametrize(
    ("path", "name", "nearest"),
    [
        ("/memories", "scopeid", "scope_id"),
        ("/memories/stats", "Q", "q"),
        ("/memory-edges", "from", "from_id"),
        ("/memory/jobs", "job-type", "job_type"),
        ("/memory/scopes", "sort", "sort_by"),
        ("/sessions", "ofset", "offset"),
    ],
)
def test_an_unknown_parameter_is_refused_and_the_nearest_known_one_named(
    api: Api, path: str, name: str, nearest: str
) -> None:
    answer = api.send("GET", path, **{name: "1"})

    assert wrong(answer) == [name]
    [detail] = answer.json()["error"]["details"]
    assert detail["code"] == "unknown_parameter"
    assert nearest in detail["message"]


def test_an_address_without_parameters_takes_none(api: Api) -> None:
    item = api.item()

    assert wrong(api.send("GET", f"/memories/{item['id']}", q="rain")) == ["q"]
    assert wrong(api.send("POST", "/sessions", {"id": "s"}, id="s")) == ["id"]
    assert api.get("/sessions") == []


@pytest.mark.parametrize(
    ("said", "sought"),
    [
        ("We met at the café", "cafe"),
        ("We met at the cafe", "café"),
        ("We met at the CAFÉ", "Cafe"),
        ("Señor Muñoz paid", "munoz senor"),
        ("Łódź is far", "lodz"),
        ("Smørrebrød for two", "smorrebrod"),
        ("A naïve-looking résumé.pdf", "resume.pdf"),
        ("Tiếng Việt", "tieng viet"),
    ],
)
def test_accents_count_for_nothing_in_a_search(api: Api, said: str, sought: str) -> None:
    api.item("Nothing of the kind")
    item = api.item(said)

    assert api.ids(q=sought) == [item["id"]]
    assert api.get("/memories/stats", q=sought)["total"] == 1


def test_a_rebuild_of_a_scope_that_is_not_there_is_404(api: Api) -> None:
    api.create("/sessions", {"id": "s"})

    for scope in ("chat/nobody", "branch/%5B%22s%22%2C%22other%22%5D", "floor/f", "global/g"):
        problem(api.send("POST", f"/memory/scopes/{scope}/rebuild"), 404, "not_found")
    assert api.get("/memory/jobs") == []
    api.ok("POST", "/memory/scopes/branch/%5B%22s%22%2C%22main%22%5D/rebuild")


ROLES = ["user", "assistant", "system", "tool", "char", "narrator"]


def told(api: Api, memory: OpenMemory, *messages: dict[str, Any]) -> list[Json]:
    """Return what is remembered of one turn."""
    api.create("/sessions", {"id": "s"})
    api.create("/sessions/s/turns", {"messages": list(messages)})
    work(memory.chat)
    return api.get("/memories")


def test_messages_keep_their_roles(api: Api, memory: OpenMemory) -> None:
    told(api, memory, *({"role": role, "content": f"I am a {role}"} for role in ROLES))

    [turn] = api.get("/sessions/s/turns")
    assert [one["role"] for one in turn["messages"]] == ROLES
    unknown = {"messages": [{"role": "npc", "content": "Hello"}]}
    assert wrong(api.send("POST", "/sessions/s/turns", unknown)) == ["messages.0.role"]


def test_what_an_app_tells_its_model_is_never_remembered(api: Api, memory: OpenMemory) -> None:
    prompt = "My name is Zed. I live in Quito. <summary>Zed is a spy.</summary>"
    items = told(api, memory, {"role": "system", "content": prompt})
    block = api.ok("POST", "/sessions/s/context", {"query": "Who is Zed? Where does Zed live?"})

    assert items == []
    assert "Zed" not in block["data"]["text"]


def test_a_char_speaks_for_itself_and_a_narrator_and_a_tool_for_nobody(
    api: Api, memory: OpenMemory
) -> None:
    items = told(
        api,
        memory,
        {"role": "user", "content": "I live in Oslo."},
        {"role": "char", "name": "Kai", "content": "I live in Bergen."},
        {"role": "narrator", "content": "I live in Turku, and it rains."},
        {"role": "tool", "content": "I live in Paris."},
    )

    facts = {one["fact_key"]: one["content"] for one in items if one["type"] == "fact"}
    assert facts == {"user.home": "user.home: Oslo", "kai.home": "kai.home: Bergen"}
    [summary] = [one["content"] for one in items if one["type"] == "summary"]
    assert "Turku" in summary
    assert "Paris" not in summary
