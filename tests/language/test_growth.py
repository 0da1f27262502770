"""Repetitive texts of doubling length: no pattern and no function that reads takes longer for them
than their length explains.
"""

import inspect
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from importlib import import_module
from typing import Any, Final, cast, get_type_hints

import pytest

import mnemic.assistant.answering
import mnemic.assistant.understanding
import mnemic.chat.extraction
import mnemic.language
from mnemic.chat.extraction.extraction import Known, KnownFact, KnownLoop, TurnText
from mnemic.chat.extraction.plain_reading.speech import Passage
from mnemic.cli.history_text import compared
from mnemic.language.differences import ComparedText, same
from mnemic.memory.texts.context_words import embedding_text
from mnemic.records.conversation import Line
from mnemic.records.memory import Utterance
from mnemic.runtime.patterns import PatternSource
from tests.language.growth import Call, grows_too_fast
from tests.language.test_linear_time import every_pattern

PUMPS: Final = (
    *(" ", "\n", "(", "那就", "please ", "0", '"', "a", "a ", ",", "'", "一", "A", "*", "`", "I "),
    *("1,000 ", "I like tea. ", "你好。", "<memory>", "one ", "a.b/", "Tom said ", "天气很好，"),
    *("I have a dog named Rex and ", "在把", "> \n", "不是", '{"a":', "9万", "百分之", "\u0301"),
)
# Of the pumps above, those that are no words of some rule: each pattern has its own words, too.
BLANK_PUMPS: Final = PUMPS[:12]
NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)
PEOPLES_WORDS: Final = (
    mnemic.language,
    mnemic.chat.extraction,
    mnemic.assistant.answering,
    mnemic.assistant.understanding,
)


def _known(text: str) -> Known:
    return Known((KnownFact("1", "me.pet", text),), (KnownLoop("2", text),), (text,))


def _passage(text: str) -> Passage:
    return Passage(text, "user", "Ann")


# How a text comes to a function, by what the function says that it takes.
MADE: Final[dict[Any, Callable[[str], object]]] = {
    str: lambda text: text,
    int: lambda _: 50,
    bool: lambda _: True,
    datetime: lambda _: NOW,
    datetime | None: lambda _: NOW,
    Passage: _passage,
    Iterable[Passage]: lambda text: [_passage(text), _passage("I like tea.")],
    Iterable[str]: lambda text: [text, "I like tea."],
    Sequence[str]: lambda text: [text, "I like tea."],
    list[str]: lambda text: [text, "I like tea."],
    TurnText: lambda text: TurnText(
        (Line("user", text), Line("assistant", text[: len(text) // 2]))
    ),
    Known: _known,
    ComparedText: ComparedText,
    Sequence[Utterance]: lambda text: [Utterance("user", text), Utterance("assistant", text[1:])],
}


def _functions() -> Iterator[tuple[str, Call]]:
    """Yield every public function over people's words that can be given a text, by its name."""
    for package in PEOPLES_WORDS:
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            for name, one in vars(import_module(module.name)).items():
                function = cast("object", inspect.unwrap(one) if callable(one) else None)
                if (
                    inspect.isfunction(function)
                    and function.__module__ == module.name
                    and not name.startswith("_")
                    and (call := _given_a_text(function))
                ):
                    yield f"{module.name.removeprefix('mnemic.')}.{name}", call


def _given_a_text(function: Callable[..., object]) -> Call | None:
    kinds = get_type_hints(function)
    needed = {
        name: kinds[name]
        for name, one in inspect.signature(function).parameters.items()
        if one.default is one.empty
    }
    if not needed or not all(kind in MADE for kind in needed.values()):
        return None

    def call(text: str) -> object:
        answer = function(**{name: MADE[kind](text) for name, kind in needed.items()})
        return [*cast("Iterator[object]", answer)] if isinstance(answer, Iterator) else answer

    return call


def _shares_passages(text: str) -> object:
    third = len(text) // 3
    return same(ComparedText(text), ComparedText(f"{text[third:]} not {text[:third]}"))


def _revised(text: str) -> object:
    return compared(text, text[len(text) // 3 :] + text[: len(text) // 3])


READING: Final[dict[str, Call]] = {
    **dict(_functions()),
    "a page beside one that shares passages": _shares_passages,
    "what a revision changed": _revised,
    "what is embedded": lambda text: embedding_text(text, {"note": text}, None),
}


@pytest.mark.parametrize("name", READING)
def test_no_function_takes_longer_than_its_text_explains(name: str) -> None:
    slow = {pump: grows_too_fast(READING[name], pump) for pump in PUMPS}

    assert {pump: why for pump, why in slow.items() if why} == {}


def test_the_functions_that_read_what_people_write_are_all_pumped() -> None:
    assert len(READING) > 90
    assert READING.keys() >= {
        *("chat.extraction.rules.extract", "chat.extraction.summaries.timeline"),
        *("assistant.understanding.asking.understand", "assistant.understanding.following.resolve"),
        *("language.classify.classify", "language.conflicts.fingerprint", "language.dates.windows"),
        *(
            "language.sentences.sentences",
            "language.tokens.index_terms",
            "language.infer.summary",
        ),
    }


def test_no_pattern_takes_longer_than_its_text_explains() -> None:
    slow = {
        (one.source, pump): why
        for one in every_pattern()
        for pump in (*BLANK_PUMPS, *_words_of(one.source))
        if (why := grows_too_fast(_matching(one), pump))
    }

    assert slow == {}


def _matching(one: PatternSource) -> Call:
    pattern = re.compile(one.source, one.flags)
    return pattern.finditer if one.searched else pattern.match


def _words_of(source: str) -> Iterator[str]:
    """Yield a few of the words that a pattern is made of, each of which may pump it."""
    words = re.findall(r"[a-z]{2,} ?|[\u4e00-\u9fff]{1,3}", re.sub(r"\\.|\?P?<?\w*>?", "", source))
    yield from filter(None, dict.fromkeys((*words[:1], *words[-1:], "".join(words[:2]))))


@pytest.mark.parametrize(
    ("source", "pump", "grows"),
    [
        (r"\s+$", " ", True),
        (r"(?<!\s)\s+$", " ", False),
        (r"(?:那就|那|就)*x", "那就", True),
        (r"(?<![那就])(?:那|就)*x", "那就", False),
    ],
)
def test_growth_is_told_from_length(source: str, pump: str, grows: bool) -> None:
    why = grows_too_fast(re.compile(source).search, pump, patience=1.0)

    assert (why is not None) == grows
