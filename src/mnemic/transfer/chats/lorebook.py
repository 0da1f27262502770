"""Books of lore: SillyTavern's World Info and the character books of cards.

An entry becomes a fact of its entity: `eldoria.lore`. It begins with the keys that call it, and is
pinned where it is constant. On the way out the facts of an entity become one entry.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mnemic.engine.chat_verbs import ChatMemory
from mnemic.errors import InvalidInputError
from mnemic.language.tokens import normalise
from mnemic.records.item import Item, ItemFilter, NewItem, Paging
from mnemic.records.memory import Scope
from mnemic.runtime.patterns import linear
from mnemic.transfer.foreign.foreign_fields import as_list, as_object
from mnemic.transfer.foreign.foreign_files import Looks
from mnemic.transfer.foreign.import_reports import ImportReport, Skipped

FORMS: Final = ("world-info", "character-book")
GLOBAL: Final = Scope("global", "global")
_LORE: Final = "lore"
_USUAL: Final = 0.6
_ORDER: Final = 100
_NO_NAME: Final = linear(r"[^\w]+")
_PAGE: Final = 100


@dataclass(frozen=True, slots=True)
class LoreEntry:
    """What is told where one of its keys is said, or, if `constant`, always."""

    name: str
    keys: tuple[str, ...]
    content: str
    constant: bool = False
    enabled: bool = True

    @property
    def entity(self) -> str:
        """What it tells of, as keys of facts are written."""
        name = self.name or (self.keys[0] if self.keys else "world")
        return _NO_NAME.sub("_", normalise(name)).strip("_")[:200] or "world"

    @property
    def text(self) -> str:
        """The keys and what is told, as one text."""
        return f"{', '.join(self.keys)}: {self.content}" if self.keys else self.content


def recognises(looks: Looks) -> bool:
    """Tell whether a file is a book of lore, or a card that holds one."""
    return _book(looks) is not None


def import_book(memory: ChatMemory, looks: Looks, scope: Scope = GLOBAL) -> ImportReport:
    """Take in a book of lore; what the scope knows already is left as it is."""
    entries: list[LoreEntry] = []
    skipped: list[Skipped] = []
    for where, value in _values(_book(looks) or {}):
        entry = _entry(value)
        if entry is None:
            skipped.append(Skipped(where, "it has no content"))
        else:
            entries.append(entry)
    there = {(item.fact_key, item.content) for item in _facts(memory, scope)}
    added = 0
    for entry in entries:
        key = f"{entry.entity}.{_LORE}"
        if (key, entry.text) not in there:
            there.add((key, entry.text))
            memory.create_item(_item(entry, scope, key))
            added += 1
    return ImportReport(
        format=FORMS[0],
        read=len(entries) + len(skipped),
        added=added,
        known=len(entries) - added,
        skipped=tuple(skipped),
        edges=0,
        episodes=0,
    )


def export_book(memory: ChatMemory, form: str, scope: Scope = GLOBAL) -> dict[str, Any]:
    """Return the facts of a scope as a book of lore, one of `FORMS`, those of an entity in one
    entry.
    """
    if form not in FORMS:
        raise InvalidInputError("as", repr(form), ", ".join(FORMS))
    entries = list(_entries(_facts(memory, scope)))
    if form == "character-book":
        return {"name": scope.name, "extensions": {}, "entries": _card_entries(entries)}
    return {"entries": {str(at): _world_entry(at, one) for at, one in enumerate(entries)}}


def _book(looks: Looks) -> Mapping[str, Any] | None:
    held = as_object(looks.document if looks.kind == "document" else next(iter(looks.first), None))
    for book in (held, as_object(as_object(held.get("data")).get("character_book"))):
        entries = book.get("entries")
        listed = list(as_object(entries).values()) or as_list(entries)
        if any({"key", "keys", "constant"} & as_object(one).keys() for one in listed[:1]):
            return book
    return None


def _values(book: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    entries = book.get("entries")
    named = as_object(entries) or {str(at): one for at, one in enumerate(as_list(entries))}
    for name, value in named.items():
        yield f"entry {name}", as_object(value)


def _entry(value: Mapping[str, Any]) -> LoreEntry | None:
    content = value.get("content")
    if not isinstance(content, str) or not content.strip():
        return None
    keys = [*as_list(value.get("key", value.get("keys")))]
    names = (value.get("comment"), value.get("name"))
    return LoreEntry(
        name=next((one.strip() for one in names if isinstance(one, str) and one.strip()), ""),
        keys=tuple(one.strip() for one in keys if isinstance(one, str) and one.strip()),
        content=content.strip(),
        constant=bool(value.get("constant")),
        enabled=not value.get("disable", not value.get("enabled", True)),
    )


def _item(entry: LoreEntry, scope: Scope, key: str) -> NewItem:
    return NewItem(
        scope=scope,
        type="fact",
        content=entry.text,
        fact_key=key,
        importance=1.0 if entry.constant else _USUAL,
        status="active" if entry.enabled else "deprecated",
        pinned=entry.constant,
    )


def _facts(memory: ChatMemory, scope: Scope) -> list[Item]:
    """Return the facts of a scope that have a key, as they were made."""
    wanted = ItemFilter(scope_kind=scope.kind, scope_name=scope.name, type="fact")  # pyright: ignore[reportArgumentType]
    found: list[Item] = []
    while True:
        paging = Paging(order="asc", limit=_PAGE, offset=len(found))
        page = memory.items(wanted, paging)
        found += page.rows
        if len(found) >= page.total or not page.rows:
            return [item for item in found if item.fact_key is not None]


def _entries(facts: Sequence[Item]) -> Iterator[LoreEntry]:
    """Return what came from a book as it was, and of other entities all facts that hold."""
    others: dict[str, list[Item]] = {}
    for item in facts:
        entity, _, told = (item.fact_key or "").partition(".")
        if told == _LORE:
            yield _told(entity, item)
        elif item.in_use:
            others.setdefault(entity, []).append(item)
    for entity, items in others.items():
        yield LoreEntry(
            name=entity,
            keys=(entity,),
            content="\n".join(item.content for item in items),
            constant=any(item.pinned for item in items),
        )


def _told(entity: str, item: Item) -> LoreEntry:
    head, colon, rest = item.content.partition(": ")
    keys = tuple(head.split(", ")) if colon and "\n" not in head else ()
    return LoreEntry(
        name=entity,
        keys=keys,
        content=rest if keys else item.content,
        constant=item.pinned,
        enabled=item.status == "active",
    )


def _card_entries(entries: Sequence[LoreEntry]) -> list[dict[str, Any]]:
    return [
        {
            "id": at,
            "keys": list(one.keys),
            "secondary_keys": [],
            "name": one.name,
            "comment": one.name,
            "content": one.content,
            "constant": one.constant,
            "selective": False,
            "enabled": one.enabled,
            "insertion_order": _ORDER,
            "position": "before_char",
            "case_sensitive": False,
            "extensions": {},
        }
        for at, one in enumerate(entries)
    ]


def _world_entry(at: int, entry: LoreEntry) -> dict[str, Any]:
    return {
        "uid": at,
        "key": list(entry.keys),
        "keysecondary": [],
        "comment": entry.name,
        "content": entry.content,
        "constant": entry.constant,
        "selective": False,
        "order": _ORDER,
        "position": 0,
        "disable": not entry.enabled,
    }
