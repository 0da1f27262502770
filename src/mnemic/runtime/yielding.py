"""A call that begins to wait for something outside of this process lets others go on meanwhile.

Whoever does calls in turns says what a turn is; who computes and waits does not know about turns.
"""

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Final, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

TURN: Final = "turn"
"""Under what name the state of a request holds its turn, for calls that are done elsewhere."""


class CallTurn(Protocol):
    """What a call has while it computes."""

    def give_up_in_thread(self) -> None:
        """Compute no more, from any thread; the second time it does nothing."""
        ...

    def computing(self) -> AbstractContextManager[None]:
        """Say that this thread does the call."""
        ...


_CURRENT: Final[ContextVar[CallTurn | None]] = ContextVar("mnemic_turn", default=None)


def yield_turn() -> None:
    """Say that this call waits from now on, such as for a language model, and computes no more."""
    turn = _CURRENT.get()
    if turn is not None:
        turn.give_up_in_thread()


def computed(call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Make a call in the thread that does it, where it can be seen whether it computes or waits."""
    turn = _CURRENT.get()
    if turn is None:
        return call(*args, **kwargs)
    with turn.computing():
        return call(*args, **kwargs)


@contextmanager
def in_turn(turn: CallTurn | None) -> Generator[None]:
    """Say whose turn the calls inside use; None where they have none."""
    before = _CURRENT.set(turn)
    try:
        yield
    finally:
        _CURRENT.reset(before)
