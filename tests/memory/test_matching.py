"""A query that matches returns what fits, nothing else, and says how much of it there is."""

from dataclasses import replace
from itertools import pairwise
from math import log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mnemic
from mnemic import Draft, InvalidInputError, Query, Recalled, Scope, parse_filter, parse_near
from mnemic.language.broadening import broadened
from mnemic.language.tokens import index_terms
from mnemic.memory.retrieval.matching import LEAST_COVERAGE
from mnemic.opening import OpenMemory
from mnemic.records.filters import of_kinds
from tests.assistant import person
from tests.conftest import OpenIt

PEOPLE = {
    "english": (
        person.ENGLISH,
        person.ENGLISH_BY_WORDS,
        person.ENGLISH_BY_MEANING,
        person.UNWANTED_IN_ENGLISH,
    ),
    "chinese": (
        person.CHINESE,
        person.CHINESE_BY_WORDS,
        person.CHINESE_BY_MEANING,
        person.UNWANTED_IN_CHINESE,
    ),
}
WORDS = ["red", "cup", "door", "table", "robot", "grip", "杯子", "红色", "门", "force", "9n"]
OF_CONCEPTS = ["pet", "cat", "dog", "宠物", "狗", "drink", "tea", "喝", "茶"]
TEXTS = st.lists(st.sampled_from(WORDS + OF_CONCEPTS), min_size=1, max_size=6).map(" ".join)


def ask(memory: OpenMemory, text: str, **asked: object) -> Recalled:
    query = replace(Query(text, limit=10, matching=True), **asked)
    recalled = memory.recall(query)
    fits = [hit.fit for hit in recalled.hits]
    assert fits == sorted(fits, reverse=True)
    assert all(0 <= fit <= 1 for fit in fits)
    assert recalled.total is not None
    assert len(fits) == min(query.limit, recalled.total)
    return recalled


def contents(recalled: Recalled) -> list[str]:
    return [hit.memory.content for hit in recalled.hits]


def returned(memory: OpenMemory, text: str, parts: tuple[str, ...]) -> bool:
    found = contents(ask(memory, text))
    return all(any(part in content for content in found) for part in parts)


@pytest.mark.parametrize("language", PEOPLE)
@pytest.mark.parametrize("embedder", ["none", "default"])
def test_what_a_person_told_is_returned_where_it_matches_and_nothing_where_nothing_does(
    open_it: OpenIt, embedder: str, language: str
) -> None:
    told, by_words, by_meaning, unwanted = PEOPLE[language]
    memory = open_it(embedder=embedder, wait_for_embedder=True)
    memory.remember_many([Draft(text) for text in told])

    wanted = by_words if embedder == "none" else by_words + by_meaning

    assert [text for text, parts in wanted if not returned(memory, text, parts)] == []
    assert {text: contents(found) for text in unwanted if (found := ask(memory, text)).hits} == {}


@pytest.mark.parametrize("embedder", ["none", "default"])
def test_a_word_returns_every_memory_that_holds_it_and_counts_all_of_them(
    open_it: OpenIt, embedder: str
) -> None:
    memory = open_it(embedder=embedder, wait_for_embedder=True)
    memory.remember_many(
        [Draft(f"note {at}: Python is used for task number {at}", dedup=False) for at in range(500)]
        + [Draft(f"第{at}只猫在屋顶上", dedup=False) for at in range(30)]
        + [Draft(f"the door {at} is closed", dedup=False) for at in range(50)]
    )

    python, cats = ask(memory, "Python"), ask(memory, "猫", limit=100)

    assert (python.total, len(python.hits)) == (500, 10)
    assert all("Python" in one for one in contents(python))
    assert (cats.total, len(cats.hits)) == (30, 30)
    assert all("猫" in one for one in contents(cats))
    assert ask(memory, "python", limit=1000).total == 500


def test_what_was_forgotten_or_says_something_else_now_is_not_counted(memory: OpenMemory) -> None:
    stored = memory.remember_many([Draft(f"python script {at}", dedup=False) for at in range(20)])
    ids = [one.memory.id for one in stored]
    memory.forget(ids[0], reason="gone")
    memory.revise(ids[1], "a recipe for bread")
    memory.forget(ids[2], reason="gone")
    memory.undo(ids[2])

    assert ask(memory, "python", limit=50).total == 18
    assert {hit.memory.id for hit in ask(memory, "python", limit=50).hits} == set(ids[2:])


@pytest.mark.parametrize("many", [40, 1_500])
def test_only_what_passes_every_condition_is_counted(memory: OpenMemory, many: int) -> None:
    run, _ = memory.start_episode()
    memory.remember_many(
        [
            Draft(
                f"python script {at}",
                kind="perception" if at % 4 == 0 else "fact",
                context={"n": at, "even": at % 2 == 0},
                confidence=0.2 if at % 10 == 0 else 0.9,
                episode_id=run.id if at < 10 else None,
                dedup=False,
            )
            for at in range(many)
        ]
    )
    even = parse_filter({"even": True})
    for _ in range(3):
        assert ask(memory, "python").total == many
        assert ask(memory, "python", filter=even).total == many // 2
        assert ask(memory, "python", filter=of_kinds(["perception"])).total == many // 4
        both = of_kinds(["fact"]) & even
        assert ask(memory, "python", filter=both).total == many // 4
        assert ask(memory, "python", min_confidence=0.5).total == many - many // 10
        assert ask(memory, "python", episode_id=run.id).total == 10
        assert ask(memory, "python", other_than_episode=run.id).total == many - 10
        few = ask(memory, "python", filter=parse_filter({"n": {"$lt": 7}}) & even)
        assert (few.total, len(few.hits)) == (4, 4)
        assert ask(memory, "bread", filter=even).total == 0


