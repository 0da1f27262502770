"""Which of the six types of an assistant's memory a text is, by the words that it uses."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from mnemic.language.sentences import asks, sentences
from mnemic.records.memory import MemoryKind
from mnemic.runtime.patterns import linear, opening

TYPES: Final[tuple[MemoryKind, ...]] = (
    "core",
    "episodic",
    "semantic",
    "procedural",
    "resource",
    "knowledge_vault",
)

_TABLE: Final = Path(__file__).parent / "lexicon" / "memory_types.toml"
# Somebody who asks for something says nothing about themselves.
_REQUEST: Final = opening(
    r"\s*(?:(?:please|can you|could you|would you|help|tell|show|give|let['’]?s|remind)\b"
    r"|请|帮|麻烦|告诉|给我|能不能|可以)",
    re.IGNORECASE,
)
_LONGEST_FACT: Final = 300


@dataclass(frozen=True, slots=True)
class TypeWords:
    """The words that tell a type. `rules` stand in the order in which they decide."""

    about_me: re.Pattern[str]
    lasting: re.Pattern[str]
    unless_of_a_day: re.Pattern[str]
    of_a_day: re.Pattern[str]
    rules: tuple[tuple[MemoryKind, re.Pattern[str]], ...]


@cache
def type_words() -> TypeWords:
    """Return the lexicon of types; its patterns are registered, and compiled when used."""
    lists: dict[str, dict[str, list[str]]] = tomllib.loads(_TABLE.read_text(encoding="utf-8"))

    def words(*names: str) -> re.Pattern[str]:
        whole = [piece for name in names for piece in lists[name]["english"]]
        anywhere = [
            piece
            for name in names
            for language in ("chinese", "anywhere")
            for piece in lists[name].get(language, ())
        ]
        source = "|".join([*anywhere, rf"\b(?:{'|'.join(whole)})\b"])
        return linear(source, re.IGNORECASE)

    return TypeWords(
        about_me=words("core"),
        lasting=words("homes", "health", "work"),
        unless_of_a_day=words("likes", "possessions", "family"),
        of_a_day=words("episodic", "of_a_day"),
        rules=tuple(
            (kind, words(kind)) for kind in ("episodic", "semantic", "procedural", "resource")
        ),
    )


def type_of(text: str) -> MemoryKind:
    """Return the type of a text: what no rule knows is knowledge.

    Who somebody is, where they live, what they like and have, and their health are `core`.
    """
    if _tells_of_the_speaker(text):
        return "core"
    for kind, words in type_words().rules:
        if words.search(text):
            return kind
    return "knowledge_vault"


def facts_about_the_speaker(text: str) -> list[str]:
    """Return the sentences in which somebody says who they are and what is theirs.

    Questions, requests and what only holds today are left out.
    """
    (_, episodic), *_ = type_words().rules
    return [
        sentence
        for sentence in sentences(text)
        if len(sentence) <= _LONGEST_FACT
        and _tells_of_the_speaker(sentence)
        and not asks(sentence)
        and not _REQUEST.match(sentence)
        and not episodic.search(sentence)
    ]


def _tells_of_the_speaker(text: str) -> bool:
    words = type_words()
    if words.about_me.search(text) or words.lasting.search(text):
        return True
    return bool(words.unless_of_a_day.search(text)) and not words.of_a_day.search(text)
