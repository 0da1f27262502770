"""Promises of `POST /sdk/{verb}`: rights, limits, and an answer to whatever is sent."""

import json
import logging
from collections.abc import Callable, Iterator
from typing import Any, get_args

import anyio
import httpx2
import pytest
from starlette.applications import Starlette

import mnemic
from mnemic.opening import OpenMemory
from mnemic.records.access_key import Right, includes
from mnemic.rpc.rpc_route import sdk_routes
from mnemic.rpc.verbs import VERBS
from tests.dialects.chat_calling import Api

MIB = 1024 * 1024
JSON = "application/json"

WRONG: list[tuple[str, Any]] = [
    ("recall", b""),
    ("recall", b"not json"),
    ("recall", b"[]"),
    ("recall", b"[" * 100_000),
    ("recall", b'{"query": {"text": "x"}, "more": 1}'),
    ("recall", {"query": {"text": "x", "more": 1}}),
    ("recall", {"query": {"text": 5}}),
    ("recall", {"query": {}}),
    ("recall", {"query": "x"}),
    ("recall", {"query": {"text": "x" * 10_001}}),
    ("recall", {"query": {"text": "x", "mode": "best"}}),
    ("recall", {"query": {"text": "x", "mode": []}}),
    ("recall", {"query": {"text": "x", "scopes": [{"kind": "planet", "name": "x"}]}}),
    ("recall", {"query": {"text": "x", "matching": 1}}),
    ("browse", {"limit": 1_001}),
    ("browse", {"limit": -1}),
    ("browse", {"limit": True}),
    ("browse", {"limit": 5.5}),
    ("browse", {"filter": {"conditions": [{"path": ["a.b"], "op": "eq", "value": 1}]}}),
    ("browse", {"filter": {"conditions": [{"path": [""], "op": "eq", "value": 1}]}}),
    ("browse", {"filter": {"conditions": [{"path": ["a"], "op": "eq", "value": [1]}]}}),
    ("browse", {"filter": {"conditions": [{"path": ["a"], "op": "lt", "value": "1"}]}}),
    ("browse", {"filter": {"conditions": [{"path": ["", "kind"], "op": "eq", "value": "x"}]}}),
    ("browse", {"filter": {"conditions": [{"path": ["", "kind"], "op": "in", "value": "x"}]}}),
    ("browse", {"filter": {"conditions": [{"path": ["created_at"], "op": "in", "value": 1}]}}),
    ("browse", {"filter": {"conditions": [{}]}}),
    ("browse", {"filter": {"conditions": [{"path": ["a"], "op": "eq"}] * 51}}),
    ("recall", {"query": {"text": "x", "near": {"path": ["a"], "target": ["b"]}}}),
    ("get", {"memory_id": 2**63}),
    ("get", {"memory_id": None}),
    ("get", {}),
    ("remember", {"draft": {"content": "x", "context": [1]}}),
    ("remember", {"draft": {"content": "x", "context": {"a": "\x00"}}}),
    ("remember_many", {"drafts": [{"content": "x"}] * 10_001}),
    ("converse", {"chat": {"message": {"role": "user", "content": "x"}}, "sampling": None}),
    ("chat.item", {"item_id": "\x00"}),
    ("chat.item", b'{"item_id": "\\ud800"}'),
    ("chat.sessions", {"offset": -1}),
    ("chat.items", {"wanted": {"created_from": "yesterday"}}),
    ("chat.items", {"wanted": {}, "paging": {"limit": 10_000}}),
    ("chat.change_item", {"item_id": "x", "wanted": {"content": None}}),
    ("chat.set_status", {"ids": "abc", "status": "active"}),
    ("robot.recall", {"query": 5}),
    ("robot.recall", {"question": "x"}),
    ("assistant.call", {}),
]


@pytest.fixture(scope="module")
def memory() -> Iterator[OpenMemory]:
    """A memory that nothing is put into but sensor data."""
    with mnemic.open(":memory:", embedder="none") as opened:
        yield opened


class Sdk:
    """The route alone, asked by somebody who has a right."""

    def __init__(self, memory_of: Callable[[Any], OpenMemory], held: Right = "admin") -> None:
        routes = sdk_routes(memory_of, lambda _, right: includes(held, right))
        self._app = Starlette(routes=routes)

    def post(self, verb: str, body: Any, media: str = JSON) -> httpx2.Response:
        """Send one request; return its answer."""
        sent = body if isinstance(body, bytes) else json.dumps(body).encode()

        async def once() -> httpx2.Response:
            transport = httpx2.ASGITransport(app=self._app)
            async with httpx2.AsyncClient(transport=transport, base_url="http://test") as client:
                return await client.post(
                    f"/sdk/{verb}", content=sent, headers={"content-type": media}
                )

        return anyio.run(once)


