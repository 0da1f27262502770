"""How a value of a row is written in a line, and read back: the same on every backend."""

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from mnemic.storage.rows.payload_rows import pack, unpack
from mnemic.storage.timestamps import from_micros, to_micros

_HOUR: Final = 3_600_000_000
_TIMES: Final = (
    *("created_at", "updated_at", "accessed_at", "status_at", "started_at", "ended_at", "at"),
    *("run_at", "lease_until", "finished_at", "used_at", "struck_at", "compacted_at"),
    *("changed_at", "decayed_at", "said_at", "occurred_at", "valid_until", "expires_at"),
)
_JSON: Final = ("scope_files", "context", "before", "after", "extraction", "payload")


@dataclass(frozen=True, slots=True)
class Cell:
    """One way to write a value."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]
    types: tuple[type, ...]
    """What may stand in a line."""


def written_time(micros: int) -> str:
    """Return a time in UTC with all its microseconds, always of the same length."""
    return from_micros(micros).strftime("%Y-%m-%dT%H:%M:%S.%fZ").zfill(27)


def read_time(text: str) -> int:
    """Return the microseconds that a time stands for; ValueError where it is none."""
    moment = datetime.fromisoformat(text)
    return to_micros(moment if moment.tzinfo else moment.replace(tzinfo=UTC))


def packed(data: bytes) -> str:
    """Return bytes as text."""
    return b64encode(data).decode("ascii")


def unpacked(text: str) -> bytes:
    """Return the bytes that a text stands for; ValueError where it stands for none."""
    return b64decode(text, validate=True)


def _json_text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


_TIME: Final = Cell(written_time, read_time, (str,))
_PLAIN: Final = Cell(lambda value: value, lambda value: value, (str, int, float, bool))
_OBJECT: Final = Cell(json.loads, _json_text, (dict, list))
_CELLS: Final[Mapping[str, Cell]] = {
    **dict.fromkeys(_TIMES, _TIME),
    **dict.fromkeys(_JSON, _OBJECT),
    # As they are stored, in ASCII.
    "tags": Cell(json.loads, json.dumps, (list,)),
    # What sensors delivered is text, and stored compressed.
    **dict.fromkeys(("data", "metadata"), Cell(unpack, pack, (str,))),
    "hour": Cell(
        lambda hour: written_time(hour * _HOUR), lambda text: read_time(text) // _HOUR, (str,)
    ),
}


def cell_of(column: str) -> Cell:
    """Return how the values of a column are written."""
    return _CELLS.get(column, _PLAIN)
