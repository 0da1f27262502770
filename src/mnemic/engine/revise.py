"""Revise and forget: a memory changes or goes out of use, and its old version is kept."""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from mnemic.engine.activity import note_change
from mnemic.engine.embedding import embed_texts, new_document, text_to_embed
from mnemic.engine.wording import check_text, compose
from mnemic.engine.workspace import Workspace
from mnemic.errors import InvalidInputError, StateError
from mnemic.records import Context, Memory, MemoryStatus, Verb
from mnemic.storage import documents, memories, tally
from mnemic.storage.documents import Embedded
from mnemic.storage.memories import Wording
from mnemic.text.tokens import index_terms


@dataclass(frozen=True, slots=True)
class Revised:
    """A memory before and after its revision."""

    before: Memory
    after: Memory


def revise(
    workspace: Workspace, memory_id: int, content: str, *, context: Context | None = None
) -> Revised:
    """Give a memory a new text, and a new context where one is given.

    Category, confidence, tags, files, summary, hash, search entry and vector follow the text.
    """
    before = _active(workspace.existing(memory_id))
    wording = compose(content, before.context if context is None else context)
    [embedded] = embed_texts(workspace, [text_to_embed(workspace, before, wording)])
    now = workspace.clock()

    def change() -> Revised:
        before = _active(workspace.to_change(memory_id))
        rewrite(workspace, before, wording, embedded, now=now, verb="revised")
        return Revised(before, workspace.existing(memory_id))

    return workspace.db.write(change)


def rewrite(
    workspace: Workspace,
    before: Memory,
    wording: Wording,
    embedded: Embedded | None,
    *,
    now: datetime,
    verb: Verb,
    note: dict[str, Any] | None = None,
) -> None:
    """Replace a memory's wording and its search entry; call it inside a writing transaction."""
    doc, scope_id = memories.document_of(workspace.db, before.id)
    documents.retire(workspace.db, doc, scope_id=scope_id)
    document = new_document(
        wording,
        index_terms(wording.content),
        scope_id=scope_id,
        episode_id=before.episode_id,
        embedded=embedded,
        now=now,
    )
    [fresh] = documents.add(workspace.db, [document])
    memories.revise(workspace.db, before.id, wording, doc=fresh, now=now)
    revived = before.status != "active"
    tally.change(workspace.db, {(scope_id, before.kind): int(revived)}, now=now)
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
    """Take a memory out of use; it stays readable in the history, with the reason."""
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
) -> None:
    """Take a memory out of use and out of search; call it inside a writing transaction."""
    doc, scope_id = memories.document_of(workspace.db, before.id)
    memories.set_status(workspace.db, before.id, status, reason=reason, now=now)
    documents.retire(workspace.db, doc, scope_id=scope_id)
    tally.change(workspace.db, {(scope_id, before.kind): -1}, now=now)
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