def test_scopes_are_counted_together_and_one_by_one(memory: OpenMemory) -> None:
    kitchen, garage = Scope("collection", "kitchen"), Scope("collection", "garage")
    for scope, count in ((kitchen, 3), (garage, 4)):
        memory.remember_many([Draft(f"cup {at}", scope, dedup=False) for at in range(count)])

    assert ask(memory, "cup", scopes=(kitchen,)).total == 3
    assert ask(memory, "cup", scopes=(garage, kitchen)).total == 7
    assert ask(memory, "cup", scopes=(Scope("collection", "nowhere"),)).total == 0


def reference(query: str, texts: dict[int, str]) -> set[int]:
    """Return which texts cover enough of a query, by the plainest possible count."""
    counted = {number: index_terms(text) for number, text in texts.items()}
    covered, total = dict.fromkeys(texts, 0.0), 0.0
    for piece in broadened(query).pieces:
        shown = {
            number: max((strength for term, strength in piece if term in terms), default=0.0)
            for number, terms in counted.items()
        }
        itself, strength = piece[-1]
        holders = sum(itself in terms for terms in counted.values())
        if len(piece) > 1 and strength == 1:
            holders = sum(shown.values())
        weight = log(1 + (len(texts) - holders + 0.5) / (holders + 0.5))
        weight *= 0.5 if strength < 1 else 1.0
        total += weight
        for number in texts:
            covered[number] += weight * shown[number]
    return {number for number in texts if covered[number] / total >= LEAST_COVERAGE}


@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_matches_are_exact_after_any_mix_of_changes(data: st.DataObject) -> None:
    with mnemic.open(":memory:", embedder="hashing", durability="off") as memory:
        texts: dict[int, str] = {}
        for text in data.draw(st.lists(TEXTS, min_size=1, max_size=20)):
            texts[memory.remember(Draft(text, dedup=False)).memory.id] = text
        for changed in data.draw(st.sets(st.sampled_from(sorted(texts)))):
            if data.draw(st.booleans()):
                texts[changed] = data.draw(TEXTS)
                memory.revise(changed, texts[changed])
            else:
                del texts[changed]
                memory.forget(changed, reason="wrong")
        query, limit = data.draw(TEXTS), data.draw(st.integers(1, 20))

        found = ask(memory, query, limit=limit)

        expected = reference(query, texts) if texts else set[int]()
        ids = {hit.memory.id for hit in found.hits}
        assert found.total == len(expected)
        assert ids <= expected
        assert len(ids) == min(limit, len(expected))


def test_a_match_is_returned_though_hundreds_score_more_by_a_part_of_the_query(
    memory: OpenMemory,
) -> None:
    asked = ("violin", "lesson", "piano", "stage")
    rest = " ".join(f"word{at}" for at in range(400))
    whole = memory.remember(Draft(f"{rest} {' '.join(asked[:2])}", dedup=False)).memory
    for word in asked:
        memory.remember_many([Draft(f"{word} " * 3, dedup=False) for _ in range(300)])

    by_score = memory.recall(Query(" ".join(asked), limit=100)).hits
    found = ask(memory, " ".join(asked))

    assert whole.id not in {hit.memory.id for hit in by_score}
    assert [hit.memory.id for hit in found.hits] == [whole.id]
    assert found.total == 1


@pytest.mark.parametrize("embedder", ["none", "default"])
@pytest.mark.parametrize(
    ("said", "again", "longer"),
    [
        (
            "the violin lesson is on Monday",
            "The violin lesson is on Monday!",
            "I was told that the violin lesson on Monday is held in the large hall of the old"
            " school, because the music room has to be painted before the summer concert",
        ),
        (
            "小提琴课在星期一",
            "小提琴课在星期一。",
            "老师告诉我，因为夏季音乐会之前要粉刷音乐教室，所以星期一的小提琴课改在老学校的大厅里",
        ),
    ],
)
def test_what_says_the_same_as_the_query_comes_first_and_fits_best(
    open_it: OpenIt, embedder: str, said: str, again: str, longer: str
) -> None:
    memory = open_it(embedder=embedder, wait_for_embedder=True)
    memory.remember_many([Draft(text, dedup=False) for text in (said, longer, "the bus is late")])

    found = ask(memory, again, limit=2).hits

    assert found[0].memory.content == said
    assert found[0].fit >= 0.85
    assert found[0].score == 1
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
    assert all(after.fit <= before.fit for before, after in pairwise(found))
    assert contents(ask(memory, again, limit=1)) == [said]


def test_other_queries_are_answered_as_ever(memory: OpenMemory) -> None:
    memory.remember_many([Draft(text) for text in person.ENGLISH])

    plain = memory.recall(Query("coffee in Hamburg with Sarah", limit=10))

    assert plain.total is None
    assert len(plain.hits) > 2
    assert {hit.fit for hit in plain.hits} == {0.0}


def test_matching_cannot_be_sorted_by_distance(memory: OpenMemory) -> None:
    near = parse_near({"field": "at", "target": [0, 0]})

    with pytest.raises(InvalidInputError, match="near"):
        memory.recall(Query("cup", near=near, matching=True))


def test_an_empty_store_matches_nothing(memory: OpenMemory) -> None:
    assert ask(memory, "anything").total == 0
    assert ask(memory, "?!").total == 0
    memory.remember(Draft("a cup"))
    assert ask(memory, "?!").total == 0
