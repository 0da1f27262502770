"""Why a memory is not among the hits of a query: the first reason that kept it out."""

from dataclasses import dataclass, replace
from typing import Final, Literal

from mnemic.language.bounds import READ_OF_QUESTION
from mnemic.language.tokens import query_terms
from mnemic.memory.retrieval.recall import MAX_LIMIT, recall
from mnemic.memory.workspace import Workspace
from mnemic.records.filters import Filter, distance, matches
from mnemic.records.memory import Hit, Memory, Recalled
from mnemic.records.query import Query
from mnemic.storage.rows import memory_rows

Reason = Literal[
    "shown",
    "not_in_use",
    "other_scope",
    "filtered",
    "other_episode",
    "too_uncertain",
    "too_far",
    "below_relevance",
    "below_the_cut",
    "not_a_candidate",
]
_HELD: Final = 0.99


@dataclass(frozen=True, slots=True)
class WhyNot:
    """What became of one memory in a recall.

    `place` is where it stands among the first thousand. `hit` is how it scored, where it was a
    candidate, and `last` how the last one did that is shown. `terms` are the words of the question
    that it holds, `missing` those that it lacks. `conditions` are those that it fails.
    """

    memory: Memory
    reason: Reason
    place: int | None = None
    hit: Hit | None = None
    last: Hit | None = None
    terms: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()


def why_not(workspace: Workspace, query: Query, recalled: Recalled, memory_id: int) -> WhyNot:
    """Tell why a memory is not among the hits, or that it is."""
    memory = workspace.existing(memory_id)
    for place, hit in enumerate(recalled.hits, 1):
        if hit.memory.id == memory_id:
            return WhyNot(memory, "shown", place, hit)
    reason = _kept_out(query, memory)
    if reason is not None:
        return WhyNot(memory, reason, conditions=_failing(query.filter, memory))
    return _ranked(workspace, query, recalled, memory)


def _kept_out(query: Query, memory: Memory) -> Reason | None:
    """Return which condition keeps a memory out before anything is ranked."""
    if memory.status != "active":
        return "not_in_use"
    if memory.scope not in query.scopes:
        return "other_scope"
    if _failing(query.filter, memory):
        return "filtered"
    if query.episode_id is not None and memory.episode_id != query.episode_id:
        return "other_episode"
    if query.other_than_episode is not None and memory.episode_id == query.other_than_episode:
        return "other_episode"
    if memory.confidence < query.min_confidence:
        return "too_uncertain"
    return "too_far" if _is_too_far(query, memory) else None


def _is_too_far(query: Query, memory: Memory) -> bool:
    near = query.near
    if near is None or near.max_distance is None:
        return False
    away = distance(near, memory.context)
    return away is None or away > near.max_distance


def _failing(filter: Filter, memory: Memory) -> tuple[str, ...]:
    return tuple(
        f"{'.'.join(condition.path)} {condition.op}"
        for condition in filter.conditions
        if not matches(Filter((condition,)), memory.context, memory.created_at, kind=memory.kind)
    )


def _ranked(workspace: Workspace, query: Query, recalled: Recalled, memory: Memory) -> WhyNot:
    """Tell where a memory that may be shown stands, by asking for as many hits as there can be."""
    every = replace(query, limit=MAX_LIMIT, min_relevance=0.0, floor=0.0, traceless=True)
    hits = recall(workspace, replace(every, explain=False)).hits
    last = recalled.hits[-1] if recalled.hits else None
    held, missing = _shared_terms(workspace, query, memory)
    for place, hit in enumerate(hits, 1):
        if hit.memory.id == memory.id:
            kept = hit.relevance >= query.min_relevance and hits[0].relevance >= query.floor
            reason = "below_the_cut" if kept else "below_relevance"
            return WhyNot(memory, reason, place, hit, last, held, missing)
    return WhyNot(memory, "not_a_candidate", last=last, terms=held, missing=missing)


def _shared_terms(
    workspace: Workspace, query: Query, memory: Memory
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return which terms of the question a memory holds, and which it lacks."""
    terms = list(query_terms(query.text[:READ_OF_QUESTION]))
    if not terms:
        return (), ()

    def standing() -> list[float]:
        doc, scope_id = memory_rows.document_of(workspace.db, memory.id)
        found = workspace.db.search.standing(terms, doc, scope_ids=(scope_id,))
        return found.near.tolist()

    near = workspace.db.read(standing)
    held = tuple(term for term, value in zip(terms, near, strict=True) if value >= _HELD)
    return held, tuple(term for term in terms if term not in held)
