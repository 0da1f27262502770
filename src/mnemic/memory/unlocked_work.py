"""What follows from texts alone, worked out while nothing is locked.

Rules and embedders are slow, and need nothing but what they are given. Where a transaction finds
out that it needs them, it is undone, they run, and it is done again with what they found.
"""

from collections.abc import Callable, Hashable, Sequence
from contextvars import ContextVar
from typing import Any, Final, TypeVar

from mnemic.errors import BusyError
from mnemic.memory.workspace import Workspace

K = TypeVar("K", bound=Hashable)
R = TypeVar("R")
T = TypeVar("T")

Derived = dict[tuple[str, Hashable], Any]

# Each time something more is known. Only where others change the store faster than it can be read
# does it come to as many.
_MOST_TRIES: Final = 1000
_derived: Final[ContextVar[Derived | None]] = ContextVar("derived", default=None)


class _MissingError(Exception):
    """A transaction needs what was not worked out yet."""

    def __init__(
        self, name: str, work: Callable[[Sequence[Any]], Sequence[Any]], given: Sequence[Any]
    ) -> None:
        super().__init__(name)
        self.name = name
        self.work = work
        self.given = given


def derive(name: str, work: Callable[[Sequence[K]], Sequence[R]], given: Sequence[K]) -> list[R]:
    """Return what work makes of each thing that it is given. Inside of `write`, it is done while
    nothing is locked; `name` tells it from other work on the same things.
    """
    known = _derived.get()
    if known is None:
        return list(work(given))
    missing = [argument for argument in dict.fromkeys(given) if (name, argument) not in known]
    if missing:
        raise _MissingError(name, work, missing)
    return [known[name, argument] for argument in given]


def write(workspace: Workspace, work: Callable[[], T]) -> T:
    """Do work in one transaction, again and again until everything that it derives is known.

    Where that takes longer than a call may, OutOfTimeError is raised and nothing is written.
    """
    known: Derived = {}
    with workspace.call():
        for _ in range(_MOST_TRIES):
            token = _derived.set(known)
            try:
                return workspace.db.write(work)
            except _MissingError as missing:
                wanted = missing
            finally:
                _derived.reset(token)
            derived = wanted.work(wanted.given)
            known |= {
                (wanted.name, key): value for key, value in zip(wanted.given, derived, strict=True)
            }
    raise BusyError
