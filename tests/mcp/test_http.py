"""Promises of MCP over HTTP: one account a key, one session a key, and the protocol's errors."""

import json
from collections.abc import Iterator
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client, MCPError
from mcp_types import CallToolResult, TextContent, TextResourceContents

import mnemic
from mnemic.errors import SettingsError
from mnemic.opening import OpenMemory
from mnemic.server.access.callers import Caller
from mnemic.server.app import build_app
from mnemic.server.mcp_http import McpEndpoint
from mnemic.settings import ServerSettings
from tests.conftest import OpenIt
from tests.mcp.mcp_calling import MODES, problem_of
from tests.mcp.mcp_http_calling import Http, greeting, message

READERS = ["recall", "memory_search", "memory_get_profile"]


@pytest.fixture
def memory() -> Iterator[OpenMemory]:
    """A memory of any kind; what depends on the store opens one on each backend."""
    with mnemic.open(":memory:", embedder="none") as opened:
        yield opened


def said(result: CallToolResult) -> Any:
    assert not result.is_error, result.content
    return result.structured_content


async def read(client: Client, uri: str) -> Any:
    [found] = (await client.read_resource(uri)).contents
    assert isinstance(found, TextResourceContents)
    assert found.mime_type == "application/json"
    return json.loads(found.text)


@pytest.mark.parametrize("mode", MODES)
def test_a_client_learns_recalls_reads_and_is_taught(open_it: OpenIt, mode: str) -> None:
    async def use(client: Client) -> None:
        kept = said(await client.call_tool("learn", {"insight": "夹爪要先减速"}))["memory_id"]
        found = said(await client.call_tool("recall", {"query": "减速"}))
        added = {"content": "I like oolong tea", "memory_type": "core"}
        said(await client.call_tool("memory_add", added))
        assert [one["content"] for one in found["memories"]] == ["夹爪要先减速"]
        assert (await read(client, "memory://stats"))["kinds"] == {"core": 1, "fact": 1}
        newest = (await read(client, "memory://recent"))["memories"]
        assert [one["text"] for one in newest] == ["I like oolong tea", "夹爪要先减速"]
        assert (await read(client, f"memory://memories/{kept}"))["text"] == "夹爪要先减速"
        [taught] = (await client.get_prompt("use-memory", {"language": "zh"})).messages
        assert isinstance(taught.content, TextContent)
        assert "memory_search" in taught.content.text

    Http(open_it()).run(use, mode=mode)


@pytest.mark.parametrize("mode", MODES)
def test_a_key_reaches_the_memories_of_its_account_only(open_it: OpenIt, mode: str) -> None:
    memory = open_it()
    other = memory.of_account("other")
    server = Http(memory, ("a", Caller(memory, "write", "k1")), ("b", Caller(other, "write", "k2")))
    path = "/mcp?profile=extended"

    async def tell(client: Client) -> int:
        user = {"content": "I like oolong tea", "memory_type": "core"}
        said(await client.call_tool("memory_add", user))
        return said(await client.call_tool("learn", {"insight": "Oolong tea is hot"}))["memory_id"]

    kept = server.run(tell, "a", mode=mode, path=path)

    async def pry(client: Client) -> None:
        assert said(await client.call_tool("recall", {"query": "tea"}))["memories"] == []
        assert said(await client.call_tool("list", {}))["result"] == []
        found = said(await client.call_tool("memory_search", {"query": "tea"}))
        assert found["data"]["total_results"] == 0
        for tool in ("get", "history", "undo"):
            assert (await client.call_tool(tool, {"memory_id": kept})).is_error
        assert (await client.call_tool("forget", {"memory_id": kept, "reason": "x"})).is_error
        assert (await read(client, "memory://stats"))["memories"] == 0
        assert (await read(client, "memory://recent"))["memories"] == []
        with pytest.raises(MCPError, match="no memory"):
            await read(client, f"memory://memories/{kept}")

    Http(memory, ("b", Caller(other, "write", "k2"))).run(pry, "b", mode=mode, path=path)


def test_a_session_is_only_for_the_key_that_opened_it(memory: OpenMemory) -> None:
    callers = [(key, Caller(memory, "write", key)) for key in ("k1", "k2")]
    server = Http(memory, *callers)

    async def share() -> list[int]:
        async with server.opened("k1") as owner, server.sender("k2") as thief:
            opened = await owner.post("/mcp", json=greeting())
            session = {"mcp-session-id": opened.headers["mcp-session-id"]}
            return [
                (await one.post("/mcp", json=message("ping"), headers=session)).status_code
                for one in (owner, thief, server.sender(), owner)
            ]

    assert anyio.run(share) == [200, 404, 404, 200]


