"""Measuring many settings of the ranking without searching anew for each of them."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

import mnemic
from evaluation.retrieval import ask
from harness.datasets import Ranking, Unit
from mnemic.memory.retrieval import ranking
from mnemic.memory.retrieval import recall as recalling
from mnemic.memory.retrieval.ranking import QuestionHints, Ranked
from mnemic.providers.embedders.loading import LazyEmbedder
from mnemic.search.index_queries import NO_RUN, Candidates
from mnemic.storage.rows import memory_rows

_SHOWN: Final = 20


@dataclass(frozen=True, slots=True)
class Searched:
    """A question with everything that its ranking depends on."""

    query: dict[str, Any]
    found: Candidates
    asked: QuestionHints
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
    with ExitStack() as stack:
        for target, value in values.items():
            stack.enter_context(patch(target, value))
        yield


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

    with patched({"mnemic.providers.embedders.loading.LazyEmbedder.embed": remembered}):
        yield


def search(
    memory: mnemic.OpenMemory, units: Sequence[Unit], texts: Mapping[int, str]
) -> list[Searched]:
    """Ask every question once, and keep what the channels found of it."""
    seen: list[tuple[Candidates, QuestionHints, float, int]] = []

    def recorded(
        found: Candidates, asked: QuestionHints, *, word_weight: float, limit: int
    ) -> Ranked:
        seen.append((_lean(found), asked, word_weight, limit))
        return ranking.rank(found, asked, word_weight=word_weight, limit=limit)

    with patched({f"{recalling.__name__}.rank": recorded}):
        ask(memory, units, texts)
    names = _names(memory, (found for found, *_ in seen), texts)
    queries = [query for unit in units for query in unit["queries"]]
    return [Searched(query, *found, names) for query, found in zip(queries, seen, strict=True)]


def _lean(found: Candidates) -> Candidates:
    """Leave out vectors where the ranking does not look at them: inside of runs."""
    if (found.runs == NO_RUN).any():
        return found
    return replace(found, vectors=np.zeros((len(found), 1), np.float32))


def _names(
    memory: mnemic.OpenMemory, found: Iterator[Candidates], texts: Mapping[int, str]
) -> dict[int, str]:
    docs = sorted({doc for candidates in found for doc in candidates.docs.tolist()})
    stored = memory_rows.by_docs(memory._workspace.db, docs)
    return {doc: texts[stored[doc].id] for doc in docs}
