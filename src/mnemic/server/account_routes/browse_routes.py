"""`/overview`, `/attention`, `/episodes` and `/points`: what an account holds, and where."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field
from pydantic.json_schema import SkipJsonSchema

from mnemic.administration.looking.places import PointsWanted
from mnemic.dialects.chat.body_fields import (
    Name,
    Paged,
    Parameters,
    to_milliseconds,
)
from mnemic.dialects.chat.error_answers import Detail, invalid
from mnemic.opening import OpenMemory
from mnemic.records.memory import Episode, EpisodeStatus, Scope
from mnemic.server.access.callers import caller_of
from mnemic.server.account_routes.answering import (
    AnyScopeKind,
    ScopeText,
    add_route,
    maybe_milliseconds,
    scope_of,
)
from mnemic.server.account_routes.feed_routes import EventId
from mnemic.server.account_routes.memory_shapes import ScopeShape

_None = SkipJsonSchema[None]
_MOST_POINTS: Final = 20_000
_PATH: Final = r"^[^.\x00]{1,100}(\.[^.\x00]{1,100}){0,9}$"

_ContextPath = Annotated[str, Field(pattern=_PATH, description="A dot-path of the context.")]
_Corner = Annotated[
    str,
    Field(
        pattern=r"^-?[0-9.eE+-]{1,30}(,-?[0-9.eE+-]{1,30}){1,2}$",
        description="A corner of a box: two or three numbers with commas between.",
    ),
]


class FullScope(BaseModel):
    """A scope and how many memories it has in use."""

    kind: AnyScopeKind
    name: str = Field(description="Its name.")
    memories: int


class DayShape(BaseModel):
    """How much of what happened on a day."""

    day: str = Field(description="In UTC, such as 2026-03-09.")
    events: dict[str, int] = Field(description="By verb.")


class OverviewShape(BaseModel):
    """What an account holds."""

    account: str
    memories: dict[str, dict[str, int]] = Field(
        description="How many are in use, by kind of scope and of memory."
    )
    scopes: dict[str, int] = Field(description="How many scopes there are of each kind.")
    fullest: list[FullScope] = Field(description="The fullest scopes of each kind.")
    days: list[DayShape] = Field(description="The last 30 days; those without events are left out.")
    days_are_whole: bool = Field(
        description="Whether all events of those days were read; the last 20,000 are."
    )
    right: str = Field(description="What whoever asks may do: `read`, `write` or `admin`.")
    sees_all: bool = Field(description="Whether whoever asks looks after the whole store.")
    now: int = Field(description="The store's clock, in milliseconds.")


class OverviewAnswer(BaseModel):
    """What an account holds."""

    data: OverviewShape


class AttentionShape(BaseModel):
    """What somebody should look at."""

    conflicts: int = Field(description="How many pairs of memories contradict each other.")
    jobs: dict[str, int] = Field(description="How many jobs there are in each status.")
    vectors_missing: int | None = Field(
        description="How many memories have no vector; null where none are kept."
    )
    embedder: str = Field(description="`off`, `idle`, `loading`, `ready` or `broken`.")


class AttentionAnswer(BaseModel):
    """What somebody should look at."""

    data: AttentionShape


class EpisodeList(Paged):
    """Which runs; every parameter restricts."""

    scope_kind: Annotated[AnyScopeKind | _None, Field(description="Of one scope.")] = None
    scope: ScopeText | _None = None
    status: Annotated[EpisodeStatus | _None, Field(description="`active` or `ended`.")] = None


class EpisodeShape(BaseModel):
    """One run of a robot."""

    id: str
    scope: ScopeShape
    status: str
    context: dict[str, Any]
    started_at: int = Field(description="Milliseconds since the epoch.")
    ended_at: int | None
    outcome_score: float | None
    memories: int = Field(description="How many memories came from it.")


class PageMeta(BaseModel):
    """Which part of a list."""

    total: int
    limit: int
    offset: int
    has_more: bool


class EpisodesAnswer(BaseModel):
    """A page of runs."""

    data: list[EpisodeShape]
    meta: PageMeta


class PathsWanted(Parameters):
    """Whose coordinate paths."""

    scope_kind: AnyScopeKind = "collection"
    scope: Name = "default"


class PointList(PathsWanted):
    """Which places."""

    path: _ContextPath
    color: Annotated[
        _ContextPath | _None, Field(description="The path of a value for each place.")
    ] = None
    low: _Corner | _None = None
    high: _Corner | _None = None
    episode_id: Annotated[Name | _None, Field(description="Only those of a run.")] = None
    before: Annotated[EventId | _None, Field(description="Where the page before ended.")] = None
    limit: Annotated[
        EventId, Field(ge=1, le=_MOST_POINTS, description="How many memories to look at.")
    ] = 5_000


class PointColumns(BaseModel):
    """Places column by column, the newest memory first."""

    ids: list[int]
    points: list[list[float]]
    values: list[Any] = Field(description="What stands at the path `color`; else null.")
    created_at: list[int]
    episodes: list[str | None]


class PointsMeta(BaseModel):
    """Where the next page begins."""

    next_before: int | None = Field(description="Give it as `before`; null on the last page.")


class PointsAnswer(BaseModel):
    """A page of places."""

    data: PointColumns
    meta: PointsMeta


class PathShape(BaseModel):
    """A path at which memories have places."""

    path: str
    axes: int
    memories: int = Field(description="Of the newest 300, how many.")


class PathsAnswer(BaseModel):
    """Paths at which memories have places."""

    data: list[PathShape]


def browse_routes(own_account: str) -> APIRouter:
    """Return the routes of what an account holds; `own_account` is the server's own."""
    router = APIRouter()

    def get_overview(request: Request) -> dict[str, Any]:
        """Tell what the account holds and what lately happened. No memory is read for it."""
        caller = caller_of(request.scope)
        return {"data": _overview(caller.memory, caller.right, own_account)}

    add_route(router, "GET", "/overview", get_overview, OverviewAnswer, tag="account")
    add_route(router, "GET", "/attention", get_attention, AttentionAnswer, tag="account")
    add_route(router, "GET", "/episodes", list_episodes, EpisodesAnswer, tag="episodes")
    add_route(router, "GET", "/points/paths", list_point_paths, PathsAnswer, tag="points")
    add_route(router, "GET", "/points", list_points, PointsAnswer, tag="points")
    return router


