"""Facts that English sentences state about things: dates, orders, devices, projects, wishes."""

import re
from collections.abc import Iterator
from typing import Final

from mnemic.chat.extraction.extraction import Fact
from mnemic.chat.extraction.facts.fact_keys import EVENTS, KIN, any_of, fact, phrase, thing
from mnemic.chat.extraction.facts.words_english import (
    DATE,
    DEVICE,
    LANGUAGES,
    NAME,
    SYSTEM,
    WHEN,
    is_job,
)
from mnemic.language.lexicon.concepts import word_set
from mnemic.language.tokens import is_stop_word
from mnemic.runtime.patterns import Opening, linear, opening, short

_NUMBERED: Final = short(
    r"\b(?i:(?P<what>order|ticket|tracking|reservation|booking|case|invoice|serial|account|customer"
    r"|policy|confirmation|reference|flight|membership|member|claim)s?)"
    r"(?i:\s+(?:number|no\.?|id|code|reference|ref|#))?\s*(?:is|:|=|was)?\s*#?"
    r"(?P<x>(?=[A-Za-z-]*\d)[A-Z0-9][A-Z0-9-]{2,40}\w)(?!\w|\.\d)",
)
_CHANGED: Final = (
    r"now|been|be|moved|pushed|extended|changed|set|raised|cut|increased|reduced|back|up|forward"
    r"|postponed|still|currently|actually|exactly|about|around|roughly|only|to|at|for|on|by"
)
_PROJECT: Final = short(
    r"\b(?P<what>deadline|due date|budget|launch date|release date|submission date|kick-?off)"
    r"(?: (?:for|of) (?:the|this|our|my) [\w ]{1,30}?)?"
    r"(?:'s| is| was| are| has| got| will| went| =|:)"
    rf"(?: (?:{_CHANGED})){{0,3}}(?: from \S{{1,20}}(?: \w{{1,12}})?)?(?: (?:{_CHANGED})){{0,2}}"
    r" (?P<x>[^;!?]+?)"
    r"(?=$|[;!?]|,? (?:and|but|so|because|which|while) )",
    re.I,
)
_DUE: Final = linear(
    rf"\b(?:the|our|my) (?P<what>project|report|thesis|paper|essay|assignment|proposal|manuscript"
    rf"|application|tax return|draft) (?:is|are) due (?P<x>{WHEN})",
    re.I,
)
_QUANTITY: Final = linear(
    r"\d|\b(?:hundred|thousand|million|grand|two|three|four|five|six|seven|eight|nine|ten|half)\b",
    re.I,
)
_OF_PROJECT: Final = {"due date": "deadline", "submission date": "deadline"}
_NAMED_PART: Final = short(
    rf"\b(?:[Oo]ur|[Tt]he|[Mm]y) (?:project's )?(?P<what>client|codename|code name|venue|project"
    rf" manager|team lead|project name|sponsor|supplier|vendor) (?:is|is called|will be)"
    rf" (?:the )?(?P<x>{NAME})"
)
_VERSION: Final = linear(
    r"\b(?:(?:on|running|using|have|installed|is|to|at|app|firmware|software|release)\s+)"
    r"(?:the )?(?:latest )?(?:version |v)(?:is )?(?P<x>\d+(?:\.\d+)*)"
    r"|\b(?:version|version number) (?:is|:) (?:v)?(?P<y>\d+(?:\.\d+)*)",
    re.I,
)
_EVENT: Final = any_of(EVENTS, chinese=False)
_WHAT: Final = rf"(?P<what>(?:[\w'-]+ ){{0,2}}?(?:{_EVENT})(?: appointment| meeting| call)?)"
_BETWEEN: Final = r"(?: (?:with|for|to|in|at|of|about) (?!the \d)(?P<with>[\w'. -]{2,40}?))?"
_HAVING: Final = linear(
    rf"\b(?:have|has|had|got|booked|scheduled|made|arranged|set up|there is|there's"
    rf"|and(?= an? )) "
    rf"(?:an?|my|our|the|another|her|his) {_WHAT}{_BETWEEN}[,:]? (?P<x>{WHEN})",
    re.I,
)
_SET: Final = (
    r"now|been|be|moved|pushed|rescheduled|postponed|changed|scheduled|set|booked|back|up"
    r"|brought forward|forward|to|for|on|at|actually|going to be"
)
_BEING: Final = short(
    rf"\b(?:my|the|our|his|her|[A-Z]\w+'s|next) {_WHAT}{_BETWEEN}(?:'s| is| are| has| got"
    rf"| was(?= (?:moved|pushed|rescheduled|postponed|changed|brought))"
    rf"| will"
    rf"| starts| begins| takes place| leaves| departs| moved)"
    rf"(?: (?:{_SET})){{0,3}}(?: from [\w :]{{2,24}}? to(?: (?:{_SET}))?)?"
    rf" (?P<x>{WHEN})",
    re.I,
)
_TRIP: Final = short(
    rf"\b(?:I|we|We)(?:'m| am|'re| are) (?:flying|travelling|traveling|driving|going|heading) to"
    rf" (?P<place>{NAME}) (?P<x>(?i:{WHEN}))"
)
_EMPTY: Final = word_set(
    "big next new first quick small short important huge little final last annual another the a an"
    " my our his her this that upcoming great long nice online virtual second"
)
_CALL_ME: Final = short(
    rf"\b(?:call me|refer to me as|address me as) (?P<x>(?:Dr\. |Ms\. |Mr\. |Mrs\. )?{NAME})"
)
_NOT_NAMES: Final = word_set(
    "Tomorrow Later Back Monday Tuesday Wednesday Thursday Friday Saturday Sunday When If At On"
    " Tonight Crazy Maybe Old Stupid I"
)
_ANSWER_IN: Final = linear(
    rf"\b(?:answer|reply|respond|write|speak|talk|communicate)(?: to me| with me| back)?"
    rf"(?: only)? in (?P<x>{LANGUAGES})\b",
    re.I,
)
_STYLE: Final = linear(
    r"\b(?:please|always|i prefer|i like) (?:keep|give me|use|write|make|prefer)?\s?(?:your |the )?"
    r"(?P<x>(?:answers?|replies|responses?|messages) (?:short|brief|concise|simple|formal|detailed)"
    r"|(?:short|brief|concise|detailed|simple|formal) (?:answers?|replies|responses?|messages"
    r"|explanations?)|metric units|24-hour time|bullet points)",
    re.I,
)
_MINE: Final = linear(r"\b[Mm]y (?P<what>[a-z][a-z' -]{1,28}?) (?:is|are) (?P<x>[^;!?]+)")
_CUT: Final = short(r"\s*(?:,|\s(?:and|but|because|which|so|since|now)\b|\.\s|\s-\s)(?s:.*)")
_FAVOURITE: Final = linear(
    r"(?<![Oo]ne of )\b[Mm]y (?:all-time )?(?:favou?rite|fave) (?P<what>[a-z]+(?: [a-z]+)?)"
    r"(?: in the world| ever| of all time)? (?:is|are|has to be|has always been) (?P<x>[^;!?]+)"
)
_DEVICE_HERE: Final = short(
    rf"\b(?:my|i (?:am using|use|have|own|bought|got|am on)|using|on|with)"
    rf" (?:(?:my|an?|the|old|new|is|phone|laptop|computer|tablet|device) )*(?P<x>{DEVICE})\b"
    rf"|\bmy (?:phone|laptop|computer|tablet|device|console|printer|camera|router)(?: is"
    rf"|,) (?:an? )?"
    rf"(?:old |new )?(?P<y>{DEVICE})\b",
    re.I,
)
_OF_OTHERS: Final = linear(rf"\bmy (?:\w+ )?(?:{any_of(KIN, chinese=False)})\b", re.I)
_SYSTEM_HERE: Final = linear(
    rf"\b(?:on|running|runs|using|use|upgraded to|updated to|have|os is|system is|with) (?:my )?"
    rf"(?P<x>{SYSTEM})\b",
    re.I,
)


