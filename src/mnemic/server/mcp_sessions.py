"""The sessions of MCP clients over HTTP: answered with plain JSON where that is enough.

A stream of events for each answer costs more than the answer of a quick tool. It is needed where
the server asks back while a call waits, which only clients that offer sampling allow, and where an
answer takes long, so that something is heard meanwhile.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, Final

from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import INVALID_REQUEST
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mnemic.server.access.callers import caller_of

# The guard has looked at host and origin already.
CHECKED: Final = TransportSecuritySettings(enable_dns_rebinding_protection=False)

_SESSION: Final = b"mcp-session-id"
_VERSION: Final = b"mcp-protocol-version"
_NAME: Final = b"mcp-name"
_HANDSHAKES: Final = frozenset(protocol.encode() for protocol in HANDSHAKE_PROTOCOL_VERSIONS)
_ASKS_BACK: Final = b'"sampling"'
_SLOW: Final = b"memory_chat"
# Ids are hexadecimal, so this letter tells those of plain sessions.
_PLAIN: Final = b"p"
_MOST_PEEKED: Final = 65_536
# One takes some 40 KB until its client ends it, or is silent for half an hour.
MOST_SESSIONS: Final = 1_000


class Manager(StreamableHTTPSessionManager):
    """Keeps sessions, and knows whose they are."""

    def held_by(self, key_id: str | None) -> int:
        """Return how many sessions a key has opened; without keys, everybody together."""
        owners = (self._session_owners.get(session_id) for session_id in self._server_instances)
        return sum((None if owner is None else owner["client_id"]) == key_id for owner in owners)


class McpSessions:
    """All sessions of one server. A session is only for the key that opened it.

    `everyone` are the managers of all servers, which share what a key may open.
    """

    def __init__(self, server: Server[Any], most_bytes: int, everyone: list[Manager]) -> None:
        self._plain = _manager(server, most_bytes, plain=True)
        self._streaming = _manager(server, most_bytes, plain=False)
        self._everyone = everyone
        everyone += (self._plain, self._streaming)

    @asynccontextmanager
    async def open(self) -> AsyncGenerator[None]:
        """Keep sessions until it is closed."""
        async with self._plain.run(), self._streaming.run():
            yield

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        # Not every server takes away the spaces around a value, which are no part of it.
        scope["headers"] = [(name, value.strip()) for name, value in scope["headers"]]
        headers = dict(scope["headers"])
        session, version = headers.get(_SESSION), headers.get(_VERSION)
        if version is not None and version not in _HANDSHAKES:
            plain = headers.get(_NAME) != _SLOW
        elif session is not None:
            plain = session.startswith(_PLAIN)
            if plain:
                _rename(scope, session.removeprefix(_PLAIN))
                send = _naming_plain(send)
        elif self._is_crowded(caller_of(scope).key_id):
            await _crowded()(scope, receive, send)
            return
        else:
            plain, receive = await _wants_plain(receive)
            send = _naming_plain(send) if plain else send
        chosen = self._plain if plain else self._streaming
        if plain and scope["method"] == "POST":
            await chosen.handle_request(scope, receive, send)
        else:
            await completing(chosen.handle_request, scope, receive, send)

    def _is_crowded(self, key_id: str | None) -> bool:
        return sum(sessions.held_by(key_id) for sessions in self._everyone) >= MOST_SESSIONS


async def completing(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Let an app answer, and end its answer where it did not: a stream is left open when the
    server ends.
    """
    unfinished = False

    async def noting(message: Message) -> None:
        nonlocal unfinished
        unfinished = message["type"] == "http.response.start" or message.get("more_body", False)
        await send(message)

    await app(scope, receive, noting)
    if unfinished:
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def _crowded() -> JSONResponse:
    told = f"This key has {MOST_SESSIONS} sessions open. End some with DELETE, or come back later."
    error = {"code": INVALID_REQUEST, "message": told}
    body = {"jsonrpc": "2.0", "id": None, "error": error}
    return JSONResponse(body, 429, {"Retry-After": "60"})


def _manager(server: Server[Any], most_bytes: int, *, plain: bool) -> Manager:
    return Manager(
        server,
        json_response=plain,
        security_settings=CHECKED,
        max_request_body_size=most_bytes,
    )


async def _wants_plain(receive: Receive) -> tuple[bool, Receive]:
    """Tell whether the client that opens a session never has to be asked back, and give what it
    sent once more.
    """
    kept: list[Message] = []
    body = b""
    while len(body) <= _MOST_PEEKED:
        message = await receive()
        kept.append(message)
        body += message.get("body", b"")
        if not message.get("more_body", False):
            break
    pending = iter(kept)

    async def again() -> Message:
        return next(pending, None) or await receive()

    return len(body) <= _MOST_PEEKED and _ASKS_BACK not in body, again


def _rename(scope: Scope, session: bytes) -> None:
    scope["headers"] = [
        (name, session if name == _SESSION else value) for name, value in scope["headers"]
    ]


def _naming_plain(send: Send) -> Send:
    """Mark the ids of plain sessions in what is answered."""

    async def marked(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {
                **message,
                "headers": [
                    (name, _PLAIN + value if name.lower() == _SESSION else value)
                    for name, value in message.get("headers", ())
                ],
            }
        await send(message)

    return marked
