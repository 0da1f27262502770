"""A branch as it should stand, told anew to a memory that never heard of anything else."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from mnemic.engine.chat_verbs import ChatMemory
from mnemic.records.conversation import branch_scope
from mnemic.records.item import ItemChange, NewItem
from tests.chat.chatting import Picture, items_in, picture, said, work
from tests.conftest import Clock


@dataclass
class Turn:
    """A turn as it should stand."""

    id: str
    added: datetime
    versions: list[str]
    active: int = 0


@dataclass
class Line:
    """A branch as it should stand: its turns, and what was done in it by hand."""

    name: str
    turns: list[Turn] = field(default_factory=list[Turn])
    by_hand: list[tuple[datetime, NewItem, str]] = field(
        default_factory=list[tuple[datetime, NewItem, str]]
    )
    struck: list[tuple[datetime, str, int, str]] = field(
        default_factory=list[tuple[datetime, str, int, str]]
    )
    forced: bool = False
    patched: list[tuple[datetime, str, int, str, ItemChange]] = field(
        default_factory=list[tuple[datetime, str, int, str, ItemChange]]
    )


class Retelling:
    """One session in another memory. `numbers` are the floors that the turns have in the first:
    where turns were deleted some are missing, and rules go by numbers.
    """

    def __init__(self, chat: ChatMemory, session: str, numbers: dict[str, int]) -> None:
        self._chat = chat
        self._session = session
        self._scope = branch_scope(session, "main")
        self._numbers = numbers
        self._told: dict[str, str] = {}

    def of(self, line: Line, clock: Clock) -> Picture:
        """Say and do what survives in a line, each at its time; return what is remembered."""
        self._chat.create_session(self._session)
        active = {turn.id: turn.active for turn in line.turns}
        struck = [
            (when, turn_id, content)
            for when, turn_id, version, content in line.struck
            if active.get(turn_id) == version
        ]
        patched = [
            (when, turn_id, content, told)
            for when, turn_id, version, content, told in line.patched
            if active.get(turn_id) == version
        ]
        events: list[tuple[datetime, Turn | NewItem | tuple[Any, ...]]] = [
            *((turn.added, turn) for turn in line.turns),
            *((when, new) for when, new, _ in line.by_hand),
            *((when, (turn_id, content)) for when, turn_id, content in struck),
            *((when, (turn_id, content, told)) for when, turn_id, content, told in patched),
        ]
        for when, event in sorted(events, key=lambda one: one[0]):
            clock.now = when
            if isinstance(event, Turn):
                self._say(event)
            elif isinstance(event, NewItem):
                self._chat.create_item(replace(event, scope=self._scope))
            elif len(event) == 2:
                self._strike(*event)
            else:
                self._patch(*event)
        work(self._chat)
        shown = picture(self._chat, self._session)
        self._chat.delete_session(self._session)
        return shown

    def _say(self, turn: Turn) -> None:
        gaps: list[str] = []
        while self._next_number() < self._numbers[turn.id]:
            floor, _ = self._chat.add_turn(self._session, said("-"))
            gaps.append(floor.id)
        lines = said(turn.versions[turn.active], "Go on.")
        floor, _ = self._chat.add_turn(self._session, lines)
        self._told[turn.id] = floor.id
        for gap in gaps:
            self._chat.delete_turn(self._session, gap)

    def _strike(self, turn_id: str, content: str) -> None:
        work(self._chat)
        for one in items_in(self._chat, self._scope):
            if one.content == content and one.source_floor_id == self._told[turn_id]:
                self._chat.delete_item(one.id)

    def _patch(self, turn_id: str, content: str, told: ItemChange) -> None:
        work(self._chat)
        for one in items_in(self._chat, self._scope):
            if one.content == content and one.source_floor_id == self._told[turn_id]:
                self._chat.change_item(one.id, told)

    def _next_number(self) -> int:
        last = self._chat.turns(self._session, order="desc", limit=1).rows
        return last[0].number + 1 if last else 0
