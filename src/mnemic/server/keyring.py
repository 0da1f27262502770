"""The keys that a server was shown lately, with the memories that each of them opens."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from threading import Lock
from time import monotonic
from typing import Final

from mnemic.keys import Key
from mnemic.opening import OpenMemory
from mnemic.server.callers import Caller

# So long a key that was revoked may still open what it opened a moment ago.
_FRESH_SECONDS: Final = 1.0
_MOST_KEYS: Final = 1_000


@dataclass(frozen=True, slots=True)
class _Known:
    caller: Caller
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
        fresh = known is not None and self._clock() - known.checked_at < _FRESH_SECONDS
        return known.caller if known is not None and fresh else None

    def opened_by(self, text: str) -> Caller | None:
        """Return who shows this key, or None where it opens nothing."""
        now = self._clock()
        key = self._memory.keys.opened_by(text)
        mark = _mark(text)
        with self._lock:
            before = self._known.pop(mark, None)
            if key is None:
                return None
            caller = before.caller if before else self._caller(key)
            self._known[mark] = _Known(caller, now)
            if len(self._known) > _MOST_KEYS:
                # What it noted is written within a second, by a thread of its own.
                self._known.popitem(last=False)
            return caller

    def _caller(self, key: Key) -> Caller:
        memory = self._memory.of_account(key.account, actor=key.name)
        return Caller(memory, key.right, key.id)


def _mark(text: str) -> bytes:
    # The keys themselves are not kept, not even in memory.
    return sha256(text.encode("utf-8", "surrogatepass")).digest()
