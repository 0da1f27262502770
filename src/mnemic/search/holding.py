"""Which documents of some scopes hold every one of some terms.

Lists are intersected from the rarest term on, so that a common word costs little beside a rare one.
Two terms with one hash count as one, as everywhere in the index.
"""

from collections.abc import Collection, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mnemic.search.arrays.growing import Ordinals
from mnemic.search.arrays.postings import Spread
from mnemic.search.arrays.segments import Places
from mnemic.search.documents import Catalog
from mnemic.search.terms import hash_term

# More scopes than these are looked up together, not one by one.
_FEW_SCOPES: Final = 12
# In a list that is so many times longer, places are looked up; otherwise both are laid on a mask.
_MUCH_LONGER: Final = 12
_NOTHING: Final = np.empty(0, np.uint32)


def holding(catalog: Catalog, terms: Collection[str], scopes: Sequence[int]) -> Ordinals:
    """Return the live documents that hold every term, each once; none where no term is given.

    Those of one scope stand in ascending order.
    """
    hashes = [*{hash_term(term) for term in terms}]
    if not hashes or not scopes:
        return _NOTHING
    if catalog.has_passages:
        return _in_texts(catalog, hashes, np.unique(scopes))
    if len(scopes) > _FEW_SCOPES:
        return _in_many(catalog, hashes, scopes)
    return _joined([_in_one(catalog, hashes, scope) for scope in scopes])


def _in_texts(catalog: Catalog, hashes: Sequence[int], scopes: NDArray[np.int64]) -> Ordinals:
    """Look for texts of which each term stands in some passage, by the document of their beginning;
    those whose terms hardly anything holds are looked up first.
    """
    spreads = [catalog.postings.find_in(scopes, term) for term in hashes]
    held: NDArray[np.int64] | None = None
    for spread in sorted(spreads, key=lambda one: int(one.holders.sum())):
        owners = np.unique(catalog.owners(_ordinals(catalog, scopes, spread)))
        held = owners if held is None else np.intersect1d(held, owners, assume_unique=True)
        if not len(held):
            return _NOTHING
    ordinals = _NOTHING if held is None else catalog.ordinals(held)
    return ordinals.compress(catalog.members.live.view.take(ordinals))


def _in_one(catalog: Catalog, hashes: Sequence[int], scope: int) -> Ordinals:
    documents = catalog.members.of_scope(scope)
    if documents is None:
        return _NOTHING
    found = catalog.postings.find(scope, hashes)
    rarest, *others = np.argsort(found.holders).tolist()
    if not found.holders[rarest]:
        return _NOTHING
    places = _joined(found.parts(rarest))
    for number in others:
        if not len(places):
            break
        places = _shared(places, found.parts(number), int(found.holders[number]))
    if documents.live < len(documents):
        places = places.compress(documents.alive.view.take(places))
    return documents.ordinals.view.take(places)


def _joined(parts: Sequence[NDArray[np.uint32]]) -> NDArray[np.uint32]:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _shared(places: Places, parts: Sequence[Places], holders: int) -> Places:
    """Keep those of some ascending places that stand in one of the ascending parts."""
    if holders > _MUCH_LONGER * len(places):
        held = np.zeros(len(places), np.bool_)
        for part in parts:
            at = np.minimum(part.searchsorted(places), len(part) - 1)
            held |= part[at] == places
        return places.compress(held)
    mask = np.zeros(int(max(places[-1], parts[-1][-1])) + 1, np.bool_)
    for part in parts:
        # With an array of another type as index, numpy takes twice as long.
        mask[part.astype(np.intp)] = True
    return places.compress(mask.take(places))


def _in_many(catalog: Catalog, hashes: Sequence[int], scopes: Sequence[int]) -> Ordinals:
    """Look each term up in all scopes at once; a scope that lacks one is left out from then on."""
    left = np.unique(scopes)
    found: list[Spread] = []
    for term in hashes:
        found.append(catalog.postings.find_in(left, term))
        there = found[-1].holders > 0
        if not there.all():
            left, found = left[there], [one.only(there) for one in found]
        if not len(left):
            return _NOTHING
    rarest, *others = sorted(found, key=lambda one: int(one.holders.sum()))
    ordinals = _ordinals(catalog, left, rarest)
    for one in others:
        ordinals = ordinals.compress(_mask(catalog, _ordinals(catalog, left, one)).take(ordinals))
    mask = _mask(catalog, ordinals.compress(catalog.members.live.view.take(ordinals)))
    return np.flatnonzero(mask).astype(np.uint32)


def _ordinals(catalog: Catalog, scopes: NDArray[np.int64], term: Spread) -> Ordinals:
    parts = [
        catalog.layout.ordinals(catalog.members, scopes, sizes, places)
        for sizes, places in term.parts()
    ]
    return _joined(parts)


def _mask(catalog: Catalog, ordinals: Ordinals) -> NDArray[np.bool_]:
    mask = np.zeros(len(catalog.members), np.bool_)
    mask[ordinals.astype(np.intp)] = True
    return mask
