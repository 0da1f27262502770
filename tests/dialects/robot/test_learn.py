import json

import pytest

from mnemic import InvalidInputError, NotFoundError
from mnemic.dialects.robot.tools import RobotTools
from tests.conftest import OpenIt

LESSON = "grip_force=12.5N optimal for cylindrical objects"


def test_a_new_lesson_is_created_with_what_was_inferred(robot: RobotTools) -> None:
    answer = robot.learn("Failure caused by sensor drift in src/arm.py")

    assert answer == {
        "status": "created",
        "memory_id": 1,
        "auto_inferred": {
            "category": "root_cause",
            "confidence": 0.9,
            "tags": ["root_cause"],
            "scope_files": ["src/arm.py"],
        },
    }


def test_a_lesson_over_300_characters_is_cut_and_the_answer_says_so(robot: RobotTools) -> None:
    answer = robot.learn("力" * 301)

    assert answer.get("truncated") is True
    assert robot.get(1)["content"] == "力" * 300
    assert "truncated" not in robot.learn("力气" * 150)


@pytest.mark.parametrize("blank", ["", " ", "\n\t", "\u3000"])
def test_a_blank_lesson_is_an_error(robot: RobotTools, blank: str) -> None:
    with pytest.raises(InvalidInputError, match=r"insight: it is empty"):
        robot.learn(blank)


@pytest.mark.parametrize("given", ["not json", "[1, 2]", "3", '{"a": NaN}', '"text"'])
def test_a_context_that_is_no_object_is_kept_whole_and_the_answer_warns(
    robot: RobotTools, given: str
) -> None:
    answer = robot.learn(LESSON, context=given)

    assert "user_context" in answer.get("warning", "")
    kept = json.loads(robot.get(answer.get("memory_id", 0))["context"])["user_context"]
    assert kept == given or kept == json.loads(given)


def test_a_context_may_be_an_object_or_its_json(robot: RobotTools) -> None:
    as_object = robot.learn("the left gripper slips", context={"task": {"success": True}})
    as_text = robot.learn("the red door opens inwards", context='{"task": {"success": true}}')

    contexts = [robot.get(one.get("memory_id", 0))["context"] for one in (as_object, as_text)]
    assert contexts[0] == contexts[1]


def test_the_same_text_in_another_case_and_spacing_is_an_exact_duplicate(
    robot: RobotTools,
) -> None:
    robot.learn(LESSON)

    assert robot.learn(f"  {LESSON.upper()} ") == {
        "status": "duplicate",
        "method": "exact",
        "existing_id": 1,
        "similarity": 1.0,
    }


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            "The gripper slips on wet cups when it lifts them quickly",
            "The gripper slips on wet cups, when it lifts them quickly again",
        ),
        ("抓取湿杯子时夹爪会打滑所以要放慢", "抓取湿杯子时夹爪会打滑,所以要放慢!"),
    ],
)
def test_nearly_the_same_words_are_a_jaccard_duplicate(
    robot: RobotTools, first: str, second: str
) -> None:
    robot.learn(first)

    answer = robot.learn(second)

    assert answer["status"] == "duplicate"
    assert answer.get("method") == "jaccard"
    assert answer.get("similarity", 0) > 0.70


def test_the_same_meaning_is_a_cosine_duplicate(open_it: OpenIt) -> None:
    robot = open_it(embedder="default").robot
    robot.learn("the floor in the kitchen is slippery when it is wet")

    answer = robot.learn("a wet kitchen floor is slippery")

    assert answer["status"] == "duplicate"
    assert answer.get("method") == "cosine"
    assert answer.get("similarity", 0) > 0.85


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("a force of 9 N lifts the cup safely", "a force of 11 N lifts the cup safely"),
        ("wait 5 s before lifting the cup up", "wait 5 ms before lifting the cup up"),
        ("the cup is safe to lift when hot", "the cup is not safe to lift when hot"),
        ("lifting the cup from above succeeded", "lifting the cup from above failed"),
        ("抓取力 9 牛可以提起杯子", "抓取力 11 牛可以提起杯子"),
        ("热的时候可以提起这个杯子", "热的时候不可以提起这个杯子"),
    ],
)
def test_a_different_number_unit_negation_or_outcome_is_another_lesson(
    hybrid: RobotTools, first: str, second: str
) -> None:
    hybrid.learn(first)

    assert hybrid.learn(second)["status"] == "created"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("the tray is carried to the sink by the robot", "the robot carries a tray to the sink"),
        ("请问机器人怎么清洁镜头呢", "机器人如何清洁镜头"),
    ],
)
def test_the_same_lesson_in_harmless_other_words_is_a_duplicate(
    open_it: OpenIt, first: str, second: str
) -> None:
    robot = open_it(embedder="default").robot
    robot.learn(first)

    assert robot.learn(second)["status"] == "duplicate"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            "the robot puts the blue cup on the shelf near the kitchen door",
            "the robot puts the blue bowl on the shelf near the kitchen door",
        ),
        ("the dog follows the robot into the hall", "the robot follows the dog into the hall"),
        ("I had tea with my aunt on the balcony", "I had some tea with my aunt on the balcony"),
        ("我的姑妈在南京的医院上班", "我姑妈在南京医院上班"),
        ("机器人把盘子放到杯子旁边", "机器人把杯子放到盘子旁边"),
    ],
)
def test_another_thing_another_role_or_another_report_is_kept(
    open_it: OpenIt, first: str, second: str
) -> None:
    robot = open_it(embedder="default").robot
    robot.learn(first)

    assert robot.learn(second)["status"] == "created"


