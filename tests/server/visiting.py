"""Visitors of a server without a socket: each with a key, or without one."""

from typing import Any, Final

import anyio
import httpx2
from fastapi import FastAPI

from mnemic.opening import OpenMemory
from mnemic.records.access_key import Right
from mnemic.server.app import build_app
from mnemic.settings import ServerSettings

Json = dict[str, Any]
HOME: Final = "http://localhost:7077"


def guarded(memory: OpenMemory, **settings: Any) -> FastAPI:
    """Return a server that lets in only who has a key."""
    return build_app(memory, settings=ServerSettings(auth="keys", **settings))


class Visitor:
    """Somebody who sends requests to an app, with the same headers every time."""

    def __init__(self, app: FastAPI, key: str | None = None, **headers: str) -> None:
        self._app = app
        self.headers = {} if key is None else {"x-api-key": key}
        self.headers |= headers

    def send(self, method: str, url: str, body: object = None, **headers: str) -> httpx2.Response:
        """Send one request."""

        async def once() -> httpx2.Response:
            transport = httpx2.ASGITransport(app=self._app, raise_app_exceptions=False)
            async with httpx2.AsyncClient(transport=transport, base_url=HOME) as client:
                said = {**self.headers, **headers}
                return await client.request(method, url, json=body, headers=said)

        return anyio.run(once)

    def get(self, url: str, **headers: str) -> httpx2.Response:
        """Ask for something."""
        return self.send("GET", url, **headers)


def visitor(
    memory: OpenMemory, app: FastAPI, account: str = "default", right: Right = "write"
) -> Visitor:
    """Return somebody with a new key for an account."""
    _, key = memory.keys.create(f"{account}'s program", account=account, right=right)
    return Visitor(app, key)


def code_of(response: httpx2.Response) -> str:
    """Return the code of a refusal."""
    return response.json()["error"]["code"]
