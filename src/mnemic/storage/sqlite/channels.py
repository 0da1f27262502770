"""The two channels of recall: words and vectors, ranked on their own and then joined."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mnemic.storage.search import Candidates, Probe, Trace, Vector
from mnemic.storage.sqlite.catalog import Catalog, Reader
from mnemic.storage.sqlite.field import Field
from mnemic.storage.sqlite.scoring import WordScores
from mnemic.storage.sqlite.segments import Places

_NOTHING: Final = np.empty(0, np.uint32)


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
    cosines: dict[int, float]


class Channels:
    """Ranks the places of a field by words and by vectors."""

    def __init__(self, catalog: Catalog, database: Reader) -> None:
        self._catalog = catalog
        self._database = database

    def rank(self, probe: Probe, scores: WordScores, least: int, trace: Trace) -> Ranking:
        """Return the best of each channel: at least so many, and twice as many as asked for."""
        limit = max(least, 2 * probe.depth)
        with trace.stage("words"):
            words = scores.best(limit) if probe.terms else _NOTHING
        with trace.stage("sketches"):
            near = self._near(probe, scores.field, limit)
        with trace.stage("vectors"):
            cosines = self._cosines(near, probe, scores.field)
        closest = np.array(sorted(cosines, key=lambda one: (-cosines[one], -one)), np.uint32)
        return Ranking(scores, words, len(words) < limit, closest, len(near) < limit, cosines)

    def gather(self, probe: Probe, ranking: Ranking) -> Candidates:
        """Join the channels: each candidate gets both scores, and its rank where it has one."""
        field = ranking.scores.field
        words, near = ranking.words[: probe.depth], ranking.near[: probe.depth]
        union = np.union1d(words, near)
        unmeasured = np.array(
            [place for place in union.tolist() if place not in ranking.cosines], np.uint32
        )
        cosines = ranking.cosines | self._cosines(unmeasured, probe, field)
        return Candidates(
            docs=self._catalog.docs.view[field.ordinals(union)],
            bm25=ranking.scores.of(union),
            cosine=np.array([cosines.get(one, np.nan) for one in union.tolist()], np.float64),
            bm25_rank=_ranks(union, words),
            vector_rank=_ranks(union, near),
        ).in_order()

    def _near(self, probe: Probe, field: Field, limit: int) -> Places:
        """Return the places that may be closest."""
        if probe.vector is None or probe.model_id is None:
            return _NOTHING
        sketches = self._catalog.sketches_of(probe.model_id)
        if sketches is None:
            return _NOTHING
        everything = field.size == len(self._catalog.docs) and field.allowed is None
        among = None if everything else field.ordinals(field.everything())
        return field.places(sketches.closest(probe.vector, limit, among))

    def _cosines(self, places: Places, probe: Probe, field: Field) -> dict[int, float]:
        """Return the exact cosine of each place whose document has a vector."""
        if probe.vector is None or probe.model_id is None or not len(places):
            return {}
        docs = self._catalog.docs.view[field.ordinals(places)]
        known = "[" + ",".join(map(str, docs.tolist())) + "]"
        rows = self._database.tuples("vectors_of", docs=known, model_id=probe.model_id)
        if not rows:
            return {}
        place_of = dict(zip(docs.tolist(), places.tolist(), strict=True))
        cosines = _decode([data for _, data in rows]) @ probe.vector
        return {
            place_of[doc]: cosine for (doc, _), cosine in zip(rows, cosines.tolist(), strict=True)
        }


def _ranks(places: Places, best: Places) -> NDArray[np.int64]:
    """Return the rank of each place, from 1; 0 for those that are not among the best."""
    ranks = np.zeros(len(places), np.int64)
    ranks[places.searchsorted(best)] = np.arange(1, len(best) + 1)
    return ranks


def _decode(blobs: list[bytes]) -> Vector:
    return np.frombuffer(b"".join(blobs), "<f2").reshape(len(blobs), -1).astype(np.float32)
