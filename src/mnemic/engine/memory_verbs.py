"""The engine: every verb on one account's memories. Functions of the modules are its methods."""

from collections.abc import Callable
from contextlib import ExitStack
from datetime import datetime
from types import TracebackType
from typing import Self

from mnemic.administration.overview import newest, overview
from mnemic.administration.stats import links, stats
from mnemic.assistant.converse import converse, delete_conversation, list_conversations, messages
from mnemic.assistant.profile import empty_profile, profile
from mnemic.engine.workspace_methods import HoldsWorkspace, method
from mnemic.memory.episodes import end_episode, start_episode
from mnemic.memory.history import history, undo
from mnemic.memory.remember import remember, remember_many
from mnemic.memory.retrieval.lookups import browse, count, get, payload
from mnemic.memory.retrieval.recall import recall
from mnemic.memory.revise import forget, revise
from mnemic.memory.supersede import supersede
from mnemic.memory.texts.embedding import embed_missing
from mnemic.providers.chat_models.chat_model import AnswerForm, Completion
from mnemic.providers.chat_models.chat_model import ChatModel as Replier
from mnemic.providers.chat_models.streamed_answers import listening
from mnemic.records.erasure import ErasedKind, Erasure
from mnemic.records.memory import DEFAULT_USER
from mnemic.storage.rows import erasure_rows

__all__ = ["AnswerForm", "Completion", "Engine", "Replier", "listening"]


class Engine(HoldsWorkspace):
    """One account's memories. Safe to share between threads; close it, or use it in a `with`."""

    remember = method(remember)
    remember_many = method(remember_many)
    recall = method(recall)
    get = method(get)
    payload = method(payload)
    browse = method(browse)
    count = method(count)
    revise = method(revise)
    forget = method(forget)
    supersede = method(supersede)
    history = method(history)
    links = method(links)
    stats = method(stats)
    undo = method(undo)
    start_episode = method(start_episode)
    end_episode = method(end_episode)
    converse = method(converse)
    conversations = method(list_conversations)
    messages = method(messages)
    delete_conversation = method(delete_conversation)

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

        return erase(self._workspace, kind, name, user=user, dry_run=dry_run)

    def erasures(self) -> list[Erasure]:
        """Return the receipts of what was erased, the oldest first."""
        return [begun.erasure for begun in erasure_rows.listed(self._workspace.db)]

    profile = method(profile)
    overview = method(overview)
    newest = method(newest)
    empty_profile = method(empty_profile)

    def now(self) -> datetime:
        """Return the time as this memory's clock has it."""
        return self._workspace.clock()

    def embed_missing(
        self, *, progress: Callable[[int, int], None] = lambda done, total: None
    ) -> int:
        """Give a vector to every memory that has none of the current model; return how many. Long
        texts of an older store get their passages first.
        """
        from mnemic.administration.splitting import split_texts  # noqa: PLC0415  few need the chat

        for _ in split_texts(self._workspace):
            progress(0, 0)
        return embed_missing(self._workspace, progress=progress)

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
