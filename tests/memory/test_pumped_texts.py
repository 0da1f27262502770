"""Repetitive texts of doubling length: no verb takes longer for them than their length explains."""

import json
from collections.abc import Callable
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest

import mnemic
from mnemic.opening import OpenMemory
from mnemic.records.conversation import ContextQuery, Line
from mnemic.records.item import ItemFilter, NewItem
from mnemic.records.memory import Draft, Scope
from mnemic.transfer.foreign import import_foreign
from tests.language.growth import grows_too_fast
from tests.language.test_growth import PUMPS

CHAT: Final = Scope("chat", "p")
_numbers: Final = count()

Verb = Callable[[OpenMemory, str], object]


def tool(name: str, parameter: str, **given: str) -> Verb:
    def call(memory: OpenMemory, text: str) -> object:
        return memory.assistant.call(name, {parameter: text, **given})

    return call


def import_line(memory: OpenMemory, text: str) -> object:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "line.jsonl"
        path.write_text(json.dumps({"content": text}), encoding="utf-8")
        return import_foreign(memory, path, "jsonl")


def take_in(memory: OpenMemory, lines: list[Line]) -> object:
    return memory.chat.add_turn("p", lines, mode="sync")


def take_in_lines(memory: OpenMemory, text: str) -> object:
    size = len(text) // 50 + 1
    texts = [text[at : at + size] for at in range(0, len(text), size)]
    return take_in(memory, [Line("user", one) for one in texts])


def keep_an_item(memory: OpenMemory, text: str) -> object:
    return memory.chat.create_item(NewItem(scope=CHAT, type="fact", content=text))


def inject(memory: OpenMemory, text: str, *_: object) -> object:
    return memory.chat.context(ContextQuery(session_id="p", text=text))


def ask_about(memory: OpenMemory, text: str) -> object:
    user = f"u{next(_numbers)}"
    memory.assistant.call("memory_add", {"content": text, "user_id": user})
    return memory.assistant.call("memory_chat", {"message": "What do I like?", "user_id": user})


def swipe(memory: OpenMemory, text: str) -> object:
    floor, _ = memory.chat.add_turn("p", [Line("user", "I like tea")], mode="sync")
    return memory.chat.change_turn("p", floor.id, lines=[Line("user", text)], mode="sync")


def end_a_run(memory: OpenMemory, text: str) -> object:
    run = memory.robot.start_session()["session_id"]
    third = len(text) // 3
    for part in (text, text[third:] + text[:third], text[:third]):
        memory.remember(Draft(part or "x", dedup=False, episode_id=run))
    return memory.robot.end_session(run)


def learn_beside_a_likeness(memory: OpenMemory, text: str) -> object:
    third = len(text) // 3
    scope = Scope("collection", f"c{next(_numbers)}")
    memory.remember(Draft(f"{text[third:]} not {text[:third]}", scope, dedup=False))
    return memory.remember(Draft(text, scope))


VERBS: Final[dict[str, Verb]] = {
    "remember": lambda memory, text: memory.remember(Draft(text)),
    "remember a likeness": learn_beside_a_likeness,
    "robot.learn": lambda memory, text: memory.robot.learn(text),
    "robot.recall": lambda memory, text: memory.robot.recall(text),
    "robot.save_perception": lambda memory, text: memory.robot.save_perception(text),
    "robot.end_session": end_a_run,
    "memory_add": tool("memory_add", "content"),
    "memory_search": tool("memory_search", "query"),
    "memory_chat": tool("memory_chat", "message"),
    "memory_chat about a long memory": ask_about,
    "chat.create_item": keep_an_item,
    "chat.items": lambda memory, text: memory.chat.items(ItemFilter(words=text)),
    "chat.add_turn": lambda memory, text: take_in(memory, [Line("user", text)]),
    "chat.add_turn of many lines": take_in_lines,
    "chat.change_turn": swipe,
    "chat.context": lambda memory, text: inject(memory, text),
    "chat.context of a long item": lambda memory, text: inject(
        memory, "What do I like?", keep_an_item(memory, text)
    ),
    "import": import_line,
}


@pytest.fixture
def pumped(tmp_path: Path) -> Any:
    with mnemic.open(
        tmp_path / "memory.db", embedder="none", durability="off", locale="en"
    ) as memory:
        memory.chat.create_session("p")
        yield memory


@pytest.mark.parametrize("verb", VERBS)
def test_no_verb_takes_longer_than_its_text_explains(verb: str, pumped: OpenMemory) -> None:
    def call(text: str) -> object:
        try:
            # It would be refused for the character that ends it.
            return VERBS[verb](pumped, text.replace("\x00", " "))
        except mnemic.InvalidInputError as refused:
            return refused

    slow = {pump: grows_too_fast(call, pump) for pump in PUMPS}

    assert {pump: why for pump, why in slow.items() if why} == {}
