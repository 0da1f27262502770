"""What the answers look like, for the OpenAPI document; a test holds the answers to it.

Nothing is validated against these models at run time: answers are built as they are described.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from mnemic.records.item import ItemStatus, Lifecycle, Relation, Tier
from mnemic.records.memory import MemoryKind

Milliseconds = Annotated[int, Field(ge=0, description="Milliseconds since the epoch.")]
Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]


class Described(BaseModel):
    """An object with exactly the fields that are named; those without a default always stand."""

    model_config = ConfigDict(extra="forbid")

    def __init_subclass__(cls, *, component: str | None = None, **kwargs: Any) -> None:
        """Let an answer stand in the OpenAPI document under the name of the record it shows."""
        cls.__name__ = cls.__qualname__ = component or cls.__name__
        super().__init_subclass__(**kwargs)


class Wrapped(Described):
    """A text in its wrapper."""

    text: str


class MemoryItem(Described):
    """One thing that a chat remembers."""

    id: str
    scope: Literal["collection", "user", "global", "chat", "branch", "floor"]
    scope_id: str
    type: MemoryKind
    summary_tier: Tier | None
    content: str | Wrapped
    fact_key: str | None
    importance: Share
    confidence: Share
    source_floor_id: str | None
    source_message_id: str | None
    status: ItemStatus
    lifecycle_status: Lifecycle
    source_job_id: str | None
    token_count_estimate: Count | None
    last_used_at: Milliseconds | None
    coverage_start_floor_no: Count | None
    coverage_end_floor_no: Count | None
    derived_from_count: Count | None
    created_at: Milliseconds
    updated_at: Milliseconds
    extractor: Annotated[str, Field(description="Who took it from a turn.")] = ""
    note: Annotated[
        str, Field(description="Why a turn took it out of use, or what was wrong with its making.")
    ] = ""
    pinned: Annotated[Literal[True], Field(description="Only where it is pinned.")] = True


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
    details: list[Problem] | RequestId = []


class ErrorAnswer(Described):
    """What went wrong."""

    error: Wrong
