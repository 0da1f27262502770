"""Which program wrote a file, by looking into it."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from mnemic.importing import delimited, files, json_lines, mcp_memory, mem0, robotmem
from mnemic.importing.files import Looks

FORMATS: Final = ("robotmem", "mem0", "mcp-memory", "jsonl", "csv")
"""What can be imported from elsewhere."""

_MNEMIC: Final = "mnemic-export"
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
    looks = files.looks(path)
    if looks.kind == "other":
        return "csv" if delimited.recognises(path) else None
    if any(one.get("format") == _MNEMIC for one in looks.objects()[:1]):
        return "mnemic"
    if mcp_memory.recognises(looks):
        return "mcp-memory"
    if mem0.is_surely(looks):
        return "mem0"
    return "jsonl" if json_lines.recognises(looks) else None


def is_a(path: Path, format: str) -> bool:
    """Tell whether a file can be read as a format, one of `FORMATS`, though it may look more like
    another: lines of mem0 are plain lines too.
    """
    if format == "robotmem":
        return robotmem.recognises(path)
    if format == "csv":
        return delimited.recognises(path)
    return not robotmem.is_sqlite(path) and _BY_LOOKS[format](files.looks(path))
