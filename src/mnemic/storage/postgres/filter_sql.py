"""Filters as SQL expressions, evaluated by PostgreSQL without leaving the query.

Everything a caller wrote, values and paths alike, is bound; only our own words are SQL text.
Values are read as `json`, which keeps every number as it was written: `jsonb` would no longer tell
an integer from a float. Arrays are never indexed, because `->` with a text only finds keys.
"""

import math
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from mnemic.records.filters import KIND, MAX_SEGMENTS, Condition, Filter, Op, Path, Scalar
from mnemic.records.json_numbers import Number, comparable, is_number
from mnemic.storage.conditions import COMPARISONS, WORDS

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_TEXT: Final = "f.v::text"

# The least integer that is beyond all floats, and the digits that any such integer has.
_BEYOND: Final = 2**1024 - 2**970
_DIGITS: Final = len(str(_BEYOND))


def compile_filter(
    filter: Filter,
    *,
    context: str = "m.context",
    created_at: str = "m.created_at",
    kind: str = "m.kind",
) -> tuple[str, dict[str, object]]:
    """Return an SQL condition and its bindings (`f0`, `f1`, ...): true where `matches` is.

    Elsewhere it is false or NULL, which are alike to WHERE. `context`, `created_at` and
    `kind` name the columns: JSON text as Python writes it, without U+0000, microseconds since
    1970 in UTC, and a text.
    """
    bound = _Bindings("f")
    terms: list[str] = []
    looked_up: dict[Path, list[Condition]] = {}
    for condition in filter.conditions:
        if isinstance(condition.value, datetime):
            moment = bound.add((condition.value - _EPOCH) // timedelta(microseconds=1), "bigint")
            terms.append(f"{created_at} {COMPARISONS[condition.op]} {moment}")
        elif condition.path == KIND:
            terms.append(f"{kind} = any({bound.add(_members(condition), 'text[]')})")
        else:
            looked_up.setdefault(condition.path, []).append(condition)
    # Behind the columns, which cost nothing to compare and may spare a row the reading of its JSON.
    for path, conditions in looked_up.items():
        terms.append(_looked_up(path, conditions, context=context, bound=bound))
    return " and ".join(f"({term})" for term in terms) or "true", bound.values


def json_path(path: Path) -> list[str]:
    """Return a path as `value_at` takes it."""
    return list(path)


def value_at(path: str, *, context: str = "m.context") -> str:
    """Return SQL for the JSON text at a path, as it was written: NULL only where there is nothing.

    `path` is the placeholder to which the `json_path` is bound, such as `%(path)s`.
    """
    # Of these PostgreSQL keeps the one that the path needs, once for the whole query.
    lengths = range(1, MAX_SEGMENTS + 1)
    cases = " ".join(f"when {n} then {_walk(context, f'{path}::text[]', n)}" for n in lengths)
    return f"(case cardinality({path}::text[]) {cases} end)::text"


class _Bindings:
    """Named parameters in the order they were asked for, each with its type."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self.values: dict[str, object] = {}

    def add(self, value: object, kind: str) -> str:
        name = f"{self._prefix}{len(self.values)}"
        self.values[name] = value
        return f"%({name})s::{kind}"


def _members(condition: Condition) -> list[object]:
    return list(condition.value) if isinstance(condition.value, tuple) else [condition.value]


def _walk(context: str, path: str, segments: int) -> str:
    return f"{context}::json" + "".join(f" -> ({path})[{n}]" for n in range(1, segments + 1))


def _looked_up(
    path: Path, conditions: Sequence[Condition], *, context: str, bound: _Bindings
) -> str:
    """Test one value, which a subquery that cannot be merged reads once per row."""
    value = _walk(context, bound.add(json_path(path), "text[]"), len(path))
    tests = " and ".join(f"({_test(condition, bound)})" for condition in conditions)
    return f"select {tests} from (select {value} as v offset 0) f"  # noqa: S608 - our own words


def _test(condition: Condition, bound: _Bindings) -> str:
    op, value = condition.op, condition.value
    wanted = value if isinstance(value, tuple) else (value,)
    scalars = [each for each in wanted if not isinstance(each, datetime)]
    match op:
        case "exists":
            return f"f.v is {'not null' if value else 'null'}"
        case "eq" | "in":
            return _any_of(scalars, bound)
        case "ne" | "nin":
            return f"f.v is not null and ({_any_of(scalars, bound)}) is not true"
        case "lt" | "lte" | "gt" | "gte":
            (number,) = [each for each in scalars if is_number(each)]
            return _in_range(op, number, bound)


def _any_of(wanted: Sequence[Scalar], bound: _Bindings) -> str:
    """Say that the value is one of these, never taking true for 1 or [] for '[]'."""
    words = {WORDS[each] for each in wanted if each is None or isinstance(each, bool)}
    # No stored text holds U+0000, nor can one be bound.
    texts = [each for each in wanted if isinstance(each, str) and "\0" not in each]
    numbers = [each for each in wanted if is_number(each)]
    terms: list[str] = []
    if words:
        terms.append(f"{_TEXT} in ({', '.join(sorted(words))})")
    if texts:
        members = bound.add(texts, "text[]")
        terms.append(f"json_typeof(f.v) = 'string' and f.v #>> '{{}}' = any({members})")
    if numbers:
        terms.append(_one_of(numbers, bound))
    return " or ".join(f"({term})" for term in terms) or "false"


def _one_of(numbers: Sequence[Number], bound: _Bindings) -> str:
    compared = [comparable(each) for each in numbers]
    integers = [int(each) for each in compared if each == int(each) and _is_int64(int(each))]
    floats = [float(each) for each in compared if each == float(each)]
    return _number(
        integer=f"{_TEXT}::bigint = any({bound.add(integers, 'bigint[]')})",
        real=f"{_TEXT}::float8 = any({bound.add(floats, 'float8[]')})",
        infinite="false",
    )


def _in_range(op: Op, number: Number, bound: _Bindings) -> str:
    """Compare with the integer and the float next to the number on the side that the test needs."""
    wanted, upward = comparable(number), op in ("lt", "gte")
    integer = math.ceil(wanted) if upward else math.floor(wanted)
    real = float(wanted)
    if real < wanted and upward:
        real = math.nextafter(real, math.inf)
    elif real > wanted and not upward:
        real = math.nextafter(real, -math.inf)
    sign = "=" if op in ("lt", "lte") else "<>"
    return _number(
        integer=f"{_TEXT}::bigint {COMPARISONS[op]} {bound.add(integer, 'numeric')}",
        real=f"{_TEXT}::float8 {COMPARISONS[op]} {bound.add(real, 'float8')}",
        infinite=f"left({_TEXT}, 1) {sign} '-'",
    )


def _number(*, integer: str, real: str, infinite: str) -> str:
    """Test a number as what it is compared as: an integer of 64 bits, a float, or beyond them all.

    The order keeps every cast within what its type can hold.
    """
    return f"""case
        when json_typeof(f.v) <> 'number' then false
        when length({_TEXT}) > {_DIGITS + 1} then {infinite}
        when {_TEXT} !~ '[.eE]' and {_TEXT}::numeric between {-(2**63)} and {2**63 - 1}
        then {integer}
        when length({_TEXT}) >= {_DIGITS} and abs({_TEXT}::numeric) >= {_BEYOND} then {infinite}
        else {real}
    end"""


def _is_int64(value: int) -> bool:
    return -(2**63) <= value < 2**63
