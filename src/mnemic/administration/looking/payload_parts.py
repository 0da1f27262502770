"""What a payload holds that can be shown: series of numbers, in as few values as a plot has pixels,
and pictures.
"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, cast

from mnemic.records.json_numbers import as_float, is_number

_MOST_PARTS: Final = 200
_MOST_COLUMNS: Final = 64
_DEEPEST: Final = 8
# Beside a series: how many of its values there are in a second.
_RATES: Final = ("hz", "rate_hz", "sample_rate", "rate")
# What base64 makes of the first bytes of a file, and which kind of picture that is.
_PICTURES: Final = {
    "iVBORw0KGgo": "image/png",
    "/9j/": "image/jpeg",
    "R0lGOD": "image/gif",
    "UklGR": "image/webp",
}

Numbers = list[float | None]


@dataclass(frozen=True, slots=True)
class Series:
    """Numbers in a row at a path of the payload. `rate` is how many there are in a second, where
    the payload says so; `low` and `high` are None where all of them are missing.
    """

    path: str
    length: int
    rate: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture at a path of the payload, in base64."""

    path: str
    media_type: str
    base64: str


@dataclass(frozen=True, slots=True)
class PayloadParts:
    """What of a payload can be shown, and how many characters it has."""

    characters: int
    series: tuple[Series, ...]
    pictures: tuple[Picture, ...]


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a series: of every `step` numbers from `start` on, the least and the greatest."""

    path: str
    start: int
    step: int
    low: Numbers
    high: Numbers


def parts_of(data: str) -> PayloadParts:
    """Return what can be shown of a payload; nothing of what is neither JSON nor a picture."""
    series: list[Series] = []
    pictures: list[Picture] = []
    for found in islice(_walk(_value(data), ""), _MOST_PARTS):
        if isinstance(found, Picture):
            pictures.append(found)
        else:
            path, numbers, rate = found
            series.append(Series(path, len(numbers), rate, *_range(numbers)))
    return PayloadParts(len(data), tuple(series), tuple(pictures))


def window(data: str, path: str, *, start: int, end: int | None, values: int) -> Window | None:
    """Return the numbers of a series from `start` to before `end` in at most so many values, None
    where there is no such series.
    """
    for found in _walk(_value(data), ""):
        if not isinstance(found, Picture) and found[0] == path:
            return _window(path, found[1][start:end], start, values)
    return None


def _window(path: str, chosen: Numbers, start: int, values: int) -> Window:
    step = max(1, math.ceil(len(chosen) / values))
    ranges = [_range(chosen[at : at + step]) for at in range(0, len(chosen), step)]
    return Window(path, start, step, [low for low, _ in ranges], [high for _, high in ranges])


def _value(data: str) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return data


Found = Picture | tuple[str, Numbers, float | None]


def _walk(value: Any, path: str, *, rate: float | None = None, depth: int = 0) -> Iterator[Found]:
    if isinstance(value, str):
        picture = _picture(value, path)
        if picture is not None:
            yield picture
    elif depth == _DEEPEST:
        return
    elif isinstance(value, dict):
        held = cast("Mapping[str, Any]", value)
        rate = _rate(held, rate)
        for name, inner in islice(held.items(), _MOST_PARTS):
            yield from _walk(inner, _joined(path, name), rate=rate, depth=depth + 1)
    elif isinstance(value, list) and value:
        yield from _of_list(cast("list[Any]", value), path, rate, depth)


def _of_list(rows: list[Any], path: str, rate: float | None, depth: int) -> Iterator[Found]:
    first = rows[0]
    if all(row is None or is_number(row) for row in rows):
        if len(rows) > 1:
            yield path, [_number(row) for row in rows], rate
    elif isinstance(first, dict) and all(isinstance(row, dict) for row in rows):
        for name in islice(cast("Mapping[str, Any]", first), _MOST_COLUMNS):
            yield from _column([row.get(name) for row in rows], _joined(path, name), rate)
    elif isinstance(first, list) and all(isinstance(row, list) for row in rows):
        for at in range(min(len(cast("list[Any]", first)), _MOST_COLUMNS)):
            column = [row[at] if at < len(row) else None for row in rows]
            yield from _column(column, _joined(path, str(at)), rate)
    else:
        for at, inner in enumerate(rows[:_MOST_COLUMNS]):
            yield from _walk(inner, _joined(path, str(at)), rate=rate, depth=depth + 1)


def _column(values: list[Any], path: str, rate: float | None) -> Iterator[Found]:
    if len(values) > 1 and any(map(is_number, values)):
        yield path, [_number(one) for one in values], rate


def _number(value: Any) -> float | None:
    number = as_float(value) if is_number(value) else math.nan
    return number if math.isfinite(number) else None


def _range(numbers: Sequence[float | None]) -> tuple[float | None, float | None]:
    known = [one for one in numbers if one is not None]
    return (min(known), max(known)) if known else (None, None)


def _rate(held: Mapping[str, Any], above: float | None) -> float | None:
    stated = (as_float(held[name]) for name in _RATES if is_number(held.get(name)))
    return next((rate for rate in stated if 0 < rate < math.inf), above)


def _picture(text: str, path: str) -> Picture | None:
    head, comma, _ = text[:64].partition(",")
    if comma and head.startswith("data:image/") and head.endswith(";base64"):
        text = text[len(head) + 1 :]
    kind = next((kind for begins, kind in _PICTURES.items() if text.startswith(begins)), None)
    return None if kind is None else Picture(path, kind, text)


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
