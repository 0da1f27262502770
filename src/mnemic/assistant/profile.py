"""A user's profile: read from counters, whatever the size of their memory."""

from datetime import datetime, timedelta
from typing import Final

from mnemic.assistant.topics import topics
from mnemic.memory.texts.derivation import check_aware
from mnemic.memory.workspace import Workspace
from mnemic.records.filters import EVERYTHING
from mnemic.records.memory import Profile, Scope
from mnemic.storage.rows import activity_rows, memory_rows, scope_rows, tally_rows

_DAYS: Final = 30
# Enough to see what somebody is about; reading more would cost more than it tells.
_READ_FOR_TOPICS: Final = 100
_CHARACTERS_FOR_TOPICS: Final = 200
_TOPICS: Final = 5


def profile(workspace: Workspace, scope: Scope, *, as_of: datetime | None = None) -> Profile | None:
    """Return what a scope holds and how it is used; None where nothing was ever put there.

    `as_of` asks what it held at that time; what was done is told as of now.
    """
    check_aware("as_of", as_of)
    workspace.accesses.flush()
    return workspace.db.read(lambda: _profile(workspace, scope, as_of))


def empty_profile(workspace: Workspace, scope: Scope) -> Profile:
    """Return the profile of a scope that nothing was put into yet."""
    made_at = scope_rows.made_at(workspace.db, None)
    return Profile(scope, kinds={}, recent=(), operations={}, topics=(), created_at=made_at)


def _profile(workspace: Workspace, scope: Scope, as_of: datetime | None) -> Profile | None:
    db, now = workspace.db, workspace.clock()
    scope_id = scope_rows.find(db, scope)
    if scope_id is None:
        return None
    newest = memory_rows.listed(
        db,
        scope_id,
        status="active",
        category=None,
        chosen=EVERYTHING,
        limit=_READ_FOR_TOPICS,
        before_id=memory_rows.NEWEST,
        moment=now,
    )
    since = now - timedelta(days=_DAYS)
    return Profile(
        scope=scope,
        kinds=tally_rows.of_scope(db, scope_id, now=now)
        if as_of is None
        else tally_rows.at(db, scope_id, as_of),
        recent=tuple(activity_rows.recent(db, scope_id)),
        operations=activity_rows.operations(db, scope_id, since=since),
        topics=tuple(
            topics((memory.content[:_CHARACTERS_FOR_TOPICS] for memory in newest), limit=_TOPICS)
        ),
        created_at=scope_rows.made_at(db, scope_id),
    )
