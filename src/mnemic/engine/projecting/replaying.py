"""Replaying a branch: from the store to a projection of its turns, and back."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from mnemic.engine.cards import Holder
from mnemic.engine.extracting import rules
from mnemic.engine.extracting.extraction import (
    RULES,
    Extraction,
    Known,
    KnownFact,
    KnownLoop,
    Turn,
)
from mnemic.engine.extracting.tags import tagged_summaries, without_tags
from mnemic.engine.projecting.acts import acts_of, asked_for
from mnemic.engine.projecting.entries import Entry, entry_of, reference, referred
from mnemic.engine.projecting.fold import Fold
from mnemic.engine.projecting.settling import relate, settle, withdraw
from mnemic.engine.projecting.stored import from_stored, renamed, to_stored
from mnemic.engine.projecting.told import Said
from mnemic.engine.projecting.windows import is_window
from mnemic.engine.queueing import ingest_job_id
from mnemic.engine.workspace import Workspace
from mnemic.items import ItemFilter
from mnemic.records import Scope
from mnemic.sessions import Line, branch_scope
from mnemic.storage import items, jobs, scope_states, sessions
from mnemic.storage.items import Card
from mnemic.storage.selections import Where
from mnemic.storage.sessions import Address, Step

# What was found in turns does not depend on those that come after.
NEVER: Final = 2**62
_BY_HAND: Final = "by_hand"
_MOST_FACTS: Final = 50
_MOST_LOOPS: Final = 25
_MOST_SUMMARIES: Final = 20
# No turn is shown what was written by hand behind so many others.
_MOST_BY_HAND: Final = 500


@dataclass(frozen=True, slots=True)
class Track:
    """One branch of a session."""

    session: Address
    branch_id: str

    @property
    def scope(self) -> Scope:
        """The scope of the branch's own memory."""
        return branch_scope(self.session.id, self.branch_id)


def turn_of(lines: Sequence[Line]) -> Turn:
    """Return a turn as extractors see it: the text of its tags beside the rest."""
    said = tuple(replace(line, content=without_tags(line.content)) for line in lines)
    tagged = tuple(text for line in lines for text in tagged_summaries(line.content))
    return Turn(said, tagged)


def known_to(fold: Fold, beside: Sequence[Card] = ()) -> Known:
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


def replay(
    workspace: Workspace,
    holder: Holder,
    track: Track,
    *,
    changed_at: int,
    made: Mapping[str, Entry] | None = None,
    job_id: str | None = None,
) -> Fold:
    """Make the memory of a branch what its turns say, from the first to the last.

    Turns that nobody looked at yet are passed over. What the rules found in turns from
    `changed_at` on is found anew: it depends on what comes before. So is what was found where
    something written by hand was known: that is another one in each branch.
    """
    scope_id = holder.number(track.scope)
    before = {card.item.id: card for card in items.projected(workspace.db, scope_id)}
    path = sessions.path(workspace.db, track.session, track.branch_id)
    steps = [one for one in path if one.extraction is not None]
    found = {one.turn_id: from_stored(one.extraction or {}) for one in steps}
    stored = _stored(before.values(), made or {})
    by_hand = _by_hand(workspace, track.scope, scope_id, before.values(), found.values())
    fold = Fold(
        track.scope,
        by_hand=[entry_of(card) for card in by_hand.values()],
        made=stored,
        acts=acts_of(before.values(), items.struck(workspace.db, scope_id)),
        asked=asked_for(before.values(), stored),
    )
    _take_all(workspace, fold, path, found, changed_at=changed_at)
    fold.finish()
    before |= by_hand
    _write(workspace, holder, fold, before, job_id=job_id)
    taken = max((one.number for one in steps), default=None)
    scope_states.processed(workspace.db, scope_id, taken, now=holder.now)
    return fold


def _write(
    workspace: Workspace,
    holder: Holder,
    fold: Fold,
    before: Mapping[str, Card],
    *,
    job_id: str | None,
) -> None:
    gone = [
        card
        for uid, card in before.items()
        if card.origin is not None and not _is_there(fold.entries.get(uid))
    ]
    withdraw(workspace, holder, gone)
    kept = {uid: card for uid, card in before.items() if card not in gone}
    entries = fold.entries.values()
    after = settle(workspace, holder, fold.scope, entries, kept, job_id=job_id)
    relate(workspace, fold.links, after, now=holder.now, instead=True)


