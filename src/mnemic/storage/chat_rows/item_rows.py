"""Item rows: what a chat keeps of a memory, its lists, and what they come to."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from mnemic.records.item import ITEM_TYPES, Item, ItemFilter, Paging
from mnemic.records.memory import Scope
from mnemic.storage.chat_rows import item_tally_rows
from mnemic.storage.database import Database, Row
from mnemic.storage.rows.memory_rows import DerivedText
from mnemic.storage.selections import Operator, Selection, Where
from mnemic.storage.timestamps import from_micros, to_micros

_ALL: Final = 2**62
_MANY: Final = 1_000_000
NEWEST_FIRST: Final = Paging()
MOST_IMPORTANT: Final = Paging(sort="importance")
_TIMES: Final = ("created_at", "updated_at")
_EQUALS: Final = {
    "scope_kind": "i.scope_kind",
    "type": "i.kind",
    "tier": "i.tier",
    "status": "i.status",
    "lifecycle": "i.lifecycle",
    "fact_key": "i.fact_key",
    "source_floor_id": "i.floor_id",
    "source_message_id": "i.message_id",
}
# Few items ever have one of these in common, and an index leads to them.
_INDEXED: Final = ("fact_key", "source_floor_id", "source_message_id")
# The columns of the index by sort, with all their values.
_SORTS: Final[dict[str, list[str]]] = {
    "i.kind": list(ITEM_TYPES),
    "i.status": ["active", "deprecated"],
    "i.lifecycle": ["active", "compacted", "deprecated"],
}
_RANGES: Final[dict[str, tuple[str, Operator]]] = {
    "created_from": ("i.created_at", ">="),
    "created_to": ("i.created_at", "<="),
    "updated_from": ("i.updated_at", ">="),
    "updated_to": ("i.updated_at", "<="),
    "importance_min": ("i.importance", ">="),
    "importance_max": ("i.importance", "<="),
    "confidence_min": ("i.confidence", ">="),
    "confidence_max": ("i.confidence", "<="),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """An item, and what only the engine knows of it: its document and scope, the version of a
    turn that it was made from, whether and since when a person keeps it another way, when a person
    last said whether it is in use, and which turn took it out of use. What has no `origin` was
    written by hand.
    """

    item: Item
    doc: int
    scope_id: int
    origin: str | None = None
    turn_id: str | None = None
    version: int | None = None
    edited: bool = False
    edited_at: datetime | None = None
    decided_at: datetime | None = None
    displaced_by: str | None = None


@dataclass(frozen=True, slots=True)
class Life:
    """An item of a branch, and the floors of the turns that made it and took it out of use."""

    card: Card
    born: int | None
    died: int | None


def put(db: Database, cards: Sequence[Card], *, before: Sequence[Card] = ()) -> None:
    """Write items as they are now; `before` are the same ones as they were, where they were
    there. The tallies follow.
    """
    db.many("item_put", [_values(card) for card in cards])
    item_tally_rows.change(db, _placed(cards), _placed(before))


def follow(
    db: Database, card: Card, wording: DerivedText, *, in_use: bool, reason: str, now: datetime
) -> None:
    """Make the memory behind an item what the item says."""
    db.run(
        "memory_of_item",
        memory_id=card.item.memory_id,
        doc=card.doc,
        scope_id=card.scope_id,
        kind=card.item.type,
        status="active" if in_use else "invalidated",
        content=wording.content,
        summary=wording.summary,
        content_hash=wording.content_hash,
        confidence=wording.confidence,
        reason=None if in_use else reason,
        status_at=None if in_use else to_micros(now),
        now=to_micros(now),
    )


def purge(db: Database, cards: Sequence[Card]) -> None:
    """Delete items, with their memories, history and relations. Their documents must be
    retired before.
    """
    ids = [card.item.memory_id for card in cards]
    db.run("memories_reinstate", ids=ids)
    for name in ("edges_purge", "events_purge", "sources_purge", "items_purge", "memories_purge"):
        db.run(name, ids=ids)
    item_tally_rows.change(db, (), _placed(cards))


def strike(db: Database, gone: Iterable[tuple[int, str, str | None]], *, now: datetime) -> None:
    """Remember that items which were made from turns were deleted by hand, given by the numbers
    of their scopes, their ids and what they were made of.
    """
    at = to_micros(now)
    rows = [
        {"scope_id": scope_id, "uid": uid, "origin": origin, "now": at}
        for scope_id, uid, origin in gone
    ]
    if rows:
        db.many("struck_add", rows)


def struck(db: Database, scope_id: int) -> dict[str, datetime]:
    """Return the ids of what was deleted by hand and must not come back, and when that was."""
    rows = db.all("struck_of_scope", scope_id=scope_id)
    return {row["uid"]: from_micros(row["struck_at"]) for row in rows}


def struck_origins(db: Database, scope_id: int) -> list[tuple[str, datetime]]:
    """Return of what items were made that were deleted by hand, and when that was."""
    rows = db.all("struck_of_scope", scope_id=scope_id)
    return [(row["origin"], from_micros(row["struck_at"])) for row in rows if row["origin"]]


def get(db: Database, ids: Sequence[str]) -> dict[str, Card]:
    """Return the account's items with these ids; those that are not there are left out."""
    return {row["uid"]: card_of(row) for row in db.all("items_get", uids=list(ids))}


