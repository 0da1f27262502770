"""What goes with an item of a chat, or with a session: turns, branches, and what they told beyond.

Everything here is called inside a writing transaction.
"""

import json
from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Final

from mnemic.chat import item_writes
from mnemic.chat.extraction.extraction import Extraction
from mnemic.chat.item_writes import Holder, resting
from mnemic.chat.projection.branch_reading import BranchChange
from mnemic.chat.projection.by_hand import branch_changes, follow_all
from mnemic.chat.projection.replay import follow, step_at
from mnemic.chat.projection.stored_extraction import to_stored
from mnemic.chat.projection.tracks import Track
from mnemic.chat.projection.widening import narrow
from mnemic.chat.said_passages import drop_said
from mnemic.memory.ids import name_of
from mnemic.memory.workspace import Workspace
from mnemic.records.conversation import branch_scope, chat_scope
from mnemic.records.item import ItemFilter
from mnemic.records.memory import Scope
from mnemic.storage.chat_rows import item_rows, session_rows
from mnemic.storage.chat_rows.item_rows import Card
from mnemic.storage.chat_rows.session_rows import Address
from mnemic.storage.rows import erasure_rows

# Not the rules: a turn without words is not to be read again.
_NOTHING_FOUND: Final = Extraction(summary="", extractor="erased")


def erase_item(workspace: Workspace, uid: str) -> Counter[str]:
    """Erase an item of a chat: with the turn that it was made from, in every branch, or with the
    copies that forks have of what was written by hand.
    """
    card = item_rows.get(workspace.db, [uid])[uid]
    home = None if card.turn_id is None else erasure_rows.home_of(workspace.db, card.turn_id)
    if card.turn_id is None or home is None:
        return _erase_by_hand(workspace, card)
    counts = _erase_turn(workspace, Address(*home), card.turn_id)
    left = item_rows.get(workspace.db, [uid])
    return counts + (_erase_by_hand(workspace, left[uid]) if uid in left else Counter())


def _erase_turn(workspace: Workspace, session: Address, turn_id: str) -> Counter[str]:
    """Put marks in the place of what was said in a turn; what followed from it is gone, and what
    followed from more than that is made anew.
    """
    db, now = workspace.db, workspace.moment()
    places = session_rows.places_of(db, turn_id)
    tracks = [Track(session, branch_id) for branch_id in places]
    holder = item_writes.hold(workspace, [track.scope for track in tracks], now=now)
    before = _items_of(workspace, holder, tracks, turn_id)
    counts = _redact(workspace, session, turn_id, now)
    narrow(workspace, holder, [turn_id])
    for track in tracks:
        number = places[track.branch_id]
        change = BranchChange({number: step_at(workspace, track, number)})
        follow(workspace, holder, track, change)
    gone = before - _items_of(workspace, holder, tracks, turn_id)
    counts["items"] += len(gone)
    counts["memories"] += len(gone)
    return counts


def _redact(workspace: Workspace, session: Address, turn_id: str, now: datetime) -> Counter[str]:
    """Redact every version of a turn, and make a new one active: a job that has read the one
    before would else write what it found there.
    """
    db = workspace.db
    counts = erasure_rows.redact_turns(db, [turn_id], extraction=None)
    floor = session_rows.floor(db, session, turn_id)
    if floor is not None:
        said = [(line.id or name_of(workspace.new_id()), line) for line in floor.lines]
        session_rows.add_version(db, turn_id, floor.versions, said, now=now)
        found = to_stored(_NOTHING_FOUND)
        session_rows.keep_extraction(db, turn_id, floor.versions, found)
    drop_said(workspace, session.id, [turn_id])
    return counts


def _items_of(
    workspace: Workspace, holder: Holder, tracks: Sequence[Track], turn_id: str
) -> set[str]:
    """Return what may go with a turn: what was made of it, and of all turns of its branches."""
    db = workspace.db
    found = {card.item.id for card in item_rows.of_turn(db, turn_id)}
    for track in tracks:
        found |= {card.item.id for card in item_rows.projected(db, holder.number(track.scope))}
    return found


def _erase_by_hand(workspace: Workspace, card: Card) -> Counter[str]:
    db, now = workspace.db, workspace.moment()
    holder = item_writes.hold(workspace, [card.item.scope], now=now)
    gone = [card, *_copies(workspace, card)]
    holder = item_writes.hold(workspace, [one.item.scope for one in gone], now=now)
    changes = branch_changes(workspace, holder, [(one, None) for one in gone])
    made = [(one.scope_id, one.item.id, one.origin) for one in gone if one.origin is not None]
    item_rows.strike(db, made, now=now)
    item_writes.remove(workspace, holder, gone)
    follow_all(workspace, holder, changes)
    return Counter({"items": len(gone), "memories": len(gone)})


def _copies(workspace: Workspace, card: Card) -> list[Card]:
    """Return the copies of an item that forks were given: they know its moment, too."""
    if card.item.scope.kind != "branch" or card.origin is not None:
        return []
    of_moment = ItemFilter(
        scope_kind="branch", created_from=card.item.created_at, created_to=card.item.created_at
    )
    session = session_of(card.item.scope)
    return [
        other
        for other in item_rows.every(workspace.db, item_rows.selection(of_moment, scope_ids=None))
        if other.item.id != card.item.id
        and other.item.content == card.item.content
        and session is not None
        and session_of(other.item.scope) == session
    ]


def clear_session(workspace: Workspace, session_id: str) -> list[Scope]:
    """Take back what a session told beyond itself; return the scopes that go with it, also those
    of branches that were deleted before.
    """
    db = workspace.db
    holder = item_writes.hold(workspace, [chat_scope(session_id)], now=workspace.moment())
    session = Address(holder.number(chat_scope(session_id)), session_id)
    turn_ids = set(session_rows.turn_ids(db, session))
    narrow(workspace, holder, sorted(turn_ids))
    there = erasure_rows.scopes_of_account(db)
    own = {scope for scope in there if _is_of_session(scope, session_id, turn_ids)}
    rests = {resting(scope) for scope in own}
    return [scope for scope in there if scope in own or scope in rests]


def _is_of_session(scope: Scope, session_id: str, turn_ids: Collection[str]) -> bool:
    match scope.kind:
        case "chat" | "said":
            return scope.name == session_id
        case "floor":
            return scope.name in turn_ids
        case "branch":
            return session_of(scope) == session_id
        case _:
            return False


def session_of(scope: Scope) -> str | None:
    """Return the session whose branch a scope is; apps may give other names to branches."""
    try:
        named = json.loads(scope.name)
    except ValueError:
        return None
    match named:
        case [str(session_id), str(branch_id)]:
            return session_id if branch_scope(session_id, branch_id) == scope else None
        case _:
            return None