_PREPOSITION: Final = linear(r"^(?:on|at|for|in|by)\s+(?=\S)", re.I)
_NEXT_PART: Final = linear(r"(?:,\s(?!20\d\d)|\s-\s)(?s:.*)")
_NEXT_CLAUSE: Final = short(r"\s+(?:and|but|because|which|so|since|now|if|unless|not)\b(?s:.*)")
_NEXT_SENTENCE: Final = linear(r"\.(?:\s(?s:.*)|$)")
_NOT_A_VALUE: Final = linear(r"(?:not|when|that|the one|probably|hard|to)\b", re.I)
_ARTICLE: Final = linear(r"^(?:an?|the)\s+")


def matters_of(sentence: str, me: str, *, by_user: bool) -> Iterator[Fact]:
    """Return what a sentence states about dates, orders and projects; where the user says it, also
    about what they own and how they want to be answered.
    """
    found = [*_dates(sentence), *_numbers(sentence)]
    if by_user:
        found += [*_wishes(sentence, me), *_possessions(sentence, me)]
    yield from (one for one in found if one is not None)


def _numbers(text: str) -> Iterator[Fact | None]:
    for match in _NUMBERED.finditer(text):
        yield fact(f"{match['what'].lower()}.number", match["x"])
    for match in _NAMED_PART.finditer(text):
        yield fact(f"project.{match['what'].lower()}", match["x"])
    if match := _VERSION.search(text):
        yield fact("project.version", match["x"] or match["y"])


