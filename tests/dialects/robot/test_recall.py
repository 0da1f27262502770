import json
from typing import Any

import pytest

from mnemic import InvalidInputError
from mnemic.dialects.robot.tools import RobotTools
from mnemic.opening import OpenMemory
from tests.conftest import OpenIt


def contents(answer: Any) -> list[str]:
    return [memory["content"] for memory in answer["memories"]]


def test_a_hit_has_the_shape_of_the_contract(robot: RobotTools) -> None:
    context = {
        "params": {"grip_force": {"value": 12.5}},
        "spatial": {"object_position": [1.3, 0.7, 0.42]},
        "robot": {"type": "UR5e"},
        "task": {"success": True},
    }
    session = robot.start_session()["session_id"]
    robot.learn("grip_force=12.5N optimal for cylinders", context, session_id=session)

    answer = robot.recall("grip force")

    assert answer["total"] == 1
    assert answer["mode"] == "bm25_only"
    assert answer["query_ms"] >= 0
    [hit] = answer["memories"]
    assert hit == {
        "id": 1,
        "content": "grip_force=12.5N optimal for cylinders",
        "human_summary": "grip_force=12.5N optimal for cylinders",
        "type": "fact",
        "perception_type": None,
        "session_id": session,
        "category": hit["category"],
        "confidence": 0.85,
        "context": json.dumps(context),
        **context,
        "_rrf_score": 1.0,
        "_bm25_rank": 1,
        "_vec_rank": None,
        "created_at": "2026-03-09T12:00:00",
    }


def test_another_form_of_a_word_finds_it(robot: RobotTools) -> None:
    robot.learn("The arm grasped the cups")

    assert robot.recall("grasp a cup")["total"] == 1


@pytest.mark.parametrize("query", ["杯", "杯子", "红色的杯子在哪里", "红杯"])
def test_chinese_is_found_by_one_character_by_a_word_and_by_a_question(
    robot: RobotTools, query: str
) -> None:
    robot.learn("发现红色杯子需要更大的力")
    robot.learn("门锁住了")

    assert contents(robot.recall(query)) == ["发现红色杯子需要更大的力"]


def test_an_english_question_finds_a_chinese_lesson(open_it: OpenIt) -> None:
    robot = open_it(embedder="default").robot
    robot.learn("每当湿度很高时,抓取就会失败")
    robot.learn("电池充满需要两个小时")
    robot.learn("走廊尽头的门是锁着的")

    answer = robot.recall("grasping fails in humid air", n=1)

    assert contents(answer) == ["每当湿度很高时,抓取就会失败"]


def test_both_channels_make_it_hybrid_and_each_tells_its_rank(hybrid: RobotTools) -> None:
    hybrid.learn("the gripper slips on wet cups")

    answer = hybrid.recall("wet cups")

    assert answer["mode"] == "hybrid"
    assert answer["memories"][0]["_bm25_rank"] == 1
    assert answer["memories"][0]["_vec_rank"] == 1


def test_no_common_word_leaves_the_vectors_alone(hybrid: RobotTools) -> None:
    hybrid.learn("the gripper slips on wet cups")

    assert hybrid.recall("completely unrelated question")["mode"] == "vec_only"


def test_one_success_among_many_failures_is_found(robot: RobotTools) -> None:
    lessons = [
        {"insight": f"push the cube, trial {number}", "context": {"task": {"success": False}}}
        for number in range(1500)
    ]
    robot.learn_many(lessons)
    robot.learn("cube pushed gently from behind", context={"task": {"success": True}})

    answer = robot.recall("push the cube", context_filter={"task.success": True})

    assert contents(answer) == ["cube pushed gently from behind"]


def test_only_the_named_session_is_searched(robot: RobotTools) -> None:
    session = robot.start_session()["session_id"]
    robot.learn("the blue cup is heavy")
    robot.learn("the green cup is light", session_id=session)

    assert contents(robot.recall("cup", session_id=session)) == ["the green cup is light"]


def test_min_confidence_is_inclusive(robot: RobotTools) -> None:
    robot.learn("the blue cup is heavy")

    assert robot.recall("cup", min_confidence=0.80)["total"] == 1
    assert robot.recall("cup", min_confidence=0.81)["total"] == 0


def test_collections_do_not_see_each_other(robot: RobotTools) -> None:
    robot.learn("the blue cup is heavy", collection="kitchen")

    assert robot.recall("cup", collection="garage")["total"] == 0
    assert robot.recall("cup", collection="kitchen")["total"] == 1


