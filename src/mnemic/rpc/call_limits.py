"""How much one call may ask for over the wire, where the engine itself sets no limit.

A program in the engine's own process may read everything at once; a client of a server that others
use too may not.
"""

from typing import Final

from mnemic.dialects.robot.inputs import MAX_BATCH, QUERY_CHARACTERS
from mnemic.errors import InvalidInputError
from mnemic.records.filters import MAX_CONDITIONS
from mnemic.records.memory import PAYLOAD_BYTES

MOST_BYTES: Final = 48 * 1024 * 1024
"""Sensor data and its metadata of 16 MiB each, and room for what JSON puts before quotes."""

MOST_ROWS: Final = 1_000
_MOST_CHARACTERS: Final = 1024 * 1024
_LONG: Final = {"data": PAYLOAD_BYTES, "metadata": PAYLOAD_BYTES, "text": QUERY_CHARACTERS}
# Filters are joined, so they may have more than the parser takes at once.
_MOST_CONDITIONS: Final = 5 * MAX_CONDITIONS
_PAGES: Final = frozenset({"limit", "turns"})
_STARTS: Final = frozenset({"offset", "first"})
_LARGEST: Final = 2**63 - 1
_CHECKED_BY_ENGINE: Final = frozenset({"query.limit"})


def check_text(where: str, text: str) -> None:
    """Refuse a text that is too long, or that no database can hold."""
    name = where.rpartition(".")[2]
    most = _LONG.get(name, _MOST_CHARACTERS)
    if len(text) > most:
        raise InvalidInputError(where, f"it has {len(text)} characters", f"at most {most}")
    if "\x00" in text or not _is_encodable(text):
        # In the engine's words, so that it reads the same wherever the memory is.
        problem = "it holds a NUL or half of a surrogate pair"
        raise InvalidInputError(name, problem, "text that can be written as UTF-8")


def check_number(where: str, number: int) -> None:
    """Refuse a number that no database can hold, and a page that is too long."""
    name = where.rpartition(".")[2]
    low, high = -_LARGEST, _LARGEST
    if name in _PAGES and where not in _CHECKED_BY_ENGINE:
        low, high = 0, MOST_ROWS
    if name in _STARTS:
        low = 0
    if not low <= number <= high:
        allowed = f"a whole number from {low} to {high}"
        raise InvalidInputError(where, "it is out of range", allowed)


def check_length(where: str, length: int) -> None:
    """Refuse a list that is too long."""
    most = _MOST_CONDITIONS if where.endswith(".conditions") else MAX_BATCH
    if length > most:
        raise InvalidInputError(where, f"it has {length} entries", f"at most {most}")


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
