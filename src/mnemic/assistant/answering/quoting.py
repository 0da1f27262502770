"""How one memory is told: turned to the reader or quoted, with its date and where it stands."""

import re
from datetime import datetime

from mnemic.assistant.answering.judging import JudgedHit
from mnemic.assistant.answering.phrasing import AnswerPhrases, wording_of
from mnemic.assistant.answering.polarity import is_lasting
from mnemic.assistant.answering.turning import turned
from mnemic.assistant.understanding.asking import Question
from mnemic.assistant.understanding.intents import language_of
from mnemic.assistant.understanding.time_spans import (
    date_in,
    moment,
    names_date,
    tells_relatively,
    told_windows,
)
from mnemic.records.memory import Memory, memory_name
from mnemic.runtime.patterns import linear

_CLOSING = '"”’」』)）'
_CITATION = linear(r"(?<![\[［【〔])[\[［【〔]+(?=\s*mem_)", re.IGNORECASE)
_ENDS = (".", "!", "?", "。", "！", "？", "…", ":", "：")


class Teller:
    """Tells memories to the one who asked, in their language."""

    def __init__(self, asked: Question, *, now: datetime) -> None:
        self.asked = asked
        self.now = now
        self.words: AnswerPhrases = wording_of(asked.language)

    def answer(self, one: JudgedHit, *, dated: bool = False) -> str:
        """Return a memory as an answer of its own: in the reader's person where that is safe."""
        said = self._turned(one.shown)
        if said is not None:
            return said + self.source(one, dated=dated)
        own = language_of(one.shown) == self.asked.language
        memory, words = one.hit.memory, self.words
        if own and self._wants_date(one, dated=dated):
            made = date_in(memory.created_at, self.asked.language)
            said = words.quote_on.format(quote=self.quoted(one.shown), date=made)
            means = self._meant(one) if dated else None
            return said + self._in_brackets(means and words.means.format(meant=means), memory)
        lead = words.quote if own else words.foreign_quote
        return lead.format(quote=self.quoted(one.shown)) + self.source(one, dated=dated)

    def item(self, one: JudgedHit, *, dated: bool = False) -> str:
        """Return a memory as a line of a list."""
        said = self._turned(one.shown) or self.quoted(one.shown)
        return f"- {said}{self.source(one, dated=dated)}"

    def dated_item(self, one: JudgedHit, *, shared_day: bool) -> str:
        """Return a memory as a line of a list in order of time: with the day that it tells of,
        unless all share it, and with the day that it was noted on where that is another.
        """
        said = self._turned(one.shown) or self.quoted(one.shown)
        memory, language = one.hit.memory, self.asked.language
        then = moment(memory)
        day = "" if shared_day else date_in(then, language) + ("：" if language == "zh" else ": ")
        if then.date() == memory.created_at.date():
            return f"- {day}{said}{self._in_brackets(None, memory)}"
        made = self.words.noted_on.format(date=date_in(memory.created_at, language))
        return f"- {day}{said}{self._in_brackets(made, memory)}"

    def kept(self, text: str) -> str | None:
        """Return what somebody just said, turned to them, to go on a sentence with."""
        said = self._turned(text)
        if said is None:
            return None
        return said if said.startswith(("I ", "I'")) else said[0].lower() + said[1:]

    def verbatim(self, template: str, one: JudgedHit, *, dated: bool = False) -> str:
        """Return a memory as its author wrote it, inside a sentence."""
        date = date_in(one.hit.memory.created_at, self.asked.language)
        said = template.format(quote=self.quoted(one.shown), date=date)
        if "{date}" in template:
            return said + self._in_brackets(None, one.hit.memory)
        return said + self.source(one, dated=dated)

    def quoted(self, text: str) -> str:
        """Return a text in quotation marks, which nothing in it can end."""
        inner = text.replace(self.words.closing, "’").replace(self.words.opening, "‘")
        # On one line, so that no memory begins a line of the answer.
        return f"{self.words.opening}{_uncited(' '.join(inner.split()))}{self.words.closing}"

    def source(self, one: JudgedHit, *, dated: bool) -> str:
        """Return where a memory stands, and when it was made where that helps."""
        memory, language = one.hit.memory, self.asked.language
        if not self._wants_date(one, dated=dated):
            return self._in_brackets(None, memory)
        made = date_in(memory.created_at, language)
        meant = self._meant(one) if dated else None
        if meant is None:
            return self._in_brackets(self.words.noted_on.format(date=made), memory)
        return self._in_brackets(self.words.relative.format(date=made, meant=meant), memory)

    def _wants_date(self, one: JudgedHit, *, dated: bool) -> bool:
        """Tell whether it helps to know when a memory was made: of an event, and of what is asked
        when, unless it names its own date.
        """
        if one.hit.memory.kind == "episodic" and not is_lasting(one.shown):
            return True
        return dated and (tells_relatively(one.shown) or not names_date(one.shown))

    def _in_brackets(self, remark: str | None, memory: Memory) -> str:
        cite = f" [{memory_name(memory.id)}]"
        if not remark:
            return cite
        return f"（{remark}）{cite[1:]}" if self.asked.language == "zh" else f" ({remark}){cite}"

    def _meant(self, one: JudgedHit) -> str | None:
        """Return the day that a text means by "tomorrow" or "on Friday"."""
        day = [window for window in told_windows(one.hit.memory) if window.span == "day"]
        if not tells_relatively(one.shown) or len(day) != 1 or day[0].exact:
            return None
        return date_in(day[0].start, self.asked.language)

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
