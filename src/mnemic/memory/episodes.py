"""Episodes: begin, end, and what an end brings about: ageing, merging, calling to mind."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from mnemic.errors import (
    ConflictError,
    InvalidInputError,
    NotFoundError,
    OutOfTimeError,
    StateError,
)
from mnemic.language.bounds import COMPARED
from mnemic.language.tokens import query_terms
from mnemic.memory import unlocked_work
from mnemic.memory.consolidation import Group, groups_of
from mnemic.memory.retrieval.recall import recall
from mnemic.memory.revise import retire
from mnemic.memory.texts.derivation import check_context
from mnemic.memory.unlocked_work import derive
from mnemic.memory.workspace import Workspace
from mnemic.records.memory import (
    DEFAULT_SCOPE,
    Consolidated,
    Context,
    Episode,
    EpisodeReport,
    Hit,
    Memory,
    Scope,
)
from mnemic.records.query import Query
from mnemic.storage.rows import edge_rows, episode_rows, scope_rows
from mnemic.storage.rows import memory_rows as memories

_RELATED: Final = 5
_RELATED_CONFIDENCE: Final = 0.3
# Enough to say what a run was about; more words only blur it.
_GIST_WORDS: Final = 12
_GIST_CHARACTERS: Final = 200
# A run that took longer began under a clock that was behind.
_LONGEST_RUN: Final = timedelta(days=60)


def start_episode(
    workspace: Workspace, scope: Scope = DEFAULT_SCOPE, *, context: Context | None = None
) -> tuple[Episode, int]:
    """Begin a run; return it and how many memories it can draw on."""
    described = context or {}
    check_context(described)
    now = workspace.clock()
    episode_id = workspace.new_id()

    def begin() -> int:
        scope_id = scope_rows.hold(workspace.db, scope, now=now)
        if not episode_rows.start(
            workspace.db, episode_id, scope_id=scope_id, context=described, now=now
        ):
            raise ConflictError(f"There is a session {episode_id!r} already.")
        return memories.count_active(workspace.db, scope_id)

    active = workspace.db.write(begin)
    return get_episode(workspace, episode_id), active


def get_episode(workspace: Workspace, episode_id: str) -> Episode:
    """Return one of this account's runs."""
    episode = episode_rows.get(workspace.db, episode_id)
    if episode is None:
        raise NotFoundError(
            f"There is no session {episode_id!r}. Begin one with start_session.",
            session_id=episode_id,
        )
    return episode


def end_episode(
    workspace: Workspace, episode_id: str, *, outcome_score: float | None = None
) -> EpisodeReport:
    """End a run: age the scope, merge what the run said twice, recall what resembles it."""
    if outcome_score is not None and not 0 <= outcome_score <= 1:
        raise InvalidInputError("outcome_score", f"{outcome_score} is out of range", "0.0 to 1.0")
    # Recalls that are not counted yet decide what is aged and who stays in a merger.
    workspace.accesses.flush()
    now = workspace.clock()
    episode = get_episode(workspace, episode_id)

    def end(*, merging: bool = True) -> tuple[list[Memory], int, Consolidated]:
        scope_id = scope_rows.hold(workspace.db, episode.scope, now=now)
        _check_active(workspace, episode_id)
        episode_rows.end(workspace.db, episode_id, outcome_score=outcome_score, now=now)
        decayed = _decay(workspace, scope_id, since=episode.started_at, now=now)
        stored = memories.of_episode(workspace.db, episode_id)
        groups = derive("groups", _groups_of, [_Stored(tuple(stored))])[0] if merging else []
        return stored, decayed, _consolidate(workspace, groups, len(stored), now)

    with workspace.call():
        try:
            stored, decayed, consolidated = unlocked_work.write(workspace, end)
        except OutOfTimeError as late:
            workspace.db.write(lambda: end(merging=False))
            raise OutOfTimeError(
                f"Session {episode_id!r} has ended, and nothing that it said twice was merged: "
                f"{late}"
            ) from late
    return EpisodeReport(
        episode=get_episode(workspace, episode_id),
        memory_count=len(stored),
        by_type=Counter(memory.kind for memory in stored),
        by_category=Counter(memory.category for memory in stored),
        decayed_count=decayed,
        consolidated=consolidated,
        related=_related(workspace, episode, stored),
    )


