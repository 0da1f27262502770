"""Episodes: begin, end, and what an end brings about: ageing, merging, calling to mind."""

from collections import Counter
from datetime import datetime
from typing import Any, Final

from mnemic.engine.consolidation import groups_of
from mnemic.engine.query import Query
from mnemic.engine.recall import recall
from mnemic.engine.revise import retire
from mnemic.engine.wording import check_context
from mnemic.engine.workspace import Workspace
from mnemic.errors import ConflictError, InvalidInputError, NotFoundError, StateError
from mnemic.records import Consolidated, Context, Episode, EpisodeReport, Hit, Memory, Scope
from mnemic.storage import edges, episodes, memories, scopes
from mnemic.text.tokens import query_terms

_RELATED: Final = 5
_RELATED_CONFIDENCE: Final = 0.3
# Enough to say what a run was about; more words only blur it.
_GIST_WORDS: Final = 12
_GIST_CHARACTERS: Final = 200


def start_episode(workspace: Workspace, scope: Scope, *, context: Context) -> tuple[Episode, int]:
    """Begin a run; return it and how many memories it can draw on."""
    check_context(context)
    now = workspace.clock()
    episode_id = workspace.new_id()

    def begin() -> int:
        scope_id = scopes.hold(workspace.db, scope, now=now)
        if not episodes.start(
            workspace.db, episode_id, scope_id=scope_id, context=context, now=now
        ):
            raise ConflictError(f"There is a session {episode_id!r} already.")
        return memories.count_active(workspace.db, scope_id)

    active = workspace.db.write(begin)
    return get_episode(workspace, episode_id), active


def get_episode(workspace: Workspace, episode_id: str) -> Episode:
    """Return one of this account's runs."""
    episode = episodes.get(workspace.db, episode_id)
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

    def end() -> tuple[list[Memory], int, Consolidated]:
        scope_id = scopes.hold(workspace.db, episode.scope, now=now)
        _check_active(workspace, episode_id)
        episodes.end(workspace.db, episode_id, outcome_score=outcome_score, now=now)
        decayed = _decay(workspace, scope_id, now)
        stored = memories.of_episode(workspace.db, episode_id)
        return stored, decayed, _consolidate(workspace, stored, now)

    stored, decayed, consolidated = workspace.db.write(end)
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


def _decay(workspace: Workspace, scope_id: int, now: datetime) -> int:
    """Move the scope's clock, at most once a day; return how many memories lost confidence."""
    before = scopes.decay_clock(workspace.db, scope_id)
    if before.at is not None and now.date() <= before.at.date():
        return 0
    rate = workspace.settings.decay_rate
    decayed = scopes.set_decay_clock(workspace.db, scope_id, now=now, rate=rate)
    workspace.journal(
        "decayed",
        scope_id=scope_id,
        memory_id=None,
        at=now,
        before={"at": before.at.isoformat() if before.at else None, "rate": before.rate},
        after={"at": now.isoformat(), "rate": rate, "decayed": decayed},
    )
    return decayed


def _consolidate(workspace: Workspace, stored: list[Memory], now: datetime) -> Consolidated:
    groups = groups_of(stored)
    for group in groups:
        survivor, *replaced = group.members
        for memory in replaced:
            reason = f"merged into memory {survivor.id}"
            retire(workspace, memory, "superseded", "superseded", reason=reason, now=now)
            edges.link(workspace.db, survivor.id, memory.id, "supersedes", now=now)
    superseded = sum(len(group.members) - 1 for group in groups)
    similarities = [value for group in groups for value in group.similarities]
    return Consolidated(
        merged_groups=len(groups),
        superseded_count=superseded,
        compression_ratio=round(superseded / len(stored), 4) if stored else 0.0,
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
    used = Counter(term for memory in stored for term in query_terms(memory.content))
    words = " ".join(term for term, _ in used.most_common(_GIST_WORDS))
    return f"{described[:_GIST_CHARACTERS]} {words}".strip()


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for inner in value.values() for text in _texts(inner)]  # pyright: ignore[reportUnknownVariableType]
    return []