def take_next(
    workspace: Workspace, holder: Holder, track: Track, step: Step, found: Extraction, job_id: str
) -> Fold:
    """Take in the turn that follows those which were taken in before."""
    before = _tail(workspace, holder, track, found)
    fold = tail_fold(track.scope, before, until=step.added_at)
    fold.take(said_in(step), found)
    after = settle(workspace, holder, track.scope, fold.entries.values(), before, job_id=job_id)
    relate(workspace, fold.links, after, now=holder.now, instead=False)
    return fold


def tail_fold(scope: Scope, before: Mapping[str, Card], *, until: datetime | None = None) -> Fold:
    """Return the projection as it stands, or before a turn, from what may matter to the next."""
    entries = [entry_of(card) for card in before.values()]
    present = [one for one in entries if one.origin is not None or until is None or one.at <= until]
    fold = Fold(scope, present=present)
    fold.restore()
    return fold


def is_next(workspace: Workspace, scope_id: int, step: Step, last_floor: int | None) -> bool:
    """Tell whether a turn follows those that were taken in, and nobody deleted or changed by hand
    since it was added what it may have to do with.
    """
    if last_floor is not None and step.number <= last_floor:
        return False
    struck = items.struck(workspace.db, scope_id).values()
    if any(at >= step.added_at for at in struck):
        return False
    return not items.edited_since(workspace.db, scope_id, step.added_at)


def tail(workspace: Workspace, holder_scope: int) -> dict[str, Card]:
    """Return what a branch has in use besides facts: loops and summaries."""
    found: dict[str, Card] = {}
    for wanted in (
        ItemFilter(type="open_loop", status="active", lifecycle="active"),
        ItemFilter(type="summary", status="active", lifecycle="active"),
    ):
        chosen = items.selection(wanted, scope_ids=(holder_scope,))
        found |= {card.item.id: card for card in items.every(workspace.db, chosen)}
    return found


def facts_in_use(
    workspace: Workspace, scope_id: int, *, until: datetime | None = None
) -> dict[str, Card]:
    """Return the facts of a scope that are most important, as many as an extractor is shown."""
    wanted = ItemFilter(type="fact", status="active", lifecycle="active", created_to=until)
    chosen = items.selection(wanted, scope_ids=(scope_id,))
    found = items.page(workspace.db, chosen, items.MOST_IMPORTANT)
    return {card.item.id: card for card in found}


def _tail(workspace: Workspace, holder: Holder, track: Track, found: Extraction) -> dict[str, Card]:
    scope_id = holder.number(track.scope)
    before = tail(workspace, scope_id)
    named = [
        referred(track.scope, one.id)
        for one in (*found.updates, *found.retirements, *found.resolutions)
    ]
    there = items.get(workspace.db, named)
    before |= {uid: card for uid, card in there.items() if card.scope_id == scope_id}
    keys = {fact.key for fact in found.facts}
    keys |= {card.item.fact_key for card in there.values() if card.item.fact_key is not None}
    before |= _with_keys(workspace, scope_id, keys)
    return before


def _with_keys(workspace: Workspace, scope_id: int, keys: Collection[str]) -> dict[str, Card]:
    if not keys:
        return {}
    chosen = items.selection(ItemFilter(status="active"), scope_ids=(scope_id,))
    held = chosen.having([Where("i.fact_key", "in", sorted(keys))])
    return {card.item.id: card for card in items.every(workspace.db, held)}


