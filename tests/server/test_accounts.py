"""Promises to accounts that share a server: none sees, counts, guesses or times another's."""

import json
import re
from collections.abc import Callable
from typing import Any, Final

import pytest
from fastapi import FastAPI

from mnemic.mcp.profiles import toolboxes
from mnemic.opening import OpenMemory
from mnemic.storage.sqlite.database import SqliteDatabase
from mnemic.worker import Chores, Worker
from tests.server.visiting import Json, Visitor, guarded, visitor

NOTHING: Final = "x" * 21
WORDING: Final = {
    "messages": [
        {"role": "user", "content": "我喜欢乌龙茶。Mira fears thunder."},
        {"role": "assistant", "content": "I will remember that."},
    ],
}
TURN: Final = {**WORDING, "mode": "sync"}


class Tenant(Visitor):
    """Somebody with a key, and with something of everything."""

    def data(self, method: str, url: str, body: object = None) -> Any:
        """Return the data of a request that succeeds."""
        answer = self.send(method, url, body)
        assert answer.status_code in (200, 201), answer.text
        return answer.json()["data"]

    def settle(self) -> Json:
        """Put something everywhere; return the names of it all."""
        told = {"scope": "chat", "scope_id": "s", "type": "fact", "content": "Mira fears thunder"}
        first = self.data("POST", "/memories", told)["id"]
        second = self.data("POST", "/memories", {**told, "content": "她喜欢乌龙茶"})["id"]
        erased = self.data("POST", "/memories", {**told, "content": "她喜欢绿茶"})["id"]
        self.data("POST", "/erase/memory", {"name": erased})
        edge = {"from_id": first, "to_id": second, "relation": "supports"}
        tool = self.data("POST", "/tools/memory_add", {"content": "茶", "memory_type": "core"})
        self.data("POST", "/sessions", {"id": "story"})
        turn = self.data("POST", "/sessions/story/turns", TURN)
        self.data("POST", "/sessions/story/branches", {"branch_id": "other", "at_floor_no": 0})
        self.data("POST", "/tools/memory_chat", {"message": "茶", "conversation_id": "tea"})
        return {
            "memory_id": first,
            "edge_id": self.data("POST", "/memory-edges", edge)["id"],
            "job_id": turn["memory"]["job_id"],
            "session_id": "story",
            "floor_id": turn["floor_id"],
            "branch_id": "other",
            "key_id": self.data("POST", "/keys", {"name": "a robot"})["id"],
            "tool": tool["memory_id"],
            "ids": [first, second],
        }


def tenant(memory: OpenMemory, app: FastAPI, account: str) -> Tenant:
    """Return somebody with all rights in an account."""
    return Tenant(app, visitor(memory, app, account, "admin").headers["x-api-key"])


@pytest.fixture
def app(memory: OpenMemory) -> FastAPI:
    """The server that they share."""
    return guarded(memory)


@pytest.fixture
def anna(memory: OpenMemory, app: FastAPI) -> Tenant:
    """Somebody who comes first."""
    return tenant(memory, app, "anna")


@pytest.fixture
def ben(memory: OpenMemory, app: FastAPI) -> Tenant:
    """Somebody who comes after."""
    return tenant(memory, app, "ben")


