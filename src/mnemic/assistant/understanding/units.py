"""What a question asks for, unit by unit, and how much of it a passage covers."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, Literal

from mnemic.assistant.understanding.implied import implied
from mnemic.language.lexicon import concepts, function_words
from mnemic.language.lexicon.concepts import BY_WORD, Concept
from mnemic.language.lexicon.stopwords import ENGLISH
from mnemic.language.lexicon.synonyms import CHINESE_SYNONYMS, CHINESE_WHOLE, ENGLISH_SYNONYMS
from mnemic.language.tokens import normalise, word_forms
from mnemic.runtime.patterns import linear, short

UnitKind = Literal["person", "name", "thing", "relation"]

_CJK: Final = r"[\u3400-\u4dbf\u4e00-\u9fff]"
_LATIN: Final = r"[^\W_\u3400-\u4dbf\u4e00-\u9fff]+"
_RUN: Final = linear(rf"{_CJK}+|{_LATIN}(?:[-'’.@_/]{_LATIN})*")
CUE: Final = 0.95
"""How well something that falls under a concept shows it."""
_LONGEST_WORD: Final = 4
_DIGIT: Final = linear(r"\d")
_NUMBER: Final = linear(r"\d+(?::\d+)?(?:st|nd|rd|th|am|pm)?")
# "Like" is a verb after a subject, or before what is done; elsewhere it compares.
_LIKES: Final = linear(
    r"\b(?:i|we|he|she|they|you|do(?:es)?(?:n't| not)?|did|really|also|to|\w+) likes?\b"
    r"(?! (?:this|that|these|those)\b)|^likes?\b"
)
_NO_LIKING: Final = short(
    r"\b(?:would|'d) like\b|\b(?:is|are|was|were|look|looks|feel|feels|sound|sounds|it) like\b"
    r"|\bwhat(?:'s| is| are| was| were)\b.{0,60}\blike(?: (?:today|tomorrow|there|here|now"
    r"|outside))?\s*\??$"
)
_DOES: Final = linear(r"\bwhat (?:do|does|did) (?:.{1,40} )do(?: for (?:a living|work))?\s*\??$")
_HAS_TO: Final = linear(
    r"\b(?:need|needs|have|has|got|must|ought) to\b|\b(?:must|don't forget|to-do)\b"
)
_KINDS_OF_THINGS: Final = tuple(
    one for one in concepts.CONCEPTS if one.kind == "thing" and len(one.cues) > 1
)
_SOMEBODY: Final = linear(r"\b(?:i|you|he|she|they|we)\b|[我你他她]")
_FOR_A_LIVING: Final = linear(r"\bfor (?:a living|work)\b", re.IGNORECASE)
# Who moves a thing does not move house.
_MOVES_A_THING: Final = linear(r"\bmov(?:ed?|ing) (?:the|my|our|his|her|it|an?|this|that)\b")
_PHRASES: Final = (
    (linear(r"\b(?:get|gets|got|getting) up\b", re.IGNORECASE), "wake"),
    (linear(r"\b(?:go|goes|went|going) to bed\b", re.IGNORECASE), "sleep"),
    (linear(r"\b(?:year|month)s? old\b", re.IGNORECASE), "aged"),
    (linear(r"(?<![大小中同])学(?:[会了过]|(?=[\u4e00-\u9fff]{1,3}[语琴画车]))"), "学习"),
)
# A character that asks for a thing shows it behind these: 把车 and 一辆车, but not 火车.
_TIME: Final = linear("[零一二三四五六七八九十百千万两半点分钟号日月年多才就]+")
_BEFORE_A_NOUN: Final = "把的辆开买修卖停部我新本"
# At the edge of a word these are grammar; inside it, as in 上海 and 用户, they belong to it.
_AT_THE_EDGE: Final = "里上下中用名以为该所得新好大小前后当时再才只曾刚正一二三两每第"
_FAMILIAR: Final = frozenset("小老阿")
_DOES_CHINESE: Final = linear(r"(?:是做|是干|做)(?:什么|啥)(?:工作)?的")


@dataclass(frozen=True, slots=True)
class Unit:
    """One thing that a question asks for. `concept` is what its word means, where that is known."""

    kind: UnitKind
    text: str
    concept: Concept | None = None

    @property
    def is_who(self) -> bool:
        """Whether it names a person: another person is no answer."""
        return self.kind in ("person", "name")


@dataclass(frozen=True, slots=True)
class NormalizedText:
    """A text as it is compared: its words in one form, and the plain text for Chinese."""

    forms: frozenset[str]
    plain: str


@lru_cache(maxsize=4_096)
def units_of(text: str) -> tuple[Unit, ...]:
    """Return what a text asks for or tells of, each thing once, in order."""
    found: dict[tuple[str, str], Unit] = {}
    for unit in _units(text):
        key = ("", unit.concept.name) if unit.concept else (unit.kind, unit.text)
        found.setdefault(key, unit)
    return tuple(found.values())


@lru_cache(maxsize=4_096)
def read(text: str) -> NormalizedText:
    """Return a text ready to be compared."""
    plain = _in_one_word(_MOVES_A_THING.sub("shift", normalise(text)))
    plain = _HAS_TO.sub(" todo ", plain)
    forms = {form for run in _RUN.findall(plain) for form in _forms(run)}
    return NormalizedText(frozenset(forms), plain)


def _in_one_word(text: str) -> str:
    for phrase, word in _PHRASES:
        text = phrase.sub(word, text)
    return text


def cover(unit: Unit, text: NormalizedText, *, without: frozenset[str] = frozenset()) -> float:
    """Return how much of a unit a text shows, 0 to 1. The cues in `without` do not count."""
    if unit.concept is not None:
        concept = unit.concept
        if _holds_any(text, concept.words):
            return 1.0
        if any(_behind_a_noun(text, word) for word in concept.asked):
            return 1.0
        return CUE if concept.cues and _holds_any(text, concept.cues - without) else 0.0
    if _is_chinese(unit.text):
        return _chinese_cover(unit.text, text.plain)
    return 1.0 if set(_forms(unit.text)) & text.forms else 0.0


def broader(unit: Unit) -> Concept | None:
    """Return what a thing is one of: a dog is a pet."""
    own = unit.concept.words if unit.concept is not None else frozenset((unit.text,))
    if unit.kind != "thing":
        return None
    return next((one for one in _KINDS_OF_THINGS if own & one.cues), None)


def people_in(text: NormalizedText) -> frozenset[str]:
    """Return the names of the concepts of all people that a text speaks of."""
    return frozenset(BY_WORD[word].name for word in concepts.PEOPLE_WORDS if _holds(text, word))


def weights(units: tuple[Unit, ...], shares: Mapping[str, float]) -> list[float]:
    """Return how telling each unit is: what stands in many memories tells least."""
    found: list[float] = []
    for unit in units:
        share = max((shares.get(term, 0.0) for term in terms_of(unit)), default=0.0)
        rarity = 1.0 - 0.6 * min(1.0, share * 2)
        # Who and what it is about counts more than what is said of it.
        found.append(rarity * (0.7 if unit.kind == "relation" else 1.0))
    return found


def terms_of(unit: Unit) -> list[str]:
    """Return the terms under which search knows a unit."""
    if _is_chinese(unit.text):
        text = unit.text
        return [text[at : at + 2] for at in range(len(text) - 1)] or [text]
    return list(word_forms(unit.text))


def _units(text: str) -> list[Unit]:
    plain = normalise(text)
    found: list[Unit] = []
    does = _DOES.search(plain) or _DOES_CHINESE.search(plain)
    if does:
        text = _FOR_A_LIVING.sub("", text)
    if _LIKES.search(plain) and not _NO_LIKING.search(plain):
        found.append(Unit("relation", "like", concepts.BY_NAME["like"]))
    found += [Unit(one.kind, min(one.words), one) for one in implied(plain)]
    spelled = _in_one_word(normalise_keeping_case(text))
    for match in _RUN.finditer(spelled):
        run = match[0]
        if _is_chinese(run):
            found += _chinese_units(run, before=spelled[: match.start()])
        else:
            found += _english_unit(run, first=_begins(spelled, match.start()))
    if does and (_SOMEBODY.search(plain) or any(unit.is_who for unit in found)):
        # What somebody does is their work; what a thing does is not.
        found.insert(0, Unit("relation", "work", concepts.BY_NAME["work"]))
    return found


def normalise_keeping_case(text: str) -> str:
    """Return a text with one kind of apostrophe and of space."""
    return " ".join(text.replace("’", "'").split())


def _begins(text: str, at: int) -> bool:
    return not text[:at].strip() or text[:at].rstrip()[-1] in '.!?。！？:"“'


def _english_unit(word: str, *, first: bool) -> list[Unit]:
    base = word.removesuffix("'s").removesuffix("'")
    plain = base.casefold()
    if plain in ENGLISH or word.casefold() in ENGLISH or plain in function_words.ENGLISH_EMPTY:
        return []
    concept = BY_WORD.get(plain) or BY_WORD.get(_one_form(plain))
    if concept is not None:
        return [Unit(concept.kind, plain, concept)]
    if _NUMBER.fullmatch(plain):
        return []
    is_name = base[0].isupper() and not first and not _DIGIT.search(base)
    return [Unit("name" if is_name else "thing", plain)]


def _chinese_units(run: str, *, before: str) -> list[Unit]:
    """Cut a run at the words that are known; what is left between them are things."""
    found: list[Unit] = []
    rest = ""
    at = 0
    while at < len(run):
        word = _known_at(run, at)
        if word is None:
            # A counter behind a digit belongs to the number.
            if not (at == 0 and before[-1:].isdigit()):
                rest += run[at]
            at += 1
            continue
        if _is_part(run, at, word, rest):
            # 车 is a car, but 折叠车 and 车牌 are words of their own.
            rest += word
        elif word in function_words.CHINESE_EMPTY or word in BY_WORD:
            found += _left(rest)
            rest = ""
            concept = None if word in function_words.CHINESE_EMPTY else BY_WORD.get(word)
            if concept is not None:
                found.append(Unit(concept.kind, word, concept))
                # What is left of a word behind one that is known, as 室 of 会议室, says little.
                at += len(word)
                at += _lone(run[at:]) if concept.kind == "thing" else 0
                continue
        else:
            rest += word
        at += len(word)
    return found + _left(rest)


def _is_part(run: str, at: int, word: str, rest: str) -> bool:
    """Tell whether a character that asks for a thing is only a part of a longer word here."""
    concept = BY_WORD.get(word)
    if concept is None or len(word) > 1 or word not in concept.asked:
        return False
    after = run[at + 1 : at + 2]
    begins = bool(after) and after not in _AT_THE_EDGE and _known_at(run, at + 1) is None
    return begins or bool(rest.strip(_AT_THE_EDGE))


def _lone(rest: str) -> int:
    """Return 1 where one character that is no word stands before a known word or the end."""
    if not rest or _known_at(rest, 0) is not None:
        return 0
    return int(len(rest) == 1 or _known_at(rest, 1) is not None)


def _left(rest: str) -> list[Unit]:
    if rest[:1] in _FAMILIAR and rest[1:2] in function_words.CHINESE_SURNAMES and len(rest) > 2:
        # 小赵欠 is what 小赵 does.
        return [Unit("name", rest[:2]), *_left(rest[2:])]
    if len(rest) > 2 and len(inner := rest.strip(_AT_THE_EDGE)) > 1:
        rest = inner
    if not rest or rest in _AT_THE_EDGE or _TIME.fullmatch(rest):
        return []
    is_name = 2 <= len(rest) <= 3 and (
        rest[0] in function_words.CHINESE_SURNAMES
        or (rest[0] in _FAMILIAR and rest[1] in function_words.CHINESE_SURNAMES)
    )
    return [Unit("name" if is_name else "thing", rest)]


def _known_at(run: str, at: int) -> str | None:
    # In 我妹妹 the person is 妹妹, not 我妹.
    longest = 1 if run[at + 1 : at + 3] in concepts.PEOPLE_WORDS else _LONGEST_WORD
    for length in range(min(longest, len(run) - at), 0, -1):
        word = run[at : at + length]
        if word in BY_WORD or word in function_words.CHINESE_EMPTY or word in _whole():
            return word
    return None


@cache
def _whole() -> frozenset[str]:
    return frozenset(CHINESE_WHOLE.split())


def _is_chinese(text: str) -> bool:
    return "\u3400" <= text[:1] <= "\u9fff"


def _chinese_cover(word: str, plain: str) -> float:
    if word in plain or any(other in plain for other in _chinese_synonyms().get(word, ())):
        return 1.0
    if len(word) == 1:
        return 1.0 if word in _without_longer(plain, word) else 0.0
    if len(word) == 2:
        return 0.0
    shown = {
        place for at in range(len(word) - 1) if word[at : at + 2] in plain for place in (at, at + 1)
    }
    return len(shown) / len(word)


def _holds(text: NormalizedText, word: str) -> bool:
    if _is_chinese(word):
        return word in (text.plain if len(word) > 1 else _without_longer(text.plain, word))
    return _one_form(word) in text.forms


def _holds_any(text: NormalizedText, wanted: frozenset[str]) -> bool:
    latin, chinese = _by_script(wanted)
    return not latin.isdisjoint(text.forms) or any(_holds(text, word) for word in chinese)


@lru_cache(maxsize=1_024)
def _by_script(wanted: frozenset[str]) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the forms of the Latin words of a set, and its Chinese words."""
    latin = frozenset(_one_form(word) for word in wanted if not _is_chinese(word))
    return latin, tuple(sorted(word for word in wanted if _is_chinese(word)))


