"""A sketch of every vector: the sign of each dimension, one bit each.

The number of differing bits orders vectors almost as their cosine does, at a 32nd of the memory.
Of the best by that count, the query itself, not only its signs, chooses those that are then scored
exactly from the stored vectors.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from mnemic.search.arrays.growing import GrowingArray, Ordinals
from mnemic.search.index_queries import Vector, products

Rows = NDArray[np.integer]

_WORD_BITS: Final = 64
_NO_ROW: Final = -1
# So many times as are asked for are looked at more closely, of a small set half as many, and of a
# large set this share.
_LOOKED_AT: Final = 8
_SMALL: Final = 30_000
_SHARE_LOOKED_AT: Final = 1 / 200
# Of a large set, half of the bits decide which rows the other half is counted for.
_LARGE: Final = 200_000
_SHARE_COUNTED: Final = 1 / 16


class BitSketches:
    """The sketches of a growing list of vectors and the documents they belong to."""

    def __init__(self, dimensions: int) -> None:
        self._words = -(-dimensions // _WORD_BITS)
        # Word by word, not vector by vector: each step of a scan reads memory in one run.
        self._room = np.zeros((self._words, 0), np.uint64)
        self._ordinals = GrowingArray(np.uint32)
        self._scopes = GrowingArray(np.int64)
        self._alive = GrowingArray(np.bool_)
        self._rows = GrowingArray(np.int32)

    def __len__(self) -> int:
        return len(self._ordinals)

    def rows_of(self, ordinals: Ordinals) -> NDArray[np.int32]:
        """Return in which row each document's sketch lies; -1 for those without."""
        rows = np.full(len(ordinals), _NO_ROW, np.int32)
        known = ordinals < len(self._rows)
        rows[known] = self._rows.view[ordinals[known]]
        return rows

    def extend(self, ordinals: Ordinals, scopes: NDArray[np.int64], vectors: Vector) -> None:
        """Add vectors with the documents they belong to, ascending, and those documents' scopes."""
        start, size = len(self), len(self) + len(ordinals)
        if size > self._room.shape[1]:
            room = np.zeros((self._words, size + size // 4 + 8), np.uint64)
            room[:, :start] = self._room[:, :start]
            self._room = room
        self._room[:, start:size] = self._sketch(vectors).T
        self._ordinals.extend(ordinals)
        self._scopes.extend(scopes)
        self._alive.extend(np.ones(len(ordinals), np.bool_))
        missing = int(ordinals[-1]) + 1 - len(self._rows)
        if missing > 0:
            self._rows.extend(np.full(missing, _NO_ROW, np.int32))
        self._rows.view[ordinals] = np.arange(start, size)

    def retire(self, ordinal: int) -> None:
        """Never name a document again."""
        row = int(self.rows_of(np.array([ordinal], np.uint32))[0])
        if row != _NO_ROW:
            self._alive.view[row] = False

    def closest(self, vector: Vector, limit: int, scopes: Collection[int]) -> Ordinals:
        """Return the documents of some scopes whose sketches are most alike, in no order."""
        inside = np.zeros(len(self), np.bool_)
        for scope in scopes:
            inside |= self._scopes.view == scope
        inside &= self._alive.view
        return self._ordinals.view[self._best(vector, limit, np.flatnonzero(inside))]

    def closest_among(self, vector: Vector, limit: int, among: Ordinals) -> Ordinals:
        """Return those of some documents whose sketches are most alike, in no order."""
        rows = self.rows_of(among)
        return self._ordinals.view[self._best(vector, limit, rows[rows != _NO_ROW])]

    def _best(self, vector: Vector, limit: int, rows: Rows) -> Rows:
        """Choose by the number of differing bits, then by the query's own weights."""
        if len(rows) <= limit:
            return rows
        wanted = self._sketch(vector[np.newaxis])[0]
        times = _LOOKED_AT if len(rows) > _SMALL else _LOOKED_AT // 2
        looked_at = max(times * limit, int(_SHARE_LOOKED_AT * len(rows)))
        half = self._words // 2
        if len(rows) > _LARGE and half:
            differing = self._differing(wanted, rows, range(half))
            chosen = _about_smallest(differing, int(_SHARE_COUNTED * len(rows)))
            rows, differing = rows[chosen], differing[chosen]
            differing = differing + self._differing(wanted, rows, range(half, self._words))
        else:
            differing = self._differing(wanted, rows, range(self._words))
        rows = rows[_smallest(differing, looked_at)]
        return rows[self._most_alike(vector, rows, limit)]

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return everything under names, for a snapshot."""
        return {
            "words": self._room[:, : len(self)],
            "ordinals": self._ordinals.view,
            "scopes": self._scopes.view,
            "alive": self._alive.view,
        }

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, NDArray[np.generic]]) -> Self:
        """Return the sketches that `arrays` were taken from."""
        words, ordinals = arrays["words"], arrays["ordinals"].view(np.uint32)
        sketches = cls(words.shape[0] * _WORD_BITS)
        sketches._room = words.view(np.uint64)
        sketches._ordinals = GrowingArray(np.uint32, ordinals)
        sketches._scopes = GrowingArray(np.int64, arrays["scopes"])
        sketches._alive = GrowingArray(np.bool_, arrays["alive"])
        rows = np.full(int(ordinals.max(initial=0)) + 1, _NO_ROW, np.int32)
        rows[ordinals] = np.arange(len(ordinals))
        sketches._rows = GrowingArray(np.int32, rows)
        return sketches

    def _differing(
        self, wanted: NDArray[np.uint64], rows: Rows, words: Iterable[int]
    ) -> NDArray[np.uint16]:
        """Count the bits in which some rows differ, in some words of their sketches."""
        # Picking out most of the rows costs more than counting all of them.
        everything = len(rows) * 3 > len(self)
        differing = np.zeros(len(self) if everything else len(rows), np.uint16)
        for word in words:
            row = self._room[word, : len(self)]
            differing += np.bitwise_count((row if everything else row[rows]) ^ wanted[word])
        return differing[rows] if everything and len(rows) < len(self) else differing

    def _most_alike(self, vector: Vector, rows: Rows, limit: int) -> NDArray[np.intp]:
        """Return which of some rows agree best with a vector, each dimension with its weight."""
        if len(rows) <= limit:
            return np.arange(len(rows))
        packed = np.ascontiguousarray(self._room[:, rows].T).view(np.uint8)
        bits = np.unpackbits(packed, axis=1, count=len(vector)).astype(np.float32)
        return np.argpartition(-products(bits, vector), limit)[:limit]

    def _sketch(self, vectors: Vector) -> NDArray[np.uint64]:
        bits = np.packbits(vectors > 0, axis=1)
        missing = self._words * 8 - bits.shape[1]
        return np.ascontiguousarray(np.pad(bits, ((0, 0), (0, missing)))).view(np.uint64)


def _smallest(values: NDArray[np.uint16], limit: int) -> NDArray[np.intp]:
    """Return where the smallest values stand; for numbers this small counting is quickest."""
    if len(values) <= limit:
        return np.arange(len(values))
    reached = np.cumsum(np.bincount(values))
    threshold = int(reached.searchsorted(limit))
    below = np.flatnonzero(values < threshold)
    return np.concatenate([below, np.flatnonzero(values == threshold)[: limit - len(below)]])


def _about_smallest(values: NDArray[np.uint16], limit: int) -> NDArray[np.intp]:
    """Return where about so many of the smallest values stand; a sample decides."""
    sample = values[::97]
    threshold = np.partition(sample, limit * len(sample) // len(values))
    return np.flatnonzero(values <= threshold[limit * len(sample) // len(values)])
