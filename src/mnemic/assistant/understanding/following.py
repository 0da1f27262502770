"""Follow-ups: what a message leaves out, the latest question of the conversation supplies."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from mnemic.assistant.understanding.intents import (
    Kind,
    intent_of,
    is_question,
    kind_of,
    language_of,
)
from mnemic.assistant.understanding.units import units_of
from mnemic.language.lexicon import concepts
from mnemic.records.memory import Utterance
from mnemic.runtime.patterns import linear, literals, opening

_I: Final = re.IGNORECASE
# A follow-up may lean on a follow-up; further back nobody remembers what was asked.
_FURTHEST: Final = 12
_MOST_NAMES: Final = 20
_CITED: Final = linear(r"\[mem_(\d{10,19})\]")
_MORE: Final = linear(
    r"(?:and |so )?(?:what|anything|who|where|something|any(?:thing)?) else(?: do you (?:know"
    r"|have|remember))?"
    r"|(?:any|some|tell me) more|more|go on|else|(?:那|那么)?还有(?:呢|吗|什么|别的吗|其他的?吗"
    r"|谁|哪些)?(?:呢|吗)?"
    r"|其他的?呢|别的呢|更多|继续|然后呢",
    _I,
)
_BARE: Final = linear(
    r"(?:and |but |so )?(?P<word>why|(?:by |until |till )?when"
    r"|where to|where|who with|with whom|who|how come"
    r"|since when|how|how so)"
    r"(?: (?:exactly|not|though|so))?(?: (?:was|is|did|were|does)(?:n't)? (?:that|this|it"
    r"|those)(?: happen)?)?"
    r"|(?:那|那么)?(?:这|那)?(?:是|在|事)?(?P<zh>为什么|为啥|什么时候|几时|哪天|哪里|哪儿"
    r"|[和跟]谁|谁|怎么做)(?:的事|发生的|的)?(?:呢|啊|呀)?",
    _I,
)
_AND: Final = opening(
    r"(?:and what about|and how about|what about|how about|and|or|but)\s+(?P<rest>\S.*)"
    r"|(?:那么?|那|还有)?[,，]?(?P<zh>.{1,20}?)呢",
    _I,
)
_PRONOUN: Final = linear(r"\b(?P<en>he|him|his|she|her|hers)\b|(?P<zh>[他她])(?!们)", _I)
_IT: Final = linear(
    r"\b(?:it|that|there)\b(?! (?:is|was) (?:true|raining))|(?<!其)它|那里|那儿", _I
)
_PEOPLE: Final = "|".join(
    sorted((word for word in concepts.PEOPLE_WORDS if word.isascii()), key=len, reverse=True)
)
_PEOPLE_CHINESE: Final = "|".join(
    sorted((word for word in concepts.PEOPLE_WORDS if not word.isascii()), key=len, reverse=True)
)
_PERSON: Final = linear(
    rf"(?:\b(?:my|your|the)\s+(?:\w+\s+)?)?\b(?:{_PEOPLE})\b(?:['’]s)?|[我你]?的?(?:{_PEOPLE_CHINESE})",
    _I,
)
_OTHER_WORD: Final = r"(?!(?:is|was|are|were|on|in|at|to|for|with|do|does|did|go)\b)[\w'-]+"
_POSSESSED: Final = linear(
    rf"\b(?:my|the)\s+{_OTHER_WORD}(?:\s{_OTHER_WORD}){{0,2}}\s?"
    r"|我的?[^的是在什哪谁怎几多有吗呢去要会能想喜爱住做]{2,6}",
    _I,
)
_SELF: Final = linear(r"\b(?:I|me|myself)\b|我")
_LAST_DOING: Final = linear(r"(?<![\w-])(?:to\s+)?[\w-]+(?=\s*[?.!]*$)")
_DATES: Final = linear(
    r"\b(?:the day before yesterday|yesterday|today|tonight|tomorrow|(?:last|this|next) \w+"
    r"|on \w+day)\b"
    r"|[昨今明前后]天|[上下这本]个?(?:周|月|星期)[一二三四五六日末]?|[今去明]年",
    _I,
)
_TRAILING: Final = linear(r"(?<![\s?？!！.。~，,])[\s?？!！.。~，,]+$")


_POSSESSOR: Final = linear(r"(?:my|the)\b|我的?", _I)
_NEXT_WORD: Final = opening(r"\s+[a-z]")


@dataclass(frozen=True, slots=True)
class Followed:
    """A message made whole: its full text, the sort of answer it wants, and how it follows.

    `more` asks for what was not told before; `same` keeps to the memories cited last.
    """

    text: str
    kind: Kind
    more: bool = False
    same: bool = False


def resolve(message: str, history: Sequence[Utterance]) -> Followed:
    """Return a message with what the conversation before it supplies."""
    recent = list(history[-_FURTHEST:])
    before: Followed | None = None
    for at, said in enumerate(recent):
        if said.role == "user":
            whole = _resolved(said.content, before, recent[:at])
            asks = intent_of(whole.text) in ("question", "request", "about_me")
            before = whole if asks or before is None else before
    return _resolved(message, before, recent)


def cited(history: Sequence[Utterance], *, last: bool = False) -> frozenset[int]:
    """Return the memories that were told in a conversation, or in its last reply."""
    replies = [said.content for said in history if said.role == "assistant"]
    if last:
        replies = replies[-1:]
    return frozenset(int(number) for reply in replies for number in _CITED.findall(reply))


def _resolved(message: str, before: Followed | None, history: Sequence[Utterance]) -> Followed:
    text = " ".join(message.replace("’", "'").split())
    bare = _TRAILING.sub("", text)
    if before is not None:
        if _MORE.fullmatch(bare):
            return replace(before, more=True, same=False)
        if match := _BARE.fullmatch(bare):
            return Followed(before.text, kind_of(match["word"] or match["zh"]), same=True)
        if match := _AND.fullmatch(bare):
            text = _joined(match["rest"] or match["zh"], before)
    text = _without_pronouns(text, history)
    return Followed(text, kind_of(text))


def _joined(rest: str, before: Followed) -> str:
    """Return the earlier question, asked of something else."""
    if len(rest.split()) > 2 and is_question(rest) and units_of(rest):
        return rest
    if _DATES.fullmatch(rest):
        return _replaced(_DATES, before.text, rest) or f"{before.text} {rest}"
    if _PERSON.search(rest) or any(unit.is_who for unit in units_of("x " + rest)):
        found = _with_person(before.text, rest)
    elif _SELF.fullmatch(rest):
        found = _replaced(_PERSON, before.text, "我" if rest == "我" else "I")
    elif _POSSESSOR.match(rest):
        found = _replaced(_POSSESSED, before.text, rest)
    else:
        found = _with_other_ending(before.text, rest)
    return found or f"{rest} {before.text}"


def _with_person(text: str, person: str) -> str | None:
    for pattern in (_PERSON, _named(text), _SELF):
        if pattern is not None and (found := _replaced(pattern, text, person)):
            return found
    return None


def _named(text: str) -> re.Pattern[str] | None:
    names = [unit.text for unit in units_of(text) if unit.kind == "name"]
    return literals(names[:_MOST_NAMES], _I) if names else None


def _with_other_ending(text: str, rest: str) -> str | None:
    if language_of(rest) == "zh":
        last = [unit.text for unit in units_of(text)][-1:]
        return text.replace(last[0], rest) if last else None
    return _replaced(_LAST_DOING, text, rest)


def _replaced(pattern: re.Pattern[str], text: str, new: str) -> str | None:
    match = pattern.search(text)
    if match is None:
        return None
    old = match[0]
    if old.rstrip().endswith("'s") and not new.endswith("'s"):
        new += "'s"
    space = " " if old.endswith(" ") else ""
    return text[: match.start()] + new + space + text[match.end() :]


def _without_pronouns(text: str, history: Sequence[Utterance]) -> str:
    """Return a text in which the last person or thing spoken of stands for a pronoun."""
    units = units_of(text)
    if match := _PRONOUN.search(text):
        if any(unit.is_who for unit in units):
            return text
        word = (match["en"] or match["zh"]).casefold()
        person = _last_person(history, female=word in ("she", "her", "hers", "她"))
        if person:
            own = "'s" if word == "his" or (word == "her" and _owns(text, match.end())) else ""
            return text[: match.start()] + person + own + text[match.end() :]
    elif not units and (match := _IT.search(text)):
        return f"{text} {_last_thing(history)}".strip()
    return text


def _owns(text: str, at: int) -> bool:
    return _NEXT_WORD.match(text[at:]) is not None


def _last_person(history: Sequence[Utterance], *, female: bool) -> str | None:
    fitting = concepts.FEMALE if female else concepts.MALE
    for said in reversed(history):
        for unit in reversed(units_of(said.content)):
            if unit.concept is not None and unit.concept.name in fitting:
                return f"my {unit.text}" if unit.text.isascii() else f"我{unit.text.lstrip('我')}"
            if unit.kind == "name" and said.role == "user":
                return unit.text.title() if unit.text.isascii() else unit.text
    return None


def _last_thing(history: Sequence[Utterance]) -> str:
    for said in reversed(history):
        if said.role == "user" and (units := units_of(said.content)):
            return " ".join(unit.text for unit in units)
    return ""
