"""BM25 over postings: what a document's words, and those beside it, say about a query."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mnemic.storage.sqlite.field import Field
from mnemic.storage.sqlite.postings import Found, Postings
from mnemic.storage.sqlite.segments import Places
from mnemic.storage.terms import Counts, hash_term

# How fast repeating a word stops to matter, and how much a long text is held back.
SATURATION: Final = 1.2
LENGTH_WEIGHT: Final = 0.75

# How much of its score a text passes on to what came next in the same run, and to what came before.
FOLLOWS_WEIGHT: Final = 0.5
PRECEDES_WEIGHT: Final = 0.2

# So many of the best by their own words are looked at with their neighbours. Where that leaves
# the best of all in doubt, ten times as many are, and in the end all.
_LOOKED_AT: Final = 2_000
_SAMPLED: Final = 20_000

Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class WordScores:
    """The score of every place of a field by its own words, and of any with its neighbours."""

    field: Field
    own: Scores

    def of(self, places: Places) -> NDArray[np.float64]:
        """Return what some places score, their neighbours' part included."""
        scores = self.own[places].astype(np.float64)
        if self.field.has_threads:
            before, after = self.field.beside(places)
            scores += FOLLOWS_WEIGHT * self._passed_on(before)
            scores += PRECEDES_WEIGHT * self._passed_on(after)
        return scores

    def best(self, limit: int) -> Places:
        """Return the best places that may be found, best first; of two equal ones the newer.

        A place among the best scores by its own words or stands beside one that does. So those
        with the best words of their own are looked at first, and more of them only where another
        could still be among the best.
        """
        most = 1 + FOLLOWS_WEIGHT + PRECEDES_WEIGHT if self.field.has_threads else 1.0
        for looked_at in (_LOOKED_AT, 10 * _LOOKED_AT, self.field.width):
            floor = _floor(self.own, looked_at)
            places = self._promising(floor)
            scores = self.of(places)
            if not floor or _kth_largest(scores, limit) >= floor * most:
                break
        order = np.lexsort((-places.astype(np.int64), -scores))[:limit]
        return places[order]

    def _promising(self, floor: float) -> Places:
        """Return the places whose own words reach a floor, and those beside them."""
        places = np.flatnonzero(self.own >= floor) if floor else np.flatnonzero(self.own)
        if self.field.has_threads:
            before, after = self.field.beside(places)
            places = np.unique(np.concatenate([places, before[before >= 0], after[after >= 0]]))
        return self.field.permitted(places.astype(np.uint32))

    def _passed_on(self, neighbours: NDArray[np.int64]) -> NDArray[np.float64]:
        there = neighbours >= 0
        return np.where(there, self.own[np.where(there, neighbours, 0)], 0.0)


def score_words(postings: Postings, terms: Mapping[str, float], field: Field) -> WordScores:
    """Return the BM25 scores of a field's places.

    A document that holds a term once gets the term's rarity times a factor of its length alone:
    the rarities are summed first, whatever the length, and what is repeated is added.
    """
    found = _find(postings, list(terms), field)
    rarities = _rarities(field, found) * np.array(list(terms.values()))
    sums = np.zeros(field.width, np.float32)
    for number, rarity in enumerate(rarities.astype(np.float32)):
        for part, own in zip(field.parts, found, strict=True):
            for places in own.parts(number):
                np.add.at(sums, places.astype(np.intp) + part.offset, rarity)
    sums *= np.float32(SATURATION + 1)
    sums /= 1 + _held_back(field.lengths, field)
    for part, own in zip(field.parts, found, strict=True):
        for number, places, counts in own.repeated():
            at = places.astype(np.intp) + part.offset
            sums[at] += rarities[number] * _more(counts, field.lengths[at], field)
    return WordScores(field, field.only_live(sums))


def commonness(postings: Postings, terms: Sequence[str], field: Field) -> list[float]:
    """Return in which share of a field's documents each term stands."""
    holders = field.holders(_find(postings, terms, field), len(terms))
    return (holders / max(1, field.size)).tolist()


def _find(postings: Postings, terms: Sequence[str], field: Field) -> list[Found]:
    hashes = [hash_term(term) for term in terms]
    return [postings.find(part.scope, hashes) for part in field.parts]


def _rarities(field: Field, found: Sequence[Found]) -> NDArray[np.float64]:
    holders = field.holders(found, len(found[0].terms) if found else 0)
    return np.log(1 + (field.size - holders + 0.5) / (holders + 0.5))


def _more(counts: Counts, lengths: NDArray[np.uint16], field: Field) -> Scores:
    """Return what a term that stands there more than once gives beyond the first time."""
    held_back = _held_back(lengths, field)
    more = counts / (counts + held_back) - 1 / (1 + held_back)
    return np.float32(SATURATION + 1) * more.astype(np.float32)


def _held_back(lengths: NDArray[np.uint16], field: Field) -> Scores:
    slope = np.float32(SATURATION * LENGTH_WEIGHT / field.mean_length)
    return lengths * slope + np.float32(SATURATION * (1 - LENGTH_WEIGHT))


def _floor(scores: Scores, reached_by: int) -> float:
    """Return a score that about so many reach; 0 where not so many score at all.

    A sample decides: exact selection is slow where most scores are alike.
    """
    stride = len(scores) // _SAMPLED | 1
    sample = scores[::stride]
    sample = sample[sample > 0]
    return _kth_largest(sample, -(-reached_by // stride))


def _kth_largest(values: NDArray[np.floating], k: int) -> float:
    """Return the k-th largest value; 0 where there are not so many."""
    if len(values) < k:
        return 0.0
    return float(np.partition(values, len(values) - k)[len(values) - k])
