"""History and undo: reads of the journal, and one write that is itself in the journal."""

from typing import Final

from mnemic.errors import StateError
from mnemic.memory.revise import document_of, rewrite
from mnemic.memory.supersede.validity import is_end, reinstate
from mnemic.memory.texts.derivation import compose, told_late
from mnemic.memory.workspace import Workspace
from mnemic.records.memory import Event, Memory
from mnemic.storage.rows import event_rows

_UNDOABLE: Final = frozenset({"revised", "forgotten", "superseded"})


def history(workspace: Workspace, memory_id: int) -> list[Event]:
    """Return everything that happened to a memory, oldest first."""
    workspace.existing(memory_id)
    return event_rows.of_memory(workspace.db, memory_id)


def undo(workspace: Workspace, memory_id: int) -> Memory:
    """Bring back the version before the last change; again, and it goes further back."""
    change = _last_change(workspace, memory_id)
    if is_end(change):
        return _make_current(workspace, memory_id, change)
    version = change.before or {}
    now = workspace.clock()
    with workspace.call():
        said = compose(
            version["content"],
            version["context"],
            category=version["category"],
            confidence=version["confidence"],
        )
    found_by = document_of(workspace, workspace.existing(memory_id), said.wording)

    def bring_back() -> Memory:
        memory = _to_undo(workspace, memory_id, change)
        rewrite(
            workspace,
            memory,
            said.wording,
            found_by,
            now=now,
            verb="restored",
            note={"undoes": change.id},
        )
        return workspace.existing(memory_id)

    restored = workspace.db.write(bring_back)
    if said.late is not None:
        raise told_late(said.late, [memory_id])
    return restored


def _make_current(workspace: Workspace, memory_id: int, change: Event) -> Memory:
    """Take back that a newer memory ended this one."""

    def bring_back() -> Memory:
        memory = _to_undo(workspace, memory_id, change)
        reinstate(workspace, memory, change, now=workspace.clock())
        return workspace.existing(memory_id)

    return workspace.db.write(bring_back)


def _to_undo(workspace: Workspace, memory_id: int, change: Event) -> Memory:
    """Return a memory as it is while this transaction lasts, if the change is still its last."""
    memory = workspace.to_change(memory_id)
    if _last_change(workspace, memory_id).id != change.id:
        raise StateError(f"Memory {memory_id} was changed meanwhile. Look at it, then retry.")
    return memory


def _last_change(workspace: Workspace, memory_id: int) -> Event:
    undone: set[object] = set()
    for event in reversed(history(workspace, memory_id)):
        if event.verb == "restored" and event.after:
            undone.add(event.after["undoes"])
        elif event.verb in _UNDOABLE and event.id not in undone:
            return event
    raise StateError(f"Memory {memory_id} has no change that could be undone.")
