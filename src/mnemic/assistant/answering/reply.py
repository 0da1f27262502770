"""The extractive answer: what memory knows, quoted plainly, with its dates and where it stands."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mnemic.assistant.answering.gathering import Evidence
from mnemic.assistant.answering.phrasing import picture_count
from mnemic.assistant.answering.quoting import Teller
from mnemic.assistant.understanding.asking import Question
from mnemic.assistant.understanding.intents import SMALL_TALK, asks_to_delete
from mnemic.language.tokens import jaccard, word_set
from mnemic.memory.workspace import Workspace
from mnemic.records.memory import Hit

_MOST: Final = 3
_MOST_LISTED: Final = 8
_SAME: Final = 0.8
_LONG: Final = 160
# What fits a statement so well is told beside it: it may say the same, or something else by now.
_BEARS: Final = 0.6


@dataclass(frozen=True, slots=True)
class ExtractiveReply:
    """An answer, and exactly the memories that it quotes, best first."""

    text: str
    used: tuple[Hit, ...] = ()


def reply(
    workspace: Workspace,
    message: str,
    evidence: Evidence,
    *,
    memorizing: bool,
    pictures: int = 0,
) -> ExtractiveReply:
    """Return the answer to a message from what was gathered for it.

    It claims nothing that no memory says, and answers in the language of the message.
    """
    teller = Teller(evidence.asked, now=workspace.clock())
    lines: list[str] = []
    used: dict[int, Hit] = {}
    if evidence.asked.told and memorizing:
        lines.append(_kept(teller, evidence.asked.told))
    for part in evidence.more or (evidence,):
        own = Teller(part.asked, now=teller.now)
        said, quoted = _part(own, message, part, memorizing=memorizing)
        if pictures and not quoted and part.asked.intent in ("question", "request"):
            # Where memory has nothing to say, the question was about the pictures.
            continue
        lines += said
        used |= {hit.memory.id: hit for hit in quoted}
    if pictures:
        count = picture_count(evidence.asked.language, pictures)
        lines.append(teller.words.pictures.format(count=count))
    return ExtractiveReply("\n".join(lines), tuple(used.values()))


def _part(
    teller: Teller, message: str, evidence: Evidence, *, memorizing: bool
) -> tuple[list[str], Sequence[Hit]]:
    """Return the lines of an answer, and what they quote."""
    words, intent = teller.words, evidence.asked.intent
    if intent in SMALL_TALK:
        return [getattr(words, intent)], ()
    if intent == "about_me":
        return _listing(teller, words.about, evidence.hits, empty=words.nobody)
    if intent == "statement":
        return _statement(teller, evidence, memorizing=memorizing)
    if intent == "request":
        limits = words.no_deleting if asks_to_delete(message) else words.request
        lines, quoted = _listing(teller, words.bears, evidence.close[:_MOST])
        return [*lines, limits], quoted
    if evidence.asked.is_of_a_time:
        return _listing(teller, words.of_time, evidence.hits, empty=words.unknown_then)
    return _question(teller, evidence)


def _question(teller: Teller, evidence: Evidence) -> tuple[list[str], Sequence[Hit]]:
    asked, words = evidence.asked, teller.words
    if evidence.withheld and _is_best(evidence):
        return [words.withheld], ()
    close = evidence.close[: _MOST_LISTED if asked.counts else _MOST]
    if not close:
        return [_unknown(teller, asked)], ()
    if len(close) == 1:
        return [teller.told(close[0].memory)], close
    head = words.counted.format(count=len(close)) if asked.counts else words.several
    return _listing(teller, head, close)


def _is_best(evidence: Evidence) -> bool:
    """Tell whether what is withheld fits best."""
    return not evidence.hits or evidence.withheld[0].fit > evidence.hits[0].fit


def _unknown(teller: Teller, asked: Question) -> str:
    if asked.more:
        return teller.words.no_more
    return teller.words.unknown


def _listing(
    teller: Teller, head: str, hits: Sequence[Hit], *, empty: str | None = None
) -> tuple[list[str], Sequence[Hit]]:
    if not hits:
        return [empty] if empty is not None else [], ()
    shown = hits[:_MOST_LISTED]
    lines = [head, *(teller.item(hit.memory) for hit in shown)]
    if len(hits) > len(shown):
        lines.append(teller.words.and_more.format(count=len(hits) - len(shown)))
    return lines, shown


def _statement(
    teller: Teller, evidence: Evidence, *, memorizing: bool
) -> tuple[list[str], Sequence[Hit]]:
    text = evidence.asked.text.strip()
    bearing = [hit for hit in evidence.hits if hit.fit >= _BEARS][:1]
    if memorizing and bearing and _says_the_same(text, bearing[0]):
        return _listing(teller, teller.words.already, bearing)
    first = _kept(teller, text) if memorizing else teller.words.not_kept
    lines, quoted = _listing(teller, teller.words.bears, bearing)
    return [first, *lines], quoted


def _kept(teller: Teller, text: str) -> str:
    """Return that something was noted, with what, where that is short."""
    own = teller.kept(text) if len(text) <= _LONG else None
    return teller.words.kept_as.format(quote=own) if own else teller.words.kept


def _says_the_same(text: str, hit: Hit) -> bool:
    return jaccard(word_set(text), word_set(hit.memory.content)) >= _SAME
