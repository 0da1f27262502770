"""Promises of erasing: what was erased stands nowhere any more, and nothing else is gone."""

from typing import Any

import pytest

from mnemic.errors import NotFoundError, StateError
from mnemic.opening import OpenMemory
from mnemic.records.conversation import branch_scope
from mnemic.records.erasure import REDACTED, ErasedKind
from mnemic.records.item import ItemFilter, NewItem
from mnemic.records.memory import Chat, Draft, Scope, Utterance
from tests.administration.erasing.traces import MARKER, Traces
from tests.chat.chatting import floors_of, said, texts_in, work
from tests.conftest import Clock, OpenIt

ADA, BEN = Scope("user", "ada"), Scope("user", "ben")


def learned(memory: OpenMemory, text: str, **given: Any) -> int:
    return memory.remember(Draft(text, **given)).memory.id


def test_the_marker_is_found_where_nothing_was_erased(memory: OpenMemory, traces: Traces) -> None:
    memory.robot.forget(learned(memory, f"The {MARKER} valve leaks"), "wrong")

    assert {"memory", "event"} <= set(traces())


def test_an_erased_memory_stands_nowhere_in_any_of_its_wordings(
    memory: OpenMemory, traces: Traces
) -> None:
    kept = learned(memory, "The door opens inwards")
    number = learned(memory, f"The {MARKER} valve leaks", context={"speaker": MARKER})
    memory.remember(Draft(f"the {MARKER} valve leaks"))
    memory.revise(number, f"The {MARKER} valve is tight since Tuesday")
    memory.forget(number, reason=f"{MARKER} is no valve")
    memory.undo(number)

    receipt = memory.erase("memory", number)

    assert receipt.counts["memories"] == 1
    assert receipt.counts["events"] >= 4
    assert receipt.finished_at is not None
    with pytest.raises(NotFoundError):
        memory.get(number)
    assert memory.get(kept).content == "The door opens inwards"
    assert memory.count() == 1
    assert traces() == []


def test_what_was_merged_with_an_erased_memory_goes_too(memory: OpenMemory, traces: Traces) -> None:
    robot = memory.robot
    run = robot.start_session(context={"task": {"name": "wash"}})["session_id"]
    for ending in ("", " again", " again today", " when it is cold"):
        robot.learn(f"The tall {MARKER} bottle wobbles on the tray{ending}", session_id=run)
    report = robot.end_session(run)
    [first, *_] = memory.browse(status=None)
    assert report["consolidated"]["superseded_count"] >= 1
    superseded = next(one for one in memory.browse(status=None) if one.status == "superseded")

    memory.erase("memory", superseded.id)
    for left in memory.browse(status=None):
        memory.erase("memory", left.id)

    assert first.content
    assert traces() == []


def test_a_perception_goes_with_what_the_sensor_delivered(
    memory: OpenMemory, traces: Traces
) -> None:
    saved = memory.robot.save_perception(f"Force at the {MARKER}", "tactile", data=f'["{MARKER}"]')

    receipt = memory.erase("memory", saved["memory_id"])

    assert receipt.counts["payloads"] == 1
    assert traces() == []


def converse(memory: OpenMemory, text: str, scope: Scope = ADA, conversation: str = "c-1") -> None:
    memory.converse(Chat(Utterance("user", text), scope, conversation_id=conversation))


def test_the_turn_that_told_an_erased_memory_is_redacted(
    memory: OpenMemory, clock: Clock, traces: Traces
) -> None:
    converse(memory, f"I live in {MARKER} and I like tea.")
    clock.turn(minutes=1)
    converse(memory, "Where do I live?")
    clock.turn(minutes=1)
    converse(memory, "My cat is called Tom.")
    told = [one for one in memory.browse(ADA) if MARKER in one.content]
    assert told

    for one in told:
        memory.erase("memory", one.id)

    said_now = [one.content for one in memory.messages(ADA, "c-1")]
    assert said_now[:2] == [REDACTED, REDACTED]
    assert "My cat is called Tom." in said_now
    assert any("Tom" in one.content for one in memory.browse(ADA))
    assert traces() == []


def test_an_erased_conversation_goes_with_what_was_remembered_of_it_alone(
    memory: OpenMemory, traces: Traces
) -> None:
    learned(memory, "I drink green tea every morning", scope=ADA, kind="episodic")
    converse(memory, f"My sister {MARKER} lives in Bern.")
    converse(memory, "I drink green tea every morning")
    converse(memory, "I have two bicycles.", conversation="c-2")

    receipt = memory.erase("conversation", "c-1", user="ada")

    assert receipt.counts["conversations"] == 1
    assert receipt.counts["messages"] == 4
    assert [one.id for one in memory.conversations(ADA)] == ["c-2"]
    kept = {one.content for one in memory.browse(ADA)}
    assert {"I drink green tea every morning", "I have two bicycles."} <= kept
    assert traces() == []


