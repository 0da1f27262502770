"""From what the channels found to one order. Pure functions; every step can be explained.

Channels are joined by standardised scores, not by ranks: a rank says nothing about how much
better the first is than the second, and lets a weak channel vote as loudly as a strong one.
"""

from collections.abc import Container, Mapping
from math import exp, log
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mnemic.storage.search import Candidates

# Experience from the real world counts this much more than from a simulation.
REAL_WORLD_FACTOR: Final = 1.5
# What somebody said counts this much more when the question names them.
SPEAKER_FACTOR: Final = 1.6

# Below these spreads a channel sees no difference worth standardising, as with two or three hits.
_LEAST_WORD_SPREAD: Final = 0.1
_LEAST_COSINE_SPREAD: Final = 0.03


def fuse(found: Candidates, *, word_weight: float) -> NDArray[np.float64]:
    """Return one score per candidate: 0 is average, one point is one standard deviation."""
    if not len(found.docs):
        return np.empty(0, np.float64)
    by_words = _standardised(found.bm25, least=_LEAST_WORD_SPREAD * float(found.bm25.max()))
    if np.isnan(found.cosine).all():
        return by_words
    # A memory without a vector is as far away as the farthest one that has it.
    cosines = np.where(np.isnan(found.cosine), np.nanmin(found.cosine), found.cosine)
    by_meaning = _standardised(cosines, least=_LEAST_COSINE_SPREAD)
    weight = word_weight if found.bm25.any() else 0.0
    return weight * by_words + (1 - weight) * by_meaning


def best_first(
    found: Candidates, fused: NDArray[np.float64], limit: int
) -> list[tuple[int, float]]:
    """Return where the best candidates stand, and their scores, best first.

    Some more than `limit` are returned: all that a signal could still lift among the best. Of
    two equal ones the newer comes first.
    """
    order = np.lexsort((-found.docs, -fused))
    if len(order) > limit:
        within_reach = fused[order] >= fused[order[limit - 1]] - log(
            REAL_WORLD_FACTOR * SPEAKER_FACTOR
        )
        order = order[within_reach]
    return list(zip(order.tolist(), fused[order].tolist(), strict=True))


def signals_of(context: Mapping[str, object], *, asked: Container[str]) -> dict[str, float]:
    """Return the factors by which a memory counts more than its words and its meaning say.

    `asked` are the words of the question: what the person it names said counts more than what
    others said about them.
    """
    signals: dict[str, float] = {}
    env = context.get("env")
    if isinstance(env, Mapping) and env.get("sim_or_real") == "real":  # pyright: ignore[reportUnknownMemberType]
        signals["real_world"] = REAL_WORLD_FACTOR
    speaker = context.get("speaker")
    if isinstance(speaker, str) and speaker.casefold() in asked:
        signals["speaker"] = SPEAKER_FACTOR
    return signals


def with_signals(fused: float, signals: Mapping[str, float]) -> float:
    """Apply factors to a fused score.

    A factor moves a score by a fraction of the spread: it decides between comparable hits, and
    never lifts an irrelevant one over a relevant one.
    """
    return fused + sum(log(factor) for factor in signals.values())


def relative(fused: float, best: float) -> float:
    """Return a score between 0 and 1 where the best is 1, keeping the order."""
    return exp(fused - best)


def _standardised(values: NDArray[np.float64], *, least: float) -> NDArray[np.float64]:
    spread = max(float(values.std()), least)
    return (values - values.mean()) / spread if spread else np.zeros(len(values))
