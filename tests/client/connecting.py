"""A client that talks to a server without a socket."""

from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from typing import Any, cast

import httpx2
from anyio.from_thread import BlockingPortal, start_blocking_portal
from fastapi import FastAPI

from mnemic import AsyncClient, Client
from mnemic.opening import OpenMemory
from mnemic.server.app import build_app

URL = "http://localhost"


class AppTransport(httpx2.BaseTransport):
    """Carries requests of a synchronous client to an app in this process."""

    def __init__(self, app: Any, portal: BlockingPortal, asked: set[str]) -> None:
        self._app = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
        self._portal = portal
        self._asked = asked

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        self._asked.add(request.url.path)
        return self._portal.call(self._answer, request)

    async def _answer(self, request: httpx2.Request) -> httpx2.Response:
        sent = httpx2.Request(
            request.method, request.url, headers=request.headers, content=request.read()
        )
        response = await self._app.handle_async_request(sent)
        content = await response.aread()
        return httpx2.Response(response.status_code, headers=response.headers, content=content)


@contextmanager
def client_of(
    memory: OpenMemory, *, app: FastAPI | None = None, asked: set[str] | None = None, **more: Any
) -> Generator[Client]:
    """Give a client of a server on a memory; the paths that it asks for are noted in `asked`."""
    with start_blocking_portal() as portal:
        transport = AppTransport(
            app or build_app(memory), portal, set() if asked is None else asked
        )
        with Client(URL, transport=transport, **more) as client:
            yield client


def async_client_of(memory: OpenMemory, **more: Any) -> AsyncClient:
    """Return an asynchronous client of a server on a memory."""
    return AsyncClient(URL, transport=httpx2.ASGITransport(app=build_app(memory)), **more)


@contextmanager
def awaited_client_of(memory: OpenMemory, *, asked: set[str]) -> Generator[Client]:
    """Give an asynchronous client to a program that awaits nothing: it is done for it."""

    class Noting(httpx2.ASGITransport):
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            asked.add(request.url.path)
            return await super().handle_async_request(request)

    client = AsyncClient(URL, transport=Noting(app=build_app(memory)))
    with start_blocking_portal() as portal:
        yield cast("Client", Awaiting(client, portal))
        portal.call(client.close)


class Awaiting:
    """An asynchronous client, or a part of one, whose verbs return when they are done."""

    def __init__(self, part: Any, portal: BlockingPortal) -> None:
        self._part = part
        self._portal = portal

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._part, name)
        if not callable(found):
            return Awaiting(found, self._portal)

        def verb(*args: Any, **kwargs: Any) -> Any:
            return self._portal.call(partial(found, *args, **kwargs))

        return verb
