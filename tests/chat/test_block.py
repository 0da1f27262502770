"""Promises of the block: it holds what was said that answers, says why, and costs little."""

from typing import Any

import pytest

from mnemic.opening import OpenMemory
from mnemic.records.conversation import ContextBlock, ContextQuery, Line, branch_scope
from mnemic.records.item import ItemFilter, NewItem
from tests.chat.chatting import said, work
from tests.conftest import Clock
from tests.dialects.chat_calling import Api

CAT = "My cat is called Biscuit, and she sleeps in the piano."
STRATEGIES = ["relevance", "importance", "balanced", "dual_summary"]


@pytest.fixture
def chat(memory: OpenMemory) -> OpenMemory:
    """A memory with a session of forty turns, and one of them that somebody will ask for."""
    memory.chat.create_session("s")
    memory.chat.add_turn("s", [Line("user", CAT, "Brenna"), Line("assistant", "How sweet!")])
    for number in range(40):
        text = f"Parcel {number} of the order left the depot by train."
        memory.chat.add_turn("s", said(text, f"I noted parcel {number}."))
    work(memory.chat)
    return memory


def block(memory: OpenMemory, text: str, **asked: Any) -> ContextBlock:
    return memory.chat.context(ContextQuery(session_id="s", text=text, **asked))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_what_was_said_is_in_the_block_with_its_speaker_its_floor_and_the_reason(
    chat: OpenMemory, strategy: str
) -> None:
    asked = {"query": "What is the cat called?", "strategy": strategy, "token_budget": 200}

    found = Api(chat).ok("POST", "/sessions/s/context", asked)["data"]

    assert f"- (floor 0, Brenna) {CAT}" in found["text"].splitlines()
    [own] = [
        one for one in found["items"] if one["type"] == "passage" and "called, cat" in one["reason"]
    ]
    assert own["reason"].startswith("matches the query: called, cat (score 1.00)")
    assert found["token_count"] <= 200
    assert all(one["reason"] for one in [*found["items"], *found["dropped"]])


def test_passages_come_in_the_order_in_which_they_were_said(chat: OpenMemory) -> None:
    lines = block(chat, "Which parcels left the depot by train?").text.splitlines()

    floors = [int(line.split("floor ")[1].split(",")[0]) for line in lines if "(floor" in line]
    assert len(floors) > 5
    assert floors == sorted(floors)
    assert all("(floor" in line for line in lines[-len(floors) :])


@pytest.mark.parametrize("text", ["lol ok", "haha nice", "Good morning!", "哈哈好的", "thanks!"])
def test_small_talk_costs_at_most_sixty_tokens(chat: OpenMemory, text: str) -> None:
    for number in range(9):
        note = f"Rule {number}: never mention the war of the lilies in the house."
        scope = branch_scope("s", "main")
        chat.chat.create_item(NewItem(scope=scope, type="fact", content=note, importance=0.9))

    found = block(chat, text)

    assert found.token_count <= 60
    assert found.trace["asked_for"] == "nothing"
    assert "floor" not in found.text


def test_what_nothing_comes_close_to_costs_at_most_sixty_tokens(chat: OpenMemory) -> None:
    assert block(chat, "Zeppelins over Reykjavik").token_count <= 60


def test_facts_and_loops_take_at_most_thirty_percent_beside_what_was_said(
    chat: OpenMemory,
) -> None:
    for number in range(40):
        fact = f"Parcel {number} belongs to the order of train {number}."
        scope = branch_scope("s", "main")
        chat.chat.create_item(NewItem(scope=scope, type="fact", content=fact))

    found = block(chat, "Which parcels of the order left by train?")

    spent = sum(one.tokens for one in found.chosen if one.type in ("fact", "open_loop"))
    assert 0 < spent <= 150
    assert any(one.type == "passage" for one in found.chosen)
    assert any(one.reason == "beyond 30 % of the budget" for one in found.dropped)


def test_a_passage_that_does_not_fit_is_skipped_and_the_next_goes_in(chat: OpenMemory) -> None:
    long = "The zebra of the zebra house, " + "which is tall and wide and old, " * 9 + "is a zebra."
    chat.chat.add_turn("s", said(long))
    chat.chat.add_turn("s", said("A zebra."))

    found = block(chat, "Where is the zebra of the zebra house?", token_budget=40)

    assert "A zebra." in found.text
    assert any(one.reason.startswith("does not fit") for one in found.dropped)


def test_what_the_app_still_shows_and_what_other_branches_say_stays_out(chat: OpenMemory) -> None:
    chat.chat.create_branch("s", "fork", at_floor_no=5)
    chat.chat.add_turn("s", said("The cat is called Toast."), branch_id="fork")

    question = "What is the cat called?"
    assert CAT not in block(chat, question, window_start=0).text
    assert "Toast" not in block(chat, question).text
    assert "Toast" in block(chat, question, branch_id="fork").text


def test_system_prompts_never_become_memory(memory: OpenMemory) -> None:
    memory.chat.create_session("s")
    prompt = Line("system", "You are Captain Zarkon of the zebra ship.")
    memory.chat.add_turn("s", [prompt, Line("user", "Who commands the ship?")])
    work(memory.chat)

    assert "Zarkon" not in block(memory, "Who commands the zebra ship?").text


def test_passages_of_compacted_turns_are_still_found(chat: OpenMemory) -> None:
    compacted = chat.chat.items(ItemFilter(lifecycle="compacted"))

    assert compacted.total > 0
    assert CAT in block(chat, "What is the cat called?").text


def test_what_is_said_twice_goes_in_once(chat: OpenMemory) -> None:
    chat.chat.add_turn("s", said(CAT))

    found = block(chat, "What is the cat called?")

    assert found.text.count("in the piano") == 1
    assert any(one.reason.startswith("said in the same words") for one in found.dropped)


def test_a_context_writes_nothing_while_it_is_asked_for(
    chat: OpenMemory, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    item = chat.chat.create_item(
        NewItem(scope=branch_scope("s", "main"), type="fact", content="The cat is grey.")
    )
    workspace = chat._workspace  # pyright: ignore[reportPrivateUsage]
    written: list[object] = []

    def write(*args: object) -> None:
        written.append(args)

    with monkeypatch.context() as patch:
        patch.setattr(type(workspace.db), "write", write)
        patch.setattr(workspace.accesses, "_begin", lambda: None)
        found = block(chat, "Is the cat grey?")

    assert written == []
    assert item.id in [one.id for one in found.chosen]
    assert chat.chat.item(item.id).used_at == clock()
