"""From the engine's records to what a client of the assistant's tools gets."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

from mnemic.dialects.assistant import answers
from mnemic.dialects.assistant.messages import WRONG, Locale
from mnemic.dialects.assistant.refusals import Refused
from mnemic.language.secrets.recognising import masked
from mnemic.language.tokens import normalise
from mnemic.memory.texts.sensitivity import covered
from mnemic.records.memory import (
    Activity,
    Answer,
    Conversation,
    Hit,
    KindTally,
    Memory,
    MemoryKind,
    Message,
    Profile,
    Recalled,
    Remembered,
    memory_name,
)

_WEEK: Final = timedelta(days=7)
_PEAKS: Final = 3
# From so many operations in a week on.
_LEVELS: Final = ((20, "high"), (10, "medium"), (1, "low"))


def moment(at: datetime) -> str:
    """Write a time as the contract does: UTC, to the second, ending in Z."""
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def exact(at: datetime) -> str:
    """Write a time like the others, but to the millisecond where it has any."""
    thousandths = at.microsecond // 1000
    return f"{at:%Y-%m-%dT%H:%M:%S}.{thousandths:03d}Z" if thousandths else moment(at)


def seconds(duration: float) -> float:
    """Write a duration."""
    return round(duration, 6)


def refused(refused: Refused, *, locale: Locale, at: datetime) -> dict[str, Any]:
    """Return the envelope of an error."""
    return {
        "success": False,
        "error": answers.ErrorBody(
            code=refused.code,
            message=WRONG[refused.code].in_language(locale),
            details=refused.details.in_language(locale),
            retryable=refused.retryable,
        ),
        "timestamp": moment(at),
    }


def added(remembered: Remembered) -> answers.Added:
    """Say what was added, or what was there already."""
    memory = remembered.memory
    answer = answers.Added(
        memory_id=memory_name(memory.id),
        content=memory.content,
        memory_type=memory.kind,
        context=memory.context.get("note"),
        created_at=moment(memory.created_at),
        user_id=memory.scope.name,
    )
    if remembered.duplicate is not None:
        answer["duplicate"] = True
    if remembered.supersedes:
        answer["supersedes"] = [memory_name(number) for number in remembered.supersedes]
    _add_times(answer, memory)
    return answer


def results(query: str, recalled: Recalled) -> answers.Results:
    """Say what matches."""
    total = len(recalled.hits) if recalled.total is None else recalled.total
    return answers.Results(
        query=query,
        results=[_found(hit, asked=query) for hit in recalled.hits],
        total_results=total,
        search_time=seconds(recalled.elapsed_ms / 1000),
    )


def each_once(recalled: Recalled, *, limit: int) -> Recalled:
    """Leave out what says again, in whatever type, what stands before it."""
    hits = {normalise(hit.memory.content): hit for hit in reversed(recalled.hits)}
    kept = tuple(hit for hit in recalled.hits if hits[normalise(hit.memory.content)] is hit)
    again = len(recalled.hits) - len(kept)
    total = None if recalled.total is None else recalled.total - again
    return replace(recalled, hits=kept[:limit], total=total)


def replied(answer: Answer, *, taken: float) -> answers.Replied:
    """Say what was replied, and from what."""
    said = answers.Replied(
        response=answer.text,
        conversation_id=answer.conversation_id,
        message_id=answer.message_id,
        used_memories=[
            answers.Used(
                memory_id=memory_name(hit.memory.id),
                content=hit.memory.content,
                relevance_score=_score(hit),
            )
            for hit in answer.used
        ],
        memorized=answer.memorized,
        response_time=seconds(taken),
        mode=answer.mode,
    )
    if answer.fallback:
        said["fallback"] = True
    return said


def profile(found: Profile, kinds: Sequence[MemoryKind], *, now: datetime) -> answers.ProfileOfUser:
    """Say what a user's memory holds, type by type, and how it is used."""
    counts: dict[str, KindTally | None] = {kind: found.kinds.get(kind) for kind in kinds}
    total = sum(one.memories for one in counts.values() if one)
    return answers.ProfileOfUser(
        user_id=found.scope.name,
        profile=answers.UserProfile(
            total_memories=total,
            memory_types={
                kind: answers.TypeCount(
                    count=one.memories if one else 0,
                    last_updated=moment(one.changed_at) if one else None,
                )
                for kind, one in counts.items()
            },
            recent_activity=[_did(one) for one in found.recent],
            created_at=moment(found.created_at),
            last_activity=moment(found.recent[0].at) if found.recent else None,
            usage_patterns=_patterns(found, counts, total, now=now),
        ),
    )


