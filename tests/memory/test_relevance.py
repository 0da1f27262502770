"""How likely a hit answers the question, and how an answer came about."""

import pytest

from mnemic import Draft, InvalidInputError, Query
from mnemic.opening import OpenMemory
from tests.conftest import OpenIt

FACTS = [
    "Anna plays the violin in the town orchestra",
    "The red cup stands on the kitchen table",
    "The gripper slips on wet glass",
    "安娜在交响乐团拉小提琴",
    "红色的杯子放在厨房的桌子上",
]


@pytest.fixture(params=["none", "hashing"])
def knowing(request: pytest.FixtureRequest, open_it: OpenIt) -> OpenMemory:
    """A memory that knows a few things, with and without vectors."""
    memory = open_it(embedder=request.param)
    memory.remember_many([Draft(fact) for fact in FACTS])
    return memory


@pytest.mark.parametrize(
    ("known", "unknown"),
    [
        ("Who plays the violin?", "Who repaired the spaceship engine?"),
        ("红色的杯子在哪里", "火星探测器何时发射"),
    ],
)
def test_what_is_known_is_more_relevant_than_what_is_not(
    knowing: OpenMemory, known: str, unknown: str
) -> None:
    answer = knowing.recall(Query(known)).hits
    filler = knowing.recall(Query(unknown)).hits

    assert answer[0].relevance > 0.3
    assert all(hit.relevance < 0.15 for hit in filler)
    assert all(0 <= hit.relevance <= 1 for hit in (*answer, *filler))


def test_an_embedder_that_was_not_calibrated_has_no_say_in_relevance(open_it: OpenIt) -> None:
    words, vectors = open_it(), open_it(embedder="hashing")
    vectors.remember(Draft("the red cup stands on the table"))

    by_words = words.recall(Query("the red cup?")).hits[0].relevance
    hybrid = vectors.recall(Query("the red cup?")).hits[0]

    assert hybrid.cosine is not None
    assert hybrid.relevance == pytest.approx(by_words)


def test_relevance_falls_with_the_rank(knowing: OpenMemory) -> None:
    hits = knowing.recall(Query("the red cup of Anna on the table")).hits

    assert len(hits) > 1
    assert [hit.relevance for hit in hits] == sorted((hit.relevance for hit in hits), reverse=True)


def test_below_the_asked_relevance_nothing_is_returned(knowing: OpenMemory) -> None:
    assert knowing.recall(Query("Who plays the violin?", min_relevance=0.2)).hits
    assert not knowing.recall(Query("Who repaired the engine?", min_relevance=0.2)).hits


def test_below_the_floor_nothing_is_returned_and_above_it_everything(knowing: OpenMemory) -> None:
    known, unknown = "Who plays the violin on the table?", "Who repaired the spaceship?"

    assert knowing.recall(Query(known, floor=0.2)).hits == knowing.recall(Query(known)).hits
    assert knowing.recall(Query(known, floor=0.2)).hits[-1].relevance < 0.2
    assert not knowing.recall(Query(unknown, floor=0.2)).hits


def test_what_was_said_around_a_hit_counts_for_it(memory: OpenMemory) -> None:
    run, _ = memory.start_episode()
    alone = memory.remember(Draft("Under the stairs.", episode_id=run.id)).memory
    before = memory.recall(Query("stairs violin case")).hits[0]
    memory.forget(alone.id, reason="to be said again")
    memory.remember(Draft("Where is the violin case?", episode_id=run.id))
    memory.remember(Draft("Under the stairs, as ever.", episode_id=run.id))

    after = memory.recall(Query("stairs violin case")).hits[0]

    assert after.relevance > before.relevance


@pytest.mark.parametrize("wrong", [-0.1, 1.1, float("nan")])
def test_a_relevance_out_of_range_is_refused(memory: OpenMemory, wrong: float) -> None:
    with pytest.raises(InvalidInputError, match="min_relevance"):
        memory.recall(Query("cup", min_relevance=wrong))


def test_an_explained_answer_tells_what_was_sought_and_what_each_step_cost(
    knowing: OpenMemory,
) -> None:
    plain = knowing.recall(Query("the red cup"))
    told = knowing.recall(Query("the red cup", explain=True))

    assert plain.explanation is None
    assert told.hits == plain.hits
    assert told.explanation is not None
    shares = {one.term: one.share for one in told.explanation.terms}
    assert shares == {"red": 0.2, "cup": 0.2}
    assert told.explanation.by_words == 1
    assert told.explanation.candidates >= 1
    names = [stage.name for stage in told.explanation.stages]
    assert names[0] == "terms"
    assert {"catch up", "words", "fusion", "relevance", "memories"} <= set(names)
    assert all(stage.wall_ms >= 0 and stage.cpu_ms >= 0 for stage in told.explanation.stages)
    if told.mode == "hybrid":
        assert told.explanation.embedded == "red cup"


def test_the_robot_is_told_how_an_answer_came_about_only_if_it_asks(memory: OpenMemory) -> None:
    memory.robot.learn("the red cup stands on the table")

    plain = memory.robot.recall("red cup")
    told = memory.robot.recall("red cup", explain=True)

    assert "explanation" not in plain
    assert "_relevance" not in plain["memories"][0]
    assert told.get("explanation", {}).get("by_words") == 1
    assert told["memories"][0].get("_relevance", 0) > 0.3
    assert "bm25" in told["memories"][0].get("_why", {})
    assert memory.robot.recall("spaceship", min_relevance=0.2)["total"] == 0
    with pytest.raises(InvalidInputError, match="explain"):
        memory.robot.recall("cup", explain="yes")  # pyright: ignore[reportArgumentType]
