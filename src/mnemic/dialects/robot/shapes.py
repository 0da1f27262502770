"""What the robot tools answer: the seed's shapes, key by key."""

import json
from datetime import datetime
from typing import Any, NotRequired, TypedDict

from mnemic.records import EpisodeReport, Event, Hit, Memory, Payload, Recalled, Remembered


class Judged(TypedDict):
    """What kind of thing a text is, and how sure."""

    category: str
    confidence: float


class Inferred(Judged):
    """What was read out of a text."""

    tags: list[str]
    scope_files: list[str]


class Learned(TypedDict):
    """A lesson was stored (`created`), or is known already (`duplicate`)."""

    status: str
    memory_id: NotRequired[int]
    auto_inferred: NotRequired[Inferred]
    truncated: NotRequired[bool]
    warning: NotRequired[str]
    method: NotRequired[str]
    existing_id: NotRequired[int]
    similarity: NotRequired[float]


class Experience(TypedDict):
    """A recalled memory, with what its context says in four partitions."""

    id: int
    content: str
    human_summary: str
    type: str
    perception_type: str | None
    session_id: str | None
    category: str
    confidence: float
    context: str
    params: Any
    spatial: Any
    robot: Any
    task: Any
    _rrf_score: float
    _bm25_rank: int | None
    _vec_rank: int | None
    distance: NotRequired[float | None]
    created_at: str


class Recollection(TypedDict):
    """The answer of recall."""

    memories: list[Experience]
    total: int
    mode: str
    query_ms: float


class Perceived(TypedDict):
    """The answer of save_perception."""

    memory_id: int
    perception_type: str
    collection: str
    has_embedding: bool


class Forgotten(TypedDict):
    """The answer of forget."""

    status: str
    memory_id: int
    content: str
    reason: str


class Updated(TypedDict):
    """The answer of update."""

    status: str
    memory_id: int
    old_content: str
    new_content: str
    auto_inferred: Judged
    truncated: NotRequired[bool]
    warning: NotRequired[str]


class SessionStarted(TypedDict):
    """The answer of start_session."""

    session_id: str
    collection: str
    active_memories_count: int
    warning: NotRequired[str]


class SessionSummary(TypedDict):
    """What a session stored."""

    memory_count: int
    by_type: dict[str, int]
    by_category: dict[str, int]


class Merged(TypedDict):
    """What the end of a session merged."""

    merged_groups: int
    superseded_count: int
    compression_ratio: float
    avg_similarity: float


class Related(TypedDict):
    """A memory of another session that resembles this one."""

    id: int
    content: str
    _rrf_score: float


class SessionEnded(TypedDict):
    """The answer of end_session."""

    status: str
    session_id: str
    summary: SessionSummary
    decayed_count: int
    consolidated: Merged
    related_memories: list[Related]


class Record(TypedDict):
    """One memory in full, whatever its status, with its payload as it was given."""

    id: int
    status: str
    status_reason: str | None
    content: str
    human_summary: str
    type: str
    perception_type: str | None
    collection: str
    session_id: str | None
    category: str
    confidence: float
    tags: list[str]
    scope_files: list[str]
    context: str
    access_count: int
    created_at: str
    updated_at: str
    last_accessed: str
    data: NotRequired[str | None]
    metadata: NotRequired[str | None]


class Change(TypedDict):
    """One entry of a memory's history."""

    event_id: int
    verb: str
    actor: str
    at: str
    before: Any
    after: Any


def learned(result: Remembered, *, truncated: bool, warning: str | None) -> Learned:
    """Say whether a lesson was stored or known."""
    duplicate = result.duplicate
    if duplicate is not None:
        answer = Learned(
            status="duplicate",
            method=duplicate.method,
            existing_id=duplicate.memory_id,
            similarity=duplicate.similarity,
        )
    else:
        answer = Learned(
            status="created", memory_id=result.memory.id, auto_inferred=inferred(result.memory)
        )
    if truncated:
        answer["truncated"] = True
    if warning:
        answer["warning"] = warning
    return answer


