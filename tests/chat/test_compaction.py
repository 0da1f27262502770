"""Promises of compaction: when many summaries become one, which, and what becomes of them."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from mnemic.engine.chat_verbs import ChatMemory
from mnemic.errors import NotFoundError, StateError
from mnemic.opening import OpenMemory
from mnemic.providers.chat_models.chat_model import AnswerForm, Completion
from mnemic.records.conversation import JobFilter, branch_scope
from mnemic.records.item import Item, ItemChange, NewItem
from mnemic.records.memory import Scope, Utterance
from tests.chat.chatting import (
    floors_of,
    items_in,
    picture,
    relations_of,
    said,
    work,
)
from tests.conftest import Clock

SCOPE = branch_scope("s", "main")
NOTHING = "No compaction candidates are available for this scope"


def feed(chat: ChatMemory, clock: Clock, turns: int, text: str = "第{}天下雨了。") -> None:
    """Say so many things, one after the other, in a session that is made where it is missing."""
    if not chat.sessions(limit=100).total:
        chat.create_session("s")
    for number in range(turns):
        clock.turn(seconds=1)
        chat.add_turn("s", said(text.format(number), "Noted."))
        work(chat)


def micros(chat: ChatMemory, lifecycle: str = "active") -> list[Item]:
    return items_in(chat, SCOPE, tier="micro", lifecycle=lifecycle)


def macros(chat: ChatMemory, lifecycle: str = "active") -> list[Item]:
    return items_in(chat, SCOPE, tier="macro", lifecycle=lifecycle)


def test_twelve_summaries_become_one_of_eight_and_four_stay(
    memory: OpenMemory, clock: Clock
) -> None:
    feed(memory.chat, clock, 11)
    assert macros(memory.chat) == []

    feed(memory.chat, clock, 1)

    [macro] = macros(memory.chat)
    taken = micros(memory.chat, "compacted")
    assert len(micros(memory.chat)) == 4
    assert [one.coverage_start for one in taken] == list(range(8))
    assert {one.status for one in taken} == {"active"}
    assert (macro.coverage_start, macro.coverage_end, macro.derived_from) == (0, 7, 8)
    assert (macro.importance, macro.extractor, macro.status) == (0.65, "rules", "active")
    ends = sorted(one.id for one in taken)
    related = relations_of(memory.chat, [macro])
    assert sorted(to for _, name, to in related if name == "compacts") == ends
    assert sorted(to for _, name, to in related if name == "derived_from") == ends
    job = memory.chat.jobs(JobFilter(job_type="compact_macro")).rows[0]
    assert job.payload["reason"] == "micro_count_threshold"
    assert macro.source_job_id == job.id


@pytest.mark.parametrize(("count", "taken"), [(7, 3), (8, 4), (11, 7), (5, 3), (6, 3)])
def test_a_forced_compaction_takes_the_oldest_and_keeps_four_where_it_can(
    memory: OpenMemory, clock: Clock, count: int, taken: int
) -> None:
    feed(memory.chat, clock, count)
    oldest = [one.id for one in micros(memory.chat)][:taken]

    asked = memory.chat.compact(SCOPE)

    assert (asked.reason, list(asked.source_ids)) == ("forced", oldest)
    assert (asked.coverage_start, asked.coverage_end) == (0, taken - 1)
    work(memory.chat)
    assert len(micros(memory.chat)) == count - taken
    assert [one.derived_from for one in macros(memory.chat)] == [taken]


@pytest.mark.parametrize("count", [0, 2, 3, 4])
def test_too_few_summaries_are_not_compacted(memory: OpenMemory, clock: Clock, count: int) -> None:
    memory.chat.create_session("s")
    feed(memory.chat, clock, count)

    with pytest.raises(StateError) as refused:
        memory.chat.compact(SCOPE)

    assert str(refused.value) == NOTHING


def test_without_force_the_rules_decide(memory: OpenMemory, clock: Clock) -> None:
    feed(memory.chat, clock, 7)

    with pytest.raises(StateError, match=NOTHING):
        memory.chat.compact(SCOPE, force=False)


def test_nothing_is_known_of_a_scope_that_nobody_used(memory: OpenMemory) -> None:
    with pytest.raises(StateError, match=NOTHING):
        memory.chat.compact(Scope("chat", "never"))


def test_nine_hundred_tokens_are_compacted_before_there_are_twelve(
    memory: OpenMemory, clock: Clock
) -> None:
    feed(memory.chat, clock, 5, "<memory>" + "雨" * 170 + "{}</memory>")
    assert macros(memory.chat) == []

    feed(memory.chat, clock, 1, "<memory>" + "雨" * 170 + "</memory>")

    [macro] = macros(memory.chat)
    assert macro.derived_from == 3
    [job] = memory.chat.jobs(JobFilter(job_type="compact_macro")).rows
    assert job.payload["reason"] == "micro_token_threshold"


def test_twelve_floors_after_the_last_larger_summary_are_enough(
    memory: OpenMemory, clock: Clock
) -> None:
    feed(memory.chat, clock, 11)
    for floor in floors_of(memory.chat, "s")[:6]:
        memory.chat.delete_turn("s", floor.id)

    feed(memory.chat, clock, 1)

    [macro] = macros(memory.chat)
    assert (macro.coverage_start, macro.coverage_end, macro.derived_from) == (6, 8, 3)
    [job] = memory.chat.jobs(JobFilter(job_type="compact_macro")).rows
    assert job.payload["reason"] == "floor_gap_threshold"


def test_what_is_asked_for_twice_is_one_job(memory: OpenMemory, clock: Clock) -> None:
    feed(memory.chat, clock, 7)

    first = memory.chat.compact(SCOPE)
    second = memory.chat.compact(SCOPE)

    assert (first.queued.created, second.queued.created) == (True, False)
    assert replace(second, queued=first.queued) == first
    assert second.queued.job_id == first.queued.job_id
    work(memory.chat)
    assert len(macros(memory.chat)) == 1


class Scribe:
    """A language model that always has a summary."""

    name, sees = "scribe", False

    def __init__(self) -> None:
        self.asked = 0

    def complete(
        self, system: str, said: Sequence[Utterance], *, form: AnswerForm | None = None
    ) -> Completion:
        self.asked += 1
        return Completion('{"micro_summary": "It rained.", "summary": "It rained for days."}')

    def close(self) -> None:
        pass


@pytest.fixture
def scribe(monkeypatch: pytest.MonkeyPatch) -> Scribe:
    model = Scribe()

    def choose(*_: object, **_named: object) -> Scribe:
        return model

    monkeypatch.setattr("mnemic.opening.choose_chat_model", choose)
    return model


def by_place(found: list[Item]) -> list[Item]:
    return sorted(found, key=lambda one: one.coverage_start or 0)


def test_without_a_model_larger_summaries_stay_as_they_are(
    memory: OpenMemory, clock: Clock
) -> None:
    feed(memory.chat, clock, 60)

    assert [one.derived_from for one in by_place(macros(memory.chat))] == [8] * 7
    assert macros(memory.chat, "compacted") == []


@pytest.mark.usefixtures("scribe")
def test_when_six_larger_summaries_stand_a_model_makes_one_of_the_oldest_four(
    memory: OpenMemory, clock: Clock
) -> None:
    feed(memory.chat, clock, 51)
    assert len(macros(memory.chat)) == 5

    feed(memory.chat, clock, 1)

    first, *rest = by_place(macros(memory.chat))
    assert (first.coverage_start, first.coverage_end, first.derived_from) == (0, 31, 4)
    assert [(one.coverage_start, one.coverage_end) for one in rest] == [(32, 39), (40, 47)]
    taken = macros(memory.chat, "compacted")
    assert {one.status for one in taken} == {"active"}
    compacted = [to for _, name, to in relations_of(memory.chat, [first]) if name == "compacts"]
    assert sorted(compacted) == sorted(one.id for one in taken)


@pytest.mark.usefixtures("scribe")
@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_larger_summaries_are_rolled_up_alike_however_they_came_about(
    memory: OpenMemory, clock: Clock
) -> None:
    feed(memory.chat, clock, 90)
    before = picture(memory.chat, "s")
    assert [one.derived_from for one in by_place(macros(memory.chat))] == [4, 4, 8, 8]

    memory.chat.create_session("late")
    for number in range(90):
        memory.chat.add_turn("late", said(f"第{number}天下雨了。", "Noted."))
    work(memory.chat)
    assert picture(memory.chat, "late") == before

    for is_forced in (False, True):
        memory.chat.rebuild(SCOPE, force_compaction=is_forced)
        work(memory.chat)
        rolled = [one.derived_from for one in by_place(macros(memory.chat))]
        assert rolled[:3] == [4, 4, 8]


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_an_edit_asks_a_model_for_the_turn_its_window_and_the_one_above(
    scribe: Scribe, memory: OpenMemory, clock: Clock
) -> None:
    feed(memory.chat, clock, 90)
    before = {one.id for one in (*macros(memory.chat), *macros(memory.chat, "compacted"))}
    scribe.asked = 0

    third = floors_of(memory.chat, "s")[3]
    memory.chat.change_turn("s", third.id, lines=said("第3天没有下雨。", "Noted."))
    work(memory.chat)

    after = {one.id for one in (*macros(memory.chat), *macros(memory.chat, "compacted"))}
    assert scribe.asked == 3
    assert len(after) == len(before)
    assert len(after - before) == 2


@pytest.mark.parametrize(
    "scope", [Scope("global", "global"), Scope("chat", "x/y"), Scope("floor", "f"), SCOPE]
)
def test_summaries_written_by_hand_can_be_compacted_in_any_scope(
    memory: OpenMemory, clock: Clock, scope: Scope
) -> None:
    written: list[Item] = []
    for number in range(7):
        clock.turn(seconds=1)
        text = f"On day {number} they sailed on."
        new = NewItem(scope=scope, type="summary", tier="micro", content=text)
        written.append(memory.chat.create_item(new))

    asked = memory.chat.compact(scope)
    work(memory.chat)

    assert list(asked.source_ids) == [one.id for one in written[:3]]
    assert (asked.coverage_start, asked.coverage_end) == (None, None)
    [macro] = items_in(memory.chat, scope, tier="macro")
    assert (macro.derived_from, macro.coverage_start, macro.importance) == (3, None, 0.65)
    assert "sailed" in macro.content
    taken = items_in(memory.chat, scope, tier="micro", lifecycle="compacted")
    assert [one.id for one in taken] == [one.id for one in written[:3]]


def test_a_compaction_that_was_asked_for_outlives_a_rebuild_and_swipes_elsewhere(
    memory: OpenMemory, clock: Clock
) -> None:
    feed(memory.chat, clock, 6)
    text = "They agreed to meet at the harbour."
    memory.chat.create_item(NewItem(scope=SCOPE, type="summary", tier="micro", content=text))
    asked = memory.chat.compact(SCOPE)
    work(memory.chat)
    before = picture(memory.chat, "s")
    assert len(asked.source_ids) == 3

    memory.chat.rebuild(SCOPE, force_compaction=False)
    work(memory.chat)
    assert picture(memory.chat, "s") == before

    memory.chat.change_turn("s", floors_of(memory.chat, "s")[-1].id, lines=said("晴天。", "Oh."))
    work(memory.chat)
    assert len(macros(memory.chat)) == 1


def test_a_compaction_that_waits_is_still_made_when_another_turn_is_swiped(
    memory: OpenMemory, clock: Clock
) -> None:
    feed(memory.chat, clock, 7)
    memory.chat.compact(SCOPE)

    memory.chat.change_turn("s", floors_of(memory.chat, "s")[-1].id, lines=said("晴天。", "Oh."))
    work(memory.chat)

    assert [one.derived_from for one in macros(memory.chat)] == [3]


def test_a_swipe_within_a_larger_summary_removes_it_at_once(
    memory: OpenMemory, clock: Clock
) -> None:
    feed(memory.chat, clock, 12)
    [macro] = macros(memory.chat)
    third = floors_of(memory.chat, "s")[3]

    memory.chat.change_turn("s", third.id, lines=said("The sun came out.", "At last."))

    with pytest.raises(NotFoundError):
        memory.chat.item(macro.id)
    assert micros(memory.chat, "compacted") == []
    assert [one.coverage_start for one in micros(memory.chat)] == [
        number for number in range(12) if number != 3
    ]
    work(memory.chat)
    [after] = macros(memory.chat)
    assert (after.coverage_start, after.coverage_end, after.derived_from) == (0, 7, 8)


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_an_edit_far_back_leaves_the_other_larger_summaries_alone(
    memory: OpenMemory, clock: Clock
) -> None:
    feed(memory.chat, clock, 40)
    before = {one.id for one in macros(memory.chat)}
    assert len(before) == 4

    floor = floors_of(memory.chat, "s")[10]
    memory.chat.change_turn("s", floor.id, lines=said("第10天没有下雨。", "Noted."))

    assert len({one.id for one in macros(memory.chat)} & before) == 3
    work(memory.chat)
    assert len({one.id for one in macros(memory.chat)} & before) == 3
    assert len(macros(memory.chat)) == 4


def test_a_larger_summary_deleted_by_hand_stays_away(memory: OpenMemory, clock: Clock) -> None:
    feed(memory.chat, clock, 12)
    [macro] = macros(memory.chat)

    memory.chat.delete_item(macro.id)
    memory.chat.rebuild(SCOPE, force_compaction=False)
    work(memory.chat)

    assert macros(memory.chat) == []
    assert len(micros(memory.chat, "compacted")) == 8


def test_a_larger_summary_deprecated_by_hand_stays_so(memory: OpenMemory, clock: Clock) -> None:
    feed(memory.chat, clock, 12)
    [macro] = macros(memory.chat)

    memory.chat.change_item(macro.id, ItemChange(status="deprecated"))
    memory.chat.rebuild(SCOPE, force_compaction=False)
    work(memory.chat)

    assert memory.chat.item(macro.id).status == "deprecated"
