"""The nouns of the engine, as immutable values. Times are aware and in UTC."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal

ScopeKind = Literal["collection", "user", "global", "chat", "branch", "floor", "resting", "said"]
MemoryKind = Literal[
    "fact",
    "perception",
    "core",
    "episodic",
    "semantic",
    "procedural",
    "resource",
    "knowledge_vault",
    "summary",
    "open_loop",
]
MemoryStatus = Literal["active", "invalidated", "superseded"]
EpisodeStatus = Literal["active", "ended"]
DuplicateMethod = Literal["exact", "jaccard", "cosine"]
RecallMode = Literal["hybrid", "bm25_only", "vec_only"]
JobStatus = Literal[
    "pending", "leased", "running", "retry_waiting", "succeeded", "dead_letter", "cancelled"
]
Role = Literal["user", "assistant"]
Action = Literal["add", "search", "chat", "update", "delete"]
ReplyMode = Literal["llm", "sampling", "extractive"]
Verb = Literal[
    "created", "duplicate", "revised", "forgotten", "superseded", "restored", "decayed", "deleted"
]

Context = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a memory is visible: a kind and a name, inside one account."""

    kind: ScopeKind
    name: str


DEFAULT_SCOPE: Final = Scope("collection", "default")
DEFAULT_USER: Final = Scope("user", "default_user")


PAYLOAD_BYTES: Final = 16 * 1024 * 1024
"""How many bytes of UTF-8 the data of a payload, and its metadata, have at most."""


@dataclass(frozen=True, slots=True)
class Payload:
    """What a sensor delivered, kept byte for byte beside its memory."""

    data: str | None = None
    metadata: str | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """A memory as its author wrote it, before the engine has looked at it.

    `category` and `confidence` are inferred from the text where they are None. `dedup` refuses
    what the scope already says in other words; "exact" only the same text of the same kind.
    `occurred_at` is when it happened or was said; None means when it is stored. At `expires_at` it
    goes out of use by itself. `created_at` and `updated_at` are for what was first written and last
    changed elsewhere, before it came here; None means now, and unchanged since.
    """

    content: str
    scope: Scope = DEFAULT_SCOPE
    kind: MemoryKind = "fact"
    context: Context = field(default_factory=dict[str, Any])
    category: str | None = None
    confidence: float | None = None
    episode_id: str | None = None
    perception_type: str | None = None
    payload: Payload | None = None
    dedup: bool | Literal["exact"] = True
    created_at: datetime | None = None
    updated_at: datetime | None = None
    occurred_at: datetime | None = None
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """One remembered thing, as it stands now.

    It happened or was said at `occurred_at`, and was stored at `created_at`. What is no longer true
    ended at `valid_until`, known from the memory `superseded_by`; None for what is current.
    """

    id: int
    scope: Scope
    kind: MemoryKind
    status: MemoryStatus
    content: str
    summary: str
    category: str
    confidence: float
    tags: tuple[str, ...]
    scope_files: tuple[str, ...]
    context: Context
    episode_id: str | None
    perception_type: str | None
    created_at: datetime
    updated_at: datetime
    accessed_at: datetime
    access_count: int
    occurred_at: datetime
    status_reason: str | None = None
    status_at: datetime | None = None
    valid_until: datetime | None = None
    expires_at: datetime | None = None
    superseded_by: int | None = None


def memory_name(number: int) -> str:
    """Return what a memory is called in texts and in the assistant's tools: mem_0000000012."""
    return f"mem_{number:010d}"


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Which memory already says the same, and how that was found."""

    memory_id: int
    method: DuplicateMethod
    similarity: float


@dataclass(frozen=True, slots=True)
class Remembered:
    """The outcome of remembering: a new memory and what it ended, or what already said it."""

    memory: Memory
    duplicate: Duplicate | None = None
    has_vector: bool = False
    supersedes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """A recalled memory and the reasons why: ranks count from 1, None means not found there.

    `score` orders the hits of one answer, the best has 1. `relevance` is how likely the hit
    answers the question at all, and can be compared between answers. `fit` is how well the memory
    by itself fits a `matching` query, from 0 to 1, falling along the hits; 0 for other queries.
    `signals` are the points that moved it besides words and meaning. `passage` tells from which
    character of a long text to which the part stands that was found, where that is not its
    beginning.
    """

    memory: Memory
    score: float
    relevance: float = 0.0
    fit: float = 0.0
    bm25_rank: int | None = None
    bm25_score: float | None = None
    vector_rank: int | None = None
    cosine: float | None = None
    distance: float | None = None
    signals: Mapping[str, float] = field(default_factory=dict[str, float])
    passage: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of a recall, and what it cost in milliseconds by the clock and by the processor."""

    name: str
    wall_ms: float
    cpu_ms: float


