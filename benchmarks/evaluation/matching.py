"""What a matching query keeps of the right memories, and what it says where nothing is known.

Every text of LoCoMo and MemDaily is a memory of its own, outside of any run, as an assistant keeps
what it is told. A question is asked of its own store, of the next one of the same set, and of one
of the other set, which knows nothing of it and is in the other language.
"""

from collections.abc import Sequence
from pathlib import Path
from statistics import mean, median
from typing import Any, Final

import mnemic
from evaluation.abstention import holds_answer, is_answerable, next_units
from evaluation.retrieval import open_memory, scope_of
from harness.datasets import CONVERSATIONS, Unit, load
from harness.results import progress
from mnemic.records.memory import Draft, Recalled, RecallMode
from mnemic.records.query import Query

_MODES: Final[tuple[RecallMode, ...]] = ("hybrid", "bm25_only")
_DEPTH: Final = 100
_FIRST: Final = 10


def evaluate(data: Path, *, embedder: str) -> dict[str, Any]:
    """Return how matching does on each set, by words alone and with vectors."""
    sets = {name: load(name, data) for name in CONVERSATIONS}
    result: dict[str, Any] = {}
    with open_memory(embedder) as memory:
        texts = {name: _remember(memory, units) for name, units in sets.items()}
        for mode in _MODES:
            for name, other in (CONVERSATIONS, CONVERSATIONS[::-1]):
                progress(f"matching: {name}, {mode}")
                matching = _Matching(memory, texts[name], mode)
                result[f"{name}, {mode}"] = matching.measure(sets[name], sets[other])
    return result


def _remember(memory: mnemic.OpenMemory, units: Sequence[Unit]) -> dict[int, str]:
    texts: dict[int, str] = {}
    for unit in units:
        drafts = [Draft(doc["text"], scope_of(unit), dedup=False) for doc in unit["docs"]]
        for stored, doc in zip(memory.remember_many(drafts), unit["docs"], strict=True):
            texts[stored.memory.id] = doc["id"]
    return texts


class _Matching:
    """Matching queries in one mode over the texts of one set."""

    def __init__(self, memory: mnemic.OpenMemory, texts: dict[int, str], mode: RecallMode) -> None:
        self._memory = memory
        self._texts = texts
        self._mode: RecallMode = mode

    def measure(self, units: Sequence[Unit], others: Sequence[Unit]) -> dict[str, Any]:
        """Return what is kept of right memories, and how often nothing is rightly found."""
        asked = [(u, query) for u in units for query in u["queries"] if is_answerable(query)]
        kept, wanted = 0, 0
        totals, answered, first = list[int](), list[bool](), list[bool]()
        for unit, query in asked:
            recalled, gold = self._recall(query, unit), set(query["gold"])
            found = gold & self._found(recalled)
            kept, wanted = kept + len(found), wanted + len(gold)
            totals.append(recalled.total or 0)
            answered.append(bool(found))
            if gold & self._found(self._recall(query, unit, matching=False), _FIRST):
                first.append(bool(found))
        following = next_units(units)
        beside = [
            not self._recall(query, following[unit["unit"]]).total
            for unit, query in asked
            if not holds_answer(following[unit["unit"]], query, unit)
        ]
        apart = [
            not self._recall(query, others[number % len(others)]).total
            for number, (_, query) in enumerate(asked)
        ]
        return {
            "questions": len(answered),
            "right memories kept": kept / wanted,
            "questions with a right one": mean(answered),
            "of those with one in the first ten": mean(first),
            "median of matches": median(totals),
            "nothing, of the next store": mean(beside),
            "nothing, of another set": mean(apart),
        }

    def _recall(self, query: dict[str, Any], unit: Unit, *, matching: bool = True) -> Recalled:
        return self._memory.recall(
            Query(
                query["q"],
                scopes=(scope_of(unit),),
                limit=_DEPTH,
                mode=self._mode,
                matching=matching,
            )
        )

    def _found(self, recalled: Recalled, depth: int = _DEPTH) -> set[str]:
        return {self._texts[hit.memory.id] for hit in recalled.hits[:depth]}
