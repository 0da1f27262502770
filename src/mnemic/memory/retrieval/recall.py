"""Recall: restrict, ask each channel, join, and say why."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Final, TypeVar

from mnemic.errors import InvalidInputError
from mnemic.language.bounds import READ_OF_QUESTION
from mnemic.language.broadening import broadened
from mnemic.language.tokens import content_words, query_terms
from mnemic.language.updates.asked_time import asked_time, without_before
from mnemic.memory.retrieval.currency import in_time
from mnemic.memory.retrieval.hits import (
    DocumentHit,
    asked_of,
    documents_of,
    hit_of,
    relevances,
    spans_of,
)
from mnemic.memory.retrieval.matching import find_matches
from mnemic.memory.retrieval.ranking import rank
from mnemic.memory.texts.derivation import check_aware
from mnemic.memory.texts.embedding import embed_question
from mnemic.memory.user_activity import note_search
from mnemic.memory.workspace import Workspace
from mnemic.records.memory import Explanation, Hit, Memory, Recalled, RecallMode, SoughtTerm
from mnemic.records.query import Query
from mnemic.runtime.budgets import check_time
from mnemic.search.index_queries import (
    NO_CANDIDATES,
    NO_TRACE,
    Candidates,
    FollowedTrace,
    Probe,
    Trace,
    Within,
)
from mnemic.storage.rows import memory_rows
from mnemic.storage.timestamps import maybe_micros, to_micros

T = TypeVar("T")

# How many of each channel are joined: standardising needs some that are not relevant, too.
_DEPTH: Final = 100
# A word in more than this share of the memories, a speaker's name mostly, is not embedded.
_TOO_COMMON: Final = 0.5
MAX_LIMIT: Final = 1_000
_SPARE: Final = 10


@dataclass(frozen=True, slots=True)
class _Sought:
    """A probe, and how it came about."""

    probe: Probe
    shares: Mapping[str, float]
    embedded: str | None


@dataclass(frozen=True, slots=True)
class _Answered:
    """What the channels found, the hits, and, where it was asked for, how many match in all."""

    found: Candidates
    hits: list[Hit]
    total: int | None = None


def recall(workspace: Workspace, query: Query) -> Recalled:
    """Return the memories that answer a query, best first, each with its reasons."""
    watcher = workspace.watcher
    if watcher is None:
        return _recalled(workspace, query, Trace() if query.explain else NO_TRACE)
    started = perf_counter()
    if not watcher.follows:
        trace = Trace()
        recalled = _recalled(workspace, query, trace)
    else:
        trace = FollowedTrace(watcher)
        with watcher.doing("recall", "recall"):
            recalled = _recalled(workspace, query, trace)
    watcher.recalled(trace.stages, perf_counter() - started)
    return recalled


def _recalled(workspace: Workspace, query: Query, trace: Trace) -> Recalled:
    started = perf_counter()
    _check(query)
    if len(query.text) > READ_OF_QUESTION:
        query = replace(query, text=query.text[:READ_OF_QUESTION])
    _load_embedder(workspace, query)
    asked = asked_time(query.text)
    if asked == "before":
        query = replace(query, text=without_before(query.text))
    with workspace.call():
        sought, answered = workspace.db.read(lambda: _answers(workspace, query, trace))
    found, hits = answered.found, _relevant(answered.hits, query)
    hits = workspace.db.read(lambda: in_time(workspace, query, hits, asked=asked))
    if not query.traceless:
        workspace.accesses.note((hit.memory.id for hit in hits), at=workspace.clock())
        note_search(workspace, query, found_scopes=len(sought.probe.within.scope_ids))
    return Recalled(
        hits=tuple(hits),
        mode=_mode(found),
        elapsed_ms=(perf_counter() - started) * 1000,
        explanation=_explanation(sought, found, trace) if query.explain else None,
        total=answered.total,
    )


def recall_documents(
    workspace: Workspace,
    query: Query,
    *,
    hidden: Callable[[], frozenset[int]],
    told: Callable[[list[DocumentHit]], list[T]],
) -> list[T]:
    """Return what is `told` of the documents that answer a query, whatever they are of, best first:
    all of one moment of the store, those left out that are `hidden` then. Nothing is noted as used.
    """
    _check(query)
    query = replace(query, text=query.text[:READ_OF_QUESTION])
    _load_embedder(workspace, query)

    def read() -> list[T]:
        probe = _sought(workspace, query, NO_TRACE).probe
        if not probe.within.scope_ids:
            return []
        probe = replace(probe, within=replace(probe.within, hidden=hidden()))
        found = workspace.db.search.candidates(probe, NO_TRACE)
        asked, weight = asked_of(workspace, query), workspace.settings.word_weight
        ranked = rank(found, asked, word_weight=weight, limit=query.limit)
        ranked = ranked.at(range(min(query.limit, len(ranked.points))))
        likely = relevances(workspace, query, ranked, scope_ids=probe.within.scope_ids)
        return told(documents_of(ranked, likely))

    with workspace.call():
        return workspace.db.read(read)


def _load_embedder(workspace: Workspace, query: Query) -> None:
    """Wait for the model, where that is wanted, before the store is read: not while it is."""
    if query.mode != "bm25_only":
        workspace.embedder.ready(wait=workspace.settings.wait_for_embedder)


def _answers(workspace: Workspace, query: Query, trace: Trace) -> tuple[_Sought, _Answered]:
    """Answer from one moment of the store."""
    check_time()
    sought = _sought(workspace, query, trace)
    probe = sought.probe
    if query.matching:
        return sought, _Answered(*find_matches(workspace, query, probe, trace))
    found, hits = _found(workspace, query, probe, trace)
    if query.near is not None:
        with trace.stage("distance"):
            hits = _by_distance(workspace, query, probe.within, hits)
    return sought, _Answered(found, hits)


def _found(
    workspace: Workspace, query: Query, probe: Probe, trace: Trace
) -> tuple[Candidates, list[Hit]]:
    """Return what the channels found, and the hits that pass every condition, best first.

    A threshold of confidence lets nearly everything pass. So it is tried on the best hits first,
    whose rows are read anyway.
    """
    within = probe.within
    if not within.scope_ids:
        return NO_CANDIDATES, []
    easy = within.whatever_the_trust
    if easy != within:
        found = workspace.db.search.candidates(replace(probe, within=easy), trace)
        hits = _ranked(workspace, query, probe, found, trace)
        if len(hits) >= query.limit or _is_all(found, probe, hits_read=_read_for(query)):
            return found, hits
    found = workspace.db.search.candidates(probe, trace)
    return found, _ranked(workspace, query, replace(probe, within=easy), found, trace)


def _read_for(query: Query) -> int:
    """Return how many of the best are read: some may fall to a condition."""
    return query.limit + _SPARE


def _is_all(found: Candidates, probe: Probe, *, hits_read: int) -> bool:
    """Tell whether no document was left out of the candidates, nor a candidate of what was read."""
    by_words, by_meaning = int((found.bm25_rank > 0).sum()), int((found.vector_rank > 0).sum())
    return len(found) <= hits_read and by_words < probe.depth and by_meaning < probe.depth


def _check(query: Query) -> None:
    if not query.text.strip():
        raise InvalidInputError("query", "it is empty", "a text with at least one character")
    if not 1 <= query.limit <= MAX_LIMIT:
        raise InvalidInputError("n", f"{query.limit} is out of range", f"1 to {MAX_LIMIT}")
    if query.matching and query.near is not None:
        problem = "it sorts by distance, whatever matches"
        raise InvalidInputError("near", problem, "a query that is not `matching`")
    shares = {
        "min_confidence": query.min_confidence,
        "min_relevance": query.min_relevance,
        "floor": query.floor,
    }
    check_aware("as_of", query.as_of)
    for name, value in shares.items():
        if not 0 <= value <= 1:
            raise InvalidInputError(name, f"{value} is out of range", "0.0 to 1.0")


def _sought(workspace: Workspace, query: Query, trace: Trace) -> _Sought:
    as_of = query.as_of or workspace.as_of
    moment = as_of or workspace.clock()
    scope_ids, overdue = workspace.scopes_at(query.scopes, moment)
    within = Within(
        scope_ids=scope_ids,
        filter=query.filter,
        episode_id=query.episode_id,
        other_than_episode=query.other_than_episode,
        min_confidence=query.min_confidence,
        moment=to_micros(moment) if overdue else None,
        occurred_by=maybe_micros(as_of),
    )
    with trace.stage("terms"):
        terms = query_terms(query.text)
        every = {**broadened(query.text).terms, **terms} if query.matching else terms
        by_meaning = query.mode != "bm25_only" and workspace.embedder.state != "off"
        shares: Mapping[str, float] = {}
        if within.scope_ids and (by_meaning or query.explain):
            asked = list(every if query.explain else terms)
            shares = workspace.db.search.commonness(asked, scope_ids=within.scope_ids)
    text, embedded = None, None
    if within.scope_ids and by_meaning:
        with trace.stage("embedding"):
            text = _telling(query.text, shares)
            embedded = embed_question(workspace, text)
    probe = Probe(
        terms={} if query.mode == "vec_only" else every,
        within=within,
        depth=max(_DEPTH if embedded else 2 * _DEPTH, query.limit),
        vector=embedded.vector if embedded else None,
        model_id=embedded.model_id if embedded else None,
    )
    return _Sought(probe, shares, text if embedded else None)


def _telling(text: str, shares: Mapping[str, float]) -> str:
    """Return the words that tell memories apart: no names that stand in every other memory, and
    no stop words either, unless it is a question: there they carry what is asked.
    """
    too_common = {term for term in shares if shares[term] > _TOO_COMMON}
    asks = text.rstrip().endswith(("?", "？"))
    return content_words(text, without=too_common, stop_words=asks)


def _ranked(
    workspace: Workspace, query: Query, probe: Probe, found: Candidates, trace: Trace
) -> list[Hit]:
    with trace.stage("fusion"):
        asked = asked_of(workspace, query)
        weight = workspace.settings.word_weight
        ranked = rank(found, asked, word_weight=weight, limit=query.limit).one_of_each_text()
    with trace.stage("memories"):
        wanted = ranked.found.owners.tolist()
        if query.near is None:
            wanted = wanted[: _read_for(query) if probe.within.asks_for_trust else query.limit]
        there = memory_rows.by_docs(workspace.db, wanted)
        passing = [
            at
            for at, doc in enumerate(wanted)
            if doc in there and _passes(there[doc], probe.within)
        ]
        ranked = ranked.at(passing)
    with trace.stage("relevance"):
        likely = relevances(workspace, query, ranked, scope_ids=probe.within.scope_ids)
        spans = spans_of(workspace, ranked.found)
    return [
        hit_of(ranked, at, there[doc], likely[at], passage=spans.get(at))
        for at, doc in enumerate(ranked.found.owners.tolist())
    ]


def _passes(memory: Memory, within: Within) -> bool:
    other = within.other_than_episode
    return memory.confidence >= within.min_confidence and (
        other is None or memory.episode_id != other
    )


def _relevant(hits: list[Hit], query: Query) -> list[Hit]:
    """Leave out what is not relevant enough; everything, if even the best falls below the floor."""
    if max((hit.relevance for hit in hits), default=0.0) < query.floor:
        return []
    return [hit for hit in hits if hit.relevance >= query.min_relevance]


def _explanation(sought: _Sought, found: Candidates, trace: Trace) -> Explanation:
    return Explanation(
        terms=tuple(
            SoughtTerm(term, weight, sought.shares.get(term, 0.0))
            for term, weight in sought.probe.terms.items()
        ),
        embedded=sought.embedded,
        by_words=int((found.bm25_rank > 0).sum()),
        by_meaning=int((found.vector_rank > 0).sum()),
        candidates=len(found),
        stages=trace.stages,
    )


def _by_distance(
    workspace: Workspace, query: Query, within: Within, ranked: list[Hit]
) -> list[Hit]:
    """Order everything that may be shown by its distance; what has no place comes last."""
    if query.near is None or not within.scope_ids:
        return ranked
    placed = workspace.db.search.nearest(within, query.near, limit=query.limit)
    by_id = {hit.memory.id: hit for hit in ranked}
    found = memory_rows.by_docs(workspace.db, [doc for doc, _ in placed])
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
    newest = memory_rows.newest(workspace.db, within, limit=query.limit + len(seen))
    others = memory_rows.by_docs(workspace.db, newest).values()
    return rest + [Hit(memory, 0.0) for memory in others if memory.id not in seen]


def _mode(found: Candidates) -> RecallMode:
    """Say which channels found something."""
    if not found.vector_rank.any():
        return "bm25_only"
    return "hybrid" if found.bm25_rank.any() else "vec_only"
