"""What a branch holds, read from the store in stretches while nothing is locked.

Each read is one of its own: whoever writes what follows from them first looks whether the branch
is still at the same revision.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, TypeVar

from mnemic.chat.projection.entries import FoldEntry, entry_from
from mnemic.chat.projection.tracks import Track
from mnemic.memory.workspace import Workspace
from mnemic.records.conversation import Line
from mnemic.records.item import ITEM_TYPES
from mnemic.storage.chat_rows import item_rows, session_rows
from mnemic.storage.chat_rows.session_rows import TurnOnPath

# No turn is shown what was written by hand behind so many others.
_MOST_BY_HAND: Final = 500

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class BranchChange:
    """What a transaction does to a branch before its memory follows: `turns` as they are then,
    None for one that goes, by their numbers; the ids of items that are deleted, and when; and
    items that a person changed, before and after.
    """

    turns: Mapping[int, TurnOnPath | None] = field(default_factory=dict[int, TurnOnPath | None])
    struck: Mapping[str, datetime] = field(default_factory=dict[str, datetime])
    by_hand: tuple[tuple[FoldEntry, FoldEntry | None], ...] = ()

    @property
    def key(self) -> str:
        """What tells one change from another."""
        turns = {
            number: None if turn is None else [turn.turn_id, turn.version, turn.found]
            for number, turn in self.turns.items()
        }
        return json.dumps([turns, repr(self.struck), repr(self.by_hand)], sort_keys=True)


class BranchReading:
    """One branch as it is stored, with a change that is about to be."""

    def __init__(
        self, workspace: Workspace, track: Track, scope_id: int | None, change: BranchChange
    ) -> None:
        self.track = track
        self._workspace = workspace
        self._scope_id = scope_id
        self._change = change
        self.struck = dict(change.struck)
        if scope_id is not None:
            self.struck |= self._read(lambda: item_rows.struck(self._db, scope_id))

    def turns(self, first: int, last: int) -> tuple[list[TurnOnPath], dict[int, str]]:
        """Return the turns between two numbers, in order, and the ids of those and of the ones
        that go, by their numbers.
        """
        stored = self._read(
            lambda: session_rows.path(
                self._db, self.track.session, self.track.branch_id, first=first, last=last
            )
        )
        changed = self._change.turns
        found = [step for step in stored if step.number not in changed]
        found += [step for at, step in changed.items() if step is not None and first <= at <= last]
        ids = {step.number: step.turn_id for step in (*stored, *found)}
        return sorted(found, key=lambda step: step.number), ids

    def said_in(self, turn_id: str) -> tuple[Line, ...]:
        """Return what was said in a turn."""
        return self._read(lambda: session_rows.lines_of(self._db, [turn_id])).get(turn_id, ())

    def along(
        self,
        turn_ids: Sequence[str] = (),
        ids: Sequence[str] = (),
        *,
        kinds: Sequence[str] = ITEM_TYPES,
        number: int = 0,
    ) -> list[FoldEntry]:
        """Return what turns made or took out of use, and what has some ids, of some kinds and as
        far as no turn before a floor took it out of use.
        """
        return self._entries(
            lambda scope_id: item_rows.along(
                self._db,
                scope_id,
                self.track.place,
                turn_ids=turn_ids,
                ids=ids,
                kinds=kinds,
                number=number,
            )
        )

    def held(self, keys: Sequence[str], number: int) -> list[FoldEntry]:
        """Return the facts under some keys that are in use just before a floor."""
        return self._entries(
            lambda scope_id: item_rows.held(
                self._db, scope_id, self.track.place, keys=keys, number=number
            )
        )

    def by_hand(self, since: datetime, until: datetime) -> list[FoldEntry]:
        """Return the newest facts and loops that were written by hand in a time."""
        return self._entries(
            lambda scope_id: item_rows.by_hand(
                self._db,
                scope_id,
                self.track.place,
                since=since,
                until=until,
                most=_MOST_BY_HAND,
            )
        )

    def next_naming(self, names: Iterable[str], *, after: int) -> int | None:
        """Return the number of the next turn that names a key or an item."""
        track = self.track
        return self._read(
            lambda: session_rows.next_naming(
                self._db, track.session, track.branch_id, names, after=after
            )
        )

    def first_since(self, moment: datetime) -> int | None:
        """Return the number of the first turn that was added at a moment or later."""
        track = self.track
        return self._read(
            lambda: session_rows.first_since(self._db, track.session, track.branch_id, moment)
        )

    @property
    def _db(self) -> Any:
        return self._workspace.db

    def _read(self, work: Callable[[], T]) -> T:
        return self._workspace.db.read(work)

    def _entries(self, read: Callable[[int], list[item_rows.Life]]) -> list[FoldEntry]:
        scope_id = self._scope_id
        if scope_id is None:
            return []
        return [entry_from(life) for life in self._read(lambda: read(scope_id))]
