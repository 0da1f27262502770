"""Promises about the types of an assistant's memory, and about sentences and topics."""

import pytest

from mnemic.assistant.topics import topics
from mnemic.language.memory_types import facts_about_the_speaker, type_of
from mnemic.language.sentences import asks, sentences


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("我是医生，今天值班", "core"),
        ("今天学了一个新概念", "episodic"),
        ("这个概念的学习方法", "semantic"),
        ("如何阅读这份文档", "procedural"),
        ("资源列表", "resource"),
        ("光速约为每秒三十万公里", "knowledge_vault"),
        ("MY BIRTHDAY IS IN MAY", "core"),
        ("Call me Ishmael", "core"),
        ("Enemies of Rome", "knowledge_vault"),
        ("Stepping stones", "knowledge_vault"),
        ("Just now the bell rang", "episodic"),
        ("The methods of the concept", "semantic"),
        ("Three steps to the document", "procedural"),
    ],
)
def test_the_first_rule_that_knows_a_word_decides(text: str, kind: str) -> None:
    assert type_of(text) == kind


# Likes, homes, possessions and health, then what only sounds so: half of each language.
OF_THE_USER = [
    "I love jazz, above all Bill Evans",
    "I can't stand coriander",
    "I really prefer trains to planes",
    "I've moved to Leeds for good",
    "I live near the harbour",
    "We bought a second-hand camper van... and I own a boat",
    "I have two cats and a tortoise",
    "I've got a red Yamaha motorbike",
    "I was diagnosed with asthma as a child",
    "I take 20 mg of medication for blood pressure",
    "I'm allergic to shellfish",
    "我最喜欢下雨天",
    "我受不了香菜",
    "我不太喜欢坐飞机",
    "我们上个月搬到了杭州",
    "我家在三楼，没有电梯",
    "我住在大学旁边",
    "我养了两只鹦鹉",
    "我有一辆旧摩托车",
    "我对海鲜过敏",
    "我有轻微的哮喘",
]
NOT_OF_THE_USER = [
    "I have a meeting about the budget tomorrow",
    "I loved the soup I had today",
    "The tenants live upstairs",
    "Cats have excellent night vision",
    "The car needs new tyres by March",
    "Prefer composition over inheritance",
    "今天我很喜欢那碗面",
    "我有一个会议要开",
    "猫的夜视能力很强",
    "下周开会讨论搬家公司的报价",
    "这辆车三月要换轮胎",
]


@pytest.mark.parametrize("text", OF_THE_USER)
def test_likes_homes_possessions_and_health_are_core(text: str) -> None:
    assert type_of(text) == "core"


@pytest.mark.parametrize("text", NOT_OF_THE_USER)
def test_what_is_of_the_day_or_of_others_is_not_core(text: str) -> None:
    assert type_of(text) != "core"


@pytest.mark.parametrize(
    ("message", "facts"),
    [
        ("Hi! I'm Tom. My cat is old. What is my name?", ["I'm Tom.", "My cat is old."]),
        ("我叫小明。我是学生！我的猫呢？", ["我叫小明。", "我是学生！"]),
        ("Can you find my keys", []),
        ("帮我看看我的代码", []),
        ("I am tired today", []),
        ("where is my phone", []),
        ("It rains", []),
    ],
)
def test_facts_about_the_speaker_are_neither_questions_nor_requests_nor_of_the_day(
    message: str, facts: list[str]
) -> None:
    assert facts_about_the_speaker(message) == facts


def test_sentences_end_at_marks_of_both_languages_but_not_inside_numbers() -> None:
    assert sentences("It costs 3.50 euros. Really? “Yes.” 好。走吧！\n\nend") == [
        "It costs 3.50 euros.",
        "Really?",
        "“Yes.”",
        "好。",
        "走吧！",
        "end",
    ]


@pytest.mark.parametrize(
    ("sentence", "is_question"),
    [
        ("Where do I live", True),
        ("我住在哪里", True),
        ("你好吗", True),
        ("He asked “why?”", True),
        ("I know where it is", False),
        ("我住在上海", False),
    ],
)
def test_a_question_is_known_without_its_mark(sentence: str, is_question: bool) -> None:
    assert asks(sentence) is is_question


def test_topics_are_the_words_that_several_texts_share_and_the_longest_of_chinese_ones() -> None:
    texts = [
        "机器学习的模型",
        "我在看机器学习",
        "机器学习很难",
        "The garden's roses",
        "A garden in May",
        "once only",
    ]

    assert topics(texts, limit=5) == ["机器学习", "garden"]
    assert topics(texts, limit=1) == ["机器学习"]
    assert topics([], limit=5) == []
