"""MCP over HTTP without a socket, with keys that need no guard."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final, TypeVar

import anyio
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send

from mnemic.opening import OpenMemory
from mnemic.server.access.callers import Caller, let_in
from mnemic.server.mcp_http import McpEndpoint
from mnemic.settings import ServerSettings

T = TypeVar("T")
HOST: Final = "http://test"
KEY: Final = "x-key"
ACCEPT: Final = {"accept": "application/json, text/event-stream"}


class KeyTaker:
    """Lets in whoever names one of some callers."""

    def __init__(self, app: ASGIApp, callers: Mapping[str, Caller]) -> None:
        self._app = app
        self._callers = callers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            named = dict(scope["headers"]).get(KEY.encode(), b"").decode()
            let_in(scope, self._callers[named])
        await self._app(scope, receive, send)


class Http:
    """A server with an MCP door and nothing else."""

    def __init__(self, memory: OpenMemory, *callers: tuple[str, Caller], **settings: Any) -> None:
        door = McpEndpoint(memory, ServerSettings(**settings))
        app = Starlette(routes=door.routes(), lifespan=lambda _: door.open())
        self.app = KeyTaker(app, {"": Caller(memory), **dict(callers)})
        self._lifespan = app.router.lifespan_context(app)

    @asynccontextmanager
    async def opened(self, key: str = "", **headers: str) -> AsyncGenerator[httpx2.AsyncClient]:
        """Give somebody who sends requests with a key, for as long as the server runs."""
        async with self._lifespan, self.sender(key, **headers) as client:
            yield client

    def sender(self, key: str = "", **headers: str) -> httpx2.AsyncClient:
        """Return somebody who sends requests with a key."""
        return httpx2.AsyncClient(
            transport=httpx2.ASGITransport(app=self.app),
            base_url=HOST,
            headers={KEY: key, **ACCEPT, **headers},
        )

    def run(
        self,
        what: Callable[[Client], Awaitable[T]],
        key: str = "",
        *,
        mode: str = "auto",
        path: str = "/mcp",
    ) -> T:
        """Do something as a client of the SDK."""

        async def do() -> T:
            async with (
                self.opened(key) as sender,
                Client(streamable_http_client(HOST + path, http_client=sender), mode=mode) as one,
            ):
                return await what(one)

        return anyio.run(do)


def message(method: str, **params: Any) -> dict[str, Any]:
    """Return a request as it stands in a body."""
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


def greeting(version: str = "2025-11-25", **capabilities: Any) -> dict[str, Any]:
    """Return the request that opens a session."""
    client = {"name": "test", "version": "1"}
    return message(
        "initialize", protocolVersion=version, capabilities=capabilities, clientInfo=client
    )
