"""Columns of the memories' contexts and kinds, kept in memory once they were filtered or sorted by.

Neither changes for a document, so a column only ever grows. It says of each place of a scope
which value stands there, as a number of the distinct values; what a condition means is decided
once for each of those.
"""

import json
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from mnemic.records.filters import (
    COMPARISONS,
    CREATED_AT,
    KIND,
    Condition,
    Filter,
    Near,
    Path,
    Scalar,
    matches,
)
from mnemic.records.json_numbers import as_float, comparable, is_number
from mnemic.search.arrays.growing import GrowingArray, Ordinals
from mnemic.search.documents import DocumentReader
from mnemic.search.field import Field, Part

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MISSING: Final = -1
_CHUNK: Final = 16_384
# Of each kind: the ones that were not used for longest are dropped first.
_MOST_COLUMNS: Final = 64
# Checking one row in SQL costs as much as reading so many rows of a column.
_ROWS_PER_CHECK: Final = 10


class ValueColumn:
    """The scalar values at one path; objects and arrays count as one value that equals nothing."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._codes = GrowingArray(np.int32)
        self._numbers = GrowingArray(np.float64)
        self._known: dict[object, int] = {}
        self._values: list[object] = []
        self._read: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._codes)

    def extend(self, texts: list[str | None]) -> None:
        """Add the JSON text of each further place, None where there is nothing."""
        self._codes.extend([self._code(text) for text in texts])

    def holding(self, condition: Condition) -> NDArray[np.bool_]:
        """Tell for each place whether a condition holds there."""
        codes, wanted = self._codes.view, condition.value
        there = codes != _MISSING
        match condition.op:
            case "exists":
                return there if wanted else ~there
            case "eq" | "in":
                return np.isin(codes, self._codes_of(wanted))
            case "ne" | "nin":
                return there & ~np.isin(codes, self._codes_of(wanted))
            case _:
                holds = self._in_range(condition)
                return there & holds[codes] if len(holds) else there

    def _code(self, text: str | None) -> int:
        if text is None:
            return _MISSING
        code = self._read.get(text)
        if code is None:
            value = json.loads(text)
            code = self._known.setdefault(_identity(value), len(self._values))
            if code == len(self._values):
                self._values.append(value)
                self._numbers.extend(float(comparable(value)) if is_number(value) else np.nan)
            if len(self._read) < _CHUNK:
                self._read[text] = code
        return code

    def _codes_of(self, wanted: object) -> list[int]:
        each = cast("tuple[Scalar, ...]", wanted if isinstance(wanted, tuple) else (wanted,))
        found = (self._known.get(_identity(one)) for one in each)
        return [code for code in found if code is not None]

    def _in_range(self, condition: Condition) -> NDArray[np.bool_]:
        """Tell for each distinct value whether it is in a range.

        Floats decide, except between values that only differ as whole numbers.
        """
        wanted = float(cast("float", condition.value))
        holds = np.asarray(COMPARISONS[condition.op](self._numbers.view, wanted), np.bool_)
        for code in np.flatnonzero(self._numbers.view == wanted).tolist():
            context = _nested(self._path, self._values[code])
            holds[code] = matches(Filter((condition,)), context, _EPOCH)
        return holds


class TimeColumn:
    """When each memory was made, in microseconds."""

    def __init__(self) -> None:
        self._times = GrowingArray(np.int64)

    def __len__(self) -> int:
        return len(self._times)

    def extend(self, times: list[int | None]) -> None:
        """Add the time of each further place; None for a document that is gone."""
        self._times.extend([_MISSING if time is None else time for time in times])

    def holding(self, condition: Condition) -> NDArray[np.bool_]:
        """Tell for each place whether a condition holds there."""
        moment = (cast("datetime", condition.value) - _EPOCH) // timedelta(microseconds=1)
        return np.asarray(COMPARISONS[condition.op](self._times.view, moment), np.bool_)


class PointColumn:
    """The points of one dimension at one path; NaN where there is no such point."""

    def __init__(self, dimensions: int) -> None:
        self._dimensions = dimensions
        self._coordinates = GrowingArray(np.float64)

    def __len__(self) -> int:
        return len(self._coordinates) // self._dimensions

    def extend(self, texts: list[str | None]) -> None:
        """Add the JSON text of each further place, None where there is nothing."""
        nowhere = [np.nan] * self._dimensions
        self._coordinates.extend(
            [number for text in texts for number in (_point(text, self._dimensions) or nowhere)]
        )

    def distances(self, target: tuple[float, ...]) -> NDArray[np.float64]:
        """Return how far each place is from a point; NaN where that cannot be said."""
        points = self._coordinates.view.reshape(-1, self._dimensions)
        total = np.zeros(len(points))
        with np.errstate(over="ignore", invalid="ignore"):
            for at, wanted in enumerate(target):
                total += (points[:, at] - wanted) ** 2
        return np.where(np.isfinite(total), np.sqrt(total), np.nan)


class Columns:
    """The columns of every scope, read from the store when they are first needed."""

    def __init__(
        self, database: DocumentReader, owners: Callable[[Ordinals], NDArray[np.int64]]
    ) -> None:
        self._database = database
        self._owners = owners
        self._kept: OrderedDict[tuple[object, ...], ValueColumn | TimeColumn | PointColumn] = (
            OrderedDict()
        )
        self._checked: Counter[tuple[int, Path]] = Counter()

    def are_due(self, filter: Filter, field: Field) -> bool:
        """Tell whether a filter is to be answered from columns: they were read before, or
        checking rows one by one has cost as much by now as reading them.
        """
        wanted = [(part.scope, one.path) for part in field.parts for one in filter.conditions]
        return bool(wanted) and all(
            key in self._kept or self._checked[key] * _ROWS_PER_CHECK >= field.width
            for key in wanted
        )

    def note_checks(self, filter: Filter, field: Field, rows: int) -> None:
        """Count rows that were checked one by one against a filter."""
        for part in field.parts:
            for condition in filter.conditions:
                self._checked[part.scope, condition.path] += rows

    def passing(self, filter: Filter, field: Field) -> NDArray[np.bool_]:
        """Tell for each place of a field whether it passes a filter."""
        masks = [np.ones(field.width, np.bool_)]
        for condition in filter.conditions:
            held = [
                _padded(self._values(part, condition.path).holding(condition), part)
                for part in field.parts
            ]
            masks.append(np.concatenate(held) if held else masks[0])
        return np.logical_and.reduce(masks)

    def distances(self, near: Near, field: Field) -> NDArray[np.float64]:
        """Return how far each place of a field is from a point; NaN where that cannot be said."""
        found = [
            _padded(self._points(part, near).distances(near.target), part) for part in field.parts
        ]
        return np.concatenate(found) if found else np.empty(0)

    def _values(self, part: Part, path: Path) -> ValueColumn | TimeColumn:
        made = TimeColumn() if path == CREATED_AT else ValueColumn(path)
        column = self._column((part.scope, path), made)
        self._read(column, part, path)
        return cast("ValueColumn | TimeColumn", column)

    def _points(self, part: Part, near: Near) -> PointColumn:
        dimensions = len(near.target)
        column = self._column((part.scope, near.path, dimensions), PointColumn(dimensions))
        self._read(column, part, near.path)
        return cast("PointColumn", column)

    def _column(
        self, key: tuple[object, ...], made: ValueColumn | TimeColumn | PointColumn
    ) -> ValueColumn | TimeColumn | PointColumn:
        column = self._kept.setdefault(key, made)
        self._kept.move_to_end(key)
        if len(self._kept) > _MOST_COLUMNS:
            self._kept.popitem(last=False)
        return column

    def _read(self, column: ValueColumn | TimeColumn | PointColumn, part: Part, path: Path) -> None:
        """Read the places that a column lacks, up to the first that this transaction cannot see:
        one that began earlier than another thread's.
        """
        name, values = "context_values", {"path": path}
        if isinstance(column, TimeColumn):
            name, values = "created_times", {}
        elif path == KIND:
            name, values = "memory_kinds", {}
        while len(column) < len(part.documents):
            ordinals = part.documents.ordinals.view[len(column) :][:_CHUNK]
            alive = part.documents.alive.view[len(column) :][:_CHUNK]
            docs = self._owners(ordinals)
            rows = self._database.tuples(name, docs=docs.tolist(), **values)
            found: dict[int, Any] = dict(rows)  # pyright: ignore[reportArgumentType]
            seen = [doc in found or not live for doc, live in zip(docs, alive, strict=True)]
            visible = docs[: seen.index(False)] if False in seen else docs
            column.extend([found.get(doc) for doc in visible.tolist()])
            if len(visible) < len(docs):
                return


def _padded(values: NDArray[Any], part: Part) -> NDArray[Any]:
    """Fill up with what never passes: False, or no distance."""
    missing = len(part.documents) - len(values)
    filling = np.nan if values.dtype.kind == "f" else 0
    return np.append(values, np.full(missing, filling, values.dtype)) if missing else values


def _identity(value: object) -> object:
    """Return what two values share exactly when they are equal in JSON's sense."""
    if isinstance(value, bool) or value is None:
        return (type(value), value)
    if isinstance(value, str):
        return value
    return comparable(value) if is_number(value) else ()


def _nested(path: Path, value: object) -> Mapping[str, object]:
    for segment in reversed(path):
        value = {segment: value}
    return cast("Mapping[str, object]", value)


def _point(text: str | None, dimensions: int) -> list[float] | None:
    if text is None or not text.startswith("["):
        return None
    point = json.loads(text)
    if len(point) != dimensions or not all(is_number(one) for one in point):
        return None
    return [as_float(one) for one in point]
