"""Items as the storage layer gets them, in as few words as tests need."""

from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import uuid4

from mnemic.items import Item
from mnemic.records import Scope
from mnemic.storage import documents, items, memories, scopes
from mnemic.storage.database import Database
from mnemic.storage.documents import NewDocument, Traits
from mnemic.storage.items import Card
from mnemic.storage.memories import NewMemory, Wording
from mnemic.storage.search import Trait
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
            documents.retire(db, one.doc, scope_id=one.scope_id)
        items.purge(db, cards)

    db.write(write)


def _stored(db: Database, new: Card, now: datetime) -> Card:
    scope_id = scopes.hold(db, new.item.scope, now=now)
    traits = Traits(speaker=None, said_at=now, traits=Trait(0), telling=1, own_terms=1)
    [doc] = documents.add(db, [NewDocument({"text": 1}, scope_id, None, traits, None)])
    text = new.item.content
    wording = Wording(text, text, bytes(32), "observation", False, 1.0, (), (), {})
    memory = NewMemory(wording, doc, scope_id, new.item.type, None, None)
    [number] = memories.insert(db, [memory], now=now)
    made = replace(new, doc=doc, scope_id=scope_id, item=replace(new.item, memory_id=number))
    items.put(db, [made])
    return made
