"""Writing items: the memory, what search knows of it and what a chat keeps of it, in one step.

Everything here is called inside a writing transaction that holds the scopes; where long texts may
be written, inside of `deriving.write`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from mnemic.language.bounds import READ_OF_MEMORY
from mnemic.language.infer import summary
from mnemic.memory.texts.derivation import hash_of
from mnemic.memory.texts.passage_documents import found_by
from mnemic.memory.unlocked_work import derive
from mnemic.memory.workspace import Workspace
from mnemic.records.item import Item
from mnemic.records.memory import Scope, Verb
from mnemic.storage.chat_rows import item_rows, scope_state_rows
from mnemic.storage.chat_rows.item_rows import Card
from mnemic.storage.rows import document_rows, event_rows, memory_rows, scope_rows, tally_rows
from mnemic.storage.rows.document_rows import NewDocument
from mnemic.storage.rows.memory_rows import DerivedText, NewMemoryRow

_CATEGORY: Final = "observation"
# To end a transaction costs more than to take such a text apart, as all are that turns make.
_SHORT: Final = 2_000
_RESTS: Final = "A chat no longer uses it."
# What the journal keeps of an item before and after a change.
_JOURNALLED: Final = (
    *("content", "type", "tier", "fact_key", "importance", "confidence", "status", "lifecycle"),
    *("pinned", "source_floor_id", "source_message_id"),
)


@dataclass(slots=True)
class Holder:
    """The numbers of the scopes of one transaction, each held once, and of the places where their
    texts rest.
    """

    workspace: Workspace
    now: datetime
    held: dict[Scope, int]

    def number(self, scope: Scope) -> int:
        """Return a scope's number; until the transaction's end nobody else changes it."""
        if scope not in self.held:
            self.held[scope] = scope_rows.hold(self.workspace.db, scope, now=self.now)
        return self.held[scope]

    def searched(self, item: Item) -> int:
        """Return the scope in which search keeps an item's text."""
        own = self.number(item.scope)
        return own if item.in_use else self.number(resting(item.scope))


def resting(scope: Scope) -> Scope:
    """Return where search keeps the texts of a scope's items that are not in use."""
    return Scope("resting", f"{scope.kind}/{scope.name}")


def hold(workspace: Workspace, wanted: Iterable[Scope], *, now: datetime) -> Holder:
    """Hold scopes, always in the same order, so that two writers never wait for each other."""
    holder = Holder(workspace, now, {})
    for scope in sorted(set(wanted), key=lambda scope: (scope.kind, scope.name)):
        holder.number(scope)
    return holder


def add(
    workspace: Workspace, holder: Holder, new: Sequence[Card], *, copied: bool = False
) -> list[Card]:
    """Store new items, whose numbers are still to be given, and return them with these. Of those
    that are `copied` from others, the documents tell how they are found.
    """
    if not new:
        return []
    db, now = workspace.db, holder.now
    if copied:
        docs = document_rows.copy(db, [(card.doc, holder.searched(card.item)) for card in new])
    else:
        docs = document_rows.add(db, [_document(holder, card.item) for card in new])
    rows = [
        NewMemoryRow(
            wording=_wording(card.item),
            doc=doc,
            scope_id=holder.number(card.item.scope),
            kind=card.item.type,
            episode_id=None,
            perception_type=None,
        )
        for card, doc in zip(new, docs, strict=True)
    ]
    ids = memory_rows.insert(db, rows, now=now)
    cards = [
        replace(card, doc=doc, scope_id=row.scope_id, item=replace(card.item, memory_id=number))
        for card, doc, row, number in zip(new, docs, rows, ids, strict=True)
    ]
    item_rows.put(db, cards)
    for card in cards:
        if not card.item.in_use:
            memory_rows.set_status(db, card.item.memory_id, "invalidated", reason=_RESTS, now=now)
    created = [(card.scope_id, card.item.memory_id, now) for card in cards]
    event_rows.record_created(db, created, actor=workspace.settings.actor)
    _note_changes(workspace, cards, (), now)
    return cards


def change(
    workspace: Workspace, holder: Holder, before: Card, after: Card, *, verb: Verb = "revised"
) -> Card:
    """Make an item what `after` says; its memory, its search entry and the tallies follow."""
    db, now, item = workspace.db, holder.now, after.item
    after = replace(after, scope_id=holder.number(item.scope))
    if _is_found_elsewhere(before.item, item):
        document_rows.retire(db, before.doc, scope_id=holder.searched(before.item))
        [doc] = document_rows.add(db, [_document(holder, item)])
        after = replace(after, doc=doc)
    item_rows.follow(db, after, _wording(item), in_use=item.in_use, reason=_RESTS, now=now)
    item_rows.put(db, [after], before=[before])
    workspace.journal(
        verb,
        scope_id=after.scope_id,
        memory_id=item.memory_id,
        at=now,
        before=_version(before.item),
        after=_version(item),
    )
    _note_changes(workspace, [after], [before], now)
    return after


def remove(workspace: Workspace, holder: Holder, gone: Sequence[Card]) -> None:
    """Delete items. The journal keeps that it happened, not what they said."""
    if not gone:
        return
    for card in gone:
        document_rows.retire(workspace.db, card.doc, scope_id=holder.searched(card.item))
    item_rows.purge(workspace.db, gone)
    for scope_id, count in sorted(Counter(card.scope_id for card in gone).items()):
        workspace.journal(
            "deleted", scope_id=scope_id, memory_id=None, at=holder.now, after={"items": count}
        )
    _note_changes(workspace, (), gone, holder.now)


def _document(holder: Holder, item: Item) -> NewDocument:
    told = (item.content, item.created_at)
    is_short = len(item.content) <= _SHORT
    [found] = _found_by([told]) if is_short else derive("document", _found_by, [told])
    return replace(found, scope_id=holder.searched(item))


def _found_by(told: Sequence[tuple[str, datetime]]) -> list[NewDocument]:
    """Return under what texts of some times are found; their scopes are still to be given."""
    return [found_by(content, {}, thread=None, at=at) for content, at in told]


def _wording(item: Item) -> DerivedText:
    return DerivedText(
        content=item.content,
        summary=summary(item.content[:READ_OF_MEMORY]),
        content_hash=hash_of(item.content),
        category=_CATEGORY,
        protected=False,
        confidence=item.confidence,
        tags=(),
        scope_files=(),
        context={},
    )


def _is_found_elsewhere(before: Item, after: Item) -> bool:
    return (before.content, before.scope, before.type, before.in_use) != (
        after.content,
        after.scope,
        after.type,
        after.in_use,
    )


def _note_changes(
    workspace: Workspace, after: Sequence[Card], before: Sequence[Card], now: datetime
) -> None:
    """Count the memories in use, and that their scopes are no longer what they were."""
    counts: Counter[tuple[int, Any]] = Counter()
    for sign, cards in ((1, after), (-1, before)):
        for card in cards:
            counts[card.scope_id, card.item.type] += sign * card.item.in_use
    tally_rows.change(workspace.db, counts, now=now)
    for scope_id in sorted({card.scope_id for card in (*after, *before)}):
        scope_state_rows.grow(workspace.db, scope_id, now=now)


def _version(item: Item) -> Mapping[str, Any]:
    kept = {name: getattr(item, name) for name in _JOURNALLED}
    return {**kept, "scope": item.scope.kind, "scope_id": item.scope.name}
