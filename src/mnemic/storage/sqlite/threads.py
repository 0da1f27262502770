"""What was said or done just before and after each document, in the same run."""

from collections.abc import Mapping
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from mnemic.storage.sqlite.arrays import GrowingArray
from mnemic.storage.sqlite.members import Members
from mnemic.storage.sqlite.segments import Places

NOBODY: Final = -1


class Threads:
    """The neighbours of each document in its run, as places in its scope; NOBODY for none."""

    def __init__(self) -> None:
        self.previous = GrowingArray(np.int32)
        self.following = GrowingArray(np.int32)
        self._threads = GrowingArray(np.int64)
        self._last_of: dict[tuple[int, int], int] = {}
        # So many came from a snapshot: the end of a run is looked up once, when it goes on.
        self._old = 0
        self._looked_up: set[int] = set()
        self.any = False

    def extend(
        self,
        scopes: NDArray[np.int64],
        threads: NDArray[np.int64],
        places: Places,
        members: Members,
    ) -> None:
        """Append documents to their runs; a thread of NOBODY belongs to none."""
        first = len(self._threads)
        nobody = np.full(len(threads), NOBODY, np.int32)
        self.previous.extend(nobody)
        self.following.extend(nobody)
        self._threads.extend(threads)
        threaded = np.flatnonzero(threads != NOBODY)
        if not len(threaded):
            return
        self.any = True
        self._read_ends(threads[threaded], members)
        for at in threaded.tolist():
            key = (int(scopes[at]), int(threads[at]))
            self._link(self._last_of.get(key, NOBODY), first + at, members)
            self._last_of[key] = first + at

    def remove(self, ordinal: int, members: Members) -> None:
        """Take a document out of its run: those beside it become neighbours, as if read anew."""
        if self._threads.view[ordinal] == NOBODY:
            return
        key = (int(members.scopes.view[ordinal]), int(self._threads.view[ordinal]))
        documents = members.of_scope(key[0])
        if documents is None:
            return
        before, after = (
            NOBODY if place == NOBODY else int(documents.ordinals.view[place])
            for place in (int(self.previous.view[ordinal]), int(self.following.view[ordinal]))
        )
        self._link(before, after, members)
        if self._last_of.get(key) == ordinal:
            self._last_of[key] = before

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return everything under names, for a snapshot."""
        return {
            "previous": self.previous.view,
            "following": self.following.view,
            "threads": self._threads.view,
        }

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, NDArray[np.generic]]) -> Self:
        """Return the runs that `arrays` were taken from."""
        threads = cls()
        threads.previous = GrowingArray(np.int32, arrays["previous"])
        threads.following = GrowingArray(np.int32, arrays["following"])
        threads._threads = GrowingArray(np.int64, arrays["threads"])
        threads._old = len(threads._threads)
        threads.any = bool((threads._threads.view != NOBODY).any())
        return threads

    def _link(self, before: int, after: int, members: Members) -> None:
        """Make two ordinals neighbours; either may be NOBODY."""
        if before != NOBODY:
            self.following.view[before] = NOBODY if after == NOBODY else members.places.view[after]
        if after != NOBODY:
            self.previous.view[after] = NOBODY if before == NOBODY else members.places.view[before]

    def _read_ends(self, threads: NDArray[np.int64], members: Members) -> None:
        """Find the last live document of runs that began before the snapshot and go on now."""
        if not self._old:
            return
        fresh = set(threads.tolist()) - self._looked_up
        if not fresh:
            return
        self._looked_up |= fresh
        old, live = self._threads.view[: self._old], members.live.view[: self._old]
        found = np.flatnonzero(np.isin(old, np.array(list(fresh), np.int64)) & live)
        scopes = members.scopes.view[found].tolist()
        for ordinal, scope in zip(found.tolist(), scopes, strict=True):
            self._last_of[scope, int(old[ordinal])] = ordinal
