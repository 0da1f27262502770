"""Promises of MCP over HTTP that need a socket: the server asks back, and the old transport."""

import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from time import sleep

import anyio
import pytest
import uvicorn
from mcp import Client
from mcp.client.session import ClientRequestContext
from mcp.client.sse import sse_client
from mcp_types import CreateMessageRequestParams, CreateMessageResult, TextContent

import mnemic
from mnemic.opening import OpenMemory
from mnemic.server.app import build_app
from mnemic.server.running import address_of, listen
from mnemic.settings import ServerSettings
from tests.mcp.mcp_calling import MODES


@pytest.fixture
def memory() -> Iterator[OpenMemory]:
    with mnemic.open(":memory:", embedder="none") as opened:
        yield opened


@contextmanager
def serving(memory: OpenMemory, *, sse: bool = False) -> Generator[str]:
    """Give the address of a server in another thread."""
    app = build_app(memory, settings=ServerSettings(sse=sse))
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="on"))
    with listen("127.0.0.1", 0) as listening:
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            while not server.started:
                sleep(0.01)
            yield address_of(listening)
        finally:
            server.should_exit = True
            thread.join()


async def reply(
    context: ClientRequestContext, params: CreateMessageRequestParams
) -> CreateMessageResult:
    """Answer as the model of a client does."""
    assert context.request_id is not None
    content = TextContent(type="text", text=f"Asked with {len(params.messages)} message")
    return CreateMessageResult(role="assistant", content=content, model="test")


@pytest.mark.parametrize("mode", MODES)
def test_the_model_of_a_client_is_asked_while_its_call_waits(memory: OpenMemory, mode: str) -> None:
    async def chat(url: str) -> tuple[str, str]:
        async with Client(f"{url}/mcp", mode=mode, sampling_callback=reply) as client:
            result = await client.call_tool("memory_chat", {"message": "Hello"})
            assert result.structured_content is not None
            data = result.structured_content["data"]
            return data["mode"], data["response"]

    with serving(memory) as url:
        assert anyio.run(chat, url) == ("sampling", "Asked with 1 message")


def test_the_old_transport_is_there_when_it_is_switched_on(memory: OpenMemory) -> None:
    async def use(url: str) -> list[str]:
        async with Client(sse_client(f"{url}/sse"), mode="legacy") as client:
            await client.call_tool("learn", {"insight": "夹爪要先减速"})
            found = await client.call_tool("recall", {"query": "减速"})
            assert found.structured_content is not None
            return [one["content"] for one in found.structured_content["memories"]]

    with serving(memory, sse=True) as url:
        assert anyio.run(use, url) == ["夹爪要先减速"]
