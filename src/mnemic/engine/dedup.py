"""Three layers of telling that a text says what is already known, each through an index."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from mnemic.records import Duplicate
from mnemic.storage import memories
from mnemic.storage.database import Database
from mnemic.storage.documents import Embedded
from mnemic.storage.memories import Wording
from mnemic.storage.search import Probe, Within
from mnemic.text.conflicts import conflict
from mnemic.text.tokens import jaccard, word_set

JACCARD_OVER: Final = 0.70
COSINE_OVER: Final = 0.85

# The index counts word parts and single Chinese characters too, so its share is only near the
# true one: look a little wider than the threshold, then measure exactly.
_SHARE: Final = 0.60
_COMPARED: Final = 10


@dataclass(frozen=True, slots=True)
class Deduplicator:
    """Finds the memory of a scope that a new text repeats.

    With the guard on, texts that differ in a number, a unit, a negation, an outcome or a
    direction are different lessons, however alike they look.
    """

    db: Database
    guard: bool

    def find(
        self,
        wording: Wording,
        terms: Collection[str],
        *,
        scope_id: int,
        embedded: Embedded | None,
    ) -> Duplicate | None:
        """Return what is repeated, and how that was found; None for something new."""
        exact = memories.first_with_hash(self.db, scope_id, wording.content_hash)
        if exact is not None:
            return Duplicate(exact, "exact", 1.0)
        return self._by_words(wording.content, terms, scope_id) or (
            self._by_meaning(wording.content, scope_id, embedded) if embedded else None
        )

    def _by_words(self, content: str, terms: Collection[str], scope_id: int) -> Duplicate | None:
        docs = self.db.search.overlapping(terms, scope_id=scope_id, share=_SHARE, limit=_COMPARED)
        if not docs:
            return None
        words = word_set(content)
        alike = [
            (jaccard(words, word_set(text)), memory_id, text)
            for memory_id, text in memories.contents_of(self.db, docs).values()
        ]
        for similarity, memory_id, text in sorted(alike, key=lambda one: (-one[0], one[1])):
            if similarity > JACCARD_OVER and not self._differ(content, text):
                return Duplicate(memory_id, "jaccard", round(similarity, 4))
        return None

    def _by_meaning(self, content: str, scope_id: int, embedded: Embedded) -> Duplicate | None:
        found = self.db.search.candidates(
            Probe(
                terms={},
                within=Within((scope_id,)),
                depth=_COMPARED,
                vector=embedded.vector,
                model_id=embedded.model_id,
            )
        )
        cosines = dict(zip(found.docs.tolist(), found.cosine.tolist(), strict=True))
        close = [doc for doc, cosine in cosines.items() if cosine > COSINE_OVER]
        known = memories.contents_of(self.db, close) if close else {}
        for doc in sorted(known, key=lambda doc: (-cosines[doc], doc)):
            memory_id, text = known[doc]
            if not self._differ(content, text):
                return Duplicate(memory_id, "cosine", round(min(1.0, cosines[doc]), 4))
        return None

    def _differ(self, one: str, other: str) -> bool:
        return self.guard and conflict(one, other) is not None
