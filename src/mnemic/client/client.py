"""`Client` and `AsyncClient`: the verbs of an open memory, done by a server."""

import asyncio
import os
import random as chance
import time
from collections.abc import Awaitable, Callable, Mapping
from types import TracebackType
from typing import Any, Final, Self

import anyio
import httpx2

from mnemic.client.parts import (
    AssistantVerbs,
    AsyncAssistantVerbs,
    AsyncChatVerbs,
    AsyncEngineVerbs,
    AsyncRobotVerbs,
    ChatVerbs,
    EngineVerbs,
    RobotVerbs,
)
from mnemic.client.sending import AsyncSender, Sender, ServerEndpoint, server_at

_USUAL: Final = "http://127.0.0.1:7077"


class Assistant(AssistantVerbs):
    """The assistant's tools, called by their names."""

    async def execute_tool(
        self, name: str, params: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """Call a tool and return its envelope; the waiting is done in a thread."""
        return await asyncio.to_thread(self.call, name, params)


class AsyncAssistant(AsyncAssistantVerbs):
    """The assistant's tools, called by their names."""

    async def execute_tool(
        self, name: str, params: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """Call a tool and return its envelope."""
        return await self.call(name, params)


class Client(EngineVerbs):
    """A memory behind an address, with the verbs of one that `mnemic.open` returns.

    Without a `url`, `MNEMIC_URL` says where the server is, else it is this machine's; without a
    `key`, it is `MNEMIC_API_KEY`, if there is one. A server may be silent for `timeout` seconds;
    give more where a language model has to answer. A call that failed for a passing reason is
    repeated up to `retries` times, but only where it cannot be done twice by that.

    Threads may share it; close it, or use it in a `with`. `transport`, `sleep` and `random` are
    for tests.
    """

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        timeout: float = 30.0,
        retries: int = 2,
        transport: httpx2.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
        random: Callable[[], float] = chance.random,
    ) -> None:
        server = _server(url, key, timeout=timeout, retries=retries, random=random)
        self._sender = Sender(server, sleep, transport)
        super().__init__(self._sender)
        self.url = server.url
        self.robot = RobotVerbs(self._sender)
        self.assistant = Assistant(self._sender)
        self.chat = ChatVerbs(self._sender)

    def close(self) -> None:
        """Close the connections; the server goes on."""
        self._sender.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Client({self.url!r})"


class AsyncClient(AsyncEngineVerbs):
    """A memory behind an address, with the verbs of an open one, each to be awaited.

    It is made as a `Client` is; close it with `await client.close()`, or use it in an `async with`.
    """

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        timeout: float = 30.0,
        retries: int = 2,
        transport: httpx2.AsyncBaseTransport | None = None,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
        random: Callable[[], float] = chance.random,
    ) -> None:
        server = _server(url, key, timeout=timeout, retries=retries, random=random)
        self._sender = AsyncSender(server, sleep, transport)
        super().__init__(self._sender)
        self.url = server.url
        self.robot = AsyncRobotVerbs(self._sender)
        self.assistant = AsyncAssistant(self._sender)
        self.chat = AsyncChatVerbs(self._sender)

    async def close(self) -> None:
        """Close the connections; the server goes on."""
        await self._sender.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"AsyncClient({self.url!r})"


def _server(
    url: str | None,
    key: str | None,
    *,
    timeout: float,
    retries: int,
    random: Callable[[], float],
) -> ServerEndpoint:
    return server_at(
        url or os.environ.get("MNEMIC_URL") or _USUAL,
        key or os.environ.get("MNEMIC_API_KEY"),
        timeout=timeout,
        retries=retries,
        random=random,
    )
