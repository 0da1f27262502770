"""JSON lines of plain records, or of bare texts."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from mnemic.transfer.foreign import foreign_fields, foreign_files, plain
from mnemic.transfer.foreign.foreign_files import Looks
from mnemic.transfer.foreign.placing import Placement, Told
from mnemic.transfer.foreign.sources import ForeignEntry, ForeignSource


def recognises(looks: Looks) -> bool:
    """Tell whether there is a line that is a text, or an object with one."""
    held = any(name in record for record in looks.objects() for name in plain.TEXTS)
    return looks.kind == "lines" and (held or any(isinstance(value, str) for value in looks.first))


@contextmanager
def opened(path: Path, place: Placement) -> Generator[ForeignSource]:
    """Open a file of JSON lines."""
    yield ForeignSource(
        total=sum(1 for _ in foreign_files.raw_lines(path)), entries=_entries(path, place)
    )


def _entries(path: Path, place: Placement) -> Iterator[ForeignEntry]:
    for number, line in foreign_files.raw_lines(path):
        value, problem = foreign_files.parsed(line)
        where = f"line {number}"
        try:
            outcome = problem or place.arrival(_told(value))
        except foreign_fields.UnusableError as error:
            outcome = str(error)
        yield ForeignEntry(where, outcome)


def _told(value: object) -> Told:
    if isinstance(value, str):
        return Told(content=value, about={})
    if not isinstance(value, dict):
        raise foreign_fields.UnusableError(
            f"it is {foreign_fields.type_name(value)}; allowed: an object or a text"
        )
    return plain.told(cast("dict[str, Any]", value))
