"""The extractive answer: what memory knows, said plainly, with where it comes from."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from mnemic.assistant.answering.confirming import confirms
from mnemic.assistant.answering.evidence import Evidence, gather
from mnemic.assistant.answering.judging import JudgedHit
from mnemic.assistant.answering.phrasing import picture_count
from mnemic.assistant.answering.polarity import is_negated
from mnemic.assistant.answering.quoting import Teller
from mnemic.assistant.answering.subjects import speaks_of_others
from mnemic.assistant.answering.turning import spelled_out
from mnemic.assistant.understanding.intents import asks_to_delete, without_command, without_greeting
from mnemic.assistant.understanding.tidying import without_correction
from mnemic.assistant.understanding.time_spans import date_in
from mnemic.assistant.understanding.units import cover, read
from mnemic.language.lexicon import function_words
from mnemic.language.tokens import jaccard, normalise, word_set
from mnemic.memory.workspace import Workspace
from mnemic.records.memory import Hit, Utterance

__all__ = ["Evidence", "ExtractiveReply", "gather", "reply"]

_MOST: Final = 4
_MOST_OF_A_TIME: Final = 8
# What covers the question by so much less than the best is left out.
_BEHIND: Final = 0.3
_BEHIND_ONE_VALUE: Final = 0.2
_SAME: Final = 0.8
_LONG: Final = 160
# What was told within so short a time does not replace each other.
_AT_ONCE: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class ExtractiveReply:
    """An answer, and exactly the memories that it quotes or cites, best first."""

    text: str
    used: tuple[Hit, ...] = ()


@dataclass(frozen=True, slots=True)
class _Told:
    """Lines of an answer, and what they tell."""

    lines: list[str]
    used: list[JudgedHit]


def reply(
    workspace: Workspace,
    message: str,
    history: Sequence[Utterance],
    evidence: Evidence,
    *,
    memorizing: bool,
    pictures: int = 0,
) -> ExtractiveReply:
    """Return the answer to a message from what was gathered for it.

    It claims nothing that no memory says, and answers in the language of the message.
    """
    teller = Teller(evidence.asked, now=workspace.clock())
    told = _told(teller, message, evidence, memorizing=memorizing)
    for part in evidence.more:
        also = _told(Teller(part.asked, now=teller.now), message, part, memorizing=memorizing)
        new = [one for one in also.used if one not in told.used]
        told = _Told([*told.lines, *also.lines], [*told.used, *new])
    if evidence.asked.told and memorizing:
        told = _with_told(teller, evidence, told)
    lines = told.lines
    if pictures:
        count = picture_count(evidence.asked.language, pictures)
        # Where memory has nothing to say, the question was about the pictures.
        asks = evidence.asked.intent in ("question", "request")
        told = _Told([], []) if asks and not _answers(evidence) else told
        lines = [*told.lines, teller.words.pictures.format(count=count)]
    return ExtractiveReply("\n".join(lines), tuple(one.hit for one in told.used))


def _with_told(teller: Teller, evidence: Evidence, told: _Told) -> _Told:
    """Acknowledge what was said before the question; it may be what was asked for."""
    said = evidence.asked.told
    kept, text = _kept(teller, said), read(said)
    units = evidence.asked.units
    if (
        not told.used
        and units
        and all(cover(unit, text) or unit.text in text.plain for unit in units)
    ):
        return _Told([kept], [])
    return _Told([kept, *told.lines], told.used)


def _told(teller: Teller, message: str, evidence: Evidence, *, memorizing: bool) -> _Told:
    intent = evidence.asked.intent
    if intent in ("greeting", "thanks", "agreement", "farewell"):
        return _Told([getattr(teller.words, intent)], [])
    if intent == "about_me":
        return _about(teller, evidence)
    if intent == "statement":
        return _statement(teller, message, evidence, memorizing=memorizing)
    if intent == "request":
        return _request(teller, message, evidence)
    if evidence.asked.is_of_a_time:
        return _of_a_time(teller, evidence)
    return _question(teller, evidence, memorizing=memorizing)


def _question(teller: Teller, evidence: Evidence, *, memorizing: bool) -> _Told:
    answers = _answers(evidence)
    if not answers:
        return _unknown(teller, evidence, memorizing=memorizing)
    dated = evidence.asked.followed.kind == "when" or bool(evidence.asked.windows)
    wanted = {unit.concept.name for unit in evidence.asked.units if unit.concept is not None}
    if wanted & function_words.ONE_VALUE:
        answers = [one for one in answers if one.score > answers[0].score - _BEHIND_ONE_VALUE]
    if len(answers) > 1 and (wanted & function_words.ONE_VALUE or _ended(answers)):
        return _newest_first(teller, answers, dated=dated)
    answers.sort(key=lambda one: not confirms(evidence.asked, one.shown))
    if confirms(evidence.asked, answers[0].shown):
        rest = [teller.item(one, dated=dated) for one in answers[1:]]
        first = teller.words.yes + teller.answer(answers[0], dated=dated)
        return _Told([first, *rest], answers)
    if len(answers) == 1:
        return _Told([teller.answer(answers[0], dated=dated)], answers)
    lines = [teller.words.several, *(teller.item(one, dated=dated) for one in answers)]
    return _Told(lines, answers)


def _answers(evidence: Evidence) -> list[JudgedHit]:
    """Return what answers, each fact once, without what answers much less well."""
    found: dict[str, JudgedHit] = {}
    for one in evidence.judged:
        if one.verdict == "answers":
            found.setdefault(normalise(one.shown).rstrip(".。!！"), one)
    ranked = list(found.values())
    if not ranked:
        return []
    return [one for one in ranked if one.score > ranked[0].score - _BEHIND][:_MOST]


def _newest_first(teller: Teller, answers: list[JudgedHit], *, dated: bool) -> _Told:
    ordered = sorted(answers, key=lambda one: one.hit.memory.created_at, reverse=True)
    newest, *rest = ordered
    at_once = [one for one in rest if _made(newest) - _made(one) < _AT_ONCE]
    earlier = [one for one in rest if one not in at_once]
    if confirms(teller.asked, newest.shown):
        lines = [teller.words.yes + teller.answer(newest, dated=dated)]
        lines += [teller.item(one, dated=dated) for one in at_once]
    elif at_once:
        lines = [teller.item(one, dated=dated) for one in (newest, *at_once)]
    else:
        lines = [teller.answer(newest, dated=dated)]
    lines += [teller.verbatim(teller.words.earlier, one) for one in earlier]
    return _Told(lines, [newest, *at_once, *earlier])


def _made(one: JudgedHit) -> datetime:
    return one.hit.memory.created_at


def _ended(answers: list[JudgedHit]) -> bool:
    """Tell whether the newest answer ends what an older one says."""
    newest = max(answers, key=lambda one: one.hit.memory.created_at)
    plain = newest.shown.casefold()
    return any(
        word in plain for word in (*function_words.ENDED_ENGLISH, *function_words.ENDED_CHINESE)
    )


def _unknown(teller: Teller, evidence: Evidence, *, memorizing: bool) -> _Told:
    asked, said = evidence.asked, teller.words
    if evidence.withheld:
        return _Told([said.withheld], [])
    if asked.followed.more:
        return _Told([said.no_more], [])
    if asked.followed.kind == "why" and asked.followed.same:
        return _Told([said.unknown_reason], [])
    if asked.followed.kind == "why":
        lines = [said.unknown_reason]
    else:
        past = any(
            window.end <= teller.now or window.start > teller.now for window in asked.windows
        )
        lines = [said.unknown_then if past else said.unknown]
    nearest = [one for one in evidence.judged if one.verdict == "near"][:1]
    lines += [teller.verbatim(said.nearest, one) for one in nearest]
    if memorizing and asked.of_self and not nearest and not asked.windows:
        lines[-1] += said.space + said.invite
    return _Told(lines, nearest)


def _of_a_time(teller: Teller, evidence: Evidence) -> _Told:
    if not evidence.judged:
        return _Told([teller.words.nothing_of_time], [])
    told = list(evidence.judged[:_MOST_OF_A_TIME])
    spans = {(window.span, window.start) for window in evidence.asked.windows}
    single = len(spans) == 1 and all(span == "day" for span, _ in spans)
    head = teller.words.of_time
    if single:
        day = date_in(evidence.asked.windows[0].start, evidence.asked.language)
        head = teller.words.of_day.format(date=day)
    lines = [head, *(teller.dated_item(one, shared_day=single) for one in told)]
    if left := len(evidence.judged) - len(told):
        lines.append(teller.words.and_more.format(count=left))
    return _Told(lines, told)


def _about(teller: Teller, evidence: Evidence) -> _Told:
    own = [one for one in evidence.judged if one.verdict == "answers"]
    lately = [one for one in evidence.judged if one.verdict != "answers"]
    lines: list[str] = []
    if own:
        lines += [teller.words.about, *(teller.item(one) for one in own)]
    if lately:
        lines += [teller.words.lately, *(teller.item(one) for one in lately)]
    return _Told(lines or [teller.words.nobody], own + lately)


def _request(teller: Teller, message: str, evidence: Evidence) -> _Told:
    near = [one for one in evidence.judged if one.verdict != "no"][:3]
    if not near:
        return _Told([f"{teller.words.request_bare}{teller.words.space}{teller.words.request}"], [])
    limits = teller.words.no_deleting if asks_to_delete(message) else teller.words.request
    lines = [teller.words.bears, *(teller.item(one) for one in near), limits]
    return _Told(lines, near)


def _statement(teller: Teller, message: str, evidence: Evidence, *, memorizing: bool) -> _Told:
    said, text = teller.words, without_command(without_greeting(message)).strip()
    related = [one for one in evidence.judged if one.verdict == "answers"]
    known = [one for one in related if _says_the_same(text, one)]
    if known and memorizing:
        return _Told([teller.verbatim(said.already, known[0])], known[:1])
    lines = [_kept(teller, text) if memorizing else said.not_kept]
    against = [one for one in related if _is_against(text, one, evidence)]
    if against:
        latest = max(against, key=lambda one: one.hit.memory.created_at)
        lines.append(teller.verbatim(said.until_now, latest, dated=True))
        return _Told(lines, [latest])
    bearing = [one for one in related if one not in known][:2]
    if bearing:
        lines += [said.bears, *(teller.item(one) for one in bearing)]
    return _Told(lines, bearing)


def _kept(teller: Teller, text: str) -> str:
    """Return that something was noted, with what, where that is short."""
    text = without_correction(text)
    own = teller.kept(text) if len(text) <= _LONG else None
    return teller.words.kept_as.format(quote=own) if own else teller.words.kept


def _says_the_same(text: str, one: JudgedHit) -> bool:
    if is_negated(read(text)) != is_negated(read(one.shown)):
        return False
    mine, theirs = spelled_out(text), spelled_out(one.shown)
    same = normalise(mine).rstrip(".。!！") == normalise(theirs).rstrip(".。!！")
    return same or jaccard(word_set(mine), word_set(theirs)) >= _SAME


def _is_against(text: str, one: JudgedHit, evidence: Evidence) -> bool:
    """Tell whether what is said now replaces what was remembered: another value of what has one
    value at a time, or the opposite of the same.
    """
    asked = evidence.asked
    if speaks_of_others(one.shown, asked):
        return False
    if is_negated(read(text)) != is_negated(read(one.shown)):
        return True
    wanted = [
        u
        for u in asked.units
        if u.concept is not None and u.concept.name in function_words.ONE_VALUE
    ]
    passage = read(one.shown)
    return any(cover(unit, passage) == 1.0 for unit in wanted) and not _says_the_same(text, one)
