"""The chat: items and edges, conversations with branches and turns, jobs, the block to inject.

Start reading at `turns`, then `context`. It may import `memory` and everything below, and
knows nothing of `assistant`. Programs import the records of a chat from here; the
router is loaded when asked for, because it stands above this package.
"""

from typing import TYPE_CHECKING, Any

from mnemic.errors import ConflictError
from mnemic.records.conversation import (
    Branch,
    Compaction,
    ContextBlock,
    ContextQuery,
    Ingest,
    JobFilter,
    Line,
    Queued,
    ScopeState,
    Session,
    Turn,
    TurnDraft,
    VersionDraft,
    branch_scope,
    chat_scope,
)
from mnemic.records.item import Edge, Item, ItemChange, ItemFilter, ItemStats, NewItem, Page, Paging

if TYPE_CHECKING:
    from mnemic.dialects.chat.router import chat_router

__all__ = [
    "Branch",
    "Compaction",
    "ConflictError",
    "ContextBlock",
    "ContextQuery",
    "Edge",
    "Ingest",
    "Item",
    "ItemChange",
    "ItemFilter",
    "ItemStats",
    "JobFilter",
    "Line",
    "NewItem",
    "Page",
    "Paging",
    "Queued",
    "ScopeState",
    "Session",
    "Turn",
    "TurnDraft",
    "VersionDraft",
    "branch_scope",
    "chat_router",
    "chat_scope",
]


def __getattr__(name: str) -> Any:
    """Load the router when it is asked for: FastAPI is not needed where nobody mounts it."""
    if name == "chat_router":
        from mnemic.dialects.chat.router import chat_router  # noqa: PLC0415  see above

        return chat_router
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
