"""What is older than the settings let it be kept goes, and nothing else, on each backend."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from mnemic.errors import NotFoundError, SettingsError
from mnemic.opening import OpenMemory
from mnemic.records.conversation import JobFilter, Line, branch_scope, chat_scope
from mnemic.records.item import ItemFilter, NewItem
from mnemic.records.memory import Chat, Draft, Scope, Utterance
from mnemic.settings import read_settings
from mnemic.worker import Worker
from tests.administration.erasing.traces import MARKER, rows_with, traces_in
from tests.chat.chatting import items_in
from tests.conftest import Clock, OpenIt
from tests.postgres import Server

ADA = Scope("user", "ada")
EVERYTHING = {"episodic_days": 30, "conversation_days": 30, "event_days": 30, "job_days": 30}


def removed(memory: OpenMemory) -> dict[str, int]:
    """Let everything go that is too old, of all accounts; return how much that was."""
    upkeep = memory.upkeep
    portions = (portion for one in upkeep.accounts() for portion in upkeep.expire(one))
    return dict(sum(portions, Counter[str]()))


def counted(memory: OpenMemory) -> dict[str, int]:
    """Return what a dry run tells."""
    upkeep = memory.upkeep
    return dict(sum((upkeep.expired(one) for one in upkeep.accounts()), Counter[str]()))


def say(memory: OpenMemory, text: str, conversation: str = "c-1") -> None:
    memory.converse(Chat(Utterance("user", text), ADA, conversation_id=conversation))


def contents(memory: OpenMemory) -> list[str]:
    return [one.content for one in memory.browse(ADA, status=None)]


def test_by_default_everything_is_kept_for_ever(memory: OpenMemory, clock: Clock) -> None:
    memory.remember(Draft("Today I saw a heron", ADA, kind="episodic"))
    say(memory, "Yesterday I bought a kettle.")
    memory.chat.create_session("s")
    memory.chat.add_turn("s", [Line("user", "Hello.")])
    Worker(memory).work_off()
    clock.turn(days=30_000)

    assert counted(memory) == {}
    Worker(memory).work_off()
    assert removed(memory) == {}
    assert "Today I saw a heron" in contents(memory)
    assert memory.conversations(ADA)
    assert memory.chat.jobs(JobFilter()).total > 0


def test_an_episodic_memory_is_kept_as_long_as_it_may_be_and_no_longer(
    open_it: OpenIt, clock: Clock
) -> None:
    memory = open_it(episodic_days=30, embedder="hashing")
    first = memory.remember(Draft("Today I saw a heron", ADA, kind="episodic")).memory
    memory.remember(Draft("My name is Ada", ADA, kind="core"))
    memory.robot.learn("the cup is red")
    clock.turn(days=10)
    later = memory.remember(Draft("Today I saw a fox", ADA, kind="episodic")).memory

    clock.turn(days=20)
    assert counted(memory) == removed(memory) == {}
    clock.turn(seconds=1)
    assert counted(memory) == {"episodic_memories": 1}
    assert first.id == memory.get(first.id).id
    assert removed(memory) == {"episodic_memories": 1}

    with pytest.raises(NotFoundError):
        memory.get(first.id)
    assert contents(memory) == [later.content, "My name is Ada"]
    assert memory.count(ADA) == 2
    assert memory.robot.recall("cup")["total"] == 1
    assert counted(memory) == removed(memory) == {}


def test_a_changed_or_forgotten_memory_is_kept_from_its_last_change_on(
    open_it: OpenIt, clock: Clock
) -> None:
    memory = open_it(episodic_days=30)
    changed = memory.remember(Draft("Today I saw a heron", ADA, kind="episodic")).memory
    forgotten = memory.remember(Draft("Today I saw a fox", ADA, kind="episodic")).memory
    memory.forget(forgotten.id, reason="it was a dog")
    clock.turn(days=20)
    memory.revise(changed.id, "Today I saw two herons")
    clock.turn(days=11)

    assert removed(memory) == {"episodic_memories": 1}
    assert contents(memory) == ["Today I saw two herons"]
    clock.turn(days=20)
    assert removed(memory) == {"episodic_memories": 1}
    assert contents(memory) == []


def test_a_conversation_goes_with_what_was_said_in_it_and_leaves_what_was_learned_for_good(
    open_it: OpenIt, clock: Clock
) -> None:
    memory = open_it(conversation_days=30)
    say(memory, "My name is Ada.", "old")
    say(memory, "Yesterday I bought a kettle.", "old")
    clock.turn(days=10)
    say(memory, "Yesterday I sold a bicycle.", "new")
    kinds = {one.content: one.kind for one in memory.browse(ADA)}
    assert "episodic" in kinds.values()
    lasting = [text for text, kind in kinds.items() if kind != "episodic"]

    clock.turn(days=20)
    assert counted(memory) == removed(memory) == {}
    clock.turn(seconds=1)
    due = counted(memory)
    assert due["conversations"] == 1
    assert removed(memory) == due

    assert [one.id for one in memory.conversations(ADA)] == ["new"]
    left = contents(memory)
    assert set(lasting) <= set(left)
    assert not [text for text in left if "kettle" in text]
    assert [text for text in left if "bicycle" in text]


def test_a_conversation_that_goes_on_is_kept(open_it: OpenIt, clock: Clock) -> None:
    memory = open_it(conversation_days=30)
    say(memory, "My name is Ada.")
    clock.turn(days=29)
    say(memory, "Where do I live?")
    clock.turn(days=29)

    assert removed(memory) == {}
    assert len(memory.messages(ADA, "c-1")) == 4


def test_what_somebody_goes_on_with_while_others_are_removed_is_kept(
    open_it: OpenIt, clock: Clock
) -> None:
    memory = open_it(conversation_days=30)
    for conversation in ("a", "b", "c"):
        say(memory, "My name is Ada.", conversation)
    clock.turn(days=31)
    [account] = memory.upkeep.accounts()
    portions = memory.upkeep.expire(account)

    assert next(portions)["conversations"] == 1
    say(memory, "Where do I live?", "b")

    assert sum(portions, Counter[str]())["conversations"] == 1
    assert [one.id for one in memory.conversations(ADA)] == ["b"]


def test_a_round_that_was_broken_off_is_finished_by_the_next(open_it: OpenIt, clock: Clock) -> None:
    memory = open_it(conversation_days=30)
    for conversation in ("a", "b"):
        say(memory, "My name is Ada.", conversation)
    clock.turn(days=31)
    [account] = memory.upkeep.accounts()
    next(memory.upkeep.expire(account))

    assert removed(memory)["conversations"] == 1
    assert memory.conversations(ADA) == []


def test_a_chat_session_goes_with_its_memory_unless_something_in_it_is_pinned(
    open_it: OpenIt, clock: Clock
) -> None:
    memory = open_it(conversation_days=30)
    chat = memory.chat
    for session in ("old", "pinned", "branch-pinned", "new"):
        chat.create_session(session)
        chat.add_turn(session, [Line("user", "I live in Oslo.")], mode="sync")
    for scope in (chat_scope("pinned"), branch_scope("branch-pinned", "main")):
        chat.create_item(
            NewItem(scope=scope, type="fact", content="Never call before nine.", pinned=True)
        )
    clock.turn(days=30)
    assert counted(memory) == removed(memory) == {}
    chat.add_turn("new", [Line("user", "I like tea.")], mode="sync")
    clock.turn(seconds=1)

    assert counted(memory) == {"sessions": 1}
    assert removed(memory) == {"sessions": 1}

    assert sorted(one.id for one in chat.sessions().rows) == ["branch-pinned", "new", "pinned"]
    assert not chat.items(ItemFilter(scope_kind="branch", scope_name='["old","main"]')).rows
    [kept] = items_in(chat, chat_scope("pinned"), type="fact")
    assert kept.content == "Never call before nine."
    assert items_in(chat, branch_scope("new", "main"), type="fact")


def test_the_history_is_kept_as_long_as_it_may_be_and_no_longer(
    open_it: OpenIt, clock: Clock
) -> None:
    memory = open_it(event_days=30)
    memory.robot.learn("the cup is red")
    clock.turn(days=10)
    memory.robot.update(1, "the cup is green")

    clock.turn(days=20)
    assert counted(memory) == removed(memory) == {}
    clock.turn(seconds=1)
    assert counted(memory) == removed(memory) == {"events": 1}
    assert [one.verb for one in memory.history(1)] == ["revised"]
    assert memory.get(1).content == "the cup is green"
    assert memory.undo(1).content == "the cup is red"


def test_many_events_go_in_portions_of_a_thousand(open_it: OpenIt, clock: Clock) -> None:
    memory = open_it(event_days=30)
    drafts = [Draft(f"part {number} fits", dedup=False) for number in range(2_100)]
    memory.remember_many(drafts)
    clock.turn(days=31)
    [account] = memory.upkeep.accounts()

    assert [portion["events"] for portion in memory.upkeep.expire(account)] == [1000, 1000, 100]
    assert memory.count() == 2_100


def test_a_finished_job_is_kept_as_long_as_it_may_be_and_one_that_waits_for_ever(
    open_it: OpenIt, clock: Clock
) -> None:
    memory = open_it(job_days=30)
    chat = memory.chat
    chat.create_session("s")
    chat.add_turn("s", [Line("user", "Hello.")])
    Worker(memory).work_off()
    chat.add_turn("s", [Line("user", "I like tea.")])

    clock.turn(days=30)
    assert counted(memory) == removed(memory) == {}
    clock.turn(seconds=1)
    assert counted(memory)["jobs"] == removed(memory)["jobs"] > 0
    assert [job.status for job in chat.jobs(JobFilter()).rows] == ["pending"]


def test_a_worker_removes_what_is_too_old_once_a_day_in_all_accounts(
    open_it: OpenIt, clock: Clock
) -> None:
    memory, other = open_it(**EVERYTHING), open_it(account="other")
    worker = Worker(memory)
    for one in (memory, other):
        one.remember(Draft("Today I saw a heron", ADA, kind="episodic"))
    worker.work_off()
    clock.turn(days=31)

    worker.work_off()

    assert contents(memory) == contents(other) == []
    memory.remember(Draft("Today I saw a fox", ADA, kind="episodic"))
    assert contents(memory) == ["Today I saw a fox"]


def test_nothing_of_what_was_removed_is_left_in_any_file(
    open_it: OpenIt, clock: Clock, database: str, request: pytest.FixtureRequest
) -> None:
    memory = open_it(embedder="hashing", **EVERYTHING)
    memory.remember(Draft(f"Today I saw a {MARKER}", ADA, kind="episodic"))
    say(memory, f"Yesterday I bought a {MARKER}.")
    memory.chat.create_session("s")
    memory.chat.add_turn("s", [Line("user", f"I own a {MARKER}.")], mode="sync")
    memory.remember(Draft("My name is Ada", ADA, kind="core"))
    clock.turn(days=31)

    Worker(memory).work_off()
    memory.close()

    if "postgres" in database:
        server: Server = request.getfixturevalue("postgres")
        assert rows_with(database, server) == set()
    else:
        assert rows_with(database, None) == set()
        assert traces_in(Path(database).parent) == []


@pytest.mark.parametrize("name", EVERYTHING)
@pytest.mark.parametrize("days", [-1, 36_501])
def test_a_limit_that_is_none_is_refused(name: str, days: int) -> None:
    given: dict[str, Any] = {name: days}

    with pytest.raises(SettingsError, match="use 0 to 36500"):
        read_settings(given, {})
