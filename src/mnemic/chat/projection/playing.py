"""Playing a branch: from what its turns said to a projection of them, without the store."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from mnemic.chat.extraction import rules
from mnemic.chat.extraction.extraction import (
    RULES,
    Extraction,
    Known,
    KnownFact,
    KnownLoop,
    TurnText,
)
from mnemic.chat.extraction.tags import tagged_summaries, without_tags
from mnemic.chat.projection.acts import Act, RequestedWindow
from mnemic.chat.projection.entries import FoldEntry, entry_of, reference
from mnemic.chat.projection.fold import Fold
from mnemic.chat.projection.stored_extraction import from_stored, renamed
from mnemic.chat.projection.told import TurnVersion
from mnemic.language.bounds import READ_OF_LINE, READ_OF_TURN
from mnemic.records.conversation import Line
from mnemic.records.memory import Scope
from mnemic.runtime.budgets import check_time
from mnemic.storage.chat_rows.item_rows import Card
from mnemic.storage.chat_rows.session_rows import TurnOnPath

BY_HAND: Final = "by_hand"
"""Under what it is kept with a turn that something written by hand was known."""

_MOST_FACTS: Final = 50
_MOST_LOOPS: Final = 25
_MOST_SUMMARIES: Final = 20


@dataclass(frozen=True, slots=True)
class Course:
    """Everything that the projection of a branch follows from. `said` is what was said in the
    turns that the rules read; `unread` are those that somebody is about to read.
    """

    scope: Scope
    path: tuple[TurnOnPath, ...]
    by_hand: tuple[FoldEntry, ...]
    made: Mapping[str, FoldEntry]
    acts: tuple[Act, ...]
    asked: tuple[RequestedWindow, ...]
    unread: frozenset[str]
    changed_at: int
    said: Mapping[str, tuple[Line, ...]] = field(default_factory=dict[str, tuple[Line, ...]])

    def __hash__(self) -> int:
        return hash((self.scope, self.changed_at, len(self.path)))


@dataclass(frozen=True, slots=True)
class Played:
    """A projection, and what the rules found on the way that is to be kept with its turn."""

    fold: Fold
    read: tuple[tuple[TurnOnPath, Extraction, bool], ...]


def read_by_rules_in(course: Course) -> list[str]:
    """Return the turns that the rules may have to read, if any."""
    found = [one for one in course.path if one.extraction and one.extraction["extractor"] == RULES]
    if course.by_hand or course.acts:
        return [one.turn_id for one in found]
    wanted = [one for one in found if one.number >= course.changed_at or knew_by_hand(one)]
    return [one.turn_id for one in wanted]


def play(course: Course) -> Played:
    """Take in the turns of a branch, one after the other."""
    fold = Fold(
        course.scope,
        by_hand=course.by_hand,
        made=course.made,
        acts=course.acts,
        asked=course.asked,
    )
    read: list[tuple[TurnOnPath, Extraction, bool]] = []
    for step in course.path:
        if step.extraction is None:
            if step.turn_id in course.unread:
                fold.pass_over(said_in(step))
            continue
        extraction = from_stored(step.extraction)
        fold.reach(said_in(step))
        if extraction.extractor == RULES and (
            step.number >= course.changed_at or fold.knows_by_hand() or knew_by_hand(step)
        ):
            check_time()
            found = read_by_rules(fold, course.said.get(step.turn_id, ()))
            if found != extraction or fold.knows_by_hand() != knew_by_hand(step):
                read.append((step, found, fold.knows_by_hand()))
            extraction = found
        fold.take(said_in(step), extraction)
    fold.finish()
    return Played(fold, tuple(read))


def turn_of(lines: Sequence[Line]) -> TurnText:
    """Return a turn as extractors see it: the text of its tags beside the rest, and of both no
    more than is read.
    """
    said: list[Line] = []
    tagged: list[str] = []
    left = READ_OF_TURN
    for line in lines:
        text = without_tags(line.content)[: min(READ_OF_LINE, max(left, 0))]
        said.append(replace(line, content=text))
        left -= len(text)
        tagged += [one[:READ_OF_LINE] for one in tagged_summaries(line.content)]
    return TurnText(tuple(said), tuple(tagged[:_MOST_SUMMARIES]))


def known_to(fold: Fold, beside: Iterable[Card] = ()) -> Known:
    """Return what an extractor may be shown: what holds in the branch, and in wider scopes."""
    wider = [entry_of(card) for card in beside if card.item.in_use]
    facts = sorted(
        [*fold.facts(), *(one for one in wider if one.type == "fact")],
        key=lambda one: (one.importance, one.uid),
        reverse=True,
    )
    loops = [*fold.loops(), *(one for one in wider if one.type == "open_loop")]
    told = [*fold.summaries("micro"), *fold.summaries("macro")]
    told += [one for one in wider if one.type == "summary"]
    newest = sorted(told, key=lambda one: (one.at, one.uid), reverse=True)
    return Known(
        facts=tuple(
            KnownFact(one.uid, one.key or "", _value(one), one.importance)
            for one in facts[:_MOST_FACTS]
        ),
        loops=tuple(KnownLoop(one.uid, one.content) for one in loops[:_MOST_LOOPS]),
        summaries=tuple(one.content for one in newest[:_MOST_SUMMARIES] if one.content),
    )


def kept_form(fold: Fold, found: Extraction) -> Extraction:
    """Return what was found with references instead of ids, as it is kept with the turn."""

    def name(uid: str) -> str:
        entry = fold.entries.get(uid)
        return reference(uid, entry.origin if entry else None)

    return renamed(found, name)


def read_by_rules(fold: Fold, lines: Sequence[Line]) -> Extraction:
    """Return what the rules find in a turn, given what is remembered before it."""
    return kept_form(fold, rules.extract(turn_of(lines), known_to(fold)))


def knew_by_hand(step: TurnOnPath) -> bool:
    """Tell whether something written by hand was known when a turn was read."""
    return bool(step.extraction and step.extraction.get(BY_HAND))


def said_in(step: TurnOnPath) -> TurnVersion:
    """Return a turn as the fold takes it in."""
    return TurnVersion(step.turn_id, step.version, step.number, step.said_at, step.added_at)


def _value(entry: FoldEntry) -> str:
    """Return a fact without its key."""
    if entry.key is not None:
        before, _, after = entry.content.partition(":")
        if before.strip().casefold() == entry.key.casefold():
            return after.strip()
    return entry.content