def kept(memory: Memory, *, reveal: bool = False) -> answers.Kept:
    """Say everything about one memory; its secrets only to `reveal` them."""
    memory = memory if reveal else covered(memory)
    answer = answers.Kept(
        memory_id=memory_name(memory.id),
        content=memory.content,
        memory_type=memory.kind,
        context=memory.context.get("note"),
        created_at=moment(memory.created_at),
        updated_at=moment(memory.updated_at),
        user_id=memory.scope.name,
    )
    _add_times(answer, memory)
    return answer


def conversation(one: Conversation) -> answers.ConversationShown:
    """Say which conversation it is."""
    return answers.ConversationShown(
        conversation_id=one.id,
        turns=one.turns,
        opening=None if one.opening is None else masked(one.opening),
        created_at=moment(one.created_at),
        updated_at=moment(one.updated_at),
    )


def said(message: Message, *, reveal: bool = False) -> answers.SaidMessage:
    """Say who said what; secrets only to `reveal` them."""
    return answers.SaidMessage(
        message_id=message.id,
        role=message.role,
        content=message.content if reveal else masked(message.content),
        created_at=moment(message.created_at),
    )


def _found(hit: Hit, *, asked: str) -> answers.MatchingMemory:
    memory = covered(hit.memory, asked=asked)
    answer = answers.MatchingMemory(
        memory_id=memory_name(memory.id),
        content=memory.content,
        memory_type=memory.kind,
        context=memory.context.get("note"),
        relevance_score=_score(hit),
        created_at=moment(memory.created_at),
        updated_at=moment(memory.updated_at),
    )
    _add_times(answer, memory)
    return answer


def _add_times(
    answer: answers.Added | answers.Kept | answers.MatchingMemory, memory: Memory
) -> None:
    """Say when it happened and when it ends, where that says something."""
    if memory.occurred_at != memory.created_at:
        answer["occurred_at"] = exact(memory.occurred_at)
    if memory.valid_until is not None:
        answer["valid_until"] = exact(memory.valid_until)
    if memory.expires_at is not None:
        answer["expires_at"] = exact(memory.expires_at)
    if memory.superseded_by is not None:
        answer["superseded_by"] = memory_name(memory.superseded_by)


def _score(hit: Hit) -> float:
    return round(min(1.0, max(0.0, hit.fit)), 4)


def _did(one: Activity) -> answers.Did:
    return answers.Did(action=one.action, memory_type=one.kind, timestamp=moment(one.at))


def _patterns(
    found: Profile, counts: Mapping[str, KindTally | None], total: int, *, now: datetime
) -> answers.Patterns:
    week = sum(number for hour, number in found.operations.items() if hour > now - _WEEK)
    by_hour = Counter[int]()
    for hour, number in found.operations.items():
        by_hour[hour.hour] += number
    peaks = sorted(by_hour, key=lambda hour: (-by_hour[hour], hour))[:_PEAKS]
    return answers.Patterns(
        type_distribution={
            kind: round(100 * one.memories / total, 1) if one and total else 0.0
            for kind, one in counts.items()
        },
        activity_level=next((name for least, name in _LEVELS if week >= least), "inactive"),
        operations_last_7_days=week,
        operations_per_day=round(week / _WEEK.days, 2),
        peak_hours=peaks,
        top_topics=list(found.topics),
    )
