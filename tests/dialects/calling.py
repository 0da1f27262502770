"""Calling the assistant's tools as a program does."""

import asyncio
import re
from typing import Any

from mnemic.opening import OpenMemory

MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def call(memory: OpenMemory, tool: str, /, **params: Any) -> dict[str, Any]:
    """Return the envelope of one call."""
    return asyncio.run(memory.assistant.execute_tool(tool, params))


def done(memory: OpenMemory, tool: str, /, **params: Any) -> dict[str, Any]:
    """Return the data of a call that succeeds."""
    envelope = call(memory, tool, **params)
    assert envelope["success"], envelope
    return envelope["data"]


def refused(memory: OpenMemory, tool: str, /, **params: Any) -> dict[str, Any]:
    """Return the error of a call that is refused."""
    envelope = call(memory, tool, **params)
    assert set(envelope) == {"success", "error", "timestamp"}, envelope
    assert envelope["success"] is False
    assert MOMENT.fullmatch(envelope["timestamp"])
    problem = envelope["error"]
    assert set(problem) == {"code", "message", "details", "retryable"}
    assert all(isinstance(problem[one], str) and problem[one] for one in ("message", "details"))
    return problem


def add(memory: OpenMemory, content: str, memory_type: str = "core", **more: Any) -> str:
    """Add a memory and return its id."""
    data = done(memory, "memory_add", content=content, memory_type=memory_type, **more)
    return data["memory_id"]


def search(memory: OpenMemory, query: str, **more: Any) -> list[str]:
    """Return the texts that a search finds."""
    found = done(memory, "memory_search", query=query, **more)
    return [one["content"] for one in found["results"]]


def total(memory: OpenMemory, **more: Any) -> int:
    """Return how many memories a profile counts."""
    return done(memory, "memory_get_profile", **more)["profile"]["total_memories"]
