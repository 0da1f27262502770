"""What a short text says to be so: clause by clause, as words in one form, with what is denied."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, Literal

from mnemic.language.lexicon import change_words as lexicon
from mnemic.language.lexicon.categories import TRADITIONAL
from mnemic.language.tokens import word_forms
from mnemic.runtime.patterns import linear

LONGEST: Final = 240
"""A longer text says more than one thing."""

_MOST_CLAUSES: Final = 4
_MOST_RECENT: Final = 4_000

Sort = Literal["word", "not", "end", "now", "unsure", "frame"]


@dataclass(frozen=True, slots=True)
class ReadToken:
    """A word, a number or a Chinese character, or a phrase that stands for something.

    `form` is what it is compared by; `text` how it is written. Of a frame, `makes` tells that it
    says what makes something so, and `single` that one thing is so at a time.
    """

    form: str
    text: str
    sort: Sort = "word"
    denies: bool = False
    makes: bool = False
    single: bool = False

    @property
    def is_chinese(self) -> bool:
        """Whether it is written in Chinese."""
        return self.text > "\u2e80"


@dataclass(frozen=True)
class ReadClause:
    """A part of a sentence, as far as it can be compared with another one."""

    tokens: tuple[ReadToken, ...]

    @cached_property
    def denies(self) -> bool:
        """Whether it says that something is not so."""
        nots = sum(token.sort == "not" for token in self.tokens)
        turned = sum(token.denies for token in self.tokens)
        return (nots + turned + (self.ends and not nots)) % 2 == 1

    @cached_property
    def ends(self) -> bool:
        """Whether it says that something is so no more, or not as it was."""
        return any(token.sort == "end" for token in self.tokens)

    @cached_property
    def changes(self) -> bool:
        """Whether it says that something is so now and was not before."""
        if any(token.sort in ("now", "end") or token.makes for token in self.tokens):
            return True
        return self.tokens[-1].form == "了" and any(token.sort == "not" for token in self.tokens)

    @cached_property
    def spoken(self) -> tuple[ReadToken, ...]:
        """Its words without those that only tell that something changed."""
        return tuple(token for token in self.tokens if token.sort in ("word", "frame"))

    @cached_property
    def core(self) -> frozenset[str]:
        """The words that tell what it is about."""
        return frozenset(
            token.form
            for token in self.spoken
            if token.form not in _LIGHT and token.form not in PERSONS and token.form != "be"
        )

    @cached_property
    def person(self) -> str | None:
        """Of whom it begins to speak, where that is told by a pronoun."""
        # "Quit the pottery class": who says that did.
        own = "me" if self.tokens[0].sort == "end" else None
        return next((PERSONS[t.form] for t in self.spoken[:3] if t.form in PERSONS), own)


def clauses_of(text: str) -> tuple[ReadClause, ...]:
    """Return what a text says to be so; nothing where it asks, wishes, supposes or is too long.

    What was read lately is at hand.
    """
    known = _recent.get(text)
    if known is None:
        if len(_recent) >= _MOST_RECENT:
            _recent.clear()
        known = _recent[text] = _read(text)
    return known


def was_read(text: str) -> bool:
    """Tell whether nothing need be worked out to know what a text says."""
    return text in _recent or len(text) > LONGEST


def _read(text: str) -> tuple[ReadClause, ...]:
    if len(text) > LONGEST or _ASKS.search(text):
        return ()
    plain = unicodedata.normalize("NFKC", text).translate(TRADITIONAL).replace("’", "'")
    parts: list[list[ReadToken]] = [[]]
    for token in _merged(_pieces(plain)):
        if token.sort == "unsure":
            return ()
        if token.form in _BREAKS:
            parts.append([])
        else:
            parts[-1].append(token)
    said = [part for part in parts if part]
    if not 1 <= len(said) <= _MOST_CLAUSES:
        return ()
    return tuple(ReadClause(tuple(part)) for part in _with_subjects(said))


def tells_of_change(text: str) -> bool:
    """Tell whether a text says that something is not so, is another one now, or is one at a time:
    what it ends need not be said in words like its own.
    """
    return any(
        clause.denies
        or clause.changes
        or any(token.single or token.form in _TELLING for token in clause.tokens)
        for clause in clauses_of(text)
    )


def words_of_old(text: str) -> str:
    """Return other words under which stands what a text may end: "live" for "moved to"."""
    forms = {token.form for clause in clauses_of(text) for token in clause.tokens}
    return " ".join(_ALTERNATIVES[form] for form in sorted(forms) if form in _ALTERNATIVES)


def _with_subjects(parts: Sequence[Sequence[ReadToken]]) -> Iterable[Sequence[ReadToken]]:
    """Give the first word of a sentence, if it is a person, to clauses that begin without one."""
    first = parts[0][0]
    yield parts[0]
    for part in parts[1:]:
        leans = first.form in PERSONS and not any(t.form in PERSONS for t in part[:2])
        yield [first, *part] if leans and len(part) > 1 else part


def _pieces(plain: str) -> list[str]:
    text = _CONTRACTED.sub(lambda found: _CONTRACTIONS[found[0].lower()], plain)
    return _PIECE.findall(text)


def _merged(pieces: Sequence[str]) -> Iterable[ReadToken]:
    """Put the pieces of a phrase together, the longest that is known at each place."""
    low = [piece.lower() for piece in pieces]
    at = 0
    while at < len(pieces):
        for phrase, token in _PHRASES.get(low[at], ()):
            if tuple(low[at : at + len(phrase)]) == phrase:
                written = pieces[at] if len(phrase) == 1 else "".join(pieces[at : at + len(phrase)])
                yield ReadToken(
                    token.form, written, token.sort, token.denies, token.makes, token.single
                )
                at += len(phrase)
                break
        else:
            yield ReadToken(_form(low[at]), pieces[at])
            at += 1


@lru_cache(maxsize=16_384)
def _form(piece: str) -> str:
    if piece.isascii() and piece.isalpha():
        return word_forms(piece)[0]
    return "日" if piece == "号" else piece


_ASKS = linear(
    r"[?？]|[吗么呢]\W*$|什么|怎么|哪里|哪个|哪儿|谁|多少|几点|要不要|是不是"
    r"|^(?i:what|who|where|when|why|how|which|whose|do|does|did|is|are|can|could|should|would)\b"
)
# Numbers in digits or in Chinese are one piece, and so is a time of day.
_PIECE = linear(
    r"[0-9]+(?:[.:][0-9]+)*|[一二三四五六七八九十百千万两]+"
    r"|[A-Za-z](?:[@.'_-]?[A-Za-z0-9])*|[㐀-鿿]|[,;.!:。、]"
)
_BREAKS: Final = frozenset([*",;.!。", "because", "but", "and", "since", "因为", "但", "并且"])
_CONTRACTIONS: Final = {
    "can't": "can not",
    "won't": "will not",
    "n't": " not",
    "'re": " are",
    "'m": " am",
    "'ll": " will",
    "'ve": " have",
    "it's": "it is",
    "he's": "he is",
    "she's": "she is",
    "'s": " ",
}
_CONTRACTED = linear(
    r"(?i)\b(?:can't|won't|it's|he's|she's)(?![a-z])|(?:n't|'re|'m|'ll|'ve|'s)(?![a-z])"
)
PERSONS: Final = {
    **dict.fromkeys(["i", "me", "we", "us", "我", "俺", "咱"], "me"),
    **dict.fromkeys(["my", "our", "mine"], "mine"),
    **dict.fromkeys(["you", "your", "你", "您"], "you"),
    **dict.fromkeys(["he", "him", "his", "他"], "he"),
    **dict.fromkeys(["she", "her", "她"], "she"),
    **dict.fromkeys(["they", "them", "their"], "they"),
}
_LIGHT: Final = frozenset(
    form for word in lexicon.ENGLISH_LIGHT.split() for form in (word, _form(word))
) | frozenset(lexicon.CHINESE_LIGHT)


def entries(table: str) -> list[str]:
    """Return the entries of a table, parted by " / " or by a line's end."""
    return [entry.strip() for entry in table.replace("\n", " / ").split(" / ") if entry.strip()]


