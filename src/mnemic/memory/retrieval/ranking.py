"""From what the channels found to one order. Pure functions; every step can be explained.

Channels are joined by standardised scores, not by ranks: a rank says nothing about how much
better the first is than the second, and lets a weak channel vote as loudly as a strong one. All
points are on that scale: one point is one standard deviation.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from mnemic.language.dates import TimeWindow
from mnemic.search.index_queries import NO_RUN, NO_TIME, Candidates, Trait, products
from mnemic.storage.timestamps import to_micros

Points = NDArray[np.float64]

# Of words alone: they carry less than words and meaning together, and the signals stay as they are.
_WORDS_ALONE: Final = 0.65
# How much it counts that the whole run is about the question, by its words and by its best part.
_RUN_WEIGHT: Final = 0.6
_BEST_OF_RUN_WEIGHT: Final = 0.3
# Outside of runs: how much it counts to be like the best few.
_LIKE_THE_BEST_WEIGHT: Final = 0.2
_BEST_FEW: Final = 3

# Experience from the real world counts 1.5 times; the other points were measured.
_REAL_WORLD: Final = log(1.5)
_SPEAKER: Final = 1.0
_ASKS: Final = -0.4
_FIRST_PERSON: Final = 0.4
_SHORT: Final = -1.0
_TELLING_WORDS: Final = 12
_DATE: Final = 1.0
# What an assistant wrote at length holds the words of most questions, and seldom their answer.
_ASSISTANT: Final = -1.5
_LATER: Final = -0.5
_MARKUP: Final = -1.0

# Below these spreads there is no difference worth standardising, as with two or three hits.
_LEAST_WORD_SPREAD: Final = 0.1
_LEAST_COSINE_SPREAD: Final = 0.03
_LEAST_SPREAD: Final = 0.1
_LEAST_RUN_SPREAD: Final = 1e-6

# So many of the best by words and meaning are looked at more closely.
_LOOKED_AT: Final = 50

_DAY: Final = 86_400_000_000


@dataclass(frozen=True, slots=True)
class QuestionHints:
    """What a question tells besides its words: whom it names, and which times."""

    names: frozenset[int] = frozenset()
    windows: Sequence[TimeWindow] = ()


@dataclass(frozen=True, slots=True)
class Ranked:
    """Candidates in order, best first, with their points and what each signal gave of them."""

    found: Candidates
    points: Points
    signals: Mapping[str, Points]

    def at(self, places: Sequence[int]) -> Self:
        """Return some of them, in the order given."""
        chosen = np.array(places, np.intp)
        signals = {name: points[chosen] for name, points in self.signals.items()}
        return type(self)(self.found.at(chosen), self.points[chosen], signals)

    def one_of_each_text(self) -> Self:
        """Return the best passage of each text only."""
        _, first = np.unique(self.found.owners, return_index=True)
        return self if len(first) == len(self.points) else self.at(np.sort(first).tolist())

    def signals_of(self, at: int) -> dict[str, float]:
        """Return the signals that moved one candidate."""
        return {
            name: round(float(points[at]), 4)
            for name, points in self.signals.items()
            if abs(points[at]) >= 0.00005
        }


def rank(
    found: Candidates,
    asked: QuestionHints,
    *,
    word_weight: float,
    limit: int,
    always: NDArray[np.bool_] | None = None,
) -> Ranked:
    """Return the best candidates in order; of two equal ones the newer comes first.

    Those that `always` marks are among them, however many they are.
    """
    fused = _fused(found, word_weight=word_weight)
    kept, rest = np.split(np.lexsort((-found.docs, -fused)), [max(_LOOKED_AT, 2 * limit)])
    if always is not None:
        kept = np.concatenate([kept, rest[always[rest]]])
    found, points = found.at(kept), fused[kept]
    signals = _signals(found, asked)
    points = points + sum(signals.values(), start=np.zeros(len(points)))
    signals["best_of_run"] = _best_of_run(found, points)
    points = points + signals["best_of_run"]
    signals["like_the_best"] = _like_the_best(found, points)
    points = points + signals["like_the_best"]
    order = np.lexsort((-found.docs, -points))
    ordered = {name: values[order] for name, values in signals.items()}
    return Ranked(found.at(order), points[order], ordered)


def relative(points: float, best: float) -> float:
    """Return a score between 0 and 1 where the best is 1, keeping the order."""
    return exp(points - best)


def _fused(found: Candidates, *, word_weight: float) -> Points:
    """Return one score per candidate: 0 is average."""
    if not len(found):
        return np.empty(0, np.float64)
    by_words = _standardised(found.bm25, least=_LEAST_WORD_SPREAD * float(found.bm25.max()))
    about = _RUN_WEIGHT * _within_runs(found.run_bm25, found, least=_LEAST_RUN_SPREAD)
    if np.isnan(found.cosine).all():
        return _WORDS_ALONE * by_words + about
    # A memory without a vector is as far away as the farthest one that has it.
    cosines = np.where(np.isnan(found.cosine), np.nanmin(found.cosine), found.cosine)
    by_meaning = _standardised(cosines, least=_LEAST_COSINE_SPREAD)
    weight = word_weight if found.bm25.any() else 0.0
    return weight * by_words + (1 - weight) * by_meaning + about


def _signals(found: Candidates, asked: QuestionHints) -> dict[str, Points]:
    """Return what counts besides words and meaning, each on its own."""
    traits = found.traits
    return {
        "real_world": _REAL_WORLD * _has(traits, Trait.REAL),
        "speaker": _SPEAKER * np.isin(found.speakers, list(asked.names)).astype(np.float64),
        "asks": _ASKS * _has(traits, Trait.ASKS),
        "first_person": _FIRST_PERSON * _has(traits, Trait.FIRST_PERSON),
        "short": _SHORT * np.maximum(0.0, 1 - found.telling / _TELLING_WORDS),
        "assistant": _ASSISTANT * _has(traits, Trait.ASSISTANT),
        "later": _LATER * _has(traits, Trait.LATER),
        "markup": _MARKUP * _has(traits, Trait.MARKUP),
        "date": _DATE * _in_time(found.said_at, asked.windows),
    }


def _has(traits: NDArray[np.int64], trait: Trait) -> Points:
    return ((traits & int(trait)) != 0).astype(np.float64)


def _in_time(said_at: NDArray[np.int64], windows: Collection[TimeWindow]) -> Points:
    """Return how well a time fits what the question asks about, 0 to 1.

    What happened on a day is also told in the days after it. Nothing is ever held back.
    """
    fits = np.zeros(len(said_at))
    for window in windows:
        start, end = to_micros(window.start), to_micros(window.end)
        inside = 0.2 if window.span == "year" else 1.0
        fits = np.maximum(fits, inside * ((said_at >= start) & (said_at < end)))
        for first, last, weight in _around(window):
            near = (said_at >= end + first * _DAY) & (said_at < end + last * _DAY)
            fits = np.maximum(fits, weight * near)
    return np.where(said_at == NO_TIME, 0.0, fits)


def _around(window: TimeWindow) -> list[tuple[int, int, float]]:
    """Return from which to which day, counted from a window's end, a time counts how much."""
    if window.span == "year":
        return []
    if window.span == "day":
        return [(0, 14, 1.0), (-4, -1, 0.3)] if window.exact else [(0, 3, 0.5)]
    return [(0, 15 if window.span == "month" else 7, 0.5)]


