"""How much is let in at a time."""

import math
from collections import OrderedDict
from collections.abc import Callable
from time import monotonic
from typing import Final

from anyio import move_on_after
from starlette.types import Message, Receive, Send

from mnemic.server.refusals import TOO_SLOW, Refusal, too_large

_MOST_KEYS: Final = 10_000
_MINUTE: Final = 60.0
# So long a body may take, and as much longer as its bytes need on a slow line.
_BODY_SECONDS: Final = 30.0
_SLOWEST: Final = 10_000
_GONE: Final = {"type": "http.disconnect"}


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


class Body:
    """What a client sends with a request, as far as it is let in: no more than is allowed, and no
    slower. Of the rest the app is told that nobody is there any more; `refusal` says why.
    """

    def __init__(
        self,
        receive: Receive,
        most: int,
        *,
        seconds: float = _BODY_SECONDS,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.refusal: Refusal | None = None
        self.is_answered = False
        self._receive = receive
        self._most = most
        self._seconds = seconds
        self._clock = clock
        self._started = clock()
        self._size = 0
        self._is_whole = False

    async def receive(self) -> Message:
        """Return what comes next."""
        if self.refusal is not None:
            return _GONE
        if self._is_whole:
            # What still comes is that the client leaves, in its own time.
            return await self._receive()
        message = await self._next()
        if self._size > self._most:
            self.refusal = too_large(self._most)
        elif message is None or (not self._is_whole and self._left() < 0):
            self.refusal = TOO_SLOW
        return _GONE if message is None or self.refusal is not None else message

    async def _next(self) -> Message | None:
        with move_on_after(max(0.0, self._left())):
            message = await self._receive()
            self._size += len(message.get("body", b""))
            self._is_whole = not message.get("more_body", False)
            return message
        return None

    def _left(self) -> float:
        return self._seconds + self._size / _SLOWEST - (self._clock() - self._started)

    def sending(self, send: Send) -> Send:
        """Return what sends an answer on, unless the body was refused before the answer began."""

        async def sent(message: Message) -> None:
            if self.is_answered or self.refusal is None:
                self.is_answered = True
                await send(message)

        return sent
