"""Under which numbers a store knows the documents of the index, and where each of them stands."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mnemic.search.arrays.growing import GrowingArray, Ordinals

# So many new documents are looked through one by one before all are put in order again.
_TAIL: Final = 4_096


class DocumentNumbers:
    """Numbers in the order in which documents were read: ascending within a scope, and over the
    whole store only where its scopes were read together.
    """

    def __init__(self, numbers: NDArray[np.generic] | None = None) -> None:
        self._numbers = GrowingArray(np.int64, numbers)
        self._sorted = np.empty(0, np.int64)
        self._order: Ordinals = np.empty(0, np.uint32)
        self._ascending = True

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def view(self) -> NDArray[np.int64]:
        """The number of each ordinal."""
        return self._numbers.view

    @property
    def last(self) -> int:
        """The number of the last document; 0 where there is none."""
        return int(self.view[-1]) if len(self) else 0

    def extend(self, numbers: list[int]) -> None:
        """Add the numbers of further documents, ascending."""
        self._ascending = self._ascending and (not len(self) or numbers[0] > self.last)
        self._numbers.extend(numbers)

    def find(self, numbers: NDArray[np.int64]) -> Ordinals:
        """Return where documents stand; those that are not there are left out."""
        numbers = np.unique(numbers)
        if self._ascending:
            return _found(self.view, numbers)
        if len(self) - len(self._sorted) > _TAIL:
            order = np.argsort(self.view)
            self._sorted, self._order = self.view[order], order.astype(np.uint32)
        old = self._order[_found(self._sorted, numbers)]
        tail = np.flatnonzero(np.isin(self.view[len(self._sorted) :], numbers))
        return np.concatenate([old, (tail + len(self._sorted)).astype(np.uint32)])


def _found(known: NDArray[np.int64], numbers: NDArray[np.int64]) -> Ordinals:
    """Return where numbers stand in an ascending list."""
    at = known.searchsorted(numbers)
    there = at < len(known)
    at, numbers = at[there], numbers[there]
    return at[known[at] == numbers].astype(np.uint32)
