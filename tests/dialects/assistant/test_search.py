"""Promises of memory_search."""

from typing import Any

import pytest

from mnemic.opening import OpenMemory
from tests.conftest import OpenIt
from tests.dialects.calling import add, call, done, refused, search

NOTES = (
    ("我喜欢喝乌龙茶", "core"),
    ("昨天和小李去爬了香山", "episodic"),
    ("Python 装饰器可以在不改函数的情况下增加功能", "knowledge_vault"),
    ("Transformer uses attention to relate tokens", "semantic"),
    ("To deploy, run the release script on the build server", "procedural"),
    ("The design document lives in the shared drive", "resource"),
)


@pytest.fixture(params=["none", "hashing"])
def filled(request: pytest.FixtureRequest, open_it: OpenIt) -> OpenMemory:
    memory = open_it(embedder=request.param)
    for content, kind in NOTES:
        add(memory, content, kind)
    return memory


def test_the_answer_has_the_keys_and_the_words_of_the_contract(memory: OpenMemory) -> None:
    kept = add(memory, "我喜欢喝乌龙茶", context="口味")

    envelope = call(memory, "memory_search", query="乌龙茶")

    assert list(envelope) == ["success", "data", "message", "timestamp", "execution_time"]
    assert envelope["message"] == "搜索完成"
    data = envelope["data"]
    assert list(data) == ["query", "results", "total_results", "search_time"]
    assert (data["query"], data["total_results"]) == ("乌龙茶", 1)
    assert 0 < data["search_time"] <= envelope["execution_time"]
    [found] = data["results"]
    score = found.pop("relevance_score")
    assert 0.5 < score <= 1
    assert found == {
        "memory_id": kept,
        "content": "我喜欢喝乌龙茶",
        "memory_type": "core",
        "context": "口味",
        "created_at": "2026-03-09T12:00:00Z",
        "updated_at": "2026-03-09T12:00:00Z",
    }


def test_a_search_right_after_an_add_finds_it_in_both_languages(memory: OpenMemory) -> None:
    for at in range(20):
        add(memory, f"The {at}th harbour lies north", "semantic")
        add(memory, f"第{at}个灯塔在南边", "semantic")
        assert search(memory, f"{at}th harbour")[0] == f"The {at}th harbour lies north"
        assert search(memory, f"第{at}个灯塔")[0] == f"第{at}个灯塔在南边"


@pytest.mark.parametrize(
    ("query", "found"),
    [("乌龙", 0), ("茶", 0), ("香山", 1), ("装饰器", 2), ("python", 2), ("attention", 3)],
)
def test_words_of_either_language_find_what_holds_them(
    filled: OpenMemory, query: str, found: int
) -> None:
    assert search(filled, query)[0] == NOTES[found][0]


@pytest.mark.parametrize(
    "query", ["quantum chromodynamics", "恐龙灭绝", "zxqv", "😀", "%", "* OR *"]
)
def test_nothing_relevant_is_an_empty_list(filled: OpenMemory, query: str) -> None:
    found = done(filled, "memory_search", query=query)

    assert found["results"] == []
    assert found["total_results"] == 0


def test_scores_fall_and_stay_between_zero_and_one(filled: OpenMemory) -> None:
    for query in ("release script", "Python 装饰器", "attention tokens deploy", "文档 document"):
        scores = [
            one["relevance_score"] for one in done(filled, "memory_search", query=query)["results"]
        ]
        assert scores
        assert all(0 <= score <= 1 for score in scores)
        assert scores == sorted(scores, reverse=True)


def test_scores_are_the_same_whatever_the_type(memory: OpenMemory) -> None:
    boats = {"core": "red boats", "semantic": "new boats", "resource": "old boats"}
    for kind, told in boats.items():
        add(memory, f"The lighthouse keeper paints {told}", kind)

    found = done(memory, "memory_search", query="lighthouse keeper")["results"]

    assert len(found) == 3
    assert (
        max(one["relevance_score"] for one in found) - min(one["relevance_score"] for one in found)
        < 0.01
    )
    alone = done(memory, "memory_search", query="lighthouse keeper", memory_types=["resource"])
    assert alone["results"][0]["relevance_score"] == pytest.approx(
        found[0]["relevance_score"], abs=0.01
    )


def test_the_same_statement_is_listed_once_whatever_its_types(memory: OpenMemory) -> None:
    for kind in ("core", "semantic", "resource"):
        add(memory, "The lighthouse keeper paints boats", kind)
    add(memory, "The lighthouse is white")

    found = done(memory, "memory_search", query="lighthouse")

    assert (len(found["results"]), found["total_results"]) == (2, 2)


