"""One memory engine for agents: offline, fast, in English and Chinese."""

from typing import TYPE_CHECKING, Any

from mnemic.errors import (
    AuthError,
    BusyError,
    ChatServiceError,
    InvalidInputError,
    MnemicError,
    NotFoundError,
    ServerError,
    SettingsError,
    StateError,
    StorageError,
    UnreachableError,
)
from mnemic.opening import OpenMemory
from mnemic.opening import open_memory as open  # `mnemic.open()` is the API
from mnemic.records.filters import parse_filter, parse_near
from mnemic.records.memory import Draft, Hit, Memory, Recalled, Remembered, Scope
from mnemic.records.query import Query
from mnemic.version import __version__

if TYPE_CHECKING:
    from mnemic.client import AsyncClient, Client
    from mnemic.transfer.foreign import import_foreign

__all__ = [
    "AsyncClient",
    "AuthError",
    "BusyError",
    "ChatServiceError",
    "Client",
    "Draft",
    "Hit",
    "InvalidInputError",
    "Memory",
    "MnemicError",
    "NotFoundError",
    "OpenMemory",
    "Query",
    "Recalled",
    "Remembered",
    "Scope",
    "ServerError",
    "SettingsError",
    "StateError",
    "StorageError",
    "UnreachableError",
    "__version__",
    "import_foreign",
    "open",
    "parse_filter",
    "parse_near",
]


def __getattr__(name: str) -> Any:
    """Load what not every program needs when it is asked for: HTTP, and other programs' files."""
    if name in ("AsyncClient", "Client"):
        from mnemic import client as public  # noqa: PLC0415  see above
    elif name == "import_foreign":
        from mnemic.transfer import foreign as public  # noqa: PLC0415  see above
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(public, name)
