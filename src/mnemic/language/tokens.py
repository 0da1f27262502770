"""One tokeniser for search and for comparing texts, so that every backend agrees.

Latin words are stemmed; names with an underscore, dot or hyphen and numbers with a unit are kept
whole and in parts (`grip_force` is also found by "grip"); accents count for nothing. Chinese,
Japanese and Korean become single characters and pairs: no dictionary, and a query of one character
still finds its memory.
"""

import unicodedata
from collections import Counter
from collections.abc import Container
from functools import lru_cache
from threading import local
from typing import Final, Protocol, cast

import Stemmer

from mnemic.language.lexicon.stopwords import CHINESE, ENGLISH
from mnemic.runtime.patterns import linear

_CJK: Final = (
    "\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_PIECE: Final = rf"[^\W_{_CJK}]+"
_TOKEN: Final = linear(rf"(?P<cjk>[{_CJK}]+)|{_PIECE}(?:[_.\-'’/]{_PIECE})*%?")
_MEASURE: Final = linear(r"(\d+(?:\.\d+)?)([^\W\d_]+|%)?")
_JOINT: Final = linear(r"[_.\-'’/%]+")
_BEGINS_CJK: Final = linear(rf"[{_CJK}]")
_SPACE: Final = linear(r"\s+")
_ACCENTS: Final = linear("[\u0300-\u036f]+")
# Letters that Unicode does not take apart.
_LETTERS: Final = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe"})

# A single character says less than a pair: 力 stands in many words, 抓力 in few.
_SINGLE_WEIGHT: Final = 0.3

_thread = local()


_CJK_RUN: Final = linear(rf"[{_CJK}]+")
_LATIN_PIECE: Final = linear(_PIECE)


class _Stems(Protocol):
    def stemWord(self, word: str, /) -> str: ...  # noqa: N802  # the library's spelling


def normalise(text: str) -> str:
    """Return the form in which two spellings of one text are equal: width, case, white space."""
    return _SPACE.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()


def index_terms(text: str) -> Counter[str]:
    """Return every term under which a text can be found, with how often it occurs."""
    terms: Counter[str] = Counter()
    for match in _TOKEN.finditer(normalise(text)):
        run = match["cjk"]
        if run:
            terms.update(run)
            terms.update(pairs_of(run))
        else:
            terms.update(word_forms(match[0]))
    return terms


def query_terms(text: str) -> dict[str, float]:
    """Return the terms to search for, with their weights.

    Stop words are left out unless nothing else is left; a Chinese character counts less than
    the pairs around it.
    """
    terms: dict[str, float] = {}
    spare: dict[str, float] = {}
    for match in _TOKEN.finditer(normalise(text)):
        run = match["cjk"]
        if run:
            singles = 1.0 if len(run) == 1 else _SINGLE_WEIGHT
            weighted = [(character, singles) for character in run] + [
                (pair, 1.0) for pair in pairs_of(run)
            ]
            for term, weight in weighted:
                _add(spare if term in CHINESE else terms, term, weight)
        else:
            stop = match[0].replace("’", "'") in ENGLISH
            for term in word_forms(match[0]):
                _add(spare if stop else terms, term, 1.0)
    return terms or spare


Piece = tuple[tuple[str, float], ...]
"""What counts as one thing that a question asks for: terms that show it, and how well each does.
The last one is the thing itself."""


def pieces(text: str) -> list[Piece]:
    """Return what a question asks for, word by word; in Chinese, character by character.

    A character is shown well by a pair around it, and poorly by itself alone.
    """
    unique: dict[Piece, None] = {}
    for match in _TOKEN.finditer(normalise(text)):
        run = match["cjk"]
        if run:
            unique.update(
                (character_piece(run, at), None) for at in range(len(run)) if run[at] not in CHINESE
            )
        elif match[0].replace("’", "'") not in ENGLISH:
            unique.update((((term, 1.0),), None) for term in word_forms(match[0]))
    return list(unique) or [((term, 1.0),) for term in query_terms(text)]


def character_piece(run: str, at: int) -> Piece:
    """Return what shows one character of a Chinese run: the pairs around it, and itself."""
    around = [run[first : first + 2] for first in (at - 1, at) if 0 <= first <= len(run) - 2]
    telling = [pair for pair in around if pair not in CHINESE]
    alone = _SINGLE_WEIGHT if telling else 1.0
    return (*((pair, 1.0) for pair in telling), (run[at], alone))


def content_words(text: str, *, without: Container[str] = (), stop_words: bool = False) -> str:
    """Return a text without what would distract an embedder: its English stop words, unless
    `stop_words` are to stay, and words whose first term stands in `without`.

    A text of nothing else comes back as it is.
    """
    kept = [
        match[0]
        for match in _TOKEN.finditer(normalise(text))
        if match["cjk"]
        or (
            (stop_words or match[0].replace("’", "'") not in ENGLISH)
            and word_forms(match[0])[0] not in without
        )
    ]
    return " ".join(kept) or text


def words_of(text: str) -> frozenset[str]:
    """Return the words of a text as they are written, in lower case and without "'s"."""
    return frozenset(
        match[0].replace("’", "'").removesuffix("'s") for match in _TOKEN.finditer(normalise(text))
    )


def tokens_of(text: str) -> list[str]:
    """Return the words of a text in order, normalised; Chinese comes as whole runs."""
    return [match[0] for match in _TOKEN.finditer(normalise(text))]


def is_cjk(token: str) -> bool:
    """Tell whether one of `tokens_of` is a run of Chinese, Japanese or Korean characters."""
    return _BEGINS_CJK.match(token) is not None


def pairs_of(run: str) -> list[str]:
    """Return the pairs of neighbours in a run of characters; none for a single one."""
    return [run[at : at + 2] for at in range(len(run) - 1)]


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text for measuring overlap: stems, and pairs for Chinese."""
    words: set[str] = set()
    for match in _TOKEN.finditer(normalise(text)):
        run = match["cjk"]
        if run:
            words.update(pairs_of(run) or (run,))
        else:
            words.add(word_forms(match[0])[0])
    return frozenset(words)


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Return how much of two word sets is shared, 0 to 1; two empty sets share nothing."""
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared) if shared else 0.0


