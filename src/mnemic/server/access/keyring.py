"""The keys that a server was shown lately, with the memories that each of them opens."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from threading import Lock
from time import monotonic
from typing import Final

from mnemic.administration.keys import ShownKey
from mnemic.opening import OpenMemory
from mnemic.records.access_key import Key
from mnemic.server.access.callers import Caller

# So long a key that was revoked may still open what it opened a moment ago.
_FRESH_SECONDS: Final = 1.0
_MOST_KEYS: Final = 1_000


@dataclass(frozen=True, slots=True)
class _Known:
    caller: Caller
    key: Key
    checked_at: float


class Keyring:
    """Finds who shows a key. Threads may share it."""

    def __init__(self, memory: OpenMemory, *, clock: Callable[[], float] = monotonic) -> None:
        self._memory = memory
        self._clock = clock
        self._lock = Lock()  # guards what is known
        self._known: OrderedDict[bytes, _Known] = OrderedDict()

    def remembered(self, text: str) -> Caller | None:
        """Return who showed this key a moment ago, without asking the store."""
        with self._lock:
            known = self._known.get(_mark(text))
        if known is None or self._clock() - known.checked_at >= _FRESH_SECONDS:
            return None
        # When a key ends is known beforehand: nobody gets that second longer.
        return None if known.key.has_expired(self._memory.now()) else known.caller

    def knows(self, text: str) -> bool:
        """Tell whether this key opened something, however long ago."""
        with self._lock:
            return _mark(text) in self._known

    def opened_by(self, text: str) -> Caller | ShownKey:
        """Return who shows this key, or what is wrong with it where it opens nothing."""
        now = self._clock()
        shown = self._memory.keys.check(text)
        mark = _mark(text)
        with self._lock:
            before = self._known.pop(mark, None)
            if shown.key is None or shown.fault is not None:
                return shown
            caller = before.caller if before else self._caller(shown.key)
            self._known[mark] = _Known(caller, shown.key, now)
            if len(self._known) > _MOST_KEYS:
                # What it noted is written within a second, by a thread of its own.
                self._known.popitem(last=False)
            return caller

    def _caller(self, key: Key) -> Caller:
        memory = self._memory.of_account(key.account, actor=key.name, key_id=key.id)
        return Caller(memory, key.right, key.id)


def _mark(text: str) -> bytes:
    # The keys themselves are not kept, not even in memory.
    return sha256(text.encode("utf-8", "surrogatepass")).digest()
