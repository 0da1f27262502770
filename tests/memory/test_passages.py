"""Promises of long texts: found by any part of them, as one memory, and kept once."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from mnemic.language.passage_spans import MOST_TOKENS, passages
from mnemic.language.token_counts import token_estimate
from mnemic.opening import OpenMemory
from mnemic.records.filters import parse_filter
from mnemic.records.item import ItemFilter, NewItem
from mnemic.records.memory import Draft, Scope
from mnemic.records.query import Query
from tests.conftest import OpenIt

HOME = Scope("user", "anna")
FILLER = [f"Chapter {number} tells how the harbour looked on day {number}." for number in range(80)]
NEEDLE = "The zebra of the lighthouse keeper sleeps in Lisbon."
LONG = " ".join([*FILLER[:60], NEEDLE, *FILLER[60:]])


def put(memory: OpenMemory, text: str, **context: object) -> int:
    draft = Draft(content=text, scope=HOME, kind="fact", context=context, dedup=False)
    return memory.remember(draft).memory.id


def recalled(memory: OpenMemory, text: str, **asked: object) -> list[tuple[int, str | None]]:
    """Return the memories that answer, each with the passage that does."""
    found = memory.recall(Query(text=text, scopes=(HOME,), limit=5, **asked))  # pyright: ignore[reportArgumentType]
    return [
        (hit.memory.id, hit.passage and hit.memory.content[slice(*hit.passage)])
        for hit in found.hits
    ]


@given(st.text(alphabet="ab .!?\n,字。，", max_size=3_000))
def test_passages_are_short_and_lose_no_word(text: str) -> None:
    found = passages(text)

    assert all(before[1] <= after[0] for before, after in pairwise(found))
    if text.strip():
        assert all(token_estimate(text[slice(*span)]) <= MOST_TOKENS for span in found)
    covered = {at for span in found for at in range(*span)}
    assert all(letter.isspace() for at, letter in enumerate(text) if at not in covered)


def test_a_text_that_fits_a_passage_is_one() -> None:
    assert passages("  Short.  ") == [(0, 10)]
    assert passages("字" * 100) == [(0, 100)]


def test_a_long_text_is_found_by_any_part_of_it_and_only_once(memory: OpenMemory) -> None:
    other = put(memory, "A zebra has stripes.")
    own = put(memory, LONG)

    found = recalled(memory, "Where does the zebra of the lighthouse keeper sleep?")

    assert found[0][0] == own
    assert NEEDLE in (found[0][1] or "")
    assert sorted(number for number, _ in found) == sorted([own, other])
    [(begun, passage), *_] = recalled(memory, "How did the harbour look on day 0 in chapter 0?")
    assert (begun, passage) == (own, None)


def test_a_matching_query_counts_a_long_text_once(memory: OpenMemory) -> None:
    own = put(memory, LONG)

    found = memory.recall(Query(text="harbour", scopes=(HOME,), limit=5, matching=True))

    assert [hit.memory.id for hit in found.hits] == [own]
    assert found.total == 1


def test_filters_see_the_memory_behind_each_passage(memory: OpenMemory) -> None:
    own = put(memory, LONG, task={"name": "read"})
    put(memory, "The zebra of another keeper sleeps in Porto.", task={"name": "talk"})
    asked = "Where does the zebra of the keeper sleep?"

    for name, expected in (("read", [own]), ("none", [])):
        chosen = parse_filter({"task.name": name})
        for _ in range(3):
            assert [one for one, _ in recalled(memory, asked, filter=chosen)] == expected


def test_a_changed_text_is_no_longer_found_by_its_old_passages(memory: OpenMemory) -> None:
    own = put(memory, LONG)

    memory.revise(own, LONG.replace("zebra", "giraffe"))

    assert recalled(memory, "zebra", mode="bm25_only") == []
    assert recalled(memory, "giraffe", mode="bm25_only")[0][0] == own
    memory.forget(own, reason="It is wrong.")
    assert recalled(memory, "giraffe", mode="bm25_only") == []


def test_each_passage_has_its_own_meaning(open_it: OpenIt) -> None:
    memory = open_it(embedder="hashing")
    own = put(memory, LONG)

    found = recalled(memory, NEEDLE, mode="vec_only")

    assert found[0][0] == own
    assert NEEDLE in (found[0][1] or "")
    assert memory.embed_missing() == 0


def test_the_vectors_of_a_very_long_text_come_in_the_background(open_it: OpenIt) -> None:
    memory = open_it(embedder="hashing")
    put(memory, " ".join([*FILLER * 5, NEEDLE]))

    assert memory.embed_missing() > 0
    assert NEEDLE in (recalled(memory, NEEDLE, mode="vec_only")[0][1] or "")


def test_a_word_that_is_cut_by_a_passage_is_still_found(memory: OpenMemory) -> None:
    texts = ["x" * 1_000, "海" * 99 + "天安门" + "湖" * 200]
    for text in texts:
        memory.chat.create_item(NewItem(scope=Scope("chat", "s"), type="fact", content=text))

    for sought, text in (("x" * 1_000, texts[0]), ("天安门", texts[1])):
        found = memory.chat.items(ItemFilter(words=sought))
        assert [one.content for one in found.rows] == [text]


def test_words_of_an_item_are_found_in_whichever_passages_they_stand(memory: OpenMemory) -> None:
    item = memory.chat.create_item(NewItem(scope=Scope("chat", "s"), type="fact", content=LONG))
    memory.chat.create_item(NewItem(scope=Scope("chat", "s"), type="fact", content="A zebra."))

    found = memory.chat.items(ItemFilter(words="zebra chapter harbour 79"))

    assert [one.id for one in found.rows] == [item.id]
