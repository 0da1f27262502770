"""What is true first: hits in the order of time, as it is now or as it was at the time asked about.

Which memories are shown is decided by how well they answer. In which order they stand follows from
what is current: what was superseded stands behind everything that is, and before what replaced it
where the question is about before.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import accumulate
from math import log

from mnemic.language.updates.asked_time import AskedTime
from mnemic.memory.workspace import Workspace
from mnemic.records.filters import EVERYTHING
from mnemic.records.memory import Context, Hit, Memory
from mnemic.records.query import Query
from mnemic.storage.rows import edge_rows, event_rows, memory_rows

_LEAST_SCORE = 1e-9
# How far a line of replacements is followed.
_LONGEST_LINE = 8


def in_time(
    workspace: Workspace, query: Query, hits: Sequence[Hit], *, asked: AskedTime
) -> list[Hit]:
    """Return the best hits of a query in the order of time, with what belongs to them."""
    as_of = query.as_of or workspace.as_of
    if as_of is not None:
        hits = [replace(hit, memory=as_it_was(workspace, hit.memory, as_of)) for hit in hits]
    if asked == "now" and all(is_current(hit.memory) for hit in hits):
        return list(hits[: query.limit])
    if _takes_company(query):
        hits = list(_with_company(workspace, hits, asked, as_of))
    hits = hits[: query.limit]
    if query.near is not None:
        # They stand by their distance.
        return list(hits)
    ordered = _older_first(hits) if asked == "before" else _current_first(hits)
    return _scored(ordered)


def is_current(memory: Memory) -> bool:
    """Tell whether nothing superseded a memory."""
    return memory.valid_until is None


def as_it_was(workspace: Workspace, memory: Memory, moment: datetime) -> Memory:
    """Return a memory as it stood at a time, as far as its history tells."""
    if memory.updated_at > moment:
        text = _text_at(workspace, memory, moment)
        memory = memory if text is None else replace(memory, **text)
    if memory.status_at is not None and memory.status_at > moment:
        memory = replace(memory, status="active", status_reason=None, status_at=None)
    if memory.valid_until is None or memory.valid_until <= moment:
        return memory
    return replace(memory, valid_until=None, superseded_by=None)


def _text_at(workspace: Workspace, memory: Memory, moment: datetime) -> Context | None:
    later = (
        event.before
        for event in event_rows.of_memory(workspace.db, memory.id)
        if event.at > moment and event.before and "content" in event.before
    )
    version = next(later, None)
    # What a chat keeps has no context.
    return version and {name: version[name] for name in ("content", "context") if name in version}


def _takes_company(query: Query) -> bool:
    """Tell whether others may stand beside the hits: not where each has to pass conditions."""
    return (
        query.filter == EVERYTHING
        and query.near is None
        and query.episode_id is None
        and query.other_than_episode is None
        and not query.min_confidence
    )


def _with_company(
    workspace: Workspace, hits: Sequence[Hit], asked: AskedTime, as_of: datetime | None
) -> Iterable[Hit]:
    """Yield hits, each behind what replaced it, and, where it is asked for, before what it
    replaced.
    """
    found = {hit.memory.id: hit for hit in hits}
    seen: set[int] = set()
    for hit in hits:
        later = _successors(workspace, hit.memory, as_of)
        line = [*(later if asked != "now" else later[:1]), hit.memory]
        if asked != "now" and not later:
            line += _predecessors(workspace, hit.memory)
        for memory in line:
            if memory.id not in seen:
                seen.add(memory.id)
                beside = replace(hit, memory=memory, bm25_rank=None, vector_rank=None)
                yield found.get(memory.id, beside)


def _successors(workspace: Workspace, memory: Memory, as_of: datetime | None) -> list[Memory]:
    """Return what replaced a memory, what replaced that, and so on, the last first."""
    there: list[Memory] = []
    while memory.superseded_by is not None and len(there) < _LONGEST_LINE:
        after = memory_rows.get(workspace.db, memory.superseded_by)
        if after is None or after.status != "active":
            break
        memory = after if as_of is None else as_it_was(workspace, after, as_of)
        there.insert(0, memory)
    return there


def _predecessors(workspace: Workspace, memory: Memory) -> list[Memory]:
    """Return what a memory replaced, what that replaced, and so on."""
    there: list[Memory] = []
    ahead = [memory.id]
    while ahead and len(there) < _LONGEST_LINE:
        for number in edge_rows.targets(workspace.db, ahead.pop(0), "supersedes"):
            before = memory_rows.get(workspace.db, number)
            if before is not None and before.status == "active" and not is_current(before):
                there.append(before)
                ahead.append(number)
    return there


def _current_first(hits: Iterable[Hit]) -> list[Hit]:
    return sorted(hits, key=lambda hit: not is_current(hit.memory))


def _older_first(hits: Sequence[Hit]) -> list[Hit]:
    """Put what was superseded before what replaced it, the one that was so last first."""
    ordered: list[Hit] = []
    for hit in hits:
        at = next(
            (at for at, other in enumerate(ordered) if other.memory.id == hit.memory.superseded_by),
            len(ordered),
        )
        ordered.insert(at, hit)
    return ordered


def _scored(ordered: Sequence[Hit]) -> list[Hit]:
    """Let the scores fall along the hits, and say in their signals by how much they moved."""
    if not ordered:
        return []
    best, top = max(hit.score for hit in ordered), max(hit.fit for hit in ordered)
    scores = accumulate([best, *(hit.score for hit in ordered[1:])], min)
    fits = accumulate([top, *(hit.fit for hit in ordered[1:])], min)
    return [
        replace(hit, score=score, fit=fit, signals=_moved(hit, score))
        for hit, score, fit in zip(ordered, scores, fits, strict=True)
    ]


def _moved(hit: Hit, score: float) -> dict[str, float]:
    if score == hit.score or min(score, hit.score) < _LEAST_SCORE:
        return dict(hit.signals)
    return {**hit.signals, "time": round(log(score / hit.score), 4)}
