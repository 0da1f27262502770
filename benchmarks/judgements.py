"""What `learn` decides about a text: its category, and whether it is known already."""

import gzip
import hashlib
import json
import shutil
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import mnemic
from mnemic.records import Draft, Scope
from mnemic.text.tokens import normalise
from reporting import progress, table
from retrieval import CONVERSATIONS, load

_BATCH: Final = 1_000
# The rules of the categories were written with the first half in view. Of the second only totals
# are shown, so that it stays unread.
_HALVES: Final = ("half read while writing rules", "half not read")


def classification(data: Path) -> dict[str, Any]:
    """Return how often the category of a sentence is the reader's."""
    lines = (data / "classify.dev.jsonl").read_text("utf-8").splitlines()
    cases = [json.loads(line) for line in lines]
    with mnemic.open(":memory:", embedder="none", durability="off") as memory:
        stored = memory.remember_many([Draft(case["text"], dedup=False) for case in cases])
    judged = [
        (case, one.memory.category == case["category"])
        for case, one in zip(cases, stored, strict=True)
    ]
    rows = _per_language(judged)
    columns = ["", "sentences", "right", "with trigger", "right", "without", "right"]
    table("Category of a sentence, development half (goal .85, on another half)", columns, rows)
    halves = {
        name: _per_language([one for one in judged if _half(one[0]) == name]) for name in _HALVES
    }
    for name, ours in halves.items():
        table(f"Category of a sentence, {name}", columns, ours)
    per_category = _per_category([one for one in judged if _half(one[0]) == _HALVES[0]])
    columns = ["category", "en", "en right", "zh", "zh right"]
    table(f"By category, {_HALVES[0]}", columns, per_category)
    confusion = Counter(
        f"{case['lang']}: {case['category']} → {one.memory.category}"
        for case, one in zip(cases, stored, strict=True)
        if case["category"] != one.memory.category and _half(case) == _HALVES[0]
    )
    table(f"Most frequent mistakes, {_HALVES[0]}", ["", "times"], confusion.most_common(8))
    return {
        "half": "dev",
        "languages": rows,
        "halves": halves,
        "categories": per_category,
        "mistakes": confusion,
    }


def _half(case: dict[str, Any]) -> str:
    return _HALVES[zlib.crc32(case["text"].encode()) % 2]


def _per_language(judged: Sequence[tuple[dict[str, Any], bool]]) -> list[list[Any]]:
    rows: list[list[Any]] = []
    for language in ("en", "zh"):
        ours = [one for one in judged if one[0]["lang"] == language]
        triggered = [one for one in ours if one[0]["trigger_word"]]
        others = [one for one in ours if not one[0]["trigger_word"]]
        counts = [len(ours), _share(ours), len(triggered), _share(triggered)]
        rows.append([language, *counts, len(others), _share(others)])
    return rows


def _share(judged: Sequence[tuple[Any, bool]]) -> float | None:
    return sum(right for _, right in judged) / len(judged) if judged else None


def _per_category(judged: Sequence[tuple[dict[str, Any], bool]]) -> list[list[Any]]:
    rows: list[list[Any]] = []
    for category in sorted({case["category"] for case, _ in judged}):
        row: list[Any] = [category]
        for language in ("en", "zh"):
            chosen = [
                one
                for one in judged
                if (one[0]["lang"], one[0]["category"]) == (language, category)
            ]
            row += [len(chosen), _share(chosen)]
        rows.append(row)
    return rows


def duplicates(data: Path, *, embedder: str) -> dict[str, Any]:
    """Return how well dedup does on pairs of sentences, and what it merges in conversations.

    Rules were made by looking at one half of the pairs, by a hash; only the other one counts.
    """
    lines = gzip.decompress((data / "dedup.dev.jsonl.gz").read_bytes()).decode("utf-8").splitlines()
    pairs = [json.loads(line) for line in lines]
    kept = [at for at, pair in enumerate(pairs) if _is_held_out(pair)]
    seen = sorted(set(range(len(pairs))).difference(kept))
    result: dict[str, Any] = {"half": "dev", "pairs": len(pairs), "held_out": len(kept)}
    with tempfile.TemporaryDirectory(prefix="mnemic-dedup-") as scratch:
        first = Path(scratch) / "first"
        progress(f"dedup: {len(pairs):,} first sentences")
        with mnemic.open(first / "memory.db", embedder=embedder, durability="off") as memory:
            _learn(memory, (pair["a"] for pair in pairs))
        for guard in (True, False):
            name = f"guard {'on' if guard else 'off'}"
            progress(f"dedup: second sentences, {name}")
            second = Path(scratch) / name
            shutil.copytree(first, second)
            with mnemic.open(
                second / "memory.db", embedder=embedder, durability="off", dedup_guard=guard
            ) as memory:
                found = _learn(memory, (pair["b"] for pair in pairs))
            for half, chosen in (("", kept), (", seen half", seen)):
                result[name + half] = _judge(
                    [pairs[at] for at in chosen], [found[at] for at in chosen]
                )
            result[f"conversations, {name}"] = _merged(data, embedder=embedder, guard=guard)
    _show_duplicates(result)
    return result


