"""What the robot tools answer, key by key, as its contract has it."""

from typing import Any, NotRequired, TypedDict


class CategoryGuess(TypedDict):
    """What kind of thing a text is, and how sure."""

    category: str
    confidence: float


class Inferred(CategoryGuess):
    """What was read out of a text."""

    tags: list[str]
    scope_files: list[str]


class Learned(TypedDict):
    """A lesson was stored (`created`), or is known already (`duplicate`)."""

    status: str
    memory_id: NotRequired[int]
    auto_inferred: NotRequired[Inferred]
    supersedes: NotRequired[list[int]]
    truncated: NotRequired[bool]
    warning: NotRequired[str]
    method: NotRequired[str]
    existing_id: NotRequired[int]
    similarity: NotRequired[float]


class Experience(TypedDict):
    """A recalled memory, with what its context says in four partitions."""

    id: int
    content: str
    human_summary: str
    type: str
    perception_type: str | None
    session_id: str | None
    category: str
    confidence: float
    context: str
    params: Any
    spatial: Any
    robot: Any
    task: Any
    _rrf_score: float
    _bm25_rank: int | None
    _vec_rank: int | None
    _relevance: NotRequired[float]
    _why: NotRequired["Reasons"]
    distance: NotRequired[float | None]
    created_at: str
    occurred_at: NotRequired[str]
    valid_until: NotRequired[str]
    expires_at: NotRequired[str]
    superseded_by: NotRequired[int]


class Reasons(TypedDict):
    """Why a memory was found: its score in each channel, and the points that signals gave it."""

    bm25: float | None
    cosine: float | None
    signals: dict[str, float]


class TermWeight(TypedDict):
    """A term of the question, how much it counts, and which share of the memories holds it."""

    term: str
    weight: float
    share: float


class RecallStep(TypedDict):
    """One step of a recall and what it cost."""

    name: str
    wall_ms: float
    cpu_ms: float


class Explained(TypedDict):
    """How an answer came about: what was sought, what each channel offered, what it cost."""

    terms: list[TermWeight]
    embedded: str | None
    by_words: int
    by_meaning: int
    candidates: int
    stages: list[RecallStep]


class Recollection(TypedDict):
    """The answer of recall."""

    memories: list[Experience]
    total: int
    mode: str
    query_ms: float
    explanation: NotRequired[Explained]


class Perceived(TypedDict):
    """The answer of save_perception."""

    memory_id: int
    perception_type: str
    collection: str
    has_embedding: bool


class Forgotten(TypedDict):
    """The answer of forget."""

    status: str
    memory_id: int
    content: str
    reason: str


class Erased(TypedDict):
    """The answer of erase."""

    status: str
    receipt: str
    counts: dict[str, int]
    finished: bool


class Updated(TypedDict):
    """The answer of update."""

    status: str
    memory_id: int
    old_content: str
    new_content: str
    auto_inferred: CategoryGuess
    truncated: NotRequired[bool]
    warning: NotRequired[str]


class SessionStarted(TypedDict):
    """The answer of start_session."""

    session_id: str
    collection: str
    active_memories_count: int
    warning: NotRequired[str]


class SessionSummary(TypedDict):
    """What a session stored."""

    memory_count: int
    by_type: dict[str, int]
    by_category: dict[str, int]


class Merged(TypedDict):
    """What the end of a session merged."""

    merged_groups: int
    superseded_count: int
    compression_ratio: float
    avg_similarity: float


class Related(TypedDict):
    """A memory of another session that resembles this one."""

    id: int
    content: str
    _rrf_score: float


class SessionEnded(TypedDict):
    """The answer of end_session."""

    status: str
    session_id: str
    summary: SessionSummary
    decayed_count: int
    consolidated: Merged
    related_memories: list[Related]


class Record(TypedDict):
    """One memory in full, whatever its status, with its payload as it was given."""

    id: int
    status: str
    status_reason: str | None
    content: str
    human_summary: str
    type: str
    perception_type: str | None
    collection: str
    session_id: str | None
    category: str
    confidence: float
    tags: list[str]
    scope_files: list[str]
    context: str
    access_count: int
    created_at: str
    updated_at: str
    last_accessed: str
    occurred_at: NotRequired[str]
    valid_until: NotRequired[str]
    expires_at: NotRequired[str]
    superseded_by: NotRequired[int]
    data: NotRequired[str | None]
    metadata: NotRequired[str | None]


class HistoryEntry(TypedDict):
    """One entry of a memory's history."""

    event_id: int
    verb: str
    actor: str
    at: str
    before: Any
    after: Any
