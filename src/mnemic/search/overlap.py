"""Which documents of a scope share most of a text's terms."""

from collections.abc import Collection, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mnemic.search.arrays.postings import TermPostings
from mnemic.search.arrays.segments import Places
from mnemic.search.documents import Catalog
from mnemic.search.field import Field
from mnemic.search.terms import hash_term

# How many near-duplicates of a text are compared term by term.
_SUSPECTS: Final = 64


def overlapping(
    catalog: Catalog, field: Field, terms: Collection[str], *, share: float, limit: int
) -> Places:
    """Return places that share that part of all terms with a text, most shared first.

    A document that shares most terms shares some of the rarer ones: only what holds enough of
    those is looked at, so that the cost does not grow with the common words.
    """
    if not field.parts or not terms:
        return np.empty(0, np.uint32)
    hashes = list({hash_term(term) for term in terms})
    needed = int(np.ceil(share * len(hashes)))
    among_rare = max(1, needed // 3)
    term_postings = catalog.postings.find(field.parts[0].scope, hashes)
    by_rarity = np.argsort(term_postings.holders, kind="stable").tolist()
    rare = len(hashes) - needed + among_rare
    suspects, shared = _shared(term_postings, by_rarity[:rare], among_rare)
    sizes = catalog.sizes.view[field.ordinals(suspects)].astype(np.int64)
    # What it would share if it held all of the commoner terms as well.
    at_most = np.minimum(shared + len(hashes) - rare, sizes)
    fits = (sizes >= needed) & (at_most >= share * (sizes + len(hashes) - at_most))
    if field.live is not None:
        fits &= field.live[suspects]
    chosen = np.flatnonzero(fits)
    chosen = chosen[np.argsort(-shared[chosen], kind="stable")[:_SUSPECTS]]
    suspects, sizes = suspects[chosen], sizes[chosen]
    common = shared[chosen] + _count_among(term_postings, by_rarity[rare:], suspects)
    alike = common / (sizes + len(hashes) - common)
    best = np.argsort(-alike, kind="stable")
    return suspects[best[alike[best] >= share][:limit]]


def _shared(
    term_postings: TermPostings, numbers: Sequence[int], least: int
) -> tuple[Places, NDArray[np.int64]]:
    """Return the places that hold at least so many of some terms, and how many they hold."""
    parts = [part for number in numbers for part in term_postings.parts(number)]
    if not parts:
        return np.empty(0, np.uint32), np.empty(0, np.int64)
    places, counts = np.unique(np.concatenate(parts), return_counts=True)
    enough = counts >= least
    return places[enough], counts[enough]


def _count_among(
    term_postings: TermPostings, numbers: Sequence[int], places: Places
) -> NDArray[np.int64]:
    """Return, for each place, how many of some terms it holds."""
    counts = np.zeros(len(places), np.int64)
    if len(places):
        for number in numbers:
            for part in term_postings.parts(number):
                at = np.minimum(part.searchsorted(places), len(part) - 1)
                counts += part[at] == places
    return counts
