"""Counting recalls and searches without making them wait for a write."""

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from threading import Event, Lock, Thread
from typing import Final

from mnemic.errors import MnemicError
from mnemic.records.memory import MemoryKind, Scope
from mnemic.storage.database import Database
from mnemic.storage.rows import activity_rows, memory_rows, scope_rows
from mnemic.storage.rows.memory_rows import Access

_LOG = logging.getLogger("mnemic")
_SECONDS_BETWEEN_WRITES: Final = 1.0
_PORTION: Final = 200


@dataclass(frozen=True, slots=True)
class Searched:
    """That a user searched, and for which kind, where it was only one."""

    scope: Scope
    kind: MemoryKind | None
    at: datetime


@dataclass(slots=True)
class Noted:
    """What waits to be written: the accesses by memory, the searches in order, and when items of
    chats were injected.
    """

    accesses: dict[int, Access] = field(default_factory=dict[int, Access])
    searches: list[Searched] = field(default_factory=list[Searched])
    injected: dict[str, datetime] = field(default_factory=dict[str, datetime])

    def __bool__(self) -> bool:
        return bool(self.accesses or self.searches or self.injected)

    def count(self, memory_id: int, *, times: int, at: datetime) -> None:
        """Count a memory as recalled."""
        before = self.accesses.get(memory_id)
        self.accesses[memory_id] = Access(
            memory_id, (before.count if before else 0) + times, max(before.at, at) if before else at
        )


AccessWriter = Callable[[list[Access], list[Searched], Mapping[str, datetime]], None]


class AccessLog:
    """Collects what was recalled and who searched, and writes it together, in the background.

    What could not be written is kept and tried again. A process that is killed loses at most the
    last second's counts, never a memory.
    """

    def __init__(self, write: AccessWriter) -> None:
        self._write = write
        self._lock = Lock()
        self._waiting = Noted()
        self._writing = Lock()
        self._stop = Event()
        self._thread: Thread | None = None

    def note(self, memory_ids: Iterable[int], *, at: datetime) -> None:
        """Remember that these memories were recalled just now."""
        with self._lock:
            for memory_id in memory_ids:
                self._waiting.count(memory_id, times=1, at=at)
            self._begin()

    def note_search(self, searched: Searched) -> None:
        """Remember that a user searched just now."""
        with self._lock:
            self._waiting.searches.append(searched)
            self._begin()

    def note_used(self, uids: Iterable[str], *, at: datetime) -> None:
        """Remember that these items of a chat were injected just now."""
        with self._lock:
            self._waiting.injected.update(dict.fromkeys(uids, at))
            self._begin()

    def flush(self) -> None:
        """Write everything that was noted so far."""
        with self._writing:
            with self._lock:
                noted, self._waiting = self._waiting, Noted()
            if not noted:
                return
            try:
                self._write_in_portions(noted)
            except MnemicError:
                self._take_back(noted)
                raise

    def close(self) -> None:
        """Write what is left and stop. What cannot be written now never will be."""
        self._stop.set()
        thread = self._thread
        if thread is not None:
            thread.join()
        try:
            self.flush()
        finally:
            with self._lock:
                self._waiting = Noted()

    def _begin(self) -> None:
        if self._waiting and self._thread is None:
            self._thread = Thread(target=self._run, name="mnemic-accesses", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        while not self._stop.wait(_SECONDS_BETWEEN_WRITES):
            try:
                self.flush()
            except MnemicError as error:
                _LOG.warning("Recall counts could not be written yet: %s", error)
            with self._lock:
                # A server keeps one of these for each key: who rests needs no thread.
                if not self._waiting:
                    self._thread = None
                    return

    def _write_in_portions(self, noted: Noted) -> None:
        """Write a little at a time, so that who learns waits for little; take away what is done."""
        while noted:
            portion = list(islice(noted.accesses.values(), _PORTION))
            used = dict(islice(noted.injected.items(), _PORTION))
            self._write(portion, noted.searches[:_PORTION], used)
            for uid in used:
                del noted.injected[uid]
            for access in portion:
                del noted.accesses[access.memory_id]
            del noted.searches[:_PORTION]

    def _take_back(self, noted: Noted) -> None:
        with self._lock:
            for access in noted.accesses.values():
                self._waiting.count(access.memory_id, times=access.count, at=access.at)
            self._waiting.searches[:0] = noted.searches
            self._waiting.injected = noted.injected | self._waiting.injected


def put_down(
    db: Database,
    accesses: list[Access],
    searches: list[Searched],
    injected: Mapping[str, datetime],
) -> None:
    """Write what was noted; call it inside a writing transaction."""
    # Users in the same order as everywhere, so that two writers never wait for each other.
    whose = sorted(
        {search.scope for search in searches}, key=lambda scope: (scope.kind, scope.name)
    )
    held = {scope: scope_rows.hold(db, scope, now=searches[0].at) for scope in whose}
    for search in searches:
        activity_rows.note(
            db,
            "search",
            scope_id=held[search.scope],
            kind=search.kind,
            memory_id=None,
            at=search.at,
        )
    if accesses:
        memory_rows.record_accesses(db, accesses)
    if injected:
        from mnemic.storage.chat_rows import item_rows  # noqa: PLC0415  few need the chat

        for at in sorted(set(injected.values())):
            uids = sorted(uid for uid, used_at in injected.items() if used_at == at)
            item_rows.note_use(db, uids, now=at)