def is_stop_word(term: str) -> bool:
    """Tell whether a term says nothing by itself, in English or Chinese."""
    return term in ENGLISH or term in CHINESE


def is_mostly_cjk(text: str) -> bool:
    """Tell whether a text is written in Chinese, Japanese or Korean rather than in Latin."""
    cjk = sum(len(run) for run in _CJK_RUN.findall(text))
    return cjk * 2 > len(_LATIN_PIECE.findall(text))


def _add(terms: dict[str, float], term: str, weight: float) -> None:
    terms[term] = max(weight, terms.get(term, 0.0))


@lru_cache(maxsize=65_536)
def word_forms(word: str) -> tuple[str, ...]:
    """Return the terms of one normalised word: itself first, then the parts it is made of."""
    word = _plain(word)
    measure = _MEASURE.fullmatch(word)
    if measure:
        number, unit = measure[1], measure[2]
        return (number + unit, number, unit) if unit else (number,)
    parts = _split(word)
    if len(parts) < 2:
        return (_stem(parts[0]),)
    return (word, *dict.fromkeys(_stem(part) for part in parts if part != word))


@lru_cache(maxsize=16_384)
def word_parts(word: str) -> tuple[str, ...]:
    """Return the terms of the parts of one normalised word, in their order; a number with its unit
    is one part. Whatever holds the word has all of them among its terms, also where the word is
    the end of a longer one, as `arm.py` in `src/arm.py`.
    """
    word = _plain(word)
    if _MEASURE.fullmatch(word):
        return (word,)
    return tuple(_stem(part) for part in _split(word))


def _plain(word: str) -> str:
    """Return a normalised word without "'s" and without accents: "café" is found by "cafe"."""
    if not word.isascii():
        word = _ACCENTS.sub("", unicodedata.normalize("NFD", word)).translate(_LETTERS)
    return word.replace("’", "'").removesuffix("'s")


def _split(word: str) -> list[str]:
    return [part for part in _JOINT.split(word) if part]


def _stem(word: str) -> str:
    """Return the stem; the stemmer keeps state while it works, so each thread has its own."""
    stemmer: _Stems | None = getattr(_thread, "stemmer", None)
    if stemmer is None:
        stemmer = _thread.stemmer = cast("_Stems", Stemmer.Stemmer("english", 0))  # pyright: ignore[reportUnknownMemberType]
    return stemmer.stemWord(word)
