"""Summaries that a writer marked with tags."""

import pytest

from mnemic.chat.extraction.tags import tagged_summaries, without_tags


@pytest.mark.parametrize("tag", ["summary", "摘要", "memory", "记忆", "memo", "Summary", "MEMO"])
def test_the_text_of_a_tag_is_a_summary_and_no_longer_part_of_the_message(tag: str) -> None:
    text = f"Hello. <{tag}>They met at the inn.</{tag}> Bye."

    assert tagged_summaries(text) == ("They met at the inn.",)
    assert without_tags(text).split() == ["Hello.", "Bye."]


def test_several_tags_come_in_order_and_attributes_are_tolerated() -> None:
    text = '<memo kind="a">one\n  two</memo><摘要>三</摘要>'

    assert tagged_summaries(text) == ("one two", "三")
    assert without_tags(text) == ""


@pytest.mark.parametrize(
    "text", ["<summary>never closed", "<summary></summary>", "a < b", "</memo>"]
)
def test_a_tag_without_end_or_text_is_no_summary(text: str) -> None:
    assert tagged_summaries(text) == ()


def test_an_unclosed_tag_stays_in_the_message() -> None:
    assert without_tags("<summary>never closed") == "<summary>never closed"
