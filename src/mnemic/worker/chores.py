"""What a worker does while no job is due, a moment's worth at a time."""

import logging
from collections import Counter, deque
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from threading import Lock
from typing import Final

from mnemic.administration.retention import Counts
from mnemic.opening import OpenMemory
from mnemic.records.memory import Scope

_LOG: Final = logging.getLogger("mnemic.worker")
_ROUND: Final = timedelta(hours=1)
_TEXTS: Final = 32
# PostgreSQL may commit ids out of order: so many before the last one seen are read again, and
# whatever commits later still is found the next day.
_OVERLAP: Final = 1_000


class Chores:
    """Passages and vectors for what has none, the day's maintenance, the end of what is too old.

    The workers of a process share one of these, and one of them at a time does its work. It
    remembers how far it came, so that looking costs next to nothing when there is nothing new.
    """

    def __init__(self, memory: OpenMemory) -> None:
        self._memory = memory
        self._upkeep = memory.upkeep
        self._busy = Lock()  # held by the thread that does some; guards all but the news
        self._lock = Lock()
        self._news: set[int] = set()
        self._marks: dict[int, int] = {}
        self._to_split: deque[int] = deque()
        self._splitting: Iterator[int] | None = None
        self._to_embed: deque[tuple[int, int]] = deque()
        self._to_keep_up: deque[int] = deque()
        self._to_maintain: deque[tuple[int, Scope]] = deque()
        self._to_expire: deque[int] = deque()
        self._expiring: Iterator[Counts] | None = None
        self._removed: Counts = Counter()
        self._next_round: datetime | None = None
        self._day: date | None = None
        self._own = memory.upkeep.own_account()

    def do_some(self, *, wait: bool = False) -> bool:
        """Do one small portion; False where nothing is left to do, or another thread is at it.

        With `wait`, an embedder that is still being loaded is waited for.
        """
        if not self._busy.acquire(blocking=False):
            return False
        try:
            self._begin_round()
            self._hear_news()
            if self._to_maintain:
                self._upkeep.maintain(*self._to_maintain.popleft())
                return True
            if self._to_keep_up:
                self._keep_up(self._to_keep_up.popleft())
                return True
            if self._expire() or self._split():
                return True
            return bool(self._to_embed) and self._embed(*self._to_embed.popleft(), wait=wait)
        finally:
            self._busy.release()

    def look_again(self, account: int | None = None) -> None:
        """Take up what was added since in an account, or in those that this program serves.

        Of accounts that nothing was heard of, it is taken up once an hour.
        """
        wanted = {self._own, *self._memory.served()} if account is None else {account}
        with self._lock:
            self._news |= {number for number in wanted if number is not None}

    def _begin_round(self) -> None:
        now = self._memory.now()
        # A round that is further off than rounds are was planned by a clock that was ahead.
        if self._next_round is not None and now < self._next_round <= now + _ROUND:
            return
        self._to_keep_up = deque(self._upkeep.accounts())
        self._next_round = now + _ROUND
        if self._day != now.date():
            # Once a day all of it is looked at, from the beginning.
            self._marks.clear()
            self._to_expire = deque(self._to_keep_up)
            self._to_split = deque(self._to_keep_up)
            self._day = now.date()

    def _hear_news(self) -> None:
        with self._lock:
            news, self._news = self._news, set()
        for account in news - {waiting for waiting, _ in self._to_embed}:
            self._to_embed.append((account, max(0, self._marks.get(account, 0) - _OVERLAP)))

    def _keep_up(self, account: int) -> None:
        for _ in self._upkeep.end_overdue(account):
            pass
        self._to_maintain.extend((account, scope) for scope in self._upkeep.ageing(account))
        self.look_again(account)

    def _expire(self) -> bool:
        """Remove a portion of what is too old; False where all of that is done for today."""
        if self._expiring is None:
            if not self._to_expire:
                return self._scrub()
            self._expiring = self._upkeep.expire(self._to_expire.popleft())
        portion = next(self._expiring, None)
        if portion is None:
            self._expiring = None
        else:
            self._removed += portion
        return True

    def _split(self) -> bool:
        """Give passages to a few texts that were kept before there were any; False where that is
        done for today.
        """
        if self._splitting is None:
            if not self._to_split:
                return False
            self._splitting = self._upkeep.split(self._to_split.popleft())
        if next(self._splitting, None) is None:
            self._splitting = None
        return True

    def _scrub(self) -> bool:
        """Rewrite the store once after everything that was removed on a day."""
        if not self._removed:
            return False
        removed, self._removed = self._removed, Counter()
        counts = ", ".join(f"{number} {kind}" for kind, number in sorted(removed.items()))
        traces = "" if self._upkeep.scrub() else "; traces of it go the next time"
        _LOG.info("retention removed: %s%s", counts, traces)
        return True

    def _embed(self, account: int, after: int, *, wait: bool) -> bool:
        portion = self._upkeep.embed(account, after=after, limit=_TEXTS, wait=wait)
        if portion is None:
            self._to_embed.append((account, after))
            return False
        self._marks[account] = max(self._marks.get(account, 0), portion.after)
        if not portion.is_last:
            # Round robin: an account with a long backlog delays no other.
            self._to_embed.append((account, portion.after))
        return portion.done > 0 or bool(self._to_embed)