def test_an_erased_user_leaves_nothing_and_nobody_else_loses_anything(
    memory: OpenMemory, traces: Traces
) -> None:
    converse(memory, f"My sister {MARKER} lives in Bern.")
    converse(memory, "I live in Basel.", BEN, "c-9")
    number = learned(memory, f"Ada met {MARKER}", scope=ADA, kind="episodic")
    memory.forget(number, reason="a mistake")
    memory.assistant.call("memory_search", {"query": MARKER, "user_id": "ada"})

    receipt = memory.erase("user", "ada")

    assert receipt.counts["memories"] >= 2
    assert memory.profile(ADA) is None
    assert [one.id for one in memory.conversations(BEN)] == ["c-9"]
    assert memory.browse(BEN)
    assert "ada" not in repr(receipt)
    assert traces() == []


def test_an_erased_name_is_in_no_file(memory: OpenMemory, traces: Traces) -> None:
    learned(memory, "I like tea", scope=Scope("user", MARKER))
    robot = memory.robot
    run = robot.start_session(collection=f"{MARKER} hall")["session_id"]
    robot.learn("Mind the step", collection=f"{MARKER} hall", session_id=run)
    robot.end_session(run)

    memory.erase("user", MARKER)
    memory.erase("collection", f"{MARKER} hall")

    assert traces() == []


def test_an_erased_collection_goes_with_its_runs_and_perceptions(
    memory: OpenMemory, traces: Traces
) -> None:
    robot = memory.robot
    context = {"task": {"name": MARKER}}
    run = robot.start_session(collection="hall", context=context)["session_id"]
    robot.learn(f"The {MARKER} valve leaks", collection="hall", session_id=run)
    robot.save_perception(
        f"{MARKER} hums", "auditory", data=f'["{MARKER}"]', collection="hall", session_id=run
    )
    robot.end_session(run)
    robot.learn("Mind the step", collection="dock")

    receipt = memory.erase("collection", "hall")

    assert (receipt.counts["memories"], receipt.counts["episodes"]) == (2, 1)
    assert memory.count(Scope("collection", "dock")) == 1
    assert robot.recall("valve", collection="hall")["total"] == 0
    robot.learn("A new lesson", collection="hall")
    assert [one.content for one in memory.browse(Scope("collection", "hall"))] == ["A new lesson"]
    assert traces() == []


def chatted(memory: OpenMemory, clock: Clock) -> None:
    """Say something of everything in a session with a fork, and in another session."""
    chat = memory.chat
    for session in ("s1", "s2"):
        chat.create_session(session)
    for text in (f"My name is {MARKER}.", f"I moved to {MARKER} last year.", "I like tea."):
        clock.turn(seconds=1)
        chat.add_turn("s1", said(text, "Noted."))
    clock.turn(seconds=1)
    chat.add_turn("s2", said("I like coffee.", "Noted."))
    work(chat)
    chat.create_branch("s1", "other")
    main = branch_scope("s1", "main")
    item = chat.create_item(NewItem(scope=main, type="fact", content=f"{MARKER} is a secret"))
    chat.delete_item(item.id)
    work(chat)


def test_an_erased_session_goes_with_its_branches_items_and_jobs(
    memory: OpenMemory, clock: Clock, traces: Traces
) -> None:
    chatted(memory, clock)

    receipt = memory.erase("session", "s1")

    assert receipt.counts["turns"] == 3
    assert receipt.counts["jobs"] >= 3
    assert [one.id for one in memory.chat.sessions().rows] == ["s2"]
    assert texts_in(memory.chat, branch_scope("s2", "main"))
    memory.chat.create_session("s1")
    assert traces() == []


def test_a_deleted_session_can_still_be_erased(
    memory: OpenMemory, clock: Clock, traces: Traces
) -> None:
    chatted(memory, clock)
    memory.chat.delete_session("s1")

    memory.erase("session", "s1")

    assert traces() == []


def test_an_erased_item_goes_with_the_turn_that_told_it(
    memory: OpenMemory, clock: Clock, traces: Traces
) -> None:
    chatted(memory, clock)
    chat = memory.chat
    while told := [
        one for one in chat.items(ItemFilter()).rows if MARKER.lower() in one.content.lower()
    ]:
        memory.erase("memory", told[0].id)
        work(chat)

    assert [floor.lines[0].content for floor in floors_of(chat, "s1")] == [
        *(REDACTED, REDACTED, "I like tea.")
    ]
    assert any("tea" in text for text in texts_in(chat, branch_scope("s1", "main")))
    assert traces() == []


