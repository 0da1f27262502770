"""Whether the CPU time of a call grows faster than the text that it is given."""

import signal
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from itertools import count
from types import FrameType
from typing import Final, cast

LENGTHS: Final = (625, 1_250, 2_500, 5_000, 10_000)
"""Each is twice the one before."""
DOUBLINGS: Final = 3
"""So many are compared: linear growth takes 8 times as long for them, quadratic growth 64 times."""
FASTEST_GROWTH: Final = 20
NOISE: Final = 0.01
"""CPU seconds below which growth is not told from noise."""
LONG_ENOUGH: Final = 0.05
PATIENCE: Final = 5.0
"""CPU seconds after which a call is ended: an exponential one would never end."""

_numbers: Final = count()

Call = Callable[[str], object]


def grows_too_fast(call: Call, pump: str, *, patience: float = PATIENCE) -> str | None:
    """Return what is wrong with the time of a call as its text is pumped up; None if nothing is."""
    try:
        with _ended_after(patience):
            at, longest = _pumped_up(call, pump)
            if longest < NOISE:
                return None
            first, last = LENGTHS[at - DOUBLINGS], LENGTHS[at]
            shortest = min(_cpu_seconds(call, pump, first) for _ in range(3))
            if longest > shortest * FASTEST_GROWTH:
                longest = min(_cpu_seconds(call, pump, last) for _ in range(3))
    except _OutOfPatienceError:
        return f"it takes more than {patience} s"
    if longest > shortest * FASTEST_GROWTH:
        return f"{last} characters take {longest / shortest:.0f} times as long as {first}"
    return None


def _pumped_up(call: Call, pump: str) -> tuple[int, float]:
    """Double the text until it takes long enough to tell; return which length that is."""
    at, seconds = 0, 0.0
    for at, length in enumerate(LENGTHS):
        seconds = _cpu_seconds(call, pump, length)
        if seconds > LONG_ENOUGH and at >= DOUBLINGS:
            break
    return at, seconds


def _cpu_seconds(call: Call, pump: str, length: int) -> float:
    """Measure one call; what it is given was never seen before, so that no cache answers."""
    text = f"{next(_numbers)} {pump * (length // len(pump))}\x00x"
    begun = time.thread_time()
    result = call(text)
    if isinstance(result, Iterator):
        deque(cast("Iterator[object]", result), maxlen=0)
    return time.thread_time() - begun


class _OutOfPatienceError(Exception):
    pass


@contextmanager
def _ended_after(cpu_seconds: float) -> Generator[None]:
    """End what takes too much CPU time; `re` looks for signals while it matches."""

    def end(_number: int, _frame: FrameType | None) -> None:
        raise _OutOfPatienceError

    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, cpu_seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
