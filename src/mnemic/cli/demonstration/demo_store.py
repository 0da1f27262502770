"""A store to look at: a robot's runs, a person's memories and a branched chat, over four weeks."""

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, Final

from mnemic.cli.demonstration.depth_picture import depth_picture
from mnemic.opening import OpenMemory
from mnemic.records.conversation import Line
from mnemic.records.filters import parse_filter
from mnemic.records.item import Relation
from mnemic.records.memory import Draft, Scope, memory_name

_MENDED: Final = "Found that {force} N of grip force holds a ceramic mug, {how}."
_DAYS: Final = 28
_SEED: Final = 7

_OBJECTS: Final = (
    ("ceramic mug", 12.5, (1.3, 0.7, 0.42)),
    ("wine glass", 4.2, (1.1, 0.5, 0.42)),
    ("cereal bowl", 9.0, (0.8, 0.9, 0.42)),
    ("cast-iron pan", 31.0, (0.4, 0.2, 0.90)),
    ("paper cup", 2.1, (1.6, 0.8, 0.42)),
    ("dinner plate", 14.0, (0.9, 0.4, 0.85)),
)
_FAILURES: Final = (
    "The {what} slipped because the gripper was still wet at {force} N.",
    "{force} N was too much for the {what}: the rim cracked.",
    "Missed the {what} because steam hid it from the camera.",
)
_SUCCESSES: Final = (
    "Found that {force} N of grip force holds a {what}.",
    "Approaching the {what} from the left keeps the arm clear of the tap, {force} N held.",
    "Slowing to 0.1 m/s before the {what} prevents knocking it over at {force} N.",
)
_PERSON: Final = (
    ("core", "My name is Anna Keller and I live in Zurich."),
    ("core", "I work as a nurse on the night shift."),
    ("semantic", "I am allergic to peanuts."),
    ("episodic", "On Saturday I hiked up the Uetliberg with my brother Jonas."),
    ("core", "I like oolong tea in the morning and nothing with sugar."),
    ("procedural", "To reset the thermostat, hold both arrows for five seconds."),
    ("semantic", "My bicycle is a green Stromer with the frame number 88-1240."),
    ("knowledge_vault", "The code of the bicycle shed is 4417."),
    ("core", "我周末喜欢在湖边读书。"),
    ("episodic", "I signed up for the half marathon in May."),
    ("core", "I live in Bern now."),
    ("core", "I work as a nurse on the day shift now."),
)
_OTHERS: Final = (
    ("ben", "core", "I am Ben, and I repair bicycles in Basel."),
    ("ben", "semantic", "I take my coffee black."),
    ("陈静", "core", "我叫陈静，住在杭州。"),
    ("陈静", "episodic", "上周日我和女儿去了西湖。"),
)
_QUESTION: Final = "Where do I live, and what do I drink in the morning?"
_REPORT: Final = """What four weeks of clearing the table taught us.

Grip force decides most runs. A ceramic mug holds at 11 to 13 N, a wine glass at no more than 5
N, and a cast-iron pan needs both hands at 31 N. What slipped mostly slipped because the gripper
was wet: dry it after every third thing, and wait two seconds.

Light comes next. Steam above the sink hides rims from the depth camera, so the last step of a
run fails twice as often as the first. Looking from the left avoids it, and so does closing the
tap before the arm moves in.

Speed is the cheapest lesson. Below 0.1 m/s nothing was knocked over in any run; above 0.3 m/s
every fourth thing was. The plates are the worst, for their rims catch on the tap.

Open questions: whether the new finger pads change the numbers for glass, and why runs in the
evening do better than those at noon."""
_STORY: Final = (
    (
        "My name is Mira. I am afraid of thunder.",
        "Then stay close to the fire, Mira. The storm is still far away.",
    ),
    (
        "I keep a brass compass that belonged to my mother.",
        "It points to where you are needed, not to the north.",
    ),
    (
        "Tomorrow I have to reach the harbour before noon.",
        "The ferry leaves at eleven. Old Tomas will wait if you ask him.",
    ),
    (
        "I promised Tomas to bring him a jar of honey.",
        "He has kept his side of every promise. The beekeeper lives by the mill.",
    ),
    ("I lost the compass in the reeds.", "Then we will look for it at first light."),
)


