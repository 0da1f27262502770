"""The assistant's tools on one memory for the whole program, called by their names.

    from mnemic.assistant import execute_tool

    result = await execute_tool("memory_add", {"content": "...", "memory_type": "core"})

The memory is opened by the first call, as the settings say, or by `initialize_tools`, which can
name another one.
"""

import asyncio
import atexit
from collections.abc import Generator, Mapping
from datetime import UTC, datetime
from os import PathLike
from threading import Lock
from typing import Any, Self

from mnemic.dialects.assistant import shapes
from mnemic.dialects.assistant.catalog import described, tools_of
from mnemic.dialects.assistant.refusals import refusal_of
from mnemic.errors import BusyError, StorageError
from mnemic.opening import OpenMemory, open_memory
from mnemic.settings import read_settings

__all__ = ["close_tools", "execute_tool", "initialize_tools"]


class Tools(list[dict[str, Any]]):
    """The tools that are ready, each with name, description and schemas. It may be awaited."""

    def __await__(self) -> Generator[None, None, Self]:
        yield from ()
        return self


def initialize_tools(database: str | PathLike[str] | None = None, **settings: Any) -> Tools:
    """Open the memory that the tools work on, and return what they are.

    Without arguments it is the one that the settings name. A memory that was opened before is
    closed first. `await initialize_tools()` works as well.
    """
    with _ONE.lock:
        _ONE.close()
        _ONE.memory = open_memory(database, **settings)
    return Tools(described(tool) for tool in tools_of("assistant"))


async def execute_tool(tool_name: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Call a tool and return its envelope, a documented error as an envelope too.

    A store that cannot be opened is such an error; the next call tries again. A name that is no
    tool raises `mnemic.NotFoundError`.
    """
    try:
        memory = await asyncio.to_thread(_opened)
    except (BusyError, StorageError) as error:
        locale = read_settings({}).locale
        return shapes.refused(refusal_of(error), locale=locale, at=datetime.now(UTC))
    return await memory.assistant.execute_tool(tool_name, params)


def close_tools() -> None:
    """Write what is pending and let go of the memory. The next call opens it again."""
    with _ONE.lock:
        _ONE.close()


class _One:
    """The memory that the tools of this program work on."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.memory: OpenMemory | None = None

    def close(self) -> None:
        memory, self.memory = self.memory, None
        if memory is not None:
            memory.close()


_ONE = _One()
atexit.register(close_tools)


def _opened() -> OpenMemory:
    with _ONE.lock:
        if _ONE.memory is None:
            _ONE.memory = open_memory()
        return _ONE.memory
