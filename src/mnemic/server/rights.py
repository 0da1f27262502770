"""Which right a request needs, by its method and its address."""

import re
from typing import Final

from mnemic.dialects.assistant.catalog import tools_of
from mnemic.keys import Right

# What a server tells to everybody: that it is there, what it is, and how to talk to it.
_OPEN: Final = frozenset({"/health/live", "/health/ready", "/version", "/openapi.json"})
_PAGE: Final = re.compile(r"/docs(/.*)?")
_STEERING: Final = re.compile(
    r"/memory/jobs/.+/(retry|cancel)|/memory/scopes/.+/(rebuild|compact|maintenance)"
)
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
    if path in _OPEN or _PAGE.fullmatch(path):
        return None
    if path == "/metrics" or (method != "GET" and _STEERING.fullmatch(path)):
        return "admin"
    if method in ("GET", "HEAD") or _CALLS.fullmatch(path) or _LOOKING.fullmatch(path):
        return "read"
    if path.startswith(_TOOL) and path.removeprefix(_TOOL) in _HARMLESS:
        return "read"
    return "write"
