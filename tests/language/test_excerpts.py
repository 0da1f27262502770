"""Long texts, cut around what was asked for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.language.excerpts import ELLIPSIS, excerpt


def test_a_text_that_fits_stays_as_it_is() -> None:
    assert excerpt(" tea \n", about="tea", length=6) == " tea \n"


@pytest.mark.parametrize(
    ("filler", "told", "about"),
    [
        ("The harbour was quiet that day. ", "Ann moved to Lisbon.", "Where did Ann move to?"),
        ("那天港口很安静。", "妹妹搬到了里斯本。", "我妹妹现在住在里斯本吗？"),
    ],
)
@pytest.mark.parametrize("place", [0, 40, 100])
def test_the_cut_keeps_the_place_that_was_asked_for(
    filler: str, told: str, about: str, place: int
) -> None:
    text = filler * place + told + filler * (100 - place)

    short = excerpt(text, about=about, length=120)

    assert told in short
    assert len(short) <= 122
    assert short.startswith(ELLIPSIS) is (place > 0)
    assert short.endswith(ELLIPSIS) is (place < 100)


def test_a_place_with_more_of_the_words_wins_over_one_that_repeats_a_word() -> None:
    text = "lisbon " * 30 + "- " * 100 + "Ann lives in Lisbon." + " -" * 100

    assert "Ann lives" in excerpt(text, about="Ann, Lisbon", length=60)


def test_without_any_of_the_words_the_beginning_is_kept() -> None:
    assert excerpt("abcdefghij", about="", length=4) == "abcd…"
    assert excerpt("abcdefghij", about="tea", length=4) == "abcd…"


@given(st.text(), st.text(), st.integers(1, 30))
def test_an_excerpt_is_a_part_of_its_text(text: str, about: str, length: int) -> None:
    short = excerpt(text, about=about, length=length)

    assert short == text or short.removeprefix(ELLIPSIS).removesuffix(ELLIPSIS) in text
    assert len(short) <= length + 2
