"""From ranked candidates to hits: what a question tells besides its words, and how relevant each
hit is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from math import isnan
from typing import Final

from mnemic.errors import InvalidInputError
from mnemic.language.dates import windows
from mnemic.language.passage_spans import Span
from mnemic.language.tokens import pieces, words_of
from mnemic.memory.retrieval.ranking import QuestionHints, Ranked, relative
from mnemic.memory.retrieval.relevance import coverage, known, this_one
from mnemic.memory.workspace import Workspace
from mnemic.records.memory import Hit, Memory
from mnemic.records.query import Query
from mnemic.runtime.time_zones import time_zone
from mnemic.search.index_queries import Candidates
from mnemic.search.terms import hash_term
from mnemic.storage.rows import passage_rows

# Seen from between these, no day that a question names lies outside of the calendar.
_FIRST: Final = datetime(1000, 1, 1, tzinfo=UTC)
_LAST: Final = datetime(9000, 1, 1, tzinfo=UTC)


def asked_of(workspace: Workspace, query: Query) -> QuestionHints:
    """Return whom and which times a question names, as seen from where and when it is asked."""
    zone = asking_zone(workspace, query)
    now = min(max(query.as_of or workspace.clock(), _FIRST), _LAST)
    return QuestionHints(
        names=frozenset(hash_term(word) for word in words_of(query.text)),
        windows=windows(query.text, now=now.astimezone(zone)),
    )


def asking_zone(workspace: Workspace, query: Query) -> tzinfo:
    """Return where whoever asks is."""
    if query.time_zone is None:
        return workspace.settings.zone
    try:
        return time_zone(query.time_zone)
    except ValueError as error:
        raise InvalidInputError("time_zone", str(error), "a name such as Europe/Berlin") from error


def knows_cosines(workspace: Workspace) -> bool:
    """Tell whether it is known what a cosine means: it was measured for the default embedder
    only.
    """
    return workspace.settings.embedder == "default"


def relevances(
    workspace: Workspace, query: Query, ranked: Ranked, *, scope_ids: tuple[int, ...]
) -> list[float]:
    """Return, for each candidate in order, how likely it answers the question."""
    if not len(ranked.points):
        return []
    asked = pieces(query.text)
    terms = [term for piece in asked for term, _ in piece]
    best = int(ranked.found.docs[0])
    covered = coverage(asked, workspace.db.search.standing(terms, best, scope_ids=scope_ids))
    cosine = float(ranked.found.cosine[0])
    by_words = isnan(cosine) or not knows_cosines(workspace)
    top = known(covered, None if by_words else cosine)
    behind = ranked.points[0] - ranked.points
    return [
        top * this_one(float(behind[at]), at + 1, by_words=by_words) for at in range(len(behind))
    ]


def spans_of(workspace: Workspace, found: Candidates) -> dict[int, Span]:
    """Return which part of its text each candidate is, by its place; those that begin their text
    are left out.
    """
    passages = {
        doc: at
        for at, (doc, owner) in enumerate(
            zip(found.docs.tolist(), found.owners.tolist(), strict=True)
        )
        if doc != owner
    }
    if not passages:
        return {}
    spans = passage_rows.spans(workspace.db, list(passages))
    return {passages[doc]: span for doc, span in spans.items()}


@dataclass(frozen=True, slots=True)
class DocumentHit:
    """A document that answers a question, how well, and what moved it besides words and meaning."""

    doc: int
    score: float
    relevance: float
    signals: Mapping[str, float]


def documents_of(ranked: Ranked, likely: Sequence[float]) -> list[DocumentHit]:
    """Return ranked candidates as they are, whatever they are of."""
    return [
        DocumentHit(
            doc=doc,
            score=relative(float(ranked.points[at]), float(ranked.points[0])),
            relevance=likely[at],
            signals=ranked.signals_of(at),
        )
        for at, doc in enumerate(ranked.found.docs.tolist())
    ]


def hit_of(
    ranked: Ranked,
    at: int,
    memory: Memory,
    relevance: float,
    fit: float = 0.0,
    passage: Span | None = None,
) -> Hit:
    """Return one candidate as a hit, with its reasons."""
    found = ranked.found
    cosine = float(found.cosine[at])
    return Hit(
        memory=memory,
        score=relative(float(ranked.points[at]), float(ranked.points[0])),
        relevance=relevance,
        fit=fit,
        bm25_rank=int(found.bm25_rank[at]) or None,
        bm25_score=float(found.bm25[at]),
        vector_rank=int(found.vector_rank[at]) or None,
        cosine=None if isnan(cosine) else cosine,
        signals=ranked.signals_of(at),
        passage=passage,
    )
