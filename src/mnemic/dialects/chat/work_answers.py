"""What the answers about background work and conversations look like, for the OpenAPI document."""

from typing import Annotated, Any, Literal

from pydantic import Field

from mnemic.dialects.chat.answers import Count, Described, EdgeMeta, ListMeta, Milliseconds, Share
from mnemic.dialects.chat.body_fields import ScopeName
from mnemic.records.conversation import (
    ChatRole,
    CompactionReason,
    IngestMode,
    JobSort,
    JobType,
    SessionSort,
    StateSort,
)
from mnemic.records.memory import JobStatus


class JobJson(Described, component="Job"):
    """Background work as it stands."""

    id: Annotated[str, Field(description="It is the idempotency key of the work.")]
    scope: ScopeName
    scope_id: str
    job_type: JobType
    status: JobStatus
    floor_id: str | None
    based_on_revision: Count | None
    payload: dict[str, Any]
    attempt_count: Count
    max_attempts: Count
    available_at: Annotated[Milliseconds, Field(description="When it may begin.")]
    lease_owner: str | None
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
    scope: ScopeName
    scope_id: str


class QueuedAnswer(Described):
    """A job that was enqueued, or that stood there already."""

    data: QueuedJson


class CompactionJson(QueuedJson, component="Compaction"):
    """A compaction that was enqueued."""

    reason: CompactionReason
    source_micro_ids: list[str]
    coverage_start_floor_no: Count | None
    coverage_end_floor_no: Count | None


class CompactionAnswer(Described):
    """A compaction that was enqueued."""

    data: CompactionJson


class AgedItem(Described):
    """What maintenance does to an item, and why."""

    id: str
    action: Literal["deprecate", "purge"]
    reason: str


class Maintenance(Described):
    """What is due in a scope, and the job that does it; none for a dry run."""

    job_id: str | None
    created: bool
    scope: ScopeName
    scope_id: str
    actions: list[AgedItem]


class MaintenanceAnswer(Described):
    """What is due in a scope."""

    data: Maintenance


class ScopeStateJson(Described, component="ScopeState"):
    """How far the background work of a scope is."""

    scope: ScopeName
    scope_id: str
    revision: Count
    lease_owner: str | None
    lease_until: Milliseconds | None
    last_processed_floor_no: Count | None
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
    branch_count: Count
    floor_count: Count
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


class BranchJson(Described, component="Branch"):
    """One line of a session."""

    branch_id: str
    session_id: str
    from_branch: Annotated[str | None, Field(description="The branch it left.")]
    at_floor_no: Annotated[int | None, Field(description="The last floor that both share.")]
    floor_count: Count
    scope_id: Annotated[str, Field(description="The `scope_id` of its own memory.")]
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

    floor_id: str
    session_id: str
    branch_id: str
    floor_no: Count
    version: Annotated[int, Field(ge=0, description="Which version is active.")]
    version_count: Count
    messages: list[MessageJson]
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

    floor_id: str
    floor_no: Count
    memory: TurnMemory


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
    """An item of the block, and why it was chosen."""

    id: str
    type: str
    score: float
    tokens: Count
    reason: str


class DroppedItem(Described):
    """An item that was considered and left out, and why."""

    id: str
    reason: str


class Context(Described):
    """The text to inject, what it is made of and what was left out."""

    text: str
    items: list[ContextItem]
    token_count: Count
    dropped: list[DroppedItem]
    trace: dict[str, Any]


class ContextAnswer(Described):
    """The text to inject."""

    data: Context
