"""Read memories by their number, page by page, or count them."""

from collections.abc import Collection

from mnemic.memory.workspace import Workspace
from mnemic.records.filters import EVERYTHING, Filter
from mnemic.records.memory import (
    DEFAULT_SCOPE,
    Memory,
    MemoryKind,
    MemoryStatus,
    Payload,
    Scope,
)
from mnemic.storage.rows import memory_rows, payload_rows, tally_rows


def get(workspace: Workspace, memory_id: int) -> Memory:
    """Return one memory, whatever its status."""
    workspace.accesses.flush()
    return workspace.existing(memory_id)


def payload(workspace: Workspace, memory_id: int) -> Payload | None:
    """Return what a sensor delivered with a memory, byte for byte."""
    workspace.existing(memory_id)
    return payload_rows.get(workspace.db, memory_id)


def browse(
    workspace: Workspace,
    scope: Scope = DEFAULT_SCOPE,
    *,
    status: MemoryStatus | None = "active",
    category: str | None = None,
    filter: Filter | None = None,
    limit: int = 50,
    before_id: int | None = None,
) -> list[Memory]:
    """Return a page of memories, newest first; the next page starts before the last id."""
    scope_ids = workspace.scope_ids((scope,))
    if not scope_ids:
        return []
    return memory_rows.listed(
        workspace.db,
        scope_ids[0],
        status=status,
        category=category,
        chosen=filter or EVERYTHING,
        limit=limit,
        before_id=memory_rows.NEWEST if before_id is None else before_id,
        moment=workspace.clock() if status == "active" else None,
    )


def count(
    workspace: Workspace,
    scope: Scope = DEFAULT_SCOPE,
    *,
    kinds: Collection[MemoryKind] | None = None,
) -> int:
    """Return how many memories of a scope are in use, or of some kinds of them."""
    return sum(
        tally.memories
        for scope_id in workspace.scope_ids((scope,))
        for kind, tally in tally_rows.of_scope(
            workspace.db, scope_id, now=workspace.clock()
        ).items()
        if kinds is None or kind in kinds
    )
