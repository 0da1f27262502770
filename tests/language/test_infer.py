"""Files, confidence and summary, as read from a lesson's text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.language.infer import confidence, scope_files, summary

ANY_TEXT = st.text(st.characters(codec=None), max_size=400)


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("Edit src/robot/arm.py first", ("src/robot/arm.py",)),
        ("Limits live in /etc/ros/params.yaml.", ("etc/ros/params.yaml",)),
        ("config.yaml, then config.yaml again", ("config.yaml",)),
        (r"Log at C:\x\y.py", (r"C:\x\y.py",)),
        (r"src\robot\arm.py", (r"src\robot\arm.py",)),
        ("see `lib/b.cpp` (and a.h), arm.py:42", ("a.h", "arm.py", "lib/b.cpp")),
        ("./run.sh needs /dev/ttyUSB0 and ../shared/x", ("../shared/x", "dev/ttyUSB0", "run.sh")),
        ("修改config.yaml文件后重启", ("config.yaml",)),
        ("Makefile and CMakeLists.txt", ("CMakeLists.txt", "Makefile")),
    ],
)
def test_files_are_found_sorted_and_once(text: str, files: tuple[str, ...]) -> None:
    assert scope_files(text) == files


@pytest.mark.parametrize(
    "text",
    [
        "See https://example.com/src/arm.py and www.example.com/a.py",
        "github.com/someone/thing.py",
        "见https://example.cn/a.py。",
        "12.5N, 0.5 m/s, 3.14",
        "v1.2.3 on Python3.11",
        "e.g. this and/or that, i.e. N/A, TCP/IP",
        "Node.js calls logger.log(x) and page.html()",
        "topic /camera/image_raw",
        "mail bob@site.py",
        "step 2.c",
        "… / // . ..",
        "",
    ],
)
def test_what_only_looks_like_a_file_is_none(text: str) -> None:
    assert scope_files(text) == ()


@pytest.mark.parametrize(
    ("text", "context_length", "expected"),
    [
        ("red cups slip", 0, 0.80),
        ("red cups slip", 20, 0.80),
        ("red cups slip", 21, 0.85),
        ("fixed in arm.py", 0, 0.85),
        ("call `reset` first", 0, 0.85),
        ("call reset() first", 0, 0.85),
        ("call move(x=1) first", 0, 0.85),
        ("check the joint(s)", 0, 0.80),
        ("slips because it is wet", 0, 0.85),
        ("桌面潮湿,因此打滑", 0, 0.85),
        ("由于潮湿,改 arm.py", 0, 0.90),
        ("arm.py: call reset() because it drifts", 0, 0.95),
        ("arm.py: call reset() because it drifts", 99, 0.95),
    ],
)
def test_each_detail_adds_confidence_up_to_a_limit(
    text: str, context_length: int, expected: float
) -> None:
    assert confidence(text, context_length=context_length) == expected


def test_a_short_text_is_its_own_summary_on_one_line() -> None:
    assert summary("  red cups\n\tslip\x00 ") == "red cups slip"
    assert summary("") == ""


def test_a_long_summary_ends_between_two_words() -> None:
    text = "The gripper needs a rubber pad " * 5

    short = summary(text)

    assert len(short) <= 80
    assert short.endswith("…")
    assert text.startswith(short[:-1])
    assert text[len(short) - 1] == " "


def test_a_long_chinese_summary_uses_the_whole_line() -> None:
    assert len(summary("抓取红色杯子需要更大的力" * 10)) == 80


def test_a_word_longer_than_the_line_is_cut() -> None:
    assert summary("a" * 200) == "a" * 79 + "…"


@given(ANY_TEXT, st.integers(min_value=0, max_value=10_000))
def test_any_text_can_be_read(text: str, context_length: int) -> None:
    assert all(file and not file.startswith("/") for file in scope_files(text))
    assert 0.80 <= confidence(text, context_length=context_length) <= 0.95
    assert len(summary(text)) <= 80
    assert "\n" not in summary(text)
