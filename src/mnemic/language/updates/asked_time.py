"""Whether a question is about what is so now, what was so before, or how it changed."""

import re
from typing import Literal

from mnemic.language.lexicon.change_words import ASKS_BEFORE, ASKS_CHANGE
from mnemic.runtime.patterns import linear

AskedTime = Literal["now", "before", "change"]

_LONGEST = 300


def asked_time(text: str) -> AskedTime:
    """Return about which of these a question is; a long text asks for what is so now."""
    if len(text) > _LONGEST:
        return "now"
    if _BEFORE.search(text):
        return "before"
    return "change" if _CHANGE.search(text) else "now"


def without_before(text: str) -> str:
    """Return a question without the words that only ask how it was before, if others are left."""
    if len(text) > _LONGEST:
        return text
    told = _BEFORE.sub(" ", text)
    return told if _WORD.search(told) else text


_WORD = linear(r"\w")
_BEFORE = linear(ASKS_BEFORE, re.IGNORECASE)
_CHANGE = linear(ASKS_CHANGE, re.IGNORECASE)
