"""Filters as SQL expressions, evaluated by SQLite without leaving the query.

Everything a caller wrote, values and paths alike, is bound; only our own words are SQL text.
SQLite parses each row's JSON once and keeps it for all the functions of a statement, so a second
look at the same path is cheap.
"""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from mnemic.records.filters import KIND, Condition, Filter, Path, Scalar
from mnemic.storage.conditions import COMPARISONS, WORDS

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def compile_filter(
    filter: Filter,
    *,
    context: str = "m.context",
    created_at: str = "m.created_at",
    kind: str = "m.kind",
) -> tuple[str, dict[str, object]]:
    """Return an SQL condition and its bindings (`f0`, `f1`, ...): true where `matches` is.

    Elsewhere it is false or NULL, which are alike to WHERE. `context`, `created_at` and
    `kind` name the columns: valid JSON text, microseconds since 1970 in UTC, and a text.
    """
    bound = _Bindings("f")
    # Columns cost nothing to compare and may spare a row the reading of its JSON.
    ordered = sorted(filter.conditions, key=_is_looked_up)
    columns = {"context": context, "created_at": created_at, "kind": kind}
    terms = [_test(condition, bound=bound, **columns) for condition in ordered]
    return " and ".join(f"({term})" for term in terms) or "1", bound.values


class _Bindings:
    """Named parameters in the order they were asked for; an equal path is bound once."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._paths: dict[Path, str] = {}
        self.values: dict[str, object] = {}

    def add(self, value: object) -> str:
        name = f"{self._prefix}{len(self.values)}"
        self.values[name] = value
        return f":{name}"

    def path(self, path: Path) -> str:
        if path not in self._paths:
            self._paths[path] = self.add(json_path(path))
        return self._paths[path]


def json_path(path: Path) -> str:
    """Return a path as SQLite reads it."""
    # SQLite reads a quoted label with JSON's own escapes and never lets one index an array, so
    # every key can be written. The one it confuses holds U+0000, where SQLite takes it to end.
    return "$" + "".join(f".{json.dumps(segment, ensure_ascii=False)}" for segment in path)


def _is_looked_up(condition: Condition) -> bool:
    return condition.path != KIND and not isinstance(condition.value, datetime)


def _test(
    condition: Condition, *, context: str, created_at: str, kind: str, bound: _Bindings
) -> str:
    op, value = condition.op, condition.value
    if condition.path == KIND:
        members = bound.add(json.dumps(value))
        return f"{kind} in (select value from json_each({members}))"  # noqa: S608 - names
    if isinstance(value, datetime):
        moment = (value - _EPOCH) // timedelta(microseconds=1)
        return f"{created_at} {COMPARISONS[op]} {bound.add(moment)}"
    at = f"{context}, {bound.path(condition.path)}"
    wanted = value if isinstance(value, tuple) else (value,)
    match op:
        case "exists":
            return f"json_type({at}) is {'not null' if value else 'null'}"
        case "eq" | "in":
            return _any_of(wanted, at=at, bound=bound)
        case "ne" | "nin":
            # A missing value and a null extract alike, so the type is asked for on its own.
            same = _any_of(wanted, at=at, bound=bound)
            return f"json_type({at}) is not null and ({same}) is not true"
        case "lt" | "lte" | "gt" | "gte":
            # To SQLite every text is greater than every number, and true extracts as 1. The type
            # comes second because only rows that pass the comparison need it.
            number = _operand(wanted[0], bound=bound)
            return (
                f"json_extract({at}) {COMPARISONS[op]} {number}"
                f" and json_type({at}) in ('integer', 'real')"
            )


def _any_of(wanted: Sequence[Scalar], *, at: str, bound: _Bindings) -> str:
    """Say that the value at a path is one of these, never taking true for 1 or [] for '[]'."""
    words = {WORDS[each] for each in wanted if each is None or isinstance(each, bool)}
    plain = [each for each in wanted if not (each is None or isinstance(each, bool))]
    terms: list[str] = []
    if words:
        terms.append(f"json_type({at}) in ({', '.join(sorted(words))})")
    if plain:
        terms.append(
            f"json_extract({at}) {_equals(plain, bound=bound)}"
            f" and json_type({at}) in ('text', 'integer', 'real')"
        )
    return " or ".join(terms) or "0"


def _equals(plain: Sequence[Scalar], *, bound: _Bindings) -> str:
    if len(plain) == 1:
        return f"= {_operand(plain[0], bound=bound)}"
    # One parameter for the whole list: SQLite reads it once per query into a sorted set, and
    # the statement stays the same for every list.
    return f"in (select value from json_each({bound.add(json.dumps(plain))}))"  # noqa: S608 - a name


def _operand(value: Scalar, *, bound: _Bindings) -> str:
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        # SQLite reads a longer integer as a float, at times one unit in the last place from
        # Python's. Only its own reading equals what it reads from a row.
        return f"cast({bound.add(str(value))} as real)"
    return bound.add(value)
