"""Follow-ups: what a message leaves out, the latest question of the conversation supplies."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from mnemic.assistant.understanding.intents import intent_of, is_question
from mnemic.language.lexicon import concepts
from mnemic.records.memory import Utterance
from mnemic.runtime.patterns import linear, opening

_I: Final = re.IGNORECASE
# A follow-up may lean on a follow-up; further back nobody remembers what was asked.
_FURTHEST: Final = 12
# A short question with an "it" asks about what was asked before.
_SHORT: Final = 40
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
_NAME: Final = linear(r"(?<=\s)[A-Z][a-z]+(?:['’]s)?\b|^[A-Z][a-z]+(?:['’]s)?$")
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
    """A message made whole, and how it follows what was said before it.

    `more` asks for what was not told before; `same` keeps to the memories cited last.
    """

    text: str
    more: bool = False
    same: bool = False


def resolve(message: str, history: Sequence[Utterance]) -> Followed:
    """Return a message with what the conversation before it supplies."""
    before: Followed | None = None
    for said in history[-_FURTHEST:]:
        if said.role == "user":
            whole = _resolved(said.content, before)
            asks = intent_of(whole.text) in ("question", "request", "about_me")
            before = whole if asks or before is None else before
    return _resolved(message, before)


def cited(history: Sequence[Utterance], *, last: bool = False) -> frozenset[int]:
    """Return the memories that were told in a conversation, or in its last reply."""
    replies = [said.content for said in history if said.role == "assistant"]
    if last:
        replies = replies[-1:]
    return frozenset(int(number) for reply in replies for number in _CITED.findall(reply))


def _resolved(message: str, before: Followed | None) -> Followed:
    text = " ".join(message.replace("’", "'").split())
    bare = _TRAILING.sub("", text)
    if before is None:
        return Followed(text)
    if _MORE.fullmatch(bare):
        return replace(before, more=True, same=False)
    if _BARE.fullmatch(bare):
        return Followed(before.text, same=True)
    if match := _AND.fullmatch(bare):
        text = _joined(match["rest"] or match["zh"], before.text)
    return Followed(_without_pronouns(text, before.text))


def _joined(rest: str, before: str) -> str:
    """Return the earlier question, asked of something else."""
    if len(rest.split()) > 2 and is_question(rest):
        return rest
    if _DATES.fullmatch(rest):
        return _replaced(_DATES, before, rest) or f"{before} {rest}"
    if _PERSON.search(rest) or _NAME.fullmatch(rest):
        patterns = (_PERSON, _NAME, _SELF)
    elif _SELF.fullmatch(rest):
        patterns, rest = (_PERSON, _NAME), "我" if rest == "我" else "I"
    elif _POSSESSOR.match(rest):
        patterns = (_POSSESSED,)
    else:
        patterns = (_LAST_DOING,) if rest.isascii() else ()
    changed = (_replaced(pattern, before, rest) for pattern in patterns)
    return next(filter(None, changed), None) or f"{rest} {before}"


def _replaced(pattern: re.Pattern[str], text: str, new: str) -> str | None:
    match = pattern.search(text)
    if match is None:
        return None
    old = match[0]
    if old.rstrip().endswith("'s") and not new.endswith("'s"):
        new += "'s"
    space = " " if old.endswith(" ") else ""
    return text[: match.start()] + new + space + text[match.end() :]


def _without_pronouns(text: str, before: str) -> str:
    """Return a text in which whom the question before names stands for a pronoun; where nobody is
    named in a way that is known, that question is asked along.
    """
    match = _PRONOUN.search(text)
    if match is None:
        leans = _IT.search(text) and len(text) <= _SHORT
        return f"{text} {before}" if leans else text
    if _PERSON.search(text) or _NAME.search(text):
        return text
    named = _PERSON.search(before) or _NAME.search(before)
    if named is None:
        return f"{text} {before}"
    word, person = match[0].casefold(), named[0].removesuffix("'s")
    owns = word == "his" or (word == "her" and _NEXT_WORD.match(text[match.end() :]))
    return text[: match.start()] + person + ("'s" if owns else "") + text[match.end() :]
