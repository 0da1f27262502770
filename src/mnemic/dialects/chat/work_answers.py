"""The answers about background work and conversations: how each follows from a record, and the
OpenAPI document.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from mnemic.dialects.chat.answers import EdgeMeta, ListMeta
from mnemic.dialects.chat.body_fields import ScopeName
from mnemic.dialects.chat.described import Count, Described, Milliseconds, Share, Source
from mnemic.records.conversation import (
    Branch,
    ChatRole,
    CompactionReason,
    IngestMode,
    JobSort,
    JobType,
    Queued,
    SessionSort,
    StateSort,
    Turn,
    branch_scope,
)
from mnemic.records.memory import JobStatus

ScopeKindField = Annotated[ScopeName, Source("scope.kind")]
ScopeNameField = Annotated[str, Source("scope.name")]


class JobJson(Described, component="Job"):
    """Background work as it stands."""

    id: Annotated[str, Field(description="It is the idempotency key of the work.")]
    scope: ScopeKindField
    scope_id: ScopeNameField
    job_type: Annotated[JobType, Source("kind")]
    status: JobStatus
    floor_id: str | None
    based_on_revision: Annotated[Count | None, Source("revision")]
    payload: dict[str, Any]
    attempt_count: Annotated[Count, Source("attempts")]
    max_attempts: Count
    available_at: Annotated[Milliseconds, Field(description="When it may begin."), Source("run_at")]
    lease_owner: Annotated[str | None, Source("worker")]
    lease_until: Milliseconds | None
    last_error: str | None
    created_at: Milliseconds
    updated_at: Milliseconds
    finished_at: Milliseconds | None
    progress: Share


class JobMeta(ListMeta):
    """Which part of the jobs."""

    sort_by: JobSort


class JobAnswer(Described):
    """A job."""

    data: JobJson


class JobsAnswer(Described):
    """A page of jobs."""

    data: list[JobJson]
    meta: JobMeta


class QueuedJson(Described, component="Queued"):
    """A job that was enqueued, or that stood there already."""

    job_id: str
    created: bool
    scope: ScopeKindField
    scope_id: ScopeNameField


class QueuedAnswer(Described):
    """A job that was enqueued, or that stood there already."""

    data: QueuedJson


class CompactionJson(QueuedJson, component="Compaction"):
    """A compaction that was enqueued."""

    reason: CompactionReason
    source_micro_ids: Annotated[list[str], Source("source_ids")]
    coverage_start_floor_no: Annotated[Count | None, Source("coverage_start")]
    coverage_end_floor_no: Annotated[Count | None, Source("coverage_end")]


class CompactionAnswer(Described):
    """A compaction that was enqueued."""

    data: CompactionJson


class AgedItem(Described):
    """What maintenance does to an item, and why."""

    id: Annotated[str, Source("item_id")]
    action: Literal["deprecate", "purge"]
    reason: str


class Maintenance(Described):
    """What is due in a scope, and the job that does it; none for a dry run."""

    job_id: str | None
    created: bool
    scope: Annotated[ScopeName, Source("kind")]
    scope_id: Annotated[str, Source("name")]
    actions: list[AgedItem]


class MaintenanceAnswer(Described):
    """What is due in a scope."""

    data: Maintenance


class ScopeStateJson(Described, component="ScopeState"):
    """How far the background work of a scope is."""

    scope: ScopeKindField
    scope_id: ScopeNameField
    revision: Count
    lease_owner: str | None
    lease_until: Milliseconds | None
    last_processed_floor_no: Annotated[Count | None, Source("last_processed_floor")]
    last_compaction_at: Milliseconds | None
    updated_at: Milliseconds


class ScopeMeta(ListMeta):
    """Which part of the scope states."""

    sort_by: StateSort


class ScopesAnswer(Described):
    """A page of scope states."""

    data: list[ScopeStateJson]
    meta: ScopeMeta


class SessionJson(Described, component="Session"):
    """One conversation."""

    id: str
    branch_count: Annotated[Count, Source("branches")]
    floor_count: Annotated[Count, Source("floors")]
    created_at: Milliseconds
    updated_at: Milliseconds


class SessionMeta(ListMeta):
    """Which part of the sessions."""

    sort_by: SessionSort


class SessionAnswer(Described):
    """A session."""

    data: SessionJson


class SessionsAnswer(Described):
    """A page of sessions."""

    data: list[SessionJson]
    meta: SessionMeta


def _own_scope(branch: Branch) -> str:
    return branch_scope(branch.session_id, branch.id).name


class BranchJson(Described, component="Branch"):
    """One line of a session."""

    branch_id: Annotated[str, Source("id")]
    session_id: str
    from_branch: Annotated[str | None, Field(description="The branch it left."), Source("parent")]
    at_floor_no: Annotated[
        int | None, Field(description="The last floor that both share."), Source("forked_at")
    ]
    floor_count: Annotated[Count, Source("floors")]
    scope_id: Annotated[
        str, Field(description="The `scope_id` of its own memory."), Source(_own_scope)
    ]
    created_at: Milliseconds


class BranchAnswer(Described):
    """A branch."""

    data: BranchJson


class BranchesAnswer(Described):
    """A page of branches."""

    data: list[BranchJson]
    meta: EdgeMeta


class MessageJson(Described, component="Message"):
    """One message of a turn."""

    id: str | None
    role: ChatRole
    name: str | None
    content: str


class TurnJson(Described, component="Turn"):
    """One turn with the messages of its active version."""

    floor_id: Annotated[str, Source("id")]
    session_id: str
    branch_id: str
    floor_no: Annotated[Count, Source("number")]
    version: Annotated[int, Field(ge=0, description="Which version is active.")]
    version_count: Annotated[Count, Source("versions")]
    messages: Annotated[list[MessageJson], Source("lines")]
    occurred_at: Annotated[Milliseconds, Field(description="When it was said.")]
    created_at: Milliseconds
    updated_at: Milliseconds


class TurnMeta(ListMeta):
    """Which part of the turns."""

    sort_by: Literal["floor_no"]


class TurnAnswer(Described):
    """A turn."""

    data: TurnJson


class TurnsAnswer(Described):
    """A page of turns."""

    data: list[TurnJson]
    meta: TurnMeta


class TurnMemory(Described):
    """What becomes of the memory of a turn."""

    mode: IngestMode
    status: str
    job_id: str | None
    error: str | None


class AddedTurn(Described):
    """Where a new turn stands."""

    floor_id: Annotated[str, Source("id")]
    floor_no: Annotated[Count, Source("number")]
    memory: TurnMemory


class BulkTurnJson(Described):
    """Where one turn of many stands."""

    floor_id: str
    floor_no: Count
    created: Annotated[bool, Field(description="False where its key was known.")]
    job_id: str


class BulkAdded(Described):
    """Where new turns stand, in the order in which they came."""

    added: Annotated[Count, Field(description="How many are new.")]
    turns: Annotated[list[BulkTurnJson], Field(description="Each, as it came.")]

    @classmethod
    def answer(cls, added: Sequence[tuple[Turn, Queued]]) -> dict[str, Any]:
        """Return the whole answer about turns and the jobs that take them in."""
        turns = [
            {
                "floor_id": turn.id,
                "floor_no": turn.number,
                "created": queued.created,
                "job_id": queued.job_id,
            }
            for turn, queued in added
        ]
        return {"data": {"added": sum(queued.created for _, queued in added), "turns": turns}}


class BulkAnswer(Described):
    """Where new turns stand."""

    data: BulkAdded


class AddedTurnAnswer(Described):
    """Where a new turn stands."""

    data: AddedTurn


class ChangedTurn(AddedTurn):
    """Where a turn stands, and which of its versions is active."""

    version: Count


class ChangedTurnAnswer(Described):
    """Where a turn stands, and which of its versions is active."""

    data: ChangedTurn


class ContextItem(Described):
    """A line of the block, an item or a passage of what was said, and why it was chosen."""

    id: str
    type: str
    score: float
    tokens: Count
    reason: str


class DroppedItem(Described):
    """An item or a passage that was considered and left out, and why."""

    id: str
    reason: str


class Context(Described):
    """The text to inject, what it is made of and what was left out."""

    text: str
    items: Annotated[list[ContextItem], Source("chosen")]
    token_count: Count
    dropped: list[DroppedItem]
    trace: dict[str, Any]


class ContextAnswer(Described):
    """The text to inject."""

    data: Context
