"""What expired by itself is hidden at once by every read; here it is taken out of use for good."""

from collections.abc import Iterator, Sequence

from mnemic.memory.remember import hold_scopes
from mnemic.memory.revise import retire
from mnemic.memory.workspace import Workspace
from mnemic.records.memory import Memory
from mnemic.storage.rows import expired_rows, memory_rows


def end_overdue(workspace: Workspace) -> Iterator[int]:
    """Take out of use what expired; yield after each short transaction how much that was."""
    for ids in expired_rows.overdue(workspace.db, now=workspace.clock()):

        def write(ids: list[int] = ids) -> int:
            return _end(workspace, ids)

        yield workspace.db.write(write)


def overdue(workspace: Workspace) -> int:
    """Return how much would be taken out of use."""
    return expired_rows.count_overdue(workspace.db, now=workspace.clock())


def _end(workspace: Workspace, ids: Sequence[int]) -> int:
    now = workspace.clock()
    memories = [memory for number in ids if (memory := memory_rows.get(workspace.db, number))]
    hold_scopes(workspace, [memory.scope for memory in memories], now)
    # Read again under the scope locks.
    held = [memory_rows.get(workspace.db, memory.id) for memory in memories]
    ended = [
        memory
        for memory in held
        if memory is not None and memory.status == "active" and is_over(memory, workspace)
    ]
    for memory in ended:
        reason = "expired"
        retire(workspace, memory, "invalidated", "forgotten", reason=reason, now=now, by_hand=False)
    return len(ended)


def is_over(memory: Memory, workspace: Workspace) -> bool:
    """Tell whether a memory has expired by now."""
    return memory.expires_at is not None and memory.expires_at <= workspace.clock()
