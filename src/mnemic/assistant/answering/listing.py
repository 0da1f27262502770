"""Answers that are lists: what was at some time, and who the speaker is."""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from mnemic.assistant.answering.judging import JudgedHit
from mnemic.assistant.answering.passages import passages, statements
from mnemic.assistant.answering.polarity import is_lasting, is_negated
from mnemic.assistant.answering.subjects import is_of_self_alone, tells_age, tells_name, tells_work
from mnemic.assistant.answering.turning import turned
from mnemic.assistant.secrets import is_secret
from mnemic.assistant.understanding.asking import Question, telling
from mnemic.assistant.understanding.intents import intent_of
from mnemic.assistant.understanding.tidying import tidied
from mnemic.assistant.understanding.time_spans import made_in, moment, overlaps, told_windows
from mnemic.assistant.understanding.units import read, units_of
from mnemic.language.bounds import READ_OF_MEMORY
from mnemic.language.dates import TimeWindow
from mnemic.language.lexicon import function_words
from mnemic.language.tokens import normalise
from mnemic.memory.texts.context_words import CONVERSATION
from mnemic.memory.workspace import Workspace
from mnemic.records.filters import CREATED_AT, EVERYTHING, Condition, Filter
from mnemic.records.memory import Hit, Memory, Scope
from mnemic.runtime.budgets import check_time
from mnemic.runtime.patterns import linear
from mnemic.storage.rows import memory_rows

# How many of the newest memories are looked through for a time, or for who somebody is.
_NEWEST: Final = 400
_LONGEST: Final = 240
_INTRODUCED: Final = frozenset(("name", "age", "work"))
_MOST_INTRODUCTIONS: Final = 8
# These kinds hold what is so, not what happened.
_LASTING: Final = frozenset(("core", "semantic", "procedural", "resource", "knowledge_vault"))
_NAMED: Final = linear(r"[Mm]y name|I(?:'m| am) [A-Z]|[Cc]all me|我叫|我的名字")
_WHO: Final = linear(r"i'm|i (?:am|live|work)\b|我(?:是|住|在)", re.IGNORECASE)
_TOLD: Final = linear(
    r"\b(?:tell|told|say|said|mention|mentioned|note|noted)\b|告诉|说|讲|提|记", re.IGNORECASE
)


def beginning(memory: Memory) -> Memory:
    """Return a memory with as much of its text as is read."""
    if len(memory.content) <= READ_OF_MEMORY:
        return memory
    return replace(memory, content=memory.content[:READ_OF_MEMORY])


def is_evidence(memory: Memory) -> bool:
    """Tell whether a memory tells something: what was only asked in a chat does not."""
    check_time()
    if CONVERSATION in memory.context and intent_of(tidied(memory.content)) != "statement":
        return False
    return bool(passages(memory))


def about_the_speaker(
    workspace: Workspace, asked: Question, scope: Scope, limit: int
) -> list[JudgedHit]:
    """Return who the speaker is: the core memories, or what they said of themselves; then the
    latest of what happened.
    """
    found = _usable(workspace, _listed(workspace, scope))
    own = _still_so([one for one in found if one.kind == "core" or _is_said_of_oneself(one)])
    if not any(one.kind == "core" for one in own):
        lasting = _still_so([one for one in found if one.kind != "episodic" or one in own])
        own = [one for one in lasting if is_lasting(one.content)]
    own.sort(key=lambda one: (not _NAMED.match(one.content), not _WHO.match(one.content)))
    lately = [
        one
        for one in found
        if one.kind == "episodic" and not is_lasting(one.content) and turned(one.content)
    ]
    chosen = own[: max(1, limit - 4)] + lately[:3]
    return [_as_listed(one, "answers" if one in own else "near") for one in _each_once(chosen)]


