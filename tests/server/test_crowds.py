"""Promises to a server that is reached by too much at once: sessions, and heads of requests."""

import asyncio
import json
from collections.abc import Callable
from typing import Any, Final, cast

import anyio
import httpx2
import pytest
import uvicorn
from uvicorn.server import ServerState

from mnemic.opening import OpenMemory
from mnemic.server import mcp_sessions
from mnemic.server.access.callers import Caller
from mnemic.server.access.heads import BoundedHeadProtocol
from tests.mcp.mcp_http_calling import Http, greeting

HEAD: Final = b"GET /version HTTP/1.1\r\nHost: localhost\r\n"


def test_a_key_opens_so_many_sessions_and_leaves_others_theirs(
    memory: OpenMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mcp_sessions, "MOST_SESSIONS", 3)
    callers = [(name, Caller(memory, key_id=name)) for name in ("anna", "ben")]
    http = Http(memory, *callers)

    async def open_many() -> list[httpx2.Response]:
        async with http.opened("anna") as anna, http.sender("ben") as ben:
            sampling = greeting(sampling={})
            first = await anna.post("/mcp", json=greeting())
            second = await anna.post("/mcp?profile=robot", json=greeting())
            third = await anna.post("/mcp", json=sampling)
            refused = await anna.post("/mcp?profile=extended", json=greeting())
            other = await ben.post("/mcp", json=greeting())
            await anna.delete("/mcp", headers={"mcp-session-id": first.headers["mcp-session-id"]})
            again = await anna.post("/mcp", json=greeting())
            return [first, second, third, refused, other, again]

    answers = anyio.run(open_many)

    assert [one.status_code for one in answers] == [200, 200, 200, 429, 200, 200]
    assert int(answers[3].headers["retry-after"]) > 0
    assert "DELETE" in json.loads(answers[3].text)["error"]["message"]


class _Line(asyncio.Transport):
    """A line that notes what is written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.is_open = True

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += bytes(data)

    def close(self) -> None:
        self.is_open = False

    def is_closing(self) -> bool:
        return not self.is_open

    def pause_reading(self) -> None: ...


class _Alarms:
    """A loop that only notes what is to be done later."""

    def __init__(self) -> None:
        self.pending: list[tuple[float, Callable[[], None]]] = []

    def call_later(self, seconds: float, what: Callable[[], None]) -> Any:
        alarm = (seconds, what)
        self.pending.append(alarm)
        return _Alarm(lambda: self.pending.remove(alarm))

    def create_task(self, work: Any, **_: Any) -> Any:
        work.close()
        return _Alarm(lambda: None)


class _Alarm:
    def __init__(self, cancel: Callable[[], None]) -> None:
        self.cancel = cancel

    def add_done_callback(self, _: object) -> None: ...


def connected() -> tuple[BoundedHeadProtocol, _Line, _Alarms]:
    """Return a connection that has just been made."""

    async def app(scope: object, receive: object, send: object) -> None: ...

    config = uvicorn.Config(app, log_config=None)
    config.load()
    line, alarms = _Line(), _Alarms()
    made = BoundedHeadProtocol(config, ServerState(), {}, cast("asyncio.AbstractEventLoop", alarms))
    made.connection_made(line)
    return made, line, alarms


def test_a_head_without_an_end_is_not_kept() -> None:
    made, line, _ = connected()

    made.data_received(HEAD + b"X: " + b"a" * 60_000)
    assert line.is_open
    made.data_received(b"a" * 10_000)

    assert not line.is_open
    assert line.written.startswith(b"HTTP/1.1 400")


def test_a_large_body_is_no_long_head() -> None:
    made, line, alarms = connected()

    made.data_received(HEAD + b"Content-Length: 500000\r\n\r\n" + b"a" * 200_000)
    made.data_received(b"a" * 200_000)

    assert line.is_open
    assert alarms.pending == []


def test_who_is_silent_before_a_request_is_whole_is_cut_off() -> None:
    made, line, alarms = connected()

    assert [seconds for seconds, _ in alarms.pending] == [30.0]
    made.data_received(HEAD)
    [(_, cut_off)] = alarms.pending
    cut_off()

    assert not line.is_open


def test_a_request_that_is_being_answered_is_not_cut_off() -> None:
    made, line, alarms = connected()

    made.data_received(HEAD + b"\r\n")

    assert alarms.pending == []
    made.connection_lost(None)
    assert not line.is_open
