"""Vectors in memory: those that a channel found, by place, and those that were read before."""

from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from mnemic.search.arrays.growing import Ordinals
from mnemic.search.arrays.segments import Places
from mnemic.search.index_queries import Vector

_NO_ROW: Final = -1


@dataclass(frozen=True, slots=True)
class Placed:
    """Vectors, each with the place of its document in a field, ascending by place."""

    places: Places
    rows: Vector

    def __len__(self) -> int:
        return len(self.places)

    def at(self, places: Places) -> tuple[Vector, NDArray[np.bool_]]:
        """Return a row for each of some places, of zeros where there is no vector, and whether
        there is one.
        """
        if not len(self.places):
            return np.zeros((len(places), self.rows.shape[1]), np.float32), np.zeros(
                len(places), np.bool_
            )
        indices = np.minimum(self.places.searchsorted(places), len(self.places) - 1)
        there = self.places[indices] == places
        rows = self.rows[indices]
        rows[~there] = 0
        return rows, there

    def joined(self, other: Self) -> Self:
        """Return both; no place may stand in both."""
        if not len(self) or not len(other):
            return self if len(self) else other
        places = np.concatenate([self.places, other.places])
        order = np.argsort(places)
        return type(self)(places[order], np.concatenate([self.rows, other.rows])[order])


NOTHING_PLACED: Final = Placed(np.empty(0, np.uint32), np.empty((0, 0), np.float32))


class KeptVectors:
    """The vectors of one model that were read last, in half precision, by document."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._model_id: int | None = None
        self._matrix = np.empty((0, 0), np.float16)
        self._size = 0
        self._rows = np.empty(0, np.int32)

    def rows_of(self, ordinals: Ordinals, model_id: int) -> NDArray[np.int32]:
        """Return in which row each document's vector lies; -1 for those that are not here."""
        if model_id != self._model_id:
            self._forget(model_id)
        rows = np.full(len(ordinals), _NO_ROW, np.int32)
        known = ordinals < len(self._rows)
        rows[known] = self._rows[ordinals[known]]
        return rows

    def has_room_for(self, number: int) -> bool:
        """Tell whether so many more can be kept without letting go of any."""
        return self._size + number <= self._most

    def add(self, ordinals: Ordinals, vectors: NDArray[np.float16]) -> None:
        """Keep vectors. Where there are too many, those that were here before go first."""
        if not len(ordinals):
            return
        if not self.has_room_for(len(ordinals)):
            self._forget(self._model_id)
        end = self._size + len(ordinals)
        if end > len(self._matrix):
            room = np.empty((end + end // 2, vectors.shape[1]), np.float16)
            if self._size:
                room[: self._size] = self._matrix[: self._size]
            self._matrix = room
        self._matrix[self._size : end] = vectors
        missing = int(ordinals.max()) + 1 - len(self._rows)
        if missing > 0:
            more = np.full(missing + missing // 2, _NO_ROW, np.int32)
            self._rows = np.concatenate([self._rows, more])
        self._rows[ordinals] = np.arange(self._size, end)
        self._size = end

    def take(self, rows: NDArray[np.int32]) -> Vector:
        """Return the vectors in some rows."""
        return self._matrix[rows].astype(np.float32)

    def _forget(self, model_id: int | None) -> None:
        self._model_id = model_id
        self._matrix = np.empty((0, 0), np.float16)
        self._size = 0
        self._rows = np.empty(0, np.int32)