def _dates(text: str) -> Iterator[Fact | None]:
    for match in _PROJECT.finditer(text):
        value = _value(match["x"], keep_comma=True)
        what = match["what"].lower()
        fits = _QUANTITY if what == "budget" else DATE
        if fits.search(value) and len(value) <= 60 and not value.startswith(("not ", "n't")):
            yield fact(f"project.{_OF_PROJECT.get(what, what)}", value)
    for match in _DUE.finditer(text):
        what = match["what"].lower()
        yield fact(f"{thing(what)}.deadline", match["x"])
    for pattern in (_HAVING, _BEING):
        for match in pattern.finditer(text):
            yield fact(f"event.{event_key(match['what'], match['with'])}", when(match["x"]))
    if match := _TRIP.search(text):
        yield fact("event.trip", f"{match['place']} {match['x']}")


def event_key(what: str, company: str | None) -> str:
    """Return how an event is called in a key: by its kind, and by what tells it from others."""
    words = [word for word in what.lower().replace("'s", "").split() if word not in _EMPTY]
    heads = [EVENTS[word] for word in words if word in EVENTS]
    if "appointment" in heads and company:
        heads += [EVENTS[word] for word in company.lower().split() if word in EVENTS]
    kinds = [head for head in heads if head != "appointment"] or heads
    others = [word for word in words if word not in EVENTS]
    return thing(" ".join([*others, *dict.fromkeys(kinds)][-3:])) or "appointment"


def when(text: str) -> str:
    """Return a time without the little word before it."""
    return _PREPOSITION.sub("", phrase(text))


def _value(text: str, *, keep_comma: bool = False) -> str:
    if keep_comma:
        text = _NEXT_PART.sub("", text)
        text = _NEXT_CLAUSE.sub("", text)
        return when(_NEXT_SENTENCE.sub("", text))
    return phrase(_CUT.sub("", text))


_BORN: Final = linear(
    rf"\b[Mm]y birthday (?:is |'s |falls )?(?:on |this |coming )*(?P<x>(?i:{WHEN}))"
)
_NOT_A_DAY: Final = linear(r"(?:tomorrow|today|tonight|next|this|in)\b", re.I)


