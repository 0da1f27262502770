"""Measuring many settings of the ranking without searching anew for each of them."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

import mnemic
from mnemic.engine import ranking
from mnemic.engine import recall as recalling
from mnemic.engine.ranking import Asked, Ranked
from mnemic.providers.loading import LazyEmbedder
from mnemic.storage import memories
from mnemic.storage.search import NO_RUN, Candidates
from retrieval import Ranking, Unit, ask

_SHOWN: Final = 20


@dataclass(frozen=True, slots=True)
class Searched:
    """A question with everything that its ranking depends on."""

    query: dict[str, Any]
    found: Candidates
    asked: Asked
    word_weight: float
    limit: int
    names: Mapping[int, str]

    def ranked(self, *, word_weight: float | None = None) -> Ranking:
        """Return the question's ranking by the constants that are in force now."""
        weight = self.word_weight if word_weight is None else word_weight
        order = ranking.rank(self.found, self.asked, word_weight=weight, limit=self.limit)
        return self.query, [self.names[doc] for doc in order.found.docs[:_SHOWN].tolist()]


@contextmanager
def patched(values: Mapping[str, object]) -> Generator[None]:
    """Replace names of modules, each given with its module's, while something is measured."""
    patches = [patch(target, value) for target, value in values.items()]
    for one in patches:
        one.start()
    try:
        yield
    finally:
        for one in reversed(patches):
            one.stop()


@contextmanager
def embedding_once() -> Generator[None]:
    """Embed no text twice in this process: most variants of a store embed the same ones."""
    known: dict[str, NDArray[np.float32]] = {}
    embed = LazyEmbedder.embed

    def remembered(
        self: LazyEmbedder, texts: Sequence[str], *, wait: bool
    ) -> NDArray[np.float32] | None:
        new = list(dict.fromkeys(text for text in texts if text not in known))
        rows = embed(self, new, wait=wait) if new else []
        if rows is None:
            return None
        known.update(zip(new, rows, strict=True))
        return np.stack([known[text] for text in texts])

    with patched({"mnemic.providers.loading.LazyEmbedder.embed": remembered}):
        yield


def search(
    memory: mnemic.OpenMemory, units: Sequence[Unit], texts: Mapping[int, str]
) -> list[Searched]:
    """Ask every question once, and keep what the channels found of it."""
    seen: list[tuple[Candidates, Asked, float, int]] = []

    def watched(found: Candidates, asked: Asked, *, word_weight: float, limit: int) -> Ranked:
        seen.append((_lean(found), asked, word_weight, limit))
        return ranking.rank(found, asked, word_weight=word_weight, limit=limit)

    with patched({f"{recalling.__name__}.rank": watched}):
        ask(memory, units, dict(texts))
    names = _names(memory, (found for found, *_ in seen), texts)
    queries = [query for unit in units for query in unit["queries"]]
    return [Searched(query, *one, names) for query, one in zip(queries, seen, strict=True)]


def _lean(found: Candidates) -> Candidates:
    """Leave out vectors where the ranking does not look at them: inside of runs."""
    if (found.runs == NO_RUN).any():
        return found
    return replace(found, vectors=np.zeros((len(found), 1), np.float32))


def _names(
    memory: mnemic.OpenMemory, found: Iterator[Candidates], texts: Mapping[int, str]
) -> dict[int, str]:
    docs = sorted({doc for one in found for doc in one.docs.tolist()})
    there = memories.by_docs(memory._workspace.db, docs)
    return {doc: texts[there[doc].id] for doc in docs}