@dataclass(frozen=True, slots=True)
class SoughtTerm:
    """A term of the question: how much it counts, and which share of the memories holds it."""

    term: str
    weight: float
    share: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """How an answer came about: what was sought, what each channel offered, and what it cost.

    `embedded` is the text whose meaning was compared, None where words had to do.
    """

    terms: tuple[SoughtTerm, ...]
    embedded: str | None
    by_words: int
    by_meaning: int
    candidates: int
    stages: tuple[Stage, ...]


@dataclass(frozen=True, slots=True)
class Recalled:
    """Hits, best first, which channels spoke, and, where it was asked for, how it came about.

    `total` is how many memories match in all, None for a query that is not `matching`. Without a
    `floor` or a `min_relevance` it is the number of hits, unless the limit cut them.
    """

    hits: tuple[Hit, ...]
    mode: RecallMode
    elapsed_ms: float
    explanation: Explanation | None = None
    total: int | None = None


@dataclass(frozen=True, slots=True)
class Episode:
    """One run of a robot, from start to end."""

    id: str
    scope: Scope
    status: EpisodeStatus
    context: Context
    started_at: datetime
    ended_at: datetime | None = None
    outcome_score: float | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """Background work as it stands: `leased` once a worker took it, `running` once that worker
    was heard from. `attempts` counts how often it was taken.
    """

    id: str
    scope: Scope
    kind: str
    status: JobStatus
    payload: Context
    progress: float
    attempts: int
    max_attempts: int
    run_at: datetime
    worker: str | None
    lease_until: datetime | None
    last_error: str | None
    created_at: datetime
    updated_at: datetime
    finished_at: datetime | None
    floor_id: str | None = None
    revision: int | None = None


@dataclass(frozen=True, slots=True)
class Utterance:
    """Something that was said, with the pictures that were shown beside it, as URIs."""

    role: Role
    content: str
    images: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Message:
    """Something that was said in a conversation; turns count from 0."""

    id: str
    role: Role
    content: str
    turn: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation of a user. `opening` is what was said first, where it was asked for."""

    id: str
    turns: int
    created_at: datetime
    updated_at: datetime
    opening: str | None = None


@dataclass(frozen=True, slots=True)
class Chat:
    """A message to the memory. Without a conversation the user's latest one goes on; an id that
    is new begins one. Where `memorizing` is false, nothing of it is kept anywhere.

    `as_of` asks for the reply of that time. `time_zone` names where the user is, and so what
    "today" is; without it, the setting does.
    """

    message: Utterance
    scope: Scope
    conversation_id: str | None = None
    memorizing: bool = True
    as_of: datetime | None = None
    time_zone: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The reply to a message, who gave it, and the memories that were shown to whoever did.

    `fallback` tells that a language model should have answered and could not.
    """

    text: str
    mode: ReplyMode
    conversation_id: str
    message_id: str
    used: tuple[Hit, ...]
    memorized: bool
    fallback: bool = False


@dataclass(frozen=True, slots=True)
class KindTally:
    """How many memories of a kind are in use, and when one of them last changed."""

    memories: int
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class Activity:
    """One thing that a user did; a search has no kind unless it asked for a single one."""

    action: Action
    kind: MemoryKind | None
    memory_id: int | None
    at: datetime


@dataclass(frozen=True, slots=True)
class Overview:
    """What an account holds: how many scopes of each kind, how many memories in use in them, kind
    by kind, and how many in each collection.
    """

    scopes: Mapping[ScopeKind, int]
    memories: Mapping[ScopeKind, Mapping[MemoryKind, int]]
    collections: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Profile:
    """What is known of a scope without reading its memories.

    `operations` counts what was done in each hour of the last 30 days; `topics` are the words
    that the newest memories share.
    """

    scope: Scope
    kinds: Mapping[MemoryKind, KindTally]
    recent: tuple[Activity, ...]
    operations: Mapping[datetime, int]
    topics: tuple[str, ...]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Consolidated:
    """What the end of an episode merged."""

    merged_groups: int = 0
    superseded_count: int = 0
    compression_ratio: float = 0.0
    avg_similarity: float = 0.0


@dataclass(frozen=True, slots=True)
class EpisodeReport:
    """What an episode stored, and what its end changed and brought to mind."""

    episode: Episode
    memory_count: int
    by_type: Mapping[str, int]
    by_category: Mapping[str, int]
    decayed_count: int
    consolidated: Consolidated
    related: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """One change: who did what, when, and what it looked like before and after."""

    id: int
    verb: Verb
    memory_id: int | None
    actor: str
    at: datetime
    before: Context | None
    after: Context | None
