"""One summary of several without a language model: a timeline of whole sentences."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.chat.extraction.compaction import LEAST_TOKENS, MOST_TOKENS, SHARE, compact
from mnemic.language.sentences import sentences
from mnemic.language.token_counts import token_estimate

ENGLISH = tuple(
    f"Ann: We met Dr. Weber{at} at the clinic on {at} May. It was nice. Bob: I will bring the tent"
    f" and the {at} ropes to the hut by the lake, and you bring the old green canoe from Porto."
    for at in range(1, 13)
)
CHINESE = tuple(
    f"用户：我在{at}号见了李医生，他说膝盖要休息三个星期。助手：好的，我帮你把{at}号的登山改到下个月初再去。"
    for at in range(1, 13)
)


def by_rules(*texts: str) -> str:
    text, extractor = compact(None, texts)
    assert extractor == "rules"
    return text


def budget(texts: tuple[str, ...] | list[str]) -> int:
    return min(MOST_TOKENS, max(LEAST_TOKENS, round(SHARE * sum(map(token_estimate, texts)))))


@pytest.mark.parametrize("texts", [ENGLISH, CHINESE], ids=["english", "chinese"])
def test_a_timeline_is_whole_sentences_with_their_speakers_in_the_order_of_time(
    texts: tuple[str, ...],
) -> None:
    text = by_rules(*texts)
    source = "".join(texts)
    told = [re.sub(r"^[^\s:：]+(?:: |：)", "", sentence) for sentence in sentences(text)]

    assert len(told) >= 3
    assert all(sentence in source for sentence in told)
    places = [source.index(sentence) for sentence in told]
    assert places == sorted(places)
    assert re.match(r"Ann: |Bob: |用户：|助手：", text)
    assert token_estimate(text) <= budget(texts)


def test_who_speaks_is_told_again_where_the_speaker_changes() -> None:
    texts = (
        "user: I moved to Porto. I like it. assistant: The old town is lovely.",
        "assistant: Bob hates fish. user: That is not so! Bob eats fish every day.",
    )

    assert by_rules(*texts) == (
        "user: I moved to Porto. I like it. assistant: The old town is lovely. Bob hates fish."
        " user: That is not so! Bob eats fish every day."
    )


def test_what_is_short_stays_whole_and_in_order() -> None:
    texts = ("Ann moved to Porto.", "She likes the town", "Bob stays in Lisbon.")

    assert by_rules(*texts) == "Ann moved to Porto. She likes the town. Bob stays in Lisbon."
    assert by_rules("小王搬家了。", "他喜欢新家", "李雷没有搬。") == (
        "小王搬家了。他喜欢新家。李雷没有搬。"
    )


def test_what_is_said_twice_is_told_once() -> None:
    texts = ("Ann moved to Porto on 3 May.", "ANN moved to Porto on 3 May.", "Bob stays.")

    assert by_rules(*texts) == "Ann moved to Porto on 3 May. Bob stays."
    assert by_rules("小王喜欢茶。", "小王喜欢茶。") == "小王喜欢茶。"


def test_every_text_has_its_turn_before_one_has_a_second() -> None:
    talkative = " ".join(f"Person{at} met Friend{at} in Town{at} on {at} May." for at in range(40))
    quiet = "The cat sleeps on the green sofa."

    assert quiet in by_rules(talkative, quiet)


@pytest.mark.parametrize("text", ["word " * 2_000, "x" * 8_000, "长" * 3_000, "好，" * 1_000])
def test_a_text_without_sentences_is_cut_to_size(text: str) -> None:
    got = by_rules(text)

    assert got
    assert token_estimate(got) <= budget([text])


TEXTS = st.lists(
    st.one_of(
        st.text(max_size=300),
        st.text("ab AB19.,;:!?\n'“”", max_size=300),
        st.text("安波王小在是不茶三五月日，。；？！《》： 1A", max_size=300),
        st.sampled_from(ENGLISH + CHINESE),
    ),
    max_size=8,
)


@given(TEXTS)
def test_whatever_the_texts_are_the_summary_keeps_to_its_budget_and_is_the_same_again(
    texts: list[str],
) -> None:
    text = by_rules(*texts)

    assert token_estimate(text) <= budget(texts)
    assert by_rules(*texts) == text
    assert text or not any(re.search(r"[^\W_]", one) for one in texts)
    text.encode("utf-8")
