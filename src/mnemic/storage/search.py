"""What the engine asks of a backend's index, and what it gets back."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from mnemic.filters import EVERYTHING, Filter

Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Within:
    """Which active memories may be found at all. It restricts before anything is ranked."""

    scope_ids: tuple[int, ...]
    filter: Filter = EVERYTHING
    episode_id: str | None = None
    other_than_episode: str | None = None
    min_confidence: float = 0.0

    @property
    def is_plain(self) -> bool:
        """Whether the scopes alone decide."""
        return (
            self.min_confidence <= 0
            and self.episode_id is None
            and self.other_than_episode is None
            and not self.filter.conditions
        )


@dataclass(frozen=True, slots=True)
class Probe:
    """What to look for: weighted terms, a vector of one model, or both."""

    terms: Mapping[str, float]
    within: Within
    depth: int
    vector: Vector | None = None
    model_id: int | None = None


@dataclass(frozen=True, slots=True)
class Candidates:
    """Documents that a channel found, column by column, in ascending order of documents.

    Both scores are given for every document, also where only the other channel ranked it; a
    cosine of NaN means that it has no vector of the probe's model. Ranks count from 1; 0 means
    not among the best of that channel.
    """

    docs: NDArray[np.int64]
    bm25: NDArray[np.float64]
    cosine: NDArray[np.float64]
    bm25_rank: NDArray[np.int64]
    vector_rank: NDArray[np.int64]


NO_CANDIDATES: Final = Candidates(
    docs=np.empty(0, np.int64),
    bm25=np.empty(0, np.float64),
    cosine=np.empty(0, np.float64),
    bm25_rank=np.empty(0, np.int64),
    vector_rank=np.empty(0, np.int64),
)


class Search(Protocol):
    """A backend's index. It answers with everything that was committed before the question."""

    def candidates(self, probe: Probe) -> Candidates:
        """Return the union of the best of each channel."""
        ...

    def commonness(self, terms: Collection[str], *, scope_ids: tuple[int, ...]) -> dict[str, float]:
        """Return in which share of the scopes' documents each term stands."""
        ...

    def overlapping(
        self, terms: Collection[str], *, scope_id: int, share: float, limit: int
    ) -> list[int]:
        """Return documents that share at least that part of all terms, most shared first."""
        ...
