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

from mnemic.errors import InvalidInputError, NotFoundError
from mnemic.mcp import usage_prompt
from mnemic.mcp.profiles import Toolbox
from mnemic.mcp.resources import KIND, ONE, RESOURCES, TEMPLATES, ResourceReader
from mnemic.mcp.sampling import QuestionToClient, replier
from mnemic.runtime.yielding import TURN, computed, in_turn
from mnemic.telemetry.request_ids import answering
from mnemic.version import __version__

Json = dict[str, Any]
RequestContext = ServerRequestContext[Any, Any]

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
    resources: ResourceReader | None = None
    may_write: bool = True
    """Whether tools that change something may be called, and are shown."""


def build_server(
    boxes: Sequence[Toolbox],
    resources: ResourceReader | None = None,
    *,
    offer_to: Callable[[RequestContext], Offer] | None = None,
    limiter_of: Callable[[RequestContext], CapacityLimiter] | None = None,
    answered: Callable[[], None] = lambda: None,
) -> Server:
    """Return an MCP server with the tools of some boxes; `answered` is told of every call.

    `offer_to` finds what the client behind a request may use: the same boxes, in the same order,
    on a memory of its own. `limiter_of` finds how many calls are done at once for that client.
    The low-level server, because the other one parses texts that look like JSON.
    """
    offer, limiter = Offer(boxes, resources), CapacityLimiter(_CALLS_AT_ONCE)
    handlers = _Handlers(
        boxes,
        offer_to=offer_to or (lambda _: offer),
        limiter_of=limiter_of or (lambda _: limiter),
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
    handlers.register(server, with_resources=resources is not None)
    return server


def _request_state(context: RequestContext, name: str) -> Any:
    """Return what is known of the HTTP request that carries a call; other transports have none."""
    carrier: Any = context.request
    return None if carrier is None else carrier.scope.get("state", {}).get(name)


class _Handlers:
    """Answers the requests of all clients of one server."""

    def __init__(
        self,
        boxes: Sequence[Toolbox],
        *,
        offer_to: Callable[[RequestContext], Offer],
        limiter_of: Callable[[RequestContext], CapacityLimiter],
        answered: Callable[[], None],
    ) -> None:
        self._offer_to = offer_to
        self._limiter_of = limiter_of
        self._answered = answered
        self._listed = [tool for box in boxes for tool in box.listed()]
        self._reading = [tool for tool in self._listed if tool["annotations"]["readOnlyHint"]]
        self._readers = {tool["name"] for tool in self._reading}
        self._places = {tool["name"]: at for at, box in enumerate(boxes) for tool in box.listed()}

    def register(self, server: Server[Any], *, with_resources: bool) -> None:
        """Answer in plain JSON: the SDK would build models, only to dump them as JSON again."""
        server.add_request_handler("tools/list", PaginatedRequestParams, self.list_tools)
        server.add_request_handler("tools/call", CallToolRequestParams, self.call_tool)
        server.add_request_handler("prompts/list", PaginatedRequestParams, self.list_prompts)
        server.add_request_handler("prompts/get", GetPromptRequestParams, self.get_prompt)
        server.add_request_handler("completion/complete", CompleteRequestParams, self.complete)
        server.add_request_handler("logging/setLevel", SetLevelRequestParams, self.set_level)
        if with_resources:
            server.add_request_handler(
                "resources/list", PaginatedRequestParams, self.list_resources
            )
            server.add_request_handler(
                "resources/templates/list", PaginatedRequestParams, self.list_templates
            )
            server.add_request_handler(
                "resources/read", ReadResourceRequestParams, self.read_resource
            )

    async def list_tools(
        self, context: RequestContext, _params: PaginatedRequestParams
    ) -> HandlerResult:
        shown = self._listed if self._offer_to(context).may_write else self._reading
        return {"tools": shown, **_COMPLETE}

    async def call_tool(
        self, context: RequestContext, params: CallToolRequestParams
    ) -> HandlerResult:
        place = self._places.get(params.name)
        if place is None:
            known = ", ".join(self._places)
            raise MCPError(INVALID_PARAMS, f"There is no tool {params.name!r}; there are: {known}.")
        offer = self._offer_to(context)
        if not offer.may_write and params.name not in self._readers:
            return {**offer.boxes[place].forbidden(params.name), **_COMPLETE}
        try:
            with (
                answering(_request_state(context, "request_id")),
                in_turn(_request_state(context, TURN)),
            ):
                given = (params.name, params.arguments or {}, replier(context, params))
                answer = await to_thread.run_sync(
                    lambda: computed(offer.boxes[place].call, *given),
                    limiter=self._limiter_of(context),
                )
        except QuestionToClient as question:
            return question.answer
        self._answered()
        return {**answer, **_COMPLETE}

    async def list_resources(self, _context: RequestContext, _params: object) -> HandlerResult:
        return {"resources": list(RESOURCES), **_COMPLETE}

    async def list_templates(self, _context: RequestContext, _params: object) -> HandlerResult:
        return {"resourceTemplates": list(TEMPLATES), **_COMPLETE}

    async def read_resource(
        self, context: RequestContext, params: ReadResourceRequestParams
    ) -> HandlerResult:
        uri = str(params.uri)
        resources = self._offer_to(context).resources
        if resources is None:
            raise MCPError(INVALID_PARAMS, "There are no resources.")
        try:
            text = await to_thread.run_sync(resources.read, uri, limiter=self._limiter_of(context))
        except NotFoundError as error:
            modern = context.protocol_version in MODERN_PROTOCOL_VERSIONS
            code = INVALID_PARAMS if modern else _RESOURCE_NOT_FOUND
            raise MCPError(code, str(error), {"uri": uri}) from error
        self._answered()
        return {"contents": [{"uri": uri, "mimeType": KIND, "text": text}], **_COMPLETE}

    async def list_prompts(self, _context: RequestContext, _params: object) -> HandlerResult:
        return {"prompts": usage_prompt.PROMPTS, **_COMPLETE}

    async def get_prompt(
        self, _context: RequestContext, params: GetPromptRequestParams
    ) -> HandlerResult:
        try:
            prompt = usage_prompt.render(params.name, params.arguments or {}, tools=self._places)
        except (NotFoundError, InvalidInputError) as error:
            raise MCPError(INVALID_PARAMS, str(error)) from error
        return {**prompt, **_COMPLETE}

    async def complete(
        self, context: RequestContext, params: CompleteRequestParams
    ) -> HandlerResult:
        begun, resources = params.argument.value, self._offer_to(context).resources
        values: list[str] = []
        if isinstance(params.ref, PromptReference):
            if (params.ref.name, params.argument.name) == (usage_prompt.NAME, "language"):
                values = usage_prompt.completed(begun)
        elif resources is not None and (params.ref.uri, params.argument.name) == (ONE, "id"):
            limiter = self._limiter_of(context)
            values = await to_thread.run_sync(resources.completed, begun, limiter=limiter)
        return {"completion": {"values": values, "hasMore": False}, **_COMPLETE}

    async def set_level(
        self, _context: RequestContext, _params: SetLevelRequestParams
    ) -> HandlerResult:
        # Older clients ask for it. The log is the operator's: no client gets any of it.
        return {}
