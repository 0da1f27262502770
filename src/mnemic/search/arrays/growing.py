"""Arrays that grow at the end. A view taken earlier stays valid while the array grows."""

from typing import Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

Ordinals = NDArray[np.uint32]
"""Documents by their place in the order in which the store wrote them."""

Number = TypeVar("Number", bound=np.generic)


class GrowingArray(Generic[Number]):
    """A one-dimensional array with room to spare, so that appending does not copy it each time."""

    def __init__(self, dtype: type[Number], start: ArrayLike | None = None) -> None:
        self._dtype = np.dtype(dtype)
        self._room: NDArray[Number] = np.array([] if start is None else start, dtype=self._dtype)
        self._size = len(self._room)

    def __len__(self) -> int:
        return self._size

    @property
    def view(self) -> NDArray[Number]:
        """Everything that was added, without a copy."""
        return self._room[: self._size]

    def extend(self, values: ArrayLike) -> None:
        """Add values at the end."""
        added = np.atleast_1d(np.asarray(values, dtype=self._dtype))
        size = self._size + len(added)
        if size > len(self._room):
            # A quarter to spare: at a million rows, twice the room would be wasted memory.
            room = np.zeros(size + size // 4 + 8, dtype=self._dtype)
            room[: self._size] = self._room[: self._size]
            self._room = room
        self._room[self._size : size] = added
        self._size = size