def is_item(db: Database, memory_id: int) -> bool:
    """Tell whether a memory of the account is an item."""
    return count(db, Selection((Where("i.memory_id", "=", memory_id),), narrow=True)) > 0


def pinned(db: Database, scope_ids: Sequence[int]) -> list[Card]:
    """Return what is pinned in some scopes, whatever its importance."""
    return [card_of(row) for row in db.all("items_pinned", scope_ids=list(scope_ids))]


def by_docs(db: Database, docs: Iterable[int]) -> dict[int, Card]:
    """Return the items behind documents; memories that are no items are left out."""
    return {row["doc"]: card_of(row) for row in db.all("items_by_docs", docs=list(docs))}


def texts(db: Database, docs: Sequence[int]) -> dict[int, str]:
    """Return just the texts behind documents, in use or not."""
    return {row["doc"]: row["content"] for row in db.all("item_texts", docs=list(docs))}


def projected(db: Database, scope_id: int) -> list[Card]:
    """Return what was made from the turns of a scope, and what a turn there took out of use."""
    return [card_of(row) for row in db.all("items_projected", scope_id=scope_id)]


def along(
    db: Database,
    scope_id: int,
    place: Mapping[str, object],
    *,
    turn_ids: Sequence[str] = (),
    ids: Sequence[str] = (),
    kinds: Sequence[str] = ITEM_TYPES,
    number: int = 0,
) -> list[Life]:
    """Return what turns made or took out of use in the scope of a branch, and what has some ids: of
    some kinds, and as far as no turn before a floor took it out of use. `place` names the branch.
    """
    given: dict[str, object] = {"turn_ids": list(turn_ids), "uids": list(ids)}
    given |= {"kinds": list(kinds), "number": number, "scope_id": scope_id}
    return [_life(row) for row in db.all("items_along", **place, **given)]


def held(
    db: Database, scope_id: int, place: Mapping[str, object], *, keys: Sequence[str], number: int
) -> list[Life]:
    """Return the facts under some keys that are in use in a branch just before a floor."""
    given = {"keys": list(keys), "number": number, "scope_id": scope_id}
    return [_life(row) for row in db.all("items_held", **place, **given)]


def by_hand(
    db: Database,
    scope_id: int,
    place: Mapping[str, object],
    *,
    since: datetime,
    until: datetime,
    most: int,
) -> list[Life]:
    """Return the newest facts and loops of a branch that were written by hand in a time."""
    time = {"since": to_micros(since), "until": to_micros(until), "most": most}
    return [_life(row) for row in db.all("items_by_hand", **place, **time, scope_id=scope_id)]


def of_turn(db: Database, turn_id: str) -> list[Card]:
    """Return what was made from a turn, in whichever scope."""
    return [card_of(row) for row in db.all("items_of_turn", turn_id=turn_id)]


def note_use(db: Database, ids: Sequence[str], *, now: datetime) -> None:
    """Write down that items were injected."""
    db.run("items_used", uids=list(ids), now=to_micros(now))


def page(
    db: Database, chosen: Selection, paging: Paging, *, total: int = _MANY, held: int = _MANY
) -> list[Card]:
    """Return a page of the items that were chosen: `total` of them, out of `held`. Without these
    numbers it is taken for likely that most of what is there was chosen.
    """
    # Walking in order meets one of them in every `held / total` items; else each is looked at.
    walked = (paging.offset + paging.limit) * held
    is_few = chosen.way == "gather" or total * total <= walked
    reached = _gathered(chosen) if is_few else replace(chosen, way="walk")
    # The later of two times that are alike is told by which was written later.
    ties = paging.order if paging.sort in _TIMES else "asc"
    ordered = reached.sorted_by(f"i.{paging.sort}", paging.order, ties=ties)
    rows = db.all("items_page", filter=ordered, limit=paging.limit, offset=paging.offset)
    rows.sort(key=lambda row: row["memory_id"], reverse=ties == "desc")
    rows.sort(key=lambda row: row[paging.sort], reverse=paging.order == "desc")
    return [card_of(row) for row in rows]


def every(db: Database, chosen: Selection) -> list[Card]:
    """Return all items that were chosen, in no order."""
    return [card_of(row) for row in db.all("items_page", filter=chosen, limit=_ALL, offset=0)]


def count(db: Database, chosen: Selection) -> int:
    """Return how many items were chosen, by counting them."""
    return db.only("items_count", filter=chosen)["items"]


def scope_ids_of(db: Database, chosen: Selection) -> set[int]:
    """Return the scopes in which items that were chosen are."""
    return {row["scope_id"] for row in db.all("items_scopes", filter=chosen)}


