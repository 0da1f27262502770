"""CSV: a header with the names of plain records, and rows, separated by comma, semicolon or tab."""

import csv
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Final, TextIO

from mnemic.errors import InvalidInputError
from mnemic.transfer.foreign import foreign_fields, plain
from mnemic.transfer.foreign.foreign_files import LONGEST_LINE, readable, too_long
from mnemic.transfer.foreign.placing import Placement
from mnemic.transfer.foreign.sources import ForeignEntry, ForeignSource

_DELIMITERS: Final = (",", ";", "\t")
# Python's own limit is 131,072 characters; a cell may hold a whole document.
_LONGEST_CELL: Final = 64 * 1024 * 1024
_LONGEST_HEADER: Final = 65_536


def recognises(path: Path) -> bool:
    """Tell whether the first line is a header with a column of texts."""
    return _delimiter(path) is not None


@contextmanager
def opened(path: Path, place: Placement) -> Generator[ForeignSource]:
    """Open a CSV file; everything in it is read once before anything is taken in."""
    limit = csv.field_size_limit(_LONGEST_CELL)
    try:
        yield ForeignSource(total=_count(path), entries=_entries(path, place))
    finally:
        csv.field_size_limit(limit)


def _count(path: Path) -> int:
    try:
        return sum(1 for _, row in _rows(path) if row) - 1
    except UnicodeDecodeError as error:
        problem = f"{path.name} is not UTF-8 (byte {error.object[error.start]:#x})"
        raise InvalidInputError("file", problem, "text in UTF-8") from error
    except csv.Error as error:
        raise InvalidInputError("file", f"{path.name}: {error}", "CSV") from error


def _entries(path: Path, place: Placement) -> Iterator[ForeignEntry]:
    rows = _rows(path)
    _, header = next(rows)
    names = _names(header)
    for number, row in rows:
        if not row:
            continue
        where = f"row {number}"
        if len(row) > len(names):
            problem = f"it has {len(row)} cells, the header {len(names)}"
            yield ForeignEntry(
                where, f"{problem}; allowed: quotes around a cell with a delimiter in it"
            )
            continue
        try:
            # A row may end early: the cells that it lacks are empty.
            yield ForeignEntry(
                where, place.arrival(plain.told(dict(zip(names, row, strict=False))))
            )
        except foreign_fields.UnusableError as error:
            yield ForeignEntry(where, str(error))


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Return the rows as a spreadsheet numbers them: the header is row 1."""
    with readable(path), path.open(encoding="utf-8-sig", newline="") as file:
        # Strict: else a quote that nobody closes takes all rows after it into its cell.
        lines = _lines(path, file)
        rows = csv.reader(lines, delimiter=_delimiter(path) or ",", strict=True)
        at = 0
        try:
            for at, row in enumerate(rows, 1):
                yield at, row
        except csv.Error as error:
            problem = f"row {at + 1} is no CSV ({error})"
            raise InvalidInputError(
                "file", problem, "rows of cells, quoted where needed"
            ) from error


def _lines(path: Path, file: TextIO) -> Iterator[str]:
    """Return the lines. One that has no end is never read as a whole."""
    for number in count(1):
        line = file.readline(LONGEST_LINE + 1)
        if not line:
            return
        if len(line) > LONGEST_LINE:
            raise too_long(path, number)
        yield line


def _delimiter(path: Path) -> str | None:
    """Return what separates the header's names, where one of these is a column of texts."""
    with readable(path), path.open("rb") as file:
        first = file.readline(_LONGEST_HEADER)
    try:
        header = first.decode("utf-8-sig")
        columns = {
            delimiter: _names(next(csv.reader([header], delimiter=delimiter), list[str]()))
            for delimiter in _DELIMITERS
        }
    except (UnicodeDecodeError, csv.Error):
        return None
    with_texts = [
        delimiter for delimiter in _DELIMITERS if set(columns[delimiter]) & set(plain.TEXTS)
    ]
    return max(with_texts, key=lambda delimiter: len(columns[delimiter]), default=None)


def _names(header: list[str]) -> list[str]:
    """Return the columns' names, those that are known in small letters; no two are the same."""
    names: list[str] = []
    for at, column in enumerate(header, 1):
        name = column.strip() or f"column {at}"
        name = name.lower() if name.lower() in plain.KNOWN else name
        names.append(name if name not in names else f"{name} {at}")
    return names
