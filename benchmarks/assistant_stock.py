"""One user's made-up memories, and searches whose answer is known.

The same size and seed give the same ones. A search asks with about half of the words of one
memory, in their order: something that every program can find, by words or by meaning.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from sentences import Writer

TYPES: Final = ("core", "episodic", "semantic", "procedural", "resource", "knowledge_vault")
_WORD: Final = re.compile(r"[\w.=-]*\w")
_CHINESE_MARKS: Final = re.compile(r"[，。]")
_LEAST_WORDS: Final = 4
_LEAST_CHARACTERS: Final = 8


@dataclass(frozen=True, slots=True)
class Search:
    """A question, and the id of the memory whose words it has."""

    text: str
    target: str

    @property
    def language(self) -> str:
        """The language of the question."""
        return "English" if self.text.isascii() else "Chinese"


@dataclass(frozen=True, slots=True)
class Stock:
    """What is in the store before anything is measured, and what is then added and asked."""

    filled: list[dict[str, Any]]
    added: list[dict[str, Any]]
    searches: list[Search]
    messages: list[str]


def stock(size: int, seed: int, *, adds: int, searches: int, messages: int) -> Stock:
    """Return the memories and the calls of a run."""
    writer = Writer(seed)
    docs = [
        {"id": str(at), "text": text, "type": TYPES[at % len(TYPES)]}
        for at, text in enumerate(writer.texts(size + adds))
    ]
    filled = docs[:size]
    return Stock(
        filled, docs[size:], _searches(filled, searches, Random(seed)), writer.questions(messages)
    )


def _searches(docs: Sequence[dict[str, Any]], count: int, rng: Random) -> list[Search]:
    """Return searches that are English and Chinese in turn."""
    english = [doc for doc in docs if doc["text"].isascii()]
    chinese = [doc for doc in docs if not doc["text"].isascii()]
    asked: list[Search] = []
    for at in range(count):
        doc = rng.choice(chinese if at % 2 else english)
        part = _chinese_part if at % 2 else _english_part
        asked.append(Search(part(doc["text"], rng), doc["id"]))
    return asked


def _english_part(text: str, rng: Random) -> str:
    words = _WORD.findall(text)
    kept = sorted(rng.sample(range(len(words)), min(len(words), _half(words, _LEAST_WORDS))))
    return " ".join(words[at] for at in kept)


def _chinese_part(text: str, rng: Random) -> str:
    """Return a stretch of the text, because its words have no marks between them."""
    bare = _CHINESE_MARKS.sub(" ", text).strip()
    length = min(len(bare), _half(bare, _LEAST_CHARACTERS))
    start = rng.randrange(len(bare) - length + 1)
    return bare[start : start + length].strip()


def _half(parts: Sequence[str], least: int) -> int:
    return max(least, len(parts) // 2)
