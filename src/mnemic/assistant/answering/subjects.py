"""Of whom or what a passage speaks: what is said of others is no answer about oneself."""

import re
from typing import Final

from mnemic.assistant.understanding.asking import Question
from mnemic.assistant.understanding.units import CUE, Unit, cover, people_in, read, units_of
from mnemic.language.lexicon import concepts, function_words
from mnemic.language.lexicon.concepts import word_set
from mnemic.language.lexicon.stopwords import ENGLISH
from mnemic.runtime.patterns import linear, opening, short

_OTHER_WORD: Final = (
    r"(?!(?:is|was|are|were|has|had|lives?|works?|on|in|at|to|for|with|will)\b)[\w'’-]+"
)
_OWNED: Final = opening(
    r"(?:(?:on|in|at|by|since|last|this|yesterday|today)\b[^,]{0,20},\s*)?(?:my|our)\s+"
    rf"(?P<what>{_OTHER_WORD}(?:\s{_OTHER_WORD}){{0,3}}\s?)",
    re.IGNORECASE,
)
_OWNED_CHINESE: Final = linear(
    r"我(?:的"
    r"|家的?)?(?![叫是在住姓喜对说最爱有会也去搬要不今明昨每现目一没很觉想能和跟把刚已曾从])(?P<what>[^，。,]{1,6}?)(?=叫"
    r"|是|在|住|名|生日|今年|姓|喜欢|对|的|说|最|爱|有|会|也|去|搬|要|不|今|明|昨|每)"
)
_PEOPLE_CHINESE: Final = "|".join(
    sorted((one for one in concepts.PEOPLE_WORDS if not one.isascii()), key=len, reverse=True)
)
_OWN_PERSON: Final = linear(f"我(?:的|家的?)?(?P<who>{_PEOPLE_CHINESE})")
_HAS_SOMEBODY: Final = opening(
    r"i(?:'ve got| have| also have) [\w ,-]{1,40}?\b(?:who|whose|(?:she|he|they)(?:'s)?)\b"
    rf"|我(?:还)?有[^，。]{{0,6}}(?:{_PEOPLE_CHINESE})[^，。]{{0,4}}，(?!.*我)",
    re.IGNORECASE,
)
_CLAUSES: Final = short(r"[,;]\s*|\s+and\s+")
_KIN: Final = linear(
    "(?:"
    + "|".join(sorted((one for one in concepts.PEOPLE_WORDS if one.isascii()), key=len)[::-1])
    + r")\b",
    re.IGNORECASE,
)
_NAME: Final = linear(
    r"(?P<name>[A-Z][a-z]+)(?: [A-Z][a-z]+)?(?:['’]s)?\s+(?P<verb>is|was|has|had|will|[a-z]+(?:s"
    r"|ed))\b"
)
_FIRST: Final = linear(r"\b(?:i|i'm|i've|my|me|mine|myself)\b|我", re.IGNORECASE)
_CHINESE_NAME: Final = linear(
    r"(?P<name>[小老阿]?\w{1,3}?)(?=住|是|在|喜欢|叫|的|说|去|有|会|对|搬|爱|结婚|生日|今年|\d)"
)
_HE: Final = linear(r"(?:he|she|they|his|her|their)\b|[他她]", re.IGNORECASE)
_CALLED: Final = linear(
    r"\b(?:[Mm]y|[Oo]ur|have|two|three|four)\s+(?:\w+\s+)??(?P<kin>[a-z]+)(?:['’]s name)?[,:]?\s+"
    r"(?:is\s+|are\s+)?(?:called\s+|named\s+)?(?:(?:Mr|Mrs|Ms|Dr|Prof)\.?\s+)?"
    r"(?P<name>[A-Z][a-z]+)\b"
    r"|\b(?P<first>[A-Z][a-z]+)(?:,| is)\s+my\s+(?:\w+\s+)?(?P<as>[a-z]+)\b"
)
_CALLED_CHINESE: Final = linear(
    f"(?P<kin>{_PEOPLE_CHINESE})"
    r"(?:的?名字)?(?:叫做?|是)?(?P<name>[小老阿]?[\u4e00-\u9fff]{1,2}?)"
    r"(?=在|住|是|喜欢|说|去|今年|和|的|[\d，。,.、（(]|$)"
)
_IS_A: Final = linear(
    r"(?:\b(?:am|is|was|became|as|are|being)|'m|'s) (?:now )?(?:an?|the) (?:[\w-]+ ){0,3}?"
    r"(?P<what>[a-z]+(?:er|or|ist|ian|ant|man|woman|eer|ect|yst|medic|chef"
    r"|nurse|student|vet|cook|pilot|judge|clerk|guard|coach|mechanic|midwife|priest|barista|intern))s?\b"
)
_NO_WORK: Final = word_set(
    "vegetarian other another never ever better later summer winter letter matter number order"
    " member former sister brother mother father daughter lover gamer runner"
)
_IS_A_CHINESE: Final = linear(
    r"(?:是|当|做)[^，。,.]{0,10}(?:师|员|家|生|长|手|工|商|官|士|导演|编辑|教练|总监|助理"
    r"|老板)(?=[，。,.；\s]|了?$)"
)
_NAMED_THING: Final = linear(r"\b(?:[Mm]y|[Oo]ur) (?:[a-z]+ )?[a-z]+,? [A-Z][a-z]+\b")
_AGED: Final = linear(
    r"\w ?[(（]\d{1,3}(?:岁|[ -]years?(?:[ -]old)?)?[)）]|\b[Aa]ged? \d{1,3}\b"
    r"|\b(?:I'm|I am|is|turned|turns)(?: [A-Z][\w-]+){0,3},? \d{1,3}"
    r"(?=\s*(?:$|[,.;!]|and\b|now\b))"
)
_CALLED_SO: Final = linear(r"\b(?:is|are|was|were|'s) called\b", re.IGNORECASE)
_CALLS_SELF: Final = linear(
    r"\b(?:i'm|im|i am|call me|my name is|name's)\s+(?-i:[A-Z][a-z]+)\b(?! (?:at|in)\b)|我叫"
    r"|我的名字|叫我|我是["
    + "".join(sorted(function_words.CHINESE_SURNAMES))
    + r"][\u4e00-\u9fff]{1,2}"
    r"(?=[，。,.！\s]|$)",
    re.IGNORECASE,
)


