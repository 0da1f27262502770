"""What users do, noted where it is shown again: in their profiles."""

from datetime import datetime
from typing import cast

from mnemic.memory.retrieval.access_counts import Searched
from mnemic.memory.workspace import Workspace
from mnemic.records.filters import KIND
from mnemic.records.memory import DEFAULT_USER, Action, Memory, MemoryKind, Scope
from mnemic.records.query import Query
from mnemic.storage.rows import activity_rows


def note(
    workspace: Workspace,
    action: Action,
    scope: Scope,
    *,
    scope_id: int,
    now: datetime,
    kind: MemoryKind | None,
    memory_id: int | None = None,
) -> None:
    """Write down what was done for a user, in the transaction that does it; robots have none."""
    if scope.kind == "user":
        activity_rows.note(
            workspace.db, action, scope_id=scope_id, kind=kind, memory_id=memory_id, at=now
        )


def note_change(
    workspace: Workspace, action: Action, memory: Memory, *, scope_id: int, now: datetime
) -> None:
    """Write down that one of a user's memories was added, changed or taken out of use."""
    note(
        workspace,
        action,
        memory.scope,
        scope_id=scope_id,
        now=now,
        kind=memory.kind,
        memory_id=memory.id,
    )


def note_search(workspace: Workspace, query: Query, *, found_scopes: int) -> None:
    """Remember that a user searched; it is written in the background.

    Somebody of whom nothing is known does not become known by asking; only the user who is always
    there does.
    """
    users = [scope for scope in query.scopes if scope.kind == "user"]
    if len(users) != 1 or not (found_scopes or users[0] == DEFAULT_USER):
        return
    asked = [condition.value for condition in query.filter.conditions if condition.path == KIND]
    kinds = cast("tuple[MemoryKind, ...]", asked[0]) if asked else ()
    kind = kinds[0] if len(kinds) == 1 else None
    workspace.accesses.note_search(Searched(users[0], kind, workspace.clock()))
