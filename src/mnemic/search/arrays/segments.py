"""Immutable runs of the inverted index: for each scope and term, the places that hold it.

A place is a document's position among those of its scope, so every scope is an index of its own:
what other scopes hold costs nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from mnemic.search.terms import Counts, Hashes

Places = NDArray[np.uint32]
Bounds = tuple[NDArray[np.int64], NDArray[np.int64]]

_HASH_BITS: Final = np.uint64(32)


@dataclass(frozen=True, slots=True)
class Lists:
    """Sorted lists of places, one for each scope and term that occurs.

    The terms of `scopes[i]` are `terms[ranges[i]:ranges[i + 1]]`; the list of `terms[j]` is
    `places[starts[j]:starts[j + 1]]`, and `counts` runs beside `places` where it is kept.
    """

    scopes: NDArray[np.int64]
    ranges: NDArray[np.int64]
    terms: Hashes
    starts: NDArray[np.int64]
    places: Places
    counts: Counts

    def bounds(self, scope: int, terms: Hashes) -> Bounds | None:
        """Return where the list of each term begins and ends, both alike where there is none;
        None if there is no list of the scope at all.
        """
        at = int(self.scopes.searchsorted(scope))
        if at == len(self.scopes) or self.scopes[at] != scope:
            return None
        first, last = int(self.ranges[at]), int(self.ranges[at + 1])
        places = self.terms[first:last].searchsorted(terms) + first
        places[places == last] = first
        starts = self.starts[places]
        return starts, np.where(self.terms[places] == terms, self.starts[places + 1], starts)

    def bounds_in(self, scopes: NDArray[np.int64], term: int) -> Bounds:
        """Return where the list of one term begins and ends in each of many scopes, both alike
        where there is none. All are looked up together: a scope at a time costs more.
        """
        if not len(self.scopes):
            return np.zeros(len(scopes), np.int64), np.zeros(len(scopes), np.int64)
        at = np.minimum(self.scopes.searchsorted(scopes), len(self.scopes) - 1)
        low, high = self.ranges[at], self.ranges[at + 1]
        last = high - 1
        for _ in range(int((high - low).max()).bit_length()):
            # Where the search is over, the middle may be the next scope's first: it stays there.
            middle = np.minimum((low + high) >> 1, last)
            below = self.terms[middle] < term
            low = np.where(below & (low < high), middle + 1, low)
            high = np.where(below, high, np.minimum(middle, high))
        low = np.minimum(low, last)
        there = (self.scopes[at] == scopes) & (self.terms[low] == term)
        starts = self.starts[low]
        return starts, np.where(there, self.starts[low + 1], starts)


@dataclass(frozen=True, slots=True)
class Segment:
    """The postings of some documents. How often a term stands in a document is kept only where
    that is more than once, in lists of their own.
    """

    all: Lists
    repeated: Lists

    def __len__(self) -> int:
        return len(self.all.places)

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return every array under a name of its own."""
        return {
            f"{part}.{field.name}": getattr(getattr(self, part), field.name)
            for part in ("all", "repeated")
            for field in fields(Lists)
        }

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, NDArray[np.generic]]) -> Self:
        """Return the segment that `arrays` were taken from."""
        parts = {
            part: Lists(**{field.name: arrays[f"{part}.{field.name}"] for field in fields(Lists)})  # pyright: ignore[reportArgumentType]
            for part in ("all", "repeated")
        }
        return cls(**parts)


def build(
    scopes: NDArray[np.int64],
    places: Places,
    hashes: Hashes,
    sizes: NDArray[np.int64],
    counts: Counts,
) -> Segment:
    """Invert documents, each given by its scope, its place there, and its terms."""
    keys = np.repeat(scopes.astype(np.uint64) << _HASH_BITS, sizes) | hashes
    # Stable: the documents of one term stay in ascending order.
    order = np.argsort(keys, kind="stable")
    keys, spread, counts = keys[order], np.repeat(places, sizes)[order], counts[order]
    again = counts > 1
    nothing = np.empty(0, np.uint8)
    return Segment(
        all=_lists(keys, spread, nothing),
        repeated=_lists(keys[again], spread[again], counts[again]),
    )


def merge(older: Segment, newer: Segment) -> Segment:
    """Join two segments; in each scope, the older one's places all come before the newer one's."""
    return Segment(
        all=_merged(older.all, newer.all), repeated=_merged(older.repeated, newer.repeated)
    )


def _lists(keys: NDArray[np.uint64], places: Places, counts: Counts) -> Lists:
    starts = _starts(keys)
    return _keyed(keys[starts[:-1]], starts, places, counts)


def _starts(ordered: NDArray[np.unsignedinteger]) -> NDArray[np.int64]:
    """Return where each new value of a sorted array begins, and its end."""
    if not len(ordered):
        return np.zeros(1, np.int64)
    changes = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
    return np.concatenate([[0], changes, [len(ordered)]]).astype(np.int64)


def _keyed(
    keys: NDArray[np.uint64], starts: NDArray[np.int64], places: Places, counts: Counts
) -> Lists:
    """Split sorted keys into scopes and the terms of each."""
    scopes = keys >> _HASH_BITS
    ranges = _starts(scopes)
    own = scopes[ranges[:-1]].astype(np.int64)
    return Lists(own, ranges, keys.astype(np.uint32), starts, places, counts)


def _keys(lists: Lists) -> NDArray[np.uint64]:
    scopes = np.repeat(lists.scopes.astype(np.uint64), np.diff(lists.ranges))
    return (scopes << _HASH_BITS) | lists.terms


def _merged(older: Lists, newer: Lists) -> Lists:
    """Lay the lists of both behind each other, without sorting what is sorted."""
    pair: Sequence[Lists] = (older, newer)
    keys = [_keys(lists) for lists in pair]
    union = np.union1d(*keys)
    sizes = [np.zeros(len(union), np.int64) for _ in pair]
    for size, own, lists in zip(sizes, keys, pair, strict=True):
        size[union.searchsorted(own)] = np.diff(lists.starts)
    starts = np.concatenate([[0], np.cumsum(sizes[0] + sizes[1])])
    places = np.empty(starts[-1], np.uint32)
    counts = np.empty(starts[-1] if len(older.counts) or len(newer.counts) else 0, np.uint8)
    for size, begin, lists in zip(sizes, (starts[:-1], starts[:-1] + sizes[0]), pair, strict=True):
        shift = (begin - np.concatenate([[0], np.cumsum(size)[:-1]]))[size > 0]
        into = np.repeat(shift, size[size > 0]) + np.arange(len(lists.places))
        places[into] = lists.places
        if len(counts):
            counts[into] = lists.counts
    return _keyed(union, starts, places, counts)