def _overview(memory: OpenMemory, right: str, own_account: str) -> dict[str, Any]:
    found = memory.view.summary()
    return {
        "account": memory.account,
        "memories": found.memories,
        "scopes": found.scopes,
        "fullest": found.fullest,
        "days": [
            {"day": day.isoformat(), "events": events} for day, events in sorted(found.days.items())
        ],
        "days_are_whole": found.days_are_whole,
        "right": right,
        "sees_all": right == "admin" and memory.account == own_account,
        "now": to_milliseconds(found.now),
    }


def get_attention(request: Request) -> dict[str, Any]:
    """Tell what somebody should look at: conflicts, failed jobs, missing vectors."""
    memory = caller_of(request.scope).memory
    found = memory.view.attention()
    return {
        "data": {
            "conflicts": found.conflicts,
            "jobs": found.jobs,
            "vectors_missing": found.vectors_missing,
            "embedder": memory.inspection.embedder,
        }
    }


def list_episodes(request: Request, query: Annotated[EpisodeList, Query()]) -> dict[str, Any]:
    """List the runs of robots, the last begun first."""
    page = caller_of(request.scope).memory.view.episodes(
        scope=scope_of(query.scope_kind, query.scope),
        status=query.status,
        limit=query.limit,
        offset=query.offset,
    )
    return {
        "data": [_episode_json(episode, memories) for episode, memories in page.rows],
        "meta": {
            "total": page.total,
            "limit": query.limit,
            "offset": query.offset,
            "has_more": query.offset + query.limit < page.total,
        },
    }


def _episode_json(episode: Episode, memories: int) -> dict[str, Any]:
    return {
        "id": episode.id,
        "scope": {"kind": episode.scope.kind, "name": episode.scope.name},
        "status": episode.status,
        "context": dict(episode.context),
        "started_at": to_milliseconds(episode.started_at),
        "ended_at": maybe_milliseconds(episode.ended_at),
        "outcome_score": episode.outcome_score,
        "memories": memories,
    }


def list_point_paths(request: Request, query: Annotated[PathsWanted, Query()]) -> dict[str, Any]:
    """List at which paths of their context the memories of a scope have places."""
    view = caller_of(request.scope).memory.view
    return {"data": view.coordinate_paths(Scope(query.scope_kind, query.scope))}


def list_points(request: Request, query: Annotated[PointList, Query()]) -> dict[str, Any]:
    """List the places of a scope's memories, in a box or everywhere, with a value to colour them
    by.

    A page looks at `limit` memories, and holds those of them that have a place there.
    """
    found = caller_of(request.scope).memory.view.points(
        PointsWanted(
            scope=Scope(query.scope_kind, query.scope),
            path=tuple(query.path.split(".")),
            color=tuple(query.color.split(".")) if query.color else None,
            low=_corner("low", query.low),
            high=_corner("high", query.high),
            episode_id=query.episode_id,
            before_id=query.before,
            limit=query.limit,
        )
    )
    return {
        "data": {
            "ids": found.ids,
            "points": found.places,
            "values": found.values,
            "created_at": [to_milliseconds(moment) for moment in found.created_at],
            "episodes": found.episodes,
        },
        "meta": {"next_before": found.next_before},
    }


def _corner(name: str, text: str | None) -> tuple[float, ...] | None:
    try:
        return None if text is None else tuple(float(one) for one in text.split(","))
    except ValueError as error:
        raise invalid(Detail(name, "It is no list of numbers", "invalid_value")) from error
