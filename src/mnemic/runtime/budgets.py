"""How long a call or a job may compute.

Rules ask between two steps whether there is time left. What counts is the time that their thread
computes, not the time that passes: a busy machine fails nobody.
"""

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from math import inf
from typing import Final

from mnemic.errors import OutOfTimeError


class Budget:
    """So many seconds of computing, from now on; `setting` is where more can be given."""

    def __init__(self, seconds: float, setting: str, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._end = clock() + seconds
        self._told = (
            f"The text took longer to read than the {seconds:g} s that {setting} allows. It is "
            "kept as it is, and found by its words."
        )

    def check(self) -> None:
        """Raise OutOfTimeError where the time is over."""
        if self._clock() > self._end:
            raise OutOfTimeError(self._told)


_current: Final[ContextVar[Budget | None]] = ContextVar("budget", default=None)


def check_time() -> None:
    """Raise OutOfTimeError where the call or job that this belongs to has no time left."""
    budget = _current.get()
    if budget is not None:
        budget.check()


@contextmanager
def within(budget: Budget) -> Generator[None]:
    """Let what is done here end when the budget is used up."""
    token = _current.set(budget)
    try:
        yield
    finally:
        _current.reset(token)


def unlimited() -> AbstractContextManager[None]:
    """Let what is done here take its time, whatever calls it makes: it has to be done."""
    return within(Budget(inf, "", lambda: 0.0))


def is_limited() -> bool:
    """Tell whether a budget holds already."""
    return _current.get() is not None
