"""Fair shares of a server: how many requests an account has under way, and whose turn is next.

Python computes in one thread at a time, so whoever fills all threads makes everybody slow. So
requests wait in a queue for each account, and the accounts take turns. An account that is alone may
use all threads; in company a few of its requests are computed at a time, however many it sends.
"""

import time
from asyncio import Event, TimerHandle, get_running_loop
from collections import OrderedDict, deque
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from threading import get_ident
from typing import Final

# An account whose last request came longer ago is no company.
RECENT_SECONDS: Final = 60.0
# A call whose thread computed less than this in a second waits for something, such as for another
# process that writes. On a crowded machine one that computes gets no more than a few hundredths.
_LOOK_SECONDS: Final = 1.0
_COMPUTED: Final = 0.01

ThreadClock = Callable[[], float]


def clock_of_this_thread() -> ThreadClock | None:
    """Return what tells other threads how long this one computed; None where no system does."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return None
    return partial(time.clock_gettime, time.pthread_getcpuclockid(get_ident()))


class ComputeTurn:
    """One request: it has a place, waits for its turn, computes, and leaves."""

    def __init__(self, shares: "Shares", account: str) -> None:
        self._shares = shares
        self._loop = get_running_loop()
        self.account = account
        self._alarm: TimerHandle | None = None
        self._thread: ThreadClock | None = None
        self._computed = 0.0
        self.begun = Event()
        self.is_running = False
        self.has_place = True

    async def wait(self) -> None:
        """Wait until it is this request's turn, which it has as long as it computes."""
        await self.begun.wait()
        self._look_later()

    @contextmanager
    def computing(self) -> Generator[None]:
        """Say that this thread does the call."""
        thread = self._shares.thread_clock()
        self._computed = 0.0 if thread is None else thread()
        self._thread = thread
        try:
            yield
        finally:
            self._thread = None

    def _look_later(self) -> None:
        self._alarm = self._loop.call_later(self._shares.look_seconds, self._look)

    def _look(self) -> None:
        """Give the turn up unless a thread computed since the last look."""
        thread = self._thread
        computed = thread() if thread is not None else 0.0
        if computed - self._computed < _COMPUTED:
            self.give_up()
        else:
            self._computed = computed
            self._look_later()

    def give_up(self) -> None:
        """Compute no more, and keep the place until the answer is sent."""
        self._shares.end(self)

    def give_up_in_thread(self) -> None:
        """Do that from the thread of a call."""
        self._loop.call_soon_threadsafe(self.give_up)

    def step_aside(self) -> None:
        """Give turn and place back while another server answers, however long that takes."""
        self.leave()

    async def come_back(self) -> None:
        """Wait for another turn. It is never refused: what was begun is brought to its end."""
        self.begun = Event()
        self._shares.take_back(self)
        await self.wait()

    def leave(self) -> None:
        """Give the place back, whether or not the turn has come."""
        if self._alarm is not None:
            self._alarm.cancel()
        if self.has_place:
            self.has_place = False
            self._shares.leave(self)


class _Account:
    """What one account has under way."""

    def __init__(self) -> None:
        self.places = 0
        self.running = 0
        self.bytes = 0
        self.waiting: deque[ComputeTurn] = deque()
        self.seen = 0.0


class Shares:
    """Places and turns of all accounts. One thread uses it: that of the event loop.

    There are `places` for all. Where they are taken, an account still gets a place while it has
    less than an eighth of them: nobody is refused because of what others do. `at_once` requests
    compute at the same time, and of an account in company `each`. Of bodies, an account may have
    `most_bytes` under way.
    """

    def __init__(
        self,
        *,
        places: int,
        at_once: int,
        each: int,
        most_bytes: int,
        look_seconds: float = _LOOK_SECONDS,
        thread_clock: Callable[[], ThreadClock | None] = clock_of_this_thread,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.look_seconds = look_seconds
        self.thread_clock = thread_clock
        self._left = places
        self._own_places = max(1, places // 8)
        self._at_once = at_once
        self._each = min(each, at_once)
        self._most_bytes = most_bytes
        self._clock = clock
        self._running = 0
        # The one that was seen longest ago stands first.
        self._accounts: OrderedDict[str, _Account] = OrderedDict()
        # Those with requests that wait; the one whose turn was longest ago stands first.
        self._queue: OrderedDict[str, _Account] = OrderedDict()

    def enter(self, account: str) -> ComputeTurn | None:
        """Take a place for a request of an account; None where it has its share already."""
        found = self._seen(account)
        if self._left <= 0 and found.places >= self._own_places:
            return None
        turn = ComputeTurn(self, account)
        self._wait_in_line(found, turn)
        return turn

    def take_back(self, turn: ComputeTurn) -> None:
        """Give a place to a request that stepped aside."""
        turn.has_place = True
        self._wait_in_line(self._seen(turn.account), turn)

    def end(self, turn: ComputeTurn) -> None:
        """Let the next one compute."""
        if turn.is_running:
            turn.is_running = False
            self._accounts[turn.account].running -= 1
            self._running -= 1
            self._begin_next()

    def leave(self, turn: ComputeTurn) -> None:
        """Give a place back."""
        found = self._accounts[turn.account]
        if not turn.begun.is_set():
            found.waiting.remove(turn)
        self.end(turn)
        found.places -= 1
        self._left += 1

    def hold(self, account: str, size: int) -> bool:
        """Keep so many bytes of a body for an account; False where it has its share already."""
        found = self._seen(account)
        if found.bytes + size > self._most_bytes:
            return False
        found.bytes += size
        return True

    def let_go(self, account: str, size: int) -> None:
        """Keep them no longer."""
        self._accounts[account].bytes -= size

    def _wait_in_line(self, found: _Account, turn: ComputeTurn) -> None:
        found.places += 1
        self._left -= 1
        found.waiting.append(turn)
        self._queue.setdefault(turn.account, found)
        self._begin_next()

    def _begin_next(self) -> None:
        """Let requests compute, of each account in its turn."""
        each = self._each if len(self._accounts) > 1 else self._at_once
        while self._running < self._at_once:
            # At most as many are passed over as compute.
            name = next((name for name, one in self._queue.items() if one.running < each), None)
            if name is None:
                return
            found = self._queue.pop(name)
            if not found.waiting:
                continue
            turn = found.waiting.popleft()
            found.running += 1
            self._running += 1
            turn.is_running = True
            turn.begun.set()
            if found.waiting:
                self._queue[name] = found

    def _seen(self, account: str) -> _Account:
        """Return an account that is there now, and forget those that were not for long."""
        now = self._clock()
        found = self._accounts.setdefault(account, _Account())
        found.seen = now
        self._accounts.move_to_end(account)
        while (oldest := next(iter(self._accounts.values()))).seen < now - RECENT_SECONDS:
            name, _ = self._accounts.popitem(last=False)
            if oldest.places or oldest.bytes:
                # It is still at it, and so was not away.
                oldest.seen = now
                self._accounts[name] = oldest
        return found
