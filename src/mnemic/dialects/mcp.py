"""The tools of both dialects as a server of the official MCP SDK."""

from collections.abc import Callable, Sequence

from anyio import CapacityLimiter, to_thread
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    InputRequiredResult,
    ListToolsResult,
    PaginatedRequestParams,
)

from mnemic.dialects.mcp_sampling import QuestionToClient, replier
from mnemic.dialects.profiles import Toolbox
from mnemic.version import __version__

# Each thread keeps a connection to the database, and SQLite lets one of them write at a time.
_CALLS_AT_ONCE = 8


def build_server(
    boxes: Sequence[Toolbox], *, answered: Callable[[], None] = lambda: None
) -> Server:
    """Return an MCP server with the tools of some boxes; `answered` is told of every call.

    The low-level server, because the other one parses texts that look like JSON.
    """
    limiter = CapacityLimiter(_CALLS_AT_ONCE)
    listed = [tool for box in boxes for tool in box.listed()]
    holders = {tool["name"]: box for box in boxes for tool in box.listed()}

    async def list_tools(
        _context: ServerRequestContext, _params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        return ListToolsResult.model_validate({"tools": listed})

    async def call_tool(
        context: ServerRequestContext, params: CallToolRequestParams
    ) -> CallToolResult | InputRequiredResult:
        box = holders.get(params.name)
        if box is None:
            known = ", ".join(holders)
            raise MCPError(INVALID_PARAMS, f"There is no tool {params.name!r}; there are: {known}.")
        arguments = params.arguments or {}
        sampling = replier(context, params)
        try:
            answer = await to_thread.run_sync(
                box.call, params.name, arguments, sampling, limiter=limiter
            )
        except QuestionToClient as question:
            return question.answer
        answered()
        return CallToolResult.model_validate(answer)

    return Server(
        "mnemic",
        version=__version__,
        title="Mnemic",
        instructions=" ".join(box.instructions for box in boxes),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def serve_stdio(server: Server) -> None:
    """Answer the client on standard input and output until it hangs up."""
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())
