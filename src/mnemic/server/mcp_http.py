"""MCP over HTTP: Streamable HTTP at `/mcp`, and the old HTTP+SSE at `/sse` where it is wanted."""

from collections import defaultdict
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final
from urllib.parse import parse_qs

from anyio import CapacityLimiter
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.lowlevel import Server
from mcp.server.sse import SseServerTransport
from mcp_types import INVALID_REQUEST
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from mnemic.errors import SettingsError
from mnemic.mcp.mcp_server import Offer, RequestContext, build_server
from mnemic.mcp.profiles import PROFILES, Profile, find_profile, toolboxes
from mnemic.mcp.resources import ResourceReader
from mnemic.opening import OpenMemory
from mnemic.server.access.callers import Caller, caller_of
from mnemic.server.mcp_sessions import CHECKED, Manager, McpSessions, completing
from mnemic.settings import ServerSettings

_PATH: Final = "/mcp"
_SSE_PATH: Final = "/sse"
_SSE_MESSAGES: Final = "/sse/messages"
# Two perceptions of 16 MiB, written as JSON.
_MOST_BYTES: Final = 48 * 1024 * 1024
# Of one account: a call may wait for a language model.
_CALLS_AT_ONCE: Final = 8


class McpEndpoint:
    """Answers MCP clients over HTTP, each from the memories of its account."""

    def __init__(self, memory: OpenMemory, settings: ServerSettings) -> None:
        profile = find_profile(settings.mcp_profile)
        if profile is None:
            allowed = ", ".join(PROFILES)
            raise SettingsError(f"mcp_profile={settings.mcp_profile}: use {allowed}.")
        self._profile: Profile = profile
        self._most_bytes = min(settings.max_body, _MOST_BYTES)
        limiters: defaultdict[str, CapacityLimiter] = defaultdict(_of_account)
        self._servers: dict[Profile, Server[Any]] = {
            profile: _server(memory, profile, limiters) for profile in PROFILES
        }
        self._sessions: Mapping[Profile, McpSessions] = {}
        self._sse = _OldDoor(self._servers[profile], self._most_bytes) if settings.sse else None

    def routes(self) -> list[BaseRoute]:
        """Return where it answers."""
        routes: list[BaseRoute] = [Route(_PATH, self)]
        if self._sse is not None:
            routes += self._sse.routes()
        return routes

    @asynccontextmanager
    async def open(self) -> AsyncGenerator[None]:
        """Keep sessions until it is closed; before and after, clients are told to come back."""
        everyone: list[Manager] = []
        sessions: dict[Profile, McpSessions] = {
            profile: McpSessions(self._servers[profile], self._most_bytes, everyone)
            for profile in PROFILES
        }
        async with AsyncExitStack() as stack:
            for pool in sessions.values():
                await stack.enter_async_context(pool.open())
            self._sessions = sessions
            try:
                yield
            finally:
                self._sessions = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request of the profile that its address names."""
        profile = self._wanted(scope)
        if profile is None:
            await _refused(400, f"There is no such profile; use {', '.join(PROFILES)}.")(
                scope, receive, send
            )
            return
        sessions = self._sessions.get(profile)
        if sessions is None:
            await _refused(503, "The server is starting or ending.")(scope, receive, send)
            return
        _name_owner(scope)
        await sessions.answer(scope, receive, send)

    def _wanted(self, scope: Scope) -> Profile | None:
        if not scope["query_string"]:
            return self._profile
        named = parse_qs(scope["query_string"].decode("latin-1")).get("profile")
        return self._profile if named is None else find_profile(named[-1])


class _OldDoor:
    """The transport of the first protocol: one stream for answers, an address to post to."""

    def __init__(self, server: Server[Any], most_bytes: int) -> None:
        self._server = server
        self._transport = SseServerTransport(
            _SSE_MESSAGES, security_settings=CHECKED, max_request_body_size=most_bytes
        )

    def routes(self) -> list[BaseRoute]:
        """Return where it answers."""
        return [
            Route(_SSE_PATH, self, methods=["GET"]),
            Route(_SSE_MESSAGES, _Posted(self._transport)),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a client for as long as it listens."""
        _name_owner(scope)
        await completing(self._listen, scope, receive, send)

    async def _listen(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._transport.connect_sse(scope, receive, send) as (reading, writing):
            await self._server.run(reading, writing, self._server.create_initialization_options())


class _Posted:
    """Takes what a client of the old transport says."""

    def __init__(self, transport: SseServerTransport) -> None:
        self._transport = transport

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        _name_owner(scope)
        await self._transport.handle_post_message(scope, receive, send)


def _of_account() -> CapacityLimiter:
    return CapacityLimiter(_CALLS_AT_ONCE)


def _server(
    memory: OpenMemory, profile: Profile, limiters: Mapping[str, CapacityLimiter]
) -> Server[Any]:
    def offer_to(asked: RequestContext) -> Offer:
        caller = _caller(asked)
        return Offer(
            toolboxes(caller.memory, profile),
            ResourceReader(caller.memory),
            may_write=caller.may("write"),
        )

    def limiter_of(asked: RequestContext) -> CapacityLimiter:
        return limiters[_caller(asked).memory.account]

    return build_server(
        toolboxes(memory, profile), ResourceReader(memory), offer_to=offer_to, limiter_of=limiter_of
    )


def _caller(asked: RequestContext) -> Caller:
    if asked.request is None:
        raise RuntimeError("a message over HTTP came without its request")
    return caller_of(asked.request.scope)


def _name_owner(scope: Scope) -> None:
    """Tell the SDK which key a request shows: a session is only for the key that opened it."""
    key = caller_of(scope).key_id
    if key is not None:
        scope["user"] = AuthenticatedUser(AccessToken(token="", client_id=key, scopes=[]))


def _refused(status: int, told: str) -> Response:
    error = {"code": INVALID_REQUEST, "message": told}
    return JSONResponse({"jsonrpc": "2.0", "id": None, "error": error}, status_code=status)
