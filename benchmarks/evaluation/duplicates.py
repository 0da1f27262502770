"""How well dedup does on pairs of sentences, and what it merges in conversations."""

import hashlib
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import compress
from pathlib import Path
from typing import Any, Final

import mnemic
from evaluation.retrieval import open_memory, scope_of
from harness.datasets import CONVERSATIONS, load, load_lines
from harness.results import progress
from mnemic.language.tokens import normalise
from mnemic.records.memory import Draft, Scope

_BATCH: Final = 1_000


def evaluate(data: Path, *, embedder: str) -> dict[str, Any]:
    """Return precision and recall with and without the guard.

    Rules were made by looking at one half of the pairs, by a hash; only the other one counts.
    """
    pairs = load_lines("dedup.dev.jsonl.gz", data)
    held_out = [_is_held_out(pair) for pair in pairs]
    halves = {"": held_out, ", seen half": [not held for held in held_out]}
    result: dict[str, Any] = {"half": "dev", "pairs": len(pairs), "held_out": sum(held_out)}
    with tempfile.TemporaryDirectory(prefix="mnemic-dedup-") as scratch:
        first = Path(scratch) / "first"
        progress(f"dedup: {len(pairs):,} first sentences")
        with mnemic.open(first / "memory.db", embedder=embedder, durability="off") as memory:
            _learn(memory, (pair["a"] for pair in pairs))
        for name, guard in (("guard on", True), ("guard off", False)):
            progress(f"dedup: second sentences, {name}")
            second = shutil.copytree(first, Path(scratch) / name)
            options = {"embedder": embedder, "durability": "off", "dedup_guard": guard}
            with mnemic.open(second / "memory.db", **options) as memory:
                methods = _learn(memory, (pair["b"] for pair in pairs))
            for half, chosen in halves.items():
                result[name + half] = _judge(
                    list(compress(pairs, chosen)), list(compress(methods, chosen))
                )
            result[f"conversations, {name}"] = {
                source: _merged(source, data, embedder=embedder, guard=guard)
                for source in CONVERSATIONS
            }
    return result


def _is_held_out(pair: dict[str, Any]) -> bool:
    digest = hashlib.sha256(f"{pair['a']}\n{pair['b']}".encode()).digest()
    return digest[-1] % 2 == 1


def _merged(name: str, data: Path, *, embedder: str, guard: bool) -> dict[str, int]:
    """Return how many messages were refused though nobody had said just that."""
    counts = Counter(messages=0, repeated=0, different_merged=0)
    progress(f"dedup: messages of {name}, guard {'on' if guard else 'off'}")
    with open_memory(embedder, dedup_guard=guard) as memory:
        for unit in load(name, data):
            drafts = [Draft(doc["text"], scope_of(unit)) for doc in unit["docs"]]
            for draft, stored in zip(drafts, memory.remember_many(drafts), strict=True):
                equal = _bare(draft.content) == _bare(stored.memory.content)
                counts["repeated" if equal else "different_merged"] += bool(stored.duplicate)
            counts["messages"] += len(drafts)
    return dict(counts)


def _bare(text: str) -> str:
    """Return a text without what two spellings of it may differ in: case, width, punctuation."""
    return "".join(char for char in normalise(text) if char.isalnum())


def _learn(memory: mnemic.OpenMemory, texts: Iterable[str]) -> list[str | None]:
    """Learn each text in a collection of its own; return how it was found to be known."""
    drafts = [Draft(text, Scope("collection", f"pair-{at}")) for at, text in enumerate(texts)]
    return [
        stored.duplicate.method if stored.duplicate else None
        for start in range(0, len(drafts), _BATCH)
        for stored in memory.remember_many(drafts[start : start + _BATCH])
    ]


def _judge(pairs: Sequence[dict[str, Any]], methods: Sequence[str | None]) -> dict[str, Any]:
    groups: dict[str, list[tuple[bool, str | None]]] = {}
    for pair, method in zip(pairs, methods, strict=True):
        for group in ("all", pair["lang"], f"{pair['src']} ({pair['lang']})"):
            groups.setdefault(group, []).append((bool(pair["label"]), method))
    return {group: _measures(judged) for group, judged in groups.items()}


def _measures(judged: Sequence[tuple[bool, str | None]]) -> dict[str, Any]:
    merged = sum(method is not None for _, method in judged)
    same = sum(label for label, _ in judged)
    right = sum(label and method is not None for label, method in judged)
    precision = right / merged if merged else None
    recall = right / same if same else None
    return {
        "pairs": len(judged),
        "same": same,
        "precision": precision,
        "recall": recall,
        "f1": 2 * precision * recall / (precision + recall) if precision and recall else 0.0,
        "right_by_method": Counter(method for label, method in judged if method and label),
        "wrong_by_method": Counter(method for label, method in judged if method and not label),
    }
