"""BM25 over postings: what a document's words, those beside it and its whole run say of a query."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mnemic.search.arrays.postings import Postings, TermPostings
from mnemic.search.arrays.runs import NOBODY
from mnemic.search.arrays.segments import Places
from mnemic.search.field import Field
from mnemic.search.terms import Counts, hash_term

# How fast repeating a word stops to matter, and how much a long text is held back.
SATURATION: Final = 1.2
LENGTH_WEIGHT: Final = 0.75

# How much of its score a text passes on in its run: to the next and the one after that, and to
# the one before and the one before that.
TO_FOLLOWING: Final = (0.5, 0.3)
TO_PREVIOUS: Final = (0.2, 0.1)

# So many of the best by their own words are looked at with their neighbours.
_MOST_LIFTED: Final = 20_000
_SAMPLED: Final = 20_000

Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class WordScores:
    """The score of every place of a field by its own words; what its run adds is worked out for
    those that are asked for.

    `in_runs` are the places that stand in a run; only those have neighbours.
    """

    field: Field
    own: Scores
    in_runs: Places
    found: Sequence[TermPostings]
    weights: NDArray[np.float64]

    def of(self, places: Places) -> NDArray[np.float64]:
        """Return what some places score, their neighbours' part included."""
        scores = self.own[places].astype(np.float64)
        inside = self._inside(places)
        before = after = places[inside].astype(np.int64)
        if not len(before):
            return scores
        for to_following, to_previous in zip(TO_FOLLOWING, TO_PREVIOUS, strict=True):
            before, after = self.field.beside(before)[0], self.field.beside(after)[1]
            scores[inside] += to_following * self._passed_on(before)
            scores[inside] += to_previous * self._passed_on(after)
        return scores

    def of_runs(self, places: Places) -> NDArray[np.float64]:
        """Return what the whole run of each place scores; NaN for those that stand in none."""
        scores = np.full(len(places), np.nan)
        inside = self._inside(places)
        if inside.any():
            by_run = _score_runs(self.found, self.weights, self.field)
            scores[inside] = by_run[self.field.runs_of(places[inside])]
        return scores

    def _inside(self, places: Places) -> NDArray[np.bool_]:
        if not len(self.in_runs):
            return np.zeros(len(places), np.bool_)
        return self.field.runs_of(places) != NOBODY

    def best(self, limit: int) -> Places:
        """Return the best places that may be found, best first; of two equal ones the newer.

        What stands in no run is among the best only by its own words. What stands in one needs a
        neighbour, or itself, with a good part of that.
        """
        own = self.field.only_allowed(self.own)
        floor = _floor(own, 2 * limit)
        places = np.flatnonzero(own >= floor) if floor else np.flatnonzero(own)
        if floor and len(places) < limit:
            # The sample promised too much.
            floor, places = 0.0, np.flatnonzero(own)
        if len(self.in_runs):
            lifted = self._lifted(floor / (1 + sum(TO_FOLLOWING) + sum(TO_PREVIOUS)))
            places = np.unique(np.concatenate([places, lifted]))
        places = self.field.permitted(places.astype(np.uint32))
        scores = self.of(places)
        return places[np.lexsort((-places.astype(np.int64), -scores))[:limit]]

    def _lifted(self, floor: float) -> NDArray[np.int64]:
        """Return the places that may get a good score from their run: those that reach a floor by
        their own words, and those near them. Of very many, the best are looked at.
        """
        own = self.own[self.in_runs]
        reaching = self.in_runs[(own >= floor) & (own > 0)].astype(np.int64)
        if len(reaching) > _MOST_LIFTED:
            best = np.argpartition(-self.own[reaching], _MOST_LIFTED)[:_MOST_LIFTED]
            reaching = reaching[best]
        around = [reaching]
        before = after = reaching
        for _ in TO_FOLLOWING:
            before, after = self.field.beside(before)[0], self.field.beside(after)[1]
            around += [before[before != NOBODY], after[after != NOBODY]]
        return np.concatenate(around)

    def _passed_on(self, neighbours: NDArray[np.int64]) -> NDArray[np.float64]:
        there = neighbours != NOBODY
        return np.where(there, self.own[np.where(there, neighbours, 0)], 0.0)


