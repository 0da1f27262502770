"""A large made-up store for measuring recall, and the questions that are put to it.

The same size and seed give the same memories and the same questions. Most memories lie in one
scope; others in scopes of fixed sizes, scattered among them. A fifth is Chinese.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any, Final

from harness.sentences import Writer
from mnemic.language.lexicon.stopwords import ENGLISH
from mnemic.language.tokens import index_terms
from mnemic.memory.texts.context_words import embedding_text
from mnemic.records.filters import parse_filter, parse_near
from mnemic.records.memory import Scope
from mnemic.records.query import Query

EVERYWHERE: Final = "everywhere"
SMALL_SCOPES: Final = (100, 1_000, 100_000)
QUESTIONS: Final = 40
TOP: Final = 10
"""How many hits a question asks for."""
_CHINESE_SHARE: Final = 0.2
_SCENES: Final = 1_000
_SAMPLE: Final = 10_000
_TASKS: Final = 1_000
# Words that a program writes into many of its notes, and in which share of the English ones.
_FREQUENT: Final = {
    "robot": 0.55,
    "task": 0.45,
    "arm": 0.35,
    "test": 0.3,
    "unit": 0.25,
    "note": 0.2,
    "speed": 0.18,
    "sensor": 0.15,
}
_WORD: Final = re.compile(r"[A-Za-z][a-z]{2,}")
_RARE_SHARE: Final = 0.001
_COMMON_SHARES: Final = (0.1, 0.5)


@dataclass(frozen=True, slots=True)
class Row:
    """One memory to store."""

    text: str
    scope: str
    context: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Question:
    """One recall: what is asked, where, and what restricts or orders the answer."""

    text: str
    scope: str = EVERYWHERE
    filter: dict[str, Any] | None = None
    near: dict[str, Any] | None = None
    mode: str = "hybrid"

    def query(self, *, limit: int = TOP, **more: Any) -> Query:
        return Query(
            self.text,
            scopes=(Scope("collection", self.scope),),
            limit=limit,
            filter=parse_filter(self.filter),
            near=parse_near(self.near),
            mode=more.pop("mode", self.mode),
            **more,
        )


def rows(size: int, seed: int) -> Iterator[Row]:
    """Return the memories of a store, in the order in which they are stored."""
    writer, rng = Writer(seed, chinese_share=_CHINESE_SHARE), Random(seed + 1)
    scopes = _scattered(size, rng)
    for at, text in enumerate(writer.texts(size)):
        yield Row(_with_frequent(text, rng), scopes.get(at, EVERYWHERE), _context(rng))


def embedding_text_of(row: Row) -> str:
    """Return the text that the engine will want to be embedded."""
    return embedding_text(row.text, row.context, None)


def scope_of(members: int) -> str:
    """Return the name of the scope that holds so many memories."""
    return f"scope-{members}"


def questions(size: int, seed: int) -> dict[str, list[Question]]:
    """Return the questions of every kind that the size allows."""
    words = _Words(size, seed)
    rng = words.rng
    several = range(QUESTIONS)
    mixed = [words.mixed() for _ in several]
    kinds = {
        "rare words": [Question(words.rare()) for _ in several],
        "common words": [Question(words.common()) for _ in several],
        "mixed": [Question(text) for text in mixed],
        "Chinese": [Question(words.chinese()) for _ in several],
        "filter that 30 % pass": [Question(text, filter={"outcome": "success"}) for text in mixed],
        "filter that 0.1 % pass": [
            Question(text, filter={"scene": f"scene-{rng.randrange(_SCENES)}"}) for text in mixed
        ],
        "filter and range (6 % pass)": [
            Question(text, filter={"outcome": "success", "score": {"$gte": 0.8}}) for text in mixed
        ],
    }
    for members in scope_sizes(size):
        kinds[f"in a scope of {members:,}"] = [
            Question(text, scope=scope_of(members)) for text in mixed
        ]
    kinds["by distance, everywhere"] = [
        Question(text, near={"field": "spatial.position", "target": _position(rng)})
        for text in mixed
    ]
    kinds["vectors only"] = [Question(text, mode="vec_only") for text in mixed]
    kinds["words only"] = [Question(text, mode="bm25_only") for text in mixed]
    return kinds


def scope_sizes(size: int) -> list[int]:
    """Return how large the scopes beside the big one are: together never half of the store."""
    return [members for members in SMALL_SCOPES if members * 4 <= size]


class _Words:
    """Questions made of words whose frequency in the store is known from its beginning."""

    def __init__(self, size: int, seed: int) -> None:
        self.rng = Random(seed + 2)
        self._writer = Writer(seed + 3)
        sample = [row.text for row in islice(rows(size, seed), _SAMPLE)]
        spread = Counter(term for text in sample for term in index_terms(text))
        least, most = (share * len(sample) for share in _COMMON_SHARES)
        self._english = [text for text in sample if text.isascii()]
        self._rare_most = max(1.0, _RARE_SHARE * len(sample))
        self._spread = spread
        surface = Counter(
            word for text in self._english for word in set(_WORD.findall(text.lower()))
        )
        self._common = [
            # In an order that every process has.
            word
            for word, many in sorted(surface.items())
            if least <= many <= most and word not in ENGLISH
        ]

    def rare(self) -> str:
        """Return the rarest words of some memory, at least one of them really rare."""
        while True:
            chosen = self._rarest(self.rng.choice(self._english), 3)
            if self._count(chosen[0]) <= self._rare_most:
                return " ".join(chosen)

    def common(self) -> str:
        """Return words that each stand in a tenth to a half of all memories."""
        return " ".join(self.rng.sample(self._common, 3))

    def mixed(self) -> str:
        """Return a question of ordinary words with a rare and two common ones."""
        [rare] = self._rarest(self.rng.choice(self._english), 1)
        asked = self._writer.question(chinese=False)
        return " ".join([asked, rare, *self.rng.sample(self._common, 2)])

    def chinese(self) -> str:
        return self._writer.question(chinese=True)

    def _rarest(self, text: str, count: int) -> Sequence[str]:
        return sorted(set(_WORD.findall(text)), key=lambda word: (self._count(word), word))[:count]

    def _count(self, word: str) -> int:
        return max(self._spread[term] for term in index_terms(word))


def _scattered(size: int, rng: Random) -> dict[int, str]:
    places = iter(rng.sample(range(size), sum(scope_sizes(size))))
    return {
        at: scope_of(members) for members in scope_sizes(size) for at in islice(places, members)
    }


def _with_frequent(text: str, rng: Random) -> str:
    if not text.isascii():
        return text
    added = [word for word, share in _FREQUENT.items() if rng.random() < share]
    return f"{text} {' '.join(added).capitalize()}." if added else text


def _context(rng: Random) -> dict[str, Any]:
    return {
        "task": f"task-{int(rng.paretovariate(0.7)) % _TASKS}",
        "scene": f"scene-{rng.randrange(_SCENES)}",
        "outcome": "success" if rng.random() < 0.3 else "failure",
        "score": round(rng.random(), 3),
        "spatial": {"position": _position(rng)},
    }


def _position(rng: Random) -> list[float]:
    return [round(rng.uniform(-10, 10), 3) for _ in range(3)]
