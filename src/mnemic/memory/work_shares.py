"""Shares of a worker's time: whose job is done next."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from threading import Lock
from time import perf_counter
from typing import Final

_MOST_ACCOUNTS: Final = 10_000


class WorkShares:
    """Lets accounts with due jobs take turns: next is the one that the fewest workers are busy for,
    and for which the least time was spent. Threads may share it.

    Who had nothing to do for a while begins with as much as the one who had the least: time that
    was not used is not saved up.
    """

    def __init__(self, *, clock: Callable[[], float] = perf_counter) -> None:
        self._clock = clock
        self._lock = Lock()
        self._spent: dict[int, float] = {}
        self._busy: dict[int, int] = {}
        self._waiting: frozenset[int] = frozenset()
        self._least = 0.0
        self.last = 0
        """Whose job was done last."""

    def in_order(self, accounts: Sequence[int]) -> Sequence[int]:
        """Return accounts with due jobs in the order in which they get their turn."""
        with self._lock:
            still = [self._spent[account] for account in accounts if account in self._waiting]
            self._least = max(self._least, min(still, default=self._least))
            for account in accounts:
                self._spent[account] = max(self._spent.get(account, 0.0), self._least)
            before, self._waiting = self._waiting, frozenset(accounts)
            if len(self._spent) > _MOST_ACCOUNTS:
                kept = self._waiting | self._busy.keys()
                self._spent = {
                    account: self._spent[account] for account in kept if account in self._spent
                }
            # Of two with as much, first who was not there before.
            return sorted(
                accounts,
                key=lambda account: (
                    self._busy.get(account, 0),
                    self._spent[account],
                    account in before,
                ),
            )

    @contextmanager
    def spending(self, account: int) -> Generator[None]:
        """Count the time inside as spent for an account."""
        started = self._clock()
        with self._lock:
            self._busy[account] = self._busy.get(account, 0) + 1
            self.last = account
        try:
            yield
        finally:
            taken = self._clock() - started
            with self._lock:
                self._spent[account] = self._spent.get(account, self._least) + taken
                self._busy[account] -= 1
                if not self._busy[account]:
                    del self._busy[account]
