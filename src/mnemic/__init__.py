"""One memory engine for agents: offline, fast, in English and Chinese."""

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

__all__ = [
    "BusyError",
    "ChatServiceError",
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
