"""Which documents belong to which scope, how long they are, and which are still alive."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from mnemic.search.arrays.growing import GrowingArray, Ordinals
from mnemic.search.arrays.segments import Places


@dataclass(slots=True)
class ScopeDocuments:
    """One scope's documents by place, retired ones included, and the totals of the live ones."""

    ordinals: GrowingArray[np.uint32]
    lengths: GrowingArray[np.uint16]
    alive: GrowingArray[np.bool_]
    live: int = 0
    total_length: int = 0

    def __len__(self) -> int:
        return len(self.ordinals)


class Members:
    """The documents of a store by scope. A document's place is its position in its scope.

    Scopes that came from a snapshot are made on first use: a store may have very many.
    """

    def __init__(self) -> None:
        self.scopes = GrowingArray(np.int64)
        self.places = GrowingArray(np.uint32)
        self.lengths = GrowingArray(np.uint16)
        self.live = GrowingArray(np.bool_)
        self._known: dict[int, ScopeDocuments] = {}
        self._base: tuple[NDArray[np.int64], NDArray[np.int64], Ordinals] | None = None

    def __len__(self) -> int:
        return len(self.scopes)

    def of_scope(self, scope: int) -> ScopeDocuments | None:
        """Return a scope's documents, or None for a scope that never held any."""
        return self._known.get(scope) or self._from_base(scope)

    def extend(self, first: int, scopes: NDArray[np.int64], lengths: NDArray[np.uint16]) -> Places:
        """Add documents, numbered on from `first`, and return the place of each in its scope."""
        places = np.empty(len(scopes), np.uint32)
        order = np.argsort(scopes, kind="stable")
        ordered = scopes[order]
        starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
        for start, group in zip(starts.tolist(), np.split(order, starts[1:]), strict=True):
            scope = int(ordered[start])
            documents = self.of_scope(scope)
            if documents is None:
                documents = self._known[scope] = _no_documents()
            places[group] = np.arange(len(documents), len(documents) + len(group))
            documents.ordinals.extend(group + first)
            documents.lengths.extend(lengths[group])
            documents.alive.extend(np.ones(len(group), np.bool_))
            documents.live += len(group)
            documents.total_length += int(lengths[group].sum())
        self.scopes.extend(scopes)
        self.places.extend(places)
        self.lengths.extend(lengths)
        self.live.extend(np.ones(len(scopes), np.bool_))
        return places

    def retire(self, ordinal: int) -> bool:
        """Take a document out; tell whether it was alive."""
        if not self.live.view[ordinal]:
            return False
        # Made before the change: a scope that is made later counts what is alive then.
        documents = self.of_scope(int(self.scopes.view[ordinal]))
        self.live.view[ordinal] = False
        if documents is not None:
            documents.alive.view[self.places.view[ordinal]] = False
            documents.live -= 1
            documents.total_length -= int(self.lengths.view[ordinal])
        return True

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return everything under names, for a snapshot."""
        order = np.argsort(self.scopes.view, kind="stable")
        ids, starts = np.unique(self.scopes.view[order], return_index=True)
        return {
            "scopes": self.scopes.view,
            "places": self.places.view,
            "lengths": self.lengths.view,
            "live": self.live.view,
            "scope.ids": ids,
            "scope.starts": np.append(starts, len(order)),
            "scope.ordinals": order.astype(np.uint32),
        }

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, NDArray[np.generic]]) -> Self:
        """Return the members that `arrays` were taken from."""
        members = cls()
        members.scopes = GrowingArray(np.int64, arrays["scopes"])
        members.places = GrowingArray(np.uint32, arrays["places"])
        members.lengths = GrowingArray(np.uint16, arrays["lengths"])
        members.live = GrowingArray(np.bool_, arrays["live"])
        ids, starts, ordinals = (arrays[f"scope.{name}"] for name in ("ids", "starts", "ordinals"))
        members._base = (ids.astype(np.int64), starts.astype(np.int64), ordinals.view(np.uint32))
        return members

    def _from_base(self, scope: int) -> ScopeDocuments | None:
        if self._base is None:
            return None
        ids, starts, ordinals = self._base
        at = int(ids.searchsorted(scope))
        if at == len(ids) or ids[at] != scope:
            return None
        own = ordinals[starts[at] : starts[at + 1]]
        lengths, live = self.lengths.view[own], self.live.view[own]
        documents = ScopeDocuments(
            GrowingArray(np.uint32, own),
            GrowingArray(np.uint16, lengths),
            GrowingArray(np.bool_, live),
            live=int(live.sum()),
            total_length=int(lengths[live].sum()),
        )
        self._known[scope] = documents
        return documents


def _no_documents() -> ScopeDocuments:
    return ScopeDocuments(GrowingArray(np.uint32), GrowingArray(np.uint16), GrowingArray(np.bool_))
