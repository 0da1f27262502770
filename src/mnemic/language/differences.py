"""Whether two almost equal texts say the same, so that nothing is lost by keeping only one.

Both are brought into a plain form without what is harmless: case, punctuation, inflection, words
that only carry grammar or politeness, a passive voice, the place of a question word. Every word
that is left must stand on both sides, in the same order. What a person says of themselves or to
another is no lesson but a report: nothing but the same words repeats it.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import cached_property
from typing import Final

from mnemic.language.conflicts import (
    NUMBER,
    UNIT,
    UNIT_NAMES,
    Fingerprint,
    canonical_number,
    fingerprint,
    kind_of_conflict,
    with_digits,
)
from mnemic.language.lexicon.categories import TRADITIONAL
from mnemic.language.lexicon.synonyms import (
    CHINESE_FILLERS,
    CHINESE_SYNONYMS,
    CHINESE_WHOLE,
    ENGLISH_FILLERS,
    ENGLISH_PHRASES,
    ENGLISH_SYNONYMS,
    MORE_TRADITIONAL,
)
from mnemic.language.tokens import word_forms
from mnemic.runtime.patterns import linear


class ComparedText:
    """A text as it is compared. Each part is worked out once, when it is first asked for."""

    def __init__(self, text: str) -> None:
        self.text: Final = text

    @cached_property
    def letters(self) -> str:
        """The letters and digits, with gaps where words are written apart."""
        gap = " " if self._plain.isascii() else ""
        return gap.join(_LETTERS.findall(self._plain.replace("'", "")))

    @cached_property
    def mark(self) -> Fingerprint:
        """The numbers, units, negations, outcomes and directions of the text."""
        return fingerprint(self.text)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words that tell something, in order and in one spelling."""
        return _telling_words(self._plain)

    @cached_property
    def numbers(self) -> list[str]:
        """The numbers in digits, as they are written."""
        return NUMBER.findall(self._plain)

    @cached_property
    def signs(self) -> list[str]:
        """The signs that are no punctuation: "> 80" is far from "< 80"."""
        return _SIGN.findall(self._plain)

    @cached_property
    def asks(self) -> bool:
        """Whether the text is a question."""
        return _ASKS.search(self._plain) is not None

    @cached_property
    def reports(self) -> bool:
        """Whether somebody speaks of themselves or to another.

        A Chinese question does not count: there the "I" is politeness ("may I ask").
        """
        if _REPORTS.search(self._plain):
            return True
        return not self.asks and bool(_CHINESE_REPORTS.search(_SERVICE.sub("", self._plain)))

    @cached_property
    def _plain(self) -> str:
        simplified = unicodedata.normalize("NFKC", self.text).translate(_SIMPLIFIED)
        return _STATES.sub("usa", simplified).lower().replace("’", "'")


def same(one: ComparedText, other: ComparedText) -> bool:
    """Tell whether two texts say the same. The cheap questions come first."""
    return not _part_ways(one.text, other.text) and read_the_same(one, other)


def read_the_same(one: ComparedText, other: ComparedText) -> bool:
    """Tell the same of texts that were read whole."""
    if one.signs != other.signs:
        return False
    if one.letters == other.letters:
        # Punctuation is harmless everywhere but inside a number.
        return one.numbers == other.numbers
    if one.asks != other.asks or one.reports or other.reports:
        return False
    if not one.words or (one.words != other.words and not _turned(one, other)):
        return False
    return kind_of_conflict(one.mark, other.mark) is None


def _part_ways(one: str, other: str) -> bool:
    """Tell whether two long texts say something else where they first differ.

    Only a stretch of both is read, so that a page is not read whole for each page that is like it.
    """
    shortest = min(len(one), len(other))
    if shortest <= 2 * _STRETCH:
        return False
    at = max(0, min(_shared(one, other) - _BEFORE, shortest - _STRETCH))
    ours, theirs = ComparedText(one[at : at + _STRETCH]), ComparedText(other[at : at + _STRETCH])
    return _begin_differently(ours.words, theirs.words) and _begin_differently(
        ours.letters.replace(" ", ""), theirs.letters.replace(" ", "")
    )


