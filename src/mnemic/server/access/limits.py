"""How much is let in at a time."""

import math
from collections import OrderedDict, deque
from collections.abc import Callable
from time import monotonic
from typing import Final

from anyio import move_on_after
from starlette.types import Message, Receive

from mnemic.dialects.chat.routing import MOST_BULK_BYTES, MOST_BYTES
from mnemic.server.access.refused_requests import OWN_SHARE, TOO_SLOW, Refusal, too_large

_MOST_ACCOUNTS: Final = 10_000
_MINUTE: Final = 60.0
# So long a body may take, and as much longer as its bytes need on a slow line.
_BODY_SECONDS: Final = 30.0
_SLOWEST: Final = 10_000
# Where pictures, payloads and batches come in, each API sets a limit of its own below the server's.
_LARGE: Final = ("/tools/", "/sdk/", "/mcp", "/sse", "/v1/")
_BULK: Final = "/turns/bulk"


class Rate:
    """How many requests each account may make in a minute, with as many at once as come in seconds.

    A bucket for each is refilled steadily; who empties it is told when to come back.
    """

    def __init__(self, per_minute: int, *, clock: Callable[[], float] = monotonic) -> None:
        self._per_second = per_minute / _MINUTE
        # Who was quiet may make a tenth of a minute's requests at once.
        self._most = max(1.0, per_minute / 10)
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, account: str) -> int:
        """Take one request from an account; return 0, or in how many seconds there is one again."""
        if not self._per_second:
            return 0
        now = self._clock()
        left, at = self._buckets.pop(account, (self._most, now))
        left = min(self._most, left + (now - at) * self._per_second)
        wait = 0 if left >= 1 else math.ceil((1 - left) / self._per_second)
        self._buckets[account] = (left if wait else left - 1, now)
        if len(self._buckets) > _MOST_ACCOUNTS:
            self._buckets.popitem(last=False)
        return wait


def most_bytes(path: str, allowed: int) -> int:
    """Return how much of a body is kept until it is whole: no more than its route takes."""
    if path.startswith(_LARGE):
        return allowed
    return min(allowed, MOST_BULK_BYTES if path.endswith(_BULK) else MOST_BYTES)


class LimitedBody:
    """What a client sends with a request, as far as it is let in: no more than is allowed, and no
    slower. `keep` is asked about the size of each part; `kept` is how much it agreed to, and
    `refusal` says why there is no more.
    """

    def __init__(
        self,
        receive: Receive,
        most: int,
        *,
        keep: Callable[[int], bool] = lambda _: True,
        seconds: float = _BODY_SECONDS,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.refusal: Refusal | None = None
        self.kept = 0
        self._keep = keep
        self._receive = receive
        self._most = most
        self._seconds = seconds
        self._clock = clock
        self._started = clock()
        self._content = bytearray()
        self._end: Message | None = None

    async def whole(self) -> Receive:
        """Wait until all of it is there, or nothing more comes; return what an app receives."""
        while self._end is None and self.refusal is None:
            await self._next()
        ends = self._end is not None and self._end["type"] != "http.disconnect"
        first = {"type": "http.request", "body": bytes(self._content), "more_body": not ends}
        self._content.clear()
        replayed = deque([first] if ends or self._end is None else [first, self._end])

        async def receive() -> Message:
            # What still comes is that the client leaves, in its own time.
            return replayed.popleft() if replayed else await self._receive()

        return receive

    async def _next(self) -> None:
        message: Message | None = None
        with move_on_after(max(0.0, self._left())):
            message = await self._receive()
        part = b"" if message is None else message.get("body", b"")
        is_last = message is not None and not message.get("more_body", False)
        if len(self._content) + len(part) > self._most:
            self.refusal = too_large(self._most)
        elif message is None or (not is_last and self._left() < 0):
            self.refusal = TOO_SLOW
        elif not self._keep(len(part)):
            self.refusal = OWN_SHARE
        else:
            self.kept += len(part)
            self._content += part
            self._end = message if is_last else None

    def _left(self) -> float:
        taken = self._clock() - self._started
        return self._seconds + len(self._content) / _SLOWEST - taken
