"""Vectors come and go; words always work."""

import logging

import pytest

from mnemic import Draft, Query, Scope
from mnemic.opening import OpenMemory
from tests.conftest import OpenIt


def test_a_broken_embedder_means_words_with_one_warning(
    open_it: OpenIt, caplog: pytest.LogCaptureFixture
) -> None:
    memory = open_it(embedder="ollama:nothing", embedder_url="http://127.0.0.1:9")

    with caplog.at_level(logging.WARNING, "mnemic"):
        memory.robot.learn("the cup is red")
        answers = [memory.robot.recall("cup") for _ in range(3)]

    assert [answer["mode"] for answer in answers] == ["bm25_only"] * 3
    assert [answer["total"] for answer in answers] == [1, 1, 1]
    # A listener of another test's database may still say that it lost its connection.
    messages = [record.getMessage() for record in caplog.records]
    assert len([message for message in messages if "embedder" in message]) == 1


def test_vectors_of_two_models_never_mix(open_it: OpenIt) -> None:
    with open_it(embedder="hashing") as before:
        before.robot.learn("the cup is red")

    after = open_it(embedder="default")
    assert after.robot.recall("cup")["mode"] == "bm25_only"
    after.robot.learn("the door is green")
    assert after.robot.recall("door")["mode"] == "hybrid"
    [door, cup] = after.robot.recall("door cup")["memories"]
    assert {door["_vec_rank"], cup["_vec_rank"]} == {1, None}


def test_missing_vectors_are_made_later_and_seen_by_others(open_it: OpenIt) -> None:
    with open_it(embedder="none") as before:
        before.robot.learn_many([f"lesson about thing{number}" for number in range(150)])
    other = open_it(embedder="hashing")
    assert other.robot.recall("thing7")["mode"] == "bm25_only"
    progress: list[tuple[int, int]] = []

    embedded = open_it(embedder="hashing").embed_missing(
        progress=lambda done, total: progress.append((done, total))
    )

    assert embedded == 150
    assert progress[-1] == (150, 150)
    assert other.robot.recall("thing7")["mode"] == "hybrid"
    assert other.embed_missing() == 0


def test_the_engine_speaks_in_typed_records(memory: OpenMemory) -> None:
    kitchen = Scope("collection", "kitchen")
    stored = memory.remember(Draft("the cup is red", scope=kitchen, context={"a": 1}))

    recalled = memory.recall(Query("cup", scopes=(kitchen,)))

    assert stored.duplicate is None
    assert recalled.hits[0].memory == stored.memory
    assert recalled.hits[0].bm25_rank == 1
    assert recalled.mode == "bm25_only"


def test_a_query_may_ask_for_one_channel_only(open_it: OpenIt) -> None:
    memory = open_it(embedder="hashing")
    memory.remember(Draft("the cup is red"))

    assert memory.recall(Query("cup", mode="bm25_only")).mode == "bm25_only"
    assert memory.recall(Query("cup", mode="vec_only")).mode == "vec_only"


def test_several_scopes_are_searched_together(memory: OpenMemory) -> None:
    scopes = (Scope("collection", "kitchen"), Scope("collection", "garage"))
    for scope in scopes:
        memory.remember(Draft(f"a cup in the {scope.name}", scope=scope))
    memory.remember(Draft("a cup elsewhere", scope=Scope("collection", "attic")))

    found = memory.recall(Query("cup", scopes=scopes)).hits

    assert {hit.memory.scope.name for hit in found} == {"kitchen", "garage"}
