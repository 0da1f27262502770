"""One memory engine for agents: offline, fast, in English and Chinese."""

from typing import TYPE_CHECKING, Any

from mnemic.engine.query import Query
from mnemic.errors import (
    BusyError,
    ChatServiceError,
    InvalidInputError,
    MnemicError,
    NotFoundError,
    SettingsError,
    StateError,
    StorageError,
)
from mnemic.filters import Filter, Near, parse_filter, parse_near
from mnemic.opening import OpenMemory
from mnemic.opening import open_memory as open  # `mnemic.open()` is the API
from mnemic.records import Draft, Hit, Memory, Recalled, Remembered, Scope
from mnemic.version import __version__

if TYPE_CHECKING:
    from mnemic.client import AsyncClient, Client

__all__ = [
    "AsyncClient",
    "BusyError",
    "ChatServiceError",
    "Client",
    "Draft",
    "Filter",
    "Hit",
    "InvalidInputError",
    "Memory",
    "MnemicError",
    "Near",
    "NotFoundError",
    "OpenMemory",
    "Query",
    "Recalled",
    "Remembered",
    "Scope",
    "SettingsError",
    "StateError",
    "StorageError",
    "__version__",
    "open",
    "parse_filter",
    "parse_near",
]


def __getattr__(name: str) -> Any:
    """Load the clients when they are asked for: HTTP is not needed where the memory is open."""
    if name in ("AsyncClient", "Client"):
        from mnemic import client  # noqa: PLC0415  see above

        return getattr(client, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
