"""JSON lines of plain records, or of bare texts."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from mnemic.importing import fields, files, plain
from mnemic.importing.files import Looks
from mnemic.importing.placing import Placement, Told
from mnemic.importing.sources import Entry, Source


def recognises(looks: Looks) -> bool:
    """Tell whether there is a line that is a text, or an object with one."""
    held = any(name in one for one in looks.objects() for name in plain.TEXTS)
    return looks.kind == "lines" and (held or any(isinstance(one, str) for one in looks.first))


@contextmanager
def opened(path: Path, place: Placement) -> Generator[Source]:
    """Open a file of JSON lines."""
    yield Source(total=sum(1 for _ in files.raw_lines(path)), entries=_entries(path, place))


def _entries(path: Path, place: Placement) -> Iterator[Entry]:
    for number, line in files.raw_lines(path):
        value, problem = files.parsed(line)
        where = f"line {number}"
        try:
            found = problem or place.arrival(_told(value))
        except fields.UnusableError as error:
            found = str(error)
        yield Entry(where, found)


def _told(value: object) -> Told:
    if isinstance(value, str):
        return Told(content=value, about={})
    if not isinstance(value, dict):
        raise fields.UnusableError(f"it is {fields.type_name(value)}; allowed: an object or a text")
    return plain.told(cast("dict[str, Any]", value))
