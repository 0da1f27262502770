"""Revise and forget: a memory changes or goes out of use, and its old version is kept."""

from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from mnemic.errors import InvalidInputError, StateError
from mnemic.memory.texts.derivation import check_text, compose, told_late
from mnemic.memory.texts.embedding import embed_wording
from mnemic.memory.texts.passage_documents import found_by, with_vectors
from mnemic.memory.user_activity import note_change
from mnemic.memory.workspace import Workspace
from mnemic.records.memory import Context, Memory, MemoryStatus, Verb
from mnemic.storage.rows import document_rows, memory_rows, tally_rows
from mnemic.storage.rows.document_rows import NewDocument
from mnemic.storage.rows.memory_rows import DerivedText


@dataclass(frozen=True, slots=True)
class Revised:
    """A memory before and after its revision."""

    before: Memory
    after: Memory


def revise(
    workspace: Workspace, memory_id: int, content: str, *, context: Context | None = None
) -> Revised:
    """Give a memory a new text, and a new context where one is given; the old version stays in the
    history.

    Category, confidence, tags, files, summary, hash, search entry and vector follow the text.
    """
    before = _active(workspace.existing(memory_id))
    now = workspace.clock()
    with workspace.call():
        said = compose(content, before.context if context is None else context)
    found = document_of(workspace, before, said.wording)

    def change() -> Revised:
        before = _active(workspace.to_change(memory_id))
        rewrite(workspace, before, said.wording, found, now=now, verb="revised")
        return Revised(before, workspace.existing(memory_id))

    revised = workspace.db.write(change)
    if said.late is not None:
        raise told_late(said.late, [memory_id])
    return revised


def document_of(workspace: Workspace, before: Memory, wording: DerivedText) -> NewDocument:
    """Return under what a memory is found with a new wording; its scope is still to be given."""
    vectors = embed_wording(workspace, before, wording)
    found = found_by(
        wording.content, wording.context, thread=before.episode_id, at=before.occurred_at
    )
    return with_vectors(found, vectors)


def rewrite(
    workspace: Workspace,
    before: Memory,
    wording: DerivedText,
    found: NewDocument,
    *,
    now: datetime,
    verb: Verb,
    note: dict[str, Any] | None = None,
) -> None:
    """Replace a memory's wording and its search entry; call it inside a writing transaction."""
    doc, scope_id = memory_rows.document_of(workspace.db, before.id)
    document_rows.retire(workspace.db, doc, scope_id=scope_id)
    [fresh] = document_rows.add(workspace.db, [replace(found, scope_id=scope_id)])
    memory_rows.revise(workspace.db, before.id, wording, doc=fresh, now=now)
    revived = before.status != "active"
    tally_rows.change(workspace.db, {(scope_id, before.kind): int(revived)}, now=now)
    note_change(workspace, "update", before, scope_id=scope_id, now=now)
    after = workspace.existing(before.id)
    workspace.journal(
        verb,
        scope_id=scope_id,
        memory_id=before.id,
        at=now,
        before=version_of(before),
        after=version_of(after) | (note or {}),
    )


def forget(workspace: Workspace, memory_id: int, *, reason: str) -> Memory:
    """Take a memory out of use; it stays readable, and `undo` brings it back."""
    if not reason.strip():
        raise InvalidInputError("reason", "it is empty", "why this memory is wrong, in words")
    check_text("reason", reason)
    now = workspace.clock()

    def change() -> Memory:
        before = _active(workspace.to_change(memory_id))
        retire(workspace, before, "invalidated", "forgotten", reason=reason, now=now)
        return workspace.existing(memory_id)

    return workspace.db.write(change)


def retire(
    workspace: Workspace,
    before: Memory,
    status: MemoryStatus,
    verb: Verb,
    *,
    reason: str,
    now: datetime,
    by_hand: bool = True,
) -> None:
    """Take a memory out of use and out of search; call it inside a writing transaction.

    Where nobody asked for it, it is none of a user's activities.
    """
    doc, scope_id = memory_rows.document_of(workspace.db, before.id)
    memory_rows.set_status(workspace.db, before.id, status, reason=reason, now=now)
    document_rows.retire(workspace.db, doc, scope_id=scope_id)
    tally_rows.change(workspace.db, {(scope_id, before.kind): -1}, now=now)
    if by_hand:
        note_change(workspace, "delete", before, scope_id=scope_id, now=now)
    workspace.journal(
        verb,
        scope_id=scope_id,
        memory_id=before.id,
        at=now,
        before=version_of(before),
        after={"status": status, "reason": reason},
    )


def version_of(memory: Memory) -> dict[str, Any]:
    """Return the parts of a memory that a change can replace, as the journal keeps them."""
    kept = asdict(memory)
    names = ("status", "content", "context", "category", "confidence", "tags", "scope_files")
    return {name: kept[name] for name in names}


def _active(memory: Memory) -> Memory:
    if memory.status != "active":
        raise StateError(
            f"Memory {memory.id} is {memory.status} ({memory.status_reason}). "
            "Bring it back with undo first, or learn it anew.",
            memory_id=memory.id,
            status=memory.status,
        )
    return memory
