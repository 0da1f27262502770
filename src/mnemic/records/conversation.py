"""A chat's conversation, as immutable values: sessions, branches, floors and what was said there.

A session holds branches; a branch is a line of floors, numbered from 0; a floor is one turn, and
has versions, one of them active. A fork shares the floors before it with the branch it left.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any, Final, Literal

from mnemic.records.memory import JobStatus, Scope, ScopeKind

ChatRole = Literal["user", "assistant", "system", "tool", "char", "narrator"]
"""Who speaks: the person, an assistant, the app to its model, a tool, the character of a card, or
nobody, where it is narration."""

IngestMode = Literal["sync", "async"]

MAIN: Final = "main"


@lru_cache(maxsize=1024)
def branch_scope(session_id: str, branch_id: str) -> Scope:
    """Return the scope of a branch's own memory; its name is the JSON of both ids."""
    name = json.dumps([session_id, branch_id], ensure_ascii=False, separators=(",", ":"))
    return Scope("branch", name)


def chat_scope(session_id: str) -> Scope:
    """Return the scope of what all branches of a session share."""
    return Scope("chat", session_id)


def said_scope(session_id: str) -> Scope:
    """Return the scope in which search keeps what was said in a session, in whichever branch."""
    return Scope("said", session_id)


@dataclass(frozen=True, slots=True)
class Session:
    """One conversation."""

    id: str
    branches: int
    floors: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Branch:
    """One line of a session. `forked_at` is the last floor that it shares with its `parent`."""

    id: str
    session_id: str
    parent: str | None
    forked_at: int | None
    floors: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Line:
    """One message of a turn, as it was said."""

    role: ChatRole
    content: str
    name: str | None = None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn with the messages of its active version; `versions` counts all that it has, and
    `given_at` is when it was said, where the app told.
    """

    id: str
    session_id: str
    number: int
    version: int
    versions: int
    lines: tuple[Line, ...]
    created_at: datetime
    updated_at: datetime
    branch_id: str = MAIN
    given_at: datetime | None = None

    @property
    def occurred_at(self) -> datetime:
        """When it was said: without a word from the app, when it was added."""
        return self.given_at or self.created_at


@dataclass(frozen=True, slots=True)
class VersionDraft:
    """One wording of a turn that is to be added, and when it was said."""

    lines: tuple[Line, ...]
    occurred_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class TurnDraft:
    """A turn to be added with all of its versions; without `active` the last one is."""

    versions: tuple[VersionDraft, ...]
    active: int | None = None
    idempotency_key: str | None = None


@dataclass(frozen=True, slots=True)
class Ingest:
    """What became of the memory of a turn: the job that makes it, how far that is, and what went
    wrong with it, if anything did.
    """

    mode: IngestMode
    status: str
    job_id: str | None
    error: str | None = None


JobType = Literal["ingest_turn", "compact_macro", "maintenance", "rebuild_scope"]
JobSort = Literal["created_at", "updated_at", "available_at"]
StateSort = Literal["updated_at", "revision", "last_compaction_at", "last_processed_floor_no"]
SessionSort = Literal["created_at", "updated_at"]
CompactionReason = Literal[
    "micro_count_threshold", "micro_token_threshold", "floor_gap_threshold", "forced"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class JobFilter:
    """Which jobs are meant; None does not restrict."""

    scope_kind: ScopeKind | None = None
    scope_name: str | None = None
    job_type: JobType | None = None
    status: JobStatus | None = None
    floor_id: str | None = None
    created_from: datetime | None = None
    created_to: datetime | None = None
    available_from: datetime | None = None
    available_to: datetime | None = None


@dataclass(frozen=True, slots=True)
class Queued:
    """A job that was enqueued, or that stood there already."""

    job_id: str
    created: bool
    scope: Scope


@dataclass(frozen=True, slots=True)
class Compaction:
    """A compaction that was enqueued: why, and which micro summaries it takes in."""

    queued: Queued
    reason: CompactionReason
    source_ids: tuple[str, ...]
    coverage_start: int | None
    coverage_end: int | None


@dataclass(frozen=True, slots=True)
class ScopeState:
    """How far the background work of a scope is; `revision` counts the changes of its memory."""

    scope: Scope
    revision: int
    lease_owner: str | None
    lease_until: datetime | None
    last_processed_floor: int | None
    last_compaction_at: datetime | None
    updated_at: datetime


Strategy = Literal["relevance", "importance", "balanced", "dual_summary"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextQuery:
    """What to inject, and for whom. `text` is what the block should have to do with.

    Floors from `window_start` on are still in the app's own window, so nothing of them is taken.
    `as_of` asks for the block of that time.
    """

    session_id: str
    branch_id: str = MAIN
    text: str = ""
    token_budget: int = 500
    strategy: Strategy = "relevance"
    window_start: int | None = None
    as_of: datetime | None = None


@dataclass(frozen=True, slots=True)
class Chosen:
    """An item, or a passage of what was said, that goes into the block, and why."""

    id: str
    type: str
    score: float
    tokens: int
    reason: str


@dataclass(frozen=True, slots=True)
class Dropped:
    """An item or a passage that was considered and does not go in, and why not."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class ContextBlock:
    """The text to inject, what it is made of, and how it came about."""

    text: str
    chosen: tuple[Chosen, ...]
    token_count: int
    dropped: tuple[Dropped, ...]
    trace: Mapping[str, Any] = field(default_factory=dict[str, Any])