def test_without_the_guard_the_bare_thresholds_decide(open_it: OpenIt) -> None:
    robot = open_it(dedup_guard=False).robot
    robot.learn("a force of 9 N lifts the small red cup up safely from the table")

    answer = robot.learn("a force of 11 N lifts the small red cup up safely from the table")

    assert answer["status"] == "duplicate"


def test_a_duplicate_is_looked_for_in_its_own_collection_only(robot: RobotTools) -> None:
    robot.learn(LESSON, collection="kitchen")

    assert robot.learn(LESSON, collection="garage")["status"] == "created"


def test_a_forgotten_lesson_can_be_learned_again_under_a_new_id(robot: RobotTools) -> None:
    robot.learn(LESSON)
    robot.forget(1, "sensor was off")

    assert robot.learn(LESSON).get("memory_id") == 2


def test_a_duplicate_names_the_first_one_and_refreshes_it(robot: RobotTools) -> None:
    robot.learn(LESSON)
    robot.learn(LESSON)
    robot.learn(LESSON)

    assert robot.learn(LESSON).get("existing_id") == 1
    assert robot.get(1)["access_count"] == 3


def test_what_a_refused_duplicate_said_can_be_found_in_the_history(robot: RobotTools) -> None:
    robot.learn(LESSON)
    robot.learn(LESSON, context={"task": {"name": "second time"}})

    refused = robot.history(1)[-1]

    assert refused["verb"] == "duplicate"
    assert refused["after"] == {
        "content": LESSON,
        "context": {"task": {"name": "second time"}},
        "method": "exact",
        "similarity": 1.0,
    }


def test_the_words_of_a_refused_near_duplicate_are_kept_with_how_near_it_was(
    robot: RobotTools,
) -> None:
    robot.learn("the cup slips when the gripper lifts it quickly")
    answer = robot.learn("The cup really slips when the gripper lifts it quickly!")

    refused = robot.history(answer.get("existing_id", 0))[-1]

    assert refused["after"]["content"] == "The cup really slips when the gripper lifts it quickly!"
    assert refused["after"]["method"] == answer.get("method") == "jaccard"
    assert refused["after"]["similarity"] == answer.get("similarity")


def test_a_lesson_of_an_unknown_session_is_an_error_and_nothing_is_stored(
    robot: RobotTools,
) -> None:
    with pytest.raises(NotFoundError, match="no session 'nowhere'"):
        robot.learn(LESSON, session_id="nowhere")

    assert robot.list() == []


def test_a_session_of_another_collection_is_an_error(robot: RobotTools) -> None:
    session = robot.start_session(collection="kitchen")["session_id"]

    with pytest.raises(InvalidInputError, match="session_id"):
        robot.learn(LESSON, collection="garage", session_id=session)


def test_many_lessons_are_learned_in_one_step_and_know_each_other(robot: RobotTools) -> None:
    answers = robot.learn_many([LESSON, {"insight": "the door is locked"}, LESSON])

    assert [one["status"] for one in answers] == ["created", "created", "duplicate"]


def test_one_bad_lesson_among_many_means_that_none_is_stored(robot: RobotTools) -> None:
    with pytest.raises(InvalidInputError, match="insight"):
        robot.learn_many([LESSON, ""])

    assert robot.list() == []
    assert robot.recall("grip force")["total"] == 0


@pytest.mark.parametrize("broken", ["half \ud83d", "with a \x00 inside"])
def test_a_text_that_no_database_can_hold_is_an_error_that_names_it(
    robot: RobotTools, broken: str
) -> None:
    with pytest.raises(InvalidInputError, match=r"^insight: "):
        robot.learn(broken)
    with pytest.raises(InvalidInputError, match=r"^data: "):
        robot.save_perception("a good description", data={"a": "half \ud83d"})
    with pytest.raises(InvalidInputError, match=r"^context: "):
        robot.learn("a good lesson", context={"a": broken})
