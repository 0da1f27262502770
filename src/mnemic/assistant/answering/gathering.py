"""Gathering: what in memory bears on a message, best first, without leaving a trace."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from mnemic.assistant.understanding.asking import Question, questions_in, understand
from mnemic.assistant.understanding.following import cited
from mnemic.assistant.understanding.intents import SMALL_TALK, is_question
from mnemic.assistant.understanding.time_spans import made_in, moment, overlaps, seen_at, tells_of
from mnemic.language.dates import TimeWindow, without_dates
from mnemic.language.tokens import normalise
from mnemic.memory.retrieval.matching import LEAST_FIT
from mnemic.memory.retrieval.recall import recall
from mnemic.memory.texts.context_words import CONVERSATION
from mnemic.memory.texts.sensitivity import is_secret, may_be_told
from mnemic.memory.workspace import Workspace
from mnemic.records.filters import CREATED_AT, EVERYTHING, Condition, Filter, of_kinds
from mnemic.records.memory import Hit, Memory, Scope, Utterance
from mnemic.records.query import Query
from mnemic.runtime.budgets import check_time
from mnemic.storage.rows import memory_rows

# Some are left out: secrets, what was told before, what was only asked.
_SPARE: Final = 8
# What fits so much less than the best is left out of a reply.
_SHARE_OF_BEST: Final = 0.2
# On another day than the one that is asked about, a memory fits so much less.
_OTHER_DAY: Final = 0.4
# How many of the newest memories are looked through for a time, or for who somebody is.
_NEWEST: Final = 400
_LATELY: Final = 3
_MOST_FOR_A_MODEL: Final = 20
_PROFILE: Final = 5
# A secret among so many of the first is what was asked for.
_FIRST: Final = 3
_LEAST_RELEVANT: Final = 0.02


@dataclass(frozen=True, slots=True)
class Evidence:
    """What bears on a message, best first, each with its fit.

    `withheld` would be quoted, but is marked sensitive; it is not in `hits`. `more` is the evidence
    for further questions of the same message.
    """

    asked: Question
    hits: tuple[Hit, ...] = ()
    withheld: tuple[Hit, ...] = ()
    more: tuple["Evidence", ...] = ()

    @property
    def tells_a_secret(self) -> bool:
        """Whether what answers best is a secret that may be told: to its owner, and to no model."""
        return bool(self.close) and is_secret(self.close[0].memory)

    @property
    def close(self) -> tuple[Hit, ...]:
        """Those that a reply may quote: none where even the best is not close enough."""
        if not self.hits or self.hits[0].fit < LEAST_FIT:
            return ()
        least = _SHARE_OF_BEST * self.hits[0].fit
        return tuple(hit for hit in self.hits if hit.fit >= least)


def gather(
    workspace: Workspace,
    message: str,
    history: Sequence[Utterance],
    *,
    scope: Scope,
    limit: int = 12,
    wide: bool = False,
) -> Evidence:
    """Return everything that bears on a message in the light of what was said before it.

    Where it is `wide`, there is more of it, and what comes less close too, with a fit of 0: whoever
    reads it all can judge it. Nothing is written and no access is counted.
    """
    check_time()
    if wide:
        limit = _MOST_FOR_A_MODEL
    said = list(history)
    parts: list[Evidence] = []
    for question in questions_in(message):
        asked = understand(question, said, now=workspace.clock())
        hits = _bearing(workspace, asked, said, scope, limit)
        if wide and asked.text.strip() and asked.intent not in SMALL_TALK:
            hits += _less_close(workspace, asked, hits, scope, limit)
        parts.append(_evidence(asked, hits, limit, secret_kinds=workspace.settings.secret_kinds))
        said.append(Utterance("user", question))
    first, *others = parts
    if not others:
        return first
    hits = {hit.memory.id: hit for part in parts for hit in part.hits}
    # What the first question is answered from must not change by what else was asked.
    return replace(Evidence(first.asked, tuple(hits.values())[:limit]), more=tuple(parts))


def core_profile(workspace: Workspace, scope: Scope, known: Sequence[Hit]) -> list[Hit]:
    """Return who the speaker is in a few core memories, the newest first, without known ones."""
    seen = {hit.memory.id for hit in known}
    found = [
        memory
        for scope_id in workspace.scope_ids((scope,))
        for memory in memory_rows.listed(
            workspace.db,
            scope_id,
            status="active",
            category=None,
            chosen=of_kinds(("core",)),
            limit=_PROFILE + len(seen),
            before_id=memory_rows.NEWEST,
            moment=workspace.clock(),
        )
    ]
    own = [one for one in found if one.id not in seen and one.valid_until is None]
    return [Hit(one, 0.0) for one in own[:_PROFILE]]


def _bearing(
    workspace: Workspace, asked: Question, history: Sequence[Utterance], scope: Scope, limit: int
) -> list[Hit]:
    if asked.intent in SMALL_TALK:
        return []
    if asked.intent == "about_me":
        return _about_the_speaker(workspace, scope, limit)
    if asked.is_of_a_time:
        return _of_a_time(workspace, asked, scope, limit)
    return _recalled(workspace, asked, history, scope, limit)


def _evidence(
    asked: Question, hits: Sequence[Hit], limit: int, *, secret_kinds: Collection[str]
) -> Evidence:
    usable = [hit for hit in hits if not _was_only_asked(hit.memory)]
    told = [hit for hit in usable if may_be_told(hit.memory, asked.text, secret_kinds)]
    withheld = [
        hit for hit in usable[:_FIRST] if not may_be_told(hit.memory, asked.text, secret_kinds)
    ]
    return Evidence(asked, tuple(told[:limit]), tuple(withheld))


def _less_close(
    workspace: Workspace, asked: Question, known: Sequence[Hit], scope: Scope, limit: int
) -> list[Hit]:
    seen = {hit.memory.id for hit in known}
    found = recall(workspace, Query(asked.text, scopes=(scope,), limit=limit, traceless=True)).hits
    return [hit for hit in found if hit.relevance >= _LEAST_RELEVANT and hit.memory.id not in seen]


def _recalled(
    workspace: Workspace, asked: Question, history: Sequence[Utterance], scope: Scope, limit: int
) -> list[Hit]:
    # A day is told by what a memory tells of and when it was noted, not by the words for it.
    days = tuple(one for one in asked.windows if one.exact and one.span == "day")
    text = without_dates(asked.text) if days else asked.text
    query = Query(text, scopes=(scope,), limit=limit + _SPARE, matching=True, traceless=True)
    hits = list(recall(workspace, query).hits) if text.strip() else []
    if asked.more:
        told = cited(history)
        return [hit for hit in hits if hit.memory.id not in told]
    if asked.same and (last := cited(history, last=True)):
        known = {hit.memory.id for hit in hits}
        rows = [memory_rows.get(workspace.db, number) for number in sorted(last - known)]
        hits += [
            Hit(row, 0.0, fit=LEAST_FIT)
            for row in rows
            if row is not None and row.scope == scope and row.status == "active"
        ]
        return [hit for hit in hits if hit.memory.id in last] or hits
    return _on_the_day(hits, days, workspace.clock()) if days else _each_once(hits)


def _on_the_day(hits: list[Hit], days: tuple[TimeWindow, ...], now: datetime) -> list[Hit]:
    """Let what tells of another day than the one that is asked about fit less."""
    weighed = [
        hit if overlaps(seen_at(hit.memory, now), days) else replace(hit, fit=_OTHER_DAY * hit.fit)
        for hit in hits
    ]
    return _each_once(sorted(weighed, key=lambda hit: -hit.fit))


def _about_the_speaker(workspace: Workspace, scope: Scope, limit: int) -> list[Hit]:
    """Return who the speaker is: the core memories, those told first before the later ones, and
    the latest of what happened.
    """
    newest = _listed(workspace, scope)
    own = [one for one in newest if one.kind == "core"][::-1]
    lately = [one for one in newest if one.kind == "episodic"][:_LATELY]
    chosen = [*own[: limit - len(lately)], *lately]
    return _each_once(Hit(one, 1.0, fit=1.0) for one in chosen)


def _of_a_time(workspace: Workspace, asked: Question, scope: Scope, limit: int) -> list[Hit]:
    """Return what tells of a time, then what was noted at that time, each in order of time."""
    listed = _listed(workspace, scope, asked.windows)
    listed.sort(key=lambda one: (moment(one), one.id))
    telling = [one for one in listed if tells_of(one, asked.windows)]
    noted = [one for one in listed if one not in telling and made_in(one, asked.windows)]
    happened = [one for one in noted if one.kind == "episodic"]
    chosen = [*telling, *(happened or noted)]
    return _each_once(Hit(one, 1.0, fit=1.0) for one in chosen[:limit])


def _was_only_asked(memory: Memory) -> bool:
    """Tell whether a memory is a question that a user asked once: it answers nothing."""
    return CONVERSATION in memory.context and is_question(memory.content)


def _listed(
    workspace: Workspace, scope: Scope, windows: tuple[TimeWindow, ...] = ()
) -> list[Memory]:
    """Return the newest memories of a scope, and those that were made at some times."""
    spans = [
        Filter((Condition(CREATED_AT, "gte", one.start), Condition(CREATED_AT, "lt", one.end)))
        for one in windows
    ]
    found: dict[int, Memory] = {}
    for scope_id in workspace.scope_ids((scope,)):
        for chosen in (EVERYTHING, *spans):
            page = memory_rows.listed(
                workspace.db,
                scope_id,
                status="active",
                category=None,
                chosen=chosen,
                limit=_NEWEST,
                before_id=memory_rows.NEWEST,
                moment=workspace.clock(),
            )
            found.update((one.id, seen_at(one, workspace.clock())) for one in page)
    return sorted(found.values(), key=lambda one: (one.occurred_at, one.id), reverse=True)


def _each_once(hits: Iterable[Hit]) -> list[Hit]:
    """Return hits without those that say again what one before them says."""
    found: dict[str, Hit] = {}
    for hit in hits:
        found.setdefault(normalise(hit.memory.content).rstrip(".。!！"), hit)
    return list(found.values())
