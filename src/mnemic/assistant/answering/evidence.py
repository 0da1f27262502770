"""Gathering: everything in memory that bears on a message, judged, without leaving a trace."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from mnemic.assistant.answering.judging import Judge, JudgedHit, asked_terms
from mnemic.assistant.answering.listing import (
    about_the_speaker,
    beginning,
    introductions,
    is_evidence,
    of_a_time,
)
from mnemic.assistant.answering.polarity import clauses, is_negated
from mnemic.assistant.answering.subjects import aliases
from mnemic.assistant.secrets import is_secret
from mnemic.assistant.understanding.asking import Question, questions_in, understand
from mnemic.assistant.understanding.following import cited
from mnemic.assistant.understanding.units import broader, read, units_of
from mnemic.language.tokens import normalise
from mnemic.memory.retrieval.recall import recall
from mnemic.memory.workspace import Workspace
from mnemic.records.memory import Hit, Scope, Utterance
from mnemic.records.query import Query
from mnemic.runtime.budgets import check_time
from mnemic.storage.rows import memory_rows

# What a passage scores that shows everything that was asked, at its start and in its language.
_BEST_SCORE: Final = 1.5
_SPARE: Final = 2
_LEAST_RELEVANT: Final = 0.08
_LEAST_COSINE: Final = 0.3
_MOST_EXPANDED: Final = 90
_LONGEST_READ: Final = 500


@dataclass(frozen=True, slots=True)
class Evidence:
    """What bears on a message: `hits`, best first, and how each stands to it (`judged`).

    `withheld` would have answered, but is marked sensitive; it is in neither of the others. `more`
    is the evidence for further questions of the same message.
    """

    asked: Question
    hits: tuple[Hit, ...]
    judged: tuple[JudgedHit, ...] = ()
    withheld: tuple[Hit, ...] = ()
    more: tuple["Evidence", ...] = ()


def gather(
    workspace: Workspace,
    message: str,
    history: Sequence[Utterance],
    *,
    scope: Scope,
    limit: int = 12,
) -> Evidence:
    """Return everything relevant for answering a message in the light of what was said before.

    Nothing is written and no access is counted.
    """
    check_time()
    first, *others = questions_in(message)
    found = _gather(workspace, first, history, scope, limit)
    if not others:
        return found
    said, more = [*history, Utterance("user", first)], list[Evidence]()
    for one in others:
        more.append(_gather(workspace, one, said, scope, limit))
        said.append(Utterance("user", one))
    hits = {hit.memory.id: hit for part in (found, *more) for hit in part.hits}
    return replace(found, hits=tuple(hits.values())[:limit], more=tuple(more))


def _gather(
    workspace: Workspace, message: str, history: Sequence[Utterance], scope: Scope, limit: int
) -> Evidence:
    asked = understand(message, history, now=workspace.clock())
    if asked.intent in ("greeting", "thanks", "agreement", "farewell"):
        return Evidence(asked, ())
    if asked.intent == "about_me":
        return _listed(asked, about_the_speaker(workspace, asked, scope, limit))
    if asked.is_of_a_time:
        return _listed(asked, of_a_time(workspace, asked, scope, limit))
    found = _found(workspace, asked, history, scope, limit)
    return _judged(workspace, asked, found, history, scope, limit)


def _listed(asked: Question, found: list[JudgedHit]) -> Evidence:
    """Return evidence in which each hit says how well it fits: what answers, from a half on."""
    scored = tuple(replace(one, hit=replace(one.hit, fit=_fit(one))) for one in found)
    return Evidence(asked, hits=tuple(one.hit for one in scored), judged=scored)


def _fit(one: JudgedHit) -> float:
    share = min(1.0, max(0.0, one.score / _BEST_SCORE))
    return 0.5 + share / 2 if one.verdict == "answers" else share / 2


def _found(
    workspace: Workspace, asked: Question, history: Sequence[Utterance], scope: Scope, limit: int
) -> list[Hit]:
    """Return candidates: by the question, by other words for the same, and what was just cited."""
    text = asked.text.strip() or "?"
    wanted = Query(text, scopes=(scope,), limit=limit * _SPARE, traceless=True)
    hits = list(recall(workspace, wanted).hits)
    if other := _other_words(asked):
        by_words = Query(
            other, scopes=(scope,), limit=limit * _SPARE, mode="bm25_only", traceless=True
        )
        hits += recall(workspace, by_words).hits
    if asked.followed.same:
        last = [
            memory_rows.get(workspace.db, number) for number in sorted(cited(history, last=True))
        ]
        hits += [
            Hit(one, 0.0)
            for one in last
            if one is not None and one.scope == scope and one.status == "active"
        ]
    if names := _names_of_the_asked(asked, hits):
        by_name = Query(names, scopes=(scope,), limit=limit, mode="bm25_only", traceless=True)
        hits += recall(workspace, by_name).hits
    hits += introductions(workspace, asked, scope, hits)
    found = {hit.memory.id: hit for hit in reversed(hits)}
    return [replace(hit, memory=beginning(hit.memory)) for hit in found.values()][::-1]


def _names_of_the_asked(asked: Question, hits: Sequence[Hit]) -> str:
    """Return by which names the people are known that a question means by what they are."""
    kin = {unit.concept.name for unit in asked.units if unit.kind == "person" and unit.concept}
    if not kin:
        return ""
    known = aliases([hit.memory.content[:_LONGEST_READ] for hit in hits])
    return " ".join(name for name, concept in known.items() if concept in kin)


def _other_words(asked: Question) -> str:
    """Return other words for what is asked, in both languages."""
    found: list[str] = []
    # Who and what first: a relation has many words.
    for unit in sorted(asked.units, key=lambda one: one.kind == "relation"):
        if asked.closed and (wider := broader(unit)) is not None:
            found += [*sorted(wider.words), *sorted(wider.cues)]
        if unit.concept is not None:
            found += [*sorted(unit.concept.words), *sorted(unit.concept.cues)]
        elif unit.kind in ("name", "thing"):
            found.append(unit.text)
    return " ".join(found[:_MOST_EXPANDED]) if len(found) > len(asked.units) else ""


def _judged(
    workspace: Workspace,
    asked: Question,
    found: list[Hit],
    history: Sequence[Utterance],
    scope: Scope,
    limit: int,
) -> Evidence:
    usable = [hit for hit in found if is_evidence(hit.memory)]
    if asked.intent != "statement":
        own = normalise(asked.text)
        usable = [hit for hit in usable if normalise(hit.memory.content) != own]
    told: frozenset[int] = frozenset()
    if asked.followed.more:
        told = cited(history)
    elif asked.followed.same and (last := cited(history, last=True)):
        usable = [hit for hit in usable if hit.memory.id in last] or usable
    scope_ids = workspace.scope_ids((scope,))
    terms = asked_terms(asked)
    shares = (
        workspace.db.search.commonness(terms, scope_ids=scope_ids) if scope_ids and terms else {}
    )
    by_meaning = workspace.settings.embedder == "default"
    judge = Judge(asked, usable, shares, by_meaning=by_meaning)
    verdicts: list[JudgedHit] = []
    for hit in usable:
        check_time()
        one = judge.judge(hit)
        if one and hit.memory.id not in told:
            verdicts.append(one)
    return _sorted(
        asked, _still_done(asked, verdicts), limit, secret_kinds=workspace.settings.secret_kinds
    )


def _still_done(asked: Question, verdicts: list[JudgedHit]) -> list[JudgedHit]:
    """Asked what somebody likes, leave out what they do no more by a newer memory."""
    if not asked.open or all(unit.text != "like" for unit in asked.units):
        return verdicts
    ended = [
        (one.hit.memory.created_at, _named(clause.plain))
        for one in verdicts
        for clause in clauses(read(one.shown))
        if is_negated(clause)
    ]
    return [
        one
        for one in verdicts
        if not any(
            one.hit.memory.created_at < then and len(names & _named(one.shown)) > 1
            for then, names in ended
        )
    ]


def _named(text: str) -> frozenset[str]:
    return frozenset(unit.concept.name for unit in units_of(text) if unit.concept is not None)


def _sorted(
    asked: Question, verdicts: Iterable[JudgedHit], limit: int, *, secret_kinds: Collection[str]
) -> Evidence:
    order = {"answers": 0, "near": 1, "no": 2}
    ranked = sorted(
        verdicts,
        key=lambda one: (order[one.verdict], -round(one.score, 6), -one.hit.memory.id),
    )
    secret = [one for one in ranked if is_secret(one.hit.memory, secret_kinds)]
    shown = [one for one in ranked if one not in secret]
    kept = [one for one in shown if one.verdict != "no" or _is_relevant(one.hit)][:limit]
    listed = _listed(asked, kept)
    return replace(
        listed,
        withheld=tuple(one.hit for one in secret if one.verdict == "answers"),
    )


def _is_relevant(hit: Hit) -> bool:
    return hit.relevance >= _LEAST_RELEVANT or (hit.cosine or 0.0) >= _LEAST_COSINE
