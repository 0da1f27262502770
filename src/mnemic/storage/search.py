"""What the engine asks of a backend's index, and what it gets back."""

from collections.abc import Collection, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter, thread_time
from typing import Final, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from mnemic.filters import EVERYTHING, Filter, Near
from mnemic.records import Stage

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

    def in_order(self) -> Self:
        """Return the same in ascending order of documents."""
        order = np.argsort(self.docs)
        return type(self)(*(getattr(self, name)[order] for name in self.__dataclass_fields__))


NO_CANDIDATES: Final = Candidates(
    docs=np.empty(0, np.int64),
    bm25=np.empty(0, np.float64),
    cosine=np.empty(0, np.float64),
    bm25_rank=np.empty(0, np.int64),
    vector_rank=np.empty(0, np.int64),
)


class Trace:
    """Takes the time of each stage of a recall, by the clock and by the processor.

    A stage that is entered again goes on: its times are added up.
    """

    def __init__(self) -> None:
        self._stages: dict[str, tuple[float, float]] = {}

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The stages so far, in the order in which they were first entered."""
        return tuple(
            Stage(name, wall * 1000, cpu * 1000) for name, (wall, cpu) in self._stages.items()
        )

    @contextmanager
    def stage(self, name: str) -> Generator[None]:
        """Take the time of what is done inside."""
        wall, cpu = perf_counter(), thread_time()
        try:
            yield
        finally:
            before = self._stages.get(name, (0.0, 0.0))
            self._stages[name] = (
                before[0] + perf_counter() - wall,
                before[1] + thread_time() - cpu,
            )


class _NoTrace(Trace):
    @contextmanager
    def stage(self, name: str) -> Generator[None]:
        yield


NO_TRACE: Final = _NoTrace()
"""For a recall that nobody asked to explain."""


class Search(Protocol):
    """A backend's index. It answers with everything that was committed before the question."""

    def candidates(self, probe: Probe, trace: Trace = NO_TRACE) -> Candidates:
        """Return the union of the best of each channel."""
        ...

    def nearest(self, within: Within, near: Near, *, limit: int) -> list[tuple[int, float]]:
        """Return documents and their distances, nearest first; those without a place are left
        out.
        """
        ...

    def commonness(self, terms: Collection[str], *, scope_ids: tuple[int, ...]) -> dict[str, float]:
        """Return in which share of the scopes' documents each term stands."""
        ...

    def overlapping(
        self, terms: Collection[str], *, scope_id: int, share: float, limit: int
    ) -> list[int]:
        """Return documents that share at least that part of all terms, most shared first."""
        ...
