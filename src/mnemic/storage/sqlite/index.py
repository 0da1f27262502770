"""Search over the documents of one SQLite file: an in-process cache of the store.

It catches up with what any process committed before it answers, and can be thrown away at any
time. Statements are the only way in which it reads the store.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from threading import RLock
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mnemic.storage.search import Candidates, Probe, Vector, Within
from mnemic.storage.sqlite.catalog import Catalog, Reader
from mnemic.storage.sqlite.postings import Ordinals, Parts
from mnemic.storage.sqlite.scoring import Field, Scores, holders, score_words
from mnemic.storage.terms import hash_term

# How many of each channel are ranked: twice as many as asked for, so that the true best by vector
# are among those that the sketches name.
_LEAST_RANKED: Final = 64
# Where a filter lets too few of those through, so many are tried before the whole scope is read.
_MOST_RANKED: Final = 1_000
# How many near-duplicates of a text are compared term by term.
_SUSPECTS: Final = 64
_NOTHING: Final = np.empty(0, np.uint32)


@dataclass(frozen=True, slots=True)
class _Ranking:
    """What the channels say of a field: every word score, and the best documents of each, in order.

    A channel is exhausted when it had nothing more to offer.
    """

    scores: Scores
    words: Ordinals
    words_exhausted: bool
    near: Ordinals
    near_exhausted: bool
    cosines: dict[int, float]


class Index:
    """The text and vector index of one store."""

    def __init__(self, database: Reader) -> None:
        self._database = database
        self._catalog = Catalog(database)
        self._lock = RLock()

    def forget_after(self, seq: int) -> None:
        """Forget what was seen of a transaction that was rolled back.

        An index that looked beyond `seq` holds documents that never came to be: it starts anew.
        """
        with self._lock:
            if self._catalog.seq > seq:
                self._catalog = Catalog(self._database)

    def candidates(self, probe: Probe) -> Candidates:
        """Return the union of the best of each channel."""
        with self._lock:
            catalog = self._catalog
            catalog.catch_up()
            field = catalog.scope_field(probe.within.scope_ids)
            if probe.within.is_plain:
                return self._gather(probe, field, self._rank(probe, field, _LEAST_RANKED))
            if probe.within.episode_id is None:
                for ranked in (_LEAST_RANKED, _MOST_RANKED):
                    ranking = self._filter_best(probe, self._rank(probe, field, ranked))
                    if ranking is not None:
                        return self._gather(probe, field, ranking)
            field = self._narrow(field, probe.within)
            return self._gather(probe, field, self._rank(probe, field, _LEAST_RANKED))

    def commonness(self, terms: Collection[str], *, scope_ids: tuple[int, ...]) -> dict[str, float]:
        """Return in which share of the scopes' documents each term stands."""
        with self._lock:
            self._catalog.catch_up()
            field = self._catalog.scope_field(scope_ids)
            found = self._catalog.postings.find([hash_term(term) for term in terms])
            return {
                term: holders(ordinals, field) / max(1, field.size)
                for term, (ordinals, _) in zip(terms, found, strict=True)
            }

    def overlapping(
        self, terms: Collection[str], *, scope_id: int, share: float, limit: int
    ) -> list[int]:
        """Return documents that share that part of all terms, most shared first.

        A document that shares most terms shares some of the rarer ones: only what holds enough
        of those is looked at, so that the cost does not grow with the common words.
        """
        with self._lock:
            self._catalog.catch_up()
            field = self._catalog.scope_field((scope_id,))
            hashes = list({hash_term(term) for term in terms})
            needed = int(np.ceil(share * len(hashes)))
            among_rare = max(1, needed // 3)
            parts = self._catalog.postings.parts(hashes)
            parts.sort(key=lambda found: sum(len(ordinals) for ordinals, _ in found))
            rare = len(hashes) - needed + among_rare
            shared = _count(parts[:rare], len(self._catalog.docs))
            suspects = np.flatnonzero(shared >= among_rare).astype(np.uint32)
            suspects = suspects[_belonging(suspects, field)]
            sizes = self._catalog.sizes.view[suspects].astype(np.int64)
            fitting = (sizes >= needed) & (sizes * share <= len(hashes))
            suspects = suspects[fitting]
            suspects = suspects[np.argsort(-shared[suspects], kind="stable")[:_SUSPECTS]]
            common = shared[suspects] + _count_among(parts[rare:], suspects)
            alike = common / (self._catalog.sizes.view[suspects] + len(hashes) - common)
            best = np.argsort(-alike, kind="stable")
            best = best[alike[best] >= share][:limit]
            return self._catalog.docs.view[suspects[best]].tolist()

    def _rank(self, probe: Probe, field: Field, least: int) -> _Ranking:
        limit = max(least, 2 * probe.depth)
        scores = score_words(self._catalog.postings, probe.terms, field)
        words = _best(scores, field, limit) if probe.terms else _NOTHING
        near = self._near(probe, field, limit)
        cosines = self._cosines(near, probe)
        closest = np.array(sorted(cosines, key=lambda one: (-cosines[one], -one)), np.uint32)
        return _Ranking(scores, words, len(words) < limit, closest, len(near) < limit, cosines)

    def _filter_best(self, probe: Probe, ranking: _Ranking) -> _Ranking | None:
        """Filter what was ranked first; None when too few pass to be sure of the best.

        Most of the time everything passes, as with a threshold of confidence: then a look at
        the best of each channel is enough.
        """
        for reach in (probe.depth, None):
            words, near = ranking.words[:reach], ranking.near[:reach]
            passing = self._passing(np.union1d(words, near), probe.within)
            passed = replace(
                ranking,
                words=words[_contained(words, passing)],
                near=near[_contained(near, passing)],
            )
            sure_of_words = len(passed.words) >= min(probe.depth, len(ranking.words))
            sure_of_near = len(passed.near) >= min(probe.depth, len(ranking.near))
            if sure_of_words and sure_of_near:
                return passed
        sure_of_words = ranking.words_exhausted or len(passed.words) >= probe.depth
        sure_of_near = ranking.near_exhausted or len(passed.near) >= probe.depth
        return passed if sure_of_words and sure_of_near else None

    def _gather(self, probe: Probe, field: Field, ranking: _Ranking) -> Candidates:
        """Join the channels: each candidate gets both scores, and its rank where it has one."""
        words, near = ranking.words[: probe.depth], ranking.near[: probe.depth]
        union = np.union1d(words, near)
        unmeasured = union[~_contained(union, np.sort(ranking.near))]
        cosines = ranking.cosines | self._cosines(unmeasured, probe)
        places = union if field.members is None else np.searchsorted(field.members, union)
        return Candidates(
            docs=self._catalog.docs.view[union],
            bm25=ranking.scores[places],
            cosine=np.array([cosines.get(one, np.nan) for one in union.tolist()], np.float64),
            bm25_rank=_ranks(union, words),
            vector_rank=_ranks(union, near),
        )

    def _near(self, probe: Probe, field: Field, limit: int) -> Ordinals:
        """Return the documents that may be closest, ascending."""
        if probe.vector is None or probe.model_id is None:
            return _NOTHING
        sketches = self._catalog.sketches(probe.model_id)
        if sketches is None:
            return _NOTHING
        mask = field.mask
        if field.members is not None:
            if len(field.members) < limit:
                return field.members
            mask = np.zeros(len(field.lengths), np.bool_)
            mask[field.members] = True
        return np.sort(sketches.closest(probe.vector, limit, mask))

    def _cosines(self, ordinals: Ordinals, probe: Probe) -> dict[int, float]:
        """Return the exact cosine of each document that has a vector."""
        if probe.vector is None or probe.model_id is None or not len(ordinals):
            return {}
        docs = self._catalog.docs.view[ordinals]
        rows = self._database.tuples("vectors_of", docs=_as_json(docs), model_id=probe.model_id)
        if not rows:
            return {}
        at = docs.searchsorted(np.array([doc for doc, _ in rows], np.int64))
        cosines = _decode([data for _, data in rows]) @ probe.vector
        return dict(zip(ordinals[at].tolist(), cosines.tolist(), strict=True))

    def _narrow(self, field: Field, within: Within) -> Field:
        """Return the part of a field that passes every condition."""
        name = "docs_within" if within.episode_id is None else "docs_of_episode"
        scope_ids = _as_json(within.scope_ids)
        rows = self._database.tuples(name, scope_ids=scope_ids, **_conditions(within))
        members = self._catalog.ordinals(np.array([doc for (doc,) in rows], np.int64))
        return replace(field, mask=None, members=members, whole=field)

    def _passing(self, ordinals: Ordinals, within: Within) -> Ordinals:
        docs = self._catalog.docs.view[ordinals]
        rows = self._database.tuples("docs_passing", docs=_as_json(docs), **_conditions(within))
        return self._catalog.ordinals(np.array([doc for (doc,) in rows], np.int64))


def _best(scores: Scores, field: Field, limit: int) -> Ordinals:
    """Return the best-scored documents; the newer one first where two score the same."""
    found = np.flatnonzero(scores > 0)
    if len(found) > limit:
        found = found[np.argpartition(-scores[found], limit)[:limit]]
    found = found[np.lexsort((-found, -scores[found]))]
    return (found if field.members is None else field.members[found]).astype(np.uint32)


def _ranks(documents: Ordinals, best: Ordinals) -> NDArray[np.int64]:
    """Return the rank of each document, from 1; 0 for those that are not among the best."""
    ranks = np.zeros(len(documents), np.int64)
    ranks[documents.searchsorted(best)] = np.arange(1, len(best) + 1)
    return ranks


def _count(parts: list[Parts], size: int) -> NDArray[np.int16]:
    """Return, for each of `size` documents, in how many of the postings it stands."""
    counts = np.zeros(size, np.int16)
    for found in parts:
        for ordinals, _ in found:
            counts[ordinals] += 1
    return counts


def _count_among(parts: list[Parts], documents: Ordinals) -> NDArray[np.int64]:
    """Return the same for some documents only."""
    counts = np.zeros(len(documents), np.int64)
    if len(documents):
        for found in parts:
            for ordinals, _ in found:
                counts += _contained(documents, ordinals)
    return counts


def _belonging(ordinals: Ordinals, field: Field) -> NDArray[np.bool_]:
    if field.members is not None:
        return _contained(ordinals, field.members)
    return np.ones(len(ordinals), np.bool_) if field.mask is None else field.mask[ordinals]


def _contained(values: Ordinals, among: Ordinals) -> NDArray[np.bool_]:
    """Tell which values stand in a sorted array."""
    if not len(among):
        return np.zeros(len(values), np.bool_)
    at = among.searchsorted(values)
    at[at == len(among)] = 0
    return among[at] == values


def _decode(blobs: list[bytes]) -> Vector:
    return np.frombuffer(b"".join(blobs), "<f2").reshape(len(blobs), -1).astype(np.float32)


def _as_json(numbers: NDArray[np.int64] | tuple[int, ...]) -> str:
    return "[" + ",".join(map(str, numbers)) + "]"


def _conditions(within: Within) -> dict[str, object]:
    return {
        "episode_id": within.episode_id,
        "other_than_episode": within.other_than_episode,
        "min_confidence": within.min_confidence,
        "filter": within.filter,
    }
