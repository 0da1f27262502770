"""What a query asks for, and also what falls under the concepts that it names.

"Pets" is shown by 宠物 nearly as well as by itself, and by "cat" or 狗 less well; "cat" does not
show a dog. Only the words of the query itself are broadened, and only where the lexicon knows them.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Final, Self

from mnemic.language.lexicon.concepts import BY_WORD, CONCEPTS, Concept, word_set
from mnemic.language.lexicon.stopwords import CHINESE, ENGLISH
from mnemic.language.lexicon.synonyms import CHINESE_WHOLE
from mnemic.language.tokens import Piece, character_piece, pieces, tokens_of, word_forms

# How well another word for a concept shows it, and how well something that falls under it does.
SAME_MEANING: Final = 0.9
FALLS_UNDER: Final = 0.6
_PART_OF_A_WORD: Final = 0.6
_LONGEST_WORD: Final = 4

# Beside anything else these tell nothing apart: travel plans are travels.
_WEAK: Final = word_set(
    "plan plans know info information detail details preference preferences stuff list type types"
    " status situation current 计划 安排 信息 情况 详情 事情 养 当前"
)
# These hold grammar, not a thing: 约了, 我家. A person is named so all the same: 我妈.
_GRAMMAR: Final = frozenset("了的在一我")
# What search cannot tell from other words: 码 in 密码, 元 in 元旦; who runs a shop from who runs.
_MISTAKABLE: Final = word_set("码 元 放 剂 鼓 runs owns leads stand")


Meant = tuple[Concept, ...]
Word = tuple[str, Meant, Piece]
"""A word of a query, the concepts that it names, and what shows it by itself."""


@dataclass(frozen=True, slots=True)
class Broadened:
    """The pieces of a query, who of them are people, and terms to search for besides its own
    words, with their weights. `kin` are the concepts of the people, as sister or boss.
    """

    pieces: tuple[Piece, ...]
    people: tuple[Piece, ...] = ()
    terms: Mapping[str, float] = field(default_factory=dict[str, float])
    kin: frozenset[str] = frozenset()

    def known_as(self, names: Iterable[str]) -> Self:
        """Return the same where the people that it means are also shown by their names."""
        also = tuple((term, SAME_MEANING) for name in names if (term := _term(name)) is not None)
        people = {piece: (*also, *piece) for piece in self.people}
        return type(self)(
            pieces=tuple(people.get(piece, piece) for piece in self.pieces),
            people=tuple(people.values()),
            terms={**self.terms, **dict(also)},
            kin=self.kin,
        )


# A search asks twice: for the terms to look for, and for what covers them.
@lru_cache(maxsize=64)
def broadened(text: str) -> Broadened:
    """Return what a query asks for, each thing with all that shows it, best last.

    Where it names no concept, these are its `pieces` and no other terms.
    """
    plain, named = list[tuple[str, Piece]](), dict[str, Piece]()
    people, kin = list[Piece](), set[str]()
    for word, meant, own in _read(text):
        if not meant:
            plain.append((word, own))
            continue
        piece = named.setdefault(" ".join(one.name for one in meant), _meaning(meant, own))
        if any(one.kind == "person" for one in meant):
            people.append(piece)
            kin |= {one.name for one in meant} | {
                BY_WORD[cue].name for one in meant for cue in one.cues
            }
    telling = [own for word, own in plain if word not in _WEAK]
    if not named:
        return Broadened(tuple(dict.fromkeys(telling)) or tuple(pieces(text)))
    asked = dict.fromkeys((*named.values(), *telling))
    more = {
        term: strength for piece in named.values() for term, strength in piece if strength < 1.0
    }
    return Broadened(tuple(asked), tuple(dict.fromkeys(people)), more, frozenset(kin))


def _meaning(meant: Meant, own: Piece) -> Piece:
    """Return a piece that is shown by itself or by what its concepts are shown by."""
    shown = dict(_shown_by(meant))
    for term, strength in own:
        shown[term] = max(strength, shown.pop(term, 0.0))
    itself = own[-1][0]
    shown[itself] = shown.pop(itself)
    return tuple(shown.items())


@lru_cache(maxsize=1_024)
def _shown_by(meant: Meant) -> Piece:
    by_words = [(one, word, SAME_MEANING) for one in meant for word in sorted(one.words)]
    by_cues = [(one, word, FALLS_UNDER) for one in meant for word in sorted(one.cues)]
    shown: dict[str, float] = {}
    for concept, word, strength in by_words + by_cues:
        term = _term(word, is_person=concept.kind == "person")
        if term is not None:
            shown.setdefault(term, strength)
    return tuple(shown.items())


def _term(word: str, *, is_person: bool = True) -> str | None:
    """Return the term by which a word is found; None where none would tell it from others."""
    if word in _MISTAKABLE:
        return None
    if not _is_chinese(word):
        return word_forms(word)[0]
    if not is_person and not _GRAMMAR.isdisjoint(word):
        return None
    return word if len(word) < 2 else _telling_pair(word)


def _telling_pair(word: str) -> str:
    """Return the pair of characters that tells a word best: the last that is no word itself, as
    女朋 of 女朋友.
    """
    pairs = [word[at : at + 2] for at in range(len(word) - 1)]
    return next((pair for pair in reversed(pairs) if pair not in BY_WORD), pairs[-1])


def _read(text: str) -> list[Word]:
    """Return word by word what a query says.

    A stop word is heard only where nothing else is said, as in "what do I like?".
    """
    found = list(_words(text))
    return [one for one in found if one[0] not in ENGLISH] or [one for one in found if one[1]]


def _words(text: str) -> Iterator[Word]:
    before = ""
    for token in tokens_of(text):
        if _is_chinese(token):
            yield from _chinese_words(token)
            before = ""
            continue
        word = token.replace("’", "'").removesuffix("'s")
        forms = word_forms(token)
        phrase = f"{before}_{word}"
        meant = _meant(phrase) or _meant(word) or _by_stem().get(forms[0], ())
        before = word
        if meant:
            yield word, meant, ((forms[0], 1.0),)
        else:
            yield from ((word, (), ((form, 1.0),)) for form in forms)


def _chinese_words(run: str) -> Iterator[Word]:
    parts = _cut(run)
    at = 0
    for number, word in enumerate(parts):
        meant = _meant(word) if len(word) > 1 or _stands_alone(parts, number) else ()
        if meant:
            yield word, meant, _own_piece(word)
        elif word in _WEAK:
            yield word, (), character_piece(run, at)
        else:
            for place in range(at, at + len(word)):
                if run[place] not in CHINESE:
                    yield run[place], (), character_piece(run, place)
        at += len(word)


def _cut(run: str) -> list[str]:
    """Cut a run at the words that are known, the longest first; the rest are characters."""
    parts: list[str] = []
    at = 0
    while at < len(run):
        parts.append(_longest_at(run, at))
        at += len(parts[-1])
    return parts


def _longest_at(run: str, at: int) -> str:
    for length in range(_LONGEST_WORD, 1, -1):
        # In 我妹妹 the person is 妹妹, not 我妹; in 在学校 it is 学校.
        begun = length == 2 and run[at] in CHINESE and run[at + 1 : at + 3] in _known()
        if run[at : at + length] in _known() and not begun:
            return run[at : at + length]
    return run[at]


def _stands_alone(parts: list[str], number: int) -> bool:
    """Tell whether a character is a word: 住 in 我住哪里 is, in 抓住 it is not."""
    around = parts[max(0, number - 1) : number] + parts[number + 1 : number + 2]
    return all(len(part) > 1 or part in CHINESE or part in BY_WORD for part in around)


def _own_piece(word: str) -> Piece:
    if len(word) < 3:
        return ((word, 1.0),)
    telling = _telling_pair(word)
    pairs = (word[at : at + 2] for at in range(len(word) - 1))
    rest = [(pair, _PART_OF_A_WORD) for pair in pairs if pair != telling and pair not in BY_WORD]
    return (*rest, (telling, 1.0))


@cache
def _known() -> frozenset[str]:
    """Return all Chinese words that are known, whether a query can ask for them or not."""
    words = (word for one in CONCEPTS for word in one.words | one.cues | one.asked)
    return frozenset(word for word in words if len(word) > 1) | {*CHINESE_WHOLE.split()} | _WEAK


@cache
def _by_word() -> dict[str, Meant]:
    found: dict[str, Meant] = {}
    for one in CONCEPTS:
        for word in one.words | one.asked:
            found[word] = (*found.get(word, ()), one)
    return found


def _meant(word: str) -> Meant:
    """Return what a word means; 爱好 is what one likes, and a hobby."""
    return _by_word().get(word, ())


@cache
def _by_stem() -> dict[str, Meant]:
    """Return what words mean in forms that the lexicon does not list. What it lists with "ing" is
    meant so: programming is no programme.
    """
    found: dict[str, Meant] = {}
    for word, meant in _by_word().items():
        if not _is_chinese(word) and not word.endswith("ing"):
            found.setdefault(word_forms(word)[0], meant)
    return found


def _is_chinese(text: str) -> bool:
    return "\u3400" <= text[:1] <= "\u9fff"