def post(
    memory: OpenMemory, verb: str, body: Any, *, held: Right = "admin", media: str = JSON
) -> httpx2.Response:
    """Send one request to the route on a memory."""
    return Sdk(lambda _: memory, held).post(verb, body, media)


def code(response: httpx2.Response, status: int) -> str:
    assert response.status_code == status, response.text
    return response.json()["error"]["code"]


@pytest.mark.parametrize("held", get_args(Right))
def test_a_verb_is_refused_to_whoever_lacks_its_right(memory: OpenMemory, held: Right) -> None:
    for name, verb in VERBS.items():
        given = {"name": "memory_add"} if name == "assistant.call" else {"nothing": 1}
        response = post(memory, name, given, held=held)
        if includes(held, verb.right):
            assert response.status_code != 403, name
        else:
            assert code(response, 403) == "auth_insufficient_scope"


def test_the_tools_of_the_assistant_that_only_read_need_no_more_than_that(
    memory: OpenMemory,
) -> None:
    search = {"name": "memory_search", "params": {"query": "tea"}}
    assert post(memory, "assistant.call", search, held="read").status_code == 200
    assert post(memory, "assistant.call", {"name": "memory_chat"}, held="read").status_code == 403


@pytest.mark.parametrize(("verb", "body"), WRONG)
def test_what_is_not_allowed_is_refused_with_the_parameter_and_what_is_allowed(
    memory: OpenMemory, verb: str, body: Any
) -> None:
    response = post(memory, verb, body)

    assert code(response, 400) == "validation_error"
    assert set(response.json()["error"]["details"]) == {"parameter", "problem", "allowed"}


def test_a_verb_that_is_none_is_told_with_the_servers_version(memory: OpenMemory) -> None:
    for verb in ("fly", "robot.fly", "close", "chat.take_job", "_workspace", "robot._own"):
        response = post(memory, verb, {})
        assert code(response, 404) == "unknown_verb"
        assert mnemic.__version__ in response.json()["error"]["message"]


def test_only_json_is_read_which_no_foreign_page_can_send_unasked(memory: OpenMemory) -> None:
    response = post(memory, "now", {"a": 1}, media="text/plain")

    assert code(response, 415) == "unsupported_media_type"


def test_a_body_is_read_up_to_48_mib(memory: OpenMemory) -> None:
    assert code(post(memory, "now", b" " * (48 * MIB + 1)), 413) == "payload_too_large"


def test_sensor_data_of_16_mib_arrives_as_it_was(memory: OpenMemory) -> None:
    data = json.dumps(["力" * (5 * MIB), 0.1 + 0.2, '"' * (MIB // 4)], ensure_ascii=False)
    given = {"description": "Force while lifting", "data": data}

    stored = post(memory, "robot.save_perception", given)
    assert stored.status_code == 200, stored.text
    number = stored.json()["data"]["memory_id"]

    assert len(data.encode()) > 15 * MIB
    assert post(memory, "payload", {"memory_id": number}).json()["data"]["data"] == data


def test_what_breaks_inside_tells_a_number_and_logs_no_memory(
    caplog: pytest.LogCaptureFixture,
) -> None:
    private = "我的秘密"

    def broken(_: Any) -> OpenMemory:
        raise RuntimeError(private)

    with caplog.at_level(logging.DEBUG):
        response = Sdk(broken).post("robot.recall", {"query": private})

    assert code(response, 500) == "internal_error"
    assert response.json()["error"]["details"]["request_id"] in caplog.text
    assert private not in response.text + caplog.text


def test_the_route_is_on_the_server_and_not_in_the_document_of_the_chat(
    memory: OpenMemory,
) -> None:
    api = Api(memory)

    assert api.ok("POST", "/sdk/robot.list", {"collection": "empty"}) == {"data": []}
    assert not any(path.startswith("/sdk") for path in api.ok("GET", "/openapi.json")["paths"])
    assert api.send("GET", "/sdk/now").status_code == 405


def test_calls_are_counted_by_their_verbs(memory: OpenMemory) -> None:
    api = Api(memory)
    api.ok("POST", "/sdk/robot.recall", {"query": "a mug"})
    api.send("POST", "/sdk/robot.fly", {})

    counted = api.send("GET", "/metrics").text

    assert 'route="/sdk/robot.recall",status="200"} 1.0' in counted
    assert 'route="/sdk/{verb}",status="404"} 1.0' in counted
