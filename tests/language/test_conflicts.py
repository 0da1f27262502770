"""The guard that keeps two almost equal lessons apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.language.conflicts import conflict, fingerprint, kind_of_conflict

ANY_TEXT = st.text(st.characters(codec=None), max_size=300)
TELLING = st.lists(
    st.sampled_from(["9", "11", "nine", "mm", "cm", "N", "not", "fails", "works", "left", "right"])
    | st.sampled_from(list("九牛不左右")),
    max_size=8,
).map(" ".join)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Grip with force 9 N", "grip with force 9.0 newtons!"),
        ("force 12.5", "force 12.50"),
        ("speed .5 m/s", "speed 0.5 m/s"),
        ("1,000 g of sand", "1000g of sand"),
        ("nine cups", "9 cups"),
        ("twenty-five cups", "25 cups"),
        ("two hundred and five steps", "205 steps"),
        ("the third joint", "the 3rd joint"),
        ("用九牛的力", "用 9N 的力"),
        ("二十五个杯子", "25个杯子"),
        ("三万二千步", "3.2万步"),
        ("湿度百分之八十", "湿度80%"),
        ("第一关节", "第1关节"),
        ("等待5秒", "等待 5 s"),
        ("转90度", "转90°"),
        ("force 9 at the rim", "force 9 N at the rim"),
        ("Pick this one up", "Pick this up"),
        ("not only cups slip", "cups slip"),
        ("特别重的杯子", "非常重的杯子"),
        ("小明在大学", "小红在大学"),
        ("万一打滑", "如果打滑"),
        ("好不好抓", "容易抓"),
        ("抓取紅色杯子,左邊", "抓取红色杯子,左边"),
        ("it doesn’t move", "it does not move"),
        ("turn left", "turn to the left, left"),
        ("", ""),
    ],
)
def test_the_same_lesson_in_other_words_has_no_conflict(a: str, b: str) -> None:
    assert conflict(a, b) is None


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("force 9 N", "force 11 N", "number"),
        ("joint_3 is hot", "joint_4 is hot", "number"),
        ("move -5 mm", "move 5 mm", "number"),
        ("use one arm", "use two arms", "number"),
        ("用九牛的力", "用十一牛的力", "number"),
        ("第二关节", "第三关节", "number"),
        ("试一次", "试两次", "number"),
        ("move 9 mm", "move 9 cm", "unit"),
        ("等待 5 秒", "等待 5 毫秒", "unit"),
        ("wait 5 seconds", "wait 5 minutes", "unit"),
        ("Grip the rim", "Do not grip the rim", "negation"),
        ("It can slip", "It can't slip", "negation"),
        ("never push, never pull", "push, pull", "negation"),
        ("可以抓杯口", "不可以抓杯口", "negation"),
        ("已校准", "未校准", "negation"),
        ("The grasp succeeded", "The grasp failed", "outcome"),
        ("the plan works", "the plan is broken", "outcome"),
        ("抓取成功", "抓取失败", "outcome"),
        ("Turn LEFT.", "turn right", "opposite"),
        ("from left to right", "from right to left", "opposite"),
        ("increase the gain", "decreasing the gain", "opposite"),
        ("stop before the door", "stop after the door", "opposite"),
        ("enabled at boot", "disabled at boot", "opposite"),
        ("max speed", "min speed", "opposite"),
        ("从左侧接近", "从右侧接近", "opposite"),
        ("打开夹爪", "关闭夹爪", "opposite"),
        ("增加压力", "减少压力", "opposite"),
        ("抓取之前校准", "抓取之后校准", "opposite"),
        ("湿度高时", "湿度低时", "opposite"),
    ],
)
def test_a_difference_that_matters_is_named(a: str, b: str, kind: str) -> None:
    assert conflict(a, b) == kind


def test_fingerprints_can_be_kept_and_compared() -> None:
    query = fingerprint("force 9 N")
    stored = {fingerprint(text): text for text in ("force 11 N", "use 9 newtons")}

    free = [text for mark, text in stored.items() if kind_of_conflict(query, mark) is None]

    assert free == ["use 9 newtons"]
    assert conflict(query, fingerprint("force 11 N")) == "number"
    assert conflict(query, "force 11 N") == "number"


@given(ANY_TEXT | TELLING, ANY_TEXT | TELLING)
def test_a_conflict_is_the_same_from_both_sides(a: str, b: str) -> None:
    assert conflict(a, b) == conflict(b, a)


@given(ANY_TEXT | TELLING)
def test_no_text_conflicts_with_itself_shouted_or_punctuated(text: str) -> None:
    assert conflict(text, text) is None
    assert conflict(text, text + "!") is None


@given(TELLING)
def test_case_is_harmless(text: str) -> None:
    assert conflict(text, text.upper()) is None


@pytest.mark.parametrize("numeral", ["一亿" + "亿" * 1_000, "9" * 5_000, "九" * 5_000])
def test_a_number_may_have_any_length(numeral: str) -> None:
    assert conflict(numeral, numeral) is None
    assert conflict(f"{numeral} mm", "1 mm") == "number"
