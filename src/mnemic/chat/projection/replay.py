"""Replaying a branch: from the store to a projection of its turns, and back."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from mnemic.chat.extraction.extraction import Extraction
from mnemic.chat.item_writes import Holder
from mnemic.chat.jobs.enqueue import ingest_job_id
from mnemic.chat.projection.acts import acts_of, asked_for
from mnemic.chat.projection.entries import FoldEntry, entry_of, referred
from mnemic.chat.projection.fold import Fold
from mnemic.chat.projection.playing import BY_HAND, Course, Played, play, read_by_rules_in, said_in
from mnemic.chat.projection.settle import relate, settle, withdraw
from mnemic.chat.projection.stored_extraction import from_stored, to_stored
from mnemic.chat.projection.windows import is_window
from mnemic.memory.unlocked_work import derive
from mnemic.memory.workspace import Workspace
from mnemic.records.conversation import branch_scope
from mnemic.records.item import ItemFilter
from mnemic.records.memory import Scope
from mnemic.storage.chat_rows import item_rows, job_rows, scope_state_rows, session_rows
from mnemic.storage.chat_rows.item_rows import Card
from mnemic.storage.chat_rows.session_rows import Address, TurnOnPath
from mnemic.storage.selections import Where

# What was found in turns does not depend on those that come after.
NEVER: Final = 2**62
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


def replay(
    workspace: Workspace,
    holder: Holder,
    track: Track,
    *,
    changed_at: int,
    made: Mapping[str, FoldEntry] | None = None,
    job_id: str | None = None,
) -> Fold:
    """Make the memory of a branch what its turns say, from the first to the last. Call it where
    `deriving.write` writes.

    Turns that nobody looked at yet are passed over. What the rules found in turns from
    `changed_at` on is found anew: it depends on what comes before. So is what was found where
    something written by hand was known: that is another one in each branch.
    """
    scope_id = holder.number(track.scope)
    before = {card.item.id: card for card in item_rows.projected(workspace.db, scope_id)}
    path = session_rows.path(workspace.db, track.session, track.branch_id)
    steps = [one for one in path if one.extraction is not None]
    found = [from_stored(one.extraction or {}) for one in steps]
    stored = _stored(before.values(), made or {})
    by_hand = _by_hand(workspace, track.scope, scope_id, before.values(), found)
    course = Course(
        scope=track.scope,
        path=tuple(path),
        by_hand=tuple(entry_of(card) for card in by_hand.values()),
        made=stored,
        acts=tuple(acts_of(before.values(), item_rows.struck(workspace.db, scope_id))),
        asked=tuple(asked_for(before.values(), stored)),
        unread=_unread(workspace, track.scope, path),
        changed_at=changed_at,
    )
    played = _played(workspace, course)
    for step, read, with_hand in played.read:
        keep(workspace, step, read, by_hand=with_hand)
    before |= by_hand
    _write(workspace, holder, played.fold, before, job_id=job_id)
    taken = max((one.number for one in steps), default=None)
    scope_state_rows.processed(workspace.db, scope_id, taken, now=holder.now)
    return played.fold


def _played(workspace: Workspace, course: Course) -> Played:
    turn_ids = read_by_rules_in(course)
    if not turn_ids:
        return play(course)
    said = session_rows.lines_of(workspace.db, turn_ids)
    [played] = derive("course", _play_each, [replace(course, said=said)])
    return played


def _play_each(courses: Sequence[Course]) -> list[Played]:
    return [play(one) for one in courses]


def _unread(workspace: Workspace, scope: Scope, path: Sequence[TurnOnPath]) -> frozenset[str]:
    """Return the turns that nobody looked at yet, and that somebody is about to."""
    last = max((one.number for one in path if one.extraction is not None), default=-1)
    return frozenset(
        step.turn_id
        for step in path
        # At the end of the line only what was swiped had a place before.
        if step.extraction is None
        and (step.number < last or step.version > 0)
        and _is_about_to_be_read(workspace, scope, step)
    )


def _is_about_to_be_read(workspace: Workspace, scope: Scope, step: TurnOnPath) -> bool:
    job = job_rows.get(workspace.db, ingest_job_id(scope, step.turn_id, step.version))
    return job is not None and job.finished_at is None


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
    workspace: Workspace,
    holder: Holder,
    track: Track,
    step: TurnOnPath,
    found: Extraction,
    job_id: str,
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


def is_next(workspace: Workspace, scope_id: int, step: TurnOnPath, last_floor: int | None) -> bool:
    """Tell whether a turn follows those that were taken in, and nobody deleted or changed by hand
    since it was added what it may have to do with.
    """
    if last_floor is not None and step.number <= last_floor:
        return False
    struck = item_rows.struck(workspace.db, scope_id).values()
    if any(at >= step.added_at for at in struck):
        return False
    return not item_rows.edited_since(workspace.db, scope_id, step.added_at)


def tail(workspace: Workspace, holder_scope: int) -> dict[str, Card]:
    """Return what a branch has in use besides facts: loops and summaries."""
    found: dict[str, Card] = {}
    for wanted in (
        ItemFilter(type="open_loop", status="active", lifecycle="active"),
        ItemFilter(type="summary", status="active", lifecycle="active"),
    ):
        chosen = item_rows.selection(wanted, scope_ids=(holder_scope,))
        found |= {card.item.id: card for card in item_rows.every(workspace.db, chosen)}
    return found


def facts_in_use(
    workspace: Workspace, scope_id: int, *, until: datetime | None = None
) -> dict[str, Card]:
    """Return the facts of a scope that are most important, as many as an extractor is shown."""
    wanted = ItemFilter(type="fact", status="active", lifecycle="active", created_to=until)
    chosen = item_rows.selection(wanted, scope_ids=(scope_id,))
    found = item_rows.page(workspace.db, chosen, item_rows.MOST_IMPORTANT)
    return {card.item.id: card for card in found}


def _tail(workspace: Workspace, holder: Holder, track: Track, found: Extraction) -> dict[str, Card]:
    scope_id = holder.number(track.scope)
    before = tail(workspace, scope_id)
    named = [
        referred(track.scope, one.id)
        for one in (*found.updates, *found.retirements, *found.resolutions)
    ]
    there = item_rows.get(workspace.db, named)
    before |= {uid: card for uid, card in there.items() if card.scope_id == scope_id}
    keys = {fact.key for fact in found.facts}
    keys |= {card.item.fact_key for card in there.values() if card.item.fact_key is not None}
    before |= _with_keys(workspace, scope_id, keys)
    return before


def _with_keys(workspace: Workspace, scope_id: int, keys: Collection[str]) -> dict[str, Card]:
    if not keys:
        return {}
    chosen = item_rows.selection(ItemFilter(status="active"), scope_ids=(scope_id,))
    held = chosen.having([Where("i.fact_key", "in", sorted(keys))])
    return {card.item.id: card for card in item_rows.every(workspace.db, held)}


def keep(
    workspace: Workspace, step: TurnOnPath, found: Extraction, *, by_hand: bool = False
) -> None:
    """Keep what was found in the active version of a turn, and whether something that was written
    by hand was known then.
    """
    stored = to_stored(found) | ({BY_HAND: True} if by_hand else {})
    session_rows.keep_extraction(workspace.db, step.turn_id, step.version, stored)


def _stored(before: Collection[Card], made: Mapping[str, FoldEntry]) -> dict[str, FoldEntry]:
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
        (ItemFilter(type="open_loop", status="active"), item_rows.NEWEST_FIRST),
        (ItemFilter(type="fact", status="active", lifecycle="active"), item_rows.MOST_IMPORTANT),
    ):
        chosen = item_rows.selection(wanted, scope_ids=(scope_id,))
        first = item_rows.page(workspace.db, chosen, replace(order, limit=_MOST_BY_HAND))
        there |= {card.item.id: card for card in first}
    named = {
        referred(scope, act.id)
        for one in found
        for act in (*one.updates, *one.retirements, *one.resolutions)
    }
    told = item_rows.get(workspace.db, sorted(named))
    there |= {uid: card for uid, card in told.items() if card.scope_id == scope_id}
    return {
        uid: card
        for uid, card in there.items()
        if card.origin is None and (card.item.in_use or card.displaced_by is not None)
    }


def _is_there(entry: FoldEntry | None) -> bool:
    """Tell whether an entry is more than a plan."""
    return entry is not None and bool(entry.content)
