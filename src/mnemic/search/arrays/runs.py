"""Runs: what was said or done one after the other, and what stands beside each document there."""

from collections.abc import Mapping
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from mnemic.search.arrays.growing import GrowingArray
from mnemic.search.arrays.members import Members, ScopeDocuments
from mnemic.search.arrays.segments import Places

NOBODY: Final = -1


class Runs:
    """Which run each document belongs to, and its neighbours there, as places in its scope.

    A run has a number of its own; NOBODY stands for none.
    """

    def __init__(self) -> None:
        self.of = GrowingArray(np.int32)
        self.previous = GrowingArray(np.int32)
        self.following = GrowingArray(np.int32)
        self.scopes = GrowingArray(np.int64)
        self.lengths = GrowingArray(np.int64)
        self.live = GrowingArray(np.int32)
        self._threads = GrowingArray(np.int64)
        self._last = GrowingArray(np.int64)
        self._numbers: dict[tuple[int, int], int] = {}
        # So many came from a snapshot: one is looked up once, when it goes on.
        self._old = 0
        self._looked_up: set[int] = set()
        # By scope: how many of its documents were looked at, and which of those stand in a run.
        self._inside: dict[int, tuple[int, GrowingArray[np.uint32]]] = {}

    def __len__(self) -> int:
        return len(self.scopes)

    def extend(
        self,
        scopes: NDArray[np.int64],
        threads: NDArray[np.int64],
        places: Places,
        members: Members,
    ) -> None:
        """Append documents to their runs; a thread of NOBODY belongs to none."""
        first = len(self.of)
        for column in (self.of, self.previous, self.following):
            column.extend(np.full(len(threads), NOBODY, np.int32))
        threaded = np.flatnonzero(threads != NOBODY)
        if len(threaded):
            self._look_up(threads[threaded])
        for at in threaded.tolist():
            ordinal = first + at
            run = self._number(int(scopes[at]), int(threads[at]))
            self.of.view[ordinal] = run
            self.lengths.view[run] += members.lengths.view[ordinal]
            self.live.view[run] += 1
            self._link(int(self._last.view[run]), ordinal, members)
            self._last.view[run] = ordinal

    def remove(self, ordinal: int, members: Members) -> None:
        """Take a document out of its run: those beside it become neighbours, as if read anew."""
        run = int(self.of.view[ordinal])
        documents = members.of_scope(int(members.scopes.view[ordinal]))
        if run == NOBODY or documents is None:
            return
        before, after = (
            NOBODY if place == NOBODY else int(documents.ordinals.view[place])
            for place in (int(self.previous.view[ordinal]), int(self.following.view[ordinal]))
        )
        self._link(before, after, members)
        self.lengths.view[run] -= members.lengths.view[ordinal]
        self.live.view[run] -= 1
        if self._last.view[run] == ordinal:
            self._last.view[run] = before

    def inside(self, scope: int, documents: ScopeDocuments) -> Places:
        """Return the places of a scope whose documents stand in a run, ascending."""
        seen, places = self._inside.get(scope) or (0, GrowingArray(np.uint32))
        if seen < len(documents):
            fresh = self.of.view[documents.ordinals.view[seen:]]
            places.extend(np.flatnonzero(fresh != NOBODY) + seen)
            self._inside[scope] = (len(documents), places)
        return places.view

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return everything under names, for a snapshot."""
        return {name: getattr(self, attribute).view for name, attribute in _ARRAYS.items()}

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, NDArray[np.generic]]) -> Self:
        """Return the runs that `arrays` were taken from."""
        runs = cls()
        for name, attribute in _ARRAYS.items():
            getattr(runs, attribute).extend(arrays[name])
        runs._old = len(runs)
        return runs

    def _number(self, scope: int, thread: int) -> int:
        """Return a run's number; it is made on first use."""
        number = self._numbers.get((scope, thread))
        if number is None:
            number = self._numbers[scope, thread] = len(self)
            self.scopes.extend(scope)
            self._threads.extend(thread)
            self.lengths.extend(0)
            self.live.extend(0)
            self._last.extend(NOBODY)
        return number

    def _link(self, before: int, after: int, members: Members) -> None:
        """Make two ordinals neighbours; either may be NOBODY."""
        if before != NOBODY:
            self.following.view[before] = NOBODY if after == NOBODY else members.places.view[after]
        if after != NOBODY:
            self.previous.view[after] = NOBODY if before == NOBODY else members.places.view[before]

    def _look_up(self, threads: NDArray[np.int64]) -> None:
        """Find the runs that began before the snapshot and go on now."""
        if not self._old:
            return
        fresh = set(threads.tolist()) - self._looked_up
        if not fresh:
            return
        self._looked_up |= fresh
        old = self._threads.view[: self._old]
        for run in np.flatnonzero(np.isin(old, np.array(list(fresh), np.int64))).tolist():
            self._numbers[int(self.scopes.view[run]), int(old[run])] = run


_ARRAYS: Final = {
    "of": "of",
    "previous": "previous",
    "following": "following",
    "scopes": "scopes",
    "lengths": "lengths",
    "live": "live",
    "threads": "_threads",
    "last": "_last",
}
