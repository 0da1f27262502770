"""Three layers of telling that a text says what is already known, each through an index."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from mnemic.language.bounds import COMPARED
from mnemic.language.differences import ComparedText, read_the_same
from mnemic.language.tokens import jaccard, word_set
from mnemic.language.updates.judgement import update_of
from mnemic.memory.texts.embedding import embed_texts
from mnemic.memory.unlocked_work import derive
from mnemic.memory.workspace import Workspace
from mnemic.records.memory import Duplicate
from mnemic.runtime.budgets import check_time
from mnemic.search.index_queries import NO_TRACE, Probe, Within
from mnemic.storage.rows import memory_rows
from mnemic.storage.rows.document_rows import Embedded
from mnemic.storage.rows.memory_rows import DerivedText

JACCARD_OVER: Final = 0.70
COSINE_OVER: Final = 0.85

# The index counts word parts and single Chinese characters too, so its share is only near the
# true one: look a little wider than the threshold, then measure exactly.
_SHARE: Final = 0.65
_COMPARED: Final = 10
# Texts that share words are looked at further, where those before them tell of other measurements.
_LOOKED_AT: Final = 64
_COSINE_OF_SUSPECTS: Final = 0.70


class Nearest:
    """What stands closest to a new text in its scope, looked up once by whoever asks first."""

    def __init__(
        self,
        workspace: Workspace,
        terms: Collection[str],
        *,
        scope_id: int,
        embedded: Embedded | None,
    ) -> None:
        self.workspace: Final = workspace
        self.terms: Final = terms
        self.scope_id: Final = scope_id
        self.embedded: Final = embedded

    @cached_property
    def by_meaning(self) -> list[tuple[int, float]]:
        """The documents that are closest by their vectors, and their cosines."""
        if self.embedded is None:
            return []
        return self.workspace.db.search.closest(
            Probe(
                terms={},
                within=Within((self.scope_id,)),
                depth=_COMPARED,
                vector=self.embedded.vector,
                model_id=self.embedded.model_id,
            )
        )

    @cached_property
    def alike(self) -> list[int]:
        """The documents that share most of their words with it, most shared first."""
        return self.workspace.db.search.overlapping(
            self.terms, scope_id=self.scope_id, share=_SHARE, limit=_LOOKED_AT
        )

    def by_words(self, terms: Mapping[str, float]) -> list[int]:
        """Return the documents in which some words stand, the best first."""
        found = self.workspace.db.search.candidates(
            Probe(terms=terms, within=Within((self.scope_id,)), depth=_COMPARED), NO_TRACE
        )
        order = np.lexsort((-found.docs, -found.bm25))
        return found.owners[order].tolist()


@dataclass(frozen=True, slots=True)
class Deduplicator:
    """Finds the memory of a scope that a new text repeats. What was measured with it must be the
    same: a sentence with another measurement is another memory.

    With the guard on, a text that is near enough must also say the same, whatever its words or
    its vector look like: see `mnemic.language.differences`. A long text repeats nothing but itself.

    Call it where `deriving.write` writes. `texts` are all that are to be stored there, which may
    repeat each other.
    """

    workspace: Workspace
    texts: Sequence[str]

    def find(self, wording: DerivedText, nearest: Nearest) -> Duplicate | None:
        """Return what a text repeats, and how that was found; None if nothing."""
        now = self.workspace.clock()
        exact = memory_rows.first_like(self.workspace.db, nearest.scope_id, wording, now=now)
        if exact is not None:
            return Duplicate(exact, "exact", 1.0)
        if len(wording.content) > COMPARED:
            return None
        judge = _Judge(wording, self.texts, guard=self.workspace.settings.dedup_guard)
        return self._by_words(judge, nearest) or self._by_meaning(judge, nearest)

    def _by_words(self, judge: "_Judge", nearest: Nearest) -> Duplicate | None:
        db = self.workspace.db
        docs = nearest.alike
        if not docs:
            return None
        known = memory_rows.contents_of(
            db, docs, measurement=judge.measurement, now=self.workspace.clock()
        )
        suspects = [known[doc] for doc in docs if doc in known][:_COMPARED]
        alike = [
            (similarity, memory_id, text)
            for (memory_id, text), similarity in zip(
                suspects, judge.similarities([text for _, text in suspects]), strict=True
            )
        ]
        for similarity, memory_id, text in sorted(
            alike, key=lambda scored: (-scored[0], scored[1])
        ):
            if similarity > JACCARD_OVER and judge.may_merge(text):
                return Duplicate(memory_id, "jaccard", round(similarity, 4))
        return None

    def _by_meaning(self, judge: "_Judge", nearest: Nearest) -> Duplicate | None:
        """Compare texts alone: stored vectors also tell of contexts, so they only name suspects."""
        close = [doc for doc, cosine in nearest.by_meaning if cosine > _COSINE_OF_SUSPECTS]
        db = self.workspace.db
        known = (
            memory_rows.contents_of(
                db, close, measurement=judge.measurement, now=self.workspace.clock()
            )
            if close
            else {}
        )
        judge.similarities([text for _, text in known.values()])
        suspects = [(number, text) for number, text in known.values() if judge.may_merge(text)]
        if not suspects:
            return None
        texts = [judge.content, *(text for _, text in suspects)]
        own, *others = derive("vector", lambda texts: embed_texts(self.workspace, texts), texts)
        measured = [
            (float(own.vector @ other.vector), -number)
            for (number, _), other in zip(suspects, others, strict=True)
            if own and other
        ]
        cosine, oldest = max(measured, default=(0.0, 0))
        if cosine > COSINE_OVER:
            return Duplicate(-oldest, "cosine", round(min(1.0, cosine), 4))
        return None


@dataclass(frozen=True, slots=True)
class _Read:
    """What a text is compared by."""

    words: frozenset[str]
    reading: ComparedText


# Texts are compared with the same neighbours again and again. What was read lately is at hand, so
# that most transactions need not be done twice.
_recent: Final[dict[str, _Read]] = {}
_MOST_RECENT: Final = 1_000


def read_ahead(text: str) -> None:
    """Read a text that will be compared with others."""
    if len(text) <= COMPARED:
        _read(text)


def _read_each(texts: Sequence[str]) -> list[_Read | None]:
    """Read texts for comparing them with others; None stands for one that is too long for that."""
    return [_read(text) if len(text) <= COMPARED else None for text in texts]


def _read(text: str) -> _Read:
    known = _recent.get(text)
    if known is not None:
        return known
    check_time()
    reading = ComparedText(text)
    # All of it now: nothing is to be worked out while the store is locked.
    _ = reading.letters, reading.signs, reading.numbers, reading.asks, reading.reports
    _ = reading.words, reading.mark
    read = _Read(word_set(text), reading)
    if len(_recent) >= _MOST_RECENT:
        _recent.clear()
    _recent[text] = read
    return read


class _Judge:
    """Compares one new text with known ones; each is read once at most, and only if asked for."""

    def __init__(self, wording: DerivedText, beside: Sequence[str], *, guard: bool) -> None:
        self.content: Final = wording.content
        self.measurement: Final = wording.measurement
        self._beside = beside
        self._guard = guard
        self._read: dict[str, _Read | None] = {}

    def similarities(self, known: Sequence[str]) -> list[float]:
        """Return how many of their words known texts share with the new one, 0 to 1 each."""
        wanted = dict.fromkeys((self.content, *known, *self._beside)) if known else ()
        self._read |= {text: read for text in wanted if (read := _recent.get(text))}
        texts = [text for text in wanted if text not in self._read]
        self._read |= zip(texts, derive("read", _read_each, texts), strict=True)
        own = self._read.get(self.content)
        return [
            jaccard(own.words, other.words) if own and (other := self._read[text]) else 0.0
            for text in known
        ]

    def may_merge(self, known: str) -> bool:
        """Tell whether nothing is lost when the new text is dropped for a known one."""
        own, other = self._read.get(self.content), self._read.get(known)
        if own is None or other is None:
            return False
        if not self._guard:
            return update_of(self.content, known) is None
        return read_the_same(own.reading, other.reading)
