"""`/scopes`, `/perceptions`, `/graph`, `/sources`: what there is, and what relates."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from pydantic import BaseModel, Field
from pydantic.json_schema import SkipJsonSchema

from mnemic.administration.looking.account_view import AccountView
from mnemic.dialects.chat.body_fields import Limit, Name, Parameters, to_milliseconds
from mnemic.records.memory import Memory, Scope
from mnemic.server.access.callers import caller_of
from mnemic.server.account_routes.answering import AnyScopeKind, add_route, maybe_milliseconds
from mnemic.server.account_routes.browse_routes import PathsWanted
from mnemic.server.account_routes.feed_routes import EventId
from mnemic.server.account_routes.memory_shapes import MemoryShape, ScopeShape, memory_json

_None = SkipJsonSchema[None]


class WantedScopes(Parameters):
    """Which scopes."""

    kind: Annotated[AnyScopeKind, Field(description="The kind of scope.")]
    part: Annotated[Name | _None, Field(description="A part of the name.")] = None
    after: Annotated[
        str,
        Field(max_length=1_000, pattern=r"^[^\x00]*$", description="Where the page before ended."),
    ] = ""
    limit: Limit = 50


class ListedScopeShape(BaseModel):
    """A scope, and how many memories it has in use."""

    name: str = Field(description="Its name.")
    memories: int
    created_at: int = Field(description="Milliseconds since the epoch.")
    changed_at: int | None = Field(description="When one of its memories last changed.")


class ScopesMeta(BaseModel):
    """Where the next page begins."""

    next_after: str | None = Field(description="Give it as `after`; null on the last page.")


class ListedScopesAnswer(BaseModel):
    """A page of scopes, by name."""

    data: list[ListedScopeShape]
    meta: ScopesMeta


class PerceptionList(PathsWanted):
    """Which perceptions."""

    episode_id: Annotated[
        Name | _None, Field(description="Those of a run instead, all of them and in their order.")
    ] = None
    before: Annotated[EventId | _None, Field(description="Where the page before ended.")] = None
    limit: Limit = 50


class PerceptionsMeta(BaseModel):
    """Where the next page begins."""

    next_before: int | None = Field(description="Give it as `before`; null on the last page.")


class PerceptionsAnswer(BaseModel):
    """A page of perceptions."""

    data: list[MemoryShape]
    meta: PerceptionsMeta


class GraphWanted(Parameters):
    """Around which memory."""

    memory_id: Annotated[EventId, Field(ge=1, description="The memory in the middle.")]
    hops: Annotated[EventId, Field(ge=1, le=4, description="How many edges away at most.")] = 2
    limit: Annotated[EventId, Field(ge=1, le=200, description="How many memories at most.")] = 60


class NodeShape(BaseModel):
    """A memory of the graph."""

    memory: MemoryShape
    hops: int = Field(description="How many edges away it is.")


class GraphEdgeShape(BaseModel):
    """A relation between two memories of the graph."""

    from_id: int
    to_id: int
    relation: str


class GraphShape(BaseModel):
    """Memories, the nearest first, and the edges between them."""

    nodes: list[NodeShape]
    edges: list[GraphEdgeShape]
    is_whole: bool = Field(description="False where more is related than was asked for.")


class GraphAnswer(BaseModel):
    """The edges around a memory."""

    data: GraphShape


class SourceShape(BaseModel):
    """Something said in a turn that a memory was made from."""

    turn_id: str
    conversation_id: str
    number: int = Field(description="Which turn of the conversation; they count from 0.")
    scope: ScopeShape
    role: str
    name: str | None = Field(description="Who spoke, in a story of several.")
    content: str


class OriginShape(BaseModel):
    """Where a memory comes from, and how it is found."""

    sources: list[SourceShape]
    passages: list[tuple[int, int]] = Field(
        description="From which character to which its parts stand that are found; none: as whole."
    )


class OriginAnswer(BaseModel):
    """Where a memory comes from, and how it is found."""

    data: OriginShape


def listing_routes() -> APIRouter:
    """Return the routes."""
    router = APIRouter()
    add_route(router, "GET", "/scopes", list_scopes, ListedScopesAnswer, tag="scopes")
    add_route(router, "GET", "/perceptions", list_perceptions, PerceptionsAnswer, tag="perceptions")
    add_route(router, "GET", "/graph", get_graph, GraphAnswer, tag="graph", refuses=(404,))
    add_route(
        router,
        "GET",
        "/sources/{memory_id}",
        get_sources,
        OriginAnswer,
        tag="sources",
        refuses=(404,),
    )
    return router


def list_scopes(request: Request, query: Annotated[WantedScopes, Query()]) -> dict[str, Any]:
    """List the scopes of a kind by name, such as all people of whom something is known."""
    view = caller_of(request.scope).memory.view
    found = view.scopes(query.kind, part=query.part, after=query.after, limit=query.limit)
    return {
        "data": [
            {
                "name": scope.name,
                "memories": scope.memories,
                "created_at": to_milliseconds(scope.created_at),
                "changed_at": maybe_milliseconds(scope.changed_at),
            }
            for scope in found
        ],
        "meta": {"next_after": found[-1].name if len(found) == query.limit else None},
    }


def list_perceptions(request: Request, query: Annotated[PerceptionList, Query()]) -> dict[str, Any]:
    """List the perceptions of a scope, the newest first, or those of a run."""
    view = caller_of(request.scope).memory.view
    if query.episode_id is not None:
        return _perceptions(view, view.perceptions_of(query.episode_id), None)
    scope = Scope(query.scope_kind, query.scope)
    found = view.perceptions(scope, before_id=query.before, limit=query.limit)
    return _perceptions(view, found, found[-1].id if len(found) == query.limit else None)


def _perceptions(view: AccountView, found: list[Memory], following: int | None) -> dict[str, Any]:
    return {"data": _told(view, found), "meta": {"next_before": following}}


def _told(view: AccountView, memories: list[Memory]) -> list[dict[str, Any]]:
    secret = view.secret(memories)
    return [memory_json(memory, sensitive=memory.id in secret) for memory in memories]


def get_graph(request: Request, query: Annotated[GraphWanted, Query()]) -> dict[str, Any]:
    """Tell what a memory is related to, and what that is related to."""
    view = caller_of(request.scope).memory.view
    found = view.edge_graph(query.memory_id, hops=query.hops, limit=query.limit)
    told = _told(view, [memory for memory, _ in found.memories])
    nodes = [
        {"memory": memory, "hops": hops}
        for memory, (_, hops) in zip(told, found.memories, strict=True)
    ]
    return {"data": {"nodes": nodes, "edges": found.edges, "is_whole": found.is_whole}}


def get_sources(
    request: Request,
    memory_id: Annotated[EventId, Path(ge=1, strict=True, description="The memory.")],
) -> dict[str, Any]:
    """Tell what was said where a memory was made from, and into which passages its text was cut."""
    view = caller_of(request.scope).memory.view
    return {"data": {"sources": view.sources(memory_id), "passages": view.passages(memory_id)}}
