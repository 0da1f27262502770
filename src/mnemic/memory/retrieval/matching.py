"""Matching: only what fits a query is returned, and all that fits is counted.

A memory fits by its words where it covers enough of what the query asks for, weighed by rarity;
that is decided for every memory of the scopes. It also fits where its words and its meaning
together pass a floor; that is decided for the candidates only, since nothing else is near enough to
have its meaning looked at. The order is that of every recall, over the words that were broadened.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mnemic.language.bounds import READ_OF_MEMORY
from mnemic.language.broadening import Broadened, broadened
from mnemic.language.tokens import jaccard, pieces, word_set
from mnemic.memory.retrieval.hits import (
    asked_of,
    hit_of,
    knows_cosines,
    relevances,
    spans_of,
)
from mnemic.memory.retrieval.kin_names import kin_names
from mnemic.memory.retrieval.ranking import Points, Ranked, rank
from mnemic.memory.retrieval.relevance import fits
from mnemic.memory.workspace import Workspace
from mnemic.records.memory import Hit, Memory
from mnemic.records.query import Query
from mnemic.search.index_queries import NO_CANDIDATES, AskedFor, Candidates, Probe, Trace
from mnemic.storage.rows import memory_rows

# Chosen on questions with and without an answer in the store; see docs/decisions/0041.
LEAST_COVERAGE: Final = 0.36
LEAST_FIT: Final = 0.27
# Behind what fits comes what stands among the first with it, and fits less by itself.
_FIRST: Final = 5
_BESIDE: Final = 0.12
# From this share of common words on, a memory says what the query says, and comes first.
_REPEATS: Final = 0.8
# How many points it gives to cover a query of one piece, where it names a concept.
_PER_COVERAGE: Final = 8.0
# So many more than the limit are looked at for one that repeats the query.
_SPARE: Final = 10
# So many of the first are read for the names of people.
_READ_FOR_NAMES: Final = 12


@dataclass(frozen=True, slots=True)
class _Matches:
    """What the channels found, which of it fits, and how many fit in all."""

    found: Candidates
    ranked: Ranked
    total: int


def find_matches(
    workspace: Workspace, query: Query, probe: Probe, trace: Trace
) -> tuple[Candidates, list[Hit], int]:
    """Return the candidates, the hits that fit, best first, and how many memories fit in all.

    Of the hits there are at least as many as the limit, or as many as fit.
    """
    if not probe.within.scope_ids:
        return NO_CANDIDATES, [], 0
    # Where words have no say, those of concepts have none either.
    asked = broadened(query.text) if probe.terms else Broadened(tuple(pieces(query.text)))
    matches = _matches(workspace, query, probe, asked, trace)
    if asked.kin and probe.terms and (names := _names(workspace, asked, matches.found, query)):
        known = asked.known_as(names)
        probe = replace(probe, terms={**known.terms, **probe.terms})
        matches = _matches(workspace, query, probe, known, trace)
    return matches.found, _hits(workspace, query, probe, matches.ranked, trace), matches.total


def _matches(
    workspace: Workspace, query: Query, probe: Probe, asked: Broadened, trace: Trace
) -> _Matches:
    covering = workspace.db.search.covering(
        probe, AskedFor(asked.pieces, asked.people), least=LEAST_COVERAGE, trace=trace
    )
    found = covering.found
    with trace.stage("fusion"):
        by_words = found.coverage >= LEAST_COVERAGE
        if not probe.terms:
            by_words[:] = False
        is_measured = ~np.isnan(_cosines(workspace, found))
        fit = np.where(is_measured, _fit(workspace, found), 0.0)
        fitting = by_words | (fit >= LEAST_FIT)
        ranked = rank(
            found,
            asked_of(workspace, query),
            word_weight=workspace.settings.word_weight,
            limit=query.limit,
            always=fitting,
        )
        if asked.terms:
            ranked = _by_coverage(ranked, of_pieces=len(asked.pieces))
        first = ranked.found.docs[:_FIRST]
        beside = ~fitting & (fit >= _BESIDE) & np.isin(found.docs, first) & fitting.any()
        ranked = _in_order(
            ranked, [*_places(ranked, found.docs[fitting]), *_places(ranked, found.docs[beside])]
        )
    more = np.setdiff1d(found.owners[fitting | beside], found.owners[by_words])
    return _Matches(found, ranked.one_of_each_text(), covering.total + len(more))


def _places(ranked: Ranked, docs: NDArray[np.int64]) -> list[int]:
    return np.flatnonzero(np.isin(ranked.found.docs, docs)).tolist()


def _by_coverage(ranked: Ranked, *, of_pieces: int) -> Ranked:
    """Put what holds the words of a query before what only falls under its concepts.

    The more a query says, the less this counts beside words and meaning.
    """
    gained = _PER_COVERAGE / of_pieces * ranked.found.coverage
    points = ranked.points + gained
    ranked = replace(ranked, points=points, signals={**ranked.signals, "coverage": gained})
    return ranked.at(np.lexsort((-ranked.found.docs, -points)).tolist())


def _fit(workspace: Workspace, found: Candidates) -> Points:
    """Return how well each candidate fits by itself, by its words and where it is known its
    meaning.
    """
    return fits(found.coverage, _cosines(workspace, found))


def _cosines(workspace: Workspace, found: Candidates) -> Points:
    return found.cosine if knows_cosines(workspace) else np.full(len(found), np.nan)


def _names(workspace: Workspace, asked: Broadened, found: Candidates, query: Query) -> list[str]:
    """Return by which names the people are known whom a query means by what they are."""
    order = np.lexsort((-found.docs, -found.coverage, -found.bm25))[:_READ_FOR_NAMES]
    there = memory_rows.by_docs(workspace.db, found.owners[order].tolist())
    known = kin_names(memory.content for memory in there.values())
    text = query.text.casefold()
    return sorted(
        name
        for concept, names in known.items()
        if concept in asked.kin
        for name in names
        if name not in text
    )


def _hits(
    workspace: Workspace, query: Query, probe: Probe, ranked: Ranked, trace: Trace
) -> list[Hit]:
    ranked = ranked.at(range(min(len(ranked.points), query.limit + _SPARE)))
    with trace.stage("memories"):
        docs = ranked.found.owners.tolist()
        there = memory_rows.by_docs(workspace.db, docs)
        ranked = ranked.at([at for at, doc in enumerate(docs) if doc in there])
        shown = [there[doc] for doc in ranked.found.owners.tolist()]
    with trace.stage("relevance"):
        likeness = _likeness(query.text, shown)
        order: list[int] = np.argsort(likeness < _REPEATS, kind="stable").tolist()
        ranked, likeness = _in_order(ranked, order), likeness[order]
        # What is said in just the same words fits whatever the cosine is.
        fitting = 1 - (1 - _fit(workspace, ranked.found)) * (1 - likeness**2)
        # Along the hits they fall: what stands before another fits at least as well.
        fitting = np.maximum.accumulate(fitting[::-1])[::-1]
        likely = relevances(workspace, query, ranked, scope_ids=probe.within.scope_ids)
        spans = spans_of(workspace, ranked.found)
    return [
        hit_of(ranked, at, shown[place], likely[at], float(fitting[at]), passage=spans.get(at))
        for at, place in enumerate(order)
    ]


def _likeness(text: str, shown: Sequence[Memory]) -> Points:
    """Return which share of all words each memory has in common with the query."""
    words = word_set(text)
    return np.array(
        [jaccard(words, word_set(one.content[:READ_OF_MEMORY])) for one in shown], np.float64
    )


def _in_order(ranked: Ranked, order: Sequence[int]) -> Ranked:
    """Return them in another order: each gets at least as many points as those behind it."""
    moved = ranked.at(order)
    points = np.maximum.accumulate(moved.points[::-1])[::-1]
    raised = moved.signals.get("order", np.zeros(len(points))) + points - moved.points
    return replace(moved, points=points, signals={**moved.signals, "order": raised})
