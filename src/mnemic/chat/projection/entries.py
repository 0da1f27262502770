"""What a projection holds: one entry for each item, and the names by which entries are called.

A name follows from what an item was made of and where it stands, so that the same turns always
give the same items. What was found in a turn refers to other items without their place: by what
they were made of, where a turn made them in the same branch, else by their id.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from mnemic.memory.ids import name_of
from mnemic.records.item import ItemStatus, ItemType, Lifecycle, Tier
from mnemic.records.memory import Scope
from mnemic.storage.chat_rows.item_rows import Card, Life
from mnemic.storage.chat_rows.session_rows import TurnOnPath

_MADE: Final = "made:"
_ITEM: Final = "item:"


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldEntry:
    """One item as a projection has it; without an origin it was written by hand.

    `born` and `died` are the floors of the turns that made it and that took it out of use;
    since `edited_at` a person keeps it as it is, and at `changed_at` one last decided on it. What
    is `unread` stands for a turn that is about to be read, or for a summary of one: it keeps the
    place of what will be there, and is no item. What was `struck` was deleted by hand: it is no
    item either, and keeps a turn from saying it again.
    """

    uid: str
    type: ItemType
    content: str
    at: datetime
    origin: str | None = None
    turn_id: str | None = None
    version: int | None = None
    tier: Tier | None = None
    key: str | None = None
    importance: float = 0.5
    tokens: int = 0
    coverage_start: int | None = None
    coverage_end: int | None = None
    derived_from: int | None = None
    extractor: str | None = None
    status: ItemStatus = "active"
    lifecycle: Lifecycle = "active"
    note: str | None = None
    displaced_by: str | None = None
    edited: bool = False
    edited_at: datetime | None = None
    changed_at: datetime | None = None
    mentioned_at: datetime | None = None
    born: int | None = None
    died: int | None = None
    unread: bool = False
    struck: bool = False

    @property
    def in_use(self) -> bool:
        """Whether it holds, and no larger summary has taken it in."""
        return self.status == "active" and self.lifecycle == "active"

    @property
    def name(self) -> str:
        """What turns call it by."""
        return reference(self.uid, self.origin)

    def holds_after(self, floor: int) -> bool:
        """Tell whether it is in use after a floor, as far as turns decide."""
        if self.struck:
            return self.type == "open_loop"
        if self.died is not None:
            return self.died > floor
        return self.status == "active" or self.edited

    def is_known_to(self, step: TurnOnPath) -> bool:
        """Tell whether it is in use just before a turn. What a person took out of use is so for
        the turns that were added afterwards.
        """
        if self.origin is None:
            is_there = self.at <= step.added_at
        else:
            is_there = self.born is not None and self.born < step.number
        if (self.struck or (self.edited and not self.in_use)) and self.changed_at is not None:
            is_there = is_there and (self.died is not None or step.added_at <= self.changed_at)
        return is_there and self.holds_after(step.number - 1)


def origin_of(turn_id: str, version: int, kind: str, text: str) -> str:
    """Return the name of what one version of a turn says."""
    return name_of(turn_id, str(version), kind, text)


def uid_of(scope: Scope, origin: str) -> str:
    """Return the id of the item that was made of something, in one scope."""
    return name_of(scope.kind, scope.name, origin)


def reference(uid: str, origin: str | None) -> str:
    """Return what an item is called in what was found in a turn."""
    return f"{_ITEM}{uid}" if origin is None else f"{_MADE}{origin}"


def referred(scope: Scope, ref: str) -> str:
    """Return the id of the item that a reference means, seen from a branch."""
    if ref.startswith(_MADE):
        return uid_of(scope, ref.removeprefix(_MADE))
    return ref.removeprefix(_ITEM)


def entry_of(card: Card, *, born: int | None = None, died: int | None = None) -> FoldEntry:
    """Return an item as a projection sees it, with the floors at which it came and went."""
    item = card.item
    return FoldEntry(
        uid=item.id,
        type=item.type,  # pyright: ignore[reportArgumentType]  items have no other types
        content=item.content,
        at=item.created_at,
        origin=card.origin,
        turn_id=card.turn_id,
        version=card.version,
        tier=item.tier,
        key=item.fact_key,
        importance=item.importance,
        tokens=item.tokens,
        coverage_start=item.coverage_start,
        coverage_end=item.coverage_end,
        derived_from=item.derived_from,
        extractor=item.extractor,
        status=item.status,
        lifecycle=item.lifecycle,
        note=item.note,
        displaced_by=card.displaced_by,
        edited=card.edited,
        edited_at=card.edited_at or (item.updated_at if card.edited else None),
        changed_at=card.decided_at or (None if card.edited_at else item.updated_at),
        born=born,
        died=died,
    )


def entry_from(life: Life) -> FoldEntry:
    """Return an item of a branch as a projection sees it."""
    return entry_of(life.card, born=life.born, died=life.died)


def says_the_same(one: str, other: str) -> bool:
    """Tell whether two texts are equal but for case and the space around them."""
    return one.strip().casefold() == other.strip().casefold()
