from typing import Any

import pytest

from mnemic import InvalidInputError, NotFoundError, StateError
from mnemic.dialects.robot.tools import RobotTools
from mnemic.opening import OpenMemory
from tests.conftest import Clock


def end_a_session(robot: RobotTools) -> Any:
    return robot.end_session(robot.start_session()["session_id"])


def test_a_session_starts_with_the_number_of_memories_it_can_draw_on(robot: RobotTools) -> None:
    robot.learn("the cup is red")
    robot.learn("the door is green")
    robot.forget(1, "it is blue")

    answer = robot.start_session(context={"robot": {"type": "UR5e"}})

    assert answer["active_memories_count"] == 1
    assert answer["collection"] == "default"


def test_the_summary_counts_what_the_session_stored(robot: RobotTools) -> None:
    session = robot.start_session()["session_id"]
    robot.learn("Found that the cup is red", session_id=session)
    robot.learn("Never touch the stove", session_id=session)
    robot.save_perception("a picture of the stove", session_id=session)
    robot.learn("something outside of the session")

    answer = robot.end_session(session, outcome_score=0.8)

    assert answer["status"] == "ended"
    assert answer["summary"]["memory_count"] == 3
    assert answer["summary"]["by_type"] == {"fact": 2, "perception": 1}
    assert answer["summary"]["by_category"]["constraint"] == 1


def test_ending_an_unknown_session_says_which(robot: RobotTools) -> None:
    with pytest.raises(NotFoundError, match="nowhere"):
        robot.end_session("nowhere")


def test_ending_a_session_twice_says_that_it_has_ended(robot: RobotTools) -> None:
    session = robot.start_session()["session_id"]
    robot.end_session(session)

    with pytest.raises(StateError, match="already ended"):
        robot.end_session(session)


@pytest.mark.parametrize("score", [-0.1, 1.1, "good", True])
def test_an_outcome_out_of_range_is_an_error_and_the_session_goes_on(
    robot: RobotTools, score: Any
) -> None:
    session = robot.start_session()["session_id"]

    with pytest.raises(InvalidInputError, match="outcome_score"):
        robot.end_session(session, outcome_score=score)

    assert robot.end_session(session)["status"] == "ended"


def test_confidence_decays_by_one_percent_a_day_and_only_once_a_day(
    robot: RobotTools, clock: Clock
) -> None:
    robot.learn("the cup is red")
    clock.turn(days=30)

    assert end_a_session(robot)["decayed_count"] == 1
    assert robot.get(1)["confidence"] == 0.5918
    clock.turn(hours=3)
    assert end_a_session(robot)["decayed_count"] == 0
    assert robot.get(1)["confidence"] == 0.5918


def test_nothing_decays_within_the_first_day(robot: RobotTools, clock: Clock) -> None:
    robot.learn("the cup is red")
    clock.turn(hours=23)

    assert end_a_session(robot)["decayed_count"] == 0
    assert robot.get(1)["confidence"] == 0.8


def test_protected_categories_never_decay(robot: RobotTools, clock: Clock) -> None:
    robot.learn("Never touch the stove")
    robot.learn("Lesson: always calibrate before new session")
    robot.learn("Pitfall: joint limits not checked in sim")
    clock.turn(days=100)

    assert end_a_session(robot)["decayed_count"] == 0
    assert [robot.get(number)["confidence"] for number in (1, 2, 3)] == [0.8, 0.8, 0.8]


def test_decay_touches_the_sessions_collection_only(robot: RobotTools, clock: Clock) -> None:
    robot.learn("the cup is red", collection="kitchen")
    clock.turn(days=30)
    end_a_session(robot)

    assert robot.get(1)["confidence"] == 0.8


def test_a_recall_keeps_what_decay_took_and_starts_ageing_anew(
    robot: RobotTools, clock: Clock
) -> None:
    robot.learn("the cup is red")
    clock.turn(days=30)
    end_a_session(robot)
    robot.recall("cup")
    clock.turn(hours=20)

    assert end_a_session(robot)["decayed_count"] == 0
    assert robot.get(1)["confidence"] == 0.5918
    clock.turn(days=10)
    end_a_session(robot)
    assert robot.get(1)["confidence"] == pytest.approx(0.5918 * 0.99 ** (10 + 20 / 24), abs=1e-4)