def score_words(postings: Postings, terms: Mapping[str, float], field: Field) -> WordScores:
    """Return the BM25 scores of a field's places and of its runs.

    A document that holds a term once gets the term's rarity times a factor of its length alone:
    the rarities are summed first, whatever the length, and what is repeated is added.
    """
    term_postings = find(postings, list(terms), field)
    weights = np.array(list(terms.values()), np.float64)
    rarities = weights * rarity(field.holders(term_postings, len(weights)), field.size)
    sums = np.zeros(field.width, np.float32)
    for number, one in enumerate(rarities.astype(np.float32)):
        for part, own in zip(field.parts, term_postings, strict=True):
            for places in own.parts(number):
                np.add.at(sums, places.astype(np.intp) + part.offset, one)
    sums *= np.float32(SATURATION + 1)
    sums /= 1 + _held_back(field.lengths, field.mean_length)
    for part, own in zip(field.parts, term_postings, strict=True):
        for number, places, counts in own.repeated():
            at = places.astype(np.intp) + part.offset
            held_back = _held_back(field.lengths[at], field.mean_length)
            sums[at] += rarities[number] * _more(counts, held_back)
    return WordScores(field, field.only_live(sums), field.in_runs, term_postings, weights)


def commonness(postings: Postings, terms: Sequence[str], field: Field) -> list[float]:
    """Return in which share of a field's documents each term stands."""
    holders = field.holders(find(postings, terms, field), len(terms))
    return (holders / max(1, field.size)).tolist()


def _score_runs(
    term_postings: Sequence[TermPostings], weights: NDArray[np.float64], field: Field
) -> NDArray[np.float64]:
    """Return the BM25 score of every run of the store as one long text; 0 for other scopes'."""
    runs = field.runs
    own = np.isin(runs.scopes.view, [part.scope for part in field.parts]) & (runs.live.view > 0)
    scores = np.zeros(len(runs), np.float64)
    held_back = _held_back(runs.lengths.view, float(runs.lengths.view[own].mean()) or 1.0)
    held = sum((match.holders for match in term_postings), start=np.zeros(len(weights), np.int64))
    for number in np.flatnonzero(held).tolist():
        counts = _counts_by_run(term_postings, number, field)
        holders = np.array(np.count_nonzero(counts))
        telling = weights[number] * rarity(holders, int(own.sum()))
        scores += telling * (SATURATION + 1) * counts / (counts + held_back)
    return scores


def _counts_by_run(
    term_postings: Sequence[TermPostings], number: int, field: Field
) -> NDArray[np.float64]:
    """Return in how many live documents of each run a term stands."""
    counts = np.zeros(len(field.runs), np.float64)
    for part, own in zip(field.parts, term_postings, strict=True):
        parts = own.parts(number)
        if parts:
            inside = field.runs.inside(part.scope, part.documents)
            held = _shared(np.concatenate(parts), inside)
            if field.live is not None:
                held = held[part.documents.alive.view[held]]
            runs = field.runs.of.view[part.documents.ordinals.view[held]]
            counts += np.bincount(runs[runs != NOBODY], minlength=len(counts))
    return counts


def _shared(places: Places, inside: Places) -> Places:
    """Keep the places that stand in a run; where those are few, they are looked up."""
    if len(inside) * 8 > len(places):
        return places
    at = np.minimum(places.searchsorted(inside), len(places) - 1)
    return inside[places[at] == inside]


def find(postings: Postings, terms: Sequence[str], field: Field) -> list[TermPostings]:
    """Return where each term stands, in each part of a field."""
    hashes = [hash_term(term) for term in terms]
    return [postings.find(part.scope, hashes) for part in field.parts]


def rarity(holders: NDArray[np.number], size: int) -> NDArray[np.float64]:
    """Return how much a term tells that so many of `size` documents hold."""
    return np.log(1 + (size - holders + 0.5) / (holders + 0.5))


def _held_back(lengths: NDArray[np.integer], mean: float) -> Scores:
    slope = np.float32(SATURATION * LENGTH_WEIGHT / mean)
    return lengths * slope + np.float32(SATURATION * (1 - LENGTH_WEIGHT))


def _more(counts: Counts, held_back: Scores) -> Scores:
    """Return what a term that stands there more than once gives beyond the first time."""
    more = counts / (counts + held_back) - 1 / (1 + held_back)
    return np.float32(SATURATION + 1) * more.astype(np.float32)


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