def _best_of_run(found: Candidates, points: Points) -> Points:
    """Count it for all of a run that one of its memories answers the question well."""
    best = np.full(len(points), np.nan)
    for run in np.unique(found.runs[found.runs != NO_RUN]).tolist():
        own = found.runs == run
        best[own] = points[own].max()
    return _BEST_OF_RUN_WEIGHT * _within_runs(best, found, least=_LEAST_SPREAD)


def _like_the_best(found: Candidates, points: Points) -> Points:
    """Count it, for what stands in no run, to be close in meaning to the best few."""
    if not len(points) or np.isnan(found.cosine).all():
        return np.zeros(len(points))
    best = np.lexsort((-found.docs, -points))[:_BEST_FEW]
    weights = np.exp(points[best] - points[best[0]])
    centre = (found.vectors[best] * weights[:, np.newaxis]).sum(axis=0)
    length = float(np.linalg.norm(centre))
    if not length:
        return np.zeros(len(points))
    likeness = products(found.vectors, centre / length).astype(np.float64)
    standardised = _standardised(likeness, least=_LEAST_COSINE_SPREAD)
    return _LIKE_THE_BEST_WEIGHT * np.where(found.runs == NO_RUN, standardised, 0.0)


def _within_runs(values: Points, found: Candidates, *, least: float) -> Points:
    """Standardise over what stands in a run; the others get 0."""
    inside = (found.runs != NO_RUN) & ~np.isnan(values)
    points = np.zeros(len(values))
    if inside.any():
        points[inside] = _standardised(values[inside], least=least)
    return points


def _standardised(values: Points, *, least: float) -> Points:
    spread = max(float(values.std()), least)
    return (values - values.mean()) / spread if spread else np.zeros(len(values))
