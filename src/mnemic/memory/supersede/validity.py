"""Supersede: what a newer memory says ends what older ones said. Nothing is deleted, and the end
is an event that `undo` takes back.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from mnemic.memory.texts.derivation import check_text
from mnemic.memory.workspace import Workspace
from mnemic.records.memory import Event, Memory
from mnemic.storage.rows import edge_rows, memory_rows

RELATION: Final = "supersedes"
_REASON: Final = "a newer memory says what holds now"


def supersede(
    workspace: Workspace, new_id: int, old_ids: Sequence[int], *, reason: str = _REASON
) -> list[Memory]:
    """Let a memory end older ones of its scope; return those that it ended.

    What is out of use, ended already, of another scope, or happened after the newer one is left as
    it is, and so is a number that is no memory's: whoever guesses does no harm.
    """
    check_text("reason", reason)
    wanted = [number for number in dict.fromkeys(old_ids) if number != new_id]

    def change() -> list[Memory]:
        newer = workspace.to_change(new_id)
        there = [workspace.to_change(number) for number in _known(workspace, wanted)]
        return end(workspace, newer, there, reason=reason, now=workspace.clock())

    return workspace.db.write(change)


def end(
    workspace: Workspace, newer: Memory, older: Iterable[Memory], *, reason: str, now: datetime
) -> list[Memory]:
    """Do the same inside a writing transaction that holds the scope."""
    return [
        _end(workspace, newer, memory, reason=reason, now=now)
        for memory in older
        if may_end(newer, memory)
    ]


def may_end(newer: Memory, older: Memory) -> bool:
    """Tell whether one memory can be what ends another at all."""
    return (
        newer.scope == older.scope
        and newer.status == older.status == "active"
        and older.valid_until is None
        and newer.superseded_by != older.id
        and older.occurred_at <= newer.occurred_at
    )


def reinstate(workspace: Workspace, memory: Memory, ended: Event, *, now: datetime) -> None:
    """Make a memory current again by taking back the event that ended it; call it inside a writing
    transaction that holds the scope.
    """
    _, scope_id = memory_rows.document_of(workspace.db, memory.id)
    if memory.superseded_by is not None:
        edge_rows.unlink(workspace.db, memory.superseded_by, memory.id, RELATION)
    memory_rows.set_end(workspace.db, memory.id, valid_until=None, superseded_by=None)
    workspace.journal(
        "restored",
        scope_id=scope_id,
        memory_id=memory.id,
        at=now,
        before=ended.after,
        after={"valid_until": None, "superseded_by": None, "undoes": ended.id},
    )


def is_end(event: Event) -> bool:
    """Tell whether an event ended a memory, which stays in use as what was true before."""
    return event.verb == "superseded" and "superseded_by" in (event.after or {})


def _end(
    workspace: Workspace, newer: Memory, older: Memory, *, reason: str, now: datetime
) -> Memory:
    _, scope_id = memory_rows.document_of(workspace.db, older.id)
    until = newer.occurred_at
    memory_rows.set_end(workspace.db, older.id, valid_until=until, superseded_by=newer.id)
    edge_rows.link(workspace.db, newer.id, older.id, RELATION, now=now)
    workspace.journal(
        "superseded",
        scope_id=scope_id,
        memory_id=older.id,
        at=now,
        before={"valid_until": None, "superseded_by": None},
        after={
            "valid_until": until.isoformat(),
            "superseded_by": newer.id,
            "reason": reason,
        },
    )
    return workspace.existing(older.id)


def _known(workspace: Workspace, numbers: Iterable[int]) -> list[int]:
    return [number for number in numbers if memory_rows.get(workspace.db, number) is not None]