LISTS: Final = [
    *("/memories", "/memories/items", "/memories?q=thunder", "/memories/stats", "/sessions"),
    *("/memory/jobs", "/memory/scopes", "/memory-edges", "/erasures"),
]
ONE: Final[list[tuple[str, str, object]]] = [
    ("GET", "/memories/{memory_id}", None),
    ("PATCH", "/memories/{memory_id}", {"importance": 0.9}),
    ("DELETE", "/memories/{memory_id}", None),
    ("PATCH", "/memories/batch/status", {"ids": "{ids}", "status": "deprecated"}),
    ("POST", "/memories/batch/delete", {"ids": "{ids}"}),
    ("POST", "/erase/memory", {"name": "{memory_id}"}),
    ("GET", "/memory-edges/{edge_id}", None),
    ("PATCH", "/memory-edges/{edge_id}", {"relation": "contradicts"}),
    ("DELETE", "/memory-edges/{edge_id}", None),
    ("GET", "/memory/jobs/{job_id}", None),
    ("POST", "/memory/jobs/{job_id}/retry", {}),
    ("POST", "/memory/jobs/{job_id}/cancel", {}),
    ("POST", "/memory/scopes/chat/{session_id}/compact", {}),
    ("POST", "/memory/scopes/chat/{session_id}/rebuild", {}),
    ("POST", "/memory/scopes/chat/{session_id}/maintenance", {}),
    ("GET", "/sessions/{session_id}", None),
    ("GET", "/sessions/{session_id}/branches", None),
    ("POST", "/sessions/{session_id}/branches", {"branch_id": "b", "at_floor_no": 0}),
    ("DELETE", "/sessions/{session_id}/branches/{branch_id}", None),
    ("GET", "/sessions/{session_id}/turns", None),
    ("POST", "/sessions/{session_id}/turns", TURN),
    ("POST", "/sessions/{session_id}/turns/bulk", {"turns": [{"versions": [WORDING]}]}),
    ("GET", "/sessions/{session_id}/turns/{floor_id}", None),
    ("PUT", "/sessions/{session_id}/turns/{floor_id}", WORDING),
    ("DELETE", "/sessions/{session_id}/turns/{floor_id}", None),
    ("POST", "/sessions/{session_id}/context", {"query": "thunder"}),
    ("DELETE", "/sessions/{session_id}", None),
    ("GET", "/sources/{number}", None),
    ("GET", "/payloads/{number}", None),
    ("GET", "/payloads/{number}/values?path=newton", None),
    ("GET", "/graph?memory_id={number}", None),
    ("POST", "/keys/{key_id}/rotate", {}),
    ("DELETE", "/keys/{key_id}", None),
]


SDK: Final[list[tuple[str, Json]]] = [
    *((verb, {"memory_id": "{number}"}) for verb in ("get", "payload", "history", "links")),
    *((f"robot.{verb}", {"memory_id": "{number}"}) for verb in ("get", "history", "undo")),
    ("undo", {"memory_id": "{number}"}),
    ("forget", {"memory_id": "{number}", "reason": "x"}),
    ("robot.forget", {"memory_id": "{number}", "reason": "x"}),
    ("robot.update", {"memory_id": "{number}", "new_content": "another lesson"}),
    ("revise", {"memory_id": "{number}", "content": "another lesson"}),
    ("end_episode", {"episode_id": "{run}"}),
    ("robot.end_session", {"session_id": "{run}"}),
    ("robot.learn", {"insight": "another lesson", "session_id": "{run}"}),
    ("chat.item", {"item_id": "{memory_id}"}),
    ("chat.delete_item", {"item_id": "{memory_id}"}),
    ("chat.edge", {"edge_id": "{edge_id}"}),
    ("chat.delete_edge", {"edge_id": "{edge_id}"}),
    ("chat.job", {"job_id": "{job_id}"}),
    ("chat.retry_job", {"job_id": "{job_id}"}),
    ("chat.cancel_job", {"job_id": "{job_id}"}),
    ("chat.session", {"session_id": "{session_id}"}),
    ("chat.branches", {"session_id": "{session_id}"}),
    ("chat.turns", {"session_id": "{session_id}"}),
    ("chat.turn", {"session_id": "{session_id}", "floor_id": "{floor_id}"}),
    ("chat.delete_turn", {"session_id": "{session_id}", "floor_id": "{floor_id}"}),
    ("chat.delete_branch", {"session_id": "{session_id}", "branch_id": "other"}),
    ("chat.delete_session", {"session_id": "{session_id}"}),
]


def filled(path: str, body: object, names: Json) -> tuple[str, object]:
    """Return a request with the names that stand for things."""
    written = json.dumps(body).replace('"{ids}"', json.dumps(names["ids"]))
    given = json.loads(written.replace('"{memory_id}"', json.dumps(names["memory_id"])))
    return path.format_map(names), given


def test_another_accounts_lists_are_empty_and_its_sums_are_zero(anna: Tenant, ben: Tenant) -> None:
    before = {url: ben.get(url).json() for url in LISTS}
    anna.settle()

    assert {url: ben.get(url).json() for url in LISTS} == before
    assert all(anna.get(url).json() != before[url] for url in LISTS)


