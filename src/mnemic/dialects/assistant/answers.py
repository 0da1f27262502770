"""What the assistant's tools answer, key by key, as its contract has it."""

from typing import Any, NotRequired, TypedDict


class Added(TypedDict):
    """A memory was added; `duplicate` where the same text was there already."""

    memory_id: str
    content: str
    memory_type: str
    context: Any
    created_at: str
    user_id: str
    duplicate: NotRequired[bool]
    supersedes: NotRequired[list[str]]
    occurred_at: NotRequired[str]
    valid_until: NotRequired[str]
    expires_at: NotRequired[str]
    superseded_by: NotRequired[str]


class MatchingMemory(TypedDict):
    """A memory that matches."""

    memory_id: str
    content: str
    memory_type: str
    context: Any
    relevance_score: float
    created_at: str
    updated_at: str
    occurred_at: NotRequired[str]
    valid_until: NotRequired[str]
    expires_at: NotRequired[str]
    superseded_by: NotRequired[str]


class Results(TypedDict):
    """What matches, best first, and how much there is in all."""

    query: str
    results: list[MatchingMemory]
    total_results: int
    search_time: float


class Used(TypedDict):
    """A memory that was shown to whoever replied."""

    memory_id: str
    content: str
    relevance_score: float


class Replied(TypedDict):
    """The reply; `mode` says who gave it, `fallback` that a model should have."""

    response: str
    conversation_id: str
    message_id: str
    used_memories: list[Used]
    memorized: bool
    response_time: float
    mode: str
    fallback: NotRequired[bool]


class TypeCount(TypedDict):
    """How many memories of a type there are, and when one of them last changed."""

    count: int
    last_updated: str | None


class Did(TypedDict):
    """Something that the user did."""

    action: str
    memory_type: str | None
    timestamp: str


class Patterns(TypedDict):
    """How the memory is used: shares in percent, hours in UTC."""

    type_distribution: dict[str, float]
    activity_level: str
    operations_last_7_days: int
    operations_per_day: float
    peak_hours: list[int]
    top_topics: list[str]


class UserProfile(TypedDict):
    """What a user's memory holds and how it is used."""

    total_memories: int
    memory_types: dict[str, TypeCount]
    recent_activity: list[Did]
    created_at: str
    last_activity: str | None
    usage_patterns: Patterns


class ProfileOfUser(TypedDict):
    """A user and their profile."""

    user_id: str
    profile: UserProfile


class Kept(TypedDict):
    """A memory as it stands."""

    memory_id: str
    content: str
    memory_type: str
    context: Any
    created_at: str
    updated_at: str
    user_id: str
    occurred_at: NotRequired[str]
    valid_until: NotRequired[str]
    expires_at: NotRequired[str]
    superseded_by: NotRequired[str]


class KeptList(TypedDict):
    """A page of memories, newest first; `next_before` asks for the next one."""

    memories: list[Kept]
    total: int
    next_before: str | None


class DeletedMemory(TypedDict):
    """A memory is out of use."""

    memory_id: str
    deleted: bool


class MemoryErased(TypedDict):
    """What was removed for ever, or would be: how many rows of which kind."""

    receipt: str
    erased: bool
    counts: dict[str, int]
    finished: bool


class ConversationShown(TypedDict):
    """A conversation, and what was said first in it."""

    conversation_id: str
    turns: int
    opening: str | None
    created_at: str
    updated_at: str


class ConversationList(TypedDict):
    """A page of conversations, the last used first."""

    conversations: list[ConversationShown]


class SaidMessage(TypedDict):
    """Something that was said."""

    message_id: str
    role: str
    content: str
    created_at: str


class ConversationWhole(TypedDict):
    """What was said in up to 100 turns of a conversation, in order; `next_offset` asks for more."""

    conversation_id: str
    messages: list[SaidMessage]
    next_offset: int | None


class ConversationDeleted(TypedDict):
    """A conversation is gone, and what was remembered from it alone."""

    conversation_id: str
    deleted: bool
    forgotten_memories: int


class ErrorBody(TypedDict):
    """Why a call was refused, and what to change."""

    code: str
    message: str
    details: str
    retryable: bool
