"""Search by every word: what is taken from a text finds that text, and nothing leaks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.language.tokens import index_terms
from mnemic.language.whole_words import contains_words, sought_words

HAN = "天安门广场上的人在家喝茶大小子杯龘𠮷々"
WRITTEN = [
    *("the", "cups", "Running", "grip_force", "12.5N", "80%", "cpu%", "don't", "Anna’s", "it's"),
    *("anna@example.com", "https://example.com/a/b.html", "src/robot/arm.py", "2024-03-05"),
    *(
        "Ｇｒｉｐ",
        "ＡＢＣ１２３",
        "😀",
        "1️⃣",
        "C++",
        "(cup)",
        '"cup"',
        "well-known,",
        "naïve",
        "Straße",
    ),
    *("_x_", "a__b", "--flag", "3.5-4.5", "①", "½", "İstanbul", "e\u0301t\u0301e", "ﬁle", "x²"),
    *("杯子。", "“天安门”", "ｶﾞｷﾞ", "한국어", "二〇二四年", "葛\U000e0100城", "AND", "NEAR/3", "NOT"),
]
chunks = st.sampled_from(WRITTEN) | st.text(HAN, min_size=1, max_size=5) | st.text(max_size=6)
latin = st.sampled_from(["cup", "Running", "grip_force", "12.5N", "don't", "80%", "arm.py"])
han = st.text(HAN, min_size=1, max_size=5)


def is_found(text: str, q: str) -> bool:
    """Whether an index would name the text."""
    terms = sought_words(q).terms
    return bool(terms) and index_terms(text).keys() >= set(terms)


@given(st.lists(chunks, min_size=1, max_size=8), st.data())
def test_any_run_of_whole_words_finds_the_text_it_was_taken_from(
    words: list[str], data: st.DataObject
) -> None:
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first, len(words) - 1))
    text, q = " ".join(words), " ".join(words[first : last + 1])

    assert is_found(text, q) == contains_words(text, q) == bool(index_terms(q))


@given(st.lists(st.tuples(han, latin), min_size=1, max_size=4), st.data())
def test_any_part_of_a_chinese_run_finds_its_text_also_where_latin_words_touch_it(
    pairs: list[tuple[str, str]], data: st.DataObject
) -> None:
    text = "".join(run + word for run, word in pairs)
    run, word = data.draw(st.sampled_from(pairs))
    first = data.draw(st.integers(0, len(run) - 1))
    last = data.draw(st.integers(first, len(run) - 1))

    for q in (run[first : last + 1], word, f"{word} {run[first : last + 1]}", run[first:] + word):
        assert is_found(text, q)
        assert contains_words(text, q)


@given(st.lists(chunks, max_size=6).map(" ".join), st.lists(chunks, max_size=3).map(" ".join))
def test_terms_never_lose_a_text_and_decide_alone_where_they_are_exact(text: str, q: str) -> None:
    if contains_words(text, q):
        assert is_found(text, q)
    elif sought_words(q).exact:
        assert not is_found(text, q)


@given(st.permutations(["the", "cup", "天安", "12.5N", "家"]))
def test_the_order_of_words_does_not_matter(words: list[str]) -> None:
    assert contains_words("家里 the red cups 在天安门 12.5N", " ".join(words))


@pytest.mark.parametrize(
    ("text", "q"),
    [
        ("Running the robot", "run"),
        ("grip_force=12.5N", "force"),
        ("grip_force=12.5N", "12.5"),
        ("see src/robot/arm.py", "arm.py"),
        ("see src/robot/arm.py", "robot/arm"),
        ("write to anna@example.com", "example"),
        ("Gina's studio", "gina"),
        ("I DON’T know", "don't"),
        ("on 2024-03-05", "2024-03"),
        ("high cpu% today", "cpu"),
        ("我们在家喝茶", "家"),
        ("我们在家喝茶", "喝茶"),
        ("用Python写代码", "python 代码"),
        ("Ｇｒｉｐ力", "grip 力"),
    ],
)
def test_words_are_found_in_every_form_in_which_they_are_written(text: str, q: str) -> None:
    assert is_found(text, q)
    assert contains_words(text, q)


@pytest.mark.parametrize(
    ("text", "q"),
    [
        ("the cup", "cup lamp"),
        ("the cupboard", "cup"),
        ("the cupboard", "cup*"),
        ("the cup", "c_p"),
        ("the cup", "cup OR lamp"),
        ("the cup", "-cup lamp"),
        ("我们在家喝茶", "家茶"),
        ("天安门", "门安"),
        ("force 12.5N", "5N"),
    ],
)
def test_what_is_not_there_is_not_found(text: str, q: str) -> None:
    assert not is_found(text, q)
    assert not contains_words(text, q)


@pytest.mark.parametrize(
    "q", ["", " ", "%", "_", "*", '"', "'", "\\", "()", "-", "。", "😀", "%_%"]
)
def test_what_holds_no_word_finds_nothing(q: str) -> None:
    assert sought_words(q).terms == ()
    assert not contains_words("a text with % _ * \" ' \\ () - 。 😀", q)


@pytest.mark.parametrize(
    ("text", "q"),
    [
        ("安门在北，天安在南", "天安门"),
        ("py for the arm", "arm.py"),
        ("on 2024-05-03", "2024-03-05"),
        ("grip用force", "grip_force"),
    ],
)
def test_the_text_decides_where_terms_alone_do_not(text: str, q: str) -> None:
    assert is_found(text, q)
    assert not sought_words(q).exact
    assert not contains_words(text, q)
