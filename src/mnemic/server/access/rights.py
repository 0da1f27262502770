"""Which right a request needs, by its method and its address."""

import re
from typing import Final

from mnemic.dialects.assistant.catalog import tools_of
from mnemic.records.access_key import Right
from mnemic.runtime.patterns import opening

# What a server tells to everybody: that it is there, what it is, and how to talk to it.
_OPEN: Final = frozenset({"/health", "/health/live", "/health/ready", "/version", "/openapi.json"})
_PAGE: Final = opening(r"/|/(docs|console)(/.*)?")
# Names may hold a line break, so a dot stands for that, too.
_STEERING: Final = opening(
    r"/memory/jobs/.+/(retry|cancel)|/memory/scopes/.+/(rebuild|compact|maintenance)"
    r"|/erase/account",
    re.DOTALL,
)
_METRICS: Final = "/metrics"
_AUDIT: Final = "/audit"
# They look up what to inject, though the body is too long for an address.
_LOOKING: Final = opening(r"/sessions/[^/]+/context|/explain")
_KEYS: Final = opening(r"/keys(/.*)?", re.DOTALL)
_TOOL: Final = "/tools/"
# What is called there needs a right of its own, which is checked when it is known.
_CALLS: Final = opening(r"/(mcp|sse|messages|sdk)(/.*)?")
_HARMLESS: Final = frozenset(
    tool.name for tool in tools_of("assistant-extended") if tool.reads_only
)


def needed(method: str, path: str) -> Right | None:
    """Return the right that a request needs; None where everybody may ask."""
    if is_open(path):
        return None
    path = _as_routed(path)
    if (
        path in (_METRICS, _AUDIT)
        or _KEYS.fullmatch(path)
        or (method != "GET" and _STEERING.fullmatch(path))
    ):
        return "admin"
    if method in ("GET", "HEAD") or _CALLS.fullmatch(path) or _LOOKING.fullmatch(path):
        return "read"
    if path.startswith(_TOOL) and path.removeprefix(_TOOL) in _HARMLESS:
        return "read"
    return "write"


def is_open(path: str) -> bool:
    """Tell whether everybody may ask for an address. What stands there is quickly told."""
    return path in _OPEN or _PAGE.fullmatch(path) is not None


def tells_of_all(path: str) -> bool:
    """Tell whether what stands at an address is about all accounts together."""
    return _as_routed(path) == _METRICS


def _as_routed(path: str) -> str:
    # The router passes over a line break at the end of an address.
    return path.removesuffix("\n")