def test_places_are_sorted_nearest_first_and_what_has_none_comes_last(robot: RobotTools) -> None:
    for name, position in [("far", [9, 0, 0]), ("near", [1, 0, 0]), ("flat", [1, 0])]:
        robot.learn(f"the {name} shelf", context={"spatial": {"position": position}})
    robot.learn("the shelf without a place")
    wanted: dict[str, Any] = {"field": "spatial.position", "target": [0, 0, 0]}

    answer = robot.recall("shelf", spatial_sort=wanted)

    assert contents(answer)[:2] == ["the near shelf", "the far shelf"]
    assert [hit.get("distance") for hit in answer["memories"]] == [1.0, 9.0, None, None]
    within = robot.recall("shelf", spatial_sort=wanted | {"max_distance": 5})
    assert contents(within) == ["the near shelf"]


def test_a_place_is_found_whatever_the_words_say(robot: RobotTools) -> None:
    robot.learn("a chair", context={"spatial": {"position": [0, 0]}})

    answer = robot.recall("shelf", spatial_sort={"field": "spatial.position", "target": [0, 0]})

    assert contents(answer) == ["a chair"]


def test_the_real_world_decides_between_comparable_hits(robot: RobotTools) -> None:
    robot.learn("push the cube slowly", context={"env": {"sim_or_real": "real"}})
    robot.learn("push the cube gently", context={"env": {"sim_or_real": "sim"}})

    assert contents(robot.recall("push the cube"))[0] == "push the cube slowly"


def test_the_real_world_does_not_lift_what_is_irrelevant(robot: RobotTools) -> None:
    robot.learn("the hallway light is off", context={"env": {"sim_or_real": "real"}})
    robot.learn("push the red cube to the wall", context={"env": {"sim_or_real": "sim"}})
    robot.learn("the kitchen light is on", context={"env": {"sim_or_real": "sim"}})

    found = contents(robot.recall("push the red cube or switch the light"))
    assert found[0] == "push the red cube to the wall"


def test_scores_are_relative_to_the_best_and_descend(robot: RobotTools) -> None:
    for lesson in ["red cup", "red cup on a red table", "cup of tea", "table"]:
        robot.learn(lesson)

    scores = [hit["_rrf_score"] for hit in robot.recall("red cup")["memories"]]

    assert scores[0] == 1.0
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)


def test_a_hit_is_counted_as_an_access(memory: OpenMemory) -> None:
    memory.robot.learn("red cup")
    memory.robot.recall("cup")
    memory.robot.recall("cup")

    assert memory.robot.get(1)["access_count"] == 2


@pytest.mark.parametrize("n", [0, 101, -1, 1.5, "5", True, None])
def test_n_out_of_range_is_an_error_that_names_it(robot: RobotTools, n: Any) -> None:
    with pytest.raises(InvalidInputError, match=r"^n: .*1 to 100"):
        robot.recall("cup", n=n)


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("context_filter", "{broken"),
        ("context_filter", "[1]"),
        ("context_filter", {"a": {"$near": 1}}),
        ("context_filter", {f"k{number}": number for number in range(11)}),
        ("spatial_sort", {"field": "a", "target": ["x"]}),
        ("spatial_sort", {"target": [1]}),
        ("min_confidence", 1.1),
        ("query", "  "),
        ("collection", ""),
    ],
)
def test_bad_input_is_an_error_that_names_the_parameter(
    robot: RobotTools, parameter: str, value: Any
) -> None:
    arguments: dict[str, Any] = {"query": "cup", parameter: value}

    with pytest.raises(InvalidInputError, match=f"^{parameter}: "):
        robot.recall(**arguments)


def test_a_filter_may_be_an_object_or_its_json(robot: RobotTools) -> None:
    robot.learn("red cup", context={"task": {"success": True}})

    assert robot.recall("cup", context_filter='{"task.success": true}')["total"] == 1
    assert robot.recall("cup", context_filter={"task.success": True})["total"] == 1


def test_a_time_range_restricts_to_when_it_was_learned(memory: OpenMemory, open_it: OpenIt) -> None:
    memory.robot.learn("red cup")

    later = memory.robot.recall("cup", context_filter={"created_at": {"$gt": "2026-03-10"}})
    that_day = memory.robot.recall("cup", context_filter={"created_at": {"$gte": "2026-03-09"}})

    assert (later["total"], that_day["total"]) == (0, 1)