_DOUBLED: Final = linear(r"([\u4e00-\u9fff])\1")


def aliases(texts: list[str]) -> dict[str, str]:
    """Return which people are known by name: the name, in lower case, and what they are."""
    found: dict[str, str] = {}
    for text in texts:
        for match in _CALLED.finditer(text):
            kin, name = match["kin"] or match["as"], match["name"] or match["first"]
            concept = concepts.BY_WORD.get(kin)
            if concept is not None and concept.kind == "person":
                found[name.casefold()] = concept.name
        for match in _CALLED_CHINESE.finditer(text):
            concept = concepts.BY_WORD.get(match["kin"])
            if concept is not None and concept.kind == "person" and _is_name(match["name"]):
                found[match["name"]] = concept.name
    return found


def _is_name(text: str) -> bool:
    is_doubled = len(text) > 1 and text[0] == text[1]
    return is_doubled or text[0] in "小老阿" or text[0] in function_words.CHINESE_SURNAMES


def tells_work(text: str) -> bool:
    """Tell whether a text says what somebody is: "is a firefighter", 是消防员."""
    return any(match["what"].casefold() not in _NO_WORK for match in _IS_A.finditer(text)) or bool(
        _IS_A_CHINESE.search(text)
    )


def tells_age(text: str) -> bool:
    """Tell whether a text gives an age by its form: "Leo (7)", "I'm Ruth, 41", 小宇（8岁）."""
    return _AGED.search(text) is not None


