"""What the engine asks of a backend's index, and what it gets back."""

from collections.abc import Collection, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from enum import IntFlag
from time import perf_counter, thread_time
from typing import Final, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from mnemic.records.filters import EVERYTHING, Filter, Near
from mnemic.records.memory import Stage
from mnemic.telemetry.observer import Watcher

Vector = NDArray[np.float32]
Pieces = Sequence[Sequence[tuple[str, float]]]
"""What a question asks for, piece by piece: the terms that show a piece, and how well each does.
The last one is the piece itself. A piece of one term is a word. Beside others, a last one that
shows the piece in full makes it a meaning; one that does not, a character inside a word."""


@dataclass(frozen=True, slots=True)
class AskedFor:
    """What a question asks for, each thing with all that shows it, and who of that are people."""

    pieces: Pieces
    people: Pieces = ()


def products(rows: NDArray[np.floating], vector: Vector) -> NDArray[np.float32]:
    """Return the product of each row with a vector.

    Not by `@`: for so few numbers the threads of a BLAS library cost more than they save, and
    go on spinning.
    """
    return np.einsum("ij,j->i", rows, vector)


@dataclass(frozen=True, slots=True)
class Within:
    """Which active memories may be found at all. It restricts before anything is ranked.

    Times are in microseconds: what expired by `moment` is left out, and what happened after
    `occurred_by`. So are the documents that are `hidden`.
    """

    scope_ids: tuple[int, ...]
    filter: Filter = EVERYTHING
    episode_id: str | None = None
    other_than_episode: str | None = None
    min_confidence: float = 0.0
    moment: int | None = None
    occurred_by: int | None = None
    hidden: frozenset[int] = frozenset()

    @property
    def asks_for_trust(self) -> bool:
        """Whether confidence, or another episode, is asked for: most memories pass."""
        return self.min_confidence > 0 or self.other_than_episode is not None

    @property
    def whatever_the_trust(self) -> Self:
        """The same without those conditions."""
        return replace(self, min_confidence=0.0, other_than_episode=None)

    @property
    def is_plain(self) -> bool:
        """Whether the scopes alone decide."""
        return (
            self.min_confidence <= 0
            and self.episode_id is None
            and self.other_than_episode is None
            and not self.filter.conditions
            and self.moment is None
            and self.occurred_by is None
        )


@dataclass(frozen=True, slots=True)
class Probe:
    """What to look for: weighted terms, a vector of one model, or both."""

    terms: Mapping[str, float]
    within: Within
    depth: int
    vector: Vector | None = None
    model_id: int | None = None


class Trait(IntFlag):
    """What kind of text a document is."""

    REAL = 1
    """It tells of the real world, not of a simulation."""
    ASKS = 2
    """It ends in a question."""
    FIRST_PERSON = 4
    """Somebody speaks of themselves."""
    ASSISTANT = 8
    """An assistant without a name of its own wrote it."""
    LATER = 16
    """It is a part of a longer text, and not its beginning."""
    MARKUP = 32
    """It is code or markup rather than talk."""


NO_SPEAKER: Final = -1
NO_TIME: Final = -(2**63)
NO_RUN: Final = -1


@dataclass(frozen=True, slots=True)
class Candidates:
    """Documents that a channel found, column by column, in ascending order of documents.

    `owners` are the documents under which their texts are known: of a passage, that of the
    beginning of its text. Both scores are given for every document, also where only the other
    channel ranked it; a cosine of NaN means that it has no vector of the probe's model. Ranks count
    from 1; 0 means not among the best of that channel. `run_bm25` is what the whole run scores, NaN
    where there is none; `coverage` is which part of what was asked for the document covers, NaN
    where that was not asked for; `vectors` has a row for each document, of zeros where it has none.
    """

    docs: NDArray[np.int64]
    owners: NDArray[np.int64]
    bm25: NDArray[np.float64]
    run_bm25: NDArray[np.float64]
    cosine: NDArray[np.float64]
    bm25_rank: NDArray[np.int64]
    vector_rank: NDArray[np.int64]
    runs: NDArray[np.int64]
    speakers: NDArray[np.int64]
    said_at: NDArray[np.int64]
    traits: NDArray[np.int64]
    telling: NDArray[np.int64]
    coverage: NDArray[np.float64]
    vectors: Vector

    def __len__(self) -> int:
        return len(self.docs)

    def at(self, places: NDArray[np.integer]) -> Self:
        """Return some of them, in the order given."""
        return type(self)(*(getattr(self, one.name)[places] for one in fields(self)))


