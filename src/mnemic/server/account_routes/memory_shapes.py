"""How a memory, a hit and an event look on the routes of an account."""

from typing import Any

from pydantic import BaseModel, Field

from mnemic.dialects.chat.body_fields import to_milliseconds
from mnemic.records.memory import Hit, Memory
from mnemic.server.account_routes.answering import AnyScopeKind, maybe_milliseconds
from mnemic.storage.rows.event_rows import FeedEvent

Json = dict[str, Any]


class ScopeShape(BaseModel):
    """Where a memory is visible."""

    kind: AnyScopeKind
    name: str = Field(description="Its name.")


class MemoryShape(BaseModel):
    """A memory as it stands now."""

    id: int
    scope: ScopeShape
    kind: str
    status: str = Field(description="`active`, `invalidated` or `superseded`.")
    content: str
    category: str
    confidence: float
    context: dict[str, Any]
    episode_id: str | None
    perception_type: str | None
    occurred_at: int = Field(description="When it happened or was said, in milliseconds.")
    valid_until: int | None = Field(description="Until when it was true; null while it is.")
    superseded_by: int | None = Field(description="The memory that replaced it.")
    created_at: int = Field(description="Milliseconds since the epoch.")
    updated_at: int = Field(description="Milliseconds since the epoch.")
    status_at: int | None = Field(description="When it went out of use, in milliseconds.")
    status_reason: str | None
    sensitive: bool = Field(description="Whether a page should cover its text.")


class HitShape(BaseModel):
    """A memory that was found, and why. Ranks count from 1; null is not among the best there."""

    memory: MemoryShape
    score: float = Field(description="Orders the hits of one answer; the best has 1.")
    relevance: float = Field(description="How likely it answers the question at all.")
    bm25_rank: int | None
    bm25_score: float | None
    vector_rank: int | None
    cosine: float | None
    distance: float | None
    passage: tuple[int, int] | None = Field(
        description="From which character of a long text to which the found part stands."
    )
    signals: dict[str, float] = Field(description="Points besides words and meaning.")


class EventShape(BaseModel):
    """One change, with the memory as it stands now."""

    id: int
    verb: str
    memory_id: int | None
    actor: str
    at: int = Field(description="Milliseconds since the epoch.")
    scope: ScopeShape
    kind: str | None = Field(description="The kind of the memory.")
    status: str | None = Field(description="The status of the memory now.")
    summary: str | None = Field(description="Its text in short; null where it is sensitive.")


def memory_json(memory: Memory, *, sensitive: bool) -> Json:
    """Return a memory as it is told."""
    return {
        "id": memory.id,
        "scope": {"kind": memory.scope.kind, "name": memory.scope.name},
        "kind": memory.kind,
        "status": memory.status,
        "content": memory.content,
        "category": memory.category,
        "confidence": round(memory.confidence, 4),
        "context": dict(memory.context),
        "episode_id": memory.episode_id,
        "perception_type": memory.perception_type,
        "occurred_at": to_milliseconds(memory.occurred_at),
        "valid_until": maybe_milliseconds(memory.valid_until),
        "superseded_by": memory.superseded_by,
        "created_at": to_milliseconds(memory.created_at),
        "updated_at": to_milliseconds(memory.updated_at),
        "status_at": maybe_milliseconds(memory.status_at),
        "status_reason": memory.status_reason,
        "sensitive": sensitive,
    }


def hit_json(hit: Hit, *, sensitive: bool) -> Json:
    """Return a hit as it is told."""
    return {
        "memory": memory_json(hit.memory, sensitive=sensitive),
        "score": hit.score,
        "relevance": hit.relevance,
        "bm25_rank": hit.bm25_rank,
        "bm25_score": hit.bm25_score,
        "vector_rank": hit.vector_rank,
        "cosine": hit.cosine,
        "distance": hit.distance,
        "passage": hit.passage,
        "signals": dict(hit.signals),
    }


def event_json(event: FeedEvent, *, hidden: bool) -> Json:
    """Return an event as it is told."""
    return {
        "id": event.id,
        "verb": event.verb,
        "memory_id": event.memory_id,
        "actor": event.actor,
        "at": to_milliseconds(event.at),
        "scope": {"kind": event.scope.kind, "name": event.scope.name},
        "kind": event.memory_kind,
        "status": event.status,
        "summary": None if hidden else event.summary,
    }