def inferred(memory: Memory) -> Inferred:
    """Say what was read out of a memory's text."""
    return Inferred(
        category=memory.category,
        confidence=_rounded(memory.confidence),
        tags=list(memory.tags),
        scope_files=list(memory.scope_files),
    )


def judged(memory: Memory) -> Judged:
    """Say what kind of thing a memory is, and how sure."""
    return Judged(category=memory.category, confidence=_rounded(memory.confidence))


def recollection(recalled: Recalled, *, spatial: bool) -> Recollection:
    """Say what was recalled, and how."""
    return Recollection(
        memories=[experience(hit, spatial=spatial) for hit in recalled.hits],
        total=len(recalled.hits),
        mode=recalled.mode,
        query_ms=round(recalled.elapsed_ms, 2),
    )


def experience(hit: Hit, *, spatial: bool) -> Experience:
    """Say what one hit is and why it was found."""
    memory = hit.memory
    answer = Experience(
        id=memory.id,
        content=memory.content,
        human_summary=memory.summary,
        type=memory.kind,
        perception_type=memory.perception_type,
        session_id=memory.episode_id,
        category=memory.category,
        confidence=_rounded(memory.confidence),
        context=_json(memory.context),
        params=memory.context.get("params", {}),
        spatial=memory.context.get("spatial", {}),
        robot=memory.context.get("robot", {}),
        task=memory.context.get("task", {}),
        _rrf_score=_rounded(hit.score),
        _bm25_rank=hit.bm25_rank,
        _vec_rank=hit.vector_rank,
        created_at=_moment(memory.created_at),
    )
    if spatial:
        answer["distance"] = hit.distance
    return answer


def session_ended(report: EpisodeReport) -> SessionEnded:
    """Say what a session stored, and what its end changed and brought to mind."""
    merged = report.consolidated
    return SessionEnded(
        status="ended",
        session_id=report.episode.id,
        summary=SessionSummary(
            memory_count=report.memory_count,
            by_type=dict(report.by_type),
            by_category=dict(report.by_category),
        ),
        decayed_count=report.decayed_count,
        consolidated=Merged(
            merged_groups=merged.merged_groups,
            superseded_count=merged.superseded_count,
            compression_ratio=merged.compression_ratio,
            avg_similarity=merged.avg_similarity,
        ),
        related_memories=[
            Related(id=hit.memory.id, content=hit.memory.content, _rrf_score=_rounded(hit.score))
            for hit in report.related
        ],
    )


def record(memory: Memory, *, payload: Payload | None = None) -> Record:
    """Say everything about one memory."""
    answer = Record(
        id=memory.id,
        status=memory.status,
        status_reason=memory.status_reason,
        content=memory.content,
        human_summary=memory.summary,
        type=memory.kind,
        perception_type=memory.perception_type,
        collection=memory.scope.name,
        session_id=memory.episode_id,
        category=memory.category,
        confidence=_rounded(memory.confidence),
        tags=list(memory.tags),
        scope_files=list(memory.scope_files),
        context=_json(memory.context),
        access_count=memory.access_count,
        created_at=_moment(memory.created_at),
        updated_at=_moment(memory.updated_at),
        last_accessed=_moment(memory.accessed_at),
    )
    if payload is not None:
        answer["data"] = payload.data
        answer["metadata"] = payload.metadata
    return answer


def change(event: Event) -> Change:
    """Say what happened once."""
    return Change(
        event_id=event.id,
        verb=event.verb,
        actor=event.actor,
        at=_moment(event.at),
        before=event.before,
        after=event.after,
    )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _moment(at: datetime) -> str:
    """Write a time as the seed does: UTC, to the second, without an offset."""
    return at.strftime("%Y-%m-%dT%H:%M:%S")


def _rounded(value: float) -> float:
    return round(value, 4)