def test_decay_stops_at_five_hundredths(robot: RobotTools, clock: Clock) -> None:
    robot.learn("the cup is red")
    clock.turn(days=2000)
    end_a_session(robot)

    assert robot.get(1)["confidence"] == 0.05


def test_a_faded_memory_falls_below_the_default_threshold(robot: RobotTools, clock: Clock) -> None:
    robot.learn("the cup is red")
    clock.turn(days=120)
    end_a_session(robot)

    assert robot.recall("cup")["total"] == 0
    assert robot.recall("cup", min_confidence=0.1)["total"] == 1


ALIKE = [
    "the gripper slips on wet cups near the kitchen sink",
    "the gripper slips on wet cups near the sink",
    "the gripper slips on cups near the kitchen sink today",
]


def learn_all(robot: RobotTools, lessons: list[str], **context: Any) -> str:
    session = robot.start_session()["session_id"]
    for number, lesson in enumerate(lessons):
        # Learned in other words first, so that dedup does not get there before consolidation.
        answer = robot.learn(f"lesson number{number} to be corrected", session_id=session)
        robot.update(answer.get("memory_id", 0), lesson, context=context or "")
    return session


def test_what_a_session_said_twice_is_merged_and_stays_in_the_history(
    memory: OpenMemory,
) -> None:
    robot = memory.robot
    session = learn_all(robot, [*ALIKE, "the hallway door is locked at night"])

    answer = robot.end_session(session)

    assert answer["consolidated"]["merged_groups"] == 1
    assert answer["consolidated"]["superseded_count"] == 2
    assert answer["consolidated"]["compression_ratio"] == 0.5
    assert 0.5 < answer["consolidated"]["avg_similarity"] <= 1
    assert answer["summary"]["memory_count"] == 4
    assert sorted(one["status"] for one in robot.list(status="all")) == [
        "active",
        "active",
        "superseded",
        "superseded",
    ]
    superseded = robot.list(status="superseded")[0]
    assert robot.history(superseded["id"])[-1]["verb"] == "superseded"
    found = [hit["content"] for hit in robot.recall("gripper wet cups sink")["memories"]]
    assert sum("gripper" in content for content in found) == 1


def test_fewer_than_three_memories_are_not_merged(robot: RobotTools) -> None:
    session = learn_all(robot, ALIKE[:2])

    assert robot.end_session(session)["consolidated"]["merged_groups"] == 0


@pytest.mark.parametrize(
    "lessons",
    [
        [f"the gripper needs {force} newtons for the wet cup here" for force in (9, 11, 13)],
        [
            "the gripper slips on wet cups near the sink",
            "the gripper never slips on wet cups near the sink",
            "the hallway is dark",
        ],
        ["我姑妈在南京的医院上班", "我的姑妈在南京医院上班", "走廊很暗"],
        ["I walked to the old mill", "I walked to the old mill alone", "the hallway is dark"],
        ["Never touch the hot stove here", "Never touch the hot stove there", "Never touch stove"],
    ],
)
def test_what_conflicts_or_is_protected_is_never_merged(
    robot: RobotTools, lessons: list[str]
) -> None:
    session = learn_all(robot, lessons)

    assert robot.end_session(session)["consolidated"]["superseded_count"] == 0


def test_opposite_outcomes_are_never_merged(robot: RobotTools) -> None:
    session = robot.start_session()["session_id"]
    for number, (lesson, success) in enumerate(zip(ALIKE, (True, False, None), strict=True)):
        answer = robot.learn(f"lesson number{number} to be corrected", session_id=session)
        robot.update(answer.get("memory_id", 0), lesson, context={"task": {"success": success}})

    assert robot.end_session(session)["consolidated"]["merged_groups"] == 0


def test_a_session_brings_to_mind_what_other_sessions_learned(robot: RobotTools) -> None:
    earlier = robot.start_session()["session_id"]
    robot.learn("wet cups slip out of the gripper", session_id=earlier)
    robot.learn("the hallway is long", session_id=earlier)
    robot.end_session(earlier)
    session = robot.start_session(context={"task": {"name": "lift wet cups"}})["session_id"]
    robot.learn("a wet cup needs a rubber gripper pad", session_id=session)

    related = robot.end_session(session)["related_memories"]

    assert related[0]["content"] == "wet cups slip out of the gripper"
    assert related[0]["_rrf_score"] == 1.0
    assert all(one["content"] != "a wet cup needs a rubber gripper pad" for one in related)
