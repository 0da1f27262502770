"""From records to what the robot tools answer."""

import json
from dataclasses import replace
from datetime import datetime

from mnemic.dialects.robot.answers import (
    CategoryGuess,
    Experience,
    Explained,
    HistoryEntry,
    Inferred,
    Learned,
    Merged,
    Reasons,
    RecallStep,
    Recollection,
    Record,
    Related,
    SessionEnded,
    SessionSummary,
    TermWeight,
)
from mnemic.memory.texts.sensitivity import covered, covered_version
from mnemic.records.memory import (
    EpisodeReport,
    Event,
    Explanation,
    Hit,
    Memory,
    Payload,
    Recalled,
    Remembered,
)


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
        if result.supersedes:
            answer["supersedes"] = list(result.supersedes)
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


def judged(memory: Memory) -> CategoryGuess:
    """Say what kind of thing a memory is, and how sure."""
    return CategoryGuess(category=memory.category, confidence=_rounded(memory.confidence))


def recollection(recalled: Recalled, *, asked: str, spatial: bool, relevance: bool) -> Recollection:
    """Say what was recalled, and how; secrets, distance and relevance only where they were asked
    for.
    """
    explanation = recalled.explanation
    answer = Recollection(
        memories=[
            experience(
                replace(hit, memory=covered(hit.memory, asked=asked)),
                spatial=spatial,
                relevance=relevance,
                explain=explanation is not None,
            )
            for hit in recalled.hits
        ],
        total=len(recalled.hits),
        mode=recalled.mode,
        query_ms=round(recalled.elapsed_ms, 2),
    )
    if explanation is not None:
        answer["explanation"] = explained(explanation)
    return answer


def explained(explanation: Explanation) -> Explained:
    """Say how an answer came about."""
    return Explained(
        terms=[
            TermWeight(term=term.term, weight=term.weight, share=_rounded(term.share))
            for term in explanation.terms
        ],
        embedded=explanation.embedded,
        by_words=explanation.by_words,
        by_meaning=explanation.by_meaning,
        candidates=explanation.candidates,
        stages=[
            RecallStep(
                name=stage.name, wall_ms=round(stage.wall_ms, 3), cpu_ms=round(stage.cpu_ms, 3)
            )
            for stage in explanation.stages
        ],
    )


def experience(hit: Hit, *, spatial: bool, relevance: bool, explain: bool) -> Experience:
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
    _add_times(answer, memory)
    if spatial:
        answer["distance"] = hit.distance
    if relevance:
        answer["_relevance"] = _rounded(hit.relevance)
    if explain:
        answer["_why"] = Reasons(
            bm25=None if hit.bm25_score is None else _rounded(hit.bm25_score),
            cosine=None if hit.cosine is None else _rounded(hit.cosine),
            signals=dict(hit.signals),
        )
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
            Related(
                id=hit.memory.id,
                content=covered(hit.memory).content,
                _rrf_score=_rounded(hit.score),
            )
            for hit in report.related
        ],
    )


def record(memory: Memory, *, payload: Payload | None = None, reveal: bool = False) -> Record:
    """Say everything about one memory; its secrets only to `reveal` them."""
    memory = memory if reveal else covered(memory)
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
    _add_times(answer, memory)
    if payload is not None:
        answer["data"] = payload.data
        answer["metadata"] = payload.metadata
    return answer


def change(event: Event, *, reveal: bool = False) -> HistoryEntry:
    """Say what happened once; secrets only to `reveal` them."""
    before, after = event.before, event.after
    if not reveal:
        before = None if before is None else covered_version(before)
        after = None if after is None else covered_version(after)
    return HistoryEntry(
        event_id=event.id,
        verb=event.verb,
        actor=event.actor,
        at=_moment(event.at),
        before=before,
        after=after,
    )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _moment(at: datetime) -> str:
    """Write a time as the contract does: UTC, to the second, without an offset."""
    return at.strftime("%Y-%m-%dT%H:%M:%S")


def _add_times(answer: Experience | Record, memory: Memory) -> None:
    """Say when it happened and when it ends, where that says something."""
    if memory.occurred_at != memory.created_at:
        answer["occurred_at"] = _exact(memory.occurred_at)
    if memory.valid_until is not None:
        answer["valid_until"] = _exact(memory.valid_until)
    if memory.expires_at is not None:
        answer["expires_at"] = _exact(memory.expires_at)
    if memory.superseded_by is not None:
        answer["superseded_by"] = memory.superseded_by


def _exact(at: datetime) -> str:
    """Write a time like the others, but to the millisecond where it has any."""
    thousandths = at.microsecond // 1000
    return f"{_moment(at)}.{thousandths:03d}" if thousandths else _moment(at)


def _rounded(value: float) -> float:
    return round(value, 4)
