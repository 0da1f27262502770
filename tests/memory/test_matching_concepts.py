"""A matching query reaches what falls under the concepts that it names, in both languages."""

import pytest

from mnemic import Draft, Query
from mnemic.opening import OpenMemory
from tests.assistant import other_person
from tests.conftest import OpenIt

TOLD = {
    "cats": "I have two cats named Salt and Pepper",
    "work": "I work as a nurse in a children's hospital",
    "mountains": "周末我常常去爬山和摄影",
    "flight": "My flight to Tokyo leaves on May 3rd",
    "sushi": "My favourite food is sushi",
    "spanish": "I'm learning Spanish",
}
ASKED = {
    "pets": "cats",
    "宠物": "cats",
    "my job": "work",
    "profession": "work",
    "职业": "work",
    "爱好": "mountains",
    "hobbies": "mountains",
    "户外运动": "mountains",
    "travel plans": "flight",
    "旅行": "flight",
    "food": "sushi",
    "languages": "spanish",
    "语言": "spanish",
}
NOTHING = ("dinosaur fossils", "股票行情", "quantum chromodynamics", "how to repair a bicycle")
PEOPLE = {
    "english": (
        other_person.ENGLISH,
        other_person.ENGLISH_WANTED,
        other_person.UNWANTED_IN_ENGLISH,
    ),
    "chinese": (
        other_person.CHINESE,
        other_person.CHINESE_WANTED,
        other_person.UNWANTED_IN_CHINESE,
    ),
}


def found(memory: OpenMemory, text: str) -> list[str]:
    return [hit.memory.content for hit in memory.recall(Query(text, matching=True, limit=10)).hits]


@pytest.mark.parametrize("embedder", ["none", "default"])
def test_a_short_query_by_meaning_finds_what_falls_under_it(open_it: OpenIt, embedder: str) -> None:
    memory = open_it(embedder=embedder, wait_for_embedder=True)
    memory.remember_many([Draft(text) for text in TOLD.values()])

    assert [text for text, name in ASKED.items() if TOLD[name] not in found(memory, text)] == []
    assert [text for text in NOTHING if found(memory, text)] == []


@pytest.mark.parametrize("language", PEOPLE)
@pytest.mark.parametrize("embedder", ["none", "default"])
def test_another_person_is_found_by_what_things_fall_under_and_by_nothing_else(
    open_it: OpenIt, embedder: str, language: str
) -> None:
    told, wanted, unwanted = PEOPLE[language]
    memory = open_it(embedder=embedder, wait_for_embedder=True)
    memory.remember_many([Draft(text) for text in told])

    missed = [
        text
        for text, parts in wanted
        if not all(any(part in one for one in found(memory, text)) for part in parts)
    ]
    taken_for_something = {text for text in unwanted if found(memory, text)}

    assert missed == []
    assert taken_for_something <= (other_person.NEAR_BY_MEANING if embedder == "default" else set())


@pytest.mark.parametrize("embedder", ["none", "default"])
@pytest.mark.parametrize(
    ("asked", "literal", "synonym", "cue"),
    [
        ("drinks", "The drinks are in the cellar", "饮料放在冰箱里", "My brother likes green tea"),
        ("饮料", "饮料放在冰箱里", "The drinks are in the cellar", "我弟弟每天都要泡一壶绿茶"),
    ],
)
def test_the_word_itself_comes_before_another_word_and_that_before_what_falls_under_it(
    open_it: OpenIt, embedder: str, asked: str, literal: str, synonym: str, cue: str
) -> None:
    memory = open_it(embedder=embedder, wait_for_embedder=True)
    memory.remember_many([Draft(text) for text in (cue, synonym, literal, *TOLD.values())])

    hits = memory.recall(Query(asked, matching=True, limit=10)).hits
    fits = [hit.fit for hit in hits]

    assert [hit.memory.content for hit in hits] == [literal, synonym, cue]
    assert fits == sorted(fits, reverse=True)
    assert fits[0] > fits[2]
    assert 0.3 <= fits[2] <= 0.8


def test_what_falls_under_a_concept_is_counted_like_every_match(memory: OpenMemory) -> None:
    texts = [
        template.format(at)
        for template in ("pet number {}", "第{}只猫在屋顶上", "dog {} barks", "door {} is closed")
        for at in range(40)
    ]
    stored = memory.remember_many([Draft(text, dedup=False) for text in texts])
    memory.forget(stored[50].memory.id, reason="gone")

    recalled = memory.recall(Query("pets", matching=True, limit=10))

    assert recalled.total == 119
    assert all("pet" in hit.memory.content for hit in recalled.hits)
    assert memory.recall(Query("dogs", matching=True)).total == 40


def test_the_word_itself_comes_first_though_hundreds_hold_rarer_things_that_fall_under_it(
    memory: OpenMemory,
) -> None:
    kinds = ("hamster", "rabbit", "parrot", "kitten", "puppy")
    memory.remember_many([Draft(f"pet number {at}", dedup=False) for at in range(400)])
    memory.remember_many([Draft(f"{kinds[at % 5]} {at}", dedup=False) for at in range(250)])

    recalled = memory.recall(Query("pets", matching=True, limit=50))

    assert recalled.total == 650
    assert all("pet" in hit.memory.content for hit in recalled.hits)


def test_without_words_a_concept_has_no_say(open_it: OpenIt) -> None:
    memory = open_it(embedder="default", wait_for_embedder=True)
    memory.remember_many([Draft(text) for text in TOLD.values()])

    assert memory.recall(Query("pets", matching=True, mode="vec_only")).hits == ()


def test_what_is_beside_in_a_concept_is_not_found(memory: OpenMemory) -> None:
    memory.remember(Draft("I drink green tea in the afternoon"))
    memory.remember(Draft("我妹妹养了一只猫"))

    assert found(memory, "coffee") == []
    assert found(memory, "狗") == []
    assert found(memory, "brother") == []


@pytest.mark.parametrize("text", ["pets", "职业"])
def test_a_plain_recall_knows_nothing_of_concepts(memory: OpenMemory, text: str) -> None:
    memory.remember_many([Draft(text) for text in TOLD.values()])

    plain = memory.recall(Query(text, mode="bm25_only", explain=True))
    matching = memory.recall(Query(text, mode="bm25_only", explain=True, matching=True))

    assert plain.hits == ()
    assert plain.explanation is not None
    assert matching.explanation is not None
    assert len(plain.explanation.terms) < len(matching.explanation.terms)
    assert [one.share > 0 for one in matching.explanation.terms].count(True) >= 1
