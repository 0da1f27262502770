"""Promises of what turns say about the same thing: the newest holds, and the old stays readable."""

import pytest

from mnemic.engine.chat_verbs import ChatMemory
from mnemic.opening import OpenMemory
from mnemic.records.conversation import branch_scope
from mnemic.records.item import Item, ItemChange, NewItem
from tests.chat.chatting import floors_of, items_in, picture, relations_of, said, work
from tests.conftest import Clock

SCOPE = branch_scope("s", "main")


@pytest.fixture
def chat(memory: OpenMemory) -> ChatMemory:
    memory.chat.create_session("s")
    return memory.chat


def say(chat: ChatMemory, clock: Clock, *texts: str) -> None:
    for text in texts:
        clock.turn(seconds=1)
        chat.add_turn("s", said(text, "Noted."))
        work(chat)


def homes(chat: ChatMemory) -> dict[str, Item]:
    return {one.content: one for one in items_in(chat, SCOPE, fact_key="user.home")}


def related(chat: ChatMemory) -> list[tuple[str, str, str]]:
    found = items_in(chat, SCOPE)
    texts = {one.id: one.content for one in found}
    return sorted((texts[one], how, texts[other]) for one, how, other in relations_of(chat, found))


@pytest.mark.parametrize(
    ("first", "then", "old", "new"),
    [
        ("I live in Oslo.", "I moved to Lyon.", "user.home: Oslo", "user.home: Lyon"),
        ("我住在杭州。", "我搬到成都了。", "user.home: 杭州", "user.home: 成都"),
    ],
)
def test_the_newest_value_holds_and_the_old_one_stays_readable(
    chat: ChatMemory, clock: Clock, first: str, then: str, old: str, new: str
) -> None:
    say(chat, clock, first, then)

    held = homes(chat)
    assert (held[new].status, held[new].lifecycle, held[new].note) == ("active", "active", None)
    assert (held[old].status, held[old].lifecycle) == ("deprecated", "deprecated")
    assert held[old].note == "A newer value took over."
    assert chat.item(held[old].id).content == old
    assert related(chat) == [(new, "contradicts", old), (new, "updates", old)]


def test_a_value_that_is_told_again_updates_without_contradicting(
    chat: ChatMemory, clock: Clock
) -> None:
    say(chat, clock, "I live in Oslo.", "I live in Oslo.")

    found = items_in(chat, SCOPE, fact_key="user.home")
    assert [one.status for one in found] == ["deprecated", "active"]
    assert related(chat) == [("user.home: Oslo", "updates", "user.home: Oslo")]


def test_the_value_before_holds_again_when_the_turn_goes(chat: ChatMemory, clock: Clock) -> None:
    say(chat, clock, "I live in Oslo.", "I moved to Lyon.")
    before = picture(chat, "s")
    last = floors_of(chat, "s")[-1]

    chat.change_turn("s", last.id, lines=said("It rained.", "Noted."))

    assert homes(chat)["user.home: Oslo"].status == "active"
    assert homes(chat)["user.home: Oslo"].note is None
    assert list(homes(chat)) == ["user.home: Oslo"]
    work(chat)
    chat.change_turn("s", last.id, version=0)
    work(chat)
    assert picture(chat, "s") == before


def test_a_turn_takes_over_from_what_was_written_by_hand_before_it(
    chat: ChatMemory, clock: Clock
) -> None:
    say(chat, clock, "It rained.")
    clock.turn(seconds=1)
    new = NewItem(scope=SCOPE, type="fact", fact_key="user.home", content="user.home: Paris")
    chat.create_item(new)
    say(chat, clock, "I live in Oslo.")
    assert homes(chat)["user.home: Paris"].status == "deprecated"

    chat.delete_turn("s", floors_of(chat, "s")[-1].id)

    assert homes(chat)["user.home: Paris"].status == "active"
    assert homes(chat)["user.home: Paris"].note is None


def test_a_swipe_of_an_older_turn_does_not_take_over_from_what_was_written_by_hand(
    chat: ChatMemory, clock: Clock
) -> None:
    say(chat, clock, "I live in Oslo.", "It rained.")
    clock.turn(seconds=1)
    new = NewItem(scope=SCOPE, type="fact", fact_key="user.home", content="user.home: Paris")
    chat.create_item(new)

    clock.turn(seconds=1)
    chat.change_turn("s", floors_of(chat, "s")[0].id, lines=said("I live in Porto.", "Noted."))
    work(chat)

    assert homes(chat)["user.home: Paris"].status == "active"


