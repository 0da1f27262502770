"""What people promise and plan, and whether somebody says that it is done."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from mnemic.chat.extraction.extraction import KnownLoop, Resolution
from mnemic.chat.extraction.plain_reading.asserted_clauses import (
    Clause,
    asserted_clauses,
    is_question,
)
from mnemic.chat.extraction.plain_reading.content_words import content_words
from mnemic.chat.extraction.plain_reading.dating import dated, named_days
from mnemic.chat.extraction.plain_reading.phrase_tables import table
from mnemic.chat.extraction.plain_reading.speech import Passage, in_chinese
from mnemic.language.sentences import sentences
from mnemic.language.tokens import jaccard, word_forms
from mnemic.runtime.patterns import linear

LONGEST_LOOP: Final = 200
_LONGEST_RESOLUTION: Final = 200
# So much of what a loop speaks of, a sentence must speak of to close it.
_CLOSES: Final = 0.4
_COUNTED: Final = 6
_SAME: Final = 0.8
# A sentence that says less than this says that something will be done, not what.
_FEWEST_WORDS: Final = 2
_LABEL: Final = linear(r"^[^:：]{1,40}[:：]\s*")
_CONTRAST: Final = linear(r"[,，；;] ?(?:but|though|although|however|不过|但|可是|只是)", 2)


@dataclass(frozen=True, slots=True)
class ReportedSentence:
    """A sentence that may report that something is done, and what it speaks of."""

    text: str
    words: frozenset[str]


def promises(passage: Passage, said_at: datetime | None) -> Iterator[str]:
    """Yield the sentences in which the speaker promises or plans something, each with the speaker,
    and with its date where it names a day.
    """
    told: set[str] = set()
    for clause in asserted_clauses(passage.text):
        if clause.sentence not in told and _is_open(clause, said_at):
            told.add(clause.sentence)
            colon = "：" if clause.chinese else ": "
            sentence = " ".join(clause.sentence.split()).strip("*（）(),， ")
            if len(sentence) <= LONGEST_LOOP:
                yield f"{passage.label}{colon}{dated(sentence, said_at)}"


def _is_open(clause: Clause, said_at: datetime | None) -> bool:
    plans, text = clause.table.plans, clause.text
    if clause.table.states["empty"].search(text):
        return False
    if plans["remind"].match(text):
        return True
    subject = clause.table.clause["self"].match(text)
    rest = text[subject.end() :].lstrip() if subject else text
    if subject is None and not (clause.chinese and clause.first):
        return False
    if any(plans[kind].match(rest) for kind in ("promise", "to_do", "planning")):
        return len(content_words(clause.sentence)) >= _FEWEST_WORDS
    days = named_days(clause.sentence, said_at) if plans["dated"].match(rest) else []
    return any(day.date and not _is_over(day.date, said_at) for day in days)


def _is_over(day: str, said_at: datetime | None) -> bool:
    return (
        said_at is not None and day[:4].isdigit() and day < said_at.date().isoformat()[: len(day)]
    )


def still_open(loops: Sequence[str], known: Sequence[KnownLoop]) -> tuple[str, ...]:
    """Return the loops that a turn opens. One that says what a known one says is a mention of it,
    and told in its words; one that is nearly the same is left out.
    """
    topics = {loop.text: content_words(_LABEL.sub("", loop.text)) for loop in known}
    kept: dict[str, None] = {}
    for loop in loops:
        words = content_words(_LABEL.sub("", loop))
        same = next((text for text, topic in topics.items() if topic == words), None)
        if same is not None:
            kept[same] = None
        elif not any(jaccard(words, topic) >= _SAME for topic in topics.values()):
            kept[loop] = None
    return tuple(kept)


def reports(passages: Iterable[Passage]) -> tuple[ReportedSentence, ...]:
    """Return the sentences of a turn that may report that something is done."""
    return tuple(
        ReportedSentence(part.strip(), content_words(part))
        for passage in passages
        for sentence in sentences(passage.text)
        if len(sentence) <= LONGEST_LOOP and not is_question(sentence)
        for part in _CONTRAST.split(sentence)
        if part.strip()
    )


def resolutions(
    reported: Iterable[ReportedSentence], loops: Sequence[KnownLoop]
) -> tuple[Resolution, ...]:
    """Return the loops that some sentence closes; a sentence closes at most one."""
    topics = [(loop, content_words(_LABEL.sub("", loop.text))) for loop in loops]
    closed: dict[str, Resolution] = {}
    for report in reported:
        fits = [
            (_fit(report, loop, words), loop)
            for loop, words in topics
            if loop.id not in closed and words & report.words
        ]
        best = max(fits, key=lambda one: one[0], default=None)
        if best is not None and best[0] >= _CLOSES:
            text = " ".join(report.text.split())[:_LONGEST_RESOLUTION]
            closed[best[1].id] = Resolution(best[1].id, text)
    return tuple(closed.values())


def _fit(report: ReportedSentence, loop: KnownLoop, words: frozenset[str]) -> float:
    """Return how surely a sentence closes a loop; 0 where it only speaks of the same."""
    states = table("chinese" if in_chinese(report.text) else "english").states
    shared = words & report.words
    share = len(shared) / min(len(words), _COUNTED)
    if states["dropped"].search(report.text):
        return share
    if states["not_yet"].search(report.text):
        return 0.0
    if states["done"].search(report.text) and len(shared) >= _FEWEST_WORDS:
        return share
    deeds = (
        verb
        for match in states["did"].finditer(report.text)
        for verb in match.groupdict().values()
        if verb
    )
    # Beside the deed, the two must have in common what it was done to.
    return share if any(_is_deed(verb, loop, shared) for verb in deeds) else 0.0


def _is_deed(verb: str, loop: KnownLoop, shared: frozenset[str]) -> bool:
    if not verb.isascii():
        return verb in loop.text
    stem = word_forms(table("english").key_word("past", verb))[0]
    return stem in shared and bool(shared - {stem})
