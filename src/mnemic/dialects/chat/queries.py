"""What a chat app may ask of lists, and what the engine gets of it."""

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from mnemic.dialects.chat.body_fields import (
    FactKey,
    Id,
    Limit,
    Moment,
    Offset,
    Paged,
    Parameters,
    ScopeId,
    ScopeName,
    ShareText,
    SortOrder,
    Words,
    to_moment,
)
from mnemic.dialects.chat.error_answers import Detail, invalid
from mnemic.records.conversation import JobFilter, JobSort, JobType, SessionSort, StateSort
from mnemic.records.item import ItemFilter, ItemSort, ItemStatus, ItemType, Lifecycle, Paging, Tier
from mnemic.records.memory import JobStatus

# A parameter of an address is given or not; it is never null.
_None = SkipJsonSchema[None]
_Since = Annotated[Moment | _None, Field(description="Not before, in milliseconds.")]
_Until = Annotated[Moment | _None, Field(description="Not after, in milliseconds.")]
_AtLeast = Annotated[ShareText | _None, Field(description="At least.")]
_AtMost = Annotated[ShareText | _None, Field(description="At most.")]


class MemoryFilter(Parameters):
    """Which memory items; every parameter restricts."""

    scope: ScopeName | _None = None
    scope_id: ScopeId | _None = None
    type: ItemType | _None = None
    summary_tier: Tier | _None = None
    status: ItemStatus | _None = None
    lifecycle_status: Lifecycle | _None = None
    fact_key: Annotated[FactKey | _None, Field(description="In any case.")] = None
    source_floor_id: Id | _None = None
    source_message_id: Id | _None = None
    created_from: _Since = None
    created_to: _Until = None
    updated_from: _Since = None
    updated_to: _Until = None
    importance_min: _AtLeast = None
    importance_max: _AtMost = None
    confidence_min: _AtLeast = None
    confidence_max: _AtMost = None
    q: Annotated[
        Words | _None,
        Field(description="Words that all stand in the text, in any order; Chinese too."),
    ] = None

    def wanted(self) -> ItemFilter:
        """Return it as the engine takes it."""
        check_ranges(
            ("created_from", self.created_from, "created_to", self.created_to),
            ("updated_from", self.updated_from, "updated_to", self.updated_to),
            ("importance_min", self.importance_min, "importance_max", self.importance_max),
            ("confidence_min", self.confidence_min, "confidence_max", self.confidence_max),
        )
        return ItemFilter(
            scope_kind=self.scope,
            scope_name=self.scope_id,
            type=self.type,
            tier=self.summary_tier,
            status=self.status,
            lifecycle=self.lifecycle_status,
            fact_key=None if self.fact_key is None else self.fact_key.strip().lower(),
            source_floor_id=self.source_floor_id,
            source_message_id=self.source_message_id,
            created_from=to_moment(self.created_from),
            created_to=to_moment(self.created_to),
            updated_from=to_moment(self.updated_from),
            updated_to=to_moment(self.updated_to),
            importance_min=self.importance_min,
            importance_max=self.importance_max,
            confidence_min=self.confidence_min,
            confidence_max=self.confidence_max,
            words=self.q,
        )


class MemoryList(MemoryFilter):
    """Which memory items, and which part of their list."""

    as_of: Annotated[
        Moment | _None, Field(description="The time whose state is asked for; else now.")
    ] = None
    sort_by: ItemSort = "created_at"
    sort_order: SortOrder = "desc"
    limit: Limit = 50
    offset: Offset = 0

    def paging(self) -> Paging:
        """Return which part of the list is meant."""
        return Paging(self.sort_by, self.sort_order, self.limit, self.offset)


class EdgeList(Paged):
    """Which edges."""

    from_id: Id | _None = None
    to_id: Id | _None = None
    relation: (
        Literal["supports", "contradicts", "updates", "derived_from", "compacts", "resolves"]
        | _None
    ) = None
    sort_by: Literal["created_at"] = "created_at"
    sort_order: SortOrder = "desc"


class JobList(Paged):
    """Which jobs."""

    scope: ScopeName | _None = None
    scope_id: ScopeId | _None = None
    job_type: JobType | _None = None
    status: JobStatus | _None = None
    floor_id: Id | _None = None
    created_from: _Since = None
    created_to: _Until = None
    available_from: _Since = None
    available_to: _Until = None
    sort_by: JobSort = "created_at"
    sort_order: SortOrder = "desc"

    def wanted(self) -> JobFilter:
        """Return it as the engine takes it."""
        check_ranges(
            ("created_from", self.created_from, "created_to", self.created_to),
            ("available_from", self.available_from, "available_to", self.available_to),
        )
        return JobFilter(
            scope_kind=self.scope,
            scope_name=self.scope_id,
            job_type=self.job_type,
            status=self.status,
            floor_id=self.floor_id,
            created_from=to_moment(self.created_from),
            created_to=to_moment(self.created_to),
            available_from=to_moment(self.available_from),
            available_to=to_moment(self.available_to),
        )


class ScopeList(Paged):
    """Which scope states."""

    scope: ScopeName | _None = None
    scope_id: ScopeId | _None = None
    sort_by: StateSort = "updated_at"
    sort_order: SortOrder = "desc"


class SessionList(Paged):
    """Which part of the sessions."""

    sort_by: SessionSort = "created_at"
    sort_order: SortOrder = "desc"


class BranchList(Paged):
    """Which part of a session's branches."""

    sort_by: Literal["created_at"] = "created_at"
    sort_order: SortOrder = "asc"


class TurnList(Paged):
    """Which part of the turns along a branch."""

    branch_id: Id = "main"
    sort_by: Literal["floor_no"] = "floor_no"
    sort_order: SortOrder = "asc"


def check_ranges(*ranges: tuple[str, Any, str, Any]) -> None:
    """Refuse a range whose lower end is above its upper one, and name both."""
    wrong = list(_inverted(ranges))
    if wrong:
        raise invalid(*wrong)


def _inverted(ranges: Iterable[tuple[str, Any, str, Any]]) -> Iterable[Detail]:
    for low, least, high, most in ranges:
        if least is not None and most is not None and least > most:
            told = f"{low} is greater than {high}"
            yield Detail(low, told, "inverted_range")
            yield Detail(high, told, "inverted_range")
