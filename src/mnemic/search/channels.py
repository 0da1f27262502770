"""The two channels of recall: words and vectors, ranked on their own and then joined."""

from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from mnemic.search.arrays.segments import Places
from mnemic.search.documents import Catalog
from mnemic.search.field import Field
from mnemic.search.index_queries import Candidates, Probe, Trace, Vector, products
from mnemic.search.placed import NOTHING_PLACED, Placed
from mnemic.search.scoring import WordScores

_NOTHING: Final = np.empty(0, np.uint32)


class VectorSearch(Protocol):
    """How a backend finds vectors. Each is given with the place of its document in a field."""

    def closest(self, vector: Vector, model_id: int, field: Field, limit: int) -> Placed:
        """Return the vectors that may be closest: at least so many, where there are."""
        ...

    def of(self, places: Places, model_id: int, field: Field) -> Placed:
        """Return the vectors of some places; those that have none are left out."""
        ...


@dataclass(frozen=True, slots=True)
class Ranking:
    """What the channels say of a field: every word score, and the best places of each, in order.

    A channel is exhausted when it had nothing more to offer.
    """

    scores: WordScores
    words: Places
    words_exhausted: bool
    near: Places
    near_exhausted: bool
    vectors: Placed


class Channels:
    """Ranks the places of a field by words and by vectors."""

    def __init__(self, catalog: Catalog, vectors: VectorSearch) -> None:
        self._catalog = catalog
        self._stored = vectors

    def rank(self, probe: Probe, scores: WordScores, limit: int, trace: Trace) -> Ranking:
        """Return the best of each channel, so many of each."""
        with trace.stage("words"):
            words = scores.best(limit) if probe.terms else _NOTHING
        with trace.stage("vectors"):
            vectors = self._near(probe, scores.field, limit)
            closest = _closest(vectors, probe)
        return Ranking(scores, words, len(words) < limit, closest, len(vectors) < limit, vectors)

    def gather(
        self,
        probe: Probe,
        ranking: Ranking,
        *,
        also: Places = _NOTHING,
        coverage: NDArray[np.float64] | None = None,
    ) -> Candidates:
        """Join the channels: each candidate gets both scores, and its rank where it has one.

        `also` are candidates even where no channel ranked them. `coverage` is that of every place.
        """
        field, catalog = ranking.scores.field, self._catalog
        words, near = ranking.words[: probe.depth], ranking.near[: probe.depth]
        union = np.union1d(np.union1d(words, near), also)
        _, measured = ranking.vectors.at(union)
        known = ranking.vectors.joined(self._vectors(union[~measured], probe, field))
        ordinals = field.ordinals(union)
        vectors, there = known.at(union)
        joined = Candidates(
            docs=catalog.docs.view[ordinals],
            owners=catalog.owners(ordinals),
            bm25=ranking.scores.of(union),
            run_bm25=ranking.scores.of_runs(union),
            cosine=_cosines(vectors, there, probe),
            bm25_rank=_ranks(union, words),
            vector_rank=_ranks(union, near),
            runs=field.runs_of(union).astype(np.int64),
            speakers=catalog.traits.speakers.view[ordinals],
            said_at=catalog.traits.said_at.view[ordinals],
            traits=catalog.traits.traits.view[ordinals].astype(np.int64),
            telling=catalog.traits.telling.view[ordinals].astype(np.int64),
            coverage=_covered(coverage, union),
            vectors=vectors,
        )
        return joined.at(np.argsort(joined.docs))

    def closest(self, probe: Probe, field: Field) -> list[tuple[int, float]]:
        """Return documents and their cosines, the closest first."""
        vectors = self._near(probe, field, 3 * probe.depth)
        places = self._catalog.beginnings(_closest(vectors, probe), field)[: probe.depth]
        if probe.vector is None or not len(places):
            return []
        cosines = products(vectors.at(places)[0], probe.vector)
        docs = self._catalog.docs.view[field.ordinals(places)]
        return list(zip(docs.tolist(), cosines.tolist(), strict=True))

    def _near(self, probe: Probe, field: Field, limit: int) -> Placed:
        if probe.vector is None or probe.model_id is None or not field.size:
            return NOTHING_PLACED
        return self._stored.closest(probe.vector, probe.model_id, field, limit)

    def _vectors(self, places: Places, probe: Probe, field: Field) -> Placed:
        if probe.vector is None or probe.model_id is None or not len(places):
            return NOTHING_PLACED
        return self._stored.of(places, probe.model_id, field)


def _closest(vectors: Placed, probe: Probe) -> Places:
    """Return places by their cosine, the closest first; of two equal ones the newer."""
    if not len(vectors) or probe.vector is None:
        return _NOTHING
    cosines = products(vectors.rows, probe.vector)
    places = vectors.places.astype(np.int64)
    return vectors.places[np.lexsort((-places, -cosines))]


def _cosines(rows: Vector, there: NDArray[np.bool_], probe: Probe) -> NDArray[np.float64]:
    if probe.vector is None or not there.any():
        return np.full(len(there), np.nan)
    return np.where(there, products(rows, probe.vector), np.nan).astype(np.float64)


def _covered(coverage: NDArray[np.float64] | None, places: Places) -> NDArray[np.float64]:
    return np.full(len(places), np.nan) if coverage is None else coverage[places]


def _ranks(places: Places, best: Places) -> NDArray[np.int64]:
    """Return the rank of each place, from 1; 0 for those that are not among the best."""
    ranks = np.zeros(len(places), np.int64)
    ranks[places.searchsorted(best)] = np.arange(1, len(best) + 1)
    return ranks