def tells_name(text: str, asked: Question) -> bool:
    """Tell whether a text gives a name, though it does not say so: "my sister Anna", "I am Max"."""
    if asked.names_somebody:
        return bool(aliases([text])) or _CALLED_SO.search(text) is not None
    if is_of_self_alone(asked):
        return _CALLS_SELF.search(text) is not None
    return _CALLED_SO.search(text) is not None or _NAMED_THING.search(text) is not None


def is_of_self_alone(asked: Question) -> bool:
    """Tell whether a question asks for something of the speaker and names nothing else."""
    return asked.of_self and all(unit.kind == "relation" for unit in asked.units)


def speaks_of_others(text: str, asked: Question) -> bool:
    """Tell whether a passage is about somebody or something that a question about the speaker
    does not mean: "My sister lives in Lyon" does not say where I live.
    """
    if not asked.of_self or asked.names_somebody:
        return False
    if asked.followed.kind == "who" and any(unit.kind == "thing" for unit in asked.units):
        # Who does something for me is somebody else.
        return False
    start = text.lstrip(' "“-*•0123456789.)').replace("name's", "name is", 1)
    if _HE.match(start):
        return True
    if (kin := _KIN.match(start)) and not _fits(kin[0], asked):
        # "Dad lives in Oslo" is about him.
        return True
    if match := _OWNED.match(start):
        return not _fits(match["what"], asked) and not _is_told_apart(start, asked)
    if match := _OWN_PERSON.match(start):
        return not _fits(match["who"], asked)
    if match := _OWNED_CHINESE.match(start):
        what = "".join(unit.text for unit in units_of(match["what"]))
        # In 我受不了 the character behind 我 is no noun.
        is_noun = len(what) > 1 or what in concepts.BY_WORD
        return is_noun and not _fits(what, asked)
    if _HAS_SOMEBODY.match(start) and is_of_self_alone(asked):
        # "I have a sister, who lives in Lyon" goes on about her.
        return True
    return not _FIRST.search(text) and _leads_with_name(start, asked)


def _is_told_apart(text: str, asked: Question) -> bool:
    """Tell whether what is asked stands in a clause of its own: the rent in "My landlady is Eva,
    the rent is 780".
    """
    things = [unit for unit in asked.units if unit.kind == "thing"]
    _, *later = _CLAUSES.split(text)
    return bool(things) and any(
        not _HE.match(clause) and all(cover(unit, read(clause)) > CUE for unit in asked.units)
        for clause in later
    )


def _fits(what: str, asked: Question) -> bool:
    text = read(what)
    if people_in(text):
        # Who has a husband is married.
        return any(
            unit.concept is not None and unit.concept.name == "marry" and cover(unit, text) > 0
            for unit in asked.units
        )
    if all(unit.kind == "relation" for unit in units_of(what)):
        # Somebody's name or job is theirs: what follows is about them too.
        return True
    own = {unit.concept.name for unit in units_of(what) if unit.concept is not None}
    return any(
        cover(unit, text) > 0
        or what in unit.text
        or (unit.concept is not None and unit.concept.name in own)
        for unit in asked.units
    ) or not units_of(what)


def _leads_with_name(start: str, asked: Question) -> bool:
    if _DOUBLED.match(start) and start[:2] not in asked.text:
        # 妮妮 and the like are names.
        return True
    people = units_of(start[:6])[:1] if not start[:1].isascii() else ()
    if any(unit.is_who for unit in people):
        return True
    if match := _NAME.match(start):
        name = match["name"].casefold()
        known = name in ENGLISH or any(
            name in one.words or name in one.cues
            for one in concepts.CONCEPTS
            if one.kind != "person"
        )
        unit = Unit("thing", name)
        return not known and cover(unit, read(asked.text)) == 0
    if match := _CHINESE_NAME.match(start):
        return (
            len(match["name"]) > 1 and _is_name(match["name"]) and match["name"] not in asked.text
        )
    return False