def test_what_was_written_by_hand_is_corrected_by_later_turns_after_a_swipe_too(
    chat: ChatMemory, clock: Clock
) -> None:
    new = NewItem(scope=SCOPE, type="fact", fact_key="user.home", content="user.home: Lyon")
    chat.create_item(new)
    say(chat, clock, "It rained.", "I no longer live in Lyon.")
    before = picture(chat, "s")
    assert homes(chat)["user.home: Lyon"].status == "deprecated"

    first, second = floors_of(chat, "s")
    chat.change_turn("s", second.id, lines=said("It rained.", "Noted."))
    assert homes(chat)["user.home: Lyon"].status == "active"
    work(chat)
    chat.change_turn("s", second.id, lines=said("I no longer live in Lyon.", "Noted."))
    work(chat)
    chat.change_turn("s", first.id, lines=said("It rained.", "Noted."))
    work(chat)

    assert picture(chat, "s") == before


def test_a_fork_reads_shared_turns_with_its_own_notes_in_mind(
    chat: ChatMemory, clock: Clock
) -> None:
    new = NewItem(scope=SCOPE, type="fact", fact_key="user.home", content="user.home: Lyon")
    chat.create_item(new)
    say(chat, clock, "It rained.", "I no longer live in Lyon.")
    chat.create_branch("s", "if")
    work(chat)

    assert picture(chat, "s", "if") == picture(chat, "s")
    chat.rebuild(branch_scope("s", "if"), force_compaction=False)
    work(chat)
    chat.change_turn("s", floors_of(chat, "s")[0].id, lines=said("It snowed.", "Noted."))
    work(chat)
    assert picture(chat, "s", "if") == picture(chat, "s")
    assert homes(chat)["user.home: Lyon"].note == "I no longer live in Lyon."


def test_what_a_newer_value_displaced_stays_so_when_that_is_deleted_by_hand(
    chat: ChatMemory, clock: Clock
) -> None:
    say(chat, clock, "I live in Oslo.", "I moved to Lyon.")
    clock.turn(seconds=1)
    chat.delete_item(homes(chat)["user.home: Lyon"].id)
    assert homes(chat)["user.home: Oslo"].status == "deprecated"

    chat.rebuild(SCOPE, force_compaction=False)
    work(chat)

    assert [one.status for one in homes(chat).values()] == ["deprecated"]


def test_what_was_deleted_or_changed_by_hand_is_so_in_forks_too(
    chat: ChatMemory, clock: Clock
) -> None:
    say(chat, clock, "I live in Oslo.", "I have a cat named Tofu.", "My name is Mia.")
    clock.turn(seconds=1)
    facts = {one.fact_key: one for one in items_in(chat, SCOPE, type="fact")}
    chat.delete_item(facts["user.home"].id)
    chat.change_item(facts["user.name"].id, ItemChange(content="user.name: Mia Berg"))

    chat.create_branch("s", "if")
    chat.create_branch("s", "if/of/if", from_branch="if")
    work(chat)

    for branch in ("if", "if/of/if"):
        own = items_in(chat, branch_scope("s", branch), type="fact")
        told = sorted(one.content for one in own)
        assert told == ["user.name: Mia Berg", "user.pet.cat.name: Tofu"]


def test_a_promise_that_is_kept_is_closed_with_the_words_that_tell(
    chat: ChatMemory, clock: Clock
) -> None:
    say(chat, clock, "I promise to call my mother on Sunday.", "It rained.", "I called my mother.")

    [loop] = items_in(chat, SCOPE, type="open_loop")
    assert (loop.status, loop.lifecycle) == ("deprecated", "deprecated")
    assert loop.note == "I called my mother."
    [(micro, how, closed)] = relations_of(chat, items_in(chat, SCOPE))
    assert (how, closed) == ("resolves", loop.id)
    assert "I called my mother." in chat.item(micro).content


def test_a_turn_ends_a_fact_and_tells_why(chat: ChatMemory, clock: Clock) -> None:
    say(chat, clock, "I live in Lyon.", "I no longer live in Lyon.")

    assert homes(chat)["user.home: Lyon"].status == "deprecated"
    assert homes(chat)["user.home: Lyon"].note == "I no longer live in Lyon."
    assert related(chat) == []


def test_more_facts_than_are_shown_at_once_read_alike_in_a_replay(
    chat: ChatMemory, clock: Clock
) -> None:
    for number in range(60):
        clock.turn(seconds=1)
        key = f"user.pet.p{number}.name"
        new = NewItem(scope=SCOPE, type="fact", fact_key=key, content=f"{key}: P{number}")
        chat.create_item(new)
    say(chat, clock, *(f"I no longer have P{number}." for number in range(0, 60, 7)))
    say(chat, clock, "I live in Lyon.", "I no longer live in Lyon.")
    before = picture(chat, "s")

    chat.rebuild(SCOPE, force_compaction=False)
    work(chat)

    assert picture(chat, "s") == before
