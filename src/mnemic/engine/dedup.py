"""Three layers of telling that a text says what is already known, each through an index."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from mnemic.engine.embedding import embed_texts
from mnemic.engine.workspace import Workspace
from mnemic.records import Duplicate
from mnemic.storage import memories
from mnemic.storage.documents import Embedded
from mnemic.storage.memories import Wording
from mnemic.storage.search import Probe, Within
from mnemic.text.differences import Reading, same
from mnemic.text.tokens import jaccard, word_set

JACCARD_OVER: Final = 0.70
COSINE_OVER: Final = 0.85

# The index counts word parts and single Chinese characters too, so its share is only near the
# true one: look a little wider than the threshold, then measure exactly.
_SHARE: Final = 0.65
_COMPARED: Final = 10
_COSINE_OF_SUSPECTS: Final = 0.70


@dataclass(frozen=True, slots=True)
class Deduplicator:
    """Finds the memory of a scope that a new text repeats.

    With the guard on, a text that is near enough must also say the same, whatever its words or
    its vector look like: see `mnemic.text.differences`.
    """

    workspace: Workspace

    def find(
        self,
        wording: Wording,
        terms: Collection[str],
        *,
        scope_id: int,
        embedded: Embedded | None,
    ) -> Duplicate | None:
        """Return what a text with these terms repeats, and how that was found; None if nothing."""
        exact = memories.first_with_hash(self.workspace.db, scope_id, wording.content_hash)
        if exact is not None:
            return Duplicate(exact, "exact", 1.0)
        judge = _Judge(wording.content, guard=self.workspace.settings.dedup_guard)
        return self._by_words(judge, terms, scope_id) or (
            self._by_meaning(judge, scope_id, embedded) if embedded else None
        )

    def _by_words(self, judge: "_Judge", terms: Collection[str], scope_id: int) -> Duplicate | None:
        db = self.workspace.db
        docs = db.search.overlapping(terms, scope_id=scope_id, share=_SHARE, limit=_COMPARED)
        if not docs:
            return None
        words = word_set(judge.content)
        alike = [
            (jaccard(words, word_set(text)), memory_id, text)
            for memory_id, text in memories.contents_of(db, docs).values()
        ]
        for similarity, memory_id, text in sorted(alike, key=lambda one: (-one[0], one[1])):
            if similarity > JACCARD_OVER and judge.may_merge(text):
                return Duplicate(memory_id, "jaccard", round(similarity, 4))
        return None

    def _by_meaning(self, judge: "_Judge", scope_id: int, embedded: Embedded) -> Duplicate | None:
        """Compare texts alone: stored vectors also tell of contexts, so they only name suspects."""
        found = self.workspace.db.search.closest(
            Probe(
                terms={},
                within=Within((scope_id,)),
                depth=_COMPARED,
                vector=embedded.vector,
                model_id=embedded.model_id,
            )
        )
        close = [doc for doc, cosine in found if cosine > _COSINE_OF_SUSPECTS]
        known = memories.contents_of(self.workspace.db, close) if close else {}
        suspects = [(number, text) for number, text in known.values() if judge.may_merge(text)]
        if not suspects:
            return None
        own, *others = embed_texts(self.workspace, [judge.content, *(text for _, text in suspects)])
        measured = [
            (float(own.vector @ other.vector), -number)
            for (number, _), other in zip(suspects, others, strict=True)
            if own and other
        ]
        cosine, oldest = max(measured, default=(0.0, 0))
        if cosine > COSINE_OVER:
            return Duplicate(-oldest, "cosine", round(min(1.0, cosine), 4))
        return None


class _Judge:
    """Compares one new text with known ones; reads each of them once at most, and only if asked."""

    def __init__(self, content: str, *, guard: bool) -> None:
        self.content: Final = content
        self._guard = guard
        self._reading: Reading | None = None
        self._different: set[str] = set()

    def may_merge(self, known: str) -> bool:
        """Tell whether nothing is lost when the new text is dropped for a known one."""
        if not self._guard:
            return True
        # Both layers often meet the same neighbours.
        if known in self._different:
            return False
        if self._reading is None:
            self._reading = Reading(self.content)
        if same(self._reading, Reading(known)):
            return True
        self._different.add(known)
        return False
