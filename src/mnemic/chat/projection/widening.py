"""What turns say beyond their branch: facts of a session or of everybody, and of single floors.

Several branches may tell such things, so they follow from the turns themselves, not from a branch:
under each key the newest turn's value holds, and what it displaced comes back when it goes.
Everything here is called inside a writing transaction.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from mnemic.chat import item_writes
from mnemic.chat.item_writes import Holder
from mnemic.chat.projection.entries import FoldEntry, origin_of, uid_of
from mnemic.chat.projection.settle import relate, settle
from mnemic.chat.projection.taking import BY_HAND, REPLACED, Link
from mnemic.chat.projection.told import Wide
from mnemic.language.token_counts import token_estimate
from mnemic.memory.workspace import Workspace
from mnemic.records.conversation import chat_scope
from mnemic.records.item import CHAT_SCOPES, ItemFilter
from mnemic.records.memory import Scope
from mnemic.storage.chat_rows import item_rows
from mnemic.storage.chat_rows.item_rows import Card
from mnemic.storage.selections import Selection, Where

GLOBAL: Final = Scope("global", "global")


def widen(
    workspace: Workspace, holder: Holder, session_id: str, told: Iterable[Wide], *, job_id: str
) -> None:
    """Apply what a turn says beyond its branch; what was applied before is not applied again."""
    for one in told:
        if one.fact is not None:
            scope = _scope(one.fact.scope, session_id, one.said.turn_id)
            entry = _fact(one, scope, one.fact.key, one.fact.value, one.fact.importance)
            _tell(workspace, holder, scope, entry, job_id)
        elif one.target is not None:
            _act(workspace, holder, one, one.target, job_id)


def narrow(
    workspace: Workspace, holder: Holder, turn_ids: Sequence[str], *, version: int | None = None
) -> None:
    """Take back what turns said beyond their branches, except for one version of them."""
    for turn_id in turn_ids:
        said = [card for card in item_rows.of_turn(workspace.db, turn_id) if _is_wide(card)]
        gone = [card for card in said if card.version != version]
        keys = {(card.item.scope, card.item.fact_key) for card in gone}
        item_writes.remove(workspace, holder, gone)
        for card in _displaced_by(workspace, turn_id):
            _restore(workspace, holder, card)
            keys.add((card.item.scope, card.item.fact_key))
        for scope, key in sorted(keys, key=str):
            if key is not None:
                _settle_key(workspace, holder, scope, key)


def _scope(kind: str, session_id: str, turn_id: str) -> Scope:
    match kind:
        case "chat":
            return chat_scope(session_id)
        case "floor":
            return Scope("floor", turn_id)
        case _:
            return GLOBAL


def _fact(one: Wide, scope: Scope, key: str | None, value: str, importance: float) -> FoldEntry:
    said = one.said
    text = value if key is None else f"{key}: {value}"
    origin = origin_of(said.turn_id, said.version, "fact", text)
    return FoldEntry(
        uid=uid_of(scope, origin),
        type="fact",
        content=text,
        at=said.said_at,
        origin=origin,
        turn_id=said.turn_id,
        version=said.version,
        key=key,
        importance=importance,
        tokens=token_estimate(text),
        extractor=one.extractor,
    )


def _tell(
    workspace: Workspace, holder: Holder, scope: Scope, entry: FoldEntry, job_id: str
) -> Card | None:
    if entry.uid in item_rows.struck(workspace.db, holder.number(scope)):
        return None
    before = item_rows.get(workspace.db, [entry.uid])
    if not before:
        before = settle(workspace, holder, scope, [entry], before, job_id=job_id)
    if entry.key is not None:
        _settle_key(workspace, holder, scope, entry.key)
    return before[entry.uid]


def _act(workspace: Workspace, holder: Holder, one: Wide, target: str, job_id: str) -> None:
    """Do to an item of a wider scope what a turn says: give it a new value, or end it."""
    card = item_rows.get(workspace.db, [target]).get(target)
    if card is None or not _is_wide(card) or not card.item.in_use or card.edited:
        return
    item = card.item
    if one.value is not None and item.type == "fact":
        entry = _fact(one, item.scope, item.fact_key, one.value, item.importance)
        told = _tell(workspace, holder, item.scope, entry, job_id)
        if item.fact_key is None and told is not None:
            _displace(workspace, holder, card, one.said.turn_id, REPLACED)
            links: list[Link] = [
                (told.item.id, item.id, "updates"),
                (told.item.id, item.id, "contradicts"),
            ]
            both = {told.item.id: told, item.id: card}
            relate(workspace, links, both, now=holder.now)
    elif one.note is not None:
        _displace(workspace, holder, card, one.said.turn_id, one.note)


def _displace(
    workspace: Workspace, holder: Holder, card: Card, turn_id: str | None, note: str
) -> None:
    item = replace(
        card.item, status="deprecated", lifecycle="deprecated", note=note, updated_at=holder.now
    )
    item_writes.change(workspace, holder, card, replace(card, item=item, displaced_by=turn_id))


def _restore(workspace: Workspace, holder: Holder, card: Card) -> None:
    """Take an item back into use: the turn that displaced it is gone, or no longer says so."""
    item = replace(card.item, status="active", lifecycle="active", note=None, updated_at=holder.now)
    item_writes.change(workspace, holder, card, replace(card, item=item, displaced_by=None))


def _settle_key(workspace: Workspace, holder: Holder, scope: Scope, key: str) -> None:
    """Let the newest value that a turn told hold, and all before it give way."""
    chosen = item_rows.selection(ItemFilter(fact_key=key), scope_ids=(holder.number(scope),))
    held = sorted(
        (card for card in item_rows.every(workspace.db, chosen) if _takes_part(card)),
        key=lambda card: (card.item.created_at, card.item.id),
    )
    last = max((at for at, card in enumerate(held) if card.origin is not None), default=-1)
    for at, card in enumerate(held):
        if at < last and card.item.in_use and not card.edited:
            _displace(workspace, holder, card, held[last].turn_id, REPLACED)
        elif at >= last and card.displaced_by not in (None, BY_HAND):
            _restore(workspace, holder, card)
    if last > 0:
        winner, loser = held[last].item, held[last - 1].item
        links: list[Link] = [(winner.id, loser.id, "updates")]
        if winner.content.casefold() != loser.content.casefold():
            links.append((winner.id, loser.id, "contradicts"))
        both = {card.item.id: card for card in held}
        relate(workspace, links, both, now=holder.now)


def _takes_part(card: Card) -> bool:
    return card.item.in_use or (card.displaced_by is not None and card.item.note == REPLACED)


def _displaced_by(workspace: Workspace, turn_id: str) -> list[Card]:
    # Only the account's own items are displaced by a turn of it.
    there = Selection((Where("i.displaced_by", "=", turn_id),), narrow=True)
    return [card for card in item_rows.every(workspace.db, there) if _is_wide(card)]


def _is_wide(card: Card) -> bool:
    return card.item.scope.kind in CHAT_SCOPES and card.item.scope.kind != "branch"
