"""Names that are told in passing: of who says hello, and of relatives that are mentioned."""

import re
from collections.abc import Iterator
from typing import Final

from mnemic.chat.extraction.extraction import Fact
from mnemic.chat.extraction.facts.clauses_english import KIN_WORD, kin_subject
from mnemic.chat.extraction.facts.fact_keys import fact
from mnemic.chat.extraction.facts.guarding import sentences_of
from mnemic.chat.extraction.facts.rules_chinese import NAME as NAME_CHINESE
from mnemic.chat.extraction.facts.words_chinese import JOB
from mnemic.chat.extraction.facts.words_english import NAME
from mnemic.language.lexicon.concepts import word_set
from mnemic.runtime.patterns import linear, opening, short

_HELLO: Final = short(
    r"\b(?:hi|hello|hey|good (?:morning|evening|afternoon)|greetings)\b[^?\n]{0,25}?"
    rf"\b(?-i:I)(?:'m| am) (?-i:(?P<x>{NAME}))(?=[,.!]|\s+(?:and|from|here)\b|\s*$)",
    re.IGNORECASE,
)
_HELLO_CHINESE: Final = linear(
    rf"(?:你好|您好|嗨|大家好|哈喽)[，,！!。~～\s]*我是(?P<x>{NAME_CHINESE})(?=[，,。！!\s]|$)"
)
_PEOPLES: Final = opening(r"\w+(?:ese|ish|can|sian|lian|nian|rian|tian|gian|dian)$|.*[A-Z]{2}")
_NO_NAMES: Final = word_set(
    "French German Dutch Greek Swiss Welsh Irish Thai Czech Catholic Muslim Jewish Christian"
    " Buddhist Hindu Gemini Aries Sorry Back New Here Just Not So Very Really Happy Looking"
    " Trying Having Using Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February"
    " March April May June July August September October November December And But The I I'm Ok"
)
_INVENTED: Final = linear(
    r"\b(?:imagin\w+|pretend\w*|suppos\w+|novel|story|movie|film|character|dream\w*|kidding"
    r"|joking)\b"
    r"|\bif (?:my|I had)\b",
    re.IGNORECASE,
)
# Who introduces themselves does so at the beginning.
_OPENING: Final = 200
_PASSING: Final = short(rf"\b[Mm]y {KIN_WORD},? (?P<name>{NAME})(?!\w)")


_JOB: Final = linear(JOB)


def introduced(text: str, me: str) -> Iterator[Fact]:
    """Return the name with which somebody introduces themselves after a greeting."""
    for pattern in (_HELLO, _HELLO_CHINESE):
        match = pattern.search(text, 0, _OPENING)
        if match is not None and _is_name(match["x"]):
            one = fact(f"{me}.name", match["x"])
            if one is not None:
                yield one


def relatives_named(text: str, me: str) -> Iterator[Fact]:
    """Return the names of relatives that an English text mentions with their names; that holds
    also in a question, and where the rest is only thought of.
    """
    for sentence in sentences_of(text):
        if _INVENTED.search(sentence):
            continue
        for match in _PASSING.finditer(sentence):
            name = match["name"].removesuffix("'s")
            whom = kin_subject(me, match["size"], match["kin"], name)
            one = fact(f"{whom}.name", name) if _is_name(name) else None
            if one is not None:
                yield one


def _is_name(text: str) -> bool:
    first = text.split()[0]
    if first.isascii():
        return first not in _NO_NAMES and not _PEOPLES.match(first)
    return not _JOB.search(text) and not text.endswith("人")
