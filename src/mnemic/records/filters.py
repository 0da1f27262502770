"""What recall may restrict and sort by: conditions on a memory's context, its time and its kind,
and a place in it.

Parsing turns what a caller wrote into values every storage backend can rely on; `matches` and
`distance` are the reference for what those values mean.
"""

import json
import math
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, Literal, NoReturn, Self, cast

from mnemic.errors import InvalidInputError
from mnemic.records.json_numbers import Number, as_float, comparable, is_number
from mnemic.records.memory import MemoryKind

Op = Literal["eq", "ne", "lt", "lte", "gt", "gte", "in", "nin", "exists"]
Scalar = str | Number | bool | None
Path = tuple[str, ...]

MAX_CONDITIONS: Final = 10
MAX_SEGMENTS: Final = 10
MAX_MEMBERS: Final = 1_000
MAX_DIMENSIONS: Final = 16

CREATED_AT: Final[Path] = ("created_at",)
"""Not looked up in the context: the time the memory was made."""
KIND: Final[Path] = ("", "kind")
"""Not looked up in the context either: the memory's kind. Nobody can write a path with an empty
segment, so every key of a context stays within reach. It is only tested with `in`."""

_FILTER: Final = "context_filter"
_NEAR: Final = "spatial_sort"
_MISSING: Final = object()

_OPERATORS: Final[Mapping[str, Op]] = {
    "$eq": "eq",
    "$ne": "ne",
    "$lt": "lt",
    "$lte": "lte",
    "$gt": "gt",
    "$gte": "gte",
    "$in": "in",
    "$nin": "nin",
    "$exists": "exists",
}
COMPARISONS: Final[Mapping[Op, Callable[[Any, Any], bool]]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "lte": operator.le,
    "gt": operator.gt,
    "gte": operator.ge,
}
_SCALAR: Final = "a string, a number, true, false or null"


@dataclass(frozen=True, slots=True)
class Condition:
    """One test of the value at a path.

    `value` is a tuple for `in` and `nin`, a boolean for `exists`, a finite number for the ranges,
    and an aware UTC datetime where the test is on the time the memory was made.
    """

    path: Path
    op: Op
    value: Scalar | tuple[Scalar, ...] | datetime


@dataclass(frozen=True, slots=True)
class Filter:
    """Conditions that must all hold; without any, everything passes."""

    conditions: tuple[Condition, ...] = ()

    def __and__(self, other: Self) -> Self:
        return type(self)(self.conditions + other.conditions)


EVERYTHING: Final = Filter()
"""The filter that every memory passes."""


@dataclass(frozen=True, slots=True)
class Near:
    """A point to sort by, the path of the stored point, and how far a hit may be away."""

    path: Path
    target: tuple[float, ...]
    max_distance: float | None = None


def parse_filter(raw: str | Mapping[str, object] | None) -> Filter:
    """Return the filter that a JSON text or an object describes; nothing or `{}` is the empty one.

    Keys are dot-paths, so a context key that itself holds a dot cannot be reached. Every operator
    counts as one condition. `created_at` alone means the time the memory was made, never a key of
    the context; a date stands for its first moment, and a time without a zone is UTC.
    """
    conditions: list[Condition] = []
    for key, wanted in _object(_FILTER, raw).items():
        path = _path(_FILTER, "a path", key)
        for name, operand in _operations(key, wanted):
            written = name if isinstance(wanted, Mapping) else "the value"
            value = _value(path, _OPERATORS[name], operand, where=f"{written} of {_shown(key)}")
            conditions.append(Condition(path, _OPERATORS[name], value))
            if len(conditions) > MAX_CONDITIONS:
                raise InvalidInputError(
                    _FILTER,
                    f"more than {MAX_CONDITIONS} conditions",
                    f"at most {MAX_CONDITIONS}, where every operator counts as one",
                )
    return Filter(tuple(conditions))


def of_kinds(kinds: Iterable[MemoryKind]) -> Filter:
    """Return the filter that memories of these kinds pass; of no kinds, none passes.

    Join it with another by `&`.
    """
    return Filter((Condition(KIND, "in", tuple(dict.fromkeys(kinds))),))


def parse_near(raw: str | Mapping[str, object] | None) -> Near | None:
    """Return the point to sort by that a JSON text or an object describes, None for no sorting."""
    wanted = _object(_NEAR, raw)
    if not wanted:
        return None
    for key in wanted:
        if key not in ("field", "target", "max_distance"):
            _reject(_NEAR, f"unknown key {_shown(key)}", "field, target and max_distance")
    for key in ("field", "target"):
        if key not in wanted:
            _reject(_NEAR, f"{key} is missing", "an object with field and target")
    limit = wanted.get("max_distance")
    return Near(
        path=_path(_NEAR, "field", wanted["field"]),
        target=_target(wanted["target"]),
        max_distance=None if limit is None else _limit(limit),
    )


