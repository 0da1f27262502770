"""Items as the storage layer gets them, in as few words as tests need."""

from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import uuid4

from mnemic.records.item import Item
from mnemic.records.memory import Scope
from mnemic.search.index_queries import Trait
from mnemic.storage.chat_rows import item_rows
from mnemic.storage.chat_rows.item_rows import Card
from mnemic.storage.database import Database
from mnemic.storage.rows import document_rows, memory_rows, scope_rows
from mnemic.storage.rows.document_rows import NewDocument, Traits
from mnemic.storage.rows.memory_rows import DerivedText, NewMemoryRow
from tests.conftest import NOON

CHAT = Scope("chat", "one")


def card(scope: Scope = CHAT, *, id: str | None = None, **given: Any) -> Card:
    """Return an item that is not stored yet; what a card knows besides is given with the rest."""
    of_card = {
        name: given.pop(name)
        for name in ("origin", "turn_id", "version", "displaced_by")
        if name in given
    }
    values: dict[str, Any] = {
        "type": "fact",
        "content": "a text",
        "tokens": 2,
        "created_at": NOON,
        "updated_at": NOON,
        **given,
    }
    item = Item(id=id or uuid4().hex, memory_id=0, scope=scope, **values)
    return Card(item=item, doc=0, scope_id=0, **of_card)


def store(db: Database, *cards: Card, now: datetime = NOON) -> list[Card]:
    """Store new items with the memories and documents that they need."""
    return db.write(lambda: [_stored(db, one, now) for one in cards])


def purge(db: Database, *cards: Card) -> None:
    """Delete items for good."""

    def write() -> None:
        for one in cards:
            document_rows.retire(db, one.doc, scope_id=one.scope_id)
        item_rows.purge(db, cards)

    db.write(write)


def _stored(db: Database, new: Card, now: datetime) -> Card:
    scope_id = scope_rows.hold(db, new.item.scope, now=now)
    traits = Traits(speaker=None, said_at=now, traits=Trait(0), telling=1, own_terms=1)
    [doc] = document_rows.add(db, [NewDocument({"text": 1}, scope_id, None, traits, None)])
    text = new.item.content
    wording = DerivedText(text, text, bytes(32), "observation", False, 1.0, (), (), {})
    memory = NewMemoryRow(wording, doc, scope_id, new.item.type, None, None)
    [number] = memory_rows.insert(db, [memory], now=now)
    made = replace(new, doc=doc, scope_id=scope_id, item=replace(new.item, memory_id=number))
    item_rows.put(db, [made])
    return made
