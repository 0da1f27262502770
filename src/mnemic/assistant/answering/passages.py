"""The sentences of a memory, and which of them may stand alone."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, cast

from mnemic.assistant.understanding.intents import is_question, without_command, without_greeting
from mnemic.assistant.understanding.tidying import without_correction
from mnemic.assistant.understanding.units import units_of
from mnemic.language.sentences import sentences
from mnemic.records.memory import Memory
from mnemic.runtime.patterns import linear, short

_LEANS: Final = linear(
    r"(?:he|she|it|they|his|her|its|their|this|that|these|those|there|then|so|because|but|also)\b"
    r"|[他她它]|这|那|所以|因此|但|然后|也|因为",
    re.IGNORECASE,
)
_OF_SELF: Final = linear(r"(?:i|i'm|my|we|our)\b|我", re.IGNORECASE)
_LONGEST_NOTE: Final = 1_000
# Two sentences are judged together up to this length.
_PAIR: Final = 240
_STEP: Final = short(r"(?:\d+[.)、]|[-*•])\s*")


@dataclass(frozen=True, slots=True)
class QuotablePassage:
    """Something to quote, and the text by which it is judged: with what it leans on."""

    shown: str
    judged: str


def note_of(memory: Memory) -> str:
    """Return what the author wrote about a memory, or nothing."""
    note = memory.context.get("note")
    if isinstance(note, Mapping):
        told = cast("Mapping[str, object]", note).values()
        return " ".join(one for one in told if isinstance(one, str))[:_LONGEST_NOTE]
    return note[:_LONGEST_NOTE] if isinstance(note, str) else ""


def passages(memory: Memory) -> tuple[QuotablePassage, ...]:
    """Return what of a memory may be quoted, sentence by sentence.

    A sentence that leans on the one before it ("She lives in Lyon") comes with it; one that names
    nobody comes alone and with the one before it. Questions are left out; in a note that asks and
    answers, the answer is judged together with its question.
    """
    return _passages(memory.content, note_of(memory))


def statements(content: str) -> list[str]:
    """Return the sentences of a text that tell something."""
    return [one for one in sentences(_plain(content)) if not is_question(one)]


@lru_cache(maxsize=4_096)
def _passages(content: str, note: str) -> tuple[QuotablePassage, ...]:
    found: list[QuotablePassage] = []
    asked, last, before = "", "", ""
    for sentence in sentences(_plain(content)):
        if is_question(sentence):
            asked, last, before = sentence, "", ""
            continue
        # What leans on what leans, and so on, is a story: none of it stands alone.
        leans = last and len(last) <= _PAIR and _LEANS.match(_STEP.sub("", sentence))
        shown = f"{last}{_joint(last)}{sentence}" if leans else sentence
        found.append(
            QuotablePassage(shown, " ".join(part for part in (asked, shown, note) if part))
        )
        if before and not leans and _goes_on(sentence) and len(before) + len(sentence) <= _PAIR:
            pair = f"{before}{_joint(before)}{sentence}"
            found.append(
                QuotablePassage(pair, " ".join(part for part in (asked, pair, note) if part))
            )
        last, before = (shown if leans else sentence), sentence
    return tuple(found)


def _plain(content: str) -> str:
    return without_correction(without_command(without_greeting(content)))


def _goes_on(sentence: str) -> bool:
    """Tell whether a sentence may be about what the one before it named: it names nobody."""
    if _OF_SELF.match(sentence):
        return False
    return not any(unit.is_who for unit in units_of(sentence))


def _joint(text: str) -> str:
    return "" if text[-1:] in "。！？" else " "
