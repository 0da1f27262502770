"""A message, understood: what it wants, of which time, and in which language."""

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
    language_of,
    without_command,
    without_greeting,
)
from mnemic.assistant.understanding.tidying import tidied, without_correction
from mnemic.assistant.understanding.time_spans import asked_windows
from mnemic.language.dates import TimeWindow
from mnemic.language.lexicon import function_words
from mnemic.language.lexicon.stopwords import ENGLISH
from mnemic.language.sentences import joined, sentences
from mnemic.language.tokens import words_of
from mnemic.records.memory import Utterance
from mnemic.runtime.patterns import linear, literals

_MARKS: Final = ("?", "？")
_MOST_QUESTIONS: Final = 3
_COUNTS: Final = linear(r"\bhow (?:many|often)\b|多少(?!钱)|几[个只条位本次家辆种]", re.IGNORECASE)
_NAMES_NOTHING: Final = literals({*function_words.CHINESE_EMPTY, *"份月日号年点"})


@dataclass(frozen=True, slots=True)
class Question:
    """What a message asks or tells, with what the conversation supplies.

    `text` is the whole of it, `told` what it says before it asks. `more` asks for what was not told
    before, `same` keeps to what was told last. `counts` says that it asks how many there are.
    """

    text: str
    language: Literal["en", "zh"]
    intent: Intent
    windows: tuple[TimeWindow, ...] = ()
    told: str = ""
    more: bool = False
    same: bool = False
    counts: bool = False

    @property
    def is_of_a_time(self) -> bool:
        """Whether it asks for whatever was or will be at some time."""
        return bool(self.windows) and _only_asks_what_happens(self.text)


def understand(message: str, history: Sequence[Utterance], *, now: datetime) -> Question:
    """Return what a message means after what was said before it."""
    whole = tidied(message)
    told, message = told_and_asked(whole)
    if told:
        history = [*history, Utterance("user", told)]
    intent = intent_of(message)
    text = without_correction(without_command(without_greeting(message)))
    asks = intent in ("question", "request")
    followed = resolve(message, history) if asks else Followed(text)
    if intent == "question" and intent_of(followed.text) == "about_me":
        intent = "about_me"
    return Question(
        text=followed.text,
        language=language_of(whole),
        intent=intent,
        windows=asked_windows(followed.text, now=now) if asks else (),
        told=told,
        more=followed.more,
        same=followed.same,
        counts=_COUNTS.search(followed.text) is not None,
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
    return joined(found[:first]), joined(found[first:])


def statement_in(message: str) -> str:
    """Return what a message states, in its own words: without its questions, greetings, thanks and
    commands; empty where it states nothing.
    """
    found = [without_greeting(one) for one in sentences(message)]
    stated = [one for one in found if intent_of(one) == "statement"]
    if len(stated) == len(found):
        return without_command(without_greeting(message.strip()))
    return joined(without_command(one) for one in stated)


def _only_asks_what_happens(text: str) -> bool:
    """Tell whether a question names nothing but a time: it asks for whatever happened then."""
    rest = _NAMES_NOTHING.sub(" ", text)
    known = ENGLISH | function_words.ENGLISH_EMPTY
    return all(word in known or word[:1].isdigit() for word in words_of(rest))
