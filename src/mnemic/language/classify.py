"""What kind of lesson a text is, read from its wording."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from mnemic.language.lexicon.categories import CATEGORIES, DEFAULT, PROTECTED, TRADITIONAL
from mnemic.language.lexicon.phrases import GROUPS
from mnemic.runtime.patterns import linear

__all__ = ["PROTECTED", "Classification", "classify"]


@dataclass(frozen=True, slots=True)
class Classification:
    """A lesson's category, and every category its wording points to, the category first."""

    category: str
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Rules:
    """Category, pattern and the words it stands for, if it is no more than words, in deciding
    order; and where each key leads to.
    """

    numbered: list[tuple[str, str, str]]
    by_key: dict[str, list[int]]


def classify(text: str) -> Classification:
    """Return the category of a lesson and its tags; a text that says nothing known is "code".

    Of several matching categories the first in the order of `CATEGORIES` is the category. Only the
    plainest wording that a text holds counts: triggers, else hints, else cues.
    """
    plain = _plain(text)
    keys = _keys_of_text(plain)
    for rules in (_triggers, _hints, _cues):
        if tags := _matching(plain, keys, rules()):
            return Classification(category=tags[0], tags=tags)
    return Classification(category=DEFAULT, tags=(DEFAULT,))


def _plain(text: str) -> str:
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(TRADITIONAL).replace("’", "'")
    return " ".join(text.lower().split())


# Trying a thousand patterns would take two milliseconds. A key is four letters that begin a word,
# or one Chinese character; only the patterns that share a key with the text are tried.
_KEY_LENGTH = 4
_WORD = linear("[a-z]+")
_ONLY_WORDS = linear(r"[a-z' ]+|[\u4e00-\u9fff]+")


def phrase_patterns() -> Iterator[str]:
    """Yield the source of every pattern that a text can meet here, compiled or not."""
    for rules in (_triggers(), _hints(), _cues()):
        yield from (source for _, source, _ in rules.numbered)


def _keys_of_text(plain: str) -> set[str]:
    keys = {word[:_KEY_LENGTH] for word in _WORD.findall(plain)}
    return keys if plain.isascii() else keys.union(plain)


def _matching(plain: str, keys: set[str], rules: _Rules) -> tuple[str, ...]:
    tags: dict[str, None] = {}
    by_key = rules.by_key
    numbers = {number for key in by_key.keys() & keys for number in by_key[key]}
    for number in sorted(numbers):
        category, source, words = rules.numbered[number]
        if category not in tags and words in plain and _pattern(source).search(plain):
            tags[category] = None
    return tuple(tags)


@cache
def _pattern(source: str) -> re.Pattern[str]:
    # Compiled at first use: most are never needed, and all of them would delay the start.
    return linear(source)


@cache
def _triggers() -> _Rules:
    return _rules({name: (said.english, said.chinese) for name, said in CATEGORIES.items()})


@cache
def _hints() -> _Rules:
    return _rules(
        {name: (said.english_hints, said.chinese_hints) for name, said in CATEGORIES.items()}
    )


@cache
def _cues() -> _Rules:
    return _rules(
        {name: (said.english_cues, said.chinese_cues) for name, said in CATEGORIES.items()}
    )


def _rules(table: dict[str, tuple[str, str]]) -> _Rules:
    rules = _Rules([], {})
    for category, (english, chinese) in table.items():
        for phrase in _phrases(english):
            _add(rules, category, phrase, source=_english(phrase), keys=_english_keys(phrase))
        for phrase in _phrases(chinese):
            _add(rules, category, phrase, source=_chinese(phrase), keys=_chinese_keys(phrase))
    return rules


def _add(rules: _Rules, category: str, phrase: str, *, source: str, keys: list[str]) -> None:
    for key in set(keys):
        rules.by_key.setdefault(key, []).append(len(rules.numbered))
    # Looking for words costs a tenth of compiling a pattern: most patterns are never compiled.
    words = phrase if _ONLY_WORDS.fullmatch(phrase) else ""
    rules.numbered.append((category, source, words))


