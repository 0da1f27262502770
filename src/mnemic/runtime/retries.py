"""Ask a server again where that may help: the same loop for calls, vectors and chats."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")
# How many seconds to pause after an outcome of the n-th attempt, from 0; None where it stands.
PauseAfter = Callable[[T, int], float | None]


def persist(ask: Callable[[], T], pause_after: PauseAfter[T], sleep: Callable[[float], None]) -> T:
    """Ask until an outcome stands, and return that."""
    attempt = 0
    while (pause := pause_after(outcome := ask(), attempt)) is not None:
        sleep(pause)
        attempt += 1
    return outcome


async def persist_awaited(
    ask: Callable[[], Awaitable[T]],
    pause_after: PauseAfter[T],
    sleep: Callable[[float], Awaitable[None]],
) -> T:
    """Ask until an outcome stands, and return that; every step is awaited."""
    attempt = 0
    while (pause := pause_after(outcome := await ask(), attempt)) is not None:
        await sleep(pause)
        attempt += 1
    return outcome


def doubled(attempt: int, *, first: float, longest: float) -> float:
    """Return a pause that doubles with each attempt, up to the longest."""
    return min(first * 2**attempt, longest)
