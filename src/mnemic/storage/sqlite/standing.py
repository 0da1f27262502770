"""How the terms of a question stand to one document and to what was said around it."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from mnemic.storage.search import Standing
from mnemic.storage.sqlite.field import Field
from mnemic.storage.sqlite.postings import Postings
from mnemic.storage.sqlite.runs import NOBODY
from mnemic.storage.sqlite.scoring import find, rarity
from mnemic.storage.sqlite.segments import Places

# How much a word counts that stands just before or after.
_JUST_BEFORE: Final = 0.7
_JUST_AFTER: Final = 0.4


def standing(postings: Postings, terms: Sequence[str], place: int, field: Field) -> Standing:
    """Return how each term stands to the document at a place."""
    found = find(postings, terms, field)
    before, after = (int(one[0]) for one in field.beside(np.array([place])))
    around = _run_of(place, field)
    near, in_run = np.zeros(len(terms)), np.zeros(len(terms))
    for part, own in zip(field.parts, found, strict=True):
        for number in range(len(terms)):
            for places in own.parts(number):
                for at, weight in ((place, 1.0), (before, _JUST_BEFORE), (after, _JUST_AFTER)):
                    if _holds(places, at - part.offset):
                        near[number] = max(near[number], weight)
                at = np.minimum(places.searchsorted(around - part.offset), len(places) - 1)
                if (places[at] == around - part.offset).any():
                    in_run[number] = 1.0
    return Standing(near, in_run, rarity(field.holders(found, len(terms)), field.size))


def _run_of(place: int, field: Field) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return the places of the run that a place stands in, or the place alone."""
    around = [place]
    for side in (0, 1):
        at = place
        while (at := int(field.beside(np.array([at]))[side][0])) != NOBODY:
            around.append(at)
    return np.array(around, np.int64)


def _holds(places: Places, wanted: int) -> bool:
    if wanted < 0:
        return False
    at = int(places.searchsorted(wanted))
    return at < len(places) and int(places[at]) == wanted
