"""What a person deletes or changes of the memory of a branch, and what follows for the rest of it.

Everything here is called inside a writing transaction that holds the scopes.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from mnemic.chat.item_writes import Holder
from mnemic.chat.projection.branch_reading import BranchChange
from mnemic.chat.projection.entries import FoldEntry, entry_from
from mnemic.chat.projection.replay import follow, step_at
from mnemic.chat.projection.tracks import Track, branch_of_scope
from mnemic.memory.workspace import Workspace
from mnemic.records.memory import Scope
from mnemic.storage.chat_rows import item_rows
from mnemic.storage.chat_rows.item_rows import Card
from mnemic.storage.chat_rows.session_rows import TurnOnPath


def branch_changes(
    workspace: Workspace, holder: Holder, changed: Iterable[tuple[Card, Card | None]]
) -> list[tuple[Track, BranchChange]]:
    """Return what the changes of a person are to branches: items as they are stored, and as they
    are to be, None for those that are to go. Ask before they are written, and `follow` afterwards.
    """
    of_scopes: dict[Scope, dict[str, Card | None]] = {}
    for before, after in changed:
        if before.item.scope.kind == "branch" and _matters(before, after):
            of_scopes.setdefault(before.item.scope, {})[before.item.id] = after
    tracks = {scope: branch_of_scope(workspace, scope) for scope in sorted(of_scopes, key=str)}
    return [
        (track, _change(workspace, holder, track, of_scopes[scope]))
        for scope, track in tracks.items()
        if track is not None
    ]


def follow_all(
    workspace: Workspace, holder: Holder, changes: Iterable[tuple[Track, BranchChange]]
) -> None:
    """Make the memory of branches what follows from changes that are written."""
    for track, change in changes:
        follow(workspace, holder, track, change)


def _matters(before: Card, after: Card | None) -> bool:
    """Tell whether turns may have been read with it in mind."""
    if before.item.type == "summary":
        return after is None and before.origin is not None and before.turn_id is not None
    return after is None or _told(before) != _told(after)


def _told(card: Card) -> tuple[object, ...]:
    item = card.item
    return item.content, item.fact_key, item.in_use, item.type, item.scope


def _change(
    workspace: Workspace, holder: Holder, track: Track, after: Mapping[str, Card | None]
) -> BranchChange:
    lives = item_rows.along(
        workspace.db, holder.number(track.scope), track.place, ids=sorted(after)
    )
    turns: dict[int, TurnOnPath | None] = {}
    by_hand: list[tuple[FoldEntry, FoldEntry | None]] = []
    struck: dict[str, datetime] = {}
    for life in lives:
        former, card = entry_from(life), after[life.card.item.id]
        if card is not None:
            there = card.item.scope == track.scope
            # Whoever decides that it is in use or not takes that from the turn that decided before.
            died = life.died if card.displaced_by == life.card.displaced_by else None
            changed = entry_from(replace(life, card=card, died=died))
            by_hand.append((former, changed if there else None))
        elif former.origin is None:
            by_hand.append((former, None))
        else:
            struck[former.uid] = holder.now
            if former.born is not None:
                turns[former.born] = step_at(workspace, track, former.born)
    return BranchChange(turns, struck, tuple(by_hand))
