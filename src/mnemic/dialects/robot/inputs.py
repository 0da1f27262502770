"""What a robot's client may send: each value is checked once, here, and named in the error."""

import json
from collections.abc import Mapping
from datetime import datetime, tzinfo
from typing import Any, Final, NoReturn, cast

from mnemic.errors import InvalidInputError
from mnemic.memory.texts.derivation import check_text
from mnemic.records.memory import PAYLOAD_BYTES, MemoryStatus, Payload, Scope
from mnemic.runtime.time_zones import read_moment

INSIGHT_CHARACTERS: Final = 300
DESCRIPTION_CHARACTERS: Final = 5
QUERY_CHARACTERS: Final = 10_000
MAX_HITS: Final = 100
MAX_BATCH: Final = 10_000
PERCEPTION_TYPES: Final = ("visual", "tactile", "auditory", "proprioceptive", "procedural")

STATUSES: Final[Mapping[str, MemoryStatus | None]] = {
    "active": "active",
    "invalidated": "invalidated",
    "superseded": "superseded",
    "all": None,
}

JsonObject = Mapping[str, Any]
JsonInput = str | JsonObject | None


def text(parameter: str, value: object, *, at_most: int | None = None, at_least: int = 1) -> str:
    """Return a text that is not blank and of an allowed length, trimmed of white space."""
    allowed = f"a text of {at_least} to {at_most} characters" if at_most else "a text"
    if at_least > 1 and not at_most:
        allowed = f"a text of at least {at_least} characters"
    if not isinstance(value, str):
        raise InvalidInputError(parameter, f"it is {_kind(value)}", allowed)
    trimmed = value.strip()
    if len(trimmed) < at_least:
        problem = "it is empty" if not trimmed else f"it has only {len(trimmed)} characters"
        raise InvalidInputError(parameter, problem, allowed)
    if at_most is not None and len(trimmed) > at_most:
        raise InvalidInputError(parameter, f"it has {len(trimmed)} characters", allowed)
    check_text(parameter, trimmed)
    return trimmed


def trimmed_insight(parameter: str, value: object) -> tuple[str, bool]:
    """Return a text of at most 300 characters, and whether it had to be cut."""
    whole = text(parameter, value)
    return whole[:INSIGHT_CHARACTERS].rstrip(), len(whole) > INSIGHT_CHARACTERS


def whole_number(parameter: str, value: object, *, low: int, high: int) -> int:
    """Return an integer of an allowed range; true and false are not numbers."""
    allowed = f"a whole number from {low} to {high}"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise InvalidInputError(parameter, f"it is {_kind(value)}", allowed)
    if not low <= value <= high:
        raise InvalidInputError(parameter, f"{_shown(value)} is out of range", allowed)
    return value


def memory_number(value: object, *, parameter: str = "memory_id") -> int:
    """Return the id of a memory."""
    if isinstance(value, int) and not isinstance(value, bool) and value <= 0:
        raise InvalidInputError(parameter, f"{_shown(value)} is not an id", "a number over 0")
    return whole_number(parameter, value, low=1, high=2**63 - 1)


def share(parameter: str, value: object) -> float:
    """Return a number from 0 to 1."""
    allowed = "a number from 0.0 to 1.0"
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise InvalidInputError(parameter, f"it is {_kind(value)}", allowed)
    if not 0 <= value <= 1:
        raise InvalidInputError(parameter, f"{_shown(value)} is out of range", allowed)
    return float(value)


def moment(parameter: str, value: object, zone: tzinfo, *, ends: bool = False) -> datetime | None:
    """Return a time, or None when none is named; without an offset it is the zone's."""
    if value is None or value == "":
        return None
    allowed = 'an ISO 8601 time such as "2026-03-09T10:30:00Z"'
    if not isinstance(value, str):
        raise InvalidInputError(parameter, f"it is {_kind(value)}", allowed)
    try:
        return read_moment(value.strip(), zone, ends=ends)
    except ValueError as error:
        raise InvalidInputError(parameter, f"{value!a:.60} is no time", allowed) from error


