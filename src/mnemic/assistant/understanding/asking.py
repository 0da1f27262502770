"""A message, understood: what it wants, of whom, of when, and in which language."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from mnemic.assistant.understanding.following import Followed, resolve
from mnemic.assistant.understanding.intents import (
    Intent,
    intent_of,
    is_question,
    kind_of,
    language_of,
    without_command,
    without_greeting,
)
from mnemic.assistant.understanding.tidying import tidied, without_correction
from mnemic.assistant.understanding.time_spans import asked_windows
from mnemic.assistant.understanding.units import Unit, units_of
from mnemic.language.dates import TimeWindow
from mnemic.language.lexicon import function_words
from mnemic.language.sentences import sentences
from mnemic.records.memory import Utterance
from mnemic.runtime.patterns import linear, opening

_SELF: Final = linear(r"\b(?:i|i'm|i've|my|me|mine|myself)\b|我", re.IGNORECASE)
_OPEN: Final = linear(
    r"\b(?:what|which|who|whom|whose|where|when|why|how|list|tell|show)\b|什么|啥|哪|谁|怎|如何"
    r"|几|多少|何",
    re.IGNORECASE,
)
_MARKS: Final = ("?", "？")
_MOST_QUESTIONS: Final = 3
_YES_OR_NO: Final = opening(
    r"(?:(?:so|and|but|ok(?:ay)?|well)[, ]+)?(?:do|does|did|am|is|are|was|were|have|has|had|don't"
    r"|doesn't|didn't|isn't|aren't|can|could|will|would|should)\b"
    r"|.*(?:吗[？?\s]*$|有没有|是不是|是否|会不会|能不能|对不对)",
    re.IGNORECASE,
)
_NO: Final = linear(
    r"\b(?:not|don't|doesn't|dislike|hate|avoid|can't|never)\b|不|讨厌|没", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Question:
    """What a message asks or tells, with what the conversation supplies.

    `text` is the whole of it; `of_self` says that it is about the speaker, `open` that it asks for
    a thing and not for yes or no, `negated` that it asks for what is not so. `told` is what it
    says before it asks. `closed` says that it asks for yes or no; `sought` is then all that it
    asks, while `units` leaves out a value that may be another one now.
    """

    text: str
    language: Literal["en", "zh"]
    intent: Intent
    followed: Followed
    units: tuple[Unit, ...]
    windows: tuple[TimeWindow, ...]
    of_self: bool
    open: bool
    negated: bool
    told: str = ""
    closed: bool = False
    sought: tuple[Unit, ...] = ()

    @property
    def names_somebody(self) -> bool:
        """Whether a person is named, so that what is said of others is no answer."""
        return any(unit.is_who for unit in self.units)

    @property
    def is_of_a_time(self) -> bool:
        """Whether it asks for whatever was or will be at some time."""
        return bool(self.windows) and not self.units


def understand(message: str, history: Sequence[Utterance], *, now: datetime) -> Question:
    """Return what a message means after what was said before it."""
    whole = tidied(message)
    told, message = told_and_asked(whole)
    if told:
        history = [*history, Utterance("user", told)]
    intent = intent_of(message)
    small = intent in ("greeting", "thanks", "agreement", "farewell", "about_me", "statement")
    text = without_correction(without_command(without_greeting(message)))
    followed = Followed(text, kind_of(text)) if small else resolve(message, history)
    if followed.text != message and intent == "question":
        resolved = intent_of(followed.text)
        intent = "about_me" if resolved == "about_me" else "question"
    is_open = _OPEN.search(followed.text) is not None
    closed = intent == "question" and not is_open and _YES_OR_NO.match(followed.text) is not None
    sought = units_of(followed.text)
    return Question(
        text=followed.text,
        language=language_of(whole),
        intent=intent,
        followed=followed,
        units=telling(sought, "statement" if closed else intent),
        windows=() if small else asked_windows(followed.text, now=now),
        of_self=_SELF.search(followed.text) is not None,
        open=is_open,
        negated=_NO.search(followed.text) is not None,
        told=told,
        closed=closed,
        sought=sought,
    )


def questions_in(message: str) -> list[str]:
    """Return the questions of a message one by one, the first with what is said before it; one
    that does more than ask stays whole.
    """
    told, asked = told_and_asked(message)
    found = sentences(asked)
    if not 1 < len(found) <= _MOST_QUESTIONS or not all(one.endswith(_MARKS) for one in found):
        return [message]
    if any(intent_of(one) != "question" for one in found):
        return [message]
    return [f"{told} {found[0]}".strip(), *found[1:]]


def told_and_asked(message: str) -> tuple[str, str]:
    """Return what a message says, and what it asks behind that; all of it as one where it does not
    do both.
    """
    found = sentences(message)
    first = next((at for at, one in enumerate(found) if is_question(one)), 0)
    if not first or any(intent_of(one) != "statement" for one in found[:first]):
        return "", message
    return " ".join(found[:first]), " ".join(found[first:])


def telling(units: tuple[Unit, ...], intent: Intent) -> tuple[Unit, ...]:
    """Leave out what need not be found: the words of a request, and the value that a statement
    gives to what has one value at a time, since that may be a new one.
    """
    if intent == "request":
        return tuple(unit for unit in units if unit.text not in function_words.REQUESTED)
    if intent != "statement":
        return units
    names = [unit.concept.name if unit.concept is not None else "" for unit in units]
    first = next((at for at, name in enumerate(names) if name in function_words.ONE_VALUE), None)
    if first is None:
        return units
    head = units[: first + 1]
    people = tuple(unit for unit in units[first + 1 :] if unit.kind == "person")
    if any(unit.kind == "person" for unit in (*head, *people)):
        head = tuple(unit for unit in head if unit.concept is not None)
    return (*head, *people)
