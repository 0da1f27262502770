"""The memory of a fork: what its trunk remembered at the fork, as its own.

Everything here is called inside a writing transaction that holds both scopes.
"""

from dataclasses import replace
from datetime import datetime

from mnemic.chat import item_writes
from mnemic.chat.item_writes import Holder
from mnemic.chat.jobs.enqueue import enqueue_ingest
from mnemic.chat.projection.arranging import Arrangement
from mnemic.chat.projection.entries import uid_of
from mnemic.chat.projection.settle import edge_name
from mnemic.chat.projection.taking import BY_HAND
from mnemic.chat.projection.tracks import Track
from mnemic.chat.projection.windows import is_window
from mnemic.memory.ids import name_of
from mnemic.memory.workspace import Workspace
from mnemic.records.item import ItemFilter
from mnemic.storage.chat_rows import item_rows, scope_state_rows, session_rows
from mnemic.storage.chat_rows.item_rows import Card, Life
from mnemic.storage.chat_rows.session_rows import TurnOnPath
from mnemic.storage.rows import edge_rows
from mnemic.storage.rows.edge_rows import Link


def inherit(
    workspace: Workspace,
    holder: Holder,
    trunk: Track,
    fork: Track,
    *,
    forked_at: int | None,
    salt: str,
) -> None:
    """Give a fork the memory of its trunk, as it was at the fork. Copies of what was written by
    hand get names that `salt` decides.
    """
    fork_id = holder.number(fork.scope)
    scope_state_rows.grow(workspace.db, fork_id, now=holder.now)
    steps = session_rows.path(workspace.db, fork.session, fork.branch_id)
    lives = _lives(workspace, holder, trunk, steps)
    beyond = session_rows.path(
        workspace.db,
        trunk.session,
        trunk.branch_id,
        first=0 if forked_at is None else forked_at + 1,
    )
    until = beyond[0].added_at if beyond else None
    floor = -1 if forked_at is None else forked_at
    copies = {
        life.card.item.id: _copy(life, fork, floor, salt)
        for life in lives
        if _is_before(life, floor, until)
    }
    floors = _free(workspace, holder, trunk, copies)
    made = item_writes.add(workspace, holder, list(copies.values()), copied=True)
    numbers = {
        lives_card: card.item.memory_id for lives_card, card in zip(copies, made, strict=True)
    }
    _relate(workspace, holder, lives, numbers)
    _strike(workspace, holder, trunk, fork)
    _enqueue(workspace, fork, steps, holder.now)
    last = session_rows.last_read(workspace.db, fork.session, fork.branch_id)
    scope_state_rows.processed(workspace.db, fork_id, last, now=holder.now)
    Arrangement(workspace, holder, fork).arrange({*floors, *([] if last is None else [last])})


def _lives(
    workspace: Workspace, holder: Holder, trunk: Track, steps: list[TurnOnPath]
) -> list[Life]:
    """Return what the turns of a fork made in its trunk, what was written there by hand, and the
    larger summaries.
    """
    scope_id = holder.number(trunk.scope)
    turn_ids = [step.turn_id for step in steps]
    lives = item_rows.along(workspace.db, scope_id, trunk.place, turn_ids=turn_ids)
    found = {life.card.item.id: life for life in lives}
    chosen = item_rows.selection(ItemFilter(), scope_ids=(scope_id,))
    rest = [
        card
        for card in item_rows.every(workspace.db, chosen)
        if card.item.id not in found and (card.origin is None or is_window(card.origin))
    ]
    found |= {card.item.id: Life(card, None, None) for card in rest}
    return sorted(found.values(), key=lambda life: (life.card.item.created_at, life.card.item.id))


def _is_before(life: Life, floor: int, until: datetime | None) -> bool:
    """Tell whether something was there at the fork."""
    card = life.card
    if card.origin is None:
        held = card.item.in_use or card.displaced_by is not None
        return held and (until is None or card.item.created_at < until)
    if is_window(card.origin):
        end = card.item.coverage_end
        return end is not None and end <= floor
    return life.born is not None and life.born <= floor


def _copy(life: Life, fork: Track, floor: int, salt: str) -> Card:
    """Return an item as the fork has it: what a later turn took out of use is in use."""
    card = life.card
    uid = name_of(salt, card.item.id) if card.origin is None else uid_of(fork.scope, card.origin)
    item = replace(card.item, id=uid, scope=fork.scope, used_at=None, source_job_id=None)
    is_later = life.died is not None and life.died > floor
    is_elsewhere = card.displaced_by not in (None, BY_HAND) and life.died is None
    if is_later or (is_elsewhere and not is_window(card.displaced_by)):
        item = replace(item, status="active", lifecycle="active", note=None)
        return replace(card, item=item, displaced_by=None)
    return replace(card, item=item)


def _free(workspace: Workspace, holder: Holder, trunk: Track, copies: dict[str, Card]) -> list[int]:
    """Free what a window had taken in that the fork does not have; return its floors."""
    struck = item_rows.struck(workspace.db, holder.number(trunk.scope))
    origins = {card.origin for card in copies.values()}
    # A window with sources by hand is another one: these have other names.
    named = {card.displaced_by for card in copies.values() if card.origin is None}
    floors: list[int] = []
    for uid, card in list(copies.items()):
        origin = card.displaced_by
        if not is_window(origin) or origin is None:
            continue
        if origin in named or (origin not in origins and uid_of(trunk.scope, origin) not in struck):
            item = card.item
            if item.lifecycle == "compacted":
                item = replace(item, lifecycle="active")
            copies[uid] = replace(card, item=item, displaced_by=None)
            floors += [] if item.coverage_start is None else [item.coverage_start]
    for uid, card in list(copies.items()):
        if card.origin in named and is_window(card.origin):
            del copies[uid]
    return floors


def _relate(
    workspace: Workspace, holder: Holder, lives: list[Life], numbers: dict[str, int]
) -> None:
    """Relate what was copied as it is related in the trunk."""
    there = {
        life.card.item.memory_id: numbers[life.card.item.id]
        for life in lives
        if life.card.item.id in numbers
    }
    copied = [
        Link(there[link.from_id], there[link.to_id], link.relation)
        for link, (_, uid) in edge_rows.beginning_at(workspace.db, there).items()
        if uid == edge_name(link) and link.to_id in there
    ]
    named = [(link, edge_name(link)) for link in copied]
    edge_rows.add_all(workspace.db, named, now=holder.now)


def _strike(workspace: Workspace, holder: Holder, trunk: Track, fork: Track) -> None:
    """Keep away from a fork what was deleted by hand from its trunk."""
    fork_id = holder.number(fork.scope)
    for origin, at in item_rows.struck_origins(workspace.db, holder.number(trunk.scope)):
        uid = uid_of(fork.scope, origin)
        item_rows.strike(workspace.db, [(fork_id, uid, origin)], now=at)


def _enqueue(workspace: Workspace, fork: Track, steps: list[TurnOnPath], now: datetime) -> None:
    for step in steps:
        if not step.is_read:
            enqueue_ingest(
                workspace,
                fork.scope,
                session_id=fork.session.id,
                branch_id=fork.branch_id,
                turn_id=step.turn_id,
                version=step.version,
                number=step.number,
                now=now,
            )
