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
