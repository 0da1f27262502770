"""The extractor that needs no language model, for English and Chinese.

It takes little, and that surely: what was said is found verbatim anyway. Facts are what people and
characters state of themselves and theirs; a sentence that asks, wishes, quotes or jokes gives none.
"""

from dataclasses import dataclass
from functools import lru_cache

from mnemic.chat.extraction.extraction import Extraction, Fact, Known, TurnText
from mnemic.chat.extraction.plain_reading.endings import EndedMatter, endings, opposite, retired
from mnemic.chat.extraction.plain_reading.promises import (
    ReportedSentence,
    promises,
    reports,
    resolutions,
    still_open,
)
from mnemic.chat.extraction.plain_reading.speech import own_words
from mnemic.chat.extraction.plain_reading.stated_facts import stated_facts
from mnemic.chat.extraction.summaries import micro_summary
from mnemic.runtime.budgets import check_time


@dataclass(frozen=True, slots=True)
class TurnReading:
    """What a turn says by itself, before it is held against what is known."""

    summary: str
    facts: tuple[Fact, ...]
    endings: tuple[EndedMatter, ...]
    loops: tuple[str, ...]
    reports: tuple[ReportedSentence, ...]


def extract(turn: TurnText, known: Known) -> Extraction:
    """Return what a turn adds to the memory, changes in it and closes.

    The same turn and the same knowledge always give the same; only ids of `known` are named.
    """
    return judged(read(turn), known)


def judged(reading: TurnReading, known: Known) -> Extraction:
    """Return what a turn adds, changes and closes, from what it says by itself."""
    return Extraction(
        summary=reading.summary,
        facts=reading.facts,
        retirements=retired(reading.endings, reading.facts, known.facts),
        loops=still_open(reading.loops, known.loops),
        resolutions=resolutions(reading.reports, known.loops),
    )


def asks(reading: TurnReading) -> bool:
    """Tell whether facts that are known may change what a turn does, whatever their keys are."""
    return bool(reading.endings)


def keys_named(reading: TurnReading) -> frozenset[str]:
    """Return the keys of the facts that a turn gives a value or may end."""
    told = {fact.key for fact in reading.facts}
    ended = {f"{one.owner}.{name}" for one in reading.endings for name in one.attributes}
    return frozenset(told | ended | ({opposite(key) for key in told} - {""}))


@lru_cache(maxsize=1024)
def read(turn: TurnText) -> TurnReading:
    """Return what a turn says by itself; it is kept, since a turn may be read again."""
    check_time()
    said = own_words(turn)
    facts: dict[str, Fact] = {}
    for passage in said:
        for fact in stated_facts(passage, turn.said_at):
            # What is said last of a subject counts.
            facts.pop(fact.key, None)
            facts[fact.key] = fact
    loops = [loop for passage in said for loop in promises(passage, turn.said_at)]
    return TurnReading(
        summary=micro_summary(turn),
        facts=tuple(facts.values()),
        endings=tuple(endings(said)),
        loops=tuple(dict.fromkeys(loops)),
        reports=reports(said),
    )
