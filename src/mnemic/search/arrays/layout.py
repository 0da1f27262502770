"""Which documents stand at places of very many scopes, found for all of them at once."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mnemic.search.arrays.growing import Ordinals
from mnemic.search.arrays.members import Members
from mnemic.search.arrays.segments import Places

_PLACE_BITS: Final = 32
# So many new documents, or so small a part of all, are looked up before all are laid out again.
_NEWEST: Final = 4_096
_NEWEST_PART: Final = 8


class Layout:
    """The documents of a store scope by scope, in one list. It is made on first use."""

    def __init__(self) -> None:
        self._size = 0
        self._scopes = np.empty(0, np.int64)
        self._starts = np.zeros(1, np.int64)
        self._ordinals: Ordinals = np.empty(0, np.uint32)

    def ordinals(
        self,
        members: Members,
        scopes: NDArray[np.int64],
        sizes: NDArray[np.int64],
        places: Places,
    ) -> Ordinals:
        """Return what stands at `places`: so many of them, by `sizes`, belong to each scope.

        Every place must be there; `members` only ever grows.
        """
        if not len(places):
            return np.empty(0, np.uint32)
        if len(members) - self._size > min(_NEWEST, self._size // _NEWEST_PART):
            self._lay_out(members)
        at = np.minimum(self._scopes.searchsorted(scopes), len(self._scopes) - 1)
        known = np.where(self._scopes[at] == scopes, self._starts[at + 1] - self._starts[at], 0)
        into = np.repeat(self._starts[at], sizes) + places
        if self._size == len(members):
            return self._ordinals.take(into)
        newer = places >= np.repeat(known, sizes)
        ordinals = self._ordinals.take(np.where(newer, 0, into))
        ordinals[newer] = self._newest(members, np.repeat(scopes, sizes)[newer], places[newer])
        return ordinals

    def _lay_out(self, members: Members) -> None:
        order = np.argsort(members.scopes.view, kind="stable")
        self._scopes, starts = np.unique(members.scopes.view[order], return_index=True)
        self._starts = np.append(starts, len(order))
        self._ordinals = order.astype(np.uint32)
        self._size = len(order)

    def _newest(
        self, members: Members, scopes: NDArray[np.int64], places: Places
    ) -> NDArray[np.int64]:
        """Look up documents that came after the list was made."""
        newest = slice(self._size, None)
        keys = (members.scopes.view[newest] << _PLACE_BITS) | members.places.view[newest]
        order = np.argsort(keys)
        wanted = (scopes << _PLACE_BITS) | places
        return order[keys[order].searchsorted(wanted)] + self._size
