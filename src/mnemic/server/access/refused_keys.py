"""Refused keys, as the audit log is told of them: at once, but never as often as somebody tries.

Whoever reaches the port can show wrong keys all day. The first of a source is written down at once;
what follows is counted, and written as one entry every ten minutes. Of all these entries the store
keeps only the latest. So a stranger fills no disk.
"""

import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from time import monotonic
from typing import Final

from mnemic.administration.keys import ShownKey
from mnemic.errors import MnemicError
from mnemic.opening import OpenMemory

_LOG: Final = logging.getLogger("mnemic.records.audit_entry")
SECONDS: Final = 600.0
"""How long refusals are counted before they are written."""

# Of more sources in that time, only the sum is told.
_MOST_SOURCES: Final = 10


@dataclass(frozen=True, slots=True)
class _Source:
    """Where refused keys come from, and why they are; the key that was named, where there is one,
    and its holder where the secret was right.
    """

    fault: str
    key_id: str | None = None
    account: str | None = None
    actor: str = "unknown"
    address: str | None = None


_OTHERS: Final = _Source("several")


class RefusedKeys:
    """Counts refused keys by where they come from, and writes them down. Threads may share it."""

    def __init__(self, memory: OpenMemory, *, clock: Callable[[], float] = monotonic) -> None:
        self._memory = memory
        self._clock = clock
        self._lock = Lock()  # guards what is counted
        self._began = clock()
        self._written: set[_Source] = set()
        self._pending: Counter[_Source] = Counter()

    def note(self, shown: ShownKey, address: str | None) -> None:
        """Take notice of a key that was refused; the first of a source is written at once."""
        source = _source(shown, address)
        with self._lock:
            is_over = self._clock() - self._began >= SECONDS
            if source not in self._written and len(self._written) >= _MOST_SOURCES:
                source = _OTHERS
            self._pending[source] += 1
            is_first = source not in self._written
        if is_over:
            self.write()
        elif is_first:
            self._write_one(source)

    def write(self) -> None:
        """Write down what was counted, and begin anew."""
        with self._lock:
            sources = list(self._pending)
            self._written.clear()
            self._began = self._clock()
        for source in sources:
            self._write_one(source)

    def _write_one(self, source: _Source) -> None:
        with self._lock:
            count = self._pending.pop(source, 0)
            self._written.add(source)
        if not count:
            return
        try:
            self._memory.audit.add(
                "key.refused",
                actor=source.actor,
                account=source.account,
                target=source.key_id,
                counts={source.fault: count},
                outcome="refused",
                address=source.address,
            )
        except MnemicError as error:
            # The key is refused all the same; it is told with the next ones.
            _LOG.warning("Refused keys could not be written to the audit log: %s", error)
            with self._lock:
                self._pending[source] += count


def _source(shown: ShownKey, address: str | None) -> _Source:
    fault, key = shown.fault or "unknown", shown.key
    if key is None:
        return _Source(fault, address=address)
    actor = "unknown" if fault == "unknown" else key.name
    return _Source(fault, key.id, key.account, actor, address)
