"""Recall: restrict, ask each channel, join, and say why."""

from collections.abc import Mapping
from dataclasses import replace
from math import isnan
from time import perf_counter
from typing import Final

from mnemic.engine.embedding import embed_texts
from mnemic.engine.query import Query
from mnemic.engine.ranking import best_first, fuse, relative, signals_of, with_signals
from mnemic.engine.workspace import Workspace
from mnemic.errors import InvalidInputError
from mnemic.records import Hit, Memory, Recalled, RecallMode
from mnemic.storage import memories
from mnemic.storage.search import NO_CANDIDATES, Candidates, Probe, Within
from mnemic.text.tokens import content_words, query_terms, words_of

# How many of each channel are joined: standardising needs some that are not relevant, too.
_DEPTH: Final = 100
# A word in more than this share of the memories, a speaker's name mostly, is not embedded.
_TOO_COMMON: Final = 0.5
MAX_LIMIT: Final = 1_000


def recall(workspace: Workspace, query: Query, *, count_access: bool = True) -> Recalled:
    """Return the memories that answer a query, best first, each with its reasons."""
    started = perf_counter()
    _check(query)
    probe = _probe(workspace, query)
    with workspace.db.reading():
        found = NO_CANDIDATES
        if probe.within.scope_ids:
            found = workspace.db.search.candidates(probe)
        hits = _ranked(workspace, query, found)
        if query.near is not None:
            hits = _by_distance(workspace, query, probe.within, hits)
    hits = hits[: query.limit]
    if count_access and hits:
        workspace.accesses.note((hit.memory.id for hit in hits), at=workspace.clock())
    return Recalled(
        hits=tuple(hits),
        mode=_mode(found),
        elapsed_ms=(perf_counter() - started) * 1000,
    )


def _check(query: Query) -> None:
    if not query.text.strip():
        raise InvalidInputError("query", "it is empty", "a text with at least one character")
    if not 1 <= query.limit <= MAX_LIMIT:
        raise InvalidInputError("n", f"{query.limit} is out of range", f"1 to {MAX_LIMIT}")
    if not 0 <= query.min_confidence <= 1:
        raise InvalidInputError(
            "min_confidence", f"{query.min_confidence} is out of range", "0.0 to 1.0"
        )


def _probe(workspace: Workspace, query: Query) -> Probe:
    within = Within(
        scope_ids=workspace.scope_ids(query.scopes),
        filter=query.filter,
        episode_id=query.episode_id,
        other_than_episode=query.other_than_episode,
        min_confidence=query.min_confidence,
    )
    terms = query_terms(query.text)
    embedded = None
    if query.mode != "bm25_only" and within.scope_ids:
        [embedded] = embed_texts(workspace, [_telling(workspace, query.text, terms, within)])
    return Probe(
        terms={} if query.mode == "vec_only" else terms,
        within=within,
        depth=max(_DEPTH, query.limit),
        vector=embedded.vector if embedded else None,
        model_id=embedded.model_id if embedded else None,
    )


def _telling(workspace: Workspace, text: str, terms: Mapping[str, float], within: Within) -> str:
    """Return the words of a question that tell memories apart: neither stop words nor names
    that stand in every other memory.
    """
    commonness = workspace.db.search.commonness(list(terms), scope_ids=within.scope_ids)
    too_common = {term for term, share in commonness.items() if share > _TOO_COMMON}
    return content_words(text, without=too_common)


def _ranked(workspace: Workspace, query: Query, found: Candidates) -> list[Hit]:
    order = best_first(found, fuse(found, word_weight=workspace.settings.word_weight), query.limit)
    known = memories.by_docs(workspace.db, [int(found.docs[at]) for at, _ in order])
    asked = words_of(query.text)
    scored = [
        (
            with_signals(fused, signals := signals_of(memory.context, asked=asked)),
            at,
            memory,
            signals,
        )
        for at, fused in order
        if (memory := known.get(int(found.docs[at])))
    ]
    scored.sort(key=lambda one: -one[0])
    return [
        _hit(found, at, memory, signals, relative(score, scored[0][0]))
        for score, at, memory, signals in scored[: query.limit if query.near is None else None]
    ]


def _hit(
    found: Candidates, at: int, memory: Memory, signals: dict[str, float], score: float
) -> Hit:
    cosine = float(found.cosine[at])
    return Hit(
        memory=memory,
        score=score,
        bm25_rank=int(found.bm25_rank[at]) or None,
        bm25_score=float(found.bm25[at]),
        vector_rank=int(found.vector_rank[at]) or None,
        cosine=None if isnan(cosine) else cosine,
        signals=signals,
    )


def _by_distance(
    workspace: Workspace, query: Query, within: Within, ranked: list[Hit]
) -> list[Hit]:
    """Order everything that may be shown by its distance; what has no place comes last."""
    if query.near is None or not within.scope_ids:
        return ranked
    placed = workspace.db.search.nearest(within, query.near, limit=query.limit)
    by_id = {hit.memory.id: hit for hit in ranked}
    found = memories.by_docs(workspace.db, [doc for doc, _ in placed])
    hits = [
        replace(by_id.get(found[doc].id) or Hit(found[doc], 0.0), distance=distance)
        for doc, distance in placed
        if doc in found
    ]
    if query.near.max_distance is None and len(hits) < query.limit:
        hits += _without_place(workspace, query, within, ranked, {hit.memory.id for hit in hits})
    return hits


def _without_place(
    workspace: Workspace, query: Query, within: Within, ranked: list[Hit], seen: set[int]
) -> list[Hit]:
    rest = [hit for hit in ranked if hit.memory.id not in seen]
    seen = seen | {hit.memory.id for hit in rest}
    newest = memories.newest(workspace.db, within, limit=query.limit + len(seen))
    others = memories.by_docs(workspace.db, newest).values()
    return rest + [Hit(memory, 0.0) for memory in others if memory.id not in seen]


def _mode(found: Candidates) -> RecallMode:
    """Say which channels found something."""
    if not found.vector_rank.any():
        return "bm25_only"
    return "hybrid" if found.bm25_rank.any() else "vec_only"
