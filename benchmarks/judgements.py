"""What `learn` decides about a text: its category, and whether it is known already."""

import gzip
import json
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import mnemic
from mnemic.records import Draft, Scope
from reporting import progress, table

_BATCH: Final = 1_000


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
    rows: list[list[Any]] = []
    for language in ("en", "zh"):
        ours = [one for one in judged if one[0]["lang"] == language]
        triggered = [one for one in ours if one[0]["trigger_word"]]
        others = [one for one in ours if not one[0]["trigger_word"]]
        counts = [len(ours), _share(ours), len(triggered), _share(triggered)]
        rows.append([language, *counts, len(others), _share(others)])
    columns = ["", "sentences", "right", "with trigger", "right", "without", "right"]
    table("Category of a sentence, development half (goal .85, on another half)", columns, rows)
    per_category = _per_category(judged)
    columns = ["category", "en", "en right", "zh", "zh right"]
    table("By category, development half", columns, per_category)
    confusion = Counter(
        f"{case['lang']}: {case['category']} → {one.memory.category}"
        for case, one in zip(cases, stored, strict=True)
        if case["category"] != one.memory.category
    )
    table("Most frequent mistakes, development half", ["", "times"], confusion.most_common(8))
    return {"half": "dev", "languages": rows, "categories": per_category, "mistakes": confusion}


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
    """Return precision, recall and F1 of dedup on pairs of sentences, guard on and off."""
    lines = gzip.decompress((data / "dedup.dev.jsonl.gz").read_bytes()).decode("utf-8").splitlines()
    pairs = [json.loads(line) for line in lines]
    result: dict[str, Any] = {"half": "dev", "pairs": len(pairs)}
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
            result[name] = _judge(pairs, found)
    _show_duplicates(result)
    return result


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
    table(
        "Same meaning or not, development half: guard on, then off",
        ["", "pairs", "same", *measures, *measures],
        [
            [group, one["pairs"], one["same"]]
            + [one[measure] for measure in measures]
            + [off[group][measure] for measure in measures]
            for group, one in on.items()
        ],
    )
    table(
        "By layer, all sources, development half",
        ["", "right", "wrong"],
        [
            [f"{guard}, {method}", one["right_by_method"][method], one["wrong_by_method"][method]]
            for guard, one in (("guard on", on["all"]), ("guard off", off["all"]))
            for method in ("exact", "jaccard", "cosine")
        ],
    )
