"""What the rules find in turns that they were not mended against."""

import pytest

from tests.chat.extraction.reading import cases, score
from tests.chat.extraction.unseen_chinese import CHINESE
from tests.chat.extraction.unseen_english import ENGLISH


@pytest.mark.parametrize("table", [ENGLISH, CHINESE], ids=["english", "chinese"])
def test_what_is_found_in_unseen_talk_is_right_or_harmless(table: str) -> None:
    facts, loops = score(cases(table))

    assert len(facts.wrong) <= 0.03 * facts.found, facts.wrong
    assert facts.right >= 0.9 * facts.found
    assert loops.wrong == []
    # They need not find much: what was said is found verbatim.
    assert facts.recall >= 0.6