def flag(parameter: str, value: object) -> bool:
    """Return true or false."""
    if not isinstance(value, bool):
        raise InvalidInputError(parameter, f"it is {_kind(value)}", "true or false")
    return value


def collection_scope(value: object) -> Scope:
    """Return the scope behind a collection's name."""
    name = text("collection", value, at_most=200)
    if not name.isprintable():
        raise InvalidInputError("collection", "it holds control characters", "printable characters")
    return Scope("collection", name)


def session(value: object, *, required: bool = False) -> str | None:
    """Return the id of a session, or None when none is named."""
    if not required and (value is None or value == ""):
        return None
    return text("session_id", value, at_most=200)


def perception_type(value: object) -> str:
    """Return one of the five kinds of perception."""
    if value not in PERCEPTION_TYPES:
        shown = repr(value)[:60]
        raise InvalidInputError("perception_type", f"{shown}", ", ".join(PERCEPTION_TYPES))
    return cast("str", value)


def status(value: object) -> MemoryStatus | None:
    """Return the status of the memories that are meant; None is any."""
    if not isinstance(value, str) or value not in STATUSES:
        raise InvalidInputError("status", repr(value)[:60], ", ".join(STATUSES))
    return STATUSES[value]


def lenient_context(value: object) -> tuple[JsonObject, str | None]:
    """Return a context and, where it is not a JSON object, a warning.

    What is not an object is kept whole under `user_context`: a lesson is never lost over its
    context.
    """
    if value is None or value == "":
        return {}, None
    if isinstance(value, Mapping):
        return cast("JsonObject", value), None
    if isinstance(value, str):
        try:
            parsed = _parse("context", value)
        except InvalidInputError as error:
            return _kept(value, error.problem)
        if isinstance(parsed, dict):
            return cast("JsonObject", parsed), None
        return _kept(parsed, f"it is {_kind(parsed)}, not an object")
    return _kept(value, f"it is {_kind(value)}, not an object")


def payload(data: object, metadata: object) -> Payload | None:
    """Return what a sensor delivered, as given; broken JSON is refused."""
    kept = Payload(_json_text("data", data), _json_text("metadata", metadata))
    return kept if kept.data is not None or kept.metadata is not None else None


def _json_text(parameter: str, value: object) -> str | None:
    # Some clients make a model fill in every parameter, and it writes nothing there.
    if value is None or value == "":
        return None
    written = value if isinstance(value, str) else _written(parameter, value)
    if isinstance(value, str):
        _parse(parameter, value)
    size = len(written.encode("utf-8", "surrogatepass"))
    if size > PAYLOAD_BYTES:
        raise InvalidInputError(parameter, f"it has {size} bytes", f"at most {PAYLOAD_BYTES} bytes")
    return written


def _written(parameter: str, value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInputError(parameter, f"it is not JSON ({error})", "JSON") from error


def _parse(parameter: str, value: str) -> object:
    try:
        value.encode("utf-8")
        return json.loads(value, parse_constant=_refuse_constant)
    except UnicodeEncodeError as error:
        problem = "it holds half of a surrogate pair"
        raise InvalidInputError(parameter, problem, "text in UTF-8") from error
    except json.JSONDecodeError as error:
        problem = f"it is not JSON ({error.msg} at character {error.pos})"
        raise InvalidInputError(parameter, problem, "JSON") from error
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(parameter, f"it is not JSON ({error})", "JSON") from error


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _kept(value: object, problem: str) -> tuple[JsonObject, str]:
    return {"user_context": value}, f"context: {problem}; it was kept whole under user_context"


def _kind(value: object) -> str:
    names: dict[type, str] = {
        type(None): "null",
        bool: "true or false",
        str: "a text",
        int: "a number",
        float: "a number",
        list: "a list",
        dict: "an object",
    }
    return names.get(type(value), f"a {type(value).__name__}")


def _shown(value: float) -> str:
    """Return a number for an error message; a huge one is cut."""
    try:
        written = str(value)
    except ValueError:
        return "a huge number"
    return written if len(written) <= 40 else f"{written[:40]}…"