def _behind_a_noun(text: NormalizedText, word: str) -> bool:
    return _is_chinese(word) and any(one + word in text.plain for one in _BEFORE_A_NOUN)


def _without_longer(plain: str, character: str) -> str:
    """Return a text without the longer words that hold a character: 火车 is no 车."""
    if character in plain:
        for longer in _longer(character):
            plain = plain.replace(longer, " ")
    return plain


@cache
def _longer(character: str) -> tuple[str, ...]:
    """Return the known words of other meanings that hold a character, longest first."""
    concept = BY_WORD.get(character)
    own: frozenset[str] = concept.words | concept.cues if concept is not None else frozenset()
    known = frozenset(word for one in concepts.CONCEPTS for word in one.words | one.cues) | _whole()
    held = [word for word in known if len(word) > 1 and character in word and word not in own]
    return tuple(sorted(held, key=len, reverse=True))


def _forms(run: str) -> tuple[str, ...]:
    if _is_chinese(run):
        return ()
    whole = _one_form(run.removesuffix("'s"))
    if whole.endswith("ing") or _is_of_its_own(run, word_forms(run)[0]):
        return (whole,)
    return (whole, *(_one_form(form) for form in word_forms(run)))


def _is_of_its_own(word: str, stem: str) -> bool:
    """Tell whether a word means something else than its stem: who booked a room read no book."""
    return (
        word != stem and word in BY_WORD and BY_WORD.get(stem, BY_WORD[word]) is not BY_WORD[word]
    )


@lru_cache(maxsize=16_384)
def _one_form(word: str) -> str:
    """Return one spelling for all forms of a word: eat, ate and eaten are one."""
    if word.rstrip("s").endswith("ing") and word in BY_WORD and BY_WORD[word].kind == "thing":
        # A meeting is a thing of its own, not a form of "meet".
        return word.rstrip("s")
    stem = word_forms(word)[0] if word else word
    if _is_of_its_own(word, stem):
        return word
    table = _english_synonyms()
    return table.get(word) or table.get(stem) or stem


@cache
def _english_synonyms() -> dict[str, str]:
    return {word: word_forms(group[0])[0] for group in _groups(ENGLISH_SYNONYMS) for word in group}


@cache
def _chinese_synonyms() -> dict[str, tuple[str, ...]]:
    return {word: tuple(group) for group in _groups(CHINESE_SYNONYMS) for word in group}


def _groups(table: str) -> list[list[str]]:
    return [group.split() for group in table.replace("\n", "/").split("/") if group.strip()]
