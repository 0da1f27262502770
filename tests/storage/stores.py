"""A store that holds something of everything, for tests that move it."""

from pathlib import Path

import mnemic
from mnemic.opening import OpenMemory
from tests.conftest import Clock

FORCES = '{"newton": [0.0, 4.2, 9.81], "hz": 100}'
_THINGS = ("mug", "plate", "tray", "bottle", "瓶子", "cup", "杯子", "door")


def opened(database: str | Path, clock: Clock, *, account: str = "default") -> OpenMemory:
    """Open a store with vectors from an embedder that needs no model."""
    return mnemic.open(
        str(database), clock=clock, account=account, embedder="hashing", durability="off"
    )


def fill(
    database: str | Path, clock: Clock, *, account: str = "default", lessons: int = 40
) -> None:
    """Learn, sense, revise, forget, undo, merge, repeat and recall; end one run of two."""
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


def _lesson(number: int) -> dict[str, object]:
    thing = _THINGS[number % len(_THINGS)]
    return {
        "insight": f"The {thing} at station {number} needs {number}.5 N",
        "context": {"task": {"success": number % 2 == 0}, "place": [number, 0.5]},
    }