_NONE: Final = np.empty(0, np.int64)
_NO_SCORES: Final = np.empty(0, np.float64)
NO_CANDIDATES: Final = Candidates(
    docs=_NONE,
    owners=_NONE,
    bm25=_NO_SCORES,
    run_bm25=_NO_SCORES,
    cosine=_NO_SCORES,
    bm25_rank=_NONE,
    vector_rank=_NONE,
    runs=_NONE,
    speakers=_NONE,
    said_at=_NONE,
    traits=_NONE,
    telling=_NONE,
    coverage=_NO_SCORES,
    vectors=np.empty((0, 0), np.float32),
)


@dataclass(frozen=True, slots=True)
class Covering:
    """Candidates with their coverage, and how many documents in all cover at least the part that
    was asked for. The best of those are among the candidates, all of them where there are no more
    than the depth of the probe.
    """

    found: Candidates
    total: int


NOTHING_COVERED: Final = Covering(NO_CANDIDATES, 0)


@dataclass(frozen=True, slots=True)
class DocumentColumns:
    """Documents that hold every one of some terms, column by column, in ascending order.

    `said_at` is in microseconds. `mixed` tells where a document is also found by words of its
    context: there, some of the terms may not stand in its own text.
    """

    docs: NDArray[np.int64]
    said_at: NDArray[np.int64]
    mixed: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.docs)


@dataclass(frozen=True, slots=True)
class TermStanding:
    """How some terms stand to one document, one entry for each.

    `near` is 1 where the document holds the term, 0.7 where the one before it in its run does,
    0.4 where the next one does; `in_run` is 1 where any document of its run does.
    """

    near: NDArray[np.float64]
    in_run: NDArray[np.float64]
    rarity: NDArray[np.float64]


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


class FollowedTrace(Trace):
    """Takes the times, and tells a watcher of each stage while it lasts."""

    def __init__(self, watcher: Watcher) -> None:
        super().__init__()
        self._watcher = watcher

    @contextmanager
    def stage(self, name: str) -> Generator[None]:
        """Take the time of what is done inside."""
        with self._watcher.doing("stage", name), super().stage(name):
            yield


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

    def covering(
        self, probe: Probe, asked: AskedFor, *, least: float, trace: Trace = NO_TRACE
    ) -> Covering:
        """Return the candidates and what covers at least that part of what was asked for.

        Without terms in the probe, words have no say: nothing is counted then.
        """
        ...

    def closest(self, probe: Probe) -> list[tuple[int, float]]:
        """Return the documents of the scopes that are closest by vector, and their cosines."""
        ...

    def nearest(self, within: Within, near: Near, *, limit: int) -> list[tuple[int, float]]:
        """Return documents and their distances, nearest first; those without a place are left
        out.
        """
        ...

    def standing(
        self, terms: Sequence[str], doc: int, *, scope_ids: tuple[int, ...]
    ) -> TermStanding:
        """Return how terms stand to one of the scopes' documents."""
        ...

    def commonness(self, terms: Collection[str], *, scope_ids: tuple[int, ...]) -> dict[str, float]:
        """Return in which share of the scopes' documents each term stands."""
        ...

    def holding(self, terms: Collection[str], *, scope_ids: tuple[int, ...]) -> DocumentColumns:
        """Return all documents of the scopes that hold every term; none where no term is given."""
        ...

    def overlapping(
        self, terms: Collection[str], *, scope_id: int, share: float, limit: int
    ) -> list[int]:
        """Return documents that share at least that part of all terms, most shared first."""
        ...
