"""Values as other programs write them, read one by one."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final, cast

from mnemic.language.dates import moment_of

# A number below the first is no time that anybody noted; one above the second would lie after the
# year 5000 if it counted seconds, so it counts milliseconds.
_SECONDS_FROM: Final = 100_000_000
_MILLISECONDS_FROM: Final = 100_000_000_000
_LONGEST_NAME: Final = 200


class UnusableError(Exception):
    """A record cannot be taken in; the message says why."""


def moment(name: str, value: object) -> datetime | None:
    """Return a time: a text in ISO 8601, or seconds or milliseconds since 1970. UTC is assumed."""
    if value is None or value == "":
        return None
    try:
        at = moment_of(value) if isinstance(value, str) else None
        number = _number(value) if at is None else None
        if number is not None and number >= _SECONDS_FROM:
            seconds = number / 1000 if number >= _MILLISECONDS_FROM else number
            at = datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        at = None
    if at is None:
        raise UnusableError(f"{name}: {_shown(value)} is no time; allowed: ISO 8601, or seconds")
    return at


def fraction(name: str, value: object) -> float | None:
    """Return a number from 0 to 1."""
    if value is None or value == "":
        return None
    number = _number(value)
    if number is None or not 0 <= number <= 1:
        raise UnusableError(f"{name}: {_shown(value)} is out of range; allowed: 0.0 to 1.0")
    return number


def label(name: str, value: object) -> str | None:
    """Return the name of something, such as a user, without spaces around it."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise UnusableError(f"{name}: {_shown(value)} is no name; allowed: a text or a number")
    text = str(value).strip()
    if len(text) > _LONGEST_NAME or not text.isprintable():
        raise UnusableError(
            f"{name}: {_shown(text)} is no name; allowed: {_LONGEST_NAME} printable characters"
        )
    return text


def words(value: object) -> list[Any]:
    """Return a list of tags, which may be written as one text with commas or semicolons."""
    if isinstance(value, str):
        parts = value.replace(";", ",").replace("，", ",").replace("；", ",").split(",")
        return [part.strip() for part in parts if part.strip()]
    return cast("list[Any]", value) if isinstance(value, list) else [value]


def parsed_object(value: object) -> dict[str, Any] | None:
    """Return an object, also where it is written as the text of one; None for all else."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    return dict(cast("Mapping[str, Any]", value)) if isinstance(value, Mapping) else None


def as_object(value: object) -> dict[str, Any]:
    """Return an object; an empty one for all else."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    """Return a list; an empty one for all else."""
    return cast("list[Any]", value) if isinstance(value, list) else []


def given(value: object) -> bool:
    """Tell whether a value says anything."""
    return value is not None and value not in ("", [], {})


def type_name(value: object) -> str:
    """Return what a JSON value is, in words."""
    names: dict[type, str] = {
        dict: "an object",
        list: "a list",
        str: "a text",
        bool: "true or false",
    }
    return "null" if value is None else names.get(type(value), "a number")


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value)
    except (ValueError, OverflowError):
        return None


def _shown(value: object) -> str:
    return repr(value)[:60]
