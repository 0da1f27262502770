"""Which program wrote a file, by looking into it."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from mnemic.errors import InvalidInputError
from mnemic.transfer.foreign import (
    delimited,
    foreign_files,
    json_lines,
    mcp_memory,
    mem0,
    plain,
    robotmem,
)
from mnemic.transfer.foreign.foreign_files import Looks, begins_with

FORMATS: Final = ("robotmem", "mem0", "mcp-memory", "jsonl", "csv")
"""What can be imported from elsewhere."""

_MNEMIC: Final = "mnemic-export"
# How files begin that have to be made into something else first, and what they are then.
_BEGINNINGS: Final = (
    (b"\x1f\x8b", "is compressed", "the file that is in it"),
    (b"PK\x03\x04", "is compressed", "the file that is in it"),
    (b"\xff\xfe", "is UTF-16", "text in UTF-8"),
    (b"\xfe\xff", "is UTF-16", "text in UTF-8"),
)
_BY_LOOKS: Final[dict[str, Callable[[Looks], bool]]] = {
    "mem0": mem0.recognises,
    "mcp-memory": mcp_memory.recognises,
    "jsonl": json_lines.recognises,
}


def detect(path: Path) -> str | None:
    """Return the format of a file: "mnemic", "robotmem", "mem0", "mcp-memory", "jsonl" or "csv".

    None means that it is nothing known. The file's name does not matter.
    """
    if robotmem.is_sqlite(path):
        return "robotmem" if robotmem.recognises(path) else None
    looks = foreign_files.looks(path)
    if looks.kind == "other":
        return "csv" if delimited.recognises(path) else None
    if any(record.get("format") == _MNEMIC for record in looks.objects()[:1]):
        return "mnemic"
    if mcp_memory.recognises(looks):
        return "mcp-memory"
    if mem0.is_surely(looks):
        return "mem0"
    return "jsonl" if json_lines.recognises(looks) else None


def unknown(path: Path) -> InvalidInputError:
    """Return what to say of a file that is nothing known: what it seems to be, and what helps."""
    if next(foreign_files.raw_lines(path), None) is None:
        return InvalidInputError("file", f"{path.name} is empty", "a file with memories in it")
    if robotmem.is_sqlite(path):
        instead = "robotmem's; a store of Mnemic is read by `mnemic --database FILE export`"
        return InvalidInputError("file", f"{path.name} is another SQLite file", instead)
    for beginning, problem, instead in _BEGINNINGS:
        if begins_with(path, beginning):
            return InvalidInputError("file", f"{path.name} {problem}", instead)
    return InvalidInputError(
        "file",
        f"nobody knows what {path.name} is",
        f"an export of Mnemic, or {', '.join(FORMATS)}. CSV has the names of its columns in the "
        f"first row, one of them {', '.join(plain.TEXTS[:4])}",
    )


def is_a(path: Path, format: str) -> bool:
    """Tell whether a file can be read as a format, one of `FORMATS`, though it may look more like
    another: lines of mem0 are plain lines too.
    """
    if format == "robotmem":
        return robotmem.recognises(path)
    if format == "csv":
        return delimited.recognises(path)
    return not robotmem.is_sqlite(path) and _BY_LOOKS[format](foreign_files.looks(path))
