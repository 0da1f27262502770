"""The tools of both dialects, what can be read, and a prompt, as a server of the MCP SDK."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from anyio import CapacityLimiter, to_thread
from mcp.server.caching import CacheHint
from mcp.server.context import HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CompleteRequestParams,
    GetPromptRequestParams,
    PaginatedRequestParams,
    PromptReference,
    ReadResourceRequestParams,
    SetLevelRequestParams,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from mnemic.dialects import lesson
from mnemic.dialects.mcp_sampling import QuestionToClient, replier
from mnemic.dialects.profiles import Toolbox
from mnemic.dialects.shelf import KIND, ONE, RESOURCES, TEMPLATES, Shelf
from mnemic.errors import InvalidInputError, NotFoundError
from mnemic.request_ids import answering
from mnemic.version import __version__

Json = dict[str, Any]
Asked = ServerRequestContext[Any, Any]

# Each thread keeps a connection to the database, and SQLite lets one of them write at a time.
_CALLS_AT_ONCE: Final = 8
# What the protocol said until 2025-11-25; since then a wrong address is a wrong parameter.
_RESOURCE_NOT_FOUND: Final = -32002
_COMPLETE: Final = {"resultType": "complete"}
# What is listed follows from the profile and the key; what is read may change at any time.
_LISTS_FRESH: Final = CacheHint(ttl_ms=300_000)
_READ_FRESH: Final = CacheHint()


@dataclass(frozen=True, slots=True)
class Offer:
    """What one client may use."""

    boxes: Sequence[Toolbox]
    shelf: Shelf | None = None
    may_write: bool = True
    """Whether tools that change something may be called, and are shown."""


def build_server(
    boxes: Sequence[Toolbox],
    shelf: Shelf | None = None,
    *,
    offer_to: Callable[[Asked], Offer] | None = None,
    limiter: CapacityLimiter | None = None,
    answered: Callable[[], None] = lambda: None,
) -> Server:
    """Return an MCP server with the tools of some boxes; `answered` is told of every call.

    `offer_to` finds what the client behind a request may use: the same boxes, in the same order,
    on a memory of its own. Servers may share a limiter of how many calls are done at once.
    The low-level server, because the other one parses texts that look like JSON.
    """
    offer = Offer(boxes, shelf)
    desk = _Desk(
        boxes,
        offer_to=offer_to or (lambda _: offer),
        limiter=limiter or CapacityLimiter(_CALLS_AT_ONCE),
        answered=answered,
    )
    server: Server[Any] = Server(
        "mnemic",
        version=__version__,
        title="Mnemic",
        instructions=" ".join(box.instructions for box in boxes),
        # No parameter is repeated in a header, so there is nothing to compare.
        get_tool_input_schema=lambda _: None,
        cache_hints={
            "tools/list": _LISTS_FRESH,
            "prompts/list": _LISTS_FRESH,
            "resources/list": _LISTS_FRESH,
            "resources/templates/list": _LISTS_FRESH,
            "resources/read": _READ_FRESH,
        },
    )
    # As plain JSON: the SDK would make models of it, only to make JSON of these again.
    server.add_request_handler("tools/list", PaginatedRequestParams, desk.list_tools)
    server.add_request_handler("tools/call", CallToolRequestParams, desk.call_tool)
    server.add_request_handler("prompts/list", PaginatedRequestParams, desk.list_prompts)
    server.add_request_handler("prompts/get", GetPromptRequestParams, desk.get_prompt)
    server.add_request_handler("completion/complete", CompleteRequestParams, desk.complete)
    server.add_request_handler("logging/setLevel", SetLevelRequestParams, desk.set_level)
    if shelf is not None:
        server.add_request_handler("resources/list", PaginatedRequestParams, desk.list_resources)
        server.add_request_handler(
            "resources/templates/list", PaginatedRequestParams, desk.list_templates
        )
        server.add_request_handler("resources/read", ReadResourceRequestParams, desk.read_resource)
    return server


def _request_id(context: Asked) -> str | None:
    """Return the id of the HTTP request that carries a call; other transports have none."""
    carrier: Any = context.request
    return None if carrier is None else carrier.scope.get("state", {}).get("request_id")


class _Desk:
    """Answers the requests of all clients of one server."""

    def __init__(
        self,
        boxes: Sequence[Toolbox],
        *,
        offer_to: Callable[[Asked], Offer],
        limiter: CapacityLimiter,
        answered: Callable[[], None],
    ) -> None:
        self._offer_to = offer_to
        self._limiter = limiter
        self._answered = answered
        self._listed = [tool for box in boxes for tool in box.listed()]
        self._reading = [tool for tool in self._listed if tool["annotations"]["readOnlyHint"]]
        self._readers = {tool["name"] for tool in self._reading}
        self._places = {tool["name"]: at for at, box in enumerate(boxes) for tool in box.listed()}

    async def list_tools(self, context: Asked, _params: PaginatedRequestParams) -> HandlerResult:
        shown = self._listed if self._offer_to(context).may_write else self._reading
        return {"tools": shown, **_COMPLETE}

    async def call_tool(self, context: Asked, params: CallToolRequestParams) -> HandlerResult:
        place = self._places.get(params.name)
        if place is None:
            known = ", ".join(self._places)
            raise MCPError(INVALID_PARAMS, f"There is no tool {params.name!r}; there are: {known}.")
        offer = self._offer_to(context)
        if not offer.may_write and params.name not in self._readers:
            return {**offer.boxes[place].forbidden(params.name), **_COMPLETE}
        try:
            with answering(_request_id(context)):
                answer = await to_thread.run_sync(
                    offer.boxes[place].call,
                    params.name,
                    params.arguments or {},
                    replier(context, params),
                    limiter=self._limiter,
                )
        except QuestionToClient as question:
            return question.answer
        self._answered()
        return {**answer, **_COMPLETE}

    async def list_resources(self, _context: Asked, _params: object) -> HandlerResult:
        return {"resources": list(RESOURCES), **_COMPLETE}

    async def list_templates(self, _context: Asked, _params: object) -> HandlerResult:
        return {"resourceTemplates": list(TEMPLATES), **_COMPLETE}

    async def read_resource(
        self, context: Asked, params: ReadResourceRequestParams
    ) -> HandlerResult:
        uri = str(params.uri)
        shelf = self._offer_to(context).shelf
        if shelf is None:
            raise MCPError(INVALID_PARAMS, "There are no resources.")
        try:
            text = await to_thread.run_sync(shelf.read, uri, limiter=self._limiter)
        except NotFoundError as error:
            modern = context.protocol_version in MODERN_PROTOCOL_VERSIONS
            code = INVALID_PARAMS if modern else _RESOURCE_NOT_FOUND
            raise MCPError(code, str(error), {"uri": uri}) from error
        self._answered()
        return {"contents": [{"uri": uri, "mimeType": KIND, "text": text}], **_COMPLETE}

    async def list_prompts(self, _context: Asked, _params: object) -> HandlerResult:
        return {"prompts": lesson.PROMPTS, **_COMPLETE}

    async def get_prompt(self, _context: Asked, params: GetPromptRequestParams) -> HandlerResult:
        try:
            prompt = lesson.taught(params.name, params.arguments or {}, tools=self._places)
        except (NotFoundError, InvalidInputError) as error:
            raise MCPError(INVALID_PARAMS, str(error)) from error
        return {**prompt, **_COMPLETE}

    async def complete(self, context: Asked, params: CompleteRequestParams) -> HandlerResult:
        begun, shelf = params.argument.value, self._offer_to(context).shelf
        values: list[str] = []
        if isinstance(params.ref, PromptReference):
            if (params.ref.name, params.argument.name) == (lesson.NAME, "language"):
                values = lesson.completed(begun)
        elif shelf is not None and (params.ref.uri, params.argument.name) == (ONE, "id"):
            values = await to_thread.run_sync(shelf.completed, begun, limiter=self._limiter)
        return {"completion": {"values": values, "hasMore": False}, **_COMPLETE}

    async def set_level(self, _context: Asked, _params: SetLevelRequestParams) -> HandlerResult:
        # Older clients ask for it. The log is the operator's: no client gets any of it.
        return {}
