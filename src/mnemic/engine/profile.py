"""A user's profile: read from counters, whatever the size of their memory."""

from datetime import timedelta
from typing import Final

from mnemic.engine.workspace import Workspace
from mnemic.filters import EVERYTHING
from mnemic.records import Profile, Scope
from mnemic.storage import activity, memories, scopes, tally
from mnemic.text.topics import topics

_DAYS: Final = 30
# Enough to see what somebody is about; reading more would cost more than it tells.
_READ_FOR_TOPICS: Final = 100
_CHARACTERS_FOR_TOPICS: Final = 200
_TOPICS: Final = 5


def profile(workspace: Workspace, scope: Scope) -> Profile | None:
    """Return what is known of a scope, or None where nothing was ever put there."""
    workspace.accesses.flush()
    return workspace.db.read(lambda: _profile(workspace, scope))


def empty_profile(workspace: Workspace, scope: Scope) -> Profile:
    """Return the profile of a scope that nothing was put into yet."""
    made_at = scopes.made_at(workspace.db, None)
    return Profile(scope, kinds={}, recent=(), operations={}, topics=(), created_at=made_at)


def _profile(workspace: Workspace, scope: Scope) -> Profile | None:
    db = workspace.db
    scope_id = scopes.find(db, scope)
    if scope_id is None:
        return None
    newest = memories.listed(
        db,
        scope_id,
        status="active",
        category=None,
        chosen=EVERYTHING,
        limit=_READ_FOR_TOPICS,
        before_id=memories.NEWEST,
    )
    since = workspace.clock() - timedelta(days=_DAYS)
    return Profile(
        scope=scope,
        kinds=tally.of_scope(db, scope_id),
        recent=tuple(activity.recent(db, scope_id)),
        operations=activity.operations(db, scope_id, since=since),
        topics=tuple(
            topics((one.content[:_CHARACTERS_FOR_TOPICS] for one in newest), limit=_TOPICS)
        ),
        created_at=scopes.made_at(db, scope_id),
    )
