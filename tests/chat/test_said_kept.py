"""Promises of what was said: it comes and goes with its turn, and is kept once."""

from mnemic.opening import OpenMemory
from mnemic.records.item import ItemFilter
from mnemic.worker import Worker
from tests.chat.chatting import said
from tests.chat.test_said import LONG, found
from tests.conftest import OpenIt


def documents(memory: OpenMemory) -> int:
    """Return how many entries the index has of what can be found."""
    return memory._workspace.db.only("vectors_none_count")["missing"]  # pyright: ignore[reportPrivateUsage]


def test_a_fork_copies_nothing(memory: OpenMemory) -> None:
    chat = memory.chat
    chat.create_session("s")
    for number in range(5):
        chat.add_turn("s", said(f"Note {number} of the zebra.", LONG))
    before = documents(memory)

    chat.create_branch("s", "fork", at_floor_no=3)

    assert documents(memory) == before
    notes = {text for text in found(memory, "zebra", branch_id="fork") if "zebra" in text}
    assert notes == {f"Note {number} of the zebra." for number in range(4)}


def test_an_erased_turn_is_no_longer_found(open_it: OpenIt) -> None:
    memory = open_it(embedder="hashing")
    chat = memory.chat
    chat.create_session("s")
    chat.add_turn("s", said("I live in Oslo with a zebra.", "Noted."))
    chat.add_turn("s", said("My dog is called Biscuit."))
    Worker(memory).work_off()
    item = next(one for one in chat.items(ItemFilter()).rows if "zebra" in one.content)
    assert found(memory, "zebra")

    memory.erase("memory", item.id)

    assert not any("zebra" in text for text in found(memory, "zebra"))
    Worker(memory).work_off()
    memory.embed_missing()
    assert not any("zebra" in text or "erased" in text for text in found(memory, "zebra"))
