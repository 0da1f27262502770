import json

import pytest

from mnemic import InvalidInputError, NotFoundError, StateError
from mnemic.dialects.robot.tools import RobotTools
from tests.conftest import OpenIt

LESSON = "grip_force=12.5N optimal for cylinders"


def test_an_update_replaces_the_text_and_everything_inferred_from_it(hybrid: RobotTools) -> None:
    hybrid.learn(LESSON, context={"task": {"success": True}})

    answer = hybrid.update(1, "Never lift the kettle by its lid")

    assert answer["status"] == "updated"
    assert answer["old_content"] == LESSON
    assert answer["new_content"] == "Never lift the kettle by its lid"
    assert answer["auto_inferred"] == {"category": "constraint", "confidence": 0.85}
    record = hybrid.get(1)
    assert record["human_summary"] == "Never lift the kettle by its lid"
    assert json.loads(record["context"]) == {"task": {"success": True}}


def test_old_words_no_longer_find_an_updated_memory(robot: RobotTools) -> None:
    robot.learn(LESSON)
    robot.update(1, "the kettle is hot")

    assert robot.recall("cylinders")["total"] == 0
    assert robot.recall("kettle")["total"] == 1


def test_an_update_with_a_context_replaces_it(robot: RobotTools) -> None:
    robot.learn(LESSON, context={"task": {"success": True}})
    robot.update(1, LESSON, context={"task": {"success": False}})

    assert robot.recall("grip", context_filter={"task.success": False})["total"] == 1


def test_the_old_text_can_be_learned_again_after_an_update(robot: RobotTools) -> None:
    robot.learn(LESSON)
    robot.update(1, "the kettle is hot")

    assert robot.learn(LESSON)["status"] == "created"
    assert robot.learn("The kettle is HOT").get("existing_id") == 1


def test_a_forgotten_memory_is_not_found_but_stays_readable_with_its_reason(
    robot: RobotTools,
) -> None:
    robot.learn(LESSON)

    assert robot.forget(1, "sensor was off") == {
        "status": "forgotten",
        "memory_id": 1,
        "content": LESSON,
        "reason": "sensor was off",
    }
    assert robot.recall("grip")["total"] == 0
    record = robot.get(1)
    assert (record["status"], record["status_reason"]) == ("invalidated", "sensor was off")


def test_forgetting_twice_is_an_error(robot: RobotTools) -> None:
    robot.learn(LESSON)
    robot.forget(1, "wrong")

    with pytest.raises(StateError, match="invalidated"):
        robot.forget(1, "wrong again")


def test_a_forgotten_memory_cannot_be_updated(robot: RobotTools) -> None:
    robot.learn(LESSON)
    robot.forget(1, "wrong")

    with pytest.raises(StateError, match="undo"):
        robot.update(1, "something else")


def test_a_missing_memory_is_an_error_that_names_it(robot: RobotTools) -> None:
    for call in (lambda: robot.forget(7, "x"), lambda: robot.update(7, "x"), lambda: robot.get(7)):
        with pytest.raises(NotFoundError, match="memory 7"):
            call()


@pytest.mark.parametrize("number", [0, -1])
def test_an_id_of_zero_or_less_is_an_error(robot: RobotTools, number: int) -> None:
    with pytest.raises(InvalidInputError, match="memory_id"):
        robot.forget(number, "wrong")


def test_a_blank_reason_is_an_error_and_nothing_is_forgotten(robot: RobotTools) -> None:
    robot.learn(LESSON)

    with pytest.raises(InvalidInputError, match="reason"):
        robot.forget(1, "  ")

    assert robot.recall("grip")["total"] == 1


def test_undo_brings_back_a_forgotten_memory(hybrid: RobotTools) -> None:
    hybrid.learn(LESSON, context={"task": {"success": True}})
    hybrid.forget(1, "wrong")

    assert hybrid.undo(1)["status"] == "active"
    [hit] = hybrid.recall("grip", context_filter={"task.success": True})["memories"]
    assert (hit["content"], hit["_vec_rank"]) == (LESSON, 1)


def test_undo_walks_back_through_every_version(robot: RobotTools) -> None:
    robot.learn("version one of the lesson")
    robot.update(1, "version two of the lesson")
    robot.update(1, "version three of the lesson")

    assert robot.undo(1)["content"] == "version two of the lesson"
    assert robot.undo(1)["content"] == "version one of the lesson"
    with pytest.raises(StateError, match="no change"):
        robot.undo(1)


def test_history_keeps_every_version(robot: RobotTools) -> None:
    robot.learn("version one of the lesson", context={"a": 1})
    robot.update(1, "version two of the lesson", context={"b": 2})
    robot.forget(1, "wrong")

    created, revised, forgotten = robot.history(1)

    assert (created["verb"], revised["verb"], forgotten["verb"]) == (
        "created",
        "revised",
        "forgotten",
    )
    assert revised["before"]["content"] == "version one of the lesson"
    assert revised["before"]["context"] == {"a": 1}
    assert revised["after"]["content"] == "version two of the lesson"
    assert forgotten["before"]["content"] == "version two of the lesson"
    assert forgotten["after"]["reason"] == "wrong"


def test_sensor_data_comes_back_byte_for_byte(robot: RobotTools) -> None:
    data = '{ "b":[1.50,2],"a" : "接触" }'

    answer = robot.save_perception("contact on the left finger", "tactile", data, '{"hz":100}')

    assert answer == {
        "memory_id": 1,
        "perception_type": "tactile",
        "collection": "default",
        "has_embedding": False,
    }
    record = robot.get(1)
    assert (record.get("data"), record.get("metadata")) == (data, '{"hz":100}')
    assert record["confidence"] == 0.9


def test_the_same_perception_twice_is_two_memories(hybrid: RobotTools) -> None:
    first = hybrid.save_perception("contact on the left finger")
    second = hybrid.save_perception("contact on the left finger")

    assert first["memory_id"] != second["memory_id"]
    assert first["has_embedding"] is True


def test_a_long_description_is_kept_whole(robot: RobotTools) -> None:
    robot.save_perception("scene " * 200)

    assert len(robot.get(1)["content"]) == len("scene " * 200) - 1


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("description", "abc"),
        ("perception_type", "smell"),
        ("data", "{broken"),
        ("metadata", "{'a': 1}"),
        ("data", "[" + "0," * 8_500_000 + "0]"),
    ],
)
def test_a_bad_perception_is_an_error_and_nothing_is_stored(
    robot: RobotTools, parameter: str, value: str
) -> None:
    with pytest.raises(InvalidInputError, match=f"^{parameter}: "):
        robot.save_perception(**{"description": "a good description", parameter: value})

    assert robot.list() == []


def test_listing_pages_from_the_newest_on(robot: RobotTools) -> None:
    robot.learn_many([f"lesson about thing{number}" for number in range(5)])

    first = robot.list(n=2)
    second = robot.list(n=2, before_id=first[-1]["id"])

    assert [one["id"] for one in first + second] == [5, 4, 3, 2]


def test_what_was_learned_is_there_after_opening_again(open_it: OpenIt) -> None:
    with open_it() as before:
        before.robot.learn(LESSON)

    assert open_it().robot.recall("grip force")["total"] == 1
