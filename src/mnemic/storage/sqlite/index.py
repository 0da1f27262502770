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
from mnemic.storage.sqlite.postings import Ordinals
from mnemic.storage.sqlite.scoring import Field, Scores, score_words
from mnemic.storage.terms import hash_term

# How many of each channel are ranked: enough that the true best by vector are among those that
# the sketches name, and that most filters find what they need without reading the whole scope.
_RANKED: Final = 300
_NOTHING: Final = np.empty(0, np.uint32)


@dataclass(frozen=True, slots=True)
class _Ranking:
    """What the channels say of a field: every word score, and the best documents of each.

    `words` are in order; `near` are those that may be closest, in ascending order. A channel is
    exhausted when it had nothing more to offer.
    """

    scores: Scores
    words: Ordinals
    words_exhausted: bool
    near: Ordinals
    near_exhausted: bool


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
                return self._gather(probe, field, self._rank(probe, field))
            if probe.within.episode_id is None:
                ranking = self._filter_best(probe, self._rank(probe, field))
                if ranking is not None:
                    return self._gather(probe, field, ranking)
            field = self._narrow(field, probe.within)
            return self._gather(probe, field, self._rank(probe, field))

    def overlapping(
        self, terms: Collection[str], *, scope_id: int, share: float, limit: int
    ) -> list[int]:
        """Return documents that may share that part of all terms, the likeliest first.

        A document that shares most terms shares some of the rarer ones: only those are looked
        up, so that the cost does not grow with the common words.
        """
        with self._lock:
            self._catalog.catch_up()
            field = self._catalog.scope_field((scope_id,))
            hashes = list({hash_term(term) for term in terms})
            needed = int(np.ceil(share * len(hashes)))
            among_rare = max(1, needed // 3)
            shared = self._shared_rare_terms(hashes, len(hashes) - needed + among_rare)
            suspects = np.flatnonzero(shared >= among_rare).astype(np.uint32)
            suspects = suspects[_belonging(suspects, field)]
            sizes = self._catalog.sizes.view[suspects].astype(np.int64)
            fitting = (sizes >= needed) & (sizes * share <= len(hashes))
            suspects, sizes = suspects[fitting], sizes[fitting]
            likeliest = np.lexsort((suspects, abs(sizes - len(hashes)), -shared[suspects]))
            return self._catalog.docs.view[suspects[likeliest[:limit]]].tolist()

    def _shared_rare_terms(self, hashes: list[int], rarest: int) -> NDArray[np.int16]:
        """Return, for each document, how many of the rarest terms it holds."""
        parts = self._catalog.postings.parts(hashes)
        parts.sort(key=lambda found: sum(len(ordinals) for ordinals, _ in found))
        shared = np.zeros(len(self._catalog.docs), np.int16)
        for found in parts[:rarest]:
            for ordinals, _ in found:
                shared[ordinals] += 1
        return shared

    def _rank(self, probe: Probe, field: Field) -> _Ranking:
        limit = max(_RANKED, 2 * probe.depth)
        scores = score_words(self._catalog.postings, probe.terms, field)
        words = _best(scores, field, limit)
        near = self._near(probe, field, limit)
        return _Ranking(scores, words, len(words) < limit, near, len(near) < limit)

    def _filter_best(self, probe: Probe, ranking: _Ranking) -> _Ranking | None:
        """Filter what was ranked first; None when too few pass to be sure of the best."""
        tried = np.union1d(ranking.words, ranking.near)
        passing = self._passing(tried, probe.within)
        words = ranking.words[_contained(ranking.words, passing)]
        near = ranking.near[_contained(ranking.near, passing)]
        sure_of_words = ranking.words_exhausted or len(words) >= probe.depth
        sure_of_near = ranking.near_exhausted or len(near) >= probe.depth
        if not (sure_of_words and sure_of_near):
            return None
        return replace(ranking, words=words, near=near)

    def _gather(self, probe: Probe, field: Field, ranking: _Ranking) -> Candidates:
        """Join the channels: each candidate gets both scores, and its rank where it has one."""
        by_words = ranking.words[: probe.depth]
        union = np.union1d(by_words, ranking.near)
        cosines = self._cosines(union, probe)
        word_rank = np.zeros(len(union), np.int64)
        word_rank[np.searchsorted(union, by_words)] = np.arange(1, len(by_words) + 1)
        closest = np.argsort(-np.nan_to_num(cosines, nan=-2.0), kind="stable")
        closest = closest[~np.isnan(cosines[closest])][: probe.depth]
        vector_rank = np.zeros(len(union), np.int64)
        vector_rank[closest] = np.arange(1, len(closest) + 1)
        ranked = np.flatnonzero(word_rank + vector_rank)
        chosen = union[ranked]
        places = chosen if field.members is None else np.searchsorted(field.members, chosen)
        return Candidates(
            docs=self._catalog.docs.view[chosen],
            bm25=ranking.scores[places],
            cosine=cosines[ranked],
            bm25_rank=word_rank[ranked],
            vector_rank=vector_rank[ranked],
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

    def _cosines(self, ordinals: Ordinals, probe: Probe) -> NDArray[np.float64]:
        """Return the exact cosine of each document, NaN for those without a vector."""
        cosines = np.full(len(ordinals), np.nan, np.float64)
        if probe.vector is None or probe.model_id is None or not len(ordinals):
            return cosines
        docs = self._catalog.docs.view[ordinals]
        rows = self._database.tuples("vectors_of", docs=_as_json(docs), model_id=probe.model_id)
        if rows:
            at = np.searchsorted(docs, np.array([doc for doc, _ in rows], np.int64))
            cosines[at] = _decode([data for _, data in rows]) @ probe.vector
        return cosines

    def _narrow(self, field: Field, within: Within) -> Field:
        """Return the part of a field that passes every condition."""
        name = "docs_within" if within.episode_id is None else "docs_of_episode"
        scope_ids = _as_json(within.scope_ids)
        rows = self._database.tuples(name, scope_ids=scope_ids, **_conditions(within))
        members = self._catalog.ordinals(np.array([doc for (doc,) in rows], np.int64))
        return replace(field, mask=None, members=members)

    def _passing(self, ordinals: Ordinals, within: Within) -> Ordinals:
        docs = self._catalog.docs.view[ordinals]
        rows = self._database.tuples("docs_passing", docs=_as_json(docs), **_conditions(within))
        return self._catalog.ordinals(np.array([doc for (doc,) in rows], np.int64))


def _best(scores: Scores, field: Field, limit: int) -> Ordinals:
    """Return the best-scored documents; the newer one first where two score the same."""
    found = np.flatnonzero(scores)
    if len(found) > limit:
        found = found[np.argpartition(-scores[found], limit)[:limit]]
    found = found[np.lexsort((-found, -scores[found]))]
    return (found if field.members is None else field.members[found]).astype(np.uint32)


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