def test_what_another_account_has_is_as_if_it_were_not_there(
    anna: Tenant, ben: Tenant, memory: OpenMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    lesson = memory.of_account("anna").robot.learn("Mira fears thunder")
    names = {**anna.settle(), "number": lesson.get("memory_id", 0)}
    missing = dict.fromkeys(names, NOTHING)
    missing |= {"number": 10**9, "ids": [NOTHING, NOTHING[1:] + "y"]}
    kept = {url: anna.get(url).json() for url in LISTS}
    # Whoever opens an account first looks whether an erasure was interrupted there.
    ben.get("/memories")
    done = _statements(monkeypatch)

    for method, path, body in ONE:
        theirs = ben.send(method, *filled(path, body, names))
        asked, done[:] = list(done), []
        nobodys = ben.send(method, *filled(path, body, missing))

        assert theirs.status_code == nobodys.status_code, path
        told = _unnamed(theirs.text, names)
        told = told.replace(f"memory {names['number']}.", f"memory {missing['number']}.")
        assert told == _unnamed(nobodys.text, missing), path
        # The same is looked up in the same order: how long it takes tells nothing, either.
        assert done == asked, path
        done.clear()

    assert {url: anna.get(url).json() for url in LISTS} == kept


def test_every_route_about_one_thing_was_tried(app: FastAPI) -> None:
    tried = {(method, path.replace("/chat/{session_id}/", "/{}/{}/")) for method, path, _ in ONE}
    tried.add(("POST", "/erase/{kind}"))
    served = {
        (method.upper(), path)
        for path, methods in app.openapi()["paths"].items()
        for method in methods
        if "{" in path
    }

    assert {(method, _bare(path)) for method, path in served} <= {
        (method, _bare(path.partition("?")[0])) for method, path in tried
    }


def test_no_verb_of_a_client_reaches_another_account(
    anna: Tenant, ben: Tenant, memory: OpenMemory
) -> None:
    hers = memory.of_account("anna").robot
    lesson = hers.learn("Mira fears thunder")
    run = hers.start_session()["session_id"]
    names = {**anna.settle(), "number": lesson.get("memory_id", 0), "run": run}
    missing = {**dict.fromkeys(names, NOTHING), "number": 10**9, "ids": [NOTHING]}
    kept = {url: anna.get(url).json() for url in LISTS}

    for verb, body in SDK:
        theirs = ben.send("POST", f"/sdk/{verb}", _given(body, names))
        nobodys = ben.send("POST", f"/sdk/{verb}", _given(body, missing))

        assert theirs.status_code == nobodys.status_code == 404, f"{verb}: {theirs.text}"
        told = _unnamed(theirs.text, names).replace(str(names["number"]), str(missing["number"]))
        assert told == _unnamed(nobodys.text, missing), verb

    assert {url: anna.get(url).json() for url in LISTS} == kept
    assert hers.get(lesson.get("memory_id", 0))["status"] == "active"


def test_no_tool_reaches_another_account(anna: Tenant, ben: Tenant, memory: OpenMemory) -> None:
    names = anna.settle()
    hers, his = memory.of_account("anna"), memory.of_account("ben")
    lesson = hers.robot.learn("Mira fears thunder and 乌龙茶")
    hers.robot.start_session()
    number = lesson.get("memory_id", 0)
    arguments: dict[str, Json] = {
        "query": {"query": "thunder 乌龙茶"},
        "memory_id": {"memory_id": number},
        "text_id": {"memory_id": names["tool"]},
    }
    before = json.dumps([anna.get(url).json() for url in LISTS])

    answers = {
        tool["name"]: _call(box.call, tool, arguments)
        for box in toolboxes(his, "extended")
        for tool in box.listed()
    }

    assert len(answers) == 24
    for name, answer in answers.items():
        said = json.dumps(answer, ensure_ascii=False)
        assert "thunder" not in said.replace("thunder 乌龙茶", ""), name
        assert "Mira" not in said, name
        assert "茶" not in said.replace("thunder 乌龙茶", ""), name
    for name in ("forget", "update", "get", "history", "undo", "memory_update", "memory_delete"):
        assert answers[name]["isError"], name
    assert json.dumps([anna.get(url).json() for url in LISTS]) == before
    assert hers.robot.get(number)["status"] == "active"


def test_accounts_share_names_without_meeting(anna: Tenant, ben: Tenant) -> None:
    names = anna.settle()
    own = ben.settle()

    assert own["session_id"] == names["session_id"]
    assert anna.get("/sessions/story/turns").json()["meta"]["total"] == 1
    ben.data("DELETE", "/sessions/story")
    assert anna.get("/sessions/story/turns").json()["meta"]["total"] == 1


def test_an_edge_cannot_lead_into_another_account(anna: Tenant, ben: Tenant) -> None:
    theirs, own = anna.settle(), ben.settle()
    edge = {"from_id": own["memory_id"], "to_id": theirs["memory_id"], "relation": "supports"}

    answer = ben.send("POST", "/memory-edges", edge)

    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "memory_edge_node_not_found"


def test_the_history_names_the_key_that_changed_something(memory: OpenMemory, app: FastAPI) -> None:
    _, key = memory.keys.create("厨房机器人", account="anna")
    Visitor(app, key).send("POST", "/tools/memory_add", {"content": "茶", "memory_type": "core"})

    [event] = memory.of_account("anna").history(1)

    assert event.actor == "厨房机器人"


def test_the_worker_of_a_server_works_for_every_account(
    anna: Tenant, ben: Tenant, memory: OpenMemory
) -> None:
    for one in (anna, ben):
        one.data("POST", "/sessions", {"id": "story"})
        one.data("POST", "/sessions/story/turns", {**TURN, "mode": "async"})
        assert one.get("/memories").json()["data"] == []

    assert Worker(memory).work_off() >= 2

    for one in (anna, ben):
        assert one.get("/memories?q=thunder").json()["data"]


def test_what_other_accounts_add_gets_its_vector_from_the_servers_worker(
    open_it: Callable[..., OpenMemory],
) -> None:
    memory = open_it(embedder="hashing")
    app = guarded(memory)
    anna, ben = tenant(memory, app, "anna"), tenant(memory, app, "ben")
    chores = Chores(memory)
    worker = Worker(memory, chores=chores)
    worker.work_off()

    for one in (anna, ben):
        one.settle()
    chores.look_again()
    worker.work_off()

    assert memory.of_account("anna").embed_missing() == 0
    assert memory.of_account("ben").embed_missing() == 0


def _statements(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that grows by the name of every statement that SQLite is given."""
    done: list[str] = []
    prepare = SqliteDatabase._prepare  # pyright: ignore[reportPrivateUsage]

    def noting(db: SqliteDatabase, name: str, values: dict[str, object]) -> Any:
        # Which account a key belongs to is looked up once a second.
        if name not in ("key_find", "account_find"):
            done.append(name)
        return prepare(db, name, values)

    monkeypatch.setattr(SqliteDatabase, "_prepare", noting)
    return done


def _unnamed(text: str, names: Json) -> str:
    """Return an answer without the names that were asked for."""
    told = [*names["ids"], *(one for one in names.values() if isinstance(one, str))]
    for name in sorted(set(told), key=len, reverse=True):
        text = text.replace(name, "…")
    # A job that is made for the asker has a new name.
    return re.sub(r'"job_id":"[\w-]+"', '"job_id":"…"', text)


def _bare(path: str) -> str:
    return re.sub(r"{\w*}", "{}", path)


def _given(body: Json, names: Json) -> Json:
    """Return arguments with the names that stand for things; numbers stay numbers."""
    return {
        name: names["number"] if value == "{number}" else value.format_map(names)
        for name, value in body.items()
    }


def _call(call: Callable[..., Json], tool: Json, arguments: dict[str, Json]) -> Json:
    """Call a tool with what it needs, as somebody who guesses."""
    wanted = tool["inputSchema"]["properties"]
    needs = tool["inputSchema"].get("required", [])
    given: Json = {}
    if "query" in wanted:
        given |= arguments["query"]
    if "memory_id" in wanted:
        is_number = wanted["memory_id"].get("type") == "integer"
        given |= arguments["memory_id" if is_number else "text_id"]
    guesses = {"conversation_id": "tea", "session_id": "guess"}
    given |= {name: guesses[name] for name in guesses if name in wanted and name in needs}
    for name in needs:
        given.setdefault(name, ["a lesson"] if name == "insights" else "something else")
    return call(tool["name"], given)
