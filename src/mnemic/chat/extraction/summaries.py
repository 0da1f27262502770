"""Summaries without a language model: whole sentences with their speakers, in the order in which
they were said.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from mnemic.chat.extraction.extraction import TurnText
from mnemic.chat.extraction.plain_reading.content_words import content_words
from mnemic.chat.extraction.plain_reading.speech import in_chinese, role_label
from mnemic.chat.extraction.tags import without_tags
from mnemic.language.excerpts import ELLIPSIS
from mnemic.language.sentences import asks, joined, sentences
from mnemic.language.token_counts import token_estimate
from mnemic.language.tokens import normalise
from mnemic.records.conversation import Line
from mnemic.runtime.patterns import linear, opening

_LONGEST: Final = 320
_LONGEST_CHINESE: Final = 120
_MOST_READ: Final = 4000
_LONGEST_TEXT: Final = 1_000_000
_MOST_SENTENCES: Final = 100
_MARKUP: Final = linear(r"```(?:[^`]|(?!```)`)*(?:```)?|[*_#`|]+|^[^\S\n]*(?:[-•>]|\d+[.)])\s+", 8)
_POLITE: Final = opening(
    r"\W*(?:(?i:hi|hey|hello|thanks|thank you|sure|ok|okay|great|of course|certainly|nice|glad|wow"
    r"|you're welcome|got it|noted|sorry|i understand|let me know|good (?:morning|evening|luck)"
    r"|haha|lol|congrat\w*)\b|你好|您好|嗨|谢谢|好的|当然|没问题|不客气|明白|收到|抱歉|哈哈|恭喜)"
)
# How a speaker stands before what they say, in the summaries that are made here.
_SPEAKER: Final = linear(
    r"(?:^|(?<=[^\w\s] )|(?<=[。！？…”」』）]))"
    r"(?P<who>[^\s:：.!?。！？]{1,20}(?: [^\s:：.!?。！？]{1,20}){0,2}(?:: |：))(?=\S)"
)
_ENDS: Final = linear(r"[^\w\s]$")
# A sentence of more words than these says no more, it is only longer.
_FULL: Final = 8


@dataclass(frozen=True, slots=True)
class SaidSentence:
    """A whole sentence, who said it, where it stands, and how much it tells."""

    at: int
    speaker: str
    text: str
    score: float


def micro_summary(turn: TurnText) -> str:
    """Return what was said in a turn, in its most telling sentences; what its writer marked as a
    summary goes first. It is empty only where nobody said anything.
    """
    marked = " ".join(text.strip() for text in turn.summaries if text.strip())
    if marked:
        return _cut(marked, 2 * _room(marked))
    said = list(_said(turn.lines))
    if not said:
        rest = " ".join(" ".join(line.content.split()) for line in turn.lines)
        return _cut(rest, _room(rest))
    first = _best_of_each(said)
    room = _room(_written(first))
    return _cut(_written(_filled(first, said, lambda chosen: len(_written(chosen)) <= room)), room)


def timeline(texts: Sequence[str], *, tokens: int) -> str:
    """Return what several summaries tell, in about so many tokens: whole sentences of theirs, with
    their speakers, in the order of time. Every summary that has a sentence of its own gets one
    while there is room.
    """
    said: list[SaidSentence] = []
    leading: list[SaidSentence] = []
    before: set[str] = set()
    for number, text in enumerate(texts):
        own = list(_told(text, number * _LONGEST_TEXT, before))
        before |= {normalise(one.text) for one in own}
        said += own
        leading += sorted(own, key=_worth)[:1]

    def fits(chosen: list[SaidSentence]) -> bool:
        return token_estimate(_written(chosen)) <= tokens

    chosen = _filled([], leading, fits)
    chosen = _filled(chosen, said, fits)
    if chosen or not said:
        return _written(chosen)
    best = min(said, key=_worth)
    share = tokens if in_chinese(best.text) else 4 * tokens
    return _cut(_written([best]), share)


def _worth(sentence: SaidSentence) -> tuple[float, int]:
    return -sentence.score, sentence.at


def _said(lines: Sequence[Line]) -> Iterator[SaidSentence]:
    told: set[str] = set()
    spoken = [line for line in lines if line.role != "tool"]
    for number, line in enumerate(spoken):
        text = _MARKUP.sub(" ", without_tags(line.content)[:_MOST_READ])
        for at, sentence in enumerate(sentences(text)[:_MOST_SENTENCES]):
            plain = " ".join(sentence.split())
            if plain and plain not in told:
                told.add(plain)
                score = _score(plain)
                yield SaidSentence(number * _MOST_SENTENCES + at, _label(line), plain, score)


def _told(text: str, first: int, before: set[str]) -> Iterator[SaidSentence]:
    """Yield the sentences of a summary with their speakers, without those that were told before."""
    at = first
    for speaker, said in _spoken(text):
        for sentence in sentences(said)[:_MOST_SENTENCES]:
            at += 1
            if normalise(sentence) not in before:
                yield SaidSentence(at, speaker, sentence, _score(sentence))


def _spoken(text: str) -> Iterator[tuple[str, str]]:
    """Yield what is said in a summary, each part with how its speaker stands before it."""
    speaker, start = "", 0
    for match in _SPEAKER.finditer(text):
        yield speaker, text[start : match.start()]
        speaker, start = match["who"], match.end()
    yield speaker, text[start:]


def _label(line: Line) -> str:
    name = " ".join((line.name or "").split())[:30] or role_label(line)
    return f"{name}：" if in_chinese(line.content) else f"{name}: "


def _best_of_each(said: list[SaidSentence]) -> list[SaidSentence]:
    """Return the most telling sentence of each speaker."""
    best: dict[str, SaidSentence] = {}
    for sentence in sorted(said, key=_worth):
        best.setdefault(sentence.speaker, sentence)
    return sorted(best.values(), key=lambda one: one.at)


def _filled(
    chosen: list[SaidSentence], said: list[SaidSentence], fits: Callable[[list[SaidSentence]], bool]
) -> list[SaidSentence]:
    """Return the chosen sentences and as many more as fit, the most telling first."""
    kept = {one.at for one in chosen}
    for sentence in sorted(said, key=_worth):
        more = sorted([*chosen, sentence], key=lambda one: one.at)
        if sentence.at not in kept and sentence.score >= 0 and fits(more):
            chosen = more
            kept.add(sentence.at)
    return chosen


def _written(chosen: Sequence[SaidSentence]) -> str:
    """Return sentences as one text; who speaks stands before what they say."""
    before: str | None = None
    parts: list[str] = []
    for number, sentence in enumerate(chosen, 1):
        text = sentence.text if number == len(chosen) else _ended(sentence.text)
        parts.append(text if sentence.speaker == before else f"{sentence.speaker}{text}")
        before = sentence.speaker
    return joined(parts)


def _ended(text: str) -> str:
    """Return a sentence so that another can follow: entries of lists have no end of their own."""
    if _ENDS.search(text):
        return text
    return text + ("。" if in_chinese(text) else ".")


def _score(sentence: str) -> float:
    words = min(len(content_words(sentence)), _FULL) / _FULL
    # What is asked tells less than what is answered.
    return words - (0.7 if _POLITE.match(sentence) else 0.0) - (0.3 if asks(sentence) else 0.0)


def _room(text: str) -> int:
    return _LONGEST_CHINESE if in_chinese(text) else _LONGEST


def _cut(text: str, length: int) -> str:
    if len(text) <= length:
        return text
    cut = text[: max(length - 1, 1)]
    if not in_chinese(cut) and " " in cut[length // 2 :]:
        cut = cut[: cut.rindex(" ")]
    return cut.rstrip(" ,，;；") + ELLIPSIS
