"""How much is let in at a time."""

import math
from collections import OrderedDict
from collections.abc import Callable
from time import monotonic
from typing import Final

_MOST_KEYS: Final = 10_000
_MINUTE: Final = 60.0


class Rate:
    """How many requests each key may make in a minute, with as many at once as come in seconds.

    A bucket for each key is refilled steadily; who empties it is told when to come back.
    """

    def __init__(self, per_minute: int, *, clock: Callable[[], float] = monotonic) -> None:
        self._per_second = per_minute / _MINUTE
        # A key that was quiet may make a tenth of a minute's requests at once.
        self._most = max(1.0, per_minute / 10)
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key_id: str) -> int:
        """Take one request from a key; return 0, or after how many seconds there is one again."""
        if not self._per_second:
            return 0
        now = self._clock()
        left, at = self._buckets.pop(key_id, (self._most, now))
        left = min(self._most, left + (now - at) * self._per_second)
        wait = 0 if left >= 1 else math.ceil((1 - left) / self._per_second)
        self._buckets[key_id] = (left if wait else left - 1, now)
        if len(self._buckets) > _MOST_KEYS:
            self._buckets.popitem(last=False)
        return wait


class Room:
    """How many requests may be under way at the same time. One thread uses it."""

    def __init__(self, most: int) -> None:
        self._left = most

    def enter(self) -> bool:
        """Take a place; False where none is left."""
        if self._left <= 0:
            return False
        self._left -= 1
        return True

    def leave(self) -> None:
        """Give a place back."""
        self._left += 1