def introductions(
    workspace: Workspace, asked: Question, scope: Scope, known: Iterable[Hit]
) -> list[Hit]:
    """Return what gives the speaker's name, age or work by its form alone ("I'm Ruth, 41"), which
    no word of the question finds; nothing where `known` holds such.
    """
    wanted = {unit.concept.name for unit in asked.units if unit.concept is not None}
    if not is_of_self_alone(asked) or wanted.isdisjoint(_INTRODUCED):
        return []

    def introduces(memory: Memory) -> bool:
        start = memory.content[:_LONGEST]
        return (
            ("name" in wanted and tells_name(start, asked))
            or ("age" in wanted and tells_age(start))
            or ("work" in wanted and tells_work(start))
        )

    if any(introduces(hit.memory) for hit in known):
        return []
    found = [one for one in _listed(workspace, scope) if introduces(one)]
    return [Hit(one, 0.0) for one in found[:_MOST_INTRODUCTIONS]]


def of_a_time(workspace: Workspace, asked: Question, scope: Scope, limit: int) -> list[JudgedHit]:
    """Return what was made at some time or tells of it, in order of time.

    Where somebody asks what happened, what is always so is left out.
    """
    chosen = _usable(workspace, _listed(workspace, scope, asked.windows))
    if _TOLD.search(asked.text):
        chosen = [one for one in chosen if made_in(one, asked.windows)]
    else:
        chosen = [one for one in chosen if overlaps(one, asked.windows)]
        chosen = [one for one in chosen if _happens(one)]
    ordered = sorted(_each_once(chosen), key=lambda one: (moment(one), one.created_at, one.id))
    return [_as_listed(one, "answers") for one in ordered[:limit]]


def _is_said_of_oneself(memory: Memory) -> bool:
    return CONVERSATION in memory.context and is_lasting(memory.content)


def _happens(memory: Memory) -> bool:
    """Tell whether a memory is of an event: not of what is so, whether added or said in a chat."""
    if told_windows(memory):
        return True
    if memory.kind in _LASTING:
        return False
    return not _is_said_of_oneself(memory)


def _listed(
    workspace: Workspace, scope: Scope, windows: tuple[TimeWindow, ...] = ()
) -> list[Memory]:
    """Return the newest memories of a scope, and those that were made at some times."""
    found: dict[int, Memory] = {}
    spans = [
        Filter((Condition(CREATED_AT, "gte", one.start), Condition(CREATED_AT, "lt", one.end)))
        for one in windows
    ]
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
            found.update((one.id, beginning(one)) for one in page)
    return sorted(found.values(), key=lambda one: (one.created_at, one.id), reverse=True)


def _still_so(newest_first: list[Memory]) -> list[Memory]:
    """Leave out what a newer one replaced: another value of what has one value at a time, or the
    end of what was done.
    """
    kept: list[Memory] = []
    values: set[tuple[str, ...]] = set()
    ended: list[set[str]] = []
    for one in newest_first:
        units = units_of(one.content)
        head = telling(units, "statement")
        named = {unit.concept.name for unit in units if unit.concept is not None}
        value = tuple(unit.concept.name if unit.concept else unit.text for unit in head)
        has_one_value = len(head) < len(units) and not function_words.ONE_VALUE.isdisjoint(named)
        is_no_more = is_negated(read(one.content))
        if (has_one_value and value in values) or (
            not is_no_more and any(len(named & other) > 1 for other in ended)
        ):
            continue
        if has_one_value:
            values.add(value)
        if is_no_more:
            ended.append(named)
        kept.append(one)
    return kept


def _usable(workspace: Workspace, found: Iterable[Memory]) -> list[Memory]:
    kinds = workspace.settings.secret_kinds
    return [one for one in found if is_evidence(one) and not is_secret(one, kinds)]


def _each_once(found: Iterable[Memory]) -> list[Memory]:
    return list({normalise(one.content): one for one in reversed(list(found))}.values())[::-1]


def _as_listed(memory: Memory, verdict: str) -> JudgedHit:
    joined = ""
    for one in statements(memory.content):
        joint = "" if joined[-1:] in "。！？" else " "
        longer = f"{joined}{joint}{one}".strip()
        if joined and len(longer) > _LONGEST:
            break
        joined = longer
    shown = joined if len(joined) <= _LONGEST else joined[:_LONGEST].rstrip() + " …"
    return JudgedHit(Hit(memory, 1.0), "answers" if verdict == "answers" else "near", 1.0, shown)
