"""How one memory is told: turned to the reader or quoted, with its date and where it stands."""

import re
from datetime import datetime
from typing import Final

from mnemic.assistant.answering.phrasing import AnswerPhrases, wording_of
from mnemic.assistant.answering.turning import turned
from mnemic.assistant.understanding.asking import Question
from mnemic.assistant.understanding.intents import language_of
from mnemic.assistant.understanding.time_spans import (
    date_in,
    seen_at,
    tells_relatively,
    told_windows,
)
from mnemic.language.excerpts import excerpt
from mnemic.records.memory import Memory, memory_name
from mnemic.runtime.patterns import linear

# Of a longer text, what stands around the words that were asked for is quoted.
_LONGEST: Final = 320
_CLOSING: Final = '"”’」』)）'
_CITATION: Final = linear(r"(?<![\[［【〔])[\[［【〔]+(?=\s*mem_)", re.IGNORECASE)
_ENDS: Final = (".", "!", "?", "。", "！", "？", "…", ":", "：")


class Teller:
    """Tells memories to the one who asked, in their language."""

    def __init__(self, asked: Question, *, now: datetime) -> None:
        self.asked = asked
        self.now = now
        self.words: AnswerPhrases = wording_of(asked.language)

    def told(self, memory: Memory) -> str:
        """Return a memory in the reader's person where that is safe, else in quotation marks, with
        its date and its id.
        """
        text = excerpt(memory.content, about=self.asked.text, length=_LONGEST)
        said = self._turned(text) or self.quoted(text)
        return self._with_source(said, memory)

    def item(self, memory: Memory) -> str:
        """Return a memory as a line of a list."""
        return f"- {self.told(memory)}"

    def kept(self, text: str) -> str | None:
        """Return what somebody just said, turned to them, to go on a sentence with."""
        said = self._turned(text)
        if said is None:
            return None
        return said if said.startswith(("I ", "I'")) else said[0].lower() + said[1:]

    def quoted(self, text: str) -> str:
        """Return a text in quotation marks, which nothing in it can end."""
        inner = text.replace(self.words.closing, "’").replace(self.words.opening, "‘")
        # On one line, so that no memory begins a line of the answer.
        return f"{self.words.opening}{_uncited(' '.join(inner.split()))}{self.words.closing}"

    def _with_source(self, said: str, memory: Memory) -> str:
        made = self._day(memory.occurred_at)
        meant = self._meant(memory)
        remark = self.words.relative.format(date=made, meant=meant) if meant else made
        if memory.valid_until is not None:
            # It is history by now: "until October: Leeds".
            said = self.words.until.format(date=self._day(memory.valid_until), said=said)
        return self.words.source.format(said=said, remark=remark, id=memory_name(memory.id))

    def _meant(self, memory: Memory) -> str | None:
        """Return the day that a text means by "yesterday" or "tomorrow"."""
        here = seen_at(memory, self.now)
        day = [window for window in told_windows(here) if window.span == "day"]
        if not tells_relatively(memory.content) or len(day) != 1 or day[0].exact:
            return None
        meant = date_in(day[0].start, self.asked.language)
        return meant if meant != self._day(memory.occurred_at) else None

    def _day(self, moment: datetime) -> str:
        return date_in(moment.astimezone(self.now.tzinfo), self.asked.language)

    def _turned(self, text: str) -> str | None:
        if language_of(text) != self.asked.language:
            return None
        said = turned(text)
        if said is None or "\n" in said or _uncited(said) != said:
            return None
        return said if said.rstrip(_CLOSING).endswith(_ENDS) else said + self.words.full_stop


def _uncited(text: str) -> str:
    """Return a text in which nothing looks like where a memory stands."""
    return _CITATION.sub("(", text)
