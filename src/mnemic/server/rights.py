"""Which right a request needs, by its method and its address."""

import re
from typing import Final

from mnemic.dialects.assistant.catalog import tools_of
from mnemic.keys import Right

# What a server tells to everybody: that it is there, what it is, and how to talk to it.
_OPEN: Final = frozenset({"/health/live", "/health/ready", "/version", "/openapi.json"})
_PAGE: Final = re.compile(r"/docs(/.*)?")
# Names may hold a line break, so a dot stands for that, too.
_STEERING: Final = re.compile(
    r"/memory/jobs/.+/(retry|cancel)|/memory/scopes/.+/(rebuild|compact|maintenance)", re.DOTALL
)
_METRICS: Final = "/metrics"
# They look up what to inject, though the body is too long for an address.
_LOOKING: Final = re.compile(r"/sessions/[^/]+/context")
_TOOL: Final = "/tools/"
# What is called there needs a right of its own, which is checked when it is known.
_CALLS: Final = re.compile(r"/(mcp|sse|messages|sdk)(/.*)?")
_HARMLESS: Final = frozenset(
    tool.name for tool in tools_of("assistant-extended") if tool.reads_only
)


def needed(method: str, path: str) -> Right | None:
    """Return the right that a request needs; None where everybody may ask."""
    if is_open(path):
        return None
    path = _as_routed(path)
    if path == _METRICS or (method != "GET" and _STEERING.fullmatch(path)):
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
