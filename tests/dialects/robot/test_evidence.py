"""A memory is its text and what was measured with it: evidence adds up, and none of it is lost."""

import json
from itertools import product
from typing import Any, Final

import pytest

from mnemic.dialects.robot.tools import RobotTools
from tests.conftest import OpenIt

SENTENCE: Final = "The gripper closes slowly on glass"

OBJECTS: Final = (
    *("mug", "bottle", "tray", "sponge", "plate", "spoon"),
    *("kettle", "lid", "box", "towel", "knife", "bowl"),
)


def learned(robot: RobotTools, context: Any, text: str = SENTENCE) -> tuple[str, int]:
    """Return what became of a lesson, and under which id it is known."""
    answer: Any = robot.learn(text, context=context)
    return answer["status"], answer.get("memory_id") or answer["existing_id"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"task": {"success": True}}, {"task": {"success": False}}),
        ({"task": {"outcome": "done"}}, {"task": {"outcome": "dropped it"}}),
        ({"params": {"force": 5}}, {"params": {"force": 6}}),
        ({"params": {"force": {"value": 5}}}, {"params": {"force": {"value": 5.5}}}),
        ({"spatial": {"position": [1, 2, 3]}}, {"spatial": {"position": [1, 2, 4]}}),
        ({"env": {"sim_or_real": "sim"}}, {"env": {"sim_or_real": "real"}}),
        ({}, {"task": {"success": True}}),
    ],
)
def test_the_same_sentence_with_another_measurement_is_a_new_memory(
    robot: RobotTools, first: Any, second: Any
) -> None:
    assert learned(robot, first) == ("created", 1)
    assert learned(robot, second) == ("created", 2)

    assert learned(robot, second) == ("duplicate", 2)
    assert learned(robot, json.dumps(first)) == ("duplicate", 1)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"params": {"a": 1, "b": [2, 0.5]}}, {"params": {"b": [2.0, 0.5], "a": 1.0}}),
        ({"task": {"name": "pick", "success": True}}, {"task": {"name": "put", "success": True}}),
        ({"params": {"a": 1}, "note": "x"}, {"params": {"a": 1}, "robot": {"type": "UR5e"}}),
        ({"params": {}}, {}),
        ({"task": "pick"}, {"env": {"site": "lab"}}),
    ],
)
def test_what_says_the_same_of_a_measurement_is_a_duplicate(
    robot: RobotTools, first: Any, second: Any
) -> None:
    learned(robot, first)

    assert robot.learn(SENTENCE.upper(), context=second) == {
        "status": "duplicate",
        "method": "exact",
        "existing_id": 1,
        "similarity": 1.0,
    }


def test_other_words_for_the_same_measurement_are_still_a_duplicate(robot: RobotTools) -> None:
    for force in range(20):
        learned(robot, {"params": {"force": force}})

    words = f"{SENTENCE} again"
    assert learned(robot, {"params": {"force": 13}}, words) == ("duplicate", 14)
    assert learned(robot, {"params": {"force": 99}}, words)[0] == "created"


def test_texts_alike_in_meaning_are_kept_where_the_measurement_differs(open_it: OpenIt) -> None:
    robot = open_it(embedder="default").robot
    said = "the floor in the kitchen is slippery when it is wet"
    again = "a wet kitchen floor is slippery"
    learned(robot, {"params": {"force": 5}}, said)

    assert learned(robot, {"params": {"force": 5}}, again) == ("duplicate", 1)
    assert learned(robot, {"params": {"force": 6}}, again)[0] == "created"


def test_many_at_once_keep_each_measurement_once(robot: RobotTools) -> None:
    forces = [5, 6, 5.0, 7, 6]

    answers: Any = robot.learn_many(
        [{"insight": SENTENCE, "context": {"params": {"force": force}}} for force in forces]
    )

    assert [one.get("memory_id") for one in answers] == [1, 2, None, 3, None]
    assert [one.get("existing_id") for one in answers] == [None, None, 1, None, 2]


def test_a_changed_measurement_is_what_later_lessons_are_compared_with(robot: RobotTools) -> None:
    learned(robot, {"params": {"force": 5}})

    robot.update(1, SENTENCE, context={"params": {"force": 6}})

    assert learned(robot, {"params": {"force": 6}}) == ("duplicate", 1)
    assert learned(robot, {"params": {"force": 5}}) == ("created", 2)


def test_of_480_episodes_in_a_dozen_sentences_none_is_lost(robot: RobotTools) -> None:
    session = robot.start_session()["session_id"]
    episodes = [
        (f"Lifting the {name} from the table", {"params": {"force": force, "speed": 0.1 * speed}})
        for name, force, speed in product(OBJECTS, range(1, 9), range(1, 6))
    ]
    for at, (text, context) in enumerate(episodes):
        told = {
            **context,
            "spatial": {"position": [at / 100, 0.2]},
            "task": {"success": at % 3 > 0},
        }
        assert robot.learn(text, context=told, session_id=session)["status"] == "created"

    ended: Any = robot.end_session(session)

    assert ended["consolidated"]["merged_groups"] == 0
    assert robot.start_session()["active_memories_count"] == len(episodes) == 480
    wanted = {"params.force": 7, "params.speed": 0.2, "task.success": True}
    best, *_ = robot.recall("lifting the kettle", context_filter=wanted)["memories"]
    assert best["content"] == "Lifting the kettle from the table"


@pytest.mark.parametrize("part", ["params", "spatial", "env"])
def test_a_session_merges_what_says_the_same_of_one_measurement_only(
    robot: RobotTools, part: str
) -> None:
    inner = "sim_or_real" if part == "env" else "value"
    session = robot.start_session()["session_id"]
    for number, words in product((1, 2), ("wet mugs", "wet mugs and cups")):
        robot.learn(
            f"Gripping slips on {words} near the sink",
            context={part: {inner: f"kind {number}"}},
            session_id=session,
        )
    assert len(robot.list()) == 4

    robot.end_session(session)

    kept = [json.loads(one["context"])[part][inner] for one in robot.list()]
    assert sorted(kept) == ["kind 1", "kind 2"]
