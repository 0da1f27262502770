"""The inverted index: for each term the documents that hold it, as sorted arrays.

New documents go into a tail of small lists; a full tail becomes an immutable segment, and
segments of like size are merged, so that a look-up visits only a few of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mnemic.storage.terms import Counts, Hashes, unpack_documents, unpack_terms

Ordinals = NDArray[np.uint32]
Parts = list[tuple[Ordinals, Counts]]

_TAIL_DOCUMENTS: Final = 1024
_MERGE_RATIO: Final = 4


@dataclass(frozen=True, slots=True)
class Segment:
    """The postings of a run of documents: `ordinals[starts[i]:starts[i + 1]]` hold `terms[i]`."""

    terms: Hashes
    starts: NDArray[np.int64]
    ordinals: Ordinals
    counts: Counts

    def find(self, terms: Hashes) -> list[tuple[Ordinals, Counts] | None]:
        """Return, for each term, the documents with it and how often it stands there."""
        at = self.terms.searchsorted(terms)
        at[at == len(self.terms)] = 0
        there = (self.terms[at] == terms).tolist() if len(self.terms) else [False] * len(terms)
        starts, ends = self.starts[at].tolist(), self.starts[at + 1].tolist()
        return [
            (self.ordinals[start:end], self.counts[start:end]) if known else None
            for known, start, end in zip(there, starts, ends, strict=True)
        ]


class Postings:
    """The inverted index of a growing list of documents, numbered from 0."""

    def __init__(self) -> None:
        self._segments: list[Segment] = []
        self._tail: list[bytes] = []
        self._tail_first = 0
        self._tail_terms: dict[int, tuple[list[int], list[int]]] = {}

    def extend(self, first: int, blobs: Sequence[bytes]) -> None:
        """Add packed documents, numbered on from `first`."""
        if len(blobs) >= _TAIL_DOCUMENTS:
            self._seal()
            self._add_segment(_build(first, blobs))
            return
        if not self._tail:
            self._tail_first = first
        self._tail.extend(blobs)
        for ordinal, blob in enumerate(blobs, first):
            hashes, counts = unpack_terms(blob)
            for term, count in zip(hashes.tolist(), counts.tolist(), strict=True):
                ordinals, numbers = self._tail_terms.setdefault(term, ([], []))
                ordinals.append(ordinal)
                numbers.append(count)
        if len(self._tail) >= _TAIL_DOCUMENTS:
            self._seal()

    def find(self, terms: Sequence[int]) -> list[tuple[Ordinals, Counts]]:
        """Return, for each term, the documents with it, ascending, and how often it is there."""
        return [_joined(parts) for parts in self.parts(terms)]

    def parts(self, terms: Sequence[int]) -> list[Parts]:
        """Return the same in as many parts as there are segments, without copying any."""
        wanted = np.array(terms, np.uint32)
        by_segment = [segment.find(wanted) for segment in self._segments]
        found: list[Parts] = []
        for number, term in enumerate(terms):
            parts = [part for segment in by_segment if (part := segment[number])]
            tail = self._tail_terms.get(term)
            if tail:
                parts.append((np.array(tail[0], np.uint32), np.array(tail[1], np.uint8)))
            found.append(parts)
        return found

    def _seal(self) -> None:
        if self._tail:
            self._add_segment(_build(self._tail_first, self._tail))
            self._tail = []
            self._tail_terms = {}

    def _add_segment(self, segment: Segment) -> None:
        self._segments.append(segment)
        while len(self._segments) > 1:
            older, newer = self._segments[-2:]
            if len(older.ordinals) > _MERGE_RATIO * len(newer.ordinals):
                return
            self._segments[-2:] = [_merge(older, newer)]


def _joined(parts: Parts) -> tuple[Ordinals, Counts]:
    if not parts:
        return np.empty(0, np.uint32), np.empty(0, np.uint8)
    if len(parts) == 1:
        return parts[0]
    return (
        np.concatenate([ordinals for ordinals, _ in parts]),
        np.concatenate([counts for _, counts in parts]),
    )


def _build(first: int, blobs: Sequence[bytes]) -> Segment:
    """Invert packed documents, numbered on from `first`."""
    hashes, sizes, counts = unpack_documents(blobs)
    numbers = np.arange(first, first + len(blobs), dtype=np.uint32)
    return _sorted_segment(hashes, np.repeat(numbers, sizes), counts)


def _merge(older: Segment, newer: Segment) -> Segment:
    """Join two segments; the older one's documents come first, as their numbers are smaller."""
    hashes = np.concatenate([_spread(older), _spread(newer)])
    ordinals = np.concatenate([older.ordinals, newer.ordinals])
    counts = np.concatenate([older.counts, newer.counts])
    return _sorted_segment(hashes, ordinals, counts)


def _spread(segment: Segment) -> Hashes:
    return np.repeat(segment.terms, np.diff(segment.starts))


def _sorted_segment(hashes: Hashes, ordinals: Ordinals, counts: Counts) -> Segment:
    # Stable: documents of one term stay in ascending order.
    order = np.argsort(hashes, kind="stable")
    hashes = hashes[order]
    if not len(hashes):
        return Segment(hashes, np.zeros(1, np.int64), ordinals, counts)
    changes = np.flatnonzero(hashes[1:] != hashes[:-1]) + 1
    starts = np.concatenate([[0], changes, [len(hashes)]]).astype(np.int64)
    return Segment(hashes[starts[:-1]], starts, ordinals[order], counts[order])
