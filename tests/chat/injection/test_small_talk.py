"""Promises of what small talk is: it names nothing, in either language."""

import pytest

from mnemic.chat.injection.small_talk import telling_words


@pytest.mark.parametrize(
    "text",
    [
        *("lol ok", "Haha, that's so funny!", "good morning", "How are you today?", "thx", "..."),
        *("哈哈好的", "早上好呀", "吃了吗？", "谢谢你", "嗯嗯", "真的吗？", "😂"),
    ],
)
def test_small_talk_names_nothing(text: str) -> None:
    assert telling_words(text) == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Where do I work?", 1),
        ("What's Brenna's brother called?", 3),
        ("ok thanks, and the ferry?", 1),
        ("我喜欢吃什么？", 2),
        ("我的猫叫什么名字？", 2),
    ],
)
def test_what_names_something_is_no_small_talk(text: str, words: int) -> None:
    assert telling_words(text) >= words
