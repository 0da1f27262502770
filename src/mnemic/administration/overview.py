"""What an account holds in all: counts from tallies, and what came last."""

from collections.abc import Iterator
from operator import attrgetter
from typing import Final

from mnemic.errors import InvalidInputError
from mnemic.memory.texts.sensitivity import is_secret
from mnemic.memory.workspace import Workspace
from mnemic.records.filters import EVERYTHING
from mnemic.records.memory import Memory, Overview
from mnemic.storage.rows import memory_rows, scope_rows, tally_rows

_MOST: Final = 1_000


def overview(workspace: Workspace) -> Overview:
    """Return what the account holds, counted without reading its memories."""
    db = workspace.db
    return db.read(
        lambda: Overview(
            scopes=scope_rows.numbers(db),
            memories=tally_rows.of_account(db),
            collections=scope_rows.counts(db, "collection"),
        )
    )


def newest(workspace: Workspace, *, limit: int = 20) -> list[Memory]:
    """Return the newest memories in use, over all scopes; secret ones are left out."""
    if not 1 <= limit <= _MOST:
        raise InvalidInputError("limit", f"{limit} is out of range", f"1 to {_MOST}")
    return workspace.db.read(lambda: _newest(workspace, limit))


def _newest(workspace: Workspace, limit: int) -> list[Memory]:
    kept: list[Memory] = []
    # No memory is younger than the last change of its scope, so the first scope that changed
    # before the last memory that would be shown ends the search.
    for scope_id, changed_at in tally_rows.latest(workspace.db):
        if len(kept) == limit and changed_at < kept[-1].created_at:
            break
        kept += _shown(workspace, scope_id, limit)
        kept = sorted(kept, key=attrgetter("created_at", "id"), reverse=True)[:limit]
    return kept


def _shown(workspace: Workspace, scope_id: int, limit: int) -> Iterator[Memory]:
    secret = workspace.settings.secret_kinds
    memories = memory_rows.listed(
        workspace.db,
        scope_id,
        status="active",
        category=None,
        chosen=EVERYTHING,
        limit=limit,
        before_id=memory_rows.NEWEST,
        moment=workspace.clock(),
    )
    return (memory for memory in memories if not is_secret(memory, secret))
