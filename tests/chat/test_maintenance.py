"""Promises of maintenance: what grows old goes out of use, and in the end goes."""

import pytest

from mnemic.engine.chat_verbs import ChatMemory
from mnemic.errors import NotFoundError
from mnemic.opening import OpenMemory
from mnemic.records.conversation import branch_scope
from mnemic.records.item import Item, NewItem
from mnemic.records.memory import Scope
from tests.chat.chatting import floors_of, items_in, picture, said, texts_in, work
from tests.conftest import Clock, OpenIt

SCOPE = branch_scope("s", "main")


def feed(chat: ChatMemory, clock: Clock, turns: int = 12) -> None:
    """Say so many things in a session; the first promises something, and tells where one lives."""
    chat.create_session("s")
    for number in range(turns):
        clock.turn(seconds=1)
        text = (
            "I promise to call my mother on Sunday. I live in Oslo." if number == 0 else "下雨了。"
        )
        chat.add_turn("s", said(f"{text} ({number})", "Noted."))
    work(chat)


def maintain(chat: ChatMemory, scope: Scope = SCOPE) -> None:
    chat.maintain(scope)
    work(chat)


def old(chat: ChatMemory) -> list[Item]:
    return items_in(chat, SCOPE, status="deprecated")


def test_summaries_age_once_a_larger_one_has_them_and_loops_once_nobody_mentions_them(
    memory: OpenMemory, clock: Clock
) -> None:
    chat = memory.chat
    feed(chat, clock)
    assert texts_in(chat, SCOPE, type="open_loop", status="active") != []

    clock.turn(days=6)
    maintain(chat)
    assert old(chat) == []

    clock.turn(days=2)
    maintain(chat)
    assert {one.type for one in old(chat)} == {"open_loop"}
    assert old(chat)[0].note == "Nobody mentioned it for more than 7 days."

    clock.turn(days=23)
    maintain(chat)
    aged = [one for one in old(chat) if one.tier == "micro"]
    assert [one.coverage_start for one in aged] == list(range(8))
    assert {one.note for one in aged} == {"A larger summary took it in more than 30 days ago."}
    # The newest four are in no larger summary yet; facts and larger summaries never age.
    assert len(items_in(chat, SCOPE, tier="micro", status="active")) == 4
    assert len(items_in(chat, SCOPE, tier="macro", status="active")) == 1
    assert "user.home: Oslo" in texts_in(chat, SCOPE, type="fact", status="active")


def test_a_loop_that_is_mentioned_again_lives_on(memory: OpenMemory, clock: Clock) -> None:
    chat = memory.chat
    chat.create_session("s")
    promise = said("I promise to call my mother on Sunday.", "Noted.")
    chat.add_turn("s", promise, mode="sync")
    clock.turn(days=6)
    chat.add_turn("s", promise, mode="sync")
    clock.turn(days=2)

    maintain(chat)
    assert len(texts_in(chat, SCOPE, type="open_loop", status="active")) == 1

    clock.turn(days=6)
    maintain(chat)
    assert texts_in(chat, SCOPE, type="open_loop", status="active") == []


def test_what_aged_does_not_come_back_and_its_larger_summary_stays(
    memory: OpenMemory, clock: Clock
) -> None:
    chat = memory.chat
    feed(chat, clock)
    clock.turn(days=31)
    maintain(chat)
    before = picture(chat, "s")

    chat.rebuild(SCOPE, force_compaction=False)
    work(chat)
    assert picture(chat, "s") == before

    chat.change_turn("s", floors_of(chat, "s")[-1].id, lines=said("晴天。", "Oh."))
    work(chat)
    assert len(items_in(chat, SCOPE, tier="macro", lifecycle="active")) == 1
    assert len(items_in(chat, SCOPE, tier="micro", status="deprecated")) == 8


def test_larger_summaries_are_made_again_from_what_aged(memory: OpenMemory, clock: Clock) -> None:
    chat = memory.chat
    feed(chat, clock)
    clock.turn(days=31)
    maintain(chat)

    chat.rebuild(SCOPE)
    work(chat)
    [macro] = items_in(chat, SCOPE, tier="macro", lifecycle="active")
    assert macro.derived_from == 8

    chat.delete_turn("s", floors_of(chat, "s")[0].id)
    chat.add_turn("s", said("晴天。", "Oh."))
    work(chat)
    [macro] = items_in(chat, SCOPE, tier="macro", lifecycle="active")
    # With one turn less, eleven are compacted for the gap of twelve floors.
    assert (macro.coverage_start, macro.derived_from) == (1, 7)


