"""The engine: every verb on one account's memories."""

from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from datetime import datetime
from types import TracebackType
from typing import Self

from mnemic.administration import overview, stats
from mnemic.administration.stats import AccountStats, Linked
from mnemic.assistant import converse as conversing
from mnemic.assistant import profile
from mnemic.memory import episodes, history, remember, revise
from mnemic.memory.retrieval import recall
from mnemic.memory.revise import Revised
from mnemic.memory.texts import embedding
from mnemic.memory.workspace import Workspace
from mnemic.providers.chat_models.chat_model import ChatModel as Replier
from mnemic.providers.chat_models.chat_model import Completion
from mnemic.records.erasure import ErasedKind, Erasure
from mnemic.records.filters import EVERYTHING, Filter
from mnemic.records.memory import (
    DEFAULT_SCOPE,
    DEFAULT_USER,
    Answer,
    Chat,
    Context,
    Conversation,
    Draft,
    Episode,
    EpisodeReport,
    Event,
    Memory,
    MemoryKind,
    MemoryStatus,
    Message,
    Overview,
    Payload,
    Profile,
    Recalled,
    Remembered,
    Scope,
)
from mnemic.records.query import Query
from mnemic.storage.rows import erasure_rows, memory_rows, payload_rows, tally_rows

__all__ = ["Completion", "Engine", "Replier"]


