"""Search over the documents of one store: an in-process cache of it.

It catches up with what any process committed before it answers, and can be thrown away at any
time. Statements are the only way in which it reads the store.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from threading import RLock
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mnemic.records.filters import EVERYTHING, Near
from mnemic.search.arrays.segments import Places
from mnemic.search.channels import Channels, Ranking, VectorSearch
from mnemic.search.columns import Columns
from mnemic.search.coverage import coverage
from mnemic.search.documents import Catalog
from mnemic.search.field import Field
from mnemic.search.holding import holding
from mnemic.search.index_queries import (
    NO_TRACE,
    AskedFor,
    Candidates,
    Covering,
    DocumentColumns,
    Probe,
    TermStanding,
    Trace,
    Within,
)
from mnemic.search.overlap import overlapping
from mnemic.search.scoring import WordScores, commonness, score_words
from mnemic.search.snapshots import Keeper, Store
from mnemic.search.standing import standing

# How many more of each channel are ranked than are asked for, so that the true best by vector are
# among those that the sketches name.
_MORE: Final = 1.25
# Where a filter lets too few through: so many are tried before the whole scope is read.
_RANKED_TO_FILTER: Final = (200, 1_000)
# Of more than so many, not each is checked against a filter by itself.
_CHECKED_ONE_BY_ONE: Final = 1_000
# More than any score by words.
_COVERED_FIRST: Final = 1_000.0
_NOWHERE: Final = np.empty(0, np.uint32)


class Index:
    """The text and vector index of one store."""

    def __init__(
        self, database: Store, vectors: Callable[[Catalog], VectorSearch], snapshot: Path | None
    ) -> None:
        self._database = database
        self._vectors = vectors
        self._keeper = Keeper(database, snapshot)
        self._lock = RLock()
        self._loaded = False
        self._start(Catalog(database))

    def __len__(self) -> int:
        return len(self._catalog.docs)

    def forget_after(self, seq: int) -> None:
        """Forget what was seen of a transaction that was rolled back.

        An index that looked beyond `seq` holds documents that never came to be: it starts anew.
        """
        with self._lock:
            if any(seen > seq for seen in self._catalog.clocks.values()):
                self._restart()

    def forget_ahead(self) -> None:
        """Forget what was seen of a transaction that was rolled back meanwhile.

        The store is asked without the lock: who holds it may wait for our connection.
        """
        catalog = self._catalog
        if catalog.is_ahead():
            with self._lock:
                if self._catalog is catalog:
                    self._restart()

    def forget(self) -> None:
        """Forget everything: another server answers from now on, which may know less."""
        with self._lock:
            self._restart()

    def keep(self) -> None:
        """Save the index for the next process, if that will spare it noticeable work."""
        with self._lock:
            catalog = self._catalog
            if not self._keeper.is_worth_saving(catalog):
                return
            taken = catalog.snapshot()
        self._keeper.save(taken, is_current=lambda: self._catalog is catalog)

    def candidates(self, probe: Probe, trace: Trace = NO_TRACE) -> Candidates:
        """Return the union of the best of each channel."""
        with self._lock:
            with trace.stage("catch up"):
                field = self._field(probe.within.scope_ids, hidden=probe.within.hidden)
            with trace.stage("words"):
                scores = score_words(self._catalog.postings, probe.terms, field)
            ranking = self._rank(probe, scores, trace)
            with trace.stage("join"):
                return self._channels.gather(probe, ranking)

    def covering(
        self, probe: Probe, asked: AskedFor, *, least: float, trace: Trace = NO_TRACE
    ) -> Covering:
        """Return the candidates and what covers at least that part of what was asked for."""
        with self._lock:
            with trace.stage("catch up"):
                field = self._field(probe.within.scope_ids, hidden=probe.within.hidden)
            with trace.stage("words"):
                scores = score_words(self._catalog.postings, probe.terms, field)
            ranking = self._rank(probe, scores, trace)
            with trace.stage("coverage"):
                covered = coverage(self._catalog.postings, asked.pieces, field)
                if asked.people:
                    # What is said of others answers nothing about somebody.
                    covered *= coverage(self._catalog.postings, asked.people, field)
                places = np.flatnonzero(covered >= least) if probe.terms else _NOWHERE
                places = self._all_passing(places.astype(np.uint32), field, probe.within)
                # Rare words of what falls under a concept may outweigh the word itself.
                best = scores.own + _COVERED_FIRST * covered
                also = _best(places, best, probe.depth)
            with trace.stage("join"):
                found = self._channels.gather(probe, ranking, also=also, coverage=covered)
            owners = self._catalog.owners(field.ordinals(places))
            total = len(np.unique(owners)) if self._catalog.has_passages else len(places)
            return Covering(found, total)

    def closest(self, probe: Probe) -> list[tuple[int, float]]:
        """Return the documents of the scopes that are closest by vector, and their cosines."""
        with self._lock:
            return self._channels.closest(probe, self._field(probe.within.scope_ids))

    def nearest(self, within: Within, near: Near, *, limit: int) -> list[tuple[int, float]]:
        """Return documents and their distances, nearest first; those without a place are left
        out.
        """
        with self._lock:
            field = self._field(within.scope_ids)
            if within.episode_id is not None or within.filter.conditions:
                field, within = self._restricted(field, within)
            distances = self._columns.distances(near, field)
            if self._catalog.has_passages:
                every = field.ordinals(np.arange(field.width, dtype=np.uint32))
                distances[self._catalog.heads.view[every] != 0] = np.nan
            if near.max_distance is not None:
                distances[distances > near.max_distance] = np.nan
            places = field.permitted(np.flatnonzero(~np.isnan(distances)).astype(np.uint32))
            found: list[tuple[int, float]] = []
            for block in _nearest_first(places, distances, limit):
                passing = self._passing(block, field, within)
                kept = block[np.isin(block, passing)][: limit - len(found)]
                docs = self._catalog.docs.view[field.ordinals(kept)].tolist()
                found += zip(docs, distances[kept].tolist(), strict=True)
                if len(found) == limit:
                    break
            return found

    def standing(
        self, terms: Sequence[str], doc: int, *, scope_ids: tuple[int, ...]
    ) -> TermStanding:
        """Return how terms stand to one of the scopes' documents."""
        with self._lock:
            field = self._field(scope_ids)
            [place] = field.places(self._catalog.ordinals(np.array([doc], np.int64))).tolist()
            return standing(self._catalog.postings, terms, place, field)

    def commonness(self, terms: Collection[str], *, scope_ids: tuple[int, ...]) -> dict[str, float]:
        """Return in which share of the scopes' documents each term stands."""
        with self._lock:
            field = self._field(scope_ids)
            shares = commonness(self._catalog.postings, list(terms), field)
            return dict(zip(terms, shares, strict=True))

    def holding(self, terms: Collection[str], *, scope_ids: tuple[int, ...]) -> DocumentColumns:
        """Return all documents of the scopes that hold every term; none where no term is given."""
        with self._lock:
            self._catch_up(scope_ids)
            catalog = self._catalog
            ordinals = holding(catalog, terms, list(dict.fromkeys(scope_ids)))
            docs = catalog.docs.view.take(ordinals)
            if len(scope_ids) > 1 and not (docs[1:] > docs[:-1]).all():
                order = np.argsort(docs)
                docs, ordinals = docs.take(order), ordinals.take(order)
            said_at = catalog.traits.said_at.view.take(ordinals)
            return DocumentColumns(docs, said_at, catalog.mixed.view.take(ordinals))

    def overlapping(
        self, terms: Collection[str], *, scope_id: int, share: float, limit: int
    ) -> list[int]:
        """Return documents that share that part of all terms, most shared first."""
        with self._lock:
            field = self._field((scope_id,))
            places = overlapping(self._catalog, field, terms, share=share, limit=limit)
            places = self._catalog.beginnings(places, field)
            return self._catalog.docs.view[field.ordinals(places)].tolist()

    def _restart(self) -> None:
        self._loaded = False
        self._start(Catalog(self._database))

    def _start(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._channels = Channels(catalog, self._vectors(catalog))
        self._columns = Columns(self._database, catalog.owners)

    def _field(self, scope_ids: tuple[int, ...], *, hidden: Collection[int] = frozenset()) -> Field:
        """Return the documents of some scopes, caught up with the store."""
        self._catch_up(scope_ids)
        field = Field.of(scope_ids, self._catalog.members, self._catalog.runs)
        if not hidden:
            return field
        docs = np.fromiter(hidden, np.int64, len(hidden))
        return field.without(field.places(self._catalog.ordinals(docs)))

    def _catch_up(self, scope_ids: tuple[int, ...]) -> None:
        if not self._loaded:
            self._start(self._keeper.load())
            self._loaded = True
        self._catalog.catch_up(scope_ids)

    def _rank(self, probe: Probe, scores: WordScores, trace: Trace) -> Ranking:
        """Rank what passes: the best of each channel first, and only where too few of them pass
        to be sure of the best, all that do.
        """
        within, field = probe.within, scores.field
        with trace.stage("filter"):
            if within.episode_id is not None or self._columns.are_due(within.filter, field):
                field, within = self._restricted(field, within)
        while not within.is_plain:
            for reach in _RANKED_TO_FILTER:
                limit = max(reach, 2 * probe.depth)
                ranking = self._channels.rank(probe, replace(scores, field=field), limit, trace)
                with trace.stage("filter"):
                    checked = self._checked(probe, ranking, within)
                if checked is not None:
                    return checked
            with trace.stage("filter"):
                field, within = self._restricted(field, within)
        limit = int(_MORE * probe.depth)
        return self._channels.rank(probe, replace(scores, field=field), limit, trace)

    def _restricted(self, field: Field, within: Within) -> tuple[Field, Within]:
        """Restrict a field by the next condition of all; return what is left to be checked."""
        if within.episode_id is not None:
            return self._read(field, "docs_of_episode", within)
        if within.filter.conditions:
            passing = self._columns.passing(within.filter, field)
            kept = field.permitted(np.flatnonzero(passing).astype(np.uint32))
            return field.only(kept), replace(within, filter=EVERYTHING)
        if within.is_plain:
            return field, within
        return self._read(field, "docs_within", within)

    def _read(self, field: Field, name: str, within: Within) -> tuple[Field, Within]:
        """Restrict a field to what the store itself says may be shown."""
        scope_ids = list(within.scope_ids)
        rows = self._database.tuples(name, scope_ids=scope_ids, **_conditions(within))
        docs = np.array([doc for (doc,) in rows], np.int64)
        if self._catalog.has_passages:
            every = field.everything()
            passing = every[np.isin(self._catalog.owners(field.ordinals(every)), docs)]
        else:
            passing = field.permitted(field.places(self._catalog.ordinals(docs)))
        return field.only(passing), Within(within.scope_ids)

    def _checked(self, probe: Probe, ranking: Ranking, within: Within) -> Ranking | None:
        """Filter what was ranked first; None when too few pass to be sure of the best.

        Most of the time everything passes, as with a threshold of confidence: then a look at
        the best of each channel is enough.
        """
        field = ranking.scores.field
        passed = ranking
        for reach in (probe.depth, None):
            words, near = ranking.words[:reach], ranking.near[:reach]
            passing = self._passing(np.union1d(words, near), field, within)
            passed = replace(
                ranking,
                words=words[np.isin(words, passing)],
                near=near[np.isin(near, passing)],
            )
            sure_of_words = len(passed.words) >= min(probe.depth, len(ranking.words))
            sure_of_near = len(passed.near) >= min(probe.depth, len(ranking.near))
            if sure_of_words and sure_of_near:
                return passed
        sure_of_words = ranking.words_exhausted or len(passed.words) >= probe.depth
        sure_of_near = ranking.near_exhausted or len(passed.near) >= probe.depth
        return passed if sure_of_words and sure_of_near else None

    def _all_passing(self, places: Places, field: Field, within: Within) -> Places:
        """Keep the places whose memories pass, however many there are."""
        due = within.episode_id is not None or self._columns.are_due(within.filter, field)
        if len(places) <= _CHECKED_ONE_BY_ONE and not due:
            return self._passing(field.permitted(places), field, within)
        while not within.is_plain:
            field, within = self._restricted(field, within)
        return field.permitted(places)

    def _passing(self, places: Places, field: Field, within: Within) -> Places:
        """Keep the places whose memories pass."""
        if within.is_plain:
            return places
        self._columns.note_checks(within.filter, field, len(places))
        owners = self._catalog.owners(field.ordinals(places))
        docs = np.unique(owners).tolist()
        rows = self._database.tuples("docs_passing", docs=docs, **_conditions(within))
        passing = np.array([doc for (doc,) in rows], np.int64)
        return places[np.isin(owners, passing)]


def _nearest_first(places: Places, distances: NDArray[np.float64], limit: int) -> Iterator[Places]:
    """Return places in two blocks, each from near to far: some more than `limit`, then the rest.

    The rest is put in order only if it is asked for.
    """
    blocks = [places]
    first = 2 * limit + 50
    if len(places) > first:
        order = np.argpartition(distances[places], first)
        blocks = [np.sort(places[order[:first]]), np.sort(places[order[first:]])]
    for block in blocks:
        yield block[np.argsort(distances[block], kind="stable")]


def _best(places: Places, scores: NDArray[np.floating], limit: int) -> Places:
    """Return the places with the best scores, all where there are no more than `limit`."""
    if len(places) <= limit:
        return places
    return places[np.argpartition(-scores[places], limit)[:limit]]


def _conditions(within: Within) -> dict[str, object]:
    return {
        "episode_id": within.episode_id,
        "other_than_episode": within.other_than_episode,
        "min_confidence": within.min_confidence,
        "filter": within.filter,
        "moment": within.moment,
        "occurred_by": within.occurred_by,
    }
