"""The documents that are being searched: the places of some scopes, side by side."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from mnemic.search.arrays.growing import Number, Ordinals
from mnemic.search.arrays.members import Members, ScopeDocuments
from mnemic.search.arrays.postings import TermPostings
from mnemic.search.arrays.runs import NOBODY, Runs
from mnemic.search.arrays.segments import Places


@dataclass(frozen=True, slots=True)
class Part:
    """One scope of a field: its first place stands at `offset`."""

    scope: int
    offset: int
    documents: ScopeDocuments


@dataclass(frozen=True, slots=True)
class Field:
    """Some scopes' documents, numbered through. Statistics are the field's own, so that what
    another user wrote never changes a score.

    `allowed` tells for each place whether it may be found (None: every live one may). It changes
    no score: a filter only leaves out.
    """

    parts: tuple[Part, ...]
    members: Members
    runs: Runs
    size: int
    mean_length: float
    lengths: NDArray[np.uint16]
    live: NDArray[np.bool_] | None
    allowed: NDArray[np.bool_] | None = None

    @classmethod
    def of(cls, scopes: Sequence[int], members: Members, runs: Runs) -> Self:
        """Return the field of some scopes; those that hold nothing are left out."""
        parts: list[Part] = []
        width = 0
        for scope in dict.fromkeys(scopes):
            documents = members.of_scope(scope)
            if documents is not None:
                parts.append(Part(scope, width, documents))
                width += len(documents)
        size = sum(part.documents.live for part in parts)
        total = sum(part.documents.total_length for part in parts)
        live = None
        if size < width:
            live = _joined([part.documents.alive.view for part in parts], np.bool_)
        return cls(
            parts=tuple(parts),
            members=members,
            runs=runs,
            size=size,
            mean_length=(total / size if size else 1.0) or 1.0,
            lengths=_joined([part.documents.lengths.view for part in parts], np.uint16),
            live=live,
        )

    @property
    def width(self) -> int:
        """How many places there are, those of retired documents included."""
        return len(self.lengths)

    @property
    def in_runs(self) -> Places:
        """The places that stand in a run, ascending."""
        found = [
            self.runs.inside(part.scope, part.documents) + np.uint32(part.offset)
            for part in self.parts
        ]
        return np.concatenate(found) if found else np.empty(0, np.uint32)

    def only(self, allowed: Places) -> Self:
        """Return the field with nothing but some places to be found."""
        mask = np.zeros(self.width, np.bool_)
        mask[allowed] = True
        return replace(self, allowed=mask)

    def without(self, hidden: Places) -> Self:
        """Return the field with some places that are not to be found."""
        mask = np.ones(self.width, np.bool_) if self.live is None else self.live.copy()
        mask[hidden] = False
        return replace(self, allowed=mask)

    def permitted(self, places: Places) -> Places:
        """Keep the places that may be found."""
        mask = self.live if self.allowed is None else self.allowed
        return places if mask is None else places[mask[places]]

    def everything(self) -> Places:
        """Return every place that may be found."""
        return self.permitted(np.arange(self.width, dtype=np.uint32))

    def only_allowed(self, scores: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the scores of what may be found, 0 for the rest."""
        return scores if self.allowed is None else np.where(self.allowed, scores, np.float32(0))

    def only_live(self, scores: NDArray[np.float32]) -> NDArray[np.float32]:
        """Take away what retired documents scored."""
        if self.live is not None:
            scores *= self.live
        return scores

    def holders(self, found: Sequence[TermPostings], terms: int) -> NDArray[np.int64]:
        """Return in how many live documents each term stands, given what each part holds."""
        if self.live is None:
            return sum((own.holders for own in found), start=np.zeros(terms, np.int64))
        held = np.zeros(terms, np.int64)
        for part, own in zip(self.parts, found, strict=True):
            for number in range(terms):
                for places in own.parts(number):
                    alive = part.documents.alive.view[places]
                    held[number] += np.count_nonzero(alive)
        return held

    def ordinals(self, places: Places) -> Ordinals:
        """Return which documents of the store stand at some places."""
        if len(self.parts) == 1:
            return self.parts[0].documents.ordinals.view[places]
        joined = np.empty(len(places), np.uint32)
        for part in self.parts:
            inside = (places >= part.offset) & (places < part.offset + len(part.documents))
            joined[inside] = part.documents.ordinals.view[places[inside] - part.offset]
        return joined

    def places(self, ordinals: Ordinals) -> Places:
        """Return where documents stand, ascending; those of other scopes are left out."""
        scopes = self.members.scopes.view[ordinals]
        own = self.members.places.view[ordinals]
        found = [own[scopes == part.scope] + np.uint32(part.offset) for part in self.parts]
        return np.sort(np.concatenate(found)) if found else np.empty(0, np.uint32)

    def beside(self, places: NDArray[np.integer]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the places just before and after some in their runs; NOBODY for none, also
        where it is asked for.
        """
        there = places >= 0
        asked = np.where(there, places, 0).astype(np.uint32)
        offsets = np.zeros(len(places), np.int64)
        for part in self.parts[1:]:
            offsets[asked >= part.offset] = part.offset
        ordinals = self.ordinals(asked)
        before, after = (
            np.where(there & (beside != NOBODY), beside + offsets, NOBODY)
            for beside in (self.runs.previous.view[ordinals], self.runs.following.view[ordinals])
        )
        return before, after

    def run_around(self, place: int) -> NDArray[np.int64]:
        """Return the places of the run that a place stands in; none where it stands in none."""
        run = int(self.runs_of(np.array([place]))[0])
        if run == NOBODY:
            return np.empty(0, np.int64)
        part = next(part for part in reversed(self.parts) if part.offset <= place)
        own = self.runs.of.view[part.documents.ordinals.view] == run
        return np.flatnonzero(own & part.documents.alive.view) + part.offset

    def runs_of(self, places: NDArray[np.integer]) -> NDArray[np.int32]:
        """Return which run each place belongs to; NOBODY for none."""
        return self.runs.of.view[self.ordinals(places.astype(np.uint32))]


def _joined(parts: Sequence[NDArray[Number]], dtype: type[Number]) -> NDArray[Number]:
    if len(parts) == 1:
        return parts[0]
    return np.concatenate(parts) if parts else np.empty(0, dtype)