@dataclass(slots=True)
class DemoClock:
    """A clock that stands still until it is turned."""

    now: datetime
    until: datetime

    @classmethod
    def weeks_ago(cls, until: datetime | None = None) -> "DemoClock":
        """Return a clock that stands four weeks before a time, or before now."""
        until = until or datetime.now(UTC)
        return cls(until - timedelta(days=_DAYS), until)

    def __call__(self) -> datetime:
        """Tell the time."""
        return self.now

    def turn(self, **delta: float) -> None:
        """Move on by that much time."""
        self.now += timedelta(**delta)


def fill(memory: OpenMemory, clock: DemoClock) -> None:
    """Put four weeks of a robot, a person and a chat into a new memory that has this clock."""
    chance = Random(_SEED)  # noqa: S311  no secret hangs on it
    person = iter(_PERSON)
    for week in range(4):
        for day in range(_DAYS // 4):
            if day % 2 == week % 2:
                _run(memory, clock, chance, number=week * 7 + day)
            if chance.random() < 0.45:
                _tell(memory, person)
            clock.turn(hours=23.2)
    for _ in _PERSON:
        _tell(memory, person)
        clock.turn(hours=0.1)
    _tell_others(memory)
    clock.now = clock.until - timedelta(hours=2)
    _mend(memory)
    _chat(memory, clock)


def _run(memory: OpenMemory, clock: DemoClock, chance: Random, *, number: int) -> None:
    """Let the robot clear a table: lessons along a path, and what the gripper felt."""
    robot = memory.robot
    task = {"name": "clear the table", "run": number}
    session = robot.start_session("kitchen", context={"task": task})["session_id"]
    wins = 0
    for step, place in enumerate(_path(chance, steps=7)):
        what, force, _ = _OBJECTS[(number + step) % len(_OBJECTS)]
        felt = round(force * chance.uniform(0.75, 1.3), 1)
        success = abs(felt - force) < 0.18 * force
        wins += success
        words = chance.choice(_SUCCESSES if success else _FAILURES)
        context: dict[str, Any] = {
            "task": {**task, "success": success},
            "spatial": {"position": place},
            "params": {"grip_force": {"value": felt, "unit": "N"}, "object": what},
        }
        robot.learn(
            words.format(what=what, force=felt), context, collection="kitchen", session_id=session
        )
        clock.turn(minutes=2)
        if step % 3 == 0:
            sensed: list[tuple[str, str, dict[str, Any]]] = [
                (
                    f"Force while lifting a {what}",
                    "tactile",
                    _readings(chance, felt, success=success),
                ),
                (f"What the wrist camera saw, run {number}", "visual", _seen(chance)),
            ]
            for told, kind, data in sensed[: 2 if step == 0 else 1]:
                robot.save_perception(
                    told, kind, data=json.dumps(data), collection="kitchen", session_id=session
                )
    robot.end_session(session, round(wins / 7, 2))


def _path(chance: Random, *, steps: int) -> Iterator[list[float]]:
    """Return places along a run: from the table to the sink, never twice the same way."""
    bend = chance.uniform(-0.4, 0.4)
    for step in range(steps):
        part = step / (steps - 1)
        x = 0.3 + 1.5 * part + chance.gauss(0, 0.05)
        y = 0.5 + bend * math.sin(part * math.pi) + chance.gauss(0, 0.06)
        yield [round(x, 3), round(y, 3), round(0.42 + 0.5 * part * (1 - part), 3)]


def _readings(chance: Random, force: float, *, success: bool) -> dict[str, Any]:
    """Return what the gripper felt in two seconds; a slip shows as a drop."""
    newton: list[float] = []
    joints: list[list[float]] = []
    for tick in range(200):
        rise = min(1.0, tick / 40)
        slip = 0.35 if not success and tick > 130 else 1.0
        newton.append(round(force * rise * slip + chance.gauss(0, force * 0.02), 3))
        bent = (0.8 * rise, 0.3 + 0.2 * rise, -0.5 * rise)
        joints.append([round(one + chance.gauss(0, 0.004), 4) for one in bent])
    return {"hz": 100, "newton": newton, "joint_rad": joints}


def _seen(chance: Random) -> dict[str, Any]:
    return {"camera": "wrist, depth", "image": depth_picture(chance, at=chance.uniform(0.3, 0.7))}


def _tell(memory: OpenMemory, person: Iterator[tuple[str, str]]) -> None:
    told = next(person, None)
    if told is not None:
        kind, content = told
        memory.assistant.call(
            "memory_add", {"content": content, "memory_type": kind, "user_id": "anna"}
        )


def _tell_others(memory: OpenMemory) -> None:
    """Let others be known as well, and Anna ask something."""
    for name, kind, content in _OTHERS:
        told = {"content": content, "memory_type": kind, "user_id": name}
        memory.assistant.call("memory_add", told)
    asked = {"message": _QUESTION, "user_id": "anna", "conversation_id": "breakfast"}
    memory.assistant.call("memory_chat", asked)


def _mend(memory: OpenMemory) -> None:
    """Change a lesson twice, forget another, and sum up, so that there is something to look at."""
    robot = memory.robot
    kitchen = Scope("collection", "kitchen")
    wins = memory.browse(kitchen, filter=parse_filter({"task.success": True}), limit=500)
    *mugs, mended = [memory.id for memory in wins if "holds a ceramic mug" in memory.content]
    robot.update(mended, _MENDED.format(force=12, how="measured twice"))
    robot.update(mended, _MENDED.format(force=11.5, how="after recalibration"))
    robot.forget(6, "the scale was wrong that day")
    told = "\n\n".join(" ".join(part.split()) for part in _REPORT.split("\n\n"))
    report = memory.remember(Draft(told, scope=kitchen)).memory.id
    _relate(memory, report, "derived_from", [mended, *(one.id for one in wins[:4])])
    for mug in mugs:
        _relate(memory, mug, "supports", [mended])
    glasses = [memory.id for memory in wins if "wine glass" in memory.content]
    _relate(memory, glasses[0], "contradicts", glasses[-1:])


def _relate(memory: OpenMemory, number: int, relation: Relation, others: list[int]) -> None:
    for other in others:
        memory.chat.create_edge(memory_name(number), memory_name(other), relation)


def _chat(memory: OpenMemory, clock: DemoClock) -> None:
    """Tell a story with a swipe and two other ways it could have gone."""
    chat = memory.chat
    chat.create_session("米拉的夜晚")
    chat.add_turn(
        "米拉的夜晚",
        [Line("user", "我叫米拉，怕打雷。"), Line("assistant", "那今晚我陪着你。")],
        mode="sync",
    )
    clock.turn(minutes=20)
    chat.create_session("the-harbour")
    floors: list[str] = []
    for said, replied in _STORY:
        lines = [Line("user", said, name="Mira"), Line("assistant", replied, name="Narrator")]
        turn, _ = chat.add_turn("the-harbour", lines, mode="sync")
        floors.append(turn.id)
        clock.turn(minutes=4)
    other = [
        Line("user", _STORY[2][0], name="Mira"),
        Line("assistant", "The ferry is gone. There is only the smuggler's boat.", name="Narrator"),
    ]
    chat.change_turn("the-harbour", floors[2], lines=other, mode="sync")
    chat.create_branch("the-harbour", "the-smuggler", at_floor_no=2)
    chat.add_turn(
        "the-harbour",
        [
            Line("user", "I will ask the smuggler. I have two silver coins.", name="Mira"),
            Line("assistant", "He takes one, and your word for the other.", name="Narrator"),
        ],
        branch_id="the-smuggler",
        mode="sync",
    )
    clock.turn(minutes=9)
    chat.add_turn(
        "the-harbour",
        [Line("user", "I have to pay him back before the new moon.", name="Mira")],
        branch_id="the-smuggler",
        mode="sync",
    )
    chat.create_branch("the-harbour", "stay-home", at_floor_no=0)
    chat.add_turn(
        "the-harbour",
        [Line("user", "I would rather stay and learn to like thunder.", name="Mira")],
        branch_id="stay-home",
        mode="sync",
    )
    _leave_work(memory)


def _leave_work(memory: OpenMemory) -> None:
    """Leave a turn whose reading was called off, so that there is a job to try again."""
    chat = memory.chat
    chat.create_session("night-train")
    line = Line("user", "The sleeping car to Vienna leaves at 21:40.", name="Mira")
    _, ingest = chat.add_turn("night-train", [line])
    if ingest.job_id is not None:
        chat.cancel_job(ingest.job_id)
