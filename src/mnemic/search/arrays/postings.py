"""The inverted index of a store that grows.

New documents go into a tail of small lists; a full tail becomes an immutable segment, and
segments of like size are merged, so that a look-up visits only a few of them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from mnemic.search.arrays.segments import Bounds, Places, Segment, build, merge
from mnemic.search.terms import Counts, unpack_documents, unpack_terms

_TAIL_DOCUMENTS: Final = 1024
_MERGE_RATIO: Final = 4


@dataclass(frozen=True, slots=True)
class TermPostings:
    """Where some terms stand in one scope. Nothing is copied out of a segment."""

    terms: Sequence[int]
    holders: NDArray[np.int64]
    """In how many documents each term stands, those that were retired included."""

    _scope: int
    _segments: list[tuple[Segment, Bounds]]
    _tail: "_Tail"

    def parts(self, number: int) -> list[Places]:
        """Return the places of one of the terms, in ascending parts."""
        parts = [
            segment.all.places[starts[number] : ends[number]]
            for segment, (starts, ends) in self._segments
            if ends[number] > starts[number]
        ]
        newest = self._tail.places(self._scope, self.terms[number])
        return [*parts, np.array(newest, np.uint32)] if newest else parts

    def repeated(self) -> Iterator[tuple[int, Places, Counts]]:
        """Return which term stands more than once where, and how often."""
        for segment, _ in self._segments:
            lists = segment.repeated
            bounds = lists.bounds(self._scope, np.array(self.terms, np.uint32))
            if bounds is not None:
                for number in np.flatnonzero(bounds[1] > bounds[0]).tolist():
                    own = slice(bounds[0][number], bounds[1][number])
                    yield number, lists.places[own], lists.counts[own]
        for number, term in enumerate(self.terms):
            if again := self._tail.repeated(self._scope, term):
                columns = np.array(again, np.uint32).T
                yield number, columns[0], columns[1].astype(np.uint8)


@dataclass(frozen=True, slots=True)
class Spread:
    """Where one term stands in many scopes."""

    holders: NDArray[np.int64]
    """In how many documents of each scope it stands, those that were retired included."""

    _lists: list[tuple[Bounds, Places]]

    def only(self, chosen: NDArray[np.bool_]) -> Self:
        """Return the same for some of the scopes."""
        lists = [((begin[chosen], end[chosen]), places) for (begin, end), places in self._lists]
        return type(self)(self.holders[chosen], lists)

    def parts(self) -> Iterator[tuple[NDArray[np.int64], Places]]:
        """Return in parts how many places there are in each scope, and the places themselves,
        ascending within a scope.
        """
        for (starts, ends), places in self._lists:
            sizes = ends - starts
            before = np.cumsum(sizes) - sizes
            own = np.repeat(starts - before, sizes) + np.arange(int(sizes.sum()))
            yield sizes, places.take(own)


class _Tail:
    """The newest documents, in plain lists."""

    def __init__(self) -> None:
        self.documents: list[tuple[int, int, bytes]] = []
        self._places: dict[int, dict[int, list[int]]] = {}
        self._repeated: dict[tuple[int, int], list[tuple[int, int]]] = {}

    def add(self, scope: int, place: int, blob: bytes) -> None:
        self.documents.append((scope, place, blob))
        hashes, counts = unpack_terms(blob)
        for term, count in zip(hashes.tolist(), counts.tolist(), strict=True):
            self._places.setdefault(term, {}).setdefault(scope, []).append(place)
            if count > 1:
                self._repeated.setdefault((scope, term), []).append((place, count))

    def places(self, scope: int, term: int) -> list[int]:
        return self._places.get(term, {}).get(scope, [])

    def lists(self, scopes: NDArray[np.int64], term: int) -> tuple[Bounds, Places]:
        """Return the places of one term in ascending scopes, behind each other, and where those
        of each scope begin and end.
        """
        sizes = np.zeros(len(scopes), np.int64)
        wanted = set(scopes.tolist())
        held = sorted(entry for entry in self._places.get(term, {}).items() if entry[0] in wanted)
        sizes[scopes.searchsorted([scope for scope, _ in held])] = [len(own) for _, own in held]
        ends = np.cumsum(sizes)
        places = np.array([place for _, own in held for place in own], np.uint32)
        return (ends - sizes, ends), places

    def repeated(self, scope: int, term: int) -> list[tuple[int, int]]:
        return self._repeated.get((scope, term), [])


class Postings:
    """For each scope and term, the places of the documents that hold it."""

    def __init__(self, segments: Sequence[Segment] = ()) -> None:
        self._segments = list(segments)
        self._tail = _Tail()

    def extend(self, scopes: NDArray[np.int64], places: Places, blobs: Sequence[bytes]) -> None:
        """Add packed documents; in each scope, places only ever grow."""
        if len(blobs) >= _TAIL_DOCUMENTS:
            self.seal()
            self._add_segment(_build(scopes, places, blobs))
            return
        for scope, place, blob in zip(scopes.tolist(), places.tolist(), blobs, strict=True):
            self._tail.add(scope, place, blob)
        if len(self._tail.documents) >= _TAIL_DOCUMENTS:
            self.seal()

    def find(self, scope: int, terms: Sequence[int]) -> TermPostings:
        """Return where each term stands in a scope."""
        wanted = np.array(terms, np.uint32)
        holders = np.array([len(self._tail.places(scope, term)) for term in terms], np.int64)
        bounded: list[tuple[Segment, Bounds]] = []
        for segment in self._segments:
            bounds = segment.all.bounds(scope, wanted)
            if bounds is not None:
                bounded.append((segment, bounds))
                holders += bounds[1] - bounds[0]
        return TermPostings(terms, holders, scope, bounded, self._tail)

    def find_in(self, scopes: NDArray[np.int64], term: int) -> Spread:
        """Return where one term stands in many scopes, which ascend."""
        lists = [
            (segment.all.bounds_in(scopes, term), segment.all.places) for segment in self._segments
        ]
        if self._tail.documents:
            lists.append(self._tail.lists(scopes, term))
        holders = sum((end - begin for (begin, end), _ in lists), np.zeros(len(scopes), np.int64))
        return Spread(holders, lists)

    def seal(self) -> list[Segment]:
        """Make the tail a segment, and return all segments."""
        tail, self._tail = self._tail.documents, _Tail()
        if tail:
            scopes, places, blobs = zip(*tail, strict=True)
            self._add_segment(
                _build(np.array(scopes, np.int64), np.array(places, np.uint32), blobs)
            )
        return self._segments

    def _add_segment(self, segment: Segment) -> None:
        self._segments.append(segment)
        while len(self._segments) > 1:
            older, newer = self._segments[-2:]
            if len(older) > _MERGE_RATIO * len(newer):
                return
            self._segments[-2:] = [merge(older, newer)]


def _build(scopes: NDArray[np.int64], places: Places, blobs: Sequence[bytes]) -> Segment:
    hashes, sizes, counts = unpack_documents(blobs)
    return build(scopes, places, hashes, sizes, counts)
