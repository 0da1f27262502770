"""Looking into a file: its first bytes, its JSON, its lines."""

import json
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Final, Literal, cast

from mnemic.errors import InvalidInputError

_BOM: Final = b"\xef\xbb\xbf"
LONGEST_LINE: Final = 64 * 1024 * 1024
"""How many bytes a line has at most."""
# A document of JSON is read as a whole; what is larger can be written as lines.
_LARGEST_DOCUMENT: Final = 256 * 1024 * 1024
# How many lines are looked at before a file counts as something else.
_LOOKED_AT: Final = 20
# Under these a document keeps its records.
_HOLDS_ALL: Final = ("results", "memories", "entities")


@dataclass(frozen=True, slots=True)
class Looks:
    """What a file holds: one JSON value, JSON lines of which some are shown, or something else."""

    kind: Literal["document", "lines", "other"]
    document: Any = None
    first: tuple[Any, ...] = ()

    def objects(self) -> list[dict[str, Any]]:
        """Return those of the first lines that are objects."""
        return [cast("dict[str, Any]", value) for value in self.first if isinstance(value, dict)]


@contextmanager
def readable(path: Path) -> Generator[None]:
    """Turn what goes wrong with a file into an error of ours."""
    try:
        yield
    except FileNotFoundError as error:
        raise _no_file(path, "there is no such file") from error
    except IsADirectoryError as error:
        raise _no_file(path, "it is a folder") from error
    except OSError as error:
        raise _no_file(path, error.strerror or str(error)) from error


def begins_with(path: Path, magic: bytes) -> bool:
    """Tell whether a file begins with these bytes."""
    with readable(path), path.open("rb") as file:
        return file.read(len(magic)) == magic


def looks(path: Path) -> Looks:
    """Return what a file holds."""
    lines = raw_lines(path)
    _, first = next(lines, (0, b""))
    value, problem = parsed(first)
    if problem is None and not _is_whole(value, more=next(lines, None) is not None):
        return Looks("lines", first=_first_values(path))
    if problem is None:
        return Looks("document", document=value)
    if first[:1] not in (b"{", b"["):
        return Looks("other")
    value, problem = parsed(_whole(path))
    if problem is None:
        return Looks("document", document=value)
    shown = _first_values(path)
    return Looks("lines", first=shown) if shown else Looks("other")


def raw_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Return the lines of a file that are not empty, each with its number, from 1."""
    with readable(path), path.open("rb") as file:
        for number in count(1):
            line = file.readline(LONGEST_LINE + 1)
            if not line:
                return
            if len(line) > LONGEST_LINE:
                raise too_long(path, number)
            text = (line.removeprefix(_BOM) if number == 1 else line).strip()
            if text:
                yield number, text


def parsed(text: bytes) -> tuple[Any, str | None]:
    """Return a JSON value, or None and what is wrong with it."""
    try:
        return json.loads(text.decode("utf-8")), None
    except UnicodeDecodeError as error:
        return None, f"it is not UTF-8 (byte {error.start + 1})"
    except ValueError as error:
        return None, f"it is not JSON ({error})"
    except RecursionError:
        return None, "it is not JSON (it is nested too deeply)"


def _first_values(path: Path) -> tuple[Any, ...]:
    values: list[Any] = []
    for at, (_, line) in enumerate(raw_lines(path)):
        value, problem = parsed(line)
        if problem is None:
            values.append(value)
        if at + 1 == _LOOKED_AT:
            break
    return tuple(values)


def _is_whole(value: object, *, more: bool) -> bool:
    """Tell whether the value of the first line is all there is, and not the first of many."""
    if more or not isinstance(value, dict):
        return isinstance(value, list) and not more
    held = cast("dict[str, Any]", value)
    return any(isinstance(held.get(name), list) for name in _HOLDS_ALL)


def too_long(path: Path, number: int) -> InvalidInputError:
    """Return what to say of a file with a line that is too long."""
    problem = f"{path.name}: line {number} has more than {LONGEST_LINE:,} bytes"
    return InvalidInputError("file", problem, "shorter lines")


def _whole(path: Path) -> bytes:
    with readable(path), path.open("rb") as file:
        data = file.read(_LARGEST_DOCUMENT + 1)
    if len(data) > _LARGEST_DOCUMENT:
        problem = f"{path.name} is one JSON value of more than {_LARGEST_DOCUMENT:,} bytes"
        raise InvalidInputError("file", problem, "the same records as JSON lines")
    return data.removeprefix(_BOM)


def _no_file(path: Path, problem: str) -> InvalidInputError:
    return InvalidInputError("file", f"{path}: {problem}", "a file that can be read")
