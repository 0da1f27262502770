"""Counting recalls without making them wait for a write."""

import logging
from collections.abc import Callable, Iterable
from datetime import datetime
from threading import Event, Lock, Thread
from typing import Final

from mnemic.errors import MnemicError
from mnemic.storage.memories import Access

_LOG = logging.getLogger("mnemic")
_SECONDS_BETWEEN_WRITES: Final = 1.0


class AccessLog:
    """Collects which memories were recalled, and writes the counts together, in the background.

    A count that could not be written is kept and tried again. A process that is killed loses at
    most the last second's counts, never a memory.
    """

    def __init__(self, write: Callable[[list[Access]], None]) -> None:
        self._write = write
        self._lock = Lock()
        self._waiting: dict[int, Access] = {}
        self._writing = Lock()
        self._stop = Event()
        self._thread: Thread | None = None

    def note(self, memory_ids: Iterable[int], *, at: datetime) -> None:
        """Remember that these memories were recalled just now."""
        with self._lock:
            for memory_id in memory_ids:
                before = self._waiting.get(memory_id)
                count = before.count + 1 if before else 1
                self._waiting[memory_id] = Access(memory_id, count, at)
            if self._waiting and self._thread is None:
                self._thread = Thread(target=self._run, name="mnemic-accesses", daemon=True)
                self._thread.start()

    def flush(self) -> None:
        """Write everything that was noted so far."""
        with self._writing:
            with self._lock:
                noted, self._waiting = self._waiting, {}
            if not noted:
                return
            try:
                self._write(list(noted.values()))
            except MnemicError:
                self._take_back(noted)
                raise

    def close(self) -> None:
        """Write what is left and stop."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
        self.flush()

    def _run(self) -> None:
        while not self._stop.wait(_SECONDS_BETWEEN_WRITES):
            try:
                self.flush()
            except MnemicError as error:
                _LOG.warning("Recall counts could not be written yet: %s", error)

    def _take_back(self, noted: dict[int, Access]) -> None:
        with self._lock:
            for memory_id, access in noted.items():
                newer = self._waiting.get(memory_id)
                self._waiting[memory_id] = (
                    Access(memory_id, access.count + newer.count, newer.at) if newer else access
                )
