"""Making the store say what a projection says: what is new, what changed, what is gone.

Everything here is called inside a writing transaction that holds the scopes.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Final

from mnemic.chat import item_writes
from mnemic.chat.extraction.extraction import RULES
from mnemic.chat.item_writes import Holder
from mnemic.chat.projection.entries import FoldEntry
from mnemic.chat.projection.taking import Link
from mnemic.memory.ids import name_of
from mnemic.memory.workspace import Workspace
from mnemic.records.item import Item
from mnemic.records.memory import Scope
from mnemic.storage.chat_rows.item_rows import Card
from mnemic.storage.rows import edge_rows
from mnemic.storage.rows.edge_rows import Link as KeptLink

_SURE_BY_RULES: Final = 0.8
_SURE_BY_MODEL: Final = 0.9
# What a turn decides of an item; the rest of one that was written by hand is its author's.
_DECIDED: Final = ("status", "lifecycle", "note")
_MADE: Final = (
    *_DECIDED,
    *("content", "importance", "tokens", "coverage_start", "coverage_end", "derived_from"),
)


def settle(
    workspace: Workspace,
    holder: Holder,
    scope: Scope,
    entries: Iterable[FoldEntry],
    before: Mapping[str, Card],
    *,
    job_id: str | None,
) -> dict[str, Card]:
    """Add and change items so that they are what the entries say; return all of them.

    Summaries that are only planned have no text yet and are left out.
    """
    wanted = [one for one in entries if one.content]
    after = dict(before)
    new = [_new_card(scope, one, job_id) for one in wanted if one.uid not in before]
    for card in item_writes.add(workspace, holder, new):
        after[card.item.id] = card
    for one in wanted:
        card = before.get(one.uid)
        if card is not None:
            changed = _changed(card, one, holder.now)
            if changed is not None:
                after[one.uid] = item_writes.change(workspace, holder, card, changed)
    return after


def withdraw(workspace: Workspace, holder: Holder, gone: Iterable[Card]) -> None:
    """Delete items that no turn says any more."""
    item_writes.remove(workspace, holder, list(gone))


def relate(
    workspace: Workspace,
    links: Iterable[Link],
    after: Mapping[str, Card],
    *,
    now: datetime,
    instead_of: Collection[str] = (),
) -> None:
    """Relate items as the projection says; what turns said before of those that are named no
    longer holds. Relations that somebody made by hand stay.
    """
    numbers = {uid: card.item.memory_id for uid, card in after.items()}
    wanted = {
        KeptLink(numbers[one], numbers[other], relation)
        for one, other, relation in links
        if one in numbers and other in numbers
    }
    if instead_of:
        made = [numbers[uid] for uid in instead_of if uid in numbers]
        there = edge_rows.beginning_at(workspace.db, made)
        stale = [
            (number, link)
            for link, (number, uid) in there.items()
            if link not in wanted and uid == edge_name(link)
        ]
        edge_rows.drop(workspace.db, stale)
        wanted -= there.keys()
    ordered = sorted(wanted, key=lambda one: (one.from_id, one.to_id, one.relation))
    edge_rows.add_all(workspace.db, [(link, edge_name(link)) for link in ordered], now=now)


def edge_name(link: KeptLink) -> str:
    """Return the name of a relation that a turn made: it follows from what it relates."""
    return name_of("edge", str(link.from_id), str(link.to_id), link.relation)


def _new_card(scope: Scope, entry: FoldEntry, job_id: str | None) -> Card:
    item = Item(
        id=entry.uid,
        memory_id=0,
        scope=scope,
        type=entry.type,
        content=entry.content,
        tier=entry.tier,
        fact_key=entry.key,
        importance=entry.importance,
        confidence=_SURE_BY_RULES if entry.extractor == RULES else _SURE_BY_MODEL,
        source_floor_id=entry.turn_id,
        source_job_id=job_id,
        status=entry.status,
        lifecycle=entry.lifecycle,
        tokens=entry.tokens,
        coverage_start=entry.coverage_start,
        coverage_end=entry.coverage_end,
        derived_from=entry.derived_from,
        extractor=entry.extractor,
        note=entry.note,
        created_at=entry.at,
        updated_at=entry.at,
    )
    return Card(
        item=item,
        doc=0,
        scope_id=0,
        origin=entry.origin,
        turn_id=entry.turn_id,
        version=entry.version,
        displaced_by=entry.displaced_by,
    )


def _changed(card: Card, entry: FoldEntry, now: datetime) -> Card | None:
    """Return a card as the entry has it; None where nothing is different."""
    names = _DECIDED if card.origin is None or card.edited else _MADE
    item = card.item
    values = {name: getattr(entry, name) for name in names}
    if entry.displaced_by == card.displaced_by and all(
        getattr(item, name) == value for name, value in values.items()
    ):
        if entry.mentioned_at is None or entry.mentioned_at <= item.updated_at:
            return None
        return replace(card, item=replace(item, updated_at=entry.mentioned_at))
    # When a person changed it stays known: turns before that may still take it out of use.
    changed = replace(item, **values, updated_at=item.updated_at if card.edited else now)
    return replace(card, item=changed, displaced_by=entry.displaced_by)
