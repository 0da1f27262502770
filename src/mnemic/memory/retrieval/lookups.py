"""Read memories by their number, page by page, or count them."""

from collections.abc import Collection
from datetime import datetime

from mnemic.memory.retrieval.currency import as_it_was
from mnemic.memory.texts.derivation import check_aware
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
    as_of: datetime | None = None,
) -> list[Memory]:
    """Return a page of memories, newest first; the next page starts before the last id. `as_of`
    asks for the state at that time.
    """
    check_aware("as_of", as_of)
    scope_ids = workspace.scope_ids((scope,))
    if not scope_ids:
        return []
    page = memory_rows.listed(
        workspace.db,
        scope_ids[0],
        status=status,
        category=category,
        chosen=filter or EVERYTHING,
        limit=limit,
        before_id=memory_rows.NEWEST if before_id is None else before_id,
        moment=(as_of or workspace.clock()) if status == "active" else None,
        as_of=as_of,
    )
    return page if as_of is None else [as_it_was(workspace, memory, as_of) for memory in page]


def count(
    workspace: Workspace,
    scope: Scope = DEFAULT_SCOPE,
    *,
    kinds: Collection[MemoryKind] | None = None,
    as_of: datetime | None = None,
) -> int:
    """Return how many memories of a scope are in use, or of some kinds of them. `as_of` asks how
    many it were at that time.
    """
    check_aware("as_of", as_of)
    db, now = workspace.db, workspace.clock()
    tallies = [
        tally_rows.of_scope(db, number, now=now)
        if as_of is None
        else tally_rows.at(db, number, as_of)
        for number in workspace.scope_ids((scope,))
    ]
    return sum(
        tally.memories
        for tally_by_kind in tallies
        for kind, tally in tally_by_kind.items()
        if kinds is None or kind in kinds
    )