def matches(
    filter: Filter,
    context: Mapping[str, object],
    created_at: datetime,
    kind: MemoryKind = "fact",
) -> bool:
    """Tell whether a memory passes: the meaning every backend's compiled filter must agree with.

    A path walks objects only, and a missing one matches nothing but `exists` false. Equality is
    JSON's (true is not 1, but 1 is 1.0); a range holds for stored numbers only.
    """
    return all(
        COMPARISONS[condition.op](created_at, condition.value)
        if isinstance(condition.value, datetime)
        else _holds(condition, kind if condition.path == KIND else _found(context, condition.path))
        for condition in filter.conditions
    )


def distance(near: Near, context: Mapping[str, object]) -> float | None:
    """Return how far the stored point is from the target, whatever `max_distance` says.

    None means there is no such point: no array there, another dimension, a coordinate that is not
    a number, or one so far away that floating point has no number for it.
    """
    stored = _found(context, near.path)
    if not isinstance(stored, list | tuple):
        return None
    point = cast("list[object]", stored)
    if len(point) != len(near.target):
        return None
    total = 0.0
    for coordinate, wanted in zip(point, near.target, strict=True):
        if not is_number(coordinate):
            return None
        step = as_float(coordinate) - wanted
        total += step * step
    return math.sqrt(total) if math.isfinite(total) else None


def _object(parameter: str, raw: object) -> Mapping[object, object]:
    if raw is None or (isinstance(raw, str) and not raw.strip()):
        return {}
    value: object = _decoded(parameter, raw) if isinstance(raw, str) else raw
    if not isinstance(value, Mapping):
        _reject(parameter, f"it is {_kind(value)}", "a JSON object")
    return cast("Mapping[object, object]", value)


def _decoded(parameter: str, text: str) -> object:
    try:
        return json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        # RecursionError is an answer to hostile nesting; ValueError covers every other defect,
        # including integers with more digits than Python is willing to read.
        raise InvalidInputError(parameter, f"not valid JSON ({error})", "a JSON object") from error


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _path(parameter: str, what: str, key: object) -> Path:
    if not isinstance(key, str):
        _reject(parameter, f"{what} is {_kind(key)}", "a dot-path such as task.success")
    segments = tuple(_text(parameter, what, key).split("."))
    if not all(segments):
        _reject(parameter, f"{_shown(key)} has an empty segment", "names joined by single dots")
    if len(segments) > MAX_SEGMENTS:
        _reject(
            parameter,
            f"{_shown(key)} has {len(segments)} segments",
            f"a path of at most {MAX_SEGMENTS} segments",
        )
    if "\0" in key:
        # SQLite takes U+0000 for the end of a key, so such a path would find other keys.
        _reject(parameter, f"{_shown(key)} holds U+0000", "a path without U+0000")
    return segments


def _operations(key: object, wanted: object) -> Iterator[tuple[str, object]]:
    if not isinstance(wanted, Mapping):
        yield "$eq", wanted
        return
    operations = cast("Mapping[object, object]", wanted)
    if not any(isinstance(name, str) and name.startswith("$") for name in operations):
        _reject(
            _FILTER,
            f"the value of {_shown(key)} is an object without operators",
            f"{_SCALAR}, or operators ({', '.join(_OPERATORS)}); "
            "to reach into an object use a dot-path",
        )
    for name, operand in operations.items():
        if not isinstance(name, str) or name not in _OPERATORS:
            _reject(
                _FILTER,
                f"unknown operator {_shown(name)} of {_shown(key)}",
                ", ".join(_OPERATORS),
            )
        yield name, operand


def _value(
    path: Path, op: Op, operand: object, *, where: str
) -> Scalar | tuple[Scalar, ...] | datetime:
    if path == CREATED_AT:
        return _instant(op, operand, where=where)
    match op:
        case "in" | "nin":
            return _members(operand, where=where)
        case "exists":
            if not isinstance(operand, bool):
                _reject(_FILTER, f"{where} is {_kind(operand)}", "true or false")
            return operand
        case "lt" | "lte" | "gt" | "gte":
            return _number(_FILTER, where, operand)
        case "eq" | "ne":
            if isinstance(operand, list | tuple):
                instead = "$in" if op == "eq" else "$nin"
                _reject(_FILTER, f"{where} is an array", f"{_SCALAR}; use {instead} for several")
            return _scalar(operand, where=where)


