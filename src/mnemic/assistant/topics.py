"""What texts are about: the words that several of them share."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from mnemic.language.lexicon.stopwords import CHINESE, ENGLISH
from mnemic.runtime.patterns import linear

_LATIN: Final = linear(r"[^\W\d_][\w'’\-]{2,}")
_CHINESE_RUN: Final = linear(r"[\u3400-\u4dbf\u4e00-\u9fff]+")
# A Chinese word has two to four characters, as a rule.
_LENGTHS: Final = (4, 3, 2)
_LEAST_TEXTS: Final = 2


def topics(texts: Iterable[str], *, limit: int) -> list[str]:
    """Return the words that most texts share, most common first; none that stands in one only.

    Of Chinese words that stand in each other, the longest that is as common is meant.
    """
    held = Counter(word for text in texts for word in set(_words(text)))
    common = [(count, word) for word, count in held.items() if count >= _LEAST_TEXTS]
    chosen: list[str] = []
    for _, word in sorted(common, key=lambda scored: (-scored[0], -len(scored[1]), scored[1])):
        if not any(word in other or other in word for other in chosen):
            chosen.append(word)
        if len(chosen) == limit:
            break
    return chosen


def _words(text: str) -> Iterator[str]:
    plain = unicodedata.normalize("NFKC", text)
    for run in _CHINESE_RUN.findall(plain):
        yield from _inside(run)
    for match in _LATIN.findall(_CHINESE_RUN.sub(" ", plain)):
        word = match.casefold().replace("’", "'").removesuffix("'s")
        if word not in ENGLISH:
            yield word


def _inside(run: str) -> Iterator[str]:
    for length in _LENGTHS:
        for at in range(len(run) - length + 1):
            word = run[at : at + length]
            if not any(character in CHINESE for character in word):
                yield word
