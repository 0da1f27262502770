"""How likely it is that a hit answers the question: a calibrated number, not a rank.

Two questions are multiplied: does the memory know anything of this at all, judged by its best
hit, and if so, is this hit it. The weights were fitted on questions with and without an answer in
the store; `benchmarks/quality.py` measures how well they hold.
"""

from collections.abc import Sequence
from math import exp, log
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mnemic.language.tokens import Piece
from mnemic.search.index_queries import TermStanding

FLOOR: Final = 0.15
"""Where even the best hit is less relevant than this, an assistant had better say nothing: nine
of ten questions that have an answer keep it, most of those that have none get none."""

# Weights of the coverage and of the cosine of the best hit, and a constant.
_KNOWN: Final = (2.15, 3.96, -2.60)
_KNOWN_BY_WORDS: Final = (2.83, -1.53)
# The same of one memory by itself, where what was asked for is broadened to all that shows it.
_FITS: Final = (4.67, 4.34, -2.7)
# Weights of the distance to the best hit and of the logarithm of the rank, and a constant.
_THIS_ONE: Final = (0.42, -0.84, 0.33)
_THIS_ONE_BY_WORDS: Final = (0.45, -0.81, 0.14)


def coverage(pieces: Sequence[Piece], standing: TermStanding) -> float:
    """Return which part of a question a memory and what was said around it cover, 0 to 1.

    Pieces weigh by their rarity: a word that nothing in the scope holds counts most.
    """
    covered = total = 0.0
    at = 0
    for piece in pieces:
        strengths = np.array([strength for _, strength in piece])
        own = slice(at, at + len(piece))
        at += len(piece)
        # The last alternative is the piece itself; the others are what it may stand in.
        rarity = float(standing.rarity[own][-1])
        near = float((strengths * standing.near[own]).max())
        in_run = float((strengths * standing.in_run[own]).max())
        total += rarity
        covered += rarity * (near + in_run) / 2
    return covered / total if total else 0.0


def known(covered: float, cosine: float | None) -> float:
    """Return how likely the memory knows an answer at all, given its best hit."""
    if cosine is None:
        weight, constant = _KNOWN_BY_WORDS
        return _logistic(weight * covered + constant)
    by_words, by_meaning, constant = _KNOWN
    return _logistic(by_words * covered + by_meaning * cosine + constant)


def fits(covered: NDArray[np.float64], cosine: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how well each of many memories fits a query by itself, 0 to 1; a cosine of NaN is
    none. What is covered is broadened to all that shows what was asked for.
    """
    by_words, constant = _KNOWN_BY_WORDS
    alone = by_words * covered + constant
    by_words, by_meaning, constant = _FITS
    together = by_words * covered + by_meaning * cosine + constant
    return 1 / (1 + np.exp(-np.where(np.isnan(cosine), alone, together)))


def this_one(behind: float, rank: int, *, by_words: bool) -> float:
    """Return how likely a hit is the answer if there is one, so many points `behind` the best."""
    by_points, by_rank, constant = _THIS_ONE_BY_WORDS if by_words else _THIS_ONE
    return _logistic(-by_points * behind + by_rank * log(rank) + constant)


def _logistic(value: float) -> float:
    return 1 / (1 + exp(-value))
