"""Promises to whoever runs a server that others try to trick: odd addresses, names and bodies."""

from collections.abc import AsyncIterator
from typing import Any, Final

import anyio
import httpx2
import pytest
from fastapi import FastAPI

from mnemic.administration.keys import Keys
from mnemic.errors import StorageError
from mnemic.opening import OpenMemory
from mnemic.server.access.addresses import names_of
from mnemic.server.access.limits import LimitedBody
from mnemic.server.app import build_app
from mnemic.settings import ServerSettings
from tests.server.visiting import HOME, Json, Visitor, code_of, guarded, visitor

ITEM: Final[Json] = {"scope": "chat", "scope_id": "s", "type": "fact", "content": "茶"}
LONG: Final = b"x" * 2_000


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/metrics"),
        ("POST", "/memory/jobs/j/retry"),
        ("POST", "/memory/jobs/a%0Ab/cancel"),
        ("POST", "/memory/scopes/chat/s/rebuild"),
        ("POST", "/memory/scopes/chat/s/compact"),
        ("POST", "/memory/scopes/chat/s/maintenance"),
    ],
)
def test_a_line_break_in_an_address_lends_no_right(
    memory: OpenMemory, method: str, path: str
) -> None:
    writer = visitor(memory, guarded(memory))

    for written in (path, f"{path}%0A", f"{path}%0a"):
        answer = writer.send(method, written, {})
        assert answer.status_code == 403, written
        assert code_of(answer) == "auth_insufficient_scope"


def test_what_a_server_counts_of_all_accounts_is_for_its_own(memory: OpenMemory) -> None:
    app = guarded(memory)

    assert visitor(memory, app, "default", "admin").get("/metrics").status_code == 200
    for written in ("/metrics", "/metrics%0A"):
        refused = visitor(memory, app, "anna", "admin").get(written)
        assert refused.status_code == 403
        assert code_of(refused) == "auth_insufficient_scope"
        assert "mnemic_memories" not in refused.text


@pytest.mark.parametrize(
    "path", ["/memories", "/tools/memory_add", "/sdk/robot.learn", "/mcp", "/sessions/s/context"]
)
def test_a_body_that_does_not_say_how_large_it_is_has_the_same_limit(
    memory: OpenMemory, path: str
) -> None:
    app = build_app(memory, settings=ServerSettings(max_body=1_000))

    answer = _streamed(app, path, [b'{"content": "', LONG, b'"}'])

    assert answer.status_code == 413
    assert "1000" in answer.text
    assert Visitor(app).send("POST", "/memories", ITEM).status_code == 201


def test_a_body_has_to_come_in_time() -> None:
    now = [0.0]
    parts = [(5.0, b"x" * 100_000), (12.0, b"x"), (99.0, b"x")]

    async def receive() -> Json:
        seconds, part = parts.pop(0)
        now[0] += seconds
        return {"type": "http.request", "body": part, "more_body": True}

    body = LimitedBody(receive, 1_000_000, seconds=10, clock=lambda: now[0])

    anyio.run(body.whole)

    # At ten thousand bytes a second, the first part may take ten seconds more.
    assert parts == []
    assert body.kept == 100_001
    assert body.refusal is not None
    assert body.refusal.status == 408


def test_a_client_that_falls_silent_in_its_body_is_sent_away(memory: OpenMemory) -> None:
    async def never() -> Any:
        await anyio.sleep_forever()

    body = LimitedBody(never, 1_000, seconds=0)

    anyio.run(body.whole)

    assert body.refusal is not None
    assert body.refusal.code == "request_timeout"


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "https://]", "\xff\xfe"])
def test_an_origin_that_is_none_is_refused(memory: OpenMemory, origin: str) -> None:
    async def send() -> httpx2.Response:
        async with _client(build_app(memory)) as client:
            headers = [(b"origin", origin.encode("latin-1"))]
            return await client.get("/memories", headers=headers)

    answer = anyio.run(send)

    assert answer.status_code == 403
    assert code_of(answer) == "origin_not_allowed"


@pytest.mark.parametrize(
    ("name", "values", "status"),
    [
        ("host", ("evil.example", "localhost:7077"), 421),
        ("origin", ("https://evil.example", HOME), 403),
        ("x-api-key", ("wrong", "{key}"), 403),
    ],
)
def test_a_header_that_is_sent_twice_hides_nothing(
    memory: OpenMemory, name: str, values: tuple[str, str], status: int
) -> None:
    app = guarded(memory)
    _, key = memory.keys.create("robot")
    sent = [] if name == "x-api-key" else [("x-api-key", key)]

    async def send(*given: str) -> httpx2.Response:
        async with _client(app) as client:
            headers = [*sent, *((name, one.format(key=key)) for one in given)]
            return await client.get("/memories", headers=headers)

    assert anyio.run(send, values[1]).status_code == 200
    assert anyio.run(send, *values).status_code == status
    assert anyio.run(send, *reversed(values)).status_code == status


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        *(("localhost", True), ("LOCALHOST:1", True), ("127.0.0.1:7077", True), ("[::1]:9", True)),
        *(("localhost.", False), ("[::1].evil.example", False), ("[::1]evil", False)),
        *(("127.0.0.1:7077.evil.example", False), ("localhost:@evil", False), ("::1", False)),
        *(("127.0.0.1.nip.io", False), ("", False), ("localhost, evil.example", False)),
        *(("memory.example", True), ("memory.example:443", True), ("10.0.0.7", True)),
    ],
)
def test_a_server_knows_its_names_however_they_are_written(host: str, allowed: bool) -> None:
    names = names_of(ServerSettings(allowed_hosts="memory.example:8443, 10.0.0.7"))

    assert names.allow_host(host) is allowed


@pytest.mark.parametrize("name", [["memory_add"], {"a": 1}, None, 7])
def test_a_tool_whose_name_is_no_text_is_refused(memory: OpenMemory, name: object) -> None:
    reader = visitor(memory, guarded(memory), right="read")

    answer = reader.send("POST", "/sdk/assistant.call", {"name": name, "params": {}})

    assert answer.status_code == 400
    assert code_of(answer) == "validation_error"


def test_a_store_that_fails_while_a_key_is_looked_up_is_told_in_the_words_of_each_api(
    memory: OpenMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    nobody = Visitor(guarded(memory), "mnm_x_y")

    def broken(*_: object) -> None:
        raise StorageError("postgresql://owner@db.example cannot be reached")

    monkeypatch.setattr(Keys, "check", broken)
    tool = nobody.send("POST", "/tools/memory_search", {"query": "茶"})
    rest = nobody.get("/memories")

    assert (tool.status_code, tool.json()["error"]["code"]) == (503, "BACKEND_ERROR")
    assert (rest.status_code, code_of(rest)) == (500, "internal_error")
    assert "db.example" not in tool.text + rest.text


def _client(app: FastAPI) -> httpx2.AsyncClient:
    transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
    return httpx2.AsyncClient(transport=transport, base_url=HOME)


def _streamed(app: FastAPI, path: str, parts: list[bytes]) -> httpx2.Response:
    """Send a body in parts, without saying how many bytes it has."""

    async def sent() -> AsyncIterator[bytes]:
        for part in parts:
            yield part

    async def once() -> httpx2.Response:
        async with app.router.lifespan_context(app), _client(app) as client:
            headers = {
                "content-type": "application/json",
                "accept": "application/json, text/event-stream",
            }
            return await client.post(path, content=sent(), headers=headers)

    return anyio.run(once)
