"""Whether a memory says yes to a question, word for word. Where in doubt, it does not."""

import re
from typing import Final

from mnemic.assistant.answering.polarity import is_sure
from mnemic.assistant.understanding.asking import Question
from mnemic.assistant.understanding.units import CUE, Unit, cover, read, units_of
from mnemic.runtime.patterns import linear, short

_I: Final = re.IGNORECASE
_SUBJECT: Final = linear(
    r"(?:so |and |but )?(?:do|does|did|am|is|are|was|were|have|has) "
    r"(?:(?P<i>i|we)\b|(?P<who>.{1,40}))",
    _I,
)
# What is asked beyond whether something is so, no word of a memory confirms.
_MORE_THAN_SO: Final = linear(
    r"\b(?:still|always|never|only|every|all|or|than|more|most|really|should|can|could|may"
    r"|any ?more|enough|too|yet|already|same|first|last|best|good|not|n't)\b|n't\b"
    r"|还|仍|总|从不|(?<![一二两三四五六七八九十几\d])只|都|或者|还是|比|更|最|应该|该|能|可以"
    r"|已经|一样|不(?!是)|没(?!有)",
    _I,
)
_COMPARES: Final = linear(
    r"\b(?:than|instead|rather|except|but|only|without|too much|as if|said|says|told|thinks?)\b"
    r"|比|除了|但|(?<![一二两三四五六七八九十几\d])只|没有|说"
)
_OWN: Final = linear(r"(?:i|i'm|i've|we|we're|we've)\b|我们?(?!的|家)", _I)
_MINE: Final = linear(r"(?:my|our) ", _I)
_HAVE: Final = linear(r"\b(?:have|has|had|own|owns|got)\b|有", _I)
_HAS: Final = linear(r"\b(?:have|has|had|own|owns|got|keep|my|our|we've|i've)\b|有|养|我的|我家|我")
_BE: Final = linear(r"(?:so |and |but )?(?:am|is|are|was|were)\b", _I)
_IS: Final = linear(r"\b(?:am|is|are|was|were|as|became|i'm|we're)\b|'s\b|是")
_NUMERALS: Final = short(r"\d+|[一二两三四五六七八九十百千万]+(?=[个只条岁本辆年月天位口])")
_ASSERTED: Final = linear(r"是不是|有没有|是否|会不会")


def confirms(asked: Question, shown: str) -> bool:
    """Tell whether a passage says literally, and without doubt, that what is asked is so."""
    if not asked.closed or not asked.sought or asked.windows:
        return False
    question = _ASSERTED.sub("", asked.text)
    if _MORE_THAN_SO.search(question):
        return False
    text = read(shown)
    if not is_sure(text) or _COMPARES.search(text.plain):
        return False
    numbers = _NUMERALS.findall(question)
    return (
        all(number in shown for number in numbers)
        and all(cover(unit, text) >= _least(unit) for unit in asked.sought)
        and _says_have_or_be(question, text.plain)
        and _is_of_the_same(asked, question, shown)
    )


def _least(unit: Unit) -> float:
    """Return how well a unit must be shown: a cat is a pet, but who is in hospital need not work
    there.
    """
    return 1.0 if unit.kind == "relation" else CUE


def _says_have_or_be(question: str, plain: str) -> bool:
    """Tell whether a text holds the verb of a question that has no other: who fears dogs need not
    have one.
    """
    if _HAVE.search(question):
        return _HAS.search(plain) is not None
    if _BE.match(question):
        return _IS.search(plain) is not None
    return True


def _is_of_the_same(asked: Question, question: str, shown: str) -> bool:
    """Tell whether both speak of the same: who does something in the one does it in the other."""
    start = shown.lstrip(' "“-*•')
    match = _SUBJECT.match(question) if question[:1].isascii() else None
    if match is not None and match["i"]:
        has = _HAVE.search(question) and _MINE.match(start)
        return bool(has) or _OWN.match(start) is not None
    if match is None and question.startswith("我") and not any(u.is_who for u in asked.sought):
        return _OWN.match(start) is not None
    first = _first(match["who"] if match is not None else question)
    return first is not None and cover(first, read(start[:40])) >= CUE


def _first(text: str) -> Unit | None:
    found = units_of("x " + text) if text[:1].isascii() else units_of(text)
    return next((unit for unit in found if unit.text != "x"), None)