class Engine:
    """One account's memories. Safe to share between threads; close it, or use it in a `with`."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def remember(self, draft: Draft) -> Remembered:
        """Store a memory, or tell which one already says it."""
        return remember.remember_many(self._workspace, [draft])[0]

    def remember_many(self, drafts: Sequence[Draft]) -> list[Remembered]:
        """Store memories in one transaction: all of them, or none where one is refused."""
        return remember.remember_many(self._workspace, drafts)

    def recall(self, query: Query) -> Recalled:
        """Return the memories that answer a query, best first, each with its reasons."""
        return recall.recall(self._workspace, query)

    def get(self, memory_id: int) -> Memory:
        """Return one memory, whatever its status."""
        self._workspace.accesses.flush()
        return self._workspace.existing(memory_id)

    def payload(self, memory_id: int) -> Payload | None:
        """Return what a sensor delivered with a memory, byte for byte."""
        self._workspace.existing(memory_id)
        return payload_rows.get(self._workspace.db, memory_id)

    def browse(
        self,
        scope: Scope = DEFAULT_SCOPE,
        *,
        status: MemoryStatus | None = "active",
        category: str | None = None,
        filter: Filter | None = None,
        limit: int = 50,
        before_id: int | None = None,
    ) -> list[Memory]:
        """Return a page of memories, newest first; the next page starts before the last id."""
        scope_ids = self._workspace.scope_ids((scope,))
        if not scope_ids:
            return []
        return memory_rows.listed(
            self._workspace.db,
            scope_ids[0],
            status=status,
            category=category,
            chosen=filter or EVERYTHING,
            limit=limit,
            before_id=memory_rows.NEWEST if before_id is None else before_id,
        )

    def count(
        self, scope: Scope = DEFAULT_SCOPE, *, kinds: Collection[MemoryKind] | None = None
    ) -> int:
        """Return how many memories of a scope are in use, or of some kinds of them."""
        counted = [
            (kind, one.memories)
            for scope_id in self._workspace.scope_ids((scope,))
            for kind, one in tally_rows.of_scope(self._workspace.db, scope_id).items()
        ]
        return sum(number for kind, number in counted if kinds is None or kind in kinds)

    def revise(self, memory_id: int, content: str, *, context: Context | None = None) -> Revised:
        """Give a memory a new text; the old version stays in the history."""
        return revise.revise(self._workspace, memory_id, content, context=context)

    def forget(self, memory_id: int, *, reason: str) -> Memory:
        """Take a memory out of use; it stays readable, and `undo` brings it back."""
        return revise.forget(self._workspace, memory_id, reason=reason)

    def history(self, memory_id: int) -> list[Event]:
        """Return everything that happened to a memory, oldest first."""
        return history.history(self._workspace, memory_id)

    def links(self, memory_id: int, *, limit: int = 100) -> list[Linked]:
        """Return what a memory is related to, in both directions."""
        return stats.links(self._workspace, memory_id, limit=limit)

    def stats(self, *, scopes: int = 10) -> AccountStats:
        """Return what the account holds, with the fullest scopes of each kind."""
        return stats.stats(self._workspace, scopes=scopes)

    def undo(self, memory_id: int) -> Memory:
        """Bring back the version before the last change; again, and it goes further back."""
        return history.undo(self._workspace, memory_id)

    def start_episode(
        self, scope: Scope = DEFAULT_SCOPE, *, context: Context | None = None
    ) -> tuple[Episode, int]:
        """Begin a run; return it and how many memories it can draw on."""
        return episodes.start_episode(self._workspace, scope, context=context or {})

    def end_episode(self, episode_id: str, *, outcome_score: float | None = None) -> EpisodeReport:
        """End a run: age the scope, merge what the run said twice, recall what resembles it."""
        return episodes.end_episode(self._workspace, episode_id, outcome_score=outcome_score)

    def converse(self, chat: Chat, sampling: Replier | None = None) -> Answer:
        """Reply to a message from what is remembered, and keep the turn unless told not to."""
        return conversing.converse(self._workspace, chat, sampling)

    def conversations(
        self, scope: Scope, *, limit: int = 50, offset: int = 0
    ) -> list[Conversation]:
        """Return a page of a user's conversations, the last used first."""
        return conversing.listed(self._workspace, scope, limit=limit, offset=offset)

    def messages(
        self, scope: Scope, conversation_id: str, *, first: int = 0, turns: int = 100
    ) -> list[Message]:
        """Return what was said in some turns of a conversation, from the first one on, in order."""
        return conversing.messages(
            self._workspace, scope, conversation_id, first=first, turns=turns
        )

    def delete_conversation(self, scope: Scope, conversation_id: str) -> int:
        """Delete a conversation; return how many memories were made from it alone and go too."""
        return conversing.delete(self._workspace, scope, conversation_id)

    def erase(
        self,
        kind: ErasedKind,
        name: str | int,
        *,
        user: str = DEFAULT_USER.name,
        dry_run: bool = False,
    ) -> Erasure:
        """Remove a memory, conversation, session, user, collection or account and all that follows
        from it, for ever; return the receipt, which holds nothing of it.

        `user` is whose conversation it is. A dry run changes nothing, and counts what would go.
        """
        from mnemic.administration.erasing.erase import erase  # noqa: PLC0415  it loads a chat's memory
        from mnemic.administration.erasing.erasure_targets import ErasureTarget  # noqa: PLC0415  as above

        return erase(self._workspace, ErasureTarget(kind, str(name), user), dry_run=dry_run)

    def erasures(self) -> list[Erasure]:
        """Return the receipts of what was erased, the oldest first."""
        return [one.erasure for one in erasure_rows.listed(self._workspace.db)]

    def profile(self, scope: Scope) -> Profile | None:
        """Return what a scope holds and how it is used; None where nothing was ever put there."""
        return profile.profile(self._workspace, scope)

    def overview(self) -> Overview:
        """Return what the account holds, counted without reading its memories."""
        return overview.overview(self._workspace)

    def newest(self, *, limit: int = 20) -> list[Memory]:
        """Return the newest memories in use, over all scopes; secret ones are left out."""
        return overview.newest(self._workspace, limit=limit)

    def empty_profile(self, scope: Scope) -> Profile:
        """Return the profile of a scope that nothing was put into yet."""
        return profile.empty_profile(self._workspace, scope)

    def now(self) -> datetime:
        """Return the time as this memory's clock has it."""
        return self._workspace.clock()

    def embed_missing(
        self, *, progress: Callable[[int, int], None] = lambda done, total: None
    ) -> int:
        """Give a vector to every memory that has none of the current model; return how many."""
        return embedding.embed_missing(self._workspace, progress=progress)

    def warm_up(self) -> None:
        """Begin to load the embedder in the background, so that the first call need not wait."""
        self._workspace.embedder.start()

    def close(self) -> None:
        """Write what is pending and let go of the store, whatever goes wrong meanwhile."""
        # The last first; each is closed though another fails, and the failure is raised then.
        with ExitStack() as parts:
            parts.callback(self._workspace.db.close)
            if self._workspace.chat_model is not None:
                parts.callback(self._workspace.chat_model.close)
            parts.callback(self._workspace.embedder.close)
            parts.callback(self._workspace.accesses.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
