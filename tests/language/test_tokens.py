"""One tokeniser for search and for comparing: what it finds, and what it leaves out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.language.tokens import (
    content_words,
    index_terms,
    is_mostly_cjk,
    jaccard,
    normalise,
    query_terms,
    word_set,
    words_of,
)


def test_spellings_of_one_text_become_equal() -> None:
    assert normalise("  Ｇｒｉｐ\tFORCE \n") == "grip force"


def test_forms_of_a_word_share_a_term() -> None:
    assert index_terms("grasped").keys() == index_terms("grasping").keys()


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("grip_force=12.5N", "grip force"),
        ("grip_force=12.5N", "12.5 N"),
        ("see src/robot/arm.py", "arm.py"),
        ("Gina's studio", "gina"),
        ("humidity > 80%", "80"),
        ("high cpu% at night", "cpu"),
        ("抓取力不得超过", "抓"),
        ("抓取力不得超过", "超过"),
    ],
)
def test_a_compound_is_found_by_its_parts(written: str, asked: str) -> None:
    assert index_terms(written).keys() & query_terms(asked).keys()


def test_stop_words_are_asked_for_only_when_nothing_else_is_left() -> None:
    assert query_terms("what is the cup").keys() == {"cup"}
    assert query_terms("what is it").keys() == {"what", "is", "it"}


def test_a_character_beside_its_pairs_counts_less_than_alone() -> None:
    assert query_terms("杯子")["杯"] < query_terms("杯")["杯"] == 1.0


def test_what_is_embedded_has_neither_stop_words_nor_words_that_say_nothing() -> None:
    assert content_words("What does Anna's cup hold?", without={"anna"}) == "cup hold"
    assert content_words("What is it?") == "What is it?"


def test_names_are_seen_without_their_genitive() -> None:
    assert "anna" in words_of("Anna’s heart")


def test_overlap_is_measured_in_words_and_in_pairs() -> None:
    assert jaccard(word_set("red cups!"), word_set("Red cup")) == 1.0
    assert jaccard(word_set("红色杯子"), word_set("红色")) == pytest.approx(1 / 3)
    assert jaccard(word_set(""), word_set("")) == 0.0


def test_the_language_of_a_text_is_told_by_its_letters() -> None:
    assert is_mostly_cjk("抓取力 15N")
    assert not is_mostly_cjk("grip force of 15 N")


@given(st.text(st.characters()))
def test_no_text_is_too_strange(text: str) -> None:
    assert set(query_terms(text)) <= set(index_terms(text))
    assert isinstance(content_words(text), str)
    assert 0 <= jaccard(word_set(text), word_set(text)) <= 1
