"""How often the category of a sentence is the one that a reader gave it."""

import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from evaluation.retrieval import open_memory
from harness.datasets import load_lines
from mnemic.records.memory import Draft

# The rules of the categories were written with the first half in view. Of the second only totals
# are shown, so that it stays unread.
_HALVES: Final = ("half read while writing rules", "half not read")
_LANGUAGES: Final = ("en", "zh")

Case = dict[str, Any]
Judged = Sequence[tuple[Case, str]]
"""Cases with the category that Mnemic gives them."""


def evaluate(data: Path) -> dict[str, Any]:
    """Return the shares that are right by language, half and category, and common mistakes."""
    cases = load_lines("classify.dev.jsonl", data)
    with open_memory("none") as memory:
        stored = memory.remember_many([Draft(case["text"], dedup=False) for case in cases])
    judged = [(case, row.memory.category) for case, row in zip(cases, stored, strict=True)]
    halves = {name: [pair for pair in judged if _half(pair[0]) == name] for name in _HALVES}
    read = halves[_HALVES[0]]
    return {
        "half": "dev",
        "languages": _by_language(judged),
        "halves": {name: _by_language(half) for name, half in halves.items()},
        "categories": _by_category(read),
        "mistakes": Counter(
            f"{case['lang']}: {case['category']} → {category}"
            for case, category in read
            if case["category"] != category
        ),
    }


def _half(case: Case) -> str:
    return _HALVES[zlib.crc32(case["text"].encode()) % 2]


def _by_language(judged: Judged) -> list[list[Any]]:
    """Return rows: language, then count and share of all, with and without a trigger word."""
    rows: list[list[Any]] = []
    for language in _LANGUAGES:
        own = list(_chosen(judged, lang=language))
        triggered = [(case, category) for case, category in own if case["trigger_word"]]
        others = [(case, category) for case, category in own if not case["trigger_word"]]
        rows.append([language, *_share(own), *_share(triggered), *_share(others)])
    return rows


def _by_category(judged: Judged) -> list[list[Any]]:
    """Return rows: category, then count and share in each language."""
    return [
        [
            category,
            *(
                value
                for language in _LANGUAGES
                for value in _share(list(_chosen(judged, lang=language, category=category)))
            ),
        ]
        for category in sorted({case["category"] for case, _ in judged})
    ]


def _chosen(judged: Judged, **fields: str) -> Iterator[tuple[Case, str]]:
    return (pair for pair in judged if fields.items() <= pair[0].items())


def _share(judged: Judged) -> tuple[int, float | None]:
    right = sum(case["category"] == category for case, category in judged)
    return len(judged), right / len(judged) if judged else None
