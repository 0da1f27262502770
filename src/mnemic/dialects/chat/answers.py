"""The answers about memory items: how each follows from a record, and the OpenAPI document."""

from typing import Annotated, Literal

from pydantic import Field

from mnemic.dialects.chat.described import Count, Described, Milliseconds, Share, Source
from mnemic.records.item import Item, ItemStatus, Lifecycle, Relation, Tier
from mnemic.records.memory import MemoryKind


class Wrapped(Described):
    """A text in its wrapper."""

    text: str


def _content(item: Item) -> str | dict[str, str]:
    return {"text": item.content} if item.wrapped else item.content


class MemoryItem(Described):
    """One thing that a chat remembers."""

    id: str
    scope: Annotated[
        Literal["collection", "user", "global", "chat", "branch", "floor"], Source("scope.kind")
    ]
    scope_id: Annotated[str, Source("scope.name")]
    type: MemoryKind
    summary_tier: Annotated[Tier | None, Source("tier")]
    content: Annotated[str | Wrapped, Source(_content)]
    fact_key: str | None
    importance: Share
    confidence: Share
    source_floor_id: str | None
    source_message_id: str | None
    status: ItemStatus
    lifecycle_status: Annotated[Lifecycle, Source("lifecycle")]
    source_job_id: str | None
    token_count_estimate: Annotated[Count | None, Source("tokens")]
    last_used_at: Annotated[Milliseconds | None, Source("used_at")]
    coverage_start_floor_no: Annotated[Count | None, Source("coverage_start")]
    coverage_end_floor_no: Annotated[Count | None, Source("coverage_end")]
    derived_from_count: Annotated[Count | None, Source("derived_from")]
    created_at: Milliseconds
    updated_at: Milliseconds
    extractor: Annotated[str, Field(description="Who took it from a turn.")] = ""
    note: Annotated[
        str, Field(description="Why a turn took it out of use, or what was wrong with its making.")
    ] = ""
    pinned: Annotated[Literal[True], Field(description="Only where it is pinned.")] = True
    occurred_at: Annotated[
        int, Field(description="When it happened, if at another time than it was stored.")
    ] = 0
    valid_until: Annotated[int, Field(description="Until when it was true.")] = 0
    superseded_by: Annotated[str, Field(description="The memory from which that is known.")] = ""
    expires_at: Annotated[int, Field(ge=0, description="When it goes out of use by itself.")] = 0


class ListMeta(Described):
    """Which part of a list it is, and how long the whole list is."""

    total: Count
    limit: Annotated[int, Field(ge=1, le=100)]
    offset: Count
    has_more: bool
    sort_order: Literal["asc", "desc"]


class MemoryMeta(ListMeta):
    """Which part of the memory items."""

    sort_by: Literal["created_at", "updated_at", "importance", "confidence"]


class EdgeMeta(ListMeta):
    """Which part of the edges."""

    sort_by: Literal["created_at"]


class MemoryAnswer(Described):
    """A memory item."""

    data: MemoryItem


class MemoriesAnswer(Described):
    """A page of memory items."""

    data: list[MemoryItem]
    meta: MemoryMeta


class ByType(Described):
    """How many there are of each type."""

    fact: Count
    summary: Count
    open_loop: Count


class Stats(Described):
    """What some memory items come to."""

    total: Count
    active: Annotated[int, Field(ge=0, description="By `status`.")]
    deprecated: Annotated[int, Field(ge=0, description="By `status`.")]
    by_type: ByType
    avg_importance: Share
    avg_confidence: Share
    estimated_tokens: Count


class StatsAnswer(Described):
    """What some memory items come to."""

    data: Stats


class Deleted(Described):
    """What is gone."""

    id: str
    deleted: Literal[True]


class DeletedAnswer(Described):
    """What is gone."""

    data: Deleted


class StatusResult(Described):
    """What became of one item."""

    index: Count
    id: str
    action: Literal["updated", "not_found"]
    data: Annotated[MemoryItem, Field(description="The item as it is now, where it is there.")] = (
        None  # pyright: ignore[reportAssignmentType]  it may be left out, but is never null
    )


class StatusMeta(Described):
    """What the batch came to."""

    total: Count
    updated: Count
    not_found: Count
    status: ItemStatus


class StatusBatch(Described):
    """What became of each item, in the order of the request."""

    results: list[StatusResult]
    meta: StatusMeta


class StatusBatchAnswer(Described):
    """What became of a batch."""

    data: StatusBatch


class DeleteResult(Described):
    """What became of one item."""

    index: Count
    id: str
    action: Literal["deleted", "not_found"]


class DeleteMeta(Described):
    """What the batch came to."""

    total: Count
    deleted: Count
    not_found: Count


class DeleteBatch(Described):
    """What became of each item, in the order of the request."""

    results: list[DeleteResult]
    meta: DeleteMeta


class DeleteBatchAnswer(Described):
    """What became of a batch."""

    data: DeleteBatch


class MemoryEdge(Described):
    """A named relation between two memory items."""

    id: str
    from_id: str
    to_id: str
    relation: Relation
    created_at: Milliseconds


class EdgeAnswer(Described):
    """An edge."""

    data: MemoryEdge


class EdgesAnswer(Described):
    """A page of edges."""

    data: list[MemoryEdge]
    meta: EdgeMeta


class Problem(Described):
    """One thing that is wrong: where, in dotted form, what, and a word for programs."""

    path: str
    message: str
    code: str


class RequestId(Described):
    """Under which number the log has more."""

    request_id: str


class Wrong(Described):
    """What went wrong."""

    code: str
    message: str
    details: list[Problem] | RequestId = Field(default=[])


class ErrorAnswer(Described):
    """What went wrong."""

    error: Wrong