def _check_active(workspace: Workspace, episode_id: str) -> None:
    episode = get_episode(workspace, episode_id)
    if episode.status == "ended":
        raise StateError(
            f"Session {episode_id!r} has already ended, at {episode.ended_at:%Y-%m-%d %H:%M:%S}.",
            session_id=episode_id,
        )


def _decay(workspace: Workspace, scope_id: int, *, since: datetime, now: datetime) -> int:
    """Move the scope's clock, at most once a day; return how many memories lost confidence.

    It follows the time back, too: a clock that was ahead for a while takes nothing away for good.
    What was learned or recalled since the run began does not age by the correction of a clock.
    """
    before = scope_rows.decay_clock(workspace.db, scope_id)
    if before.at is not None and now.date() == before.at.date():
        return 0
    since = since if before.at is None else max(since, before.at)
    if now - since > _LONGEST_RUN:
        memories.refresh(workspace.db, scope_id, since=since, now=now)
    rate = workspace.settings.decay_rate
    ageing = scope_rows.set_decay_clock(workspace.db, scope_id, now=now, rate=rate)
    decayed = ageing if before.at is None or before.at < now else 0
    workspace.journal(
        "decayed",
        scope_id=scope_id,
        memory_id=None,
        at=now,
        before={"at": before.at.isoformat() if before.at else None, "rate": before.rate},
        after={"at": now.isoformat(), "rate": rate, "decayed": decayed},
    )
    return decayed


@dataclass(frozen=True, slots=True)
class _Stored:
    """What a run stored."""

    memories: tuple[Memory, ...]

    def __hash__(self) -> int:
        return hash(tuple(memory.id for memory in self.memories))


def _groups_of(stored: Sequence[_Stored]) -> list[list[Group]]:
    return [groups_of(one.memories) for one in stored]


def _consolidate(
    workspace: Workspace, groups: Sequence[Group], stored: int, now: datetime
) -> Consolidated:
    for group in groups:
        survivor, *replaced = group.members
        for memory in replaced:
            reason = f"merged into memory {survivor.id}"
            retire(workspace, memory, "superseded", "superseded", reason=reason, now=now)
            edge_rows.link(workspace.db, survivor.id, memory.id, "supersedes", now=now)
    superseded = sum(len(group.members) - 1 for group in groups)
    similarities = [value for group in groups for value in group.similarities]
    return Consolidated(
        merged_groups=len(groups),
        superseded_count=superseded,
        compression_ratio=round(superseded / stored, 4) if stored else 0.0,
        avg_similarity=round(sum(similarities) / len(similarities), 4) if similarities else 0.0,
    )


def _related(workspace: Workspace, episode: Episode, stored: list[Memory]) -> tuple[Hit, ...]:
    """Recall, from other runs, what resembles this one."""
    gist = _gist(episode.context, stored)
    if not gist:
        return ()
    query = Query(
        text=gist,
        scopes=(episode.scope,),
        limit=_RELATED,
        min_confidence=_RELATED_CONFIDENCE,
        other_than_episode=episode.id,
        traceless=True,
    )
    return recall(workspace, query).hits


def _gist(context: Context, stored: list[Memory]) -> str:
    """Return the words that a run used most, its own description first."""
    described = " ".join(_texts(context))
    used = Counter(term for memory in stored for term in query_terms(memory.content[:COMPARED]))
    words = " ".join(term for term, _ in used.most_common(_GIST_WORDS))
    return f"{described[:_GIST_CHARACTERS]} {words}".strip()


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for inner in value.values() for text in _texts(inner)]  # pyright: ignore[reportUnknownVariableType]
    return []
