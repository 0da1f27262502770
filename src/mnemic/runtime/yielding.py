"""A call that begins to wait for something outside of this process lets others go on meanwhile.

Whoever does calls in turns says how a call gives up its turn; who waits does not know about turns.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

GiveUp = Callable[[], None]
"""Gives up the turn of a call, from any thread; the second time it does nothing."""

GIVES_UP: Final = "gives_up"
"""Under what name the state of a request holds that, for calls that are done elsewhere."""

_CURRENT: Final[ContextVar[GiveUp | None]] = ContextVar("mnemic_turn", default=None)


def yield_turn() -> None:
    """Say that this call waits from now on, such as for a language model, and computes no more."""
    give_up = _CURRENT.get()
    if give_up is not None:
        give_up()


@contextmanager
def in_turn(give_up: GiveUp | None) -> Generator[None]:
    """Say how the calls inside give up their turn; None where they have none."""
    before = _CURRENT.set(give_up)
    try:
        yield
    finally:
        _CURRENT.reset(before)
