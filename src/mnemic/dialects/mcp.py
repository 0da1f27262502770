"""The robot tools as a server of the official MCP SDK. The only place that knows the SDK."""

from collections.abc import Callable

from anyio import CapacityLimiter, to_thread
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
)

from mnemic.dialects.mcp_tools import INSTRUCTIONS, McpTools
from mnemic.dialects.robot.catalog import Profile
from mnemic.dialects.robot.tools import RobotTools
from mnemic.version import __version__

# Each thread keeps a connection to the database, and SQLite lets one of them write at a time.
_CALLS_AT_ONCE = 8


def build_server(
    robot: RobotTools, *, profile: Profile = "robot", answered: Callable[[], None] = lambda: None
) -> Server:
    """Return an MCP server with the tools of a profile; `answered` is told of every call.

    The low-level server, because the other one parses texts that look like JSON.
    """
    tools = McpTools(robot, profile)
    limiter = CapacityLimiter(_CALLS_AT_ONCE)

    async def list_tools(
        _context: ServerRequestContext, _params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        return ListToolsResult.model_validate({"tools": tools.listed()})

    async def call_tool(
        _context: ServerRequestContext, params: CallToolRequestParams
    ) -> CallToolResult:
        if problem := tools.unknown(params.name):
            raise MCPError(INVALID_PARAMS, problem)
        arguments = params.arguments or {}
        answer = await to_thread.run_sync(tools.call, params.name, arguments, limiter=limiter)
        answered()
        return CallToolResult.model_validate(answer)

    return Server(
        "mnemic",
        version=__version__,
        title="Mnemic",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def serve_stdio(server: Server) -> None:
    """Answer the client on standard input and output until it hangs up."""
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())
