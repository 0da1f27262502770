"""Whatever is said, swiped, deleted and forked in whichever order: memory is what the turns that
survive say.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

import mnemic
from mnemic.errors import NotFoundError, StateError
from mnemic.opening import OpenMemory
from mnemic.records.conversation import branch_scope
from mnemic.records.item import Item, ItemChange, ItemFilter, NewItem, Paging
from mnemic.records.query import Query
from tests.chat.chatting import (
    Picture,
    differences,
    floors_of,
    items_in,
    picture,
    relations_of,
    said,
    work,
)
from tests.chat.retelling import Line, Retelling, Turn
from tests.conftest import Clock, OpenIt

SAYINGS = [
    "My name is Mia. I live in Oslo.",
    "I moved to Lyon last week.",
    "I no longer live in Lyon.",
    "I live in Porto.",
    "我叫小雨，我住在杭州。",
    "我搬到成都了。",
    "I have a cat named Tofu.",
    "My cat is called Miso, not Tofu.",
    "我养了一只猫，叫豆豆。",
    "I promise to send Tom the photos tomorrow.",
    "I sent Tom the photos.",
    "I promise to call my mother on Sunday.",
    "I called my mother.",
    "我答应明天给爸爸打电话。",
    "我已经给爸爸打电话了。",
    "<summary>Mia told the captain about the map.</summary> The sea was calm.",
    "<摘要>小雨把钥匙交给了老陈。</摘要>",
    "It rained all day.",
    "下了一整天雨。",
    "<memory>" + "They walked along the river and spoke of the old harbour. " * 25 + "</memory>",
]
FACTS = [("user.home", "Paris"), ("user.home", "Oslo"), ("user.pet.cat.name", "Momo")]
LOOPS = ["Send Tom the photos.", "Who has the key?"]
CHANGES = [
    ItemChange(importance=0.9),
    ItemChange(status="deprecated"),
    ItemChange(status="active"),
]
PATCHED = " (patched)"
SOUGHT = ("Oslo", "Tofu", "photos", "river", "猫", "杭州", "打电话")
_SESSIONS = count()


class Chats(RuleBasedStateMachine):
    """A session, its model, and another store in which only what survives is ever said."""

    memory: ClassVar[OpenMemory]
    other: ClassVar[OpenMemory]
    clock: ClassVar[Clock]

    def __init__(self) -> None:
        super().__init__()
        self.session = f"s{next(_SESSIONS)}"
        self.numbers = count()
        self.chat = self.memory.chat
        self.chat.create_session(self.session)
        self.lines = {"main": Line("main")}

    @initialize(sayings=st.lists(st.sampled_from(SAYINGS), max_size=8))
    def begin(self, sayings: list[str]) -> None:
        for saying in sayings:
            self.say(self.lines["main"], saying)

    def say(self, line: Line, saying: str) -> None:
        self.tick()
        floor, _ = self.chat.add_turn(self.session, said(saying, "Go on."), branch_id=line.name)
        line.turns.append(Turn(floor.id, self.clock.now, [saying]))

    def tick(self) -> None:
        self.clock.turn(seconds=1)

    def any_line(self, data: st.DataObject) -> Line:
        return self.lines[data.draw(st.sampled_from(sorted(self.lines)))]

    def any_turn(self, data: st.DataObject) -> Turn:
        turns = {turn.id: turn for line in self.lines.values() for turn in line.turns}
        at = data.draw(st.integers(0, len(turns) - 1))
        return list(turns.values())[at]

    def has_turns(self) -> bool:
        return any(line.turns for line in self.lines.values())

    @rule(data=st.data(), sayings=st.lists(st.sampled_from(SAYINGS), min_size=1, max_size=5))
    def add_turns(self, data: st.DataObject, sayings: list[str]) -> None:
        line = self.any_line(data)
        for saying in sayings:
            self.say(line, saying)

    @precondition(has_turns)
    @rule(data=st.data(), saying=st.sampled_from(SAYINGS))
    def swipe(self, data: st.DataObject, saying: str) -> None:
        turn = self.any_turn(data)
        macros = self.macros_over(turn)
        self.tick()
        self.chat.change_turn(self.session, turn.id, lines=said(saying, "Go on."))
        turn.versions.append(saying)
        self.activate(turn, len(turn.versions) - 1)
        assert self.chat.items(ItemFilter(source_floor_id=turn.id)).total == 0
        for macro in macros:
            with pytest.raises(NotFoundError):
                self.chat.item(macro)

    @precondition(has_turns)
    @rule(data=st.data())
    def switch(self, data: st.DataObject) -> None:
        turn = self.any_turn(data)
        version = data.draw(st.integers(0, len(turn.versions) - 1))
        self.tick()
        self.chat.change_turn(self.session, turn.id, version=version)
        if version != turn.active:
            self.activate(turn, version)

    def activate(self, turn: Turn, version: int) -> None:
        """Another version counts; what a person changed in the memory of the one before is gone."""
        turn.active = version
        for line in self.lines.values():
            line.patched = [one for one in line.patched if one[1] != turn.id]

    @precondition(has_turns)
    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        turn = self.any_turn(data)
        macros = self.macros_over(turn)
        self.tick()
        self.chat.delete_turn(self.session, turn.id)
        for line in self.lines.values():
            line.turns = [one for one in line.turns if one is not turn]
        assert self.chat.items(ItemFilter(source_floor_id=turn.id)).total == 0
        for macro in macros:
            with pytest.raises(NotFoundError):
                self.chat.item(macro)

    @precondition(lambda self: len(self.lines) < 4)
    @rule(data=st.data())
    def fork(self, data: st.DataObject) -> None:
        parent = self.any_line(data)
        name = f"支线/{len(self.lines)}.{next(self.numbers)}"
        self.tick()
        place = data.draw(st.integers(-1, len(parent.turns) - 1))
        numbers = [floor.number for floor in floors_of(self.chat, self.session, parent.name)]
        at = None if place < 0 else numbers[place]
        self.chat.create_branch(self.session, name, from_branch=parent.name, at_floor_no=at)
        kept = parent.turns if place < 0 else parent.turns[: place + 1]
        beyond = parent.turns[len(kept) :]
        inherited = [
            (when, new, "")
            for when, new, _ in parent.by_hand
            if not beyond or when < beyond[0].added
        ]
        child = Line(
            name, list(kept), inherited, list(parent.struck), parent.forced, list(parent.patched)
        )
        self.lines[name] = child
        held = {one.content: one.id for one in self.by_hand_in(child)}
        child.by_hand = [(when, new, held[new.content]) for when, new, _ in inherited]

    @precondition(lambda self: len(self.lines) > 1)
    @rule(data=st.data())
    def delete_branch(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(set(self.lines) - {"main"})))
        self.tick()
        self.chat.delete_branch(self.session, name)
        del self.lines[name]
        assert items_in(self.chat, branch_scope(self.session, name)) == []

    @rule(most=st.integers(1, 6))
    def do_some_work(self, most: int) -> None:
        self.tick()
        work(self.chat, most)

    @rule(data=st.data())
    def compact(self, data: st.DataObject) -> None:
        line = self.any_line(data)
        self.tick()
        try:
            asked = self.chat.compact(branch_scope(self.session, line.name))
        except StateError:
            return
        if asked.reason == "forced" or asked.queued.created:
            line.forced = True

    @rule(data=st.data(), told=st.sampled_from([*FACTS, *LOOPS]))
    def write_by_hand(self, data: st.DataObject, told: Any) -> None:
        line = self.any_line(data)
        self.tick()
        scope = branch_scope(self.session, line.name)
        mark = f" (by hand, {next(self.numbers)})"
        if isinstance(told, str):
            new = NewItem(scope=scope, type="open_loop", content=told + mark)
        else:
            key, value = told
            new = NewItem(scope=scope, type="fact", fact_key=key, content=f"{key}: {value}{mark}")
        made = self.chat.create_item(new)
        line.by_hand.append((self.clock.now, new, made.id))

    @precondition(lambda self: any(line.by_hand for line in self.lines.values()))
    @rule(data=st.data())
    def take_back(self, data: st.DataObject) -> None:
        written = [(line, one) for line in self.lines.values() for one in line.by_hand]
        line, one = data.draw(st.sampled_from(written))
        self.tick()
        self.chat.delete_item(one[2])
        line.by_hand.remove(one)

    @precondition(has_turns)
    @rule(data=st.data())
    def strike(self, data: st.DataObject) -> None:
        """Delete what a turn said by hand: it stays away."""
        line = self.any_line(data)
        work(self.chat)
        found = items_in(self.chat, branch_scope(self.session, line.name))
        places = {turn.id: at for at, turn in enumerate(line.turns)}
        made = sorted(
            (one for one in found if one.extractor is not None),
            key=lambda one: (one.type, one.content, places.get(one.source_floor_id or "", -1)),
        )
        if not made:
            return
        item = made[data.draw(st.integers(0, len(made) - 1))]
        self.tick()
        self.chat.delete_item(item.id)
        if item.type == "summary":
            # What would have become of it cannot be told without it.
            line.forced = True
            return
        [turn] = [one for one in line.turns if one.id == item.source_floor_id]
        line.struck.append((self.clock.now, turn.id, turn.active, item.content))

    @precondition(has_turns)
    @rule(data=st.data(), told=st.sampled_from(CHANGES), mark=st.sampled_from(["", PATCHED]))
    def patch(self, data: st.DataObject, told: ItemChange, mark: str) -> None:
        """Change by hand what a turn said: it stays so, whatever is said later."""
        line = self.any_line(data)
        work(self.chat)
        found = items_in(self.chat, branch_scope(self.session, line.name))
        places = {turn.id: at for at, turn in enumerate(line.turns)}
        made = sorted(
            (one for one in found if one.source_floor_id in places and one.type != "summary"),
            key=lambda one: (one.type, one.content, places[one.source_floor_id or ""]),
        )
        if not made:
            return
        item = made[data.draw(st.integers(0, len(made) - 1))]
        [turn] = [one for one in line.turns if one.id == item.source_floor_id]
        self.tick()
        told = replace(told, content=item.content + mark)
        assert self.chat.change_item(item.id, told).content == told.content
        line.patched.append((self.clock.now, turn.id, turn.active, item.content, told))

    @rule()
    def settle(self) -> None:
        """Do all work, and look at everything."""
        self.tick()
        work(self.chat)
        pictures = {name: self.picture_of(name) for name in self.lines}
        for line in self.lines.values():
            self.look_at(line)
            if not line.forced:
                assert differences(pictures[line.name], self.replayed(line)) == ([], [])
        for name in self.lines:
            self.chat.rebuild(branch_scope(self.session, name), force_compaction=False)
        work(self.chat)
        for name, before in pictures.items():
            assert differences(before, self.picture_of(name)) == ([], [])

    def picture_of(self, name: str) -> Picture:
        return picture(self.chat, self.session, name)

    def by_hand_in(self, line: Line) -> list[Item]:
        found = items_in(self.chat, branch_scope(self.session, line.name))
        return [one for one in found if one.extractor is None]

    def macros_over(self, turn: Turn) -> list[str]:
        """Return the larger summaries that took in what a turn said."""
        there = self.chat.items(ItemFilter(source_floor_id=turn.id), Paging(limit=100)).rows
        return [
            edge.from_id
            for one in there
            if one.type == "summary"
            for edge in self.chat.edges(to_id=one.id, relation="compacts").rows
        ]

    def look_at(self, line: Line) -> None:
        scope = branch_scope(self.session, line.name)
        found = items_in(self.chat, scope)
        ids = {one.id for one in found}
        own = {turn.id: turn.versions[turn.active] for turn in line.turns}
        assert {one.source_floor_id for one in found} - {None} <= set(own)
        assert sorted(one.id for one in found if one.extractor is None) == sorted(
            one[2] for one in line.by_hand
        )
        for one, _, other in relations_of(self.chat, found):
            assert {one, other} <= ids
        self.count(found, ItemFilter(scope_kind=scope.kind, scope_name=scope.name))
        for word in SOUGHT:
            wanted = ItemFilter(scope_kind=scope.kind, scope_name=scope.name, words=word)
            hits = {one.id for one in self.chat.items(wanted, Paging(limit=100)).rows}
            assert hits == {one.id for one in found if word.lower() in one.content.lower()}
        for text in SOUGHT[:4]:
            hits = self.memory.recall(Query(text=text, scopes=(scope,), limit=100)).hits
            numbers = {hit.memory.id for hit in hits}
            in_use = {one.memory_id: one for one in found if one.in_use}
            assert numbers <= set(in_use)
            assert {at for at, one in in_use.items() if text in one.content} <= numbers

    def count(self, found: list[Item], wanted: ItemFilter) -> None:
        stats = self.chat.item_stats(wanted)
        assert stats.total == len(found)
        assert stats.active == sum(one.status == "active" for one in found)
        assert stats.estimated_tokens == sum(one.tokens for one in found)
        in_use = replace(wanted, status="active", lifecycle="active")
        assert self.chat.items(in_use).total == sum(one.in_use for one in found)

    def replayed(self, line: Line) -> Picture:
        """Return what another store remembers in which only what survives was said."""
        floors = floors_of(self.chat, self.session, line.name)
        numbers = {floor.id: floor.number for floor in floors}
        now = self.clock.now
        shown = Retelling(self.other.chat, f"{self.session}/again", numbers).of(line, self.clock)
        self.clock.now = now
        return shown

    def teardown(self) -> None:
        self.settle()
        self.chat.delete_session(self.session)


def run(machine: type[Chats], examples: int, steps: int) -> None:
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            derandomize=True,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )


@pytest.fixture
def other(tmp_path: Path, clock: Clock) -> Iterator[OpenMemory]:
    memory = mnemic.open(tmp_path / "other.db", clock=clock, embedder="none", durability="off")
    yield memory
    memory.close()


def test_memory_is_what_the_surviving_turns_say(
    open_it: OpenIt, other: OpenMemory, clock: Clock, database: str
) -> None:
    given = {"memory": open_it(), "other": other, "clock": clock}
    machine = type("ChatsOfThisStore", (Chats,), given)

    if "postgres" in database:
        run(machine, examples=5, steps=12)
    else:
        run(machine, examples=30, steps=25)
