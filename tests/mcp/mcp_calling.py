"""Calling the assistant's tools as a client of the MCP SDK does."""

import json
from typing import Any

import anyio
from mcp import Client
from mcp.client.session import SamplingFnT
from mcp_types import CallToolResult, TextContent, Tool

from mnemic.mcp.mcp_server import build_server
from mnemic.mcp.profiles import Profile, toolboxes
from mnemic.opening import OpenMemory

MODES = ("legacy", "auto")


def tools_of(memory: OpenMemory, profile: Profile) -> list[Tool]:
    """Return what a client is shown."""

    async def listed() -> list[Tool]:
        async with Client(build_server(toolboxes(memory, profile))) as client:
            return (await client.list_tools()).tools

    return anyio.run(listed)


def call(
    memory: OpenMemory,
    mode: str,
    tool: str,
    arguments: dict[str, Any],
    *,
    sampling: SamplingFnT | None = None,
) -> CallToolResult:
    """Call one tool, with a handshake (`legacy`) or without (`auto`)."""

    async def once() -> CallToolResult:
        server = build_server(toolboxes(memory, "extended"))
        async with Client(server, mode=mode, sampling_callback=sampling) as client:
            return await client.call_tool(tool, arguments)

    return anyio.run(once)


def envelope_of(result: CallToolResult) -> dict[str, Any]:
    """Return the envelope, which stands in an answer twice."""
    [block] = result.content
    assert isinstance(block, TextContent)
    envelope = result.structured_content
    assert envelope is not None
    assert json.loads(block.text) == envelope
    assert bool(result.is_error) is not envelope["success"]
    return envelope


def data_of(result: CallToolResult) -> dict[str, Any]:
    """Return the data of a call that succeeded."""
    envelope = envelope_of(result)
    assert envelope["success"], envelope
    return envelope["data"]


def problem_of(result: CallToolResult) -> dict[str, Any]:
    """Return the error of a call that was refused."""
    envelope = envelope_of(result)
    assert set(envelope) == {"success", "error", "timestamp"}
    return envelope["error"]
