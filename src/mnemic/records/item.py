"""What a chat remembers, as immutable values: items, and the relations between memories.

An item is a memory with what a chat keeps of it besides: how much it matters, which turn it came
from, whether it still holds. Times are aware, in UTC and whole milliseconds.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Generic, Literal, TypeVar

from mnemic.records.memory import MemoryKind, Scope, ScopeKind

ItemType = Literal["fact", "summary", "open_loop"]
Tier = Literal["micro", "macro"]
ItemStatus = Literal["active", "deprecated"]
Lifecycle = Literal["active", "compacted", "deprecated"]
Relation = Literal["supports", "contradicts", "updates", "derived_from", "compacts", "resolves"]
ItemSort = Literal["created_at", "updated_at", "importance", "confidence"]
Order = Literal["asc", "desc"]

T = TypeVar("T")

CHAT_SCOPES: Final[tuple[ScopeKind, ...]] = ("global", "chat", "branch", "floor")
ITEM_TYPES: Final[tuple[ItemType, ...]] = ("fact", "summary", "open_loop")


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing that a chat remembers, as it stands now.

    `status` is what a reader asks for; `lifecycle` also tells what a summary has taken in. An item
    is in use, and may be injected, where both are active. `wrapped` says in which form its text
    was written. `extractor` names who took it from a turn; None for what was written by hand.
    `note` tells why it is no longer in use, where a turn did that. `occurred_at`, `valid_until`,
    `superseded_by` and `expires_at` are what a memory that is no item carries of them.
    """

    id: str
    memory_id: int
    scope: Scope
    type: MemoryKind
    content: str
    wrapped: bool = False
    tier: Tier | None = None
    fact_key: str | None = None
    importance: float = 0.5
    confidence: float = 1.0
    source_floor_id: str | None = None
    source_message_id: str | None = None
    source_job_id: str | None = None
    status: ItemStatus = "active"
    lifecycle: Lifecycle = "active"
    tokens: int
    used_at: datetime | None = None
    coverage_start: int | None = None
    coverage_end: int | None = None
    derived_from: int | None = None
    pinned: bool = False
    extractor: str | None = None
    note: str | None = None
    created_at: datetime
    updated_at: datetime
    occurred_at: datetime | None = None
    valid_until: datetime | None = None
    superseded_by: str | None = None
    expires_at: datetime | None = None

    @property
    def in_use(self) -> bool:
        """Whether it may be recalled and injected."""
        return self.status == "active" and self.lifecycle == "active"

    @property
    def is_pinned(self) -> bool:
        """Whether it always goes in: pinned, and of the highest importance."""
        return self.pinned and self.importance >= 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class NewItem:
    """An item as its author wrote it. A status that is None follows from the other one."""

    scope: Scope
    type: ItemType
    content: str
    wrapped: bool = False
    tier: Tier | None = None
    fact_key: str | None = None
    importance: float = 0.5
    confidence: float = 1.0
    source_floor_id: str | None = None
    source_message_id: str | None = None
    status: ItemStatus | None = None
    lifecycle: Lifecycle | None = None
    pinned: bool = False


class Unset:
    """Stands for a field that a change does not name; None would be a value."""


UNSET: Final = Unset()


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemChange:
    """What to change of an item; what is left UNSET stays."""

    scope_kind: ScopeKind | Unset = UNSET
    scope_name: str | Unset = UNSET
    type: ItemType | Unset = UNSET
    content: str | Unset = UNSET
    wrapped: bool | Unset = UNSET
    tier: Tier | Unset | None = UNSET
    fact_key: str | Unset | None = UNSET
    importance: float | Unset = UNSET
    confidence: float | Unset = UNSET
    source_floor_id: str | Unset = UNSET
    source_message_id: str | Unset = UNSET
    status: ItemStatus | Unset = UNSET
    lifecycle: Lifecycle | Unset = UNSET
    pinned: bool | Unset = UNSET


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemFilter:
    """Which items are meant; None does not restrict. `words` must all stand in the text."""

    scope_kind: ScopeKind | None = None
    scope_name: str | None = None
    type: ItemType | None = None
    tier: Tier | None = None
    status: ItemStatus | None = None
    lifecycle: Lifecycle | None = None
    fact_key: str | None = None
    source_floor_id: str | None = None
    source_message_id: str | None = None
    created_from: datetime | None = None
    created_to: datetime | None = None
    updated_from: datetime | None = None
    updated_to: datetime | None = None
    importance_min: float | None = None
    importance_max: float | None = None
    confidence_min: float | None = None
    confidence_max: float | None = None
    words: str | None = None


@dataclass(frozen=True, slots=True)
class Paging:
    """Which part of a list, and in which order; the id decides between equals."""

    sort: ItemSort = "created_at"
    order: Order = "desc"
    limit: int = 50
    offset: int = 0


FIRST_PAGE: Final = Paging()


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """A part of a list, and how long the whole list is."""

    rows: tuple[T, ...]
    total: int


@dataclass(frozen=True, slots=True)
class ItemStats:
    """What some items come to; means are 0 where there are none."""

    total: int
    active: int
    deprecated: int
    by_type: dict[ItemType, int]
    avg_importance: float
    avg_confidence: float
    estimated_tokens: int


@dataclass(frozen=True, slots=True)
class Edge:
    """A named relation between two memories, which are called by their item ids, or `mem_…` where
    they are no items.
    """

    id: str
    from_id: str
    to_id: str
    relation: Relation
    created_at: datetime