def test_an_item_written_by_hand_goes_with_its_copies_in_forks(
    memory: OpenMemory, clock: Clock, traces: Traces
) -> None:
    chat = memory.chat
    chat.create_session("s1")
    main = branch_scope("s1", "main")
    item = chat.create_item(NewItem(scope=main, type="fact", content=f"The code is {MARKER}"))
    chat.add_turn("s1", said("Hello.", "Hello!"))
    work(chat)
    chat.create_branch("s1", "other")
    assert texts_in(chat, branch_scope("s1", "other"), type="fact")

    memory.erase("memory", item.id)

    assert traces() == []


def test_an_erased_account_loses_its_name_its_keys_and_all_it_held(
    memory: OpenMemory, clock: Clock, traces: Traces
) -> None:
    other = memory.of_account(MARKER)
    chatted(other, clock)
    learned(other, f"The {MARKER} valve leaks")
    memory.keys.create(f"{MARKER}'s robot", account=MARKER)
    memory.keys.create("mine")
    learned(memory, "The door opens inwards")

    receipt = other.erase("account", MARKER)

    assert (receipt.counts["accounts"], receipt.counts["keys"]) == (1, 1)
    assert [key.name for key in memory.keys.listed()] == ["mine"]
    assert memory.count() == 1
    assert memory.of_account(MARKER).count() == 0
    assert memory.of_account(MARKER).erasures() == []
    assert other.erasures() == [receipt]
    memory.of_account(MARKER).erase("account", MARKER)
    assert traces() == []


def test_nothing_is_written_to_an_account_that_was_erased(memory: OpenMemory) -> None:
    other = memory.of_account("acme")
    learned(other, "The door opens inwards")
    other.erase("account", "acme")

    with pytest.raises(StateError, match="erased"):
        learned(other, "The door opens outwards")
    learned(memory.of_account("acme"), "The door opens outwards")
    assert other.count() == 0


def test_only_an_account_itself_can_be_erased(memory: OpenMemory) -> None:
    memory.of_account("acme")

    with pytest.raises(NotFoundError, match="acme"):
        memory.erase("account", "acme")


@pytest.mark.parametrize("kind", ["memory", "conversation", "session", "user", "collection"])
def test_a_dry_run_changes_nothing_and_counts_what_goes_then(
    memory: OpenMemory, clock: Clock, kind: ErasedKind
) -> None:
    chatted(memory, clock)
    converse(memory, "My sister lives in Bern.")
    number = learned(memory, "The valve leaks")
    names: dict[str, str | int] = {
        "memory": number,
        "conversation": "c-1",
        "session": "s1",
        "user": "ada",
    }
    name = names.get(kind, "default")

    looked = memory.erase(kind, name, user="ada", dry_run=True)

    assert (looked.id, looked.finished_at) == ("", None)
    assert memory.erasures() == []
    assert memory.get(number).content == "The valve leaks"
    assert memory.erase(kind, name, user="ada").counts == looked.counts != {}


@pytest.mark.parametrize("kind", ["memory", "conversation", "session", "user", "collection"])
def test_erasing_again_returns_the_same_receipt_and_what_never_was_is_an_error(
    memory: OpenMemory, clock: Clock, kind: ErasedKind
) -> None:
    chatted(memory, clock)
    converse(memory, "My sister lives in Bern.")
    number = learned(memory, "The valve leaks")
    names: dict[str, str | int] = {
        "memory": number,
        "conversation": "c-1",
        "session": "s1",
        "user": "ada",
    }
    name = names.get(kind, "default")

    first = memory.erase(kind, name, user="ada")

    assert memory.erase(kind, name, user="ada") == first
    assert memory.erasures() == [first]
    with pytest.raises(NotFoundError):
        memory.erase(kind, 99_999, user="ada")


def test_a_receipt_says_who_erased_and_when_and_nothing_of_what(
    open_it: OpenIt, clock: Clock
) -> None:
    memory = open_it(actor="the clerk")
    number = learned(memory, f"The {MARKER} valve leaks")
    clock.turn(hours=2)

    receipt = memory.erase("memory", number)

    assert (receipt.kind, receipt.number) == ("memory", number)
    assert (receipt.actor, receipt.erased_at) == ("the clerk", clock.now)
    assert MARKER.lower() not in repr(receipt).lower()
    assert memory.erasures() == [receipt]
