"""What every verb of the engine works with."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from mnemic.engine.accesses import AccessLog
from mnemic.errors import NotFoundError, StateError
from mnemic.items import CHAT_SCOPES
from mnemic.providers.chat_model import ChatModel
from mnemic.providers.embedder import Embedder
from mnemic.providers.loading import LazyEmbedder
from mnemic.records import Context, Memory, Scope, Verb
from mnemic.settings import Settings
from mnemic.storage import documents, events, items, memories, scopes
from mnemic.storage.database import Database
from mnemic.watching import Watcher

# No memory has another, and no store takes one for a question.
_NUMBERS: Final = range(1, 2**63)


@dataclass(frozen=True, slots=True)
class Workspace:
    """One account's view of one store, with the clock and the source of ids as arguments."""

    db: Database
    embedder: LazyEmbedder
    settings: Settings
    clock: Callable[[], datetime]
    new_id: Callable[[], str]
    accesses: AccessLog
    chat_model: ChatModel | None = None
    models: dict[str, int] = field(default_factory=dict[str, int])
    """The numbers of the models that were used, which never change."""

    watcher: Watcher | None = None
    """Who is told what is being done, for metrics and traces."""

    def moment(self) -> datetime:
        """Return the time in whole milliseconds, as chats tell it."""
        now = self.clock()
        return now.replace(microsecond=now.microsecond // 1000 * 1000)

    def scope_ids(self, wanted: tuple[Scope, ...]) -> tuple[int, ...]:
        """Return the numbers of the scopes that exist."""
        found = (scopes.find(self.db, scope) for scope in wanted)
        return tuple(number for number in found if number is not None)

    def model_id(self, embedder: Embedder) -> int:
        """Return the number of a model; it is made on first use."""
        if embedder.name not in self.models:
            self.models[embedder.name] = documents.ensure_model(
                self.db, embedder.name, embedder.dimensions
            )
        return self.models[embedder.name]

    def known_model(self, embedder: Embedder) -> int | None:
        """Return the number of a model, or None where the store does not know it: it can hold no
        vector of it then. Nothing is written.
        """
        if embedder.name not in self.models:
            found = documents.find_model(self.db, embedder.name)
            if found is None:
                return None
            self.models[embedder.name] = found
        return self.models[embedder.name]

    def journal(
        self,
        verb: Verb,
        *,
        scope_id: int,
        memory_id: int | None,
        at: datetime,
        before: Context | None = None,
        after: Context | None = None,
    ) -> None:
        """Write down one change in this user's name, in the transaction that makes it."""
        events.record(
            self.db,
            verb,
            scope_id=scope_id,
            memory_id=memory_id,
            actor=self.settings.actor,
            at=at,
            before=before,
            after=after,
        )

    def existing(self, memory_id: int) -> Memory:
        """Return one of this account's memories, whatever its status."""
        memory = memories.get(self.db, memory_id) if memory_id in _NUMBERS else None
        if memory is None:
            raise NotFoundError(f"There is no memory {memory_id}.", memory_id=memory_id)
        return memory

    def to_change(self, memory_id: int) -> Memory:
        """Return one of this account's memories as it is while this transaction lasts.

        What a chat keeps as an item is changed as one, or its lists would no longer be true.
        """
        if memory_id in _NUMBERS:
            memories.hold(self.db, memory_id)
        memory = self.existing(memory_id)
        if memory.scope.kind in CHAT_SCOPES and items.is_item(self.db, memory_id):
            raise StateError(
                f"Memory {memory_id} is an item of a chat. Change it with memory.chat.",
                memory_id=memory_id,
            )
        return memory