def test_the_total_counts_what_matches_before_the_limit(memory: OpenMemory) -> None:
    for at in range(30):
        add(memory, f"Python trick {at}", "knowledge_vault")
    for at in range(10):
        add(memory, f"Gardening trick {at}", "procedural")

    found = done(memory, "memory_search", query="Python", limit=4)
    assert (len(found["results"]), found["total_results"]) == (4, 30)
    both = done(memory, "memory_search", query="trick", limit=100)
    assert (len(both["results"]), both["total_results"]) == (40, 40)
    some = done(memory, "memory_search", query="trick", memory_types=["procedural"], limit=3)
    assert (len(some["results"]), some["total_results"]) == (3, 10)


def test_the_limit_is_for_all_types_together_and_ten_by_default(memory: OpenMemory) -> None:
    for at in range(12):
        add(memory, f"harbour {at}", "core" if at % 2 else "semantic")

    assert len(search(memory, "harbour")) == 10
    assert len(search(memory, "harbour", limit=1)) == 1
    assert len(search(memory, "harbour", limit=100)) == 12
    assert len(search(memory, "harbour", limit=5.0)) == 5


@pytest.mark.parametrize("limit", [0, 101, -1, "5", 2.5, True, [1], 10**30])
def test_another_limit_is_refused(memory: OpenMemory, limit: Any) -> None:
    problem = refused(memory, "memory_search", query="x", limit=limit)

    assert problem["code"] == "INVALID_LIMIT"
    assert "100" in problem["details"]


@pytest.mark.parametrize("character", ["x", "茶"])
def test_a_query_has_one_to_a_thousand_characters(memory: OpenMemory, character: str) -> None:
    add(memory, character)

    assert call(memory, "memory_search", query=character * 1_000)["success"]
    assert search(memory, character) == [character]
    problem = refused(memory, "memory_search", query=character * 1_001)
    assert problem["code"] == "INVALID_QUERY"


@pytest.mark.parametrize("query", ["", "  ", None, 5, ["x"]])
def test_a_query_that_is_empty_or_no_text_is_refused(memory: OpenMemory, query: Any) -> None:
    assert refused(memory, "memory_search", query=query)["code"] == "INVALID_QUERY"


def test_a_query_that_is_missing_is_refused(memory: OpenMemory) -> None:
    assert refused(memory, "memory_search", limit=0)["code"] == "INVALID_QUERY"


@pytest.mark.parametrize("types", ["core", 5, ["nothing"], ["core", 5], ["auto"], {"a": 1}])
def test_wrong_types_are_refused(memory: OpenMemory, types: Any) -> None:
    problem = refused(memory, "memory_search", query="x", memory_types=types, limit=0)

    assert problem["code"] == "INVALID_MEMORY_TYPES"


def test_no_types_means_all_of_them(filled: OpenMemory) -> None:
    assert search(filled, "document", memory_types=[]) == search(filled, "document")
    assert search(filled, "document", memory_types=["core"]) == []
    assert search(filled, "document", memory_types=["resource", "core", "core"]) == [NOTES[5][0]]


def test_what_was_corrected_is_found_as_it_is_now(memory: OpenMemory) -> None:
    kept = add(memory, "I live in Berlin")
    done(memory, "memory_update", memory_id=kept, content="I live in Paris")

    assert search(memory, "Berlin") == []
    assert search(memory, "Paris") == ["I live in Paris"]
    done(memory, "memory_delete", memory_id=kept)
    assert search(memory, "Paris") == []


def test_a_list_goes_page_by_page_and_counts_all_of_the_types_asked_for(memory: OpenMemory) -> None:
    for at in range(5):
        add(memory, f"harbour {at}", "semantic")
    add(memory, "I am a nurse")
    gone = add(memory, "harbour 5", "semantic")
    done(memory, "memory_delete", memory_id=gone)

    first = done(memory, "memory_list", memory_types=["semantic"], limit=3)
    second = done(
        memory, "memory_list", memory_types=["semantic"], limit=3, before=first["next_before"]
    )

    told = [one["content"] for one in (*first["memories"], *second["memories"])]
    assert told == [f"harbour {at}" for at in (4, 3, 2, 1, 0)]
    assert (first["total"], second["total"], second["next_before"]) == (5, 5, None)
    assert done(memory, "memory_list")["total"] == 6
    assert done(memory, "memory_list", user_id="nobody") == {
        "memories": [],
        "total": 0,
        "next_before": None,
    }
