"""The extractor that needs no language model: rules for English and Chinese.

Facts are taken only where a sentence states them plainly; what is asked, wished, quoted or told by
others is left alone. Keys follow the scheme of `keys.py`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain

from mnemic.chat.extraction.corrections import (
    Correction,
    Ending,
    corrected,
    corrections_in,
    endings_in,
    opposite,
    retired,
    without_ended,
)
from mnemic.chat.extraction.extraction import Extraction, Fact, Known, TurnText
from mnemic.chat.extraction.facts import (
    clauses_english,
    matters_chinese,
    matters_english,
    naming,
    rules_chinese,
    rules_english,
    scenes_chinese,
    scenes_english,
)
from mnemic.chat.extraction.facts.fact_keys import thing
from mnemic.chat.extraction.facts.guarding import asserted, is_chinese
from mnemic.chat.extraction.loops import open_loops
from mnemic.chat.extraction.resolving import ClosingSentence, content, resolutions, statements
from mnemic.chat.extraction.speakers import SpokenPassage, passages
from mnemic.chat.extraction.summaries import micro_summary
from mnemic.language.tokens import jaccard
from mnemic.runtime.budgets import check_time

_SAME_LOOP = 0.8


@dataclass(frozen=True, slots=True)
class TurnReading:
    """What a turn says by itself, before it is held against what is known."""

    summary: str
    facts: tuple[Fact, ...]
    corrections: tuple[Correction, ...]
    endings: tuple[Ending, ...]
    loops: tuple[str, ...]
    statements: tuple[ClosingSentence, ...]


def extract(turn: TurnText, known: Known) -> Extraction:
    """Return what a turn adds to the memory, changes in it and closes.

    The same turn and the same knowledge always give the same; only ids of `known` are named.
    """
    return judged(read(turn), known)


def judged(reading: TurnReading, known: Known) -> Extraction:
    """Return what a turn adds, changes and closes, from what it says by itself."""
    facts = _settled(without_ended(reading.endings, reading.facts), known)
    facts = (*facts, *corrected(reading.corrections, facts, known))
    topics = [content(loop.text) for loop in known.loops]
    told = {loop.text for loop in known.loops}
    return Extraction(
        summary=reading.summary,
        facts=facts,
        retirements=retired(reading.endings, facts, known),
        # What is said again word for word is a mention of it.
        loops=tuple(
            loop for loop in reading.loops if loop in told or not _stands(content(loop), topics)
        ),
        resolutions=resolutions(reading.statements, known.loops),
    )


def asks(reading: TurnReading) -> bool:
    """Tell whether facts that are known may change what a turn does, whatever their keys are."""
    holds = any(one.key.endswith(".holder") for one in reading.facts)
    return holds or bool(reading.corrections or reading.endings)


def keys_named(reading: TurnReading) -> frozenset[str]:
    """Return the keys of the facts that a turn gives a value or may end."""
    told = {one.key for one in reading.facts}
    ended = {f"{end.subject}.{name}" for end in reading.endings for name in end.attributes}
    return frozenset(told | ended | ({opposite(key) for key in told} - {""}))


@lru_cache(maxsize=1024)
def read(turn: TurnText) -> TurnReading:
    """Return what a turn says by itself; it is kept, since a turn may be read again."""
    check_time()
    said = passages(turn)
    facts = _tidied(chain.from_iterable(_facts(passage) for passage in said))
    loops = open_loops(said)
    return TurnReading(
        summary=micro_summary(turn, facts, loops),
        facts=facts,
        corrections=corrections_in(said),
        endings=endings_in(said),
        loops=loops,
        statements=statements(said),
    )


def _facts(passage: SpokenPassage) -> Iterator[Fact]:
    if passage.machine:
        return
    by_user = passage.role == "user" or passage.play
    if not passage.narrated:
        yield from naming.introduced(passage.text, passage.me)
        yield from naming.relatives_named(passage.text, passage.me)
    english = clauses_english.EnglishReferents(passage.me)
    chinese = rules_chinese.ChineseReferents(passage.me, play=passage.play)
    for sentence in asserted(passage.text):
        check_time()
        in_chinese = is_chinese(sentence)
        if passage.play:
            scenes = scenes_chinese if in_chinese else scenes_english
            yield from scenes.scene_of(sentence, passage)
        if passage.narrated:
            continue
        if in_chinese:
            yield from rules_chinese.facts_of(sentence, chinese, lives=passage.by_person)
            yield from matters_chinese.matters_of(sentence, passage.me, by_user=by_user)
        else:
            yield from rules_english.facts_of(sentence, english, lives=passage.by_person)
            yield from matters_english.matters_of(sentence, passage.me, by_user=by_user)


def _tidied(found: Iterator[Fact]) -> tuple[Fact, ...]:
    """Return each key once, with what was said last, without what a better one says already."""
    kept: dict[str, Fact] = {}
    for one in found:
        kept.pop(one.key, None)
        kept[one.key] = one
    return tuple(one for one in kept.values() if not _is_said_already(one, kept))


def _is_said_already(one: Fact, kept: dict[str, Fact]) -> bool:
    subject, _, attribute = one.key.partition(".")
    if attribute == "name" and thing(one.value) == subject:
        return True
    if attribute == "job" and f"{subject}.title" in kept:
        return True
    return f"{one.key}.name" in kept


def _settled(facts: tuple[Fact, ...], known: Known) -> tuple[Fact, ...]:
    """Return the facts with a thing of the scene under the key by which it is known: the dagger
    that somebody takes is the silver dagger of before.
    """
    held = {one.key for one in (*known.facts, *facts) if one.key.endswith(".holder")}
    settled: dict[str, Fact] = {}
    for one in facts:
        longer = [key for key in held if key != one.key and key.endswith(f" {one.key}")]
        longer += [
            key for key in held if key != one.key and is_chinese(key) and key.endswith(one.key)
        ]
        if one.key in held and len(longer) == 1:
            settled.pop(longer[0], None)
            settled[longer[0]] = replace(one, key=longer[0])
        else:
            settled.pop(one.key, None)
            settled[one.key] = one
    return tuple(settled.values())


def _stands(words: frozenset[str], topics: list[frozenset[str]]) -> bool:
    return any(jaccard(words, one) >= _SAME_LOOP for one in topics)
