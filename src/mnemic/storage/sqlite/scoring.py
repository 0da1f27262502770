"""BM25 over postings: what a document's words, those beside it and its whole run say of a query."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mnemic.storage.sqlite.field import Field
from mnemic.storage.sqlite.postings import Found, Postings
from mnemic.storage.sqlite.runs import NOBODY
from mnemic.storage.sqlite.segments import Places
from mnemic.storage.terms import Counts, hash_term

# How fast repeating a word stops to matter, and how much a long text is held back.
SATURATION: Final = 1.2
LENGTH_WEIGHT: Final = 0.75

# How much of its score a text passes on in its run: to the next and the one after that, and to
# the one before and the one before that.
TO_FOLLOWING: Final = (0.5, 0.3)
TO_PREVIOUS: Final = (0.2, 0.1)

# So many of the best by their own words are looked at with their neighbours. Where that leaves
# the best of all in doubt, ten times as many are, and in the end all.
_LOOKED_AT: Final = 2_000
_SAMPLED: Final = 20_000

Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class WordScores:
    """The score of every place of a field by its own words, and of every run as a whole."""

    field: Field
    own: Scores
    runs: NDArray[np.float64]

    def of(self, places: Places) -> NDArray[np.float64]:
        """Return what some places score, their neighbours' part included."""
        scores = self.own[places].astype(np.float64)
        if not self.field.has_runs:
            return scores
        before = after = places.astype(np.int64)
        for to_following, to_previous in zip(TO_FOLLOWING, TO_PREVIOUS, strict=True):
            before, after = self.field.beside(before)[0], self.field.beside(after)[1]
            scores += to_following * self._passed_on(before) + to_previous * self._passed_on(after)
        return scores

    def of_runs(self, places: Places) -> NDArray[np.float64]:
        """Return what the whole run of each place scores; NaN for those that stand in none."""
        runs = self.field.runs_of(places)
        if not len(self.runs):
            return np.full(len(places), np.nan)
        return np.where(runs == NOBODY, np.nan, self.runs[runs])

    def best(self, limit: int) -> Places:
        """Return the best places that may be found, best first; of two equal ones the newer.

        A place among the best scores by its own words or stands beside one that does. So those
        with the best words of their own are looked at first, and more of them only where another
        could still be among the best.
        """
        most = 1 + sum(TO_FOLLOWING) + sum(TO_PREVIOUS) if self.field.has_runs else 1.0
        for looked_at in (_LOOKED_AT, 10 * _LOOKED_AT, self.field.width):
            floor = _floor(self.own, looked_at)
            places = self._promising(floor)
            scores = self.of(places)
            if not floor or _kth_largest(scores, limit) >= floor * most:
                break
        order = np.lexsort((-places.astype(np.int64), -scores))[:limit]
        return places[order]

    def _promising(self, floor: float) -> Places:
        """Return the places whose own words reach a floor, and those near them in their runs."""
        places = np.flatnonzero(self.own >= floor) if floor else np.flatnonzero(self.own)
        if self.field.has_runs:
            around = [places]
            before = after = places
            for _ in TO_FOLLOWING:
                before, after = self.field.beside(before)[0], self.field.beside(after)[1]
                around += [before[before != NOBODY], after[after != NOBODY]]
            places = np.unique(np.concatenate(around))
        return self.field.permitted(places.astype(np.uint32))

    def _passed_on(self, neighbours: NDArray[np.int64]) -> NDArray[np.float64]:
        there = neighbours != NOBODY
        return np.where(there, self.own[np.where(there, neighbours, 0)], 0.0)


def score_words(postings: Postings, terms: Mapping[str, float], field: Field) -> WordScores:
    """Return the BM25 scores of a field's places and of its runs.

    A document that holds a term once gets the term's rarity times a factor of its length alone:
    the rarities are summed first, whatever the length, and what is repeated is added.
    """
    found = find(postings, list(terms), field)
    weights = np.array(list(terms.values()), np.float64)
    rarities = weights * rarity(field.holders(found, len(weights)), field.size)
    sums = np.zeros(field.width, np.float32)
    for number, one in enumerate(rarities.astype(np.float32)):
        for part, own in zip(field.parts, found, strict=True):
            for places in own.parts(number):
                np.add.at(sums, places.astype(np.intp) + part.offset, one)
    sums *= np.float32(SATURATION + 1)
    sums /= 1 + _held_back(field.lengths, field.mean_length)
    for part, own in zip(field.parts, found, strict=True):
        for number, places, counts in own.repeated():
            at = places.astype(np.intp) + part.offset
            held_back = _held_back(field.lengths[at], field.mean_length)
            sums[at] += rarities[number] * _more(counts, held_back)
    return WordScores(field, field.only_live(sums), _score_runs(found, weights, field))


def commonness(postings: Postings, terms: Sequence[str], field: Field) -> list[float]:
    """Return in which share of a field's documents each term stands."""
    holders = field.holders(find(postings, terms, field), len(terms))
    return (holders / max(1, field.size)).tolist()


def _score_runs(
    found: Sequence[Found], weights: NDArray[np.float64], field: Field
) -> NDArray[np.float64]:
    """Return the BM25 score of every run of the store as one long text; 0 for other scopes'."""
    runs = field.runs
    own = np.isin(runs.scopes.view, [part.scope for part in field.parts]) & (runs.live.view > 0)
    scores = np.zeros(len(runs), np.float64)
    if not own.any():
        return scores[:0]
    held_back = _held_back(runs.lengths.view, float(runs.lengths.view[own].mean()) or 1.0)
    for number, weight in enumerate(weights):
        counts = _counts_by_run(found, number, field)
        holders = np.array(np.count_nonzero(counts))
        telling = weight * rarity(holders, int(own.sum()))
        scores += telling * (SATURATION + 1) * counts / (counts + held_back)
    return scores


def _counts_by_run(found: Sequence[Found], number: int, field: Field) -> NDArray[np.float64]:
    """Return in how many live documents of each run a term stands."""
    counts = np.zeros(len(field.runs), np.float64)
    for part, own in zip(field.parts, found, strict=True):
        for places in own.parts(number):
            alive = places if field.live is None else places[part.documents.alive.view[places]]
            runs = field.runs.of.view[part.documents.ordinals.view[alive]]
            counts += np.bincount(runs[runs != NOBODY], minlength=len(counts))
    return counts


def find(postings: Postings, terms: Sequence[str], field: Field) -> list[Found]:
    """Return where each term stands, in each part of a field."""
    hashes = [hash_term(term) for term in terms]
    return [postings.find(part.scope, hashes) for part in field.parts]


def rarity(holders: NDArray[np.int64], size: int) -> NDArray[np.float64]:
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