def selection(
    wanted: ItemFilter, *, scope_ids: Sequence[int] | None, docs: Sequence[int] | None = None
) -> Selection:
    """Return the rows that a filter means: in these scopes, if any are given, and behind these
    documents. What is sought by words must come as documents.
    """
    conditions: list[Where] = []
    if docs is not None:
        conditions.append(Where("i.doc", "in", list(docs)))
    elif scope_ids is not None:
        one = len(scope_ids) == 1
        conditions.append(
            Where("i.scope_id", "=" if one else "in", scope_ids[0] if one else list(scope_ids))
        )
    for name, column in _EQUALS.items():
        value = getattr(wanted, name)
        if value is not None and not (name == "scope_kind" and scope_ids is not None):
            conditions.append(Where(column, "=", value))
    for name, (column, operator) in _RANGES.items():
        value = getattr(wanted, name)
        if value is not None:
            given = to_micros(value) if isinstance(value, datetime) else float(value)
            conditions.append(Where(column, operator, given))
    few = docs is not None or any(getattr(wanted, name) is not None for name in _INDEXED)
    # An index that leads to few begins with the account.
    return Selection(
        tuple(conditions),
        narrow=scope_ids is not None and not few,
        way="gather" if few else None,
    )


def card_of(row: Row) -> Card:
    """Turn a row of items, with the text and the scope's name, into the record."""
    item = Item(
        id=row["uid"],
        memory_id=row["memory_id"],
        scope=Scope(row["scope_kind"], row["scope_name"]),
        type=row["kind"],
        content=row["content"],
        wrapped=bool(row["wrapped"]),
        tier=row["tier"],
        fact_key=row["fact_key"],
        importance=row["importance"],
        confidence=row["confidence"],
        source_floor_id=row["floor_id"],
        source_message_id=row["message_id"],
        source_job_id=row["job_id"],
        status=row["status"],
        lifecycle=row["lifecycle"],
        tokens=row["tokens"],
        used_at=_moment(row["used_at"]),
        coverage_start=row["coverage_start"],
        coverage_end=row["coverage_end"],
        derived_from=row["derived_from"],
        pinned=bool(row["pinned"]),
        extractor=row["extractor"],
        note=row["note"],
        created_at=from_micros(row["created_at"]),
        updated_at=from_micros(row["updated_at"]),
    )
    return Card(
        item=item,
        doc=row["doc"],
        scope_id=row["scope_id"],
        turn_id=row["turn_id"],
        version=row["version"],
        origin=row["origin"],
        edited=bool(row["edited"]),
        edited_at=_moment(row["edited_at"]),
        decided_at=_moment(row["decided_at"]),
        displaced_by=row["displaced_by"],
    )


def _moment(micros: int | None) -> datetime | None:
    return None if micros is None else from_micros(micros)


def _micros(moment: datetime | None) -> int | None:
    return None if moment is None else to_micros(moment)


def _life(row: Row) -> Life:
    return Life(card_of(row), row["born"], row["died"])


def _values(card: Card) -> dict[str, object]:
    item = card.item
    return {
        "memory_id": item.memory_id,
        "doc": card.doc,
        "uid": item.id,
        "scope_id": card.scope_id,
        "scope_kind": item.scope.kind,
        "kind": item.type,
        "tier": item.tier,
        "fact_key": item.fact_key,
        "importance": item.importance,
        "confidence": item.confidence,
        "floor_id": item.source_floor_id,
        "message_id": item.source_message_id,
        "job_id": item.source_job_id,
        "status": item.status,
        "lifecycle": item.lifecycle,
        "wrapped": item.wrapped,
        "tokens": item.tokens,
        "used_at": _micros(item.used_at),
        "coverage_start": item.coverage_start,
        "coverage_end": item.coverage_end,
        "derived_from": item.derived_from,
        "pinned": item.pinned,
        "extractor": item.extractor,
        "note": item.note,
        "origin": card.origin,
        "turn_id": card.turn_id,
        "version": card.version,
        "edited": card.edited,
        "edited_at": _micros(card.edited_at),
        "decided_at": _micros(card.decided_at),
        "displaced_by": card.displaced_by,
        "created_at": to_micros(item.created_at),
        "updated_at": to_micros(item.updated_at),
    }


def _gathered(chosen: Selection) -> Selection:
    """Return the same items, to be found by what they have in common. Where that is their sort,
    every column of the index by sort is named.
    """
    named = {one.column for one in chosen.conditions}
    if chosen.way == "gather" or named & {column for column, _ in _RANGES.values()}:
        return replace(chosen, way="gather")
    rest = [Where(column, "in", every) for column, every in _SORTS.items() if column not in named]
    return replace(chosen.having(rest), way="gather")


def _placed(cards: Sequence[Card]) -> list[tuple[int, Item]]:
    return [(card.scope_id, card.item) for card in cards]
