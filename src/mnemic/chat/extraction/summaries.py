"""A turn in a few of its own sentences."""

import re
from dataclasses import dataclass, replace
from typing import Final

from mnemic.chat.extraction.extraction import Fact, TurnText
from mnemic.chat.extraction.facts.guarding import is_chinese, sentences_of, without_code
from mnemic.chat.extraction.resolving import content
from mnemic.chat.extraction.tags import without_tags
from mnemic.language.excerpts import ELLIPSIS
from mnemic.records.conversation import Line
from mnemic.runtime.patterns import linear

_LONGEST: Final = 320
_LONGEST_CHINESE: Final = 120
_MOST_READ: Final = 4000
_SIGNS: Final = linear(r"[*_#>`|]+|^[^\S\n]*(?:[-•]|\d+[.)])\s+", re.M)
_POLITE: Final = linear(
    r"^\W*(?:(?:hi|hey|hello|thanks|thank you|sure|ok|okay|great|of course|certainly"
    r"|nice to|glad to"
    r"|you're welcome|got it|noted"
    r"|i'm sorry|sorry|i understand|understood|let me know|good (?:morning|evening)|wow|haha)\b"
    r"|你好|您好|嗨|谢谢|好的|当然|没问题|不客气|明白|收到|抱歉|非常抱歉|哈哈)",
    re.I,
)
# A sentence of more words than these says no more, it is only longer.
_FULL: Final = 8


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of a turn: which one, whose, and how much it tells."""

    at: int
    line: Line
    text: str
    score: float


def micro_summary(turn: TurnText, facts: tuple[Fact, ...], loops: tuple[str, ...]) -> str:
    """Return what happened in a turn; what its writer marked as a summary goes first.

    It is empty only where nobody said anything.
    """
    if any(one.strip() for one in turn.summaries):
        return _clipped(" ".join(one.strip() for one in turn.summaries if one.strip()), times=2)
    told = [one.value.casefold() for one in facts]
    said = _said(turn, told, loops)
    if not said:
        rest = " ".join(" ".join(line.content.split()) for line in turn.lines)
        return _clipped(rest)
    return _clipped(_rendered(_chosen(said)))


def _chosen(said: list[_Sentence]) -> list[_Sentence]:
    """Return the sentences that tell most, in the order in which they were said: the best one of
    each role, and what else there is room for.
    """
    ranked = sorted(said, key=lambda one: (-one.score, one.at))
    first = {one.line.role: one for one in reversed(ranked)}
    chosen = sorted(first.values(), key=lambda one: one.at)
    room = _room(_rendered(chosen))
    for one in ranked:
        more = sorted([*chosen, one], key=lambda each: each.at)
        if one not in chosen and one.score > 0 and len(_rendered(more)) <= room:
            chosen = more
    if len(chosen) == len(first) > 1 and len(_rendered(chosen)) > room:
        chosen = _shortened(chosen, room)
    return chosen


def _shortened(chosen: list[_Sentence], room: int) -> list[_Sentence]:
    """Give each of the sentences its share of the room; what one leaves, the others get."""
    left, waiting = room, sorted(chosen, key=lambda one: len(one.text))
    short: list[_Sentence] = []
    for at, one in enumerate(waiting):
        share = left // (len(waiting) - at) - len(_label(one.line)) - 1
        short.append(replace(one, text=_clip(one.text, max(share, 1))))
        left -= len(short[-1].text) + len(_label(one.line)) + 1
    return sorted(short, key=lambda one: one.at)


def _rendered(chosen: list[_Sentence]) -> str:
    """Return sentences as one text; who speaks stands before what they say."""
    parts: list[str] = []
    before: Line | None = None
    for one in chosen:
        parts.append(one.text if one.line is before else f"{_label(one.line)}{one.text}")
        before = one.line
    return " ".join(parts)


def _label(line: Line) -> str:
    chinese = is_chinese(line.content)
    name = (line.name or "").strip()[:30]
    if not name:
        name = {"user": "用户"}.get(line.role, "助手") if chinese else line.role
    return f"{name}：" if chinese else f"{name}: "


def _said(turn: TurnText, told: list[str], loops: tuple[str, ...]) -> list[_Sentence]:
    """Return the sentences of a turn, each with how much it tells."""
    found: list[_Sentence] = []
    for line in turn.lines:
        text = without_code(without_tags(line.content)[:_MOST_READ])
        for sentence in sentences_of(_SIGNS.sub(" ", text)):
            plain = " ".join(sentence.split())
            if plain and all(plain != one.text for one in found):
                found.append(_Sentence(len(found), line, plain, _score(plain, told, loops)))
    spoken = [one for one in found if one.line.role in ("user", "assistant")]
    return spoken or found


def _score(sentence: str, told: list[str], loops: tuple[str, ...]) -> float:
    low = sentence.casefold()
    words = min(len(content(sentence)), _FULL) / _FULL
    known = sum(1.0 for value in told if value in low)
    is_open = 0.8 if any(sentence in loop for loop in loops) else 0.0
    polite = 0.7 if _POLITE.match(sentence) else 0.0
    return words + known + is_open - polite


def _room(text: str) -> int:
    return _LONGEST_CHINESE if is_chinese(text) else _LONGEST


def _clipped(text: str, *, times: int = 1) -> str:
    return _clip(text, _room(text) * times)


def _clip(text: str, length: int) -> str:
    if len(text) <= length:
        return text
    cut = text[: max(length - 1, 1)]
    if not is_chinese(cut) and " " in cut[length // 2 :]:
        cut = cut[: cut.rindex(" ")]
    return cut.rstrip(" ,，;；") + ELLIPSIS
