"""What the rules find in the kept turns, against what a careful reader expects of them."""

import pytest

from tests.chat.extraction.mended_against import (
    fifth,
    first,
    fourth,
    second,
    seventh,
    sixth,
    third,
)
from tests.chat.extraction.reading import WHATS, Case, cases, score

SETS = (first, second, third, fourth, fifth, sixth, seventh)
ENGLISH = [case for one in SETS for case in cases(one.ENGLISH)]
CHINESE = [case for one in SETS for case in cases(one.CHINESE)]


@pytest.mark.parametrize("turns", [ENGLISH, CHINESE], ids=["english", "chinese"])
def test_nine_facts_of_ten_are_right_and_most_that_a_reader_expects_are_found(
    turns: list[Case],
) -> None:
    result = score(turns)
    told = "\n".join(result.row(what) for what in WHATS)
    print(f"\n{len(turns)} turns\n{told}")  # noqa: T201  # the figures, for `pytest -s`

    assert result.precision("facts") >= 0.9, result.wrong
    assert result.recall("facts") >= 0.75, result.wrong
    assert result.precision("loops") >= 0.8, result.wrong
    assert result.recall("loops") >= 0.7, result.wrong
    assert result.precision("resolutions") >= 0.9, result.wrong
    assert result.recall("resolutions") >= 0.7, result.wrong


def test_both_languages_have_as_many_turns_of_each_kind() -> None:
    assert [case.kind for case in ENGLISH] == [case.kind for case in CHINESE]
    assert len(ENGLISH) + len(CHINESE) >= 72


def test_many_turns_hold_no_fact_so_that_a_rule_that_sees_facts_everywhere_fails() -> None:
    without = [case for case in (*ENGLISH, *CHINESE) if not case.of("fact")]
    assert len(without) * 4 >= len(ENGLISH) + len(CHINESE)
