"""Where memories stand: the coordinates in their contexts, page by page, for a map."""

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, Final, cast

from mnemic.memory.workspace import Workspace
from mnemic.records.filters import EVERYTHING, MAX_SEGMENTS, Path
from mnemic.records.json_numbers import as_float, is_number
from mnemic.records.memory import Scope
from mnemic.storage.rows import document_rows, memory_rows

# So many of the newest memories are looked at to find out where coordinates stand.
_LOOKED_AT: Final = 300
_MOST_PATHS: Final = 50
_AXES: Final = (2, 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsWanted:
    """Which places: of a scope, at a path, and inside a box, whose sides have as many numbers as
    the places. `color` is the path of a value that comes with each place. `before_id` is where the
    page before ended, and `limit` how many memories are looked at.
    """

    scope: Scope
    path: Path
    color: Path | None = None
    low: tuple[float, ...] | None = None
    high: tuple[float, ...] | None = None
    episode_id: str | None = None
    before_id: int | None = None
    limit: int = 5_000


@dataclass(frozen=True, slots=True)
class Points:
    """Places column by column, the newest memory first. `values` are those of the color path;
    `next_before` is where the next page begins, None on the last one.
    """

    ids: tuple[int, ...]
    places: tuple[tuple[float, ...], ...]
    values: tuple[Any, ...]
    created_at: tuple[datetime, ...]
    episodes: tuple[str | None, ...]
    next_before: int | None


@dataclass(frozen=True, slots=True)
class CoordinatePath:
    """A path at which memories have places: with how many axes, and how many memories do."""

    path: str
    axes: int
    memories: int


def points(workspace: Workspace, wanted: PointsWanted) -> Points:
    """Return a page of places."""
    return workspace.db.read(lambda: _points(workspace, wanted))


def _points(workspace: Workspace, wanted: PointsWanted) -> Points:
    scope_ids = workspace.scope_ids((wanted.scope,))
    rows = (
        memory_rows.to_place(
            workspace.db,
            scope_ids[0],
            episode_id=wanted.episode_id,
            before_id=wanted.before_id,
            limit=wanted.limit,
        )
        if scope_ids
        else []
    )
    docs = [row.doc for row in rows]
    texts = document_rows.context_values(workspace.db, docs, wanted.path)
    colors: Mapping[int, str] = (
        document_rows.context_values(workspace.db, docs, wanted.color) if wanted.color else {}
    )
    placed = [
        (row, place)
        for row in rows
        if (place := _place(texts.get(row.doc))) is not None and _inside(place, wanted)
    ]
    return Points(
        ids=tuple(row.id for row, _ in placed),
        places=tuple(place for _, place in placed),
        values=tuple(_scalar(colors.get(row.doc)) for row, _ in placed),
        created_at=tuple(row.created_at for row, _ in placed),
        episodes=tuple(row.episode_id for row, _ in placed),
        next_before=rows[-1].id if len(rows) == wanted.limit else None,
    )


def coordinate_paths(workspace: Workspace, scope: Scope) -> list[CoordinatePath]:
    """Return at which paths the newest memories of a scope have places, the most used first."""
    scope_ids = workspace.scope_ids((scope,))
    if not scope_ids:
        return []
    newest = memory_rows.listed(
        workspace.db,
        scope_ids[0],
        status="active",
        category=None,
        chosen=EVERYTHING,
        limit=_LOOKED_AT,
        before_id=memory_rows.NEWEST,
    )
    counted = Counter(found for memory in newest for found in set(_paths(memory.context, ())))
    return [
        CoordinatePath(path, axes, memories)
        for (path, axes), memories in counted.most_common(_MOST_PATHS)
    ]


def _paths(context: Mapping[str, Any], above: Path) -> Iterator[tuple[str, int]]:
    if len(above) == MAX_SEGMENTS:
        return
    for name, value in islice(context.items(), 200):
        if not name or "." in name:
            continue
        if isinstance(value, dict):
            yield from _paths(cast("Mapping[str, Any]", value), (*above, name))
        elif _is_place(value):
            yield ".".join((*above, name)), len(value)


def _is_place(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(cast("list[Any]", value)) in _AXES
        and all(is_number(one) for one in cast("list[Any]", value))
    )


def _place(text: str | None) -> tuple[float, ...] | None:
    if text is None or not text.startswith("["):
        return None
    value = json.loads(text)
    if not _is_place(value):
        return None
    place = tuple(as_float(one) for one in value)
    return place if all(map(math.isfinite, place)) else None


def _inside(place: tuple[float, ...], wanted: PointsWanted) -> bool:
    low, high = wanted.low, wanted.high
    if low is not None and (len(low) != len(place) or any(map(float.__lt__, place, low))):
        return False
    return high is None or (len(high) == len(place) and not any(map(float.__gt__, place, high)))


def _scalar(text: str | None) -> Any:
    """Return a value that can colour a point; objects and arrays cannot."""
    if text is None or text[:1] in "[{":
        return None
    return json.loads(text)
