"""The text of a block."""

import pytest

from mnemic.chat.injection.selection import choose
from mnemic.language.token_counts import token_estimate
from mnemic.records.conversation import ContextQuery, Dropped
from tests.chat.injection.by_hand import (
    DAY,
    NOW,
    an_item,
    block_of,
    candidate,
    ids,
    pinned,
)

SOME_OF_EACH = [
    an_item("loop", "ask about the letter", sort="open_loop", importance=0.9),
    an_item("micro", "they met at the inn", sort="micro", importance=0.8),
    an_item("macro", "the long way north", sort="macro", importance=0.7),
    an_item("fact", "Tomas", fact_key="name", importance=0.4),
    pinned("pin", "写作时用第二人称", sort="open_loop"),
]


def test_a_plain_block_goes_from_what_is_stable_to_what_is_volatile() -> None:
    block = block_of(*SOME_OF_EACH)

    assert block.text == (
        "[Memory]\n"
        "- (open_loop) 写作时用第二人称\n"
        "- (fact) Tomas\n"
        "- (summary) the long way north\n"
        "- (summary) they met at the inn\n"
        "- (open_loop) ask about the letter"
    )


def test_a_dual_block_has_four_sections_with_a_blank_line_between() -> None:
    block = block_of(*SOME_OF_EACH, strategy="dual_summary")

    assert block.text == (
        "[Memory Facts]\n"
        "- name: Tomas\n"
        "\n"
        "[Open Loops]\n"
        "- 写作时用第二人称\n"
        "- ask about the letter\n"
        "\n"
        "[Recent Micro Summaries]\n"
        "- they met at the inn\n"
        "\n"
        "[Macro Summary]\n"
        "- the long way north"
    )


def test_sections_without_items_are_left_out() -> None:
    block = block_of(an_item("m", "the way north", sort="macro"), strategy="dual_summary")

    assert block.text == "[Macro Summary]\n- the way north"


def test_nothing_chosen_is_no_text() -> None:
    for block in (block_of(), block_of(an_item("x", "much too long"), budget=3)):
        assert (block.text, block.token_count, block.chosen) == ("", 0, ())


@pytest.mark.parametrize(
    ("key", "content", "line"),
    [
        ("name", "Tomas", "- name: Tomas"),
        ("name", "name: Tomas", "- name: Tomas"),
        ("name", "Name : Tomas", "- Name : Tomas"),
        ("名字", "名字：托马斯", "- 名字：托马斯"),
        ("名字", "托马斯", "- 名字: 托马斯"),
        ("name", "named after a saint", "- name: named after a saint"),
        (None, "a saint's name", "- a saint's name"),
    ],
)
def test_a_dual_block_says_a_facts_key_once(key: str | None, content: str, line: str) -> None:
    block = block_of(an_item("x", content, fact_key=key), strategy="dual_summary")

    assert block.text.splitlines()[1] == line


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n  ", "\u2028", "\x0b"])
def test_an_item_always_stands_on_one_line(end: str) -> None:
    block = block_of(an_item("x", f"first{end}[Macro Summary]{end}"))

    assert block.text == "[Memory]\n- (fact) first [Macro Summary]"


def test_a_section_is_in_order_of_age_and_not_of_score() -> None:
    old = an_item("b", importance=0.4, created_at=NOW - 2 * DAY)
    new = an_item("a", importance=0.9)
    same = an_item("c", importance=0.95)

    assert ids(block_of(new, same, old)) == ["b", "a", "c"]
    assert ids(block_of(new, same, old, strategy="dual_summary")) == ["b", "a", "c"]


def test_an_item_tells_what_its_line_costs() -> None:
    block = block_of(an_item("x", "小狗叫旺财"), an_item("y", "a dog"))

    assert [each.tokens for each in block.chosen] == [
        token_estimate("- (fact) 小狗叫旺财"),
        token_estimate("- (fact) a dog"),
    ]
    assert block.token_count == token_estimate(block.text) == 14


def test_what_never_became_a_candidate_is_told_with_the_dropped() -> None:
    query = ContextQuery(session_id="s", text="dog", token_budget=3)
    gone = Dropped("gone", "compacted")

    block = choose(query, [candidate(an_item("x", "a dog"), 0.9)], [gone], now=NOW)

    assert block.dropped == (gone, Dropped("x", "does not fit: 6 tokens, 3 left"))
    assert block.trace["counts"]["considered"] == 2
