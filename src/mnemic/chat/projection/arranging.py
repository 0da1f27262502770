"""Which summaries are to become one, written down where turns of a branch changed.

Everything here is called inside a writing transaction that holds the scope of the branch.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from mnemic.chat import item_writes
from mnemic.chat.item_writes import Holder
from mnemic.chat.jobs.enqueue import enqueue_compaction, ingest_job_id
from mnemic.chat.projection.entries import FoldEntry, entry_from, entry_of, uid_of
from mnemic.chat.projection.settle import settle
from mnemic.chat.projection.tracks import Track
from mnemic.chat.projection.windows import (
    BLOCK,
    SETTLED,
    SummaryWindow,
    by_age,
    forced_at,
    is_rolled_up,
    is_window,
    rolled_up,
    window,
    windows_in,
)
from mnemic.memory.workspace import Workspace
from mnemic.records.item import ItemFilter
from mnemic.storage.chat_rows import item_rows, job_rows, session_rows
from mnemic.storage.chat_rows.item_rows import Card
from mnemic.storage.chat_rows.session_rows import TurnOnPath
from mnemic.storage.selections import Where


class Arrangement:
    """The windows of one branch."""

    def __init__(self, workspace: Workspace, holder: Holder, track: Track) -> None:
        self._workspace = workspace
        self._db = workspace.db
        self._holder = holder
        self._track = track
        self._scope_id = holder.number(track.scope)
        self._undone: set[str] = set()

    def arrange(self, floors: Collection[int], broken: Iterable[str] = ()) -> None:
        """Plan the windows of the blocks in which some floors stand. Those that are `broken` had a
        summary that is gone.
        """
        track = self._track
        read = session_rows.last_read(self._db, track.session, track.branch_id)
        last = -1 if read is None else read
        pending = [step for floor in floors for step in self._steps(floor, floor)]
        last = max([last, *(one.number for one in pending if self._is_about_to_be_read(one, last))])
        blocks: set[int] = set()
        for floor in floors:
            first = floor if floor < last else max(0, min(floor, last) - SETTLED)
            blocks.update(range(first // BLOCK, floor // BLOCK + 1))
        for origin in sorted(broken):
            self._undo(origin)
        for block in sorted(blocks):
            self._plan(block, last)

    def make_again(self, floors: Collection[int]) -> None:
        """Have all larger summaries made anew but those that a person changed."""
        for card in self._macros():
            if card.origin is not None and not card.edited:
                self._undo(card.origin)
        self.arrange(floors)

    def _plan(self, block: int, last: int) -> None:
        steps = self._steps(block * BLOCK, block * BLOCK + BLOCK - 1)
        micros = self._micros([step.turn_id for step in steps])
        asked = {
            origin: floor
            for origin in sorted({one.displaced_by or "" for one in micros})
            if (floor := forced_at(origin)) is not None and self._is_whole(origin)
        }
        taken = {one.uid: asked[one.displaced_by] for one in micros if one.displaced_by in asked}
        free = [one for one in micros if one.uid in taken or _may_be_taken(one)]
        free += [_unread(one) for one in steps if self._is_about_to_be_read(one, last)]
        planned = {one.origin: one for one in windows_in(block, free, asked=taken, last=last)}
        kept = asked.keys() | {origin for origin, one in planned.items() if not one.unread}
        for origin in sorted({one.displaced_by or "" for one in micros} - kept):
            if is_window(origin):
                self._undo(origin)
        for origin, one in planned.items():
            is_new = any(source.displaced_by != origin for source in one.sources)
            if not one.unread and (is_new or origin in self._undone):
                self.take_in(one)

    def take_in(self, planned: SummaryWindow) -> None:
        """Write down what a window takes in, and enqueue its summary where there is none."""
        scope = self._track.scope
        uid = uid_of(scope, planned.origin)
        ids = [one.uid for one in planned.sources]
        cards = item_rows.get(self._db, [uid, *ids])
        if len(cards.keys() & set(ids)) < len(ids):
            return
        is_made = uid in cards or uid in item_rows.struck(self._db, self._scope_id)
        marked = [
            replace(
                entry_of(cards[one]),
                displaced_by=planned.origin,
                **({"lifecycle": "compacted"} if is_made else {}),
            )
            for one in ids
            if cards[one].displaced_by != planned.origin
        ]
        settle(self._workspace, self._holder, scope, marked, cards, job_id=None)
        if not is_made:
            enqueue_compaction(self._workspace, scope, planned, now=self._holder.now)

    def roll_up(self) -> None:
        """Plan the summaries of larger summaries."""
        there = self._macros()
        macros = [entry_of(card) for card in there if card.origin and card.item.status == "active"]
        whole = [one for one in macros if not is_rolled_up(one.origin)]
        planned = {one.origin: one for one in rolled_up(self._track.scope, whole)}
        for origin in sorted({one.displaced_by or "" for one in macros} - planned.keys()):
            if is_rolled_up(origin):
                self._undo(origin)
        for one in planned.values():
            self.take_in(one)

    def _undo(self, origin: str) -> None:
        """Take back a window: what it had taken in is free, and its summary is gone. What grew old
        in it can only be taken in again.
        """
        self._undone.add(origin)
        scope = self._track.scope
        cards = {
            life.card.item.id: life.card
            for life in item_rows.along(
                self._db,
                self._scope_id,
                self._track.place,
                turn_ids=[origin],
                ids=[uid_of(scope, origin)],
            )
        }
        macro = cards.pop(uid_of(scope, origin), None)
        freed = [
            replace(entry_of(card), displaced_by=None, lifecycle="active")
            for card in cards.values()
            if card.item.status == "active"
        ]
        settle(self._workspace, self._holder, scope, freed, cards, job_id=None)
        if macro is not None:
            item_writes.remove(self._workspace, self._holder, [macro])
            if is_window(macro.displaced_by):
                self._undo(macro.displaced_by or "")

    def _macros(self) -> list[Card]:
        chosen = item_rows.selection(ItemFilter(type="summary"), scope_ids=(self._scope_id,))
        return item_rows.every(self._db, chosen.having([Where("i.tier", "=", "macro")]))

    def _is_whole(self, origin: str) -> bool:
        """Tell whether all that a window was asked for is still there."""
        lives = item_rows.along(self._db, self._scope_id, self._track.place, turn_ids=[origin])
        sources = sorted((entry_of(life.card) for life in lives), key=by_age)
        floor = forced_at(origin)
        return bool(sources) and window("forced", sources, forced_at=floor).origin == origin

    def _steps(self, first: int, last: int) -> list[TurnOnPath]:
        track = self._track
        return session_rows.path(self._db, track.session, track.branch_id, first=first, last=last)

    def _micros(self, turn_ids: Sequence[str]) -> list[FoldEntry]:
        lives = item_rows.along(
            self._db, self._scope_id, self._track.place, turn_ids=turn_ids, kinds=("summary",)
        )
        made = [entry_from(life) for life in lives if life.card.turn_id in turn_ids]
        return [one for one in made if one.tier == "micro" and one.origin is not None]

    def _is_about_to_be_read(self, step: TurnOnPath, last: int) -> bool:
        """Tell whether a turn that nobody looked at yet has a place: one at the end of the line
        only where it was swiped.
        """
        if step.is_read or not (step.number < last or step.version > 0):
            return False
        job_id = ingest_job_id(self._track.scope, step.turn_id, step.version)
        job = job_rows.get(self._db, job_id)
        return job is not None and job.finished_at is None


def _may_be_taken(micro: FoldEntry) -> bool:
    # What grew old since still tells what happened.
    return micro.status == "active" or is_window(micro.displaced_by)


def _unread(step: TurnOnPath) -> FoldEntry:
    """Return what keeps the place of a summary that is about to be."""
    return FoldEntry(
        uid=step.turn_id,
        type="summary",
        content="",
        at=step.said_at,
        tier="micro",
        coverage_start=step.number,
        coverage_end=step.number,
        unread=True,
    )
