"""Which clauses of a text state something, and do not ask, wish, assume, joke or pass on."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from mnemic.chat.extraction.plain_reading.phrase_tables import PhraseTable, table
from mnemic.chat.extraction.plain_reading.speech import in_chinese
from mnemic.language.sentences import asks, sentences
from mnemic.runtime.patterns import linear

_MOST_SENTENCES: Final = 100
# Nobody says more in one breath; a longer one is a log or a table that was pasted.
_LONGEST: Final = 300
_BREAK: Final = {
    False: linear(
        r"[,;:—–] ?|\.{2,}|…| - |\((?=\w)| (?=(?:and|but|so|because|since|though|although|while|as)"
        r" (?:i|my|we|our)\b)| and"
        r" (?=(?:am|is|are|lives?|works?|have|has|loves?|plays?|speaks?)\b)",
        re.IGNORECASE,
    ),
    True: linear(r"[，,；;：:、…\s—~～（]+"),
}
_QUESTION_MARK: Final = linear(r"[?？][\"'”’」』)）*\s]*$")
_IS: Final = linear(
    r"(?<=\w)'s(?= (?:an?|called|named|allergic|from|based|living|working|on|\d))", re.IGNORECASE
)
_SHORTENED: Final = (
    (linear(r"\b(?:i'm|im|i m)\b", re.IGNORECASE), "I am"),
    (linear(r"\b(?:i've|ive)\b", re.IGNORECASE), "I have"),
    (linear(r"\bi'll\b", re.IGNORECASE), "I will"),
    (linear(r"\bwe're\b", re.IGNORECASE), "we are"),
    (linear(r"\bwe've\b", re.IGNORECASE), "we have"),
    (linear(r"\bwe'll\b", re.IGNORECASE), "we will"),
    (linear(r"\bname's\b", re.IGNORECASE), "name is"),
    (_IS, " is"),
)


@dataclass(frozen=True, slots=True)
class Clause:
    """The rest of a sentence from where a clause begins; `sentence` is all of it as it was said."""

    text: str
    sentence: str
    chinese: bool
    first: bool

    @property
    def table(self) -> PhraseTable:
        """What is known of the language of the clause."""
        return table("chinese" if self.chinese else "english")


def asserted_clauses(text: str) -> Iterator[Clause]:
    """Yield the clauses that state something, up to where a sentence gets unsure or asks.

    What is taken back as a joke takes everything said before it along.
    """
    spoken = [one for one in sentences(text)[:_MOST_SENTENCES] if len(one) <= _LONGEST]
    joke = max((at for at, one in enumerate(spoken) if _is(one, "joke")), default=-1)
    for sentence in spoken[joke + 1 :]:
        if not _is(sentence, "told"):
            yield from _of_sentence(sentence)


def _of_sentence(sentence: str) -> Iterator[Clause]:
    chinese = in_chinese(sentence)
    states = table("chinese" if chinese else "english").states
    plain = sentence if chinese else _spelled_out(sentence)
    starts, ends = [0], list[int]()
    for match in _BREAK[chinese].finditer(plain):
        ends.append(match.start())
        starts.append(match.end())
    ends.append(len(plain))
    asking = is_question(sentence)
    if asking and len(starts) > 1:
        # What is told before the question counts, unless the question is whether just that is so.
        last = plain[starts[-1] :].strip(" ?？")
        if states["whether"].search(last) or not states["asking"].search(last):
            return
    for start, end in list(zip(starts, ends, strict=True))[: -1 if asking else None]:
        if states["unsure"].search(plain[:end]) or (
            asking and states["asking"].match(plain[start:])
        ):
            return
        lead = table("chinese" if chinese else "english").clause["lead"].match(plain[start:])
        rest = plain[start + (lead.end() if lead else 0) :]
        yield Clause(rest.lstrip(), sentence, chinese, first=start == 0)


def is_question(sentence: str) -> bool:
    """Tell whether a sentence asks; one that only begins like a question and ends in a full stop
    does not.
    """
    return bool(_QUESTION_MARK.search(sentence)) or (
        asks(sentence) and sentence.rstrip()[-1:] not in (".", "!", "。", "！")
    )


def _is(sentence: str, state: str) -> bool:
    tongue = "chinese" if in_chinese(sentence) else "english"
    return table(tongue).states[state].search(sentence) is not None


def _spelled_out(sentence: str) -> str:
    for pattern, words in _SHORTENED:
        sentence = pattern.sub(words, sentence)
    return sentence
