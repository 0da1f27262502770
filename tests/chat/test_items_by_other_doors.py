"""What a chat keeps as an item is not changed behind its back."""

from collections.abc import Callable

import pytest

from mnemic import Memory, StateError
from mnemic.opening import OpenMemory
from mnemic.records.item import ItemFilter, NewItem
from mnemic.records.memory import Draft, Scope

CHAT = Scope("chat", "s-1")


def forgotten(memory: OpenMemory, number: int) -> Memory:
    return memory.forget(number, reason="wrong")


def revised(memory: OpenMemory, number: int) -> Memory:
    return memory.revise(number, "another text").after


@pytest.mark.parametrize("change", [forgotten, revised])
def test_an_item_is_only_changed_as_an_item(
    memory: OpenMemory, change: Callable[[OpenMemory, int], Memory]
) -> None:
    item = memory.chat.create_item(NewItem(scope=CHAT, type="fact", content="Ann has a cat"))

    with pytest.raises(StateError, match=r"memory\.chat"):
        change(memory, item.memory_id)

    assert memory.chat.item(item.id) == item
    assert memory.chat.items(ItemFilter(words="cat")).total == 1


def test_a_memory_in_a_chat_scope_that_is_no_item_is_changed_as_ever(memory: OpenMemory) -> None:
    stored = memory.remember(Draft("Ann has a cat", scope=CHAT)).memory

    assert revised(memory, stored.id).content == "another text"
    assert forgotten(memory, stored.id).status == "invalidated"
