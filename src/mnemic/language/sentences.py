"""Sentences of English and Chinese texts, and which of them ask."""

import re
from collections.abc import Iterable
from typing import Final

from mnemic.runtime.patterns import linear

_END: Final = linear(
    r"(?<=[.!?])[\"”’)]*\s+(?=[\"“‘(]?[^\Wa-z_])|(?<=[。！？])[”」』]?(?=[^\s”」』])|\n+"
)
_ABBREVIATED: Final = linear(
    r"(?:\b(?:mr|mrs|ms|dr|prof|st|vs|etc|no|approx|e\.g|i\.e|inc|jr|sr)|(?<!['’])\b[a-z]"
    r"|^\d+)\.\s*$",
    re.IGNORECASE,
)
_ABBREVIATION: Final = 12
# Between these and their neighbours no space is written: Chinese and Japanese, and their marks.
_WIDE: Final = linear("[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003fffd]")
_ENDS_ASKING: Final = linear(r"[?？][\"'”’」』)）\s]*$")
_ASKS_IN_WORDS: Final = linear(
    r"(?:什么|怎么|怎样|哪里|哪儿|哪个|哪些|哪|啥|咋|谁|几点|几岁|多少|为什么|是否|吗|呢)[了啊]?[。.\s]*$"
    r"|^\s*(?:what|where|when|who|whom|whose|which|why|how|do|does|did|is|are|was|were|can|could|"
    r"will|would|should)\b",
    re.IGNORECASE,
)


def sentences(text: str) -> list[str]:
    """Return the sentences of a text; "Dr. Weber" and "3.5" do not end one."""
    return [text[first:last] for first, last in sentence_spans(text)]


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return where each sentence of a text begins and ends, without the white space around it."""
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _END.finditer(text):
        if "\n" not in match[0] and _ABBREVIATED.search(_tail(text, start, match.start())):
            continue
        spans.append(_stripped(text, start, match.end()))
        start = match.end()
    spans.append(_stripped(text, start, len(text)))
    return [(first, last) for first, last in spans if first < last]


def _stripped(text: str, first: int, last: int) -> tuple[int, int]:
    part = text[first:last]
    first += len(part) - len(part.lstrip())
    return first, first + len(part.strip())


def _tail(text: str, start: int, end: int) -> str:
    """Return the end of a sentence; all of it would make long texts slow."""
    if end - start <= _ABBREVIATION:
        return text[start:end]
    return "_" + text[end - _ABBREVIATION : end]


def joined(parts: Iterable[str]) -> str:
    """Return sentences as one text, with spaces between them, but none beside Chinese ones."""
    pieces: list[str] = []
    for part in filter(None, parts):
        if pieces and not (_WIDE.match(pieces[-1][-1]) or _WIDE.match(part[0])):
            pieces.append(" ")
        pieces.append(part)
    return "".join(pieces)


def asks(sentence: str) -> bool:
    """Tell whether a sentence asks something, also where its question mark was left out."""
    return bool(_ENDS_ASKING.search(sentence) or _ASKS_IN_WORDS.search(sentence))
