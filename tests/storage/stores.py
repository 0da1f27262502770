"""A store that holds something of everything, for tests that move it, and what it tells."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import mnemic
from mnemic.opening import OpenMemory
from tests.conftest import Clock
from tests.storage.chats import chats_of, converse, hold_sessions, remember_chats

FORCES = '{"newton": [0.0, 4.2, 9.81], "hz": 100}'
USERS = ("default_user", "anna")
MEASURED = ("Lids of jars are screwed on", {"params": {"force": 7}}, "厨房")
# What the first lesson says, again.
REPEATED = ("the mug at station 0 needs 0.5 N", {"task": {"success": True}})
_THINGS = ("mug", "plate", "tray", "bottle", "瓶子", "cup", "杯子", "door")


def opened(database: str | Path, clock: Clock, *, account: str = "default") -> OpenMemory:
    """Open a store with vectors from an embedder that needs no model."""
    return mnemic.open(
        str(database), clock=clock, account=account, embedder="hashing", durability="off"
    )


def fill(
    database: str | Path,
    clock: Clock,
    *,
    account: str = "default",
    lessons: int = 40,
    users: Sequence[str] = USERS,
    chats: bool = True,
) -> None:
    """Learn, sense, revise, forget, undo, merge, repeat and recall; end one run of two. Then let
    users add, search, chat, change and delete, and chats remember.
    """
    with opened(database, clock, account=account) as memory:
        robot = memory.robot
        run = robot.start_session(context={"task": {"name": "取杯子"}})["session_id"]
        first, *_ = robot.learn_many([_lesson(number) for number in range(lessons)], session_id=run)
        number = first.get("memory_id", 0)
        robot.learn("抓取玻璃杯之前必须先降低夹爪速度，否则会滑落。", {"sim": False}, "厨房")
        robot.learn("抓取玻璃杯之前必须先降低夹爪速度，否则会滑落。", collection="厨房")
        robot.save_perception("Force while lifting a mug", "tactile", data=FORCES, session_id=run)
        robot.learn("The tall bottle wobbles on the tray", session_id=run)
        robot.learn("The tall bottle wobbles on the tray when it brakes", session_id=run)
        clock.turn(days=3)
        robot.update(number + 1, "The plate at station 1 needs 7 N since Tuesday")
        robot.forget(number + 2, "the scale was wrong")
        robot.forget(number + 3, "a mistake")
        robot.undo(number + 3)
        robot.end_session(run, 0.8)
        robot.start_session(collection="厨房")
        robot.recall("mug")
        robot.learn(*MEASURED)
        memory.erase("memory", robot.learn("The key lies under the mat").get("memory_id", 0))
        for user in users:
            _assist(memory, user)
        if chats:
            remember_chats(memory)
            converse(memory)
    if chats:
        hold_sessions(database, account)


def everything(memory: OpenMemory) -> list[Any]:
    """Return all that a memory tells about itself, with its history."""
    robot = memory.robot
    listed = [
        record
        for collection in ("default", "厨房")
        for record in robot.list(collection, status="all", n=100)
    ]
    numbers = [record["id"] for record in listed]
    return [
        listed,
        [robot.get(one) for one in numbers],
        [robot.history(one) for one in numbers],
        [everything_of(memory, user) for user in USERS],
        chats_of(memory),
    ]


def everything_of(memory: OpenMemory, user: str) -> list[Any]:
    """Return all that a memory tells about a user: their profile, memories and conversations."""
    held = ask(memory, user, "conversation_list")["conversations"]
    said = [
        ask(memory, user, "conversation_get", conversation_id=one["conversation_id"])
        for one in held
    ]
    profile = ask(memory, user, "memory_get_profile")
    return [profile, ask(memory, user, "memory_list"), held, said]


def ask(memory: OpenMemory, user: str, tool: str, **params: object) -> dict[str, Any]:
    """Return the data of a user's call that succeeds."""
    envelope = memory.assistant.call(tool, {**params, "user_id": user})
    assert envelope["success"], envelope
    return envelope["data"]


def found(memory: OpenMemory) -> list[Any]:
    """Return what is recalled, in its order and with its scores."""
    answers = [
        memory.robot.recall("how much force for a mug", n=10),
        memory.robot.recall("the tall bottle on the tray", n=10),
        memory.robot.recall("玻璃杯会滑落", "厨房"),
        memory.robot.recall("plate", n=10, context_filter={"task.success": False}),
    ]
    return [
        [(hit["id"], hit["content"], round(hit["_rrf_score"], 6)) for hit in answer["memories"]]
        for answer in answers
    ]


def _assist(memory: OpenMemory, user: str) -> None:
    call = partial(ask, memory, user)
    first = call("memory_add", content=f"I am {user}", memory_type="core", context="我自己")
    wrong = call("memory_add", content="水在九十度沸腾", memory_type="semantic")
    call("memory_update", memory_id=first["memory_id"], content=f"My name is {user}")
    call("memory_delete", memory_id=wrong["memory_id"])
    call("memory_search", query="name")
    call("memory_chat", message="我喜欢乌龙茶", conversation_id="茶")
    call("memory_chat", message="What do I like?", conversation_id="茶")
    call("memory_chat", message="My sister lives in Oslo", conversation_id="family")


def _lesson(number: int) -> dict[str, object]:
    thing = _THINGS[number % len(_THINGS)]
    return {
        "insight": f"The {thing} at station {number} needs {number}.5 N",
        "context": {"task": {"success": number % 2 == 0}, "place": [number, 0.5]},
    }
