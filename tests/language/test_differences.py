"""Two almost equal texts are one only when nothing is lost by keeping one of them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic.language.differences import ComparedText, same

ANY_TEXT = st.text(st.characters(codec=None), max_size=300)
TELLING = st.lists(
    st.sampled_from(
        ["the", "cup", "is", "lifted", "by", "robot", "which", "red", "when", "it", ","]
    )
    | st.sampled_from(["怎么", "抓", "杯子", "的", "吗", "我", "红色"]),
    max_size=12,
).map(" ".join)


def say_the_same(one: str, other: str) -> bool:
    return same(ComparedText(one), ComparedText(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # Case, punctuation and width
        ("The belt must be cleaned daily", "the belt must be cleaned, daily!"),
        ("传送带每天都要清洁。", "传送带每天都要清洁"),
        ("I dropped the tray", "i dropped the tray."),
        # Words that carry grammar, politeness or emphasis
        ("The belt squeaks on cold mornings", "A belt really squeaks on cold mornings again"),
        ("Please wipe the lens first", "Wipe the lens first"),
        ("请问怎么清洁镜头呢", "怎么清洁镜头"),
        ("传送带非常容易卡住", "传送带很容易卡住了"),
        # Inflection, contractions and spelling
        ("The arm drops plates", "The arm dropped a plate"),
        ("The lid doesn't close", "the lid does not close"),
        ("The drawer has to be organised by colour", "the drawer must be organized by color"),
        ("夾爪容易損壞紅色電線", "夹爪容易损坏红色电线"),
        # Numbers and units
        ("Push with nine newtons at 1,000 rpm", "push with 9.0 N at 1000 rpm"),
        ("等待三秒钟再抓杯子", "等待 3 s 再抓杯子"),
        # Synonyms
        ("The child is sitting on the sofa", "A kid sits on the couch"),
        ("The lift stopped due to a power cut", "The lift stopped because of a power cut"),
        ("如何更换滤网", "怎样换滤网"),
        ("这台电脑能连上打印机吗", "这台计算机可以连上打印机吗"),
        # Another order that cannot change the meaning
        ("The tray is carried by the robot", "The robot carries the tray"),
        ("A lamp, which is broken, is standing here", "A broken lamp is standing here"),
        ("The lid of the jar is stuck", "The jar's lid is stuck"),
        ("In the morning, the camera is blind", "The camera is blind in the morning"),
        ("A road is slippery when it is icy", "an icy road is slippery"),
        ("滤网怎么更换", "怎么更换滤网"),
        ("什么牌子的吸尘器好", "吸尘器什么牌子好"),
    ],
)
def test_what_differs_in_harmless_ways_only_is_the_same(one: str, other: str) -> None:
    assert say_the_same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # One word more, or another one
        ("The belt squeaks on cold mornings", "The rubber belt squeaks on cold mornings"),
        ("The arm reaches the upper drawer", "The arm reaches the upper shelf"),
        ("Only the left wheel slips here", "The left wheel slips here"),
        ("传送带早上容易卡住", "传送带早上容易断开"),
        ("红色的瓶子容易滑落", "瓶子容易滑落"),
        # Who does it to whom
        ("The dog chases the cat", "The cat chases the dog"),
        ("The nurse is watched by the robot", "The nurse watches the robot"),
        ("The red box is near the tall lamp", "The tall box is near the red lamp"),
        ("机器人比叉车快", "叉车比机器人快"),
        ("小猫追小狗吗", "小狗追小猫吗"),
        ("从仓库搬到厨房", "从厨房搬到仓库"),
        # Numbers, units, negations, outcomes, directions
        ("Wait 5 s at the door", "Wait 6 s at the door"),
        ("The air is dry: humidity < 80%", "The air is dry: humidity > 80%"),
        ("a part costs $5", "a part costs €5"),
        ("The spare part is now here", "The spare part is nowhere"),
        ("Move the slider from 5 mm to 9 mm", "Move the slider from 9 mm to 5 mm"),
        ("Version 1.5 is stable", "Version 15 is stable"),
        ("The door is open", "The door is not open"),
        ("The scan worked", "The scan failed"),
        ("门开着时不要进入", "门开着时要进入"),
        ("向左转三十度", "向右转三十度"),
        # What is asked and what is said
        ("这是备用电池吗", "这是备用电池"),
        ("为什么夹爪松开", "怎么松开夹爪"),
        ("Where is the spare key?", "When is the spare key?"),
        # Nothing but fillers
        ("so it is", "there they are"),
        ("", "the"),
    ],
)
def test_what_differs_in_a_telling_word_or_its_place_is_not_the_same(one: str, other: str) -> None:
    assert not say_the_same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I really like the blue mug", "I like the blue mug"),
        ("Thanks, your help was great", "Thanks, your help was really great"),
        ("Nora: The train was late again", "Nora: The train was late"),
        ("我的舅舅住在苏州", "我舅舅住在苏州"),
        ("你穿这件衣服真好看", "你穿这件衣服很好看"),
    ],
)
def test_a_report_is_repeated_by_the_same_words_only(one: str, other: str) -> None:
    assert not say_the_same(one, other)
    assert say_the_same(one, one.upper() + "!")


def test_a_heading_is_no_person_who_speaks() -> None:
    assert (
        say_the_same("Lesson: calibrate the arm first", "Lesson: first calibrate the arm") is False
    )
    assert say_the_same("Lesson: calibrate the arm daily", "Lesson: please calibrate an arm daily")


@settings(deadline=None)
@given(ANY_TEXT | TELLING, ANY_TEXT | TELLING)
def test_it_is_the_same_from_both_sides(one: str, other: str) -> None:
    assert say_the_same(one, other) == say_the_same(other, one)


@settings(deadline=None)
@given(ANY_TEXT | TELLING)
def test_every_text_says_the_same_as_itself(text: str) -> None:
    assert say_the_same(text, text)
    assert say_the_same(text, f"{text}!")


def test_only_a_single_sentence_is_turned_round() -> None:
    page = "The belt is long. " * 20

    assert not say_the_same(
        f"{page}The tray is carried by the robot", f"{page}The robot carries the tray"
    )


ENGLISH_PAGE = [
    f"Shelf {at} holds the mugs, and the grey tray must be cleaned. " for at in range(90)
]
CHINESE_PAGE = [f"第{at}号货架放着红色的杯子，托盘每天都要清洁。" for at in range(200)]


@pytest.mark.parametrize("at", [0, 40, -1])
@pytest.mark.parametrize(
    ("page", "sentence", "other", "alike"),
    [
        (ENGLISH_PAGE, "The cup can't tip over. ", "the cup cannot tip over! ", True),
        (ENGLISH_PAGE, "The cup cant tip over. ", "The cup can't tip over. ", True),
        (ENGLISH_PAGE, "Wait two hundred and five steps. ", "Wait 205 steps. ", True),
        (ENGLISH_PAGE, "Wait two hundred and five steps. ", "Wait two hundred and six. ", False),
        (ENGLISH_PAGE, "The cup tips over. ", "The cup never tips over. ", False),
        (CHINESE_PAGE, "夹爪要慢慢合上。", "夹爪，要慢慢合上！", True),
        (CHINESE_PAGE, "夹爪要慢慢合上。", "夹爪不要慢慢合上。", False),
    ],
)
def test_a_page_differs_wherever_it_says_something_else(
    page: list[str], sentence: str, other: str, alike: bool, at: int
) -> None:
    pages = ["".join((*page[:at], words, *page[at:])) for words in (sentence, other)]

    assert say_the_same(*pages) == alike


def test_a_page_is_not_read_whole_for_each_page_that_shares_passages_with_it() -> None:
    page, other = (
        ComparedText("".join(ENGLISH_PAGE)),
        ComparedText("".join([*ENGLISH_PAGE[:50], "x "] * 2)),
    )

    assert not same(page, other)
    assert "words" not in vars(page)
    assert "letters" not in vars(page)
