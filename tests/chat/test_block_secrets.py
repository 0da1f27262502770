"""Promises about secrets in what a chat injects: a block goes to a language model."""

from mnemic.opening import OpenMemory
from mnemic.records.conversation import MAIN, ContextQuery, branch_scope
from mnemic.records.item import NewItem


def test_a_block_masks_the_secrets_of_its_items_and_the_item_keeps_them(
    memory: OpenMemory,
) -> None:
    memory.chat.create_session("s")
    told = "The wifi password at home is plum-badger-12."
    item = memory.chat.create_item(
        NewItem(scope=branch_scope("s", MAIN), type="fact", content=told)
    )

    block = memory.chat.context(
        ContextQuery(session_id="s", text="wifi password", token_budget=200)
    )

    assert "The wifi password at home is ••••••" in block.text
    assert "plum-badger-12" not in block.text
    assert memory.chat.item(item.id).content == told
