"""Retention: what is older than the settings let it be kept is removed, a little at a time."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from typing import Final

from mnemic.administration.erasing.derived import drop_memories
from mnemic.administration.erasing.erase import drop_session
from mnemic.administration.erasing.redacted_turns import session_of
from mnemic.memory.remember import hold_scopes
from mnemic.memory.workspace import Workspace
from mnemic.records.memory import Memory
from mnemic.storage.chat_rows import job_rows
from mnemic.storage.rows import conversation_rows, erasure_rows, expired_rows, memory_rows
from mnemic.storage.rows.expired_rows import OldConversation

KINDS: Final = ("episodic_memories", "conversations", "sessions", "events", "jobs")
"""What retention removes."""

Counts = Counter[str]
"""How many of each kind."""

_Remove = Callable[[Workspace, datetime], Iterator[Counts]]
_Count = Callable[[Workspace, datetime], Counts]
# Batch sizes of one transaction: other writers wait for some milliseconds.
_EVENTS: Final = 1_000
_JOBS: Final = 500


def expire(workspace: Workspace) -> Iterator[Counts]:
    """Remove what the account may no longer keep; yield after each short transaction what went."""
    workspace.accesses.flush()
    for before, remove, _ in _limits(workspace):
        yield from remove(workspace, before)


def expired(workspace: Workspace) -> Counts:
    """Return how much `expire` would remove now, without removing it."""
    counts: Counts = Counter()
    for before, _, count in _limits(workspace):
        counts += count(workspace, before)
    return counts


def _limits(workspace: Workspace) -> list[tuple[datetime, _Remove, _Count]]:
    """Return for each limit that is set the moment before which things go, and who knows them."""
    now, settings = workspace.clock(), workspace.settings
    # First what would go with something else: so a dry run counts what is removed then.
    limits: tuple[tuple[int, _Remove, _Count], ...] = (
        (settings.event_days, _expire_events, _count_events),
        (settings.job_days, _expire_jobs, _count_jobs),
        (settings.episodic_days, _expire_memories, _count_memories),
        (settings.conversation_days, _expire_conversations, _count_conversations),
    )
    return [(now - timedelta(days=days), remove, count) for days, remove, count in limits if days]


def _expire_memories(workspace: Workspace, before: datetime) -> Iterator[Counts]:
    for ids in expired_rows.memories(workspace.db, before=before):

        def write(ids: list[int] = ids) -> int:
            return _drop_episodic(workspace, ids, lambda memory: memory.updated_at < before)

        yield Counter(episodic_memories=workspace.db.write(write))


def _drop_episodic(
    workspace: Workspace, ids: Iterable[int], is_due: Callable[[Memory], bool]
) -> int:
    """Delete those of some memories that are episodic and due; return how many that were."""
    memories = [
        memory
        for memory_id in ids
        if (memory := memory_rows.get(workspace.db, memory_id)) is not None
    ]
    hold_scopes(workspace, [memory.scope for memory in memories], workspace.clock())
    # Read again under the scope locks.
    held = [memory_rows.get(workspace.db, memory.id) for memory in memories]
    gone = [
        memory
        for memory in held
        if memory is not None and memory.kind == "episodic" and is_due(memory)
    ]
    drop_memories(workspace, gone)
    return len(gone)


def _count_memories(workspace: Workspace, before: datetime) -> Counts:
    return Counter(episodic_memories=expired_rows.count_memories(workspace.db, before=before))


def _expire_conversations(workspace: Workspace, before: datetime) -> Iterator[Counts]:
    for old in expired_rows.conversations(workspace.db, before=before):

        def write(old: OldConversation = old) -> Counts:
            if not _is_old(workspace, old, before):
                return Counter()
            hold_scopes(workspace, [old.scope], workspace.clock())
            # Check again under the scope lock.
            if not _is_old(workspace, old, before):
                return Counter()
            return _drop_conversation(workspace, old)

        yield workspace.db.write(write)


def _is_old(workspace: Workspace, old: OldConversation, before: datetime) -> bool:
    there = conversation_rows.get(workspace.db, old.scope_id, old.id)
    return there is not None and there.updated_at < before


def _drop_conversation(workspace: Workspace, old: OldConversation) -> Counts:
    db = workspace.db
    if old.scope.kind == "chat":
        if old.id in _pinned_sessions(workspace):
            return Counter()
        drop_session(workspace, old.id)
        return Counter(sessions=1)
    made = conversation_rows.made_from(db, old.scope_id, old.id)
    told = _drop_episodic(workspace, made, lambda _: True)
    erasure_rows.purge_conversation(db, old.scope_id, old.id)
    return Counter(conversations=1, episodic_memories=told)


def _count_conversations(workspace: Workspace, before: datetime) -> Counts:
    db, counts = workspace.db, Counts()
    pinned = _pinned_sessions(workspace)
    days = workspace.settings.episodic_days
    counted = workspace.clock() - timedelta(days=days) if days else None
    for old in expired_rows.conversations(db, before=before):
        if old.scope.kind == "chat":
            counts["sessions"] += old.id not in pinned
            continue
        counts["conversations"] += 1
        for number in conversation_rows.made_from(db, old.scope_id, old.id):
            memory = memory_rows.get(db, number)
            if memory is not None and memory.kind == "episodic":
                # Those that go by their own age are counted with them.
                counts["episodic_memories"] += counted is None or memory.updated_at >= counted
    return counts


def _pinned_sessions(workspace: Workspace) -> set[str]:
    """Return the sessions that hold a pinned item, or that one was made from."""
    sessions: set[str] = set()
    for scope, turn_id in expired_rows.pins(workspace.db):
        if scope.kind == "chat":
            sessions.add(scope.name)
        elif scope.kind == "branch" and (session_id := session_of(scope)) is not None:
            sessions.add(session_id)
        turn = scope.name if scope.kind == "floor" else turn_id
        if turn is not None and (home := erasure_rows.home_of(workspace.db, turn)) is not None:
            sessions.add(home[1])
    return sessions


def _expire_events(workspace: Workspace, before: datetime) -> Iterator[Counts]:
    db, after = workspace.db, 0
    while page := expired_rows.event_page(db, before=before, after=after, limit=_EVENTS):

        def write(after: int = after, last: int = page.last) -> int:
            return expired_rows.drop_events(db, before=before, after=after, last=last)

        yield Counter(events=db.write(write) if page.old else 0)
        after = page.last


def _count_events(workspace: Workspace, before: datetime) -> Counts:
    return Counter(events=expired_rows.count_events(workspace.db, before=before))


def _expire_jobs(workspace: Workspace, before: datetime) -> Iterator[Counts]:
    db = workspace.db
    while gone := db.write(lambda: job_rows.purge(db, before=before, limit=_JOBS)):
        yield Counter(jobs=gone)


def _count_jobs(workspace: Workspace, before: datetime) -> Counts:
    return Counter(jobs=expired_rows.count_jobs(workspace.db, before=before))