def _take_all(
    workspace: Workspace,
    fold: Fold,
    steps: Sequence[Step],
    found: Mapping[str, Extraction],
    *,
    changed_at: int,
) -> None:
    suspects = [turn_id for turn_id, one in found.items() if one.extractor == RULES]
    said = _Sayings(workspace, suspects)
    last = max((one.number for one in steps if one.turn_id in found), default=-1)
    for step in steps:
        extraction = found.get(step.turn_id)
        if extraction is None:
            # At the end of the line only what was swiped had a place before.
            had_a_place = step.number < last or step.version > 0
            if had_a_place and _is_about_to_be_read(workspace, fold.scope, step):
                fold.pass_over(said_in(step))
            continue
        fold.reach(said_in(step))
        if extraction.extractor == RULES and (
            step.number >= changed_at or fold.knows_by_hand() or knew_by_hand(step)
        ):
            read = read_by_rules(fold, said.of(step.turn_id))
            if read != extraction or fold.knows_by_hand() != knew_by_hand(step):
                keep(workspace, step, read, by_hand=fold.knows_by_hand())
            extraction = read
        fold.take(said_in(step), extraction)


def _is_about_to_be_read(workspace: Workspace, scope: Scope, step: Step) -> bool:
    job = jobs.get(workspace.db, ingest_job_id(scope, step.turn_id, step.version))
    return job is not None and job.finished_at is None


class _Sayings:
    """What was said in turns, read at once when the first of it is asked for."""

    def __init__(self, workspace: Workspace, turn_ids: Sequence[str]) -> None:
        self._workspace = workspace
        self._turn_ids = turn_ids
        self._said: dict[str, tuple[Line, ...]] | None = None

    def of(self, turn_id: str) -> tuple[Line, ...]:
        """Return what was said in one of the turns."""
        if self._said is None:
            self._said = sessions.lines_of(self._workspace.db, self._turn_ids)
        return self._said.get(turn_id, ())


def keep(workspace: Workspace, step: Step, found: Extraction, *, by_hand: bool = False) -> None:
    """Keep what was found in the active version of a turn, and whether something that was written
    by hand was known then.
    """
    stored = to_stored(found) | ({_BY_HAND: True} if by_hand else {})
    sessions.keep_extraction(workspace.db, step.turn_id, step.version, stored)


def knew_by_hand(step: Step) -> bool:
    """Tell whether something written by hand was known when a turn was read."""
    return bool(step.extraction and step.extraction.get(_BY_HAND))


def _stored(before: Collection[Card], made: Mapping[str, Entry]) -> dict[str, Entry]:
    """Return the larger summaries that exist, by what they were made of."""
    there = {card.origin: entry_of(card) for card in before if is_window(card.origin)}
    return {origin: one for origin, one in there.items() if origin is not None} | dict(made)


def _by_hand(
    workspace: Workspace,
    scope: Scope,
    scope_id: int,
    before: Collection[Card],
    found: Collection[Extraction],
) -> dict[str, Card]:
    """Return what was written by hand and may be known to a turn, or touched by one: facts and
    open loops, and what a turn names.
    """
    there = {card.item.id: card for card in before if card.origin is None}
    keys = {fact.key for one in found for fact in one.facts}
    there |= _with_keys(workspace, scope_id, keys)
    for wanted, order in (
        (ItemFilter(type="open_loop", status="active"), items.NEWEST_FIRST),
        (ItemFilter(type="fact", status="active", lifecycle="active"), items.MOST_IMPORTANT),
    ):
        chosen = items.selection(wanted, scope_ids=(scope_id,))
        first = items.page(workspace.db, chosen, replace(order, limit=_MOST_BY_HAND))
        there |= {card.item.id: card for card in first}
    named = {
        referred(scope, act.id)
        for one in found
        for act in (*one.updates, *one.retirements, *one.resolutions)
    }
    told = items.get(workspace.db, sorted(named))
    there |= {uid: card for uid, card in told.items() if card.scope_id == scope_id}
    return {
        uid: card
        for uid, card in there.items()
        if card.origin is None and (card.item.in_use or card.displaced_by is not None)
    }


def said_in(step: Step) -> Said:
    """Return a turn as the fold takes it in."""
    return Said(step.turn_id, step.version, step.number, step.said_at, step.added_at)


def _is_there(entry: Entry | None) -> bool:
    """Tell whether an entry is more than a plan."""
    return entry is not None and bool(entry.content)


def _value(entry: Entry) -> str:
    """Return a fact without its key."""
    if entry.key is not None:
        before, _, after = entry.content.partition(":")
        if before.strip().casefold() == entry.key.casefold():
            return after.strip()
    return entry.content
