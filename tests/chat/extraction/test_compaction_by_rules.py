"""One summary of several without a language model: short, and it loses no fact it has room for."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.chat.extraction.compaction import LEAST_TOKENS, SHARE, compact
from mnemic.language.token_counts import token_estimate

# What somebody would look for later, and around it what nobody would miss.
ENGLISH = (
    "Ann told everybody that she had a really lovely day. She met Dr. Weber at the clinic on 3 May."
    " It was nice and warm and everyone was in a good mood all the time. They laughed a lot.",
    "They talked about the weather for quite a while. Bob owes Ann 40 euros for the train tickets."
    " After that they talked about the weather again, and it was as pleasant as before.",
    "It was a quiet evening with nothing much going on. Ann decided to sell her car to Mei for"
    " $3,500. Everybody agreed that evenings like this are the best ones.",
    "She sang a song while she was cooking and it sounded very pretty. The door code of the flat in"
    " Porto is 7-4-1-9. She did not move to Lisbon. Everybody went to bed early and slept well.",
    "Somebody made a joke about cats, and somebody else made one about dogs. Will Mei come to the"
    " party on Saturday? Nobody was really sure about what to cook, or when to eat.",
    "They walked along the river and looked at the boats for a long time. The meeting with Olga was"
    " moved to 14:30. The boats were small and white and there were many of them.",
)
ENGLISH_FACTS = (
    *("Ann", "Dr. Weber", "3 May", "Bob", "40 euros", "Mei", "$3,500", "Porto", "7-4-1-9"),
    *("not move to Lisbon", "Saturday", "Olga", "14:30"),
)
CHINESE = (
    "大家今天都过得很开心，天气也特别好。小王五月三日在医院见到了李医生。后来大家又聊了很久，笑得很开心。",
    "他们聊了好一会儿天气，觉得春天真好。张伟欠小王四十块车票钱。聊完以后他们又去散步，风很轻，花很香。",
    "晚上很安静，没有什么特别的事情发生。小王决定把车以35000元卖给陈梅。大家都觉得这样的晚上最舒服。",
    "她一边做饭一边唱歌，歌声很好听。公寓的门禁码是7419。她没有搬到上海。吃完饭大家早早就睡了，睡得很香。",
    "有人讲了一个关于猫的笑话，大家都笑了。陈梅下周六会来参加聚会吗？谁也不知道该做什么菜，什么时候吃饭。",
    "他们沿着河边走了很久，看着河上的小船。和奥尔加的会议改到了下午2点30分。小船又白又小，数量很多很多。",
)
CHINESE_FACTS = (
    *("小王", "五月三日", "李医生", "张伟", "四十块", "35000元", "陈梅", "7419", "没有搬到上海"),
    *("下周六", "2点30分"),
)


def by_rules(*texts: str) -> str:
    text, extractor = compact(None, texts)
    assert extractor == "rules"
    return text


def budget(texts: tuple[str, ...] | list[str]) -> int:
    return max(LEAST_TOKENS, round(SHARE * sum(map(token_estimate, texts))))


@pytest.mark.parametrize(
    ("texts", "facts"), [(ENGLISH, ENGLISH_FACTS), (CHINESE, CHINESE_FACTS)], ids=["en", "zh"]
)
def test_names_numbers_dates_decisions_and_questions_stay(
    texts: tuple[str, ...], facts: tuple[str, ...]
) -> None:
    text = by_rules(*texts)

    assert [fact for fact in facts if fact not in text] == []
    assert token_estimate(text) <= budget(texts) < sum(map(token_estimate, texts))


@pytest.mark.parametrize(
    ("texts", "facts"), [(ENGLISH, ENGLISH_FACTS), (CHINESE, CHINESE_FACTS)], ids=["en", "zh"]
)
def test_a_summary_of_summaries_still_has_them(
    texts: tuple[str, ...], facts: tuple[str, ...]
) -> None:
    halves = (by_rules(*texts[:3]), by_rules(*texts[3:]))

    text = by_rules(*halves)

    assert [fact for fact in facts if fact not in text] == []
    assert token_estimate(text) <= budget(halves)


def test_what_is_short_stays_whole_and_in_order() -> None:
    texts = ("Ann moved to Porto.", "She likes it there", "Bob stays in Lisbon.")

    assert by_rules(*texts) == "Ann moved to Porto. She likes it there. Bob stays in Lisbon."
    assert by_rules("小王搬家了。", "他很喜欢新家", "李雷没有搬。") == (
        "小王搬家了。他很喜欢新家。李雷没有搬。"
    )


def test_what_is_said_twice_is_told_once() -> None:
    texts = ("Ann moved to Porto on 3 May.", "ANN moved to Porto on 3 May!", "Bob stays.")

    assert by_rules(*texts) == "Ann moved to Porto on 3 May. Bob stays."
    assert by_rules("小王喜欢茶。", "小王喜欢茶。") == "小王喜欢茶。"
    longer = "Ann packed her books, sold the car and moved to the old town of Porto on 3 May."
    assert by_rules(longer, longer.replace("and moved", "and finally moved")) == longer


def test_every_text_has_its_turn() -> None:
    talkative = " ".join(f"Person{at} met Friend{at} in Town{at} on {at} May." for at in range(40))
    quiet = "The cat sleeps. It purrs softly when somebody comes near to it and strokes its fur."

    text = by_rules(talkative, quiet)

    assert "cat sleeps" in text or "purrs" in text


def test_a_sentence_that_is_left_out_keeps_its_numbers_with_the_words_before_them() -> None:
    lead = "and then everybody walked on and on along the green river bank for many happy hours"
    texts = [f"The code of door{at} is {at}{at}{at}7 {lead}." for at in range(10, 30)]

    text = by_rules(*texts)

    for at in range(10, 30):
        assert f"door{at} is {at}{at}{at}7" in text
    assert token_estimate(text) <= budget(texts)


def test_a_fragment_never_loses_its_negation() -> None:
    tail = "while everybody walked on and on along the green river bank for many happy hours"
    texts = [
        f"Mia{at} has never once in all of those long years been to Town{at} {tail}."
        for at in range(30)
    ]

    text = by_rules(*texts)

    assert len(re.findall(r"\bTown\d+", text)) > 10
    assert len(re.findall(r"\bnever once[^.]* Town\d+", text)) == len(re.findall(r"\bTown", text))


@pytest.mark.parametrize("text", ["word " * 2_000, "x" * 8_000, "长" * 3_000, "好，" * 1_000])
def test_a_text_without_sentences_is_cut_to_size(text: str) -> None:
    got = by_rules(text)

    assert got
    assert token_estimate(got) <= budget([text])


def test_addresses_stay_whole() -> None:
    filler = "天气很好，大家都很开心，聊了很多很多有趣的事情，一直聊到很晚很晚才回家。"
    texts = [f"{filler}我表姐的邮箱是someone{at}@mail.example。" for at in range(8)]

    text = by_rules(*texts)

    assert all(f"我表姐的邮箱是someone{at}@mail.example" in text for at in range(8))


TEXTS = st.lists(
    st.one_of(
        st.text(max_size=300),
        st.text("ab AB19.,;:!?\n'“”", max_size=300),
        st.text("安波王小在是不茶三五月日，。；？！《》 1A", max_size=300),
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
