"""Whose turn it is to write, among the threads of one process."""

from collections.abc import Generator
from contextlib import contextmanager
from threading import TIMEOUT_MAX, Lock

from mnemic.errors import BusyError


class Turns:
    """Lets one thread write after the other.

    SQLite alone would let each of them look again after longer and longer pauses: of eight that
    learn at once, some would wait three times as long as others. What another process writes is
    waited for as SQLite does.
    """

    def __init__(self) -> None:
        self._lock = Lock()

    @contextmanager
    def taken(self, seconds: float) -> Generator[None]:
        """Keep the turn; raise BusyError where it does not come in that time."""
        if not self._lock.acquire(timeout=min(seconds, TIMEOUT_MAX)):
            raise BusyError
        try:
            yield
        finally:
            self._lock.release()
