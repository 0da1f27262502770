"""What every verb of the engine works with."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final, Self

from mnemic.errors import NotFoundError, StateError
from mnemic.memory.retrieval.access_counts import AccessLog
from mnemic.memory.work_shares import WorkShares
from mnemic.providers.chat_models.chat_model import ChatModel
from mnemic.providers.embedders.embedder import Embedder
from mnemic.providers.embedders.loading import LazyEmbedder
from mnemic.records.item import CHAT_SCOPES
from mnemic.records.memory import Context, Memory, Scope, Verb
from mnemic.runtime.budgets import Budget, is_limited, within
from mnemic.settings import Settings
from mnemic.storage.chat_rows import item_rows
from mnemic.storage.database import Database
from mnemic.storage.rows import document_rows, event_rows, memory_rows, scope_rows
from mnemic.telemetry.observer import Watcher

# No memory has another, and no store takes one for a question.
_NUMBERS: Final = range(1, 2**63)
# From so many memories on, one call is a bulk load.
_BULK: Final = 500


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

    key_id: str | None = None
    """The key that whoever works here has shown; None where none is needed."""

    work_shares: WorkShares = field(default_factory=WorkShares)
    """Whose job is done next by the workers of this process."""

    watcher: Watcher | None = None
    """Who is told what is being done, for metrics and traces."""

    as_of: datetime | None = None
    """The time whose state is asked for; None is now."""

    rule_clock: Callable[[], float] = time.thread_time
    """How many seconds this thread has computed."""

    def call(self) -> AbstractContextManager[None]:
        """Return what ends a call that reads texts for too long; one inside of another adds
        nothing.
        """
        if is_limited():
            return nullcontext()
        return within(Budget(self.settings.call_seconds, "call_seconds", self.rule_clock))

    def job(self) -> AbstractContextManager[None]:
        """Return what ends a job that reads texts for too long."""
        return within(Budget(self.settings.job_seconds, "job_seconds", self.rule_clock))

    def seen_from(self, as_of: datetime | None, time_zone: str | None) -> Self:
        """Return the same memory for a question that is asked at a time and a place."""
        settings = self.settings
        if time_zone is not None:
            settings = replace(settings, time_zone=time_zone)
        clock = self.dated(as_of).clock
        zone = settings.zone
        return replace(self, settings=settings, as_of=as_of, clock=lambda: clock().astimezone(zone))

    def dated(self, moment: datetime | None) -> Self:
        """Return the same memory, all of it, where that is the time; None is now."""
        return self if moment is None else replace(self, clock=lambda: moment)

    def moment(self) -> datetime:
        """Return the time in whole milliseconds, as chats tell it."""
        now = self.clock()
        return now.replace(microsecond=now.microsecond // 1000 * 1000)

    def scope_ids(self, wanted: tuple[Scope, ...]) -> tuple[int, ...]:
        """Return the numbers of the scopes that exist."""
        numbers = (scope_rows.find(self.db, scope) for scope in wanted)
        return tuple(number for number in numbers if number is not None)

    def scopes_at(
        self, wanted: tuple[Scope, ...], moment: datetime
    ) -> tuple[tuple[int, ...], bool]:
        """Return the numbers of the scopes that exist, and whether something in them expired by a
        moment and was not taken out yet.
        """
        scopes = [scope_rows.find_at(self.db, scope, moment) for scope in wanted]
        there = [entry for entry in scopes if entry is not None]
        return tuple(number for number, _ in there), any(overdue for _, overdue in there)

    def model_id(self, embedder: Embedder) -> int:
        """Return the number of a model; it is made on first use."""
        if embedder.name not in self.models:
            self.models[embedder.name] = document_rows.ensure_model(
                self.db, embedder.name, embedder.dimensions
            )
        return self.models[embedder.name]

    def known_model(self, embedder: Embedder) -> int | None:
        """Return the number of a model, or None where the store does not know it: it can hold no
        vector of it then. Nothing is written.
        """
        if embedder.name not in self.models:
            model = document_rows.find_model(self.db, embedder.name)
            if model is None:
                return None
            self.models[embedder.name] = model
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
        event_rows.record(
            self.db,
            verb,
            scope_id=scope_id,
            memory_id=memory_id,
            actor=self.settings.actor,
            at=at,
            before=before,
            after=after,
        )

    def loaded(self, count: int) -> None:
        """Tell the store how many memories one call has written: after many, its planner
        needs new statistics.
        """
        if count >= _BULK:
            self.db.analyze()

    def existing(self, memory_id: int) -> Memory:
        """Return one of this account's memories, whatever its status."""
        memory = memory_rows.get(self.db, memory_id) if memory_id in _NUMBERS else None
        if memory is None:
            raise NotFoundError(f"There is no memory {memory_id}.", memory_id=memory_id)
        return memory

    def to_change(self, memory_id: int) -> Memory:
        """Return one of this account's memories as it is while this transaction lasts.

        What a chat keeps as an item is changed as one, or its lists would no longer be true.
        """
        if memory_id in _NUMBERS:
            memory_rows.hold(self.db, memory_id)
        memory = self.existing(memory_id)
        if memory.scope.kind in CHAT_SCOPES and item_rows.is_item(self.db, memory_id):
            raise StateError(
                f"Memory {memory_id} is an item of a chat. Change it with memory.chat.",
                memory_id=memory_id,
            )
        return memory