def _is_held_out(pair: dict[str, Any]) -> bool:
    digest = hashlib.sha256(f"{pair['a']}\n{pair['b']}".encode()).digest()
    return digest[-1] % 2 == 1


def _merged(data: Path, *, embedder: str, guard: bool) -> dict[str, dict[str, int]]:
    """Return how many messages of conversations were refused though nobody had said just that."""
    counts: dict[str, dict[str, int]] = {}
    for name in CONVERSATIONS:
        units = load(name, data)
        progress(f"dedup: messages of {name}, guard {'on' if guard else 'off'}")
        with mnemic.open(
            ":memory:", embedder=embedder, durability="off", dedup_guard=guard
        ) as memory:
            counts[name] = _merged_in(memory, units)
    return counts


def _merged_in(memory: mnemic.OpenMemory, units: Sequence[dict[str, Any]]) -> dict[str, int]:
    messages, repeated, different = 0, 0, 0
    for unit in units:
        scope = Scope("collection", unit["unit"])
        texts = [doc["text"] for doc in unit["docs"]]
        for text, one in zip(
            texts, memory.remember_many([Draft(text, scope) for text in texts]), strict=True
        ):
            if one.duplicate:
                equal = _bare(text) == _bare(one.memory.content)
                repeated, different = repeated + equal, different + (not equal)
        messages += len(texts)
    return {"messages": messages, "repeated": repeated, "different_merged": different}


def _bare(text: str) -> str:
    """Return a text without what two spellings of it may differ in: case, width, punctuation."""
    return "".join(char for char in normalise(text) if char.isalnum())


def _learn(memory: mnemic.OpenMemory, texts: Iterable[str]) -> list[str | None]:
    """Learn each text in a collection of its own; return how it was found to be known."""
    drafts = [Draft(text, Scope("collection", f"pair-{at}")) for at, text in enumerate(texts)]
    found: list[str | None] = []
    for start in range(0, len(drafts), _BATCH):
        stored = memory.remember_many(drafts[start : start + _BATCH])
        found += [one.duplicate.method if one.duplicate else None for one in stored]
    return found


def _judge(pairs: Sequence[dict[str, Any]], found: Sequence[str | None]) -> dict[str, Any]:
    groups: dict[str, list[tuple[bool, str | None]]] = {}
    for pair, method in zip(pairs, found, strict=True):
        for group in ("all", pair["lang"], f"{pair['src']} ({pair['lang']})"):
            groups.setdefault(group, []).append((bool(pair["label"]), method))
    return {group: _measures(judged) for group, judged in groups.items()}


def _measures(judged: Sequence[tuple[bool, str | None]]) -> dict[str, Any]:
    said = sum(method is not None for _, method in judged)
    meant = sum(same for same, _ in judged)
    right = sum(same and method is not None for same, method in judged)
    precision = right / said if said else None
    recall = right / meant if meant else None
    return {
        "pairs": len(judged),
        "same": meant,
        "precision": precision,
        "recall": recall,
        "f1": 2 * precision * recall / (precision + recall) if precision and recall else 0.0,
        "right_by_method": Counter(method for same, method in judged if method and same),
        "wrong_by_method": Counter(method for same, method in judged if method and not same),
    }


def _show_duplicates(result: dict[str, Any]) -> None:
    on, off = result["guard on"], result["guard off"]
    measures = ("precision", "recall", "f1")
    for half in ("", ", seen half"):
        table(
            f"Same meaning or not, {half[2:] or 'held-out half'}: guard on, then off",
            ["", "pairs", "same", *measures, *measures],
            [
                [group, one["pairs"], one["same"]]
                + [one[measure] for measure in measures]
                + [result[f"guard off{half}"][group][measure] for measure in measures]
                for group, one in result[f"guard on{half}"].items()
            ],
        )
    table(
        "By layer, all sources, held-out half",
        ["", "right", "wrong"],
        [
            [f"{guard}, {method}", one["right_by_method"][method], one["wrong_by_method"][method]]
            for guard, one in (("guard on", on["all"]), ("guard off", off["all"]))
            for method in ("exact", "jaccard", "cosine")
        ],
    )
    table(
        "Messages of conversations: refused as repeated, and refused though different (goal 0)",
        ["", "messages", "repeated", "different"],
        [
            [f"{name}, {guard}", *counts.values()]
            for guard in ("guard on", "guard off")
            for name, counts in result[f"conversations, {guard}"].items()
        ],
    )