def _phrases_of(table: str) -> Iterable[tuple[str, int, str, str]]:
    """Yield the phrases of lines "name: phrases | phrases", with their side and the whole name."""
    for line in table.replace("\n      ", " ").strip().splitlines():
        name, _, phrases = line.strip().partition(":")
        for side, given in enumerate(phrases.split("|")):
            for phrase in entries(given):
                yield phrase, side, name.rstrip("!"), name


def _opposites() -> Iterable[tuple[str, ReadToken]]:
    for line in lexicon.OPPOSITES.strip().splitlines():
        sides = line.split("|")
        form = sides[0].split()[0]
        for denies, side in enumerate(sides):
            for word in side.split():
                phrase = word.replace("_", " ")
                yield phrase, ReadToken(form, phrase, denies=bool(denies))


def _tables() -> Iterable[tuple[str, ReadToken]]:
    """Yield every phrase of the tables with what it stands for; the first meaning counts."""
    tables: dict[Sort, str] = {
        "end": f"{lexicon.ENGLISH_ENDS}\n{lexicon.CHINESE_ENDS}",
        "unsure": f"{lexicon.ENGLISH_UNSURE}\n{lexicon.CHINESE_UNSURE}",
        "now": f"{lexicon.ENGLISH_NOW}\n{lexicon.CHINESE_NOW}",
        "not": f"{lexicon.ENGLISH_NEGATIONS}\n{lexicon.CHINESE_NEGATIONS}",
    }
    for sort, table in tables.items():
        yield from ((phrase, ReadToken(sort, phrase, sort)) for phrase in entries(table))
    for phrase, side, form, name in _phrases_of(lexicon.FRAMES + lexicon.CHINESE_FRAMES):
        single = name.endswith("!")
        yield phrase, ReadToken(form, phrase, "frame", makes=bool(side), single=single)
    yield from _opposites()
    yield from ((word, ReadToken(word, word)) for word in _BREAKS if len(word) > 1)


