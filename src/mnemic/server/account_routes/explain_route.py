"""`POST /explain`: an answer with how it came about, and why a memory is not in it."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from mnemic.administration.looking.account_view import AccountView, RecallReport
from mnemic.administration.looking.why_not import Reason, WhyNot
from mnemic.dialects.chat.body_fields import Moment, Name, RequestBody, Share, to_moment
from mnemic.records.filters import parse_filter, parse_near
from mnemic.records.memory import Hit, Scope
from mnemic.records.query import Query
from mnemic.server.access.callers import caller_of
from mnemic.server.account_routes.answering import AnyScopeKind, add_route
from mnemic.server.account_routes.memory_shapes import HitShape, MemoryShape, hit_json, memory_json

_Number = Annotated[int, Field(ge=1, le=2**62)]


class ScopeNamed(RequestBody):
    """Where to look."""

    kind: AnyScopeKind
    name: Name = Field(description="Its name.")


class ExplainRequest(RequestBody):
    """A question, and everything that restricts or orders the answer."""

    text: str = Field(min_length=1, max_length=10_000, pattern=r"^[^\x00]*$")
    scopes: list[ScopeNamed] = Field(
        default=[ScopeNamed(kind="collection", name="default")], min_length=1, max_length=200
    )
    limit: int = Field(default=10, ge=1, le=100)
    filter: dict[str, Any] | None = Field(
        default=None, description="Conditions on the context, as `recall` of a robot takes them."
    )
    near: dict[str, Any] | None = Field(
        default=None, description="A place to sort by: `field`, `target` and `max_distance`."
    )
    mode: Literal["hybrid", "bm25_only", "vec_only"] = "hybrid"
    episode_id: Name | None = None
    min_confidence: Share = 0.0
    min_relevance: Share = 0.0
    as_of: Moment | None = Field(
        default=None, description="Answer as at that time, in milliseconds."
    )
    memory_id: _Number | None = Field(
        default=None, description="Why is this memory not among the hits?"
    )


class TermShape(BaseModel):
    """A word that was sought."""

    term: str
    weight: float
    share: float = Field(description="Which share of the memories holds it.")


class StageShape(BaseModel):
    """One step, and what it took in milliseconds."""

    name: str = Field(description="What is done in it.")
    wall_ms: float
    cpu_ms: float


class TraceShape(BaseModel):
    """How an answer came about."""

    terms: list[TermShape]
    embedded: str | None = Field(description="The text whose meaning was compared.")
    by_words: int
    by_meaning: int
    candidates: int
    stages: list[StageShape]


class WhyNotShape(BaseModel):
    """What became of one memory."""

    memory: MemoryShape
    reason: Reason
    place: int | None = Field(description="Where it stands among the first thousand.")
    hit: HitShape | None = Field(description="How it scored, where it was a candidate.")
    last: HitShape | None = Field(description="How the last hit that is shown scored.")
    terms: list[str] = Field(description="The words of the question that it holds.")
    missing: list[str] = Field(description="Those that it lacks.")
    conditions: list[str] = Field(description="The conditions that it fails.")


class ExplainedShape(BaseModel):
    """Hits, best first, and how they came about."""

    hits: list[HitShape]
    mode: str
    elapsed_ms: float
    trace: TraceShape
    why_not: WhyNotShape | None


class ExplainedAnswer(BaseModel):
    """An explained answer."""

    data: ExplainedShape


def explain_routes() -> APIRouter:
    """Return the route."""
    router = APIRouter()
    add_route(router, "POST", "/explain", explain, ExplainedAnswer, tag="explain", refuses=(404,))
    return router


def explain(request: Request, body: ExplainRequest) -> dict[str, Any]:
    """Recall from any scopes, and tell how the answer came about.

    The hits are those of `recall`; they do not count as used. With `memory_id`, the answer tells
    which reason keeps that memory out, or where it stands.
    """
    view = caller_of(request.scope).memory.view
    query = Query(
        text=body.text,
        scopes=tuple(Scope(scope.kind, scope.name) for scope in body.scopes),
        limit=body.limit,
        min_confidence=body.min_confidence,
        episode_id=body.episode_id,
        filter=parse_filter(body.filter),
        near=parse_near(body.near),
        mode=body.mode,
        min_relevance=body.min_relevance,
        as_of=to_moment(body.as_of),
        explain=True,
        traceless=True,
    )
    return {"data": _explained(view, view.explain(query, memory_id=body.memory_id))}


def _explained(view: AccountView, found: RecallReport) -> dict[str, Any]:
    recalled = found.recalled
    trace = recalled.explanation
    return {
        "hits": [_hit(view, hit) for hit in recalled.hits],
        "mode": recalled.mode,
        "elapsed_ms": recalled.elapsed_ms,
        "trace": trace,
        "why_not": None if found.why_not is None else _why_not(view, found.why_not),
    }


def _hit(view: AccountView, hit: Hit) -> dict[str, Any]:
    return hit_json(hit, sensitive=bool(view.secret([hit.memory])))


def _why_not(view: AccountView, found: WhyNot) -> dict[str, Any]:
    return {
        "memory": memory_json(found.memory, sensitive=bool(view.secret([found.memory]))),
        "reason": found.reason,
        "place": found.place,
        "hit": None if found.hit is None else _hit(view, found.hit),
        "last": None if found.last is None else _hit(view, found.last),
        "terms": found.terms,
        "missing": found.missing,
        "conditions": found.conditions,
    }
