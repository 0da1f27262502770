"""BM25 over postings: what a document's words say about a query."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import log
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mnemic.storage.sqlite.postings import Ordinals, Postings
from mnemic.storage.terms import Counts, hash_term

# How fast repeating a word stops to matter, and how much a long text is held back.
SATURATION: Final = 1.2
LENGTH_WEIGHT: Final = 0.75

# How much of its score a text passes on to what came next in the same run, and to what came before.
FOLLOWS_WEIGHT: Final = 0.5
PRECEDES_WEIGHT: Final = 0.2

Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Field:
    """The documents that are being searched: where they are, how many, how long on average.

    `mask` tells for each document of the index whether it belongs here (None: all do); `members`
    lists them where they are few. Statistics are the field's own, so that what another user
    wrote never changes a score; of a part of a field they are the `whole` field's, so that a
    filter never changes one either. `neighbours` says which document comes before and after each
    in its run, -1 for none.
    """

    lengths: NDArray[np.uint16]
    size: int
    mean_length: float
    mask: NDArray[np.bool_] | None = None
    members: Ordinals | None = None
    whole: "Field | None" = None
    neighbours: tuple[NDArray[np.int32], NDArray[np.int32]] | None = None


def score_words(postings: Postings, terms: Mapping[str, float], field: Field) -> Scores:
    """Return a BM25 score for each member of the field, or for each document of the index."""
    searched = field.lengths if field.members is None else field.lengths[field.members]
    scores = np.zeros(len(searched), np.float64)
    found = postings.find([hash_term(term) for term in terms])
    for weight, (ordinals, counts) in zip(terms.values(), found, strict=True):
        if len(ordinals):
            at, found_counts = _locate(ordinals, counts, field)
            if len(at):
                known = len(at) if field.whole is None else holders(ordinals, field.whole)
                scores[at] += weight * _contribution(found_counts, searched[at], known, field)
    return scores if field.neighbours is None else _with_neighbours(scores, field)


def _with_neighbours(scores: Scores, field: Field) -> Scores:
    """Let what was said just before and after count, too: an answer often lacks the words of the
    question that it follows.
    """
    previous, following = field.neighbours or ((), ())
    found = np.flatnonzero(scores > 0)
    ordinals = found if field.members is None else field.members[found]
    spread = scores.copy()
    for neighbour, weight in ((following, FOLLOWS_WEIGHT), (previous, PRECEDES_WEIGHT)):
        beside = np.asarray(neighbour)[ordinals]
        there = beside >= 0
        given = scores[found[there]] * weight
        at, given = _places(beside[there].astype(np.uint32), given, field)
        spread[at] += given
    return spread


def _places(ordinals: Ordinals, values: Scores, field: Field) -> tuple[NDArray[np.integer], Scores]:
    """Keep what belongs to the field; say where each value goes."""
    if field.members is None:
        kept = slice(None) if field.mask is None else field.mask[ordinals]
        return ordinals[kept], values[kept]
    at = field.members.searchsorted(ordinals)
    at[at == len(field.members)] = 0
    kept = field.members[at] == ordinals
    return at[kept], values[kept]


def holders(ordinals: Ordinals, field: Field) -> int:
    """Return how many documents of a field are among some documents."""
    return len(_locate(ordinals, np.empty(len(ordinals), np.uint8), field)[0])


def _locate(ordinals: Ordinals, counts: Counts, field: Field) -> tuple[NDArray[np.integer], Counts]:
    """Keep what belongs to the field; say where each score goes."""
    if field.members is None:
        if field.mask is None:
            return ordinals, counts
        kept = field.mask[ordinals]
        return ordinals[kept], counts[kept]
    # Look up the shorter list in the longer one.
    if len(field.members) < len(ordinals):
        found = np.searchsorted(ordinals, field.members)
        found[found == len(ordinals)] = 0
        at = np.flatnonzero(ordinals[found] == field.members)
        return at, counts[found[at]]
    found = np.searchsorted(field.members, ordinals)
    found[found == len(field.members)] = 0
    kept = field.members[found] == ordinals
    return found[kept], counts[kept]


def _contribution(counts: Counts, lengths: NDArray[np.uint16], known: int, field: Field) -> Scores:
    rarity = log(1 + (field.size - known + 0.5) / (known + 0.5))
    held_back = SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT / field.mean_length * lengths)
    return rarity * (SATURATION + 1) * counts / (counts + held_back)