@pytest.mark.parametrize("mode", MODES)
def test_who_may_only_read_is_shown_what_reads_and_told_what_is_missing(
    memory: OpenMemory, mode: str
) -> None:
    async def try_it(client: Client) -> tuple[list[str], CallToolResult, list[CallToolResult]]:
        names = [one.name for one in (await client.list_tools()).tools]
        found = await client.call_tool("recall", {"query": "anything"})
        tea = {"content": "I like tea", "memory_type": "core"}
        return (
            names,
            found,
            [
                await client.call_tool("learn", {"insight": "Keep left"}),
                await client.call_tool("memory_add", tea),
            ],
        )

    server = Http(memory, ("r", Caller(memory, "read", "k1")))
    names, found, [learned, added] = server.run(try_it, "r", mode=mode)

    assert names == READERS
    assert not found.is_error
    assert learned.is_error
    assert "'write'" in str(learned.content)
    problem = problem_of(added)
    assert problem["code"] == "AUTH_INSUFFICIENT_SCOPE"
    assert "'write'" in problem["details"]
    assert memory.count() == 0


@pytest.mark.parametrize(
    ("path", "number"), [("/mcp", 4), ("/mcp?profile=robot", 7), ("/mcp?profile=extended", 24)]
)
def test_an_address_may_name_another_profile(memory: OpenMemory, path: str, number: int) -> None:
    async def count(client: Client) -> int:
        return len((await client.list_tools()).tools)

    assert Http(memory, mcp_profile="assistant").run(count, path=path) == number


def test_a_profile_that_is_not_there_is_refused(memory: OpenMemory) -> None:
    [answer] = answers(memory, ("POST", "/mcp?profile=human", greeting()))

    assert answer.status_code == 400
    assert "robot-extended" in answer.json()["error"]["message"]
    with pytest.raises(SettingsError, match="mcp_profile=human: use robot, "):
        McpEndpoint(memory, ServerSettings(mcp_profile="human"))


def test_a_call_is_answered_with_plain_json_unless_the_client_can_be_asked_back(
    memory: OpenMemory,
) -> None:
    plain, asked = answers(
        memory, ("POST", "/mcp", greeting()), ("POST", "/mcp", greeting(sampling={}))
    )

    assert plain.headers["content-type"] == "application/json"
    assert asked.headers["content-type"].startswith("text/event-stream")
    assert plain.headers["mcp-session-id"] != asked.headers["mcp-session-id"]


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_older_protocols_are_spoken_too(memory: OpenMemory, version: str) -> None:
    [answer] = answers(memory, ("POST", "/mcp", greeting(version)))

    assert answer.json()["result"]["protocolVersion"] == version


def test_errors_of_transport_are_those_of_the_protocol(memory: OpenMemory) -> None:
    async def go_wrong() -> list[int]:
        async with Http(memory, max_body=1_000).opened() as sender:
            session = {"mcp-session-id": "none"}
            sent = [
                sender.post("/mcp", json=message("ping"), headers=session),
                sender.post("/mcp", json=message("ping")),
                sender.post("/mcp", content=b"{", headers={"content-type": "application/json"}),
                sender.post("/mcp", json=greeting(), headers={"accept": "text/html"}),
                sender.post("/mcp", json=message("ping", much="x" * 2_000)),
                sender.delete("/mcp", headers=session),
                sender.get("/mcp", headers={"mcp-protocol-version": "2026-07-28"}),
                sender.get("/sse"),
                sender.post("/sse/messages", json=greeting()),
            ]
            return [(await one).status_code for one in sent]

    assert anyio.run(go_wrong) == [404, 400, 400, 406, 413, 404, 405, 404, 404]


def test_a_session_that_is_deleted_is_gone(memory: OpenMemory) -> None:
    async def end() -> list[int]:
        async with Http(memory).opened() as sender:
            opened = await sender.post("/mcp", json=greeting())
            session = {"mcp-session-id": opened.headers["mcp-session-id"]}
            sent = [
                sender.delete("/mcp", headers=session),
                sender.post("/mcp", json=message("ping"), headers=session),
            ]
            return [(await one).status_code for one in sent]

    assert anyio.run(end) == [200, 404]


def test_the_door_stands_in_the_server_and_is_shut_until_that_runs(memory: OpenMemory) -> None:
    app = build_app(memory)
    transport = httpx2.ASGITransport(app=app)

    async def knock() -> list[int]:
        base = "http://127.0.0.1:7077"
        async with httpx2.AsyncClient(transport=transport, base_url=base) as sender:

            async def status(path: str = "/mcp") -> int:
                return (await sender.post(path, json=greeting())).status_code

            found = [await status()]
            async with app.router.lifespan_context(app):
                found += [await status(), await status("/mcp/")]
            found.append(await status())
            async with app.router.lifespan_context(app):
                found.append(await status())
            return found

    assert anyio.run(knock) == [503, 200, 404, 503, 200]
    assert "/mcp" not in app.openapi()["paths"]


def answers(memory: OpenMemory, *requests: tuple[str, str, Any]) -> list[httpx2.Response]:
    """Send requests one after the other and return their answers."""

    async def send() -> list[httpx2.Response]:
        async with Http(memory).opened() as sender:
            return [
                await sender.request(method, path, json=body) for method, path, body in requests
            ]

    return anyio.run(send)