def _instant(op: Op, operand: object, *, where: str) -> datetime:
    if op not in COMPARISONS:
        _reject(_FILTER, f"{where} cannot be tested", "$eq, $ne, $lt, $lte, $gt and $gte")
    allowed = 'an ISO 8601 date or time such as "2026-03-09" or "2026-03-09T10:30:00Z"'
    if not isinstance(operand, str):
        _reject(_FILTER, f"{where} is {_kind(operand)}", allowed)
    try:
        moment = datetime.fromisoformat(operand)
        return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        problem = f"{where} is {_shown(operand)}, which is not a time"
        raise InvalidInputError(_FILTER, problem, allowed) from error


def _members(operand: object, *, where: str) -> tuple[Scalar, ...]:
    allowed = f"an array of 1 to {MAX_MEMBERS} scalars ({_SCALAR})"
    if not isinstance(operand, list | tuple):
        _reject(_FILTER, f"{where} is {_kind(operand)}", allowed)
    members = cast("list[object]", operand)
    if not 1 <= len(members) <= MAX_MEMBERS:
        _reject(_FILTER, f"{where} has {len(members)} entries", allowed)
    return tuple(_scalar(member, where=f"an entry in {where}") for member in members)


def _scalar(operand: object, *, where: str) -> Scalar:
    if operand is None or isinstance(operand, bool):
        return operand
    if isinstance(operand, str):
        return _text(_FILTER, where, operand)
    if isinstance(operand, int | float):
        return _number(_FILTER, where, operand)
    return _reject(_FILTER, f"{where} is {_kind(operand)}", _SCALAR)


def _text(parameter: str, where: str, text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        problem = f"{where} holds half of a surrogate pair ({_shown(text)})"
        raise InvalidInputError(parameter, problem, "valid Unicode text") from error
    return text


def _number(parameter: str, where: str, value: object) -> Number:
    if not is_number(value):
        _reject(parameter, f"{where} is {_kind(value)}", "a number")
    if not math.isfinite(as_float(value)):
        _reject(parameter, f"{where} is too large or not a number", "a finite number")
    return value


def _target(value: object) -> tuple[float, ...]:
    allowed = f"an array of 1 to {MAX_DIMENSIONS} numbers"
    if not isinstance(value, list | tuple):
        _reject(_NEAR, f"target is {_kind(value)}", allowed)
    point = cast("list[object]", value)
    if not 1 <= len(point) <= MAX_DIMENSIONS:
        _reject(_NEAR, f"target has {len(point)} entries", allowed)
    return tuple(float(_number(_NEAR, "a coordinate of target", entry)) for entry in point)


def _limit(value: object) -> float:
    limit = float(_number(_NEAR, "max_distance", value))
    if limit < 0:
        _reject(_NEAR, "max_distance is negative", "a number of at least 0")
    return limit


def _found(context: Mapping[str, object], path: Path) -> object:
    value: object = context
    for segment in path:
        if not isinstance(value, Mapping):
            return _MISSING
        value = cast("Mapping[object, object]", value).get(segment, _MISSING)
    return value


def _holds(condition: Condition, stored: object) -> bool:
    op, wanted = condition.op, condition.value
    if op == "exists":
        return (stored is not _MISSING) == wanted
    if stored is _MISSING:
        return False
    if isinstance(wanted, tuple):
        return any(_same(stored, member) for member in wanted) == (op == "in")
    if op in ("eq", "ne"):
        return _same(stored, wanted) == (op == "eq")
    if not (is_number(stored) and is_number(wanted)):
        return False
    return COMPARISONS[op](comparable(stored), comparable(wanted))


def _same(stored: object, wanted: object) -> bool:
    if isinstance(stored, bool) or isinstance(wanted, bool):
        return stored is wanted
    if is_number(stored) and is_number(wanted):
        return comparable(stored) == comparable(wanted)
    return stored == wanted


def _kind(value: object) -> str:
    if value is None:
        return "null"
    kinds: tuple[tuple[type | tuple[type, ...], str], ...] = (
        (bool, "a boolean"),
        ((int, float), "a number"),
        (str, "a string"),
        ((list, tuple), "an array"),
        (Mapping, "an object"),
    )
    for types, name in kinds:
        if isinstance(value, types):
            return name
    return f"a Python {type(value).__name__}"


def _shown(value: object) -> str:
    # repr() escapes what a terminal or a UTF-8 stream could not take; long text says no more.
    shown = repr(value)
    return shown if len(shown) <= 80 else f"{shown[:77]}..."


def _reject(parameter: str, problem: str, allowed: str) -> NoReturn:
    raise InvalidInputError(parameter, problem, allowed)
