"""Which of the six types of an assistant's memory a text is, by the words that it uses."""

import re
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

# In this order; the first that is found decides.
_RULES: Final[tuple[tuple[MemoryKind, re.Pattern[str]], ...]] = (
    ("core", linear(r"我是|我的|我叫|\b(?:i am|i['’]m|my|call me)\b", re.IGNORECASE)),
    (
        "episodic",
        linear(
            r"今天|昨天|刚才|\b(?:today|yesterday|just now|this morning|last night|tonight)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "semantic",
        linear(
            r"定义|概念|原理|\b(?:defined as|definitions?|concepts?|principles?)\b", re.IGNORECASE
        ),
    ),
    (
        "procedural",
        linear(r"步骤|方法|如何|\b(?:steps?|methods?|how to|procedure)\b", re.IGNORECASE),
    ),
    (
        "resource",
        linear(
            r"链接|文档|资源|https?://|\b(?:links?|documents?|documentation|resources?)\b",
            re.IGNORECASE,
        ),
    ),
)
# Somebody who asks for something says nothing about themselves.
_REQUEST: Final = opening(
    r"\s*(?:(?:please|can you|could you|would you|help|tell|show|give|let['’]?s|remind)\b"
    r"|请|帮|麻烦|告诉|给我|能不能|可以)",
    re.IGNORECASE,
)
_LONGEST_FACT: Final = 300


def type_of(text: str) -> MemoryKind:
    """Return the type of a text: what no rule knows is knowledge."""
    for kind, words in _RULES:
        if words.search(text):
            return kind
    return "knowledge_vault"


def facts_about_the_speaker(text: str) -> list[str]:
    """Return the sentences in which somebody says who they are and what is theirs.

    Questions, requests and what only holds today are left out.
    """
    (_, about_me), (_, of_the_day), *_ = _RULES
    return [
        sentence
        for sentence in sentences(text)
        if len(sentence) <= _LONGEST_FACT
        and about_me.search(sentence)
        and not asks(sentence)
        and not _REQUEST.match(sentence)
        and not of_the_day.search(sentence)
    ]
