"""What a chat injects, from the store to the block, on every backend."""

import pytest

from mnemic.opening import OpenMemory
from mnemic.records.conversation import (
    MAIN,
    ContextBlock,
    ContextQuery,
    Strategy,
    branch_scope,
    chat_scope,
)
from mnemic.records.item import ItemChange, NewItem
from mnemic.records.memory import Scope

SESSION = "s"
BRANCH = branch_scope(SESSION, MAIN)
_FILLERS = 160


@pytest.fixture
def chat(memory: OpenMemory) -> OpenMemory:
    """A memory with a session whose branch holds many facts that nobody asks for."""
    memory.chat.create_session(SESSION)
    for number in range(_FILLERS):
        put(memory, f"Parcel {number} left the depot.", importance=0.5)
    return memory


def put(memory: OpenMemory, content: str, *, scope: Scope = BRANCH, **fields: object) -> str:
    given = {"type": "fact", **fields}
    return memory.chat.create_item(NewItem(scope=scope, content=content, **given)).id  # pyright: ignore[reportArgumentType]


def block(memory: OpenMemory, text: str, strategy: Strategy = "relevance") -> ContextBlock:
    return memory.chat.context(
        ContextQuery(session_id=SESSION, text=text, strategy=strategy, token_budget=200)
    )


def ids(block: ContextBlock) -> list[str]:
    return [one.id for one in block.chosen]


def test_what_answers_goes_in_however_unimportant_old_and_many_the_others(
    chat: OpenMemory,
) -> None:
    cat = put(chat, "The cat is called Mimi.", importance=0.4)
    for number in range(60):
        put(chat, f"Crate {number} waits at the quay.", importance=0.9)

    found = block(chat, "What is the cat called?")

    assert max(found.chosen, key=lambda one: one.score).id == cat
    assert cat not in ids(block(chat, "What is the cat called?", "importance"))


def test_what_is_important_fills_what_is_left_even_if_nothing_recalls_it(chat: OpenMemory) -> None:
    cat = put(chat, "The cat is called Mimi.")
    weighty = put(chat, "Never mention the war.", importance=0.9)
    loop = put(chat, "Book the ferry.", type="open_loop", importance=0.8)

    assert {cat, weighty, loop} <= set(ids(block(chat, "What is the cat called?")))


def test_a_fact_of_a_narrower_scope_overrides_one_that_was_recalled(chat: OpenMemory) -> None:
    wide = put(chat, "name: the cat is called Mimi", scope=chat_scope(SESSION), fact_key="cat.name")
    narrow = put(chat, "Tofu", fact_key="cat.name", importance=0.36)

    found = block(chat, "What is the cat called?")

    assert wide not in ids(found)
    assert {one.id: one.reason for one in found.dropped}[wide].startswith(f"overridden by {narrow}")


@pytest.mark.parametrize("strategy", ["relevance", "importance", "balanced", "dual_summary"])
def test_what_is_pinned_is_always_found_among_many(chat: OpenMemory, strategy: Strategy) -> None:
    pinned = put(chat, "Answer in verse.", importance=0.4)
    chat.chat.change_item(pinned, ItemChange(importance=1.0, pinned=True))
    for number in range(120):
        put(chat, f"Crate {number} waits at the quay.", importance=1.0)

    assert pinned in ids(block(chat, "What is the cat called?", strategy))


@pytest.mark.parametrize("strategy", ["importance", "balanced", "dual_summary"])
def test_a_kind_that_is_rare_has_its_turn(chat: OpenMemory, strategy: Strategy) -> None:
    loop = put(chat, "Book the ferry.", type="open_loop", importance=0.6)

    assert loop in ids(block(chat, "", strategy))
