"""Matching: only what fits a query is returned, and all that fits is counted.

A memory matches by its words where it covers enough of what the query asks for, weighed by rarity;
that is decided for every memory of the scopes. It also matches where its words and its meaning
together pass a floor; that is decided for the candidates only, since nothing else is near enough to
have its meaning looked at.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mnemic.language.bounds import READ_OF_MEMORY
from mnemic.language.broadening import broadened
from mnemic.language.tokens import jaccard, word_set
from mnemic.memory.retrieval.hits import asked_of, hit_of, knows_cosines, relevances
from mnemic.memory.retrieval.ranking import Points, Ranked, rank
from mnemic.memory.retrieval.relevance import known_each
from mnemic.memory.workspace import Workspace
from mnemic.records.memory import Hit, Memory
from mnemic.records.query import Query
from mnemic.search.index_queries import NO_CANDIDATES, AskedFor, Candidates, Probe, Trace
from mnemic.storage.rows import memory_rows

# Chosen on questions with and without an answer in the store; see docs/decisions/0016.
LEAST_COVERAGE: Final = 0.36
LEAST_KNOWN: Final = 0.25
# From this share of common words on, a memory says what the query says, and comes first.
_REPEATS: Final = 0.8
# How many points it gives to cover a query of one piece, where it names a concept.
_PER_COVERAGE: Final = 8.0
# Of what a memory covers by concepts, so much is its fit at least: an embedder that does not see
# what a cat has to do with "pets" knows less than the lexicon.
_FIT_OF_CONCEPTS: Final = 0.55
# So many more than the limit are looked at for one that repeats the query.
_SPARE: Final = 10


def find_matches(
    workspace: Workspace, query: Query, probe: Probe, trace: Trace
) -> tuple[Candidates, list[Hit], int]:
    """Return the candidates, the hits that match, best first, and how many memories match in all.

    Of the hits there are at least as many as the limit, or as many as match.
    """
    if not probe.within.scope_ids:
        return NO_CANDIDATES, [], 0
    asked = broadened(query.text)
    if not probe.terms:
        # Where words have no say, those of concepts have none either.
        asked = asked.unbroadened
    covering = workspace.db.search.covering(
        probe, AskedFor(asked.pieces, asked.literal), least=LEAST_COVERAGE, trace=trace
    )
    found = covering.found
    with trace.stage("fusion"):
        by_words, matching = _matching(workspace, probe, found)
        total = covering.total + int(np.count_nonzero(matching & ~by_words))
        ranked = rank(
            found,
            asked_of(workspace, query),
            word_weight=workspace.settings.word_weight,
            limit=query.limit,
            always=matching,
        )
        if asked.names_concepts:
            ranked = _by_coverage(ranked, of_pieces=len(asked.pieces))
        ranked = ranked.at(np.flatnonzero(_matching(workspace, probe, ranked.found)[1]).tolist())
        ranked = ranked.at(range(min(len(ranked.points), query.limit + _SPARE)))
    least = _FIT_OF_CONCEPTS if asked.names_concepts else 0.0
    return found, _hits(workspace, query, probe, ranked, least_fit=least, trace=trace), total


def _by_coverage(ranked: Ranked, *, of_pieces: int) -> Ranked:
    """Put what holds the words of a query before what only falls under its concepts.

    The more a query says, the less this counts beside words and meaning.
    """
    gained = _PER_COVERAGE / of_pieces * ranked.found.coverage
    points = ranked.points + gained
    ranked = replace(ranked, points=points, signals={**ranked.signals, "coverage": gained})
    return ranked.at(np.lexsort((-ranked.found.docs, -points)).tolist())


def _matching(
    workspace: Workspace, probe: Probe, found: Candidates
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Tell which candidates match by their words, and which in any way."""
    by_words = found.coverage >= LEAST_COVERAGE
    if not probe.terms:
        by_words[:] = False
    if not knows_cosines(workspace):
        return by_words, by_words
    together = known_each(found.literal, found.cosine) >= LEAST_KNOWN
    return by_words, by_words | (together & ~np.isnan(found.cosine))


def _hits(
    workspace: Workspace,
    query: Query,
    probe: Probe,
    ranked: Ranked,
    *,
    least_fit: float,
    trace: Trace,
) -> list[Hit]:
    with trace.stage("memories"):
        docs = ranked.found.docs.tolist()
        there = memory_rows.by_docs(workspace.db, docs)
        ranked = ranked.at([at for at, doc in enumerate(docs) if doc in there])
        shown = [there[doc] for doc in ranked.found.docs.tolist()]
    with trace.stage("relevance"):
        likeness = _likeness(query.text, shown)
        order: list[int] = np.argsort(likeness < _REPEATS, kind="stable").tolist()
        ranked, likeness = _in_order(ranked, order), likeness[order]
        fits = _fits(workspace, ranked.found, likeness, least=least_fit).tolist()
        likely = relevances(workspace, query, ranked, scope_ids=probe.within.scope_ids)
    return [
        hit_of(ranked, at, shown[place], likely[at], fits[at]) for at, place in enumerate(order)
    ]


def _likeness(text: str, shown: Sequence[Memory]) -> Points:
    """Return which share of all words each memory has in common with the query."""
    words = word_set(text)
    return np.array(
        [jaccard(words, word_set(one.content[:READ_OF_MEMORY])) for one in shown], np.float64
    )


def _in_order(ranked: Ranked, order: Sequence[int]) -> Ranked:
    """Put what repeats the query first: it gets as many points as what it is put before."""
    moved = ranked.at(order)
    points = np.maximum.accumulate(moved.points[::-1])[::-1]
    signals = {**moved.signals, "repeats": points - moved.points}
    return replace(moved, points=points, signals=signals)


def _fits(workspace: Workspace, found: Candidates, likeness: Points, *, least: float) -> Points:
    """Return how well each hit fits by itself, made to fall along the order.

    What is said in just the same words fits whatever the cosine is. What covers the query fits by
    at least that part of it.
    """
    cosine = found.cosine if knows_cosines(workspace) else np.full(len(found), np.nan)
    known = np.maximum(known_each(found.coverage, cosine), least * found.coverage)
    fits = 1 - (1 - known) * (1 - likeness**2)
    return np.minimum.accumulate(fits)
