"""The texts by which an attacker once stalled everything: each is taken in within a moment.

What counts is the time that is computed, and a hundredth of what it took then would still pass.
"""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

import mnemic
from mnemic.opening import OpenMemory
from mnemic.records.conversation import ContextQuery, Line
from mnemic.records.item import ItemFilter, NewItem
from mnemic.records.memory import Draft, Scope
from mnemic.transfer.foreign import import_foreign

MOST_SECONDS: Final = 2.0
SHARED: Final = "The left arm lifts the box from the shelf and puts it down. " * 84


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[OpenMemory]:
    path = tmp_path / "memory.db"
    with mnemic.open(path, embedder="none", durability="off", locale="en") as opened:
        opened.chat.create_session("p")
        yield opened


def turn(*texts: str) -> Callable[[OpenMemory], object]:
    def call(memory: OpenMemory) -> object:
        _, ingest = memory.chat.add_turn("p", [Line("user", one) for one in texts], mode="sync")
        assert ingest.status == "succeeded"
        return ingest

    return call


def item(text: str) -> Callable[[OpenMemory], object]:
    new = NewItem(scope=Scope("chat", "p"), type="fact", content=text)
    return lambda memory: memory.chat.create_item(new)


def two_pages(memory: OpenMemory) -> object:
    memory.remember(Draft(f"{SHARED}It failed twice. {SHARED}"))
    return memory.remember(Draft(f"{SHARED}It never failed. {SHARED}"))


def block_beside_long_items(memory: OpenMemory) -> float:
    for at, pump in enumerate(("百分之", "9万", "I like tea. ", "\n", "(", "天气很好，") * 2):
        text = f"{at} {pump * (1_000_000 // len(pump))}"
        memory.chat.create_item(NewItem(scope=Scope("chat", "p"), type="fact", content=text))
    begun = time.thread_time()
    for question in ("tea?", "百分之 好", "9万 I like"):
        memory.chat.context(ContextQuery(session_id="p", text=question))
    return time.thread_time() - begun


NAMED: Final[dict[str, Callable[[OpenMemory], object]]] = {
    "那就": turn("那就" * 28),
    "那就 at length": turn("那就" * 3_000),
    "newlines": turn("\n" * 100_000 + "x"),
    "brackets": item("(" * 30_000),
    "spaces": item(" " * 30_000 + "x"),
    "a perception of brackets": lambda memory: memory.robot.save_perception("(" * 20_000),
    "a hundred polite lines": turn(*["please" + " " * 3_900 + "x"] * 100),
    "two pages that share passages": two_pages,
}


@pytest.mark.parametrize("name", NAMED)
def test_a_text_that_stalled_everything_is_taken_in(name: str, memory: OpenMemory) -> None:
    begun = time.thread_time()
    NAMED[name](memory)

    assert time.thread_time() - begun < MOST_SECONDS


def test_a_block_does_not_read_all_of_the_longest_items(memory: OpenMemory) -> None:
    assert block_beside_long_items(memory) < MOST_SECONDS


def test_one_line_of_60_000_characters_is_imported_and_found(
    memory: OpenMemory, tmp_path: Path
) -> None:
    text = "".join(chr(0x4E00 + at % 5_000) for at in range(59_990)) + " zanzibar"
    path = tmp_path / "notes.jsonl"
    path.write_text(json.dumps({"content": text}), encoding="utf-8")
    begun = time.thread_time()
    report = import_foreign(memory, path, "jsonl")
    seconds = time.thread_time() - begun

    assert (report.added, report.skipped) == (1, ())
    assert seconds < MOST_SECONDS
    [hit] = memory.recall(mnemic.Query("zanzibar")).hits
    assert hit.memory.content == text


def test_a_text_is_found_by_words_beyond_what_is_read(memory: OpenMemory) -> None:
    text = "The door creaks. " * 2_000 + "Behind it lives a zebra."
    memory.remember(Draft(text))
    item(text)(memory)

    assert [hit.memory.content for hit in memory.recall(mnemic.Query("zebra")).hits] == [text]
    assert memory.chat.items(ItemFilter(words="zebra")).total == 1


KEEP: Final[dict[str, Callable[[OpenMemory, str], object]]] = {
    "memory": lambda memory, text: memory.remember(Draft(text)),
    "item": lambda memory, text: item(text)(memory),
    "turn": lambda memory, text: memory.chat.add_turn("p", [Line("user", text)]),
}


@pytest.mark.parametrize("kind", KEEP)
def test_a_text_of_more_than_a_million_characters_is_refused(kind: str, memory: OpenMemory) -> None:
    with pytest.raises(mnemic.InvalidInputError, match="at most 1048576"):
        KEEP[kind](memory, "x" * (1024 * 1024 + 1))
