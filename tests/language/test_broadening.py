"""A query asks for what its words mean, and for what falls under them, not for what is beside."""

import pytest

from mnemic.language.broadening import FALLS_UNDER, SAME_MEANING, broadened
from mnemic.language.tokens import pieces


def shown_by(text: str) -> dict[str, float]:
    """Return how well each term shows a query of one piece."""
    [piece] = broadened(text).pieces
    return dict(piece)


@pytest.mark.parametrize("text", ["pets", "宠物", "my pet", "我的宠物是什么"])
def test_a_concept_is_shown_by_its_words_and_less_by_what_falls_under_it(text: str) -> None:
    shown = shown_by(text)

    assert {shown["pet"], shown["宠物"]} == {1.0, SAME_MEANING}
    assert {shown[term] for term in ("dog", "cat", "狗", "猫")} == {FALLS_UNDER}


@pytest.mark.parametrize(
    ("text", "reached", "not_reached"),
    [
        ("coffee", "咖啡", "tea"),
        ("dog", "狗", "cat"),
        ("my sister", "妹妹", "brother"),
        ("妹妹", "sister", "brother"),
        ("family", "妈妈", "friend"),
        ("drink", "茶", "sushi"),
        ("what do I like?", "喜欢", "hate"),
    ],
)
def test_what_is_asked_for_reaches_what_it_means_and_nothing_beside_it(
    text: str, reached: str, not_reached: str
) -> None:
    assert reached in shown_by(text)
    assert not_reached not in shown_by(text)


@pytest.mark.parametrize(
    "text", ["dinosaur fossils", "股票行情", "guitar", "抓住杯子", "what is it?", "w17 w5", ""]
)
def test_a_query_without_a_concept_asks_for_its_own_pieces_only(text: str) -> None:
    asked = broadened(text)

    assert list(asked.pieces) == pieces(text)
    assert not asked.terms


@pytest.mark.parametrize(
    ("text", "itself"),
    [
        ("我妹妹", ["妹妹"]),
        ("妈妈住在哪里", ["妈妈", "住"]),
        ("我不喜欢什么", ["不喜"]),
        ("女朋友的生日", ["女朋", "生日"]),
        ("户外运动", ["户外", "运动"]),
    ],
)
def test_chinese_words_are_found_inside_a_run_the_longest_first(
    text: str, itself: list[str]
) -> None:
    assert [piece[-1][0] for piece in broadened(text).pieces] == itself


def test_words_that_tell_nothing_beside_a_concept_are_left_out() -> None:
    assert broadened("travel plans").pieces == broadened("travel").pieces
    assert broadened("宠物情况").pieces == broadened("宠物").pieces
    assert broadened("programming languages I know").pieces[0][-1] == ("program", 1.0)
    assert len(broadened("programming languages I know").pieces) == 1
    assert broadened("plans").pieces == ((("plan", 1.0),),)


def test_what_a_concept_adds_weighs_less_than_the_words_of_the_query() -> None:
    assert 0 < max(broadened("my job in a hospital").terms.values()) < 1


def test_people_are_told_apart_from_what_is_asked_about_them() -> None:
    asked = broadened("Where does my brother live?")

    assert [piece[-1][0] for piece in asked.people] == ["brother"]
    assert {"brother", "elder_brother"} <= asked.kin
    assert not broadened("Where is the harbour?").people


def test_somebody_is_also_shown_by_their_name() -> None:
    asked = broadened("Where does my brother live?").known_as(["kelvin"])

    [piece] = asked.people
    assert piece in asked.pieces
    assert piece[-1] == ("brother", 1.0)
    assert "kelvin" in dict(piece)
    assert "kelvin" in asked.terms