def _phrases(block: str) -> list[str]:
    lines = [line.strip() for line in block.splitlines()]
    return [_grouped(phrase) for line in lines if line for phrase in line.split(" / ")]


def _grouped(phrase: str) -> str:
    return re.sub(r"<(\w+)>", lambda name: f"({GROUPS[name[1]]})", phrase)


def _english(phrase: str) -> str:
    body = _plain_groups(phrase).replace(" … ", " (?:[^.!?]{1,40}? )?")
    begins = r"\b" if phrase.lstrip("^(")[0].isalpha() else ""
    # With (?a) a border lies also between a Latin and a Chinese letter.
    return f"(?a){begins}{body}(?![a-z0-9_])"


def _chinese(phrase: str) -> str:
    return _plain_groups(phrase).replace("…", "[^.!?。]{1,25}?")


def _plain_groups(phrase: str) -> str:
    if phrase.startswith("^"):
        phrase = r"(?<![^.!?;。\s])(?<![^.!?;。] )" + phrase[1:]
    return re.sub(r"\((?!\?)", "(?:", phrase)


# One piece of a phrase: a group (which may hold groups), a set, some letters or another
# character; and how often it may occur.
_PIECE = re.compile(r"(\((?:[^()]|\([^()]*\))*\)|\[[^]]*\]|\\.|[a-z]+(?![?*{])|.)([?*]|\{[^}]*\})?")
# What nearly every text holds makes a poor key.
_EVERYWHERE = frozenset("不的一是有会可以要为了到在用于下本能我人将")
_COMMON = frozenset(
    _WORD.findall(
        "a an the and or of to for in on at is are be was were it its this that with can may"
        " will not we you i but by from as so do does no if when more less than then they there"
        " which has have been use used also only all each could might should would one our your"
    )
)


def _english_keys(phrase: str) -> list[str]:
    """Return what the words of a match begin with: each match holds at least one of them."""
    pieces = [piece for piece in _PIECE.findall(phrase.lstrip("^")) if piece[0][:2] != "(?"]
    candidates: list[list[str]] = []
    before = " "
    for (piece, often), (after, _) in pairwise([*pieces, (" ", "")]):
        if before.endswith(" ") and not often:
            words = piece.strip("()").split("|")
            candidates.append([_beginning(word, after=after) for word in words])
        before = "" if (piece, often) == (" ", "?") else piece.rstrip(")")
    candidates = [words for words in candidates if "" not in words]
    if not candidates:
        raise ValueError(f"no fixed word in {phrase!r}; write its variants out as (a|b)")
    # The longer a word, the fewer texts hold it.
    best = max(candidates, key=lambda words: (_COMMON.isdisjoint(words), min(map(len, words))))
    return [word[:_KEY_LENGTH] for word in best]


def _beginning(word: str, *, after: str) -> str:
    letters = re.match("(?:[a-z](?![?*]))*", word)
    letter = letters[0] if letters else ""
    ends = (word + after)[len(letter)] in " '-"
    return letter if ends or len(letter) >= _KEY_LENGTH else ""


def _chinese_keys(phrase: str) -> list[str]:
    """Return characters of which each match of the phrase holds at least one."""
    pieces = [piece for piece, often in _PIECE.findall(phrase) if not often]
    candidates = [
        [key for word in piece.strip("()").split("|") for key in _first_characters(word)]
        for piece in pieces
        if re.match(r"[一-鿿]|\((?!\?)|\[(?!\^)", piece)
    ]
    return min(candidates, key=lambda keys: (len(_EVERYWHERE.intersection(keys)), len(keys)))


def _first_characters(word: str) -> str:
    return word[1 : word.index("]")] if word.startswith("[") else word[0]
