"""What a text says is so and what is not so, clause by clause, and what is done by habit."""

import re
from typing import Final

from mnemic.assistant.understanding.tidying import without_correction
from mnemic.assistant.understanding.units import NormalizedText, Unit, cover, read
from mnemic.language.lexicon import concepts
from mnemic.runtime.patterns import linear, short

_NEGATED: Final = linear(
    r"\b(?:not(?! only)|never|no longer|don't|doesn't|didn't|isn't|aren't|can't|cannot|won't"
    r"|stopped"
    r"|quit|gave up|hates?|dislikes?|avoids?|anymore)\b"
    r"|不(?:太|怎么|是很|再|能|想|是)?(?:喜欢|爱|吃|喝|想|能|用|去|看|听|住|在|做|养|是)|讨厌"
    r"|戒了?|没有?(?=[养买去吃喝住])|受不了"
)
_CLAUSES: Final = short(
    r"[,，;；。.!！]\s*|\s+(?:but|though|although|whereas|and (?=i\b|i'm\b|don't\b|hates?\b|not\b"
    r"|dislikes?\b|avoids?\b))\s*|但是?|不过|而(?=不|讨厌)"
)
# What somebody does again and again, or says without a time, is a habit.
_HABIT: Final = linear(
    r"\b(?:every|always|usually|often|daily|most (?:days|mornings)|each|regularly|normally)\b"
    r"|每[天周月日次早晚]|经常|总是|通常|平时|一般都?|习惯|天天"
)
_UNSURE: Final = linear(
    r"\b(?:used to|might|maybe|perhaps|want(?:s|ed)?|would (?:like|love)|plan(?:s|ned|ning)? to"
    r"|thinking (?:of|about)|hop(?:e|es|ing) to|if|almost|nearly|until|formerly|once|no more"
    r"|wish|no|nobody|none|without|n't|afraid|fear|miss|need|dream(?:s|ed)? of)\b"
    r"|n't\b|不|没|以前|曾经|想要?|打算|可能|也许|如果|差点|计划|希望|原来|本来"
)
# What is so of somebody, in the present tense.
_OF_ONESELF: Final = linear(
    r"(?:hi |hello |hey )?(?:i'm|im|i (?:am|live|work|like|love|enjoy|prefer|hate|have|own"
    r"|play|speak|study|drink|eat|don't|can)"
    r"|my (?:name|job|birthday|hobb(?:y|ies)|home|favou?rite)|my [\w' -]{1,40}? (?:is|are|lives?"
    r"|works?|likes?|loves?|has|have|plays?|speaks?|stud(?:y|ies)))\b"
    r"|我(?:是|叫|住|喜欢|在|对|有|今年|会|爱|每|不|最|的[^，。]{1,8}是)",
    re.IGNORECASE,
)
_OVER: Final = linear(
    r"了|过|刚|今天|昨天|\b(?:today|yesterday|just|had|tonight|tomorrow|this|last|next|going to)\b",
    re.IGNORECASE,
)
_DISLIKE: Final = Unit("relation", "dislike", concepts.BY_NAME["dislike"])
_LONG: Final = 200
_LIKE: Final = Unit("relation", "like", concepts.BY_NAME["like"])


def is_negated(text: NormalizedText) -> bool:
    """Tell whether a text says that something is not so, not liked, or no longer done."""
    return _NEGATED.search(text.plain) is not None


def is_sure(text: NormalizedText) -> bool:
    """Tell whether a text says that something is so now, not that it was, may be or is wanted."""
    return not is_negated(text) and _UNSURE.search(text.plain) is None


def is_lasting(content: str) -> bool:
    """Tell whether a memory says what is so of its author, not what happened."""
    text = without_correction(content.replace("’", "'"))
    return _OF_ONESELF.match(text) is not None and _OVER.search(text[:_LONG]) is None


def is_habit(text: NormalizedText, doing: list[Unit]) -> bool:
    """Tell whether a clause of a text says that something is done again and again."""
    if not _HABIT.search(text.plain):
        return False
    return any(
        _HABIT.search(clause.plain)
        and not is_negated(clause)
        and all(cover(unit, clause) for unit in doing)
        for clause in clauses(text)
    )


def likes(text: NormalizedText, *, wanted: bool) -> bool:
    """Tell whether some clause of a text says what is liked, or, unless `wanted`, what is not."""
    return any(is_negated(clause) != wanted for clause in _with_liking(text))


def clauses(text: NormalizedText) -> list[NormalizedText]:
    """Return the parts of a text that may each be so or not so."""
    return [read(one) for one in _CLAUSES.split(text.plain) if one.strip()]


def _with_liking(text: NormalizedText) -> list[NormalizedText]:
    found = clauses(text)
    shown = [one for one in found if cover(_LIKE, one) or cover(_DISLIKE, one) or is_negated(one)]
    return shown or [text]