def _shared(one: str, other: str) -> int:
    """Return how many characters two texts have in common before they differ."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low


def _begin_differently(one: Sequence[str], other: Sequence[str]) -> bool:
    """Tell whether two sequences differ, but for their ends: there a stretch may be cut."""
    length = min(len(one), len(other)) - _CUT
    return length > 0 and one[:length] != other[:length]


def _turned(one: ComparedText, other: ComparedText) -> bool:
    """Tell whether a short Chinese text says its parts in another order.

    In a question one part may go round its neighbour, and words like 怎么 may stand anywhere; in
    a statement only the end may come first. Who does it to whom cannot change by that: the two
    stand on both sides of what is done.
    """
    ours, theirs = list(one.words), list(other.words)
    if len(ours) != len(theirs) or len(ours) > _SHORT or one.letters.isascii():
        return False
    if one.asks:
        if sorted(_FREE.intersection(ours)) != sorted(_FREE.intersection(theirs)):
            return False
        ours = [word for word in ours if word not in _FREE]
        theirs = [word for word in theirs if word not in _FREE]
        while ours and theirs and ours[0] == theirs[0]:
            del ours[0], theirs[0]
        while ours and theirs and ours[-1] == theirs[-1]:
            del ours[-1], theirs[-1]
    return len(ours) == len(theirs) and _spaced(theirs) in _spaced(ours + ours)


def _spaced(words: list[str]) -> str:
    return f" {' '.join(words)} "


def _telling_words(plain: str) -> tuple[str, ...]:
    words: list[str] = []
    text = _plain_english(plain) if _LATIN.search(plain) else plain
    for match in _TOKEN.finditer(_measured(text)):
        run = match["cjk"]
        if run:
            words += _chinese_words(run)
        elif match[0] not in _FILLERS:
            words.append(_one_form(match[0]))
    return tuple(words)


def _measured(text: str) -> str:
    """Return the text with its numbers and units in one spelling."""
    counted = UNIT.sub(lambda found: f" {UNIT_NAMES[found[1]]} ", with_digits(text))
    return NUMBER.sub(lambda found: f" {canonical_number(found[0])} ", counted)


def _one_form(word: str) -> str:
    stem = word_forms(word)[0]
    return _ENGLISH.get(word) or _ENGLISH.get(stem, stem)


def _plain_english(plain: str) -> str:
    """Return English in one spelling, in the active voice and without relative clauses."""
    text = _SPELLING.sub(lambda found: "or" if found[0] == "our" else "iz", plain)
    text = _CONTRACTED.sub(lambda found: _CONTRACTIONS[found[0]], text)
    text = _PHRASE.sub(lambda found: _PHRASES[found[0]], text)
    if len(text) <= _ONE_SENTENCE:
        for pattern, form in _TURNS:
            text = pattern.sub(form, text)
    return text


def _chinese_words(run: str) -> list[str]:
    """Return single characters, but the words that may stand anywhere whole."""
    words: list[str] = []
    for match in _CHINESE_PIECE.finditer(_ASKING.sub(r"\1", run)):
        word = _CHINESE.get(match[0], match[0])
        if match[0] == "和" and match.start() == 0:
            # At the front it says with whom, in the middle it only joins.
            word = "和"
        words += (word,) if word in _FREE else word
    return words


_SIMPLIFIED = {**TRADITIONAL, **MORE_TRADITIONAL}
_LETTERS = linear(r"[^\W\d_]+|\d+")
_SIGN = linear("[<>≤≥≠±+→←↑↓$€£¥]|!=")
_LATIN = linear("[a-z]")
# In lower case it would be the pronoun.
_STATES = linear(r"(?<![A-Za-z.])U\.?S\.?(?![A-Za-z])")
_TOKEN = linear(r"(?P<cjk>[㐀-鿿]+)|[^\W_㐀-鿿]+(?:[.,][0-9]+)*")

_ASKS = linear(
    r"\?|[吗么呢嘛]\W*$|什么|怎|如何|哪|谁|多少|多久|几|是否|能否|啥|咋|为何|何时|(.)[不没]\1"
    r"|^(?:what|who|where|when|why|how|which|whose)(?![a-z])"
)
# 好不好 asks, it does not deny.
_ASKING = linear(r"([一-鿿])[不没]\1")
# A name and a colon in front is what that person said, but "Lesson:" is nobody.
_REPORTS = linear(
    r"(?<![a-z])(?:i|me|my|mine|we|us|our|ours|you|your|yours|thanks|thank)(?![a-z.])"
    r"|^(?!(?:lessons?|pitfall|gotcha|trap|note|warning|caution|tip|hint|constraint|limit|rule"
    r"|postmortem|observation|decision|tradeoff|preference|pattern|fact|result|cause|root cause"
    r"|教训|陷阱|约束|注意|备注|结论|原因|规则):)[^\W\d_]+(?: [^\W\d_]+)?: ?\S"
)
_CHINESE_REPORTS = linear("[我咱俺你您]")
_SERVICE = linear("帮我|给我|告诉我|我想知道|我想问|我要|你好|您好|谢谢[你您]")

# Longer texts than this may be turned into something else by moving a part.
_SHORT = 20
_FREE = frozenset(["怎么", "为什么", "能", "不能", "什么时候"])


def _groups(table: str) -> list[list[str]]:
    return [group.split() for group in table.replace("\n", "/").split("/") if group.strip()]


def _any_of(words: list[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_FILLERS = frozenset(ENGLISH_FILLERS.split())
_ENGLISH = {
    form: group[0]
    for group in _groups(ENGLISH_SYNONYMS)
    for word in group
    for form in (word, word_forms(word)[0])
}
# British spelling: colour, organised, organisation.
_SPELLING = linear(
    "(?<=[a-z]{2})our(?=s?(?![a-z]))|(?<=[a-z]{3})is(?=(?:es?|ed|ing|ations?)(?![a-z]))"
)
_CONTRACTIONS = {
    "can't": "can not",
    "won't": "will not",
    "cannot": "can not",
    "n't": " not",
    "'re": " are",
    "'m": " am",
    "'ll": " will",
    "'ve": " have",
    "'d": " would",
    "'s": " ",
}
_CONTRACTED = linear(rf"(?:{_any_of(list(_CONTRACTIONS))})(?![a-z])")
_PHRASES = {
    phrase.strip(): meaning.strip()
    for meaning, phrases in (line.split(":", 1) for line in ENGLISH_PHRASES.strip().splitlines())
    for phrase in phrases.strip(" :").split(" / ")
}
_PHRASE = linear(rf"(?<![a-z])(?:{_any_of(list(_PHRASES))})(?![a-z])")
# The patterns below are about one sentence, and slow on a whole page.
_ONE_SENTENCE = 300
# A stretch of a long text is longer than a sentence, so that it is read as the whole text is, and
# begins before the words that differ, so that they are read with those that they belong to.
_STRETCH = 400
_BEFORE = 100
_CUT = 20
_BE = "(?:is|are|was|were)"
_THE = "(?:the |an? )?"
_WHERE = "(?:in|on|at|into|onto|with|to|from|for|under|over|through)"
_TURNS = [
    (linear(pattern), form)
    for pattern, form in (
        # "A bird, which is black, sings" is "a black bird sings".
        (rf"(?<![a-z])([a-z]+),? (?:which|who|that) {_BE} ([a-z]+)(?=,| {_BE} |\W*$),?", r"\2 \1"),
        (
            rf"(?<![a-z])([a-z]+),? (?:which|who|that) {_BE} ((?:[a-z]+ and )?(?![a-z]+ing )[a-z]+)"
            rf"(?=,| (?:{_BE}|{_WHERE}) |\W*$),?",
            r"\2 \1",
        ),
        # "The handle of the door" is "the door's handle".
        (rf"(?<![a-z])([a-z]+) of {_THE}([a-z]+)", r"\2 \1"),
        (rf"(?<![a-z])([a-z]+) in (?:the |an? )([a-z]+)(?= {_BE} )", r"\2 \1"),
        # "The floor is slippery when it is wet" is "the wet floor is slippery".
        (rf"^((?:[a-z]+ ){{1,6}}){_BE} ([a-z]+) when (?:it|they) {_BE} ([a-z]+)\W*$", r"\3 \1 \2"),
        # "The ball is thrown up by the boy" is "the boy throws the ball up".
        (
            rf"^([^,;:]{{1,80}}?) {_BE} (?:being |been )?([a-z]+)((?: [a-z]+){{0,3}}?) by "
            rf"({_THE}(?:[a-z]+ ){{0,3}}?[a-z]+)((?: {_WHERE} [^,;:]{{0,80}}[^\W,;:])?)\W*$",
            r"\4 \2 \1\3\5",
        ),
        # "In the kitchen, it slips" is "it slips in the kitchen".
        (r"^((?:in|on|at|during|after|before|when|if) [^,;:.]+), ([^,;:.]+)\.?$", r"\2 \1"),
        # "It works, the man said" is "the man said it works".
        (r",[^\w,]{0,3} (?:he|she|they) (?:said|says|added)\W*$", ""),
        (r"^(.+),[^\w,]{0,3} ([^,]+ sa(?:id|ys)[^,]{0,20}?)\W*$", r"\2 \1"),
        (r"^(.+),[^\w,]{0,3} (said [^,]*[^\W,])\W*$", r"\2 \1"),
    )
]
_CHINESE = {
    **dict.fromkeys(CHINESE_FILLERS.split(), ""),
    **{word: word for word in CHINESE_WHOLE.split()},
    **{word: group[0] for group in _groups(CHINESE_SYNONYMS) for word in group},
}
_CHINESE_PIECE = linear(rf"{_any_of(list(_CHINESE))}|.", re.DOTALL)
