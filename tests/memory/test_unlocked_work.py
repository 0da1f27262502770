"""Promises about slow rules: while one reads, nothing is locked, so that everybody else goes on."""

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any, Final

import pytest

import mnemic
from mnemic import Draft
from mnemic.opening import OpenMemory
from mnemic.records.conversation import Line
from tests.conftest import OpenIt
from tests.memory.rule_clocks import SECONDS, HeldRule
from tests.memory.test_pumped_texts import VERBS

LESSON = "The gripper slips on wet tiles"
RULES: Final = (
    *("mnemic.chat.extraction.", "mnemic.assistant.answering.", "mnemic.assistant.understanding."),
    "mnemic.language.classify",
    *("mnemic.language.sentences", "mnemic.language.memory_types", "mnemic.language.broadening"),
)
READING: Final = ("fingerprint", "Reading.", "scope_files", "confidence")
_numbers: Final = count()
SAID: Final = (
    *("My dog is called Rex.", "My dog is called Rex!", "I live in Lyon, because I like it."),
    *("我住在上海，我喜欢喝茶。", "Remind me to call Tom tomorrow.", "I have called Tom."),
)


def _learn_likenesses(memory: OpenMemory) -> object:
    # What was read lately is not read again.
    lesson = f"{LESSON} on floor {next(_numbers)}"
    return memory.robot.learn_many([lesson, f"{lesson} again"])


def _end_a_run(memory: OpenMemory) -> object:
    run = memory.robot.start_session()["session_id"]
    for end in ("", " badly", " again"):
        memory.remember(Draft(f"{LESSON}{end}", dedup=False, episode_id=run))
    return memory.robot.end_session(run)


def _add_a_turn(memory: OpenMemory) -> object:
    said = Line("user", f"Hi, it is me for the {next(_numbers)}th time")
    return memory.chat.add_turn("p", [said], mode="sync")


def _delete_a_turn(memory: OpenMemory) -> object:
    floors = [memory.chat.add_turn("p", [Line("user", text)], mode="sync")[0] for text in SAID[::2]]
    return memory.chat.delete_turn("p", floors[0].id)


SLOW: Final[dict[str, Callable[[OpenMemory], object]]] = {
    "compose": lambda memory: memory.robot.learn(LESSON),
    "_read_each": _learn_likenesses,
    "groups_of": _end_a_run,
    "read": _add_a_turn,
    "Projection.run": _delete_a_turn,
    "gather": lambda memory: memory.assistant.call("memory_chat", {"message": "Who am I?"}),
    "_answers": lambda memory: memory.robot.recall("wet tiles"),
}


@pytest.mark.parametrize("function", SLOW)
def test_others_read_and_write_while_a_rule_is_at_work(function: str, open_it: OpenIt) -> None:
    rule = HeldRule()
    memory = open_it(rule_clock=rule, busy_seconds=1.0, locale="en")
    memory.chat.create_session("p")
    other = memory.of_account("other")
    rule.function = function
    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(SLOW[function], memory)
        try:
            assert rule.reached.wait(SECONDS)
            learned = [one.robot.learn("Doors open inwards") for one in (other, memory)]
            hits = [one.robot.recall("doors")["memories"] for one in (other, memory)]
        finally:
            rule.may_go_on.set()
        slow.result(SECONDS)

    assert [one["status"] for one in learned] == ["created", "created"]
    assert [[hit["content"] for hit in one] for one in hits] == [["Doors open inwards"]] * 2


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[OpenMemory]:
    path = tmp_path / "memory.db"
    with mnemic.open(path, embedder="hashing", durability="off", locale="en") as opened:
        opened.chat.create_session("p")
        yield opened


@pytest.mark.parametrize("verb", VERBS)
def test_no_rule_reads_while_the_store_is_locked(verb: str, memory: OpenMemory) -> None:
    found: set[str] = set()

    def look(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and _is_rule(frame) and _is_locked(frame):
            found.add(f"{frame.f_globals['__name__']}.{code.co_qualname}")

    sys.setprofile(look)
    try:
        for text in SAID:
            VERBS[verb](memory, text)
            VERBS[verb](memory, f"{text} {next(_numbers)}")
    finally:
        sys.setprofile(None)

    assert found == set()


def _is_rule(frame: FrameType) -> bool:
    name, function = frame.f_globals.get("__name__", ""), frame.f_code.co_qualname
    if name.startswith("mnemic.language.") and function.startswith(READING):
        return True
    return name.startswith(RULES) and not name.endswith(".extraction")


def _is_locked(frame: FrameType | None) -> bool:
    while frame is not None and frame.f_code.co_qualname != "SqliteDatabase._done":
        frame = frame.f_back
    return frame is not None