def test_what_is_deprecated_long_enough_goes_for_good(memory: OpenMemory, clock: Clock) -> None:
    chat = memory.chat
    feed(chat, clock)
    clock.turn(days=31)
    maintain(chat)
    gone = old(chat)
    [macro] = items_in(chat, SCOPE, tier="macro")

    clock.turn(days=91)
    maintain(chat)

    assert old(chat) == []
    for one in gone:
        with pytest.raises(NotFoundError):
            chat.item(one.id)
    assert chat.edges(from_id=macro.id).total == 0
    before = picture(chat, "s")
    chat.rebuild(SCOPE, force_compaction=False)
    work(chat)
    assert picture(chat, "s") == before
    assert chat.item(macro.id).content == macro.content
    assert len(items_in(chat, SCOPE, tier="micro")) == 4

    chat.change_turn("s", floors_of(chat, "s")[-1].id, lines=said("晴天。", "Oh."))
    work(chat)
    assert chat.item(macro.id).content == macro.content


def test_a_fork_does_not_bring_back_what_aged_or_went(memory: OpenMemory, clock: Clock) -> None:
    chat = memory.chat
    feed(chat, clock)
    clock.turn(days=31)
    maintain(chat)
    chat.create_branch("s", "aged")
    assert picture(chat, "s", "aged") == picture(chat, "s")

    clock.turn(days=91)
    maintain(chat)
    chat.create_branch("s", "gone")
    work(chat)

    assert picture(chat, "s", "gone") == picture(chat, "s")


def test_a_loop_that_is_told_again_after_it_aged_is_open_again(
    memory: OpenMemory, clock: Clock
) -> None:
    chat = memory.chat
    feed(chat, clock, 1)
    clock.turn(days=8)
    maintain(chat)
    assert texts_in(chat, SCOPE, type="open_loop", status="active") == []

    clock.turn(seconds=1)
    chat.add_turn("s", said("I promise to call my mother on Sunday.", "Good."))
    work(chat)

    assert len(texts_in(chat, SCOPE, type="open_loop", status="active")) == 1
    before = picture(chat, "s")
    chat.rebuild(SCOPE, force_compaction=False)
    work(chat)
    assert picture(chat, "s") == before


@pytest.mark.parametrize("scope", [Scope("global", "global"), Scope("chat", "茶"), SCOPE])
def test_pinned_items_never_age(memory: OpenMemory, clock: Clock, scope: Scope) -> None:
    loop = NewItem(scope=scope, type="open_loop", content="Who has the key?")
    memory.chat.create_item(loop)
    pinned = NewItem(
        scope=scope, type="open_loop", content="Never forget the key.", importance=1, pinned=True
    )
    memory.chat.create_item(pinned)

    clock.turn(days=400)
    maintain(memory.chat, scope)

    assert texts_in(memory.chat, scope, status="active") == ["Never forget the key."]
    assert texts_in(memory.chat, scope, status="deprecated") == ["Who has the key?"]


def test_a_dry_run_lists_what_would_happen_and_changes_nothing(
    memory: OpenMemory, clock: Clock
) -> None:
    chat = memory.chat
    feed(chat, clock)
    clock.turn(days=31)
    before = items_in(chat, SCOPE)

    planned = chat.maintenance(SCOPE)

    assert items_in(chat, SCOPE) == before
    assert chat.maintenance(SCOPE) == planned
    assert {one.action for one in planned} == {"deprecate"}
    maintain(chat)
    assert {one.item_id for one in planned} == {one.id for one in old(chat)}
    assert chat.maintenance(SCOPE) == []
    assert chat.maintenance(Scope("chat", "never")) == []


def test_zero_days_are_never(open_it: OpenIt, clock: Clock) -> None:
    chat = open_it(micro_days=0, loop_days=0, purge_days=0).chat
    feed(chat, clock)
    chat.set_status([items_in(chat, SCOPE, type="fact")[0].id], "deprecated")
    before = picture(chat, "s")

    clock.turn(days=4000)

    assert chat.maintenance(SCOPE) == []
    maintain(chat)
    assert picture(chat, "s") == before


def test_days_can_be_set(open_it: OpenIt, clock: Clock) -> None:
    chat = open_it(loop_days=2, purge_days=3).chat
    feed(chat, clock, 1)

    clock.turn(days=2, seconds=1)
    maintain(chat)
    assert len(old(chat)) == 1
    clock.turn(days=3, seconds=1)
    maintain(chat)

    assert items_in(chat, SCOPE, type="open_loop") == []


def test_a_scope_is_maintained_once_a_day_and_only_if_it_holds_something_old(
    memory: OpenMemory, clock: Clock
) -> None:
    feed(memory.chat, clock, 1)
    assert memory.chat.maintain_all() == 0

    clock.turn(days=8)
    assert memory.chat.maintain_all() == 1
    assert memory.chat.maintain_all() == 0
    work(memory.chat)
    assert old(memory.chat) != []
    assert memory.chat.maintain_all() == 0

    clock.turn(days=91)
    assert memory.chat.maintain_all() == 1