def _wishes(text: str, me: str) -> Iterator[Fact | None]:
    match = _CALL_ME.search(text)
    if match is not None and match["x"].split()[0] not in _NOT_NAMES:
        yield fact(f"{me}.nickname", match["x"])
    if match := _ANSWER_IN.search(text):
        yield fact(f"{me}.preference.language", match["x"])
    if match := _STYLE.search(text):
        yield fact(f"{me}.preference.style", match["x"])


# Those who write all in lower case have names too.
_LOWER_NAME: Final = linear(
    r"\bmy name(?:'s| is) (?P<x>[a-z]{2,14})(?=$|[,.!]|\s+(?:and|btw|by the way|lol)\b)"
)
_NOT_LOWER_NAMES: Final = word_set(
    "unique common hard long short weird boring irish french german secret unknown difficult rare"
    " spelled pronounced everywhere misspelled wrong missing"
)


def _possessions(text: str, me: str) -> Iterator[Fact | None]:
    match = _LOWER_NAME.search(text)
    if match is not None and not is_stop_word(match["x"]) and match["x"] not in _NOT_LOWER_NAMES:
        yield fact(f"{me}.name", match["x"])
    if (match := _BORN.search(text)) and not _NOT_A_DAY.match(match["x"]):
        yield fact(f"{me}.birthday", when(match["x"]))
    if match := _FAVOURITE.search(text):
        value = _value(match["x"])
        if (
            value
            and not _NOT_A_VALUE.match(value)
            and (match["what"] not in ("part", "thing", "one", "bit", "moment", "things", "parts"))
        ):
            yield fact(f"{me}.favorite.{thing(match['what'])}", value)
    for match in _MINE.finditer(text):
        yield _attribute(me, match["what"], _value(match["x"]))
    if _OF_OTHERS.search(text):
        return
    if match := _DEVICE_HERE.search(text):
        yield fact(f"{me}.device", match["x"] or match["y"])
    if match := _SYSTEM_HERE.search(text):
        yield fact(f"{me}.os", match["x"])


_SHAPES: Final[dict[str, tuple[str, Opening]]] = {
    word: (attribute, opening(shape))
    for words, attribute, shape in (
        ("name|first name|full name|real name", "name", NAME + "$"),
        ("last name|surname", "surname", NAME + "$"),
        ("nickname", "nickname", NAME + "$"),
        ("birthday", "birthday", r"(?:on |the )?(?=.*\d|.*(?:Day|Eve))[\w ]+$"),
        ("email|email address|e-mail", "email", r"[^\s@]+@\S+$"),
        ("phone number|number|mobile", "phone", r"\+?[\d ()-]{6,}$"),
        ("hometown|home town", "origin", NAME),
        ("pronouns", "pronouns", r"\w+/\w+"),
        ("time zone|timezone", "timezone", r"[A-Z]"),
        ("browser", "browser", r"[A-Z]"),
        ("car|truck|bike|motorbike", "car", r"(?:an? )?(?:\w+ )?[A-Z0-9]"),
        ("blood type", "health.blood type", r"(?:A|B|AB|O)\b"),
        ("shoe size|dress size|shirt size", "size", r"(?:\d|[XSML]+\b)"),
        ("username|user name|login|handle", "username", r"\S+$"),
        ("native language|mother tongue|first language", "language.native", r"[A-Z]"),
    )
    for word in words.split("|")
}


def _attribute(me: str, what: str, value: str) -> Fact | None:
    what = what.lower()
    if what in ("job", "occupation", "profession"):
        plain = _ARTICLE.sub("", value)
        return fact(f"{me}.job", plain) if is_job(plain) else None
    attribute, shape = _SHAPES.get(what, ("", None))
    return fact(f"{me}.{attribute}", value) if shape and shape.match(value) else None
