"""What the index knows of each document besides its words: by whom, when, and what kind."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from mnemic.search.arrays.growing import GrowingArray
from mnemic.search.index_queries import NO_SPEAKER, NO_TIME
from mnemic.search.terms import hash_term

_ARRAYS: Final = ("speakers", "said_at", "traits", "telling")


class TraitColumns:
    """One value of each trait for every document of the store."""

    def __init__(self) -> None:
        self.speakers = GrowingArray(np.int64)
        self.said_at = GrowingArray(np.int64)
        self.traits = GrowingArray(np.uint8)
        self.telling = GrowingArray(np.uint8)

    def extend(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """Add the traits of further documents: speaker, time, bits, telling words."""
        self.speakers.extend(
            [NO_SPEAKER if speaker is None else hash_term(speaker) for speaker, *_ in rows]
        )
        self.said_at.extend([NO_TIME if at is None else at for _, at, _, _ in rows])
        self.traits.extend([bits for _, _, bits, _ in rows])
        self.telling.extend([min(255, words) for _, _, _, words in rows])

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return everything under names, for a snapshot."""
        return {name: getattr(self, name).view for name in _ARRAYS}

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, NDArray[np.generic]]) -> Self:
        """Return the columns that `arrays` were taken from."""
        columns = cls()
        for name in _ARRAYS:
            getattr(columns, name).extend(arrays[name])
        return columns
