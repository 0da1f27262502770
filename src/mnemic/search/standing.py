"""How the terms of a question stand to one document and to what was said around it."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from mnemic.search.arrays.postings import Postings
from mnemic.search.field import Field
from mnemic.search.index_queries import TermStanding
from mnemic.search.scoring import find, rarity

# How much a word counts that stands just before or after.
_JUST_BEFORE: Final = 0.7
_JUST_AFTER: Final = 0.4
_NOWHERE: Final = np.iinfo(np.uint32).max


def standing(postings: Postings, terms: Sequence[str], place: int, field: Field) -> TermStanding:
    """Return how each term stands to the document at a place."""
    term_postings = find(postings, terms, field)
    before, after = (int(places[0]) for places in field.beside(np.array([place])))
    looked_at = np.concatenate([[place, before, after], field.run_around(place)])
    weights = np.array([1.0, _JUST_BEFORE, _JUST_AFTER])
    near, in_run = np.zeros(len(terms)), np.zeros(len(terms))
    for part, own in zip(field.parts, term_postings, strict=True):
        # What stands before this part is taken for a place that nothing holds.
        wanted = np.where(looked_at < part.offset, _NOWHERE, looked_at - part.offset)
        there = wanted[wanted != _NOWHERE]
        first, last = int(there.min(initial=_NOWHERE)), int(there.max(initial=-1))
        for number in range(len(terms)):
            for places in own.parts(number):
                if places[0] > last or places[-1] < first:
                    continue
                held = places[np.minimum(places.searchsorted(wanted), len(places) - 1)] == wanted
                near[number] = max(near[number], (weights * held[: len(weights)]).max())
                in_run[number] = max(in_run[number], held[0] or held[len(weights) :].any())
    return TermStanding(near, in_run, rarity(field.holders(term_postings, len(terms)), field.size))
