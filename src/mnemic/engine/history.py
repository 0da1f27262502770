"""History and undo: reads of the journal, and one write that is itself in the journal."""

from typing import Final

from mnemic.engine.embedding import embed_texts, text_to_embed
from mnemic.engine.revise import rewrite
from mnemic.engine.wording import compose
from mnemic.engine.workspace import Workspace
from mnemic.errors import StateError
from mnemic.records import Event, Memory
from mnemic.storage import events

_UNDOABLE: Final = frozenset({"revised", "forgotten", "superseded"})


def history(workspace: Workspace, memory_id: int) -> list[Event]:
    """Return everything that happened to a memory, oldest first."""
    workspace.existing(memory_id)
    return events.of_memory(workspace.db, memory_id)


def undo(workspace: Workspace, memory_id: int) -> Memory:
    """Bring back the version before the last change that was not undone yet.

    Called again, it goes one change further back.
    """
    change = _last_change(workspace, memory_id)
    version = change.before or {}
    wording = compose(
        version["content"],
        version["context"],
        category=version["category"],
        confidence=version["confidence"],
    )
    memory = workspace.existing(memory_id)
    [embedded] = embed_texts(workspace, [text_to_embed(workspace, memory, wording)])
    now = workspace.clock()

    def bring_back() -> Memory:
        memory = workspace.to_change(memory_id)
        if _last_change(workspace, memory_id).id != change.id:
            raise StateError(f"Memory {memory_id} was changed meanwhile. Look at it, then retry.")
        rewrite(
            workspace,
            memory,
            wording,
            embedded,
            now=now,
            verb="restored",
            note={"undoes": change.id},
        )
        return workspace.existing(memory_id)

    return workspace.db.write(bring_back)


def _last_change(workspace: Workspace, memory_id: int) -> Event:
    undone: set[object] = set()
    for event in reversed(history(workspace, memory_id)):
        if event.verb == "restored" and event.after:
            undone.add(event.after["undoes"])
        elif event.verb in _UNDOABLE and event.id not in undone:
            return event
    raise StateError(f"Memory {memory_id} has no change that could be undone.")