def _known_phrases() -> dict[str, list[tuple[tuple[str, ...], ReadToken]]]:
    """Return the phrases by their first piece, the longest first."""
    found: dict[tuple[str, ...], ReadToken] = {}
    for phrase, token in _tables():
        found.setdefault(tuple(_PIECE.findall(phrase)), token)
    known: dict[str, list[tuple[tuple[str, ...], ReadToken]]] = {}
    for phrase, token in sorted(found.items(), key=lambda item: -len(item[0])):
        known.setdefault(phrase[0], []).append((phrase, token))
    return known


_PHRASES: Final = _known_phrases()
# "Be" is said of everything, and is no word to look for.
_ALTERNATIVES: Final = {
    form: " ".join(
        "".join(phrase) if token.is_chinese else " ".join(phrase)
        for phrases in _PHRASES.values()
        for phrase, token in phrases
        if token.form == form
    )
    for form in {
        token.form
        for phrases in _PHRASES.values()
        for _, token in phrases
        if token.sort in ("frame", "word") and token.form not in ("be", "at")
    }
}
_TELLING: Final = frozenset(
    (*map(_form, (lexicon.SINGLE_THINGS + lexicon.SINGLE_PEOPLE).split()), *_ALTERNATIVES)
) | frozenset([*map(_form, entries(lexicon.FAVOURITES)), "最", "岁", "是"])
_recent: Final[dict[str, tuple[ReadClause, ...]]] = {}


def between(tokens: Sequence[ReadToken], first: str, last: str) -> tuple[ReadToken, ...]:
    """Return what stands between two words; nothing where they do not stand in this order."""
    forms = [token.text.lower() for token in tokens]
    if first not in forms:
        return ()
    start = forms.index(first) + 1
    if last not in forms[start:]:
        return ()
    return tuple(tokens[start : forms.index(last, start)])
