"""The frame of an export: its first line, its last line, and how a file is checked."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

from mnemic.errors import InvalidInputError
from mnemic.memory.texts.derivation import depth_of

FORMAT: Final = "mnemic-export"
VERSION: Final = 1
_ALLOWED: Final = "a file that `mnemic export` wrote"
# So much is read of a file to see what it is: another program's may be one line of gigabytes.
_HEAD: Final = 65_536
LONGEST_LINE: Final = 256 * 1024 * 1024
"""How many bytes a line has at most: twice the largest payload, each byte of it escaped."""
# A context may have 64 levels, and an event holds two of them.
_DEEPEST: Final = 100


@dataclass(frozen=True, slots=True)
class ExportLine:
    """One line of a file."""

    number: int
    told: dict[str, Any]
    offset: int
    """Where in the file it begins."""


class LineWriter:
    """Writes lines, counts them by kind and adds them up for the footer."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._sum = sha256()
        self.counts: Counter[str] = Counter()

    def write(self, told: Mapping[str, Any]) -> None:
        """Write one line."""
        data = encoded(told)
        self._sum.update(data)
        self._out.write(data)
        self.counts[told["kind"]] += 1

    def finish(self) -> None:
        """Write the last line, by which damage is found."""
        self.counts.pop("header", None)
        lines = dict(sorted(self.counts.items()))
        footer = {"kind": "footer", "lines": lines, "sha256": self._sum.hexdigest()}
        self._out.write(encoded(footer))


def encoded(told: Mapping[str, Any]) -> bytes:
    """Return an object as one line."""
    return f"{json.dumps(told, ensure_ascii=False, allow_nan=False)}\n".encode()


def header_of(path: Path) -> dict[str, Any] | None:
    """Return the first line of an export of Mnemic; None for any other file."""
    with path.open("rb") as file:
        first = file.readline(_HEAD)
        if FORMAT.encode() in first and not first.endswith(b"\n"):
            # A header names its accounts, and there may be thousands.
            first += file.readline(LONGEST_LINE)
    try:
        told: object = json.loads(first)
    except (ValueError, RecursionError):
        return None
    if not isinstance(told, dict):
        return None
    header = cast("dict[str, Any]", told)
    return header if header.get("format") == FORMAT else None


def checked_header(path: Path) -> dict[str, Any]:
    """Return the header of a file that this version can read; else say why it cannot."""
    header = header_of(path)
    if header is None:
        raise InvalidInputError("file", f"{path.name} is no export of Mnemic", _ALLOWED)
    version = header.get("version")
    if not isinstance(version, int) or version > VERSION:
        problem = f"{path.name} has format {version}, and this Mnemic knows {VERSION}"
        raise InvalidInputError("file", problem, f"formats up to {VERSION}; upgrade Mnemic")
    return header


def check(
    path: Path,
    *,
    look: Callable[[ExportLine], None] = lambda line: None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> int:
    """Read a whole file once, and refuse one that is cut or damaged, with the number of a line.

    `look` is shown each line between the header and the footer; it returns how many these are.
    """
    total, done = path.stat().st_size, 0
    summed, counts = sha256(), Counter[str]()
    footer: dict[str, Any] | None = None
    number = 0
    with path.open("rb") as file:
        for number, data in _raw_lines(file, 1):
            told = _parsed(number, data)
            if footer is not None:
                raise damaged(number, "it comes after the footer")
            if told["kind"] == "footer":
                footer = told
            else:
                summed.update(data)
                counts[told["kind"]] += 1
                if number > 1:
                    look(ExportLine(number, told, done))
            done += len(data)
            if number % 1_000 == 0:
                progress(done, total)
    progress(done, total)
    if footer is None:
        raise damaged(number, "the file ends here, without its footer")
    del counts["header"]
    if footer.get("lines") != dict(counts) or footer.get("sha256") != summed.hexdigest():
        problem = "the lines before are not those that the footer tells of: some were changed since"
        raise damaged(number, problem)
    return counts.total()


def lines_from(path: Path, first: ExportLine) -> Iterator[ExportLine]:
    """Return the lines from one on, without the footer."""
    offset = first.offset
    with path.open("rb") as file:
        file.seek(offset)
        for number, data in _raw_lines(file, first.number):
            told = _parsed(number, data)
            if told["kind"] != "footer":
                yield ExportLine(number, told, offset)
            offset += len(data)


def damaged(number: int, problem: str) -> InvalidInputError:
    """Say which line of a file cannot be read."""
    return InvalidInputError("file", f"damaged at line {number}: {problem}", _ALLOWED)


def _raw_lines(file: BinaryIO, first: int) -> Iterator[tuple[int, bytes]]:
    """Return numbered lines. One that has no end is never read as a whole."""
    for number in count(first):
        data = file.readline(LONGEST_LINE + 1)
        if len(data) > LONGEST_LINE:
            raise damaged(number, f"it has more than {LONGEST_LINE:,} bytes")
        if not data:
            return
        yield number, data


def _parsed(number: int, data: bytes) -> dict[str, Any]:
    try:
        told: object = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise damaged(number, "it is no JSON, or cut off") from error
    if not isinstance(told, dict) or not isinstance(
        kind := cast("dict[str, Any]", told).get("kind"), str
    ):
        raise damaged(number, "it has no kind")
    if (kind == "header") != (number == 1):
        raise damaged(number, "the header is the first line, and no other")
    line = cast("dict[str, Any]", told)
    if depth_of(line) > _DEEPEST:
        raise damaged(number, f"it is nested deeper than {_DEEPEST} levels")
    # The bytes tell quickly that there is none; an escaped backslash may stand before the rest.
    if b"\\u0000" in data and "\x00" in _texts(line):
        raise damaged(number, "it holds a NUL")
    return line


def _texts(line: object) -> str:
    """Return all texts in a line, and the names of its fields, one after the other."""
    if isinstance(line, str):
        return line
    if isinstance(line, dict):
        held = cast("dict[str, object]", line)
        return "".join((*held, *map(_texts, held.values())))
    return "".join(map(_texts, cast("list[object]", line))) if isinstance(line, list) else ""
