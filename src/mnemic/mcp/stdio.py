"""MCP over standard input and output. No line stays without an answer: its sender would wait."""

import json
from collections.abc import AsyncIterable
from typing import Final, Protocol

from anyio import create_memory_object_stream, create_task_group
from anyio.streams.memory import MemoryObjectSendStream
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError, jsonrpc_message_adapter
from pydantic import ValidationError

Read = SessionMessage | Exception

_MOST_DIGITS: Final = 4_000


class Answers(Protocol):
    """Where answers go."""

    async def send(self, item: SessionMessage, /) -> None:
        """Write one."""
        ...


async def serve_stdio(server: Server) -> None:
    """Answer the client on standard input and output until it hangs up."""
    async with stdio_server() as (reading, writing), create_task_group() as group:
        passing, passed = create_memory_object_stream[Read]()
        group.start_soon(_pass_on, reading, passing, writing)
        await server.run(passed, writing, server.create_initialization_options())


async def _pass_on(
    reading: AsyncIterable[Read], passing: MemoryObjectSendStream[Read], writing: Answers
) -> None:
    """Give messages to the server. The SDK is silent about lines that it cannot read."""
    async with passing:
        async for received in reading:
            invalid = isinstance(received, ValidationError)
            message = _read_again(received) if invalid else received
            if isinstance(message, JSONRPCError):
                await writing.send(SessionMessage(message))
            elif message is not None:
                await passing.send(message)


def _read_again(error: ValidationError) -> SessionMessage | JSONRPCError | None:
    """Return the message of a line that the SDK did not take, or the answer to it; None for a
    blank line.

    Half of a surrogate pair, as JavaScript sends it when a text was cut inside an emoji, and
    endless numbers are JSON, and the tools say what is wrong with them.
    """
    [first, *_] = error.errors(include_url=False, include_context=False)
    if first["type"] != "json_invalid":
        return _refusal(INVALID_REQUEST, "This is JSON, but no message of JSON-RPC 2.0.")
    line: str = first["input"]
    if not line.strip():
        return None
    try:
        parsed = json.loads(line, parse_int=_number)
    except (ValueError, RecursionError):
        return _refusal(PARSE_ERROR, "This line is no JSON. A message is one line of JSON.")
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_python(parsed, by_name=False))
    except ValidationError:
        return _refusal(INVALID_REQUEST, "This is JSON, but no message of JSON-RPC 2.0.")


def _number(digits: str) -> float:
    return int(digits) if len(digits) <= _MOST_DIGITS else float(digits)


def _refusal(code: int, message: str) -> JSONRPCError:
    return JSONRPCError(jsonrpc="2.0", id=None, error=ErrorData(code=code, message=message))
