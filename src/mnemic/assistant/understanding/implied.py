"""What a question asks for without naming it: what somebody said, what is to be done, what is usual
on some day.
"""

from typing import Final

from mnemic.language.lexicon import concepts, function_words
from mnemic.language.lexicon.concepts import Concept, word_set
from mnemic.runtime.patterns import linear

# What is still to be done; in a question only where it asks for that alone.
_TO_DO: Final = linear(
    r"\b(?:need|have|got|supposed|ought) to (?:do|get done|take care of|remember)\b"
    r"|\bto-do\b|\bto do list\b"
    r"|(?:要|需要|得|该)(?:做|办|干)(?:的事情?|什么|啥|哪些)",
)
# What somebody else said is asked for; what the speaker said is just what is known.
_SAYS: Final = linear(
    r"\bdid (?!i\b|you\b|we\b)[\w' .]{1,30}? (?:say|tell|mention|write|think)\b"
    r"|[跟和对给]我(?:说|讲)(?:了|过|的)?(?:什么|些什么)|告诉(?:了|过)?我(?:了|过)?什么"
    r"|(?<![我你])说(?:了|过|的)?(?:什么|啥|些什么|的是)|怎么说"
)
_SAID: Final = Concept(
    "say",
    "relation",
    word_set("say says said tell tells told mention mentioned wrote thinks 说 告诉 提到 讲 写道"),
)
# What is usual on some day of the week is asked by its name, not by its date.
_USUAL: Final = linear(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|\bevery \w+day\b"
    r"|\b(?:usually|normally|typically|generally)\b.{0,60}day\b"
    r"|每个?(?:周|星期|礼拜)|(?:周|星期|礼拜)[一二三四五六日天].{0,4}(?:一般|通常|平时|都)"
    r"|(?:一般|通常|平时).{0,4}(?:周|星期|礼拜)[一二三四五六日天]"
)
_DAYS: Final = tuple(
    Concept(f"weekday_{at}", "thing", names) for at, names in enumerate(function_words.WEEKDAYS)
)


def implied(plain: str) -> list[Concept]:
    """Return the concepts that a question asks for by its form, given in lower case."""
    found: list[Concept] = []
    if _SAYS.search(plain):
        found.append(_SAID)
    if asks_for_habit(plain):
        found += [one for one in _DAYS if any(word in plain for word in one.words)]
    if _TO_DO.search(plain):
        found.append(concepts.BY_NAME["todo"])
    return found


def asks_for_habit(plain: str) -> bool:
    """Tell whether a question is for what is usual on some day, not for one day."""
    return _USUAL.search(plain) is not None
