"""Both sides of every number of the robot contract."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from mnemic.dialects.robot.tools import RobotTools
from mnemic.errors import MnemicError
from mnemic.opening import OpenMemory
from tests.conftest import Clock, OpenIt
from tests.providers.embedding_server import EmbeddingServer
from tests.providers.scripted_server import Reply

# Words that share no stem, no meaning and no character pairs worth mentioning.
WORDS = [
    *("amber", "bucket", "cactus", "dragon", "engine", "falcon", "gutter", "hammer", "insect"),
    *("jigsaw", "kettle", "lemon", "magnet", "napkin", "oyster", "pencil", "quartz", "ribbon"),
    *("saddle", "tunnel", "umbrella", "violin", "walnut"),
]


def sentence(count: int, *, first: int = 0) -> str:
    return " ".join(WORDS[first : first + count])


@pytest.fixture
def unguarded(open_it: OpenIt) -> RobotTools:
    """Tools that compare by the thresholds alone."""
    return open_it(dedup_guard=False).robot


def test_0_70_of_shared_words_is_no_duplicate_and_more_is(unguarded: RobotTools) -> None:
    unguarded.learn(sentence(10))
    unguarded.learn(sentence(17), collection="more")

    at_the_threshold = unguarded.learn(sentence(7))
    over_it = unguarded.learn(sentence(12), collection="more")

    assert at_the_threshold["status"] == "created"
    assert over_it["status"] == "duplicate"
    assert over_it.get("similarity") == round(12 / 17, 4)


COSINES = {"still water": (1.0, 0.0), "calm lake": (0.84, 0.5426), "quiet pond": (0.86, 0.5103)}


@pytest.fixture
def by_cosine(open_it: OpenIt) -> Iterator[RobotTools]:
    def answer(texts: list[str]) -> Reply:
        data = [
            {"index": at, "embedding": COSINES.get(text, (0.0, 1.0))}
            for at, text in enumerate(texts)
        ]
        return Reply(json.dumps({"object": "list", "data": data}).encode())

    with EmbeddingServer(*[answer] * 40) as server:
        yield open_it(embedder="openai:scripted", embedder_url=server.url, dedup_guard=False).robot


@pytest.mark.parametrize(
    ("text", "status"), [("calm lake", "created"), ("quiet pond", "duplicate")]
)
def test_a_cosine_over_0_85_is_a_duplicate(by_cosine: RobotTools, text: str, status: str) -> None:
    by_cosine.learn("still water")

    assert by_cosine.learn(text)["status"] == status


def consolidated(
    memory: OpenMemory, lessons: list[str], clock: Clock | None = None, *, context: Any = ""
) -> int:
    """Return how many groups the end of a session merges, three days later where a clock is given;
    nothing is refused on the way in.
    """
    robot = memory.robot
    session = robot.start_session()["session_id"]
    for number, lesson in enumerate(lessons):
        answer = robot.learn(f"placeholder {WORDS[-number - 1]}", session_id=session)
        robot.update(answer.get("memory_id", 0), lesson, context=context)
    if clock is not None:
        clock.turn(days=3)
    return robot.end_session(session)["consolidated"]["merged_groups"]


@pytest.mark.parametrize(
    ("shared", "whole", "groups"), [(5, 10, 0), (11, 21, 1)], ids=["0.50", "0.524"]
)
def test_over_0_50_of_shared_words_is_merged_at_the_end(
    memory: OpenMemory, shared: int, whole: int, groups: int
) -> None:
    lessons = [sentence(whole), sentence(shared), "the door squeaks"]

    assert consolidated(memory, lessons) == groups


def test_two_memories_are_not_consolidated_and_three_are(memory: OpenMemory) -> None:
    alike = [sentence(9), sentence(8)]

    assert consolidated(memory, alike) == 0
    assert consolidated(memory, [*alike, "the door squeaks"]) == 1


def test_a_confidence_of_0_95_is_kept_out_of_consolidation_and_0_92_is_not(
    memory: OpenMemory, clock: Clock
) -> None:
    context = {"task": {"name": "a name that is long enough"}}
    lessons = [
        f"{sentence(9)} because `grip()`",
        f"{sentence(8)} because `grip()`",
        "a door squeaks",
    ]

    assert consolidated(memory, lessons, context=context) == 0
    # 0.95 * 0.99 ** 3 is 0.9218.
    assert consolidated(memory, lessons, clock, context=context) == 1


@pytest.mark.parametrize(
    ("text", "context", "confidence"),
    [
        ("amber bucket cactus", "", 0.80),
        ("amber bucket because of cactus", "", 0.85),
        ("amber bucket because of `cactus`", "", 0.90),
        ("amber bucket because of `cactus` in src/main.py", "", 0.95),
        ("amber `cactus()` because of src/main.py", {"task": {"name": "a long name"}}, 0.95),
        ("amber bucket cactus", '{"a": "23456789012"}', 0.80),
        ("amber bucket cactus", '{"a": "234567890123"}', 0.85),
    ],
)
def test_confidence_begins_at_0_80_and_gains_0_05_for_each_detail(
    robot: RobotTools, text: str, context: Any, confidence: float
) -> None:
    number = robot.learn(text, context).get("memory_id", 0)

    assert robot.get(number)["confidence"] == confidence


def test_a_perception_is_trusted_with_0_90(robot: RobotTools) -> None:
    number = robot.save_perception("contact on the left finger")["memory_id"]

    assert robot.get(number)["confidence"] == 0.90


@pytest.mark.parametrize(("characters", "cut"), [(300, False), (301, True)])
def test_a_lesson_has_300_characters_at_most(robot: RobotTools, characters: int, cut: bool) -> None:
    answer = robot.learn("力" * characters)

    assert len(robot.get(answer.get("memory_id", 0))["content"]) == 300
    assert answer.get("truncated", False) is cut


def test_a_description_has_5_characters_at_least(robot: RobotTools) -> None:
    assert robot.save_perception("touch")["memory_id"]
    with pytest.raises(MnemicError, match="description"):
        robot.save_perception("push")


@pytest.mark.parametrize("n", [0, 101])
def test_recall_refuses_fewer_than_1_and_more_than_100(robot: RobotTools, n: int) -> None:
    with pytest.raises(MnemicError, match="n:"):
        robot.recall("amber", n=n)


def test_recall_returns_1_and_100(robot: RobotTools) -> None:
    robot.learn_many([f"amber station {number} holds {number} N" for number in range(101)])

    assert len(robot.recall("amber", n=1)["memories"]) == 1
    assert len(robot.recall("amber", n=100)["memories"]) == 100
    assert len(robot.recall("amber")["memories"]) == 5


def test_a_filter_has_10_conditions_at_most(robot: RobotTools) -> None:
    robot.learn("amber bucket", {"params": {str(at): at for at in range(11)}})
    ten = {f"params.{at}": at for at in range(10)}

    assert robot.recall("amber", context_filter=ten)["total"] == 1
    with pytest.raises(MnemicError, match="10"):
        robot.recall("amber", context_filter=ten | {"params.10": 10})


def confidence_after(memory: OpenMemory, clock: Clock, **delta: float) -> float:
    """Return what is left of 0.80 when a session ends after a while without any access."""
    memory.robot.learn("amber bucket")
    clock.turn(**delta)
    memory.robot.end_session(memory.robot.start_session()["session_id"])
    return memory.robot.get(1)["confidence"]


@pytest.mark.parametrize(
    ("delta", "confidence"),
    [
        ({"hours": 24}, 0.80),
        ({"hours": 24, "seconds": 1}, 0.80 * 0.99),
        ({"days": 30}, 0.5918),
        ({"days": 275}, 0.80 * 0.99**275),
        ({"days": 276}, 0.05),
        ({"days": 400}, 0.05),
    ],
)
def test_confidence_loses_1_percent_a_day_after_the_first_and_stops_at_0_05(
    memory: OpenMemory, clock: Clock, delta: dict[str, float], confidence: float
) -> None:
    assert confidence_after(memory, clock, **delta) == pytest.approx(confidence, abs=5e-5)


# 0.80 * 0.99 ** 97 is 0.3018, and 0.80 * 0.99 ** 98 is 0.2988.
@pytest.mark.parametrize(("days", "found"), [(97, 1), (98, 0)])
def test_recall_leaves_out_what_is_under_0_3_by_default(
    memory: OpenMemory, clock: Clock, days: int, found: int
) -> None:
    confidence_after(memory, clock, days=days)

    assert memory.robot.recall("amber bucket")["total"] == found


@pytest.mark.parametrize(
    ("score", "fine"), [(0.0, True), (1.0, True), (-0.01, False), (1.01, False)]
)
def test_an_outcome_score_is_0_to_1(robot: RobotTools, score: float, fine: bool) -> None:
    session = robot.start_session()["session_id"]
    if fine:
        assert robot.end_session(session, score)["status"] == "ended"
    else:
        with pytest.raises(MnemicError, match="outcome_score"):
            robot.end_session(session, score)


def test_what_was_done_in_the_real_world_counts_1_5_times(robot: RobotTools) -> None:
    def score_of_the_first(collection: str, where: str) -> float:
        robot.learn("amber bucket one", {"env": {"sim_or_real": "sim"}}, collection)
        robot.learn("amber bucket two", {"env": {"sim_or_real": where}}, collection)
        return robot.recall("amber bucket", collection)["memories"][-1]["_rrf_score"]

    assert score_of_the_first("a", "sim") / score_of_the_first("b", "real") == pytest.approx(
        1.5, rel=0.01
    )
