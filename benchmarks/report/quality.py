"""What is found, and what is decided about a text."""

from typing import Any, Final

from harness.markdown import Column, columns, day, lookup, records, section, share, table
from report.goals import Goal, goal
from report.notes import NOTES

# Title, and what recall@5 and recall@10 were to reach.
SETS: Final = {
    "locomo": ("LoCoMo (English conversations)", 0.72, 0.82),
    "memdaily": ("MemDaily (Chinese)", 0.50, 0.65),
    "alfred": ("ALFRED (robot trials, English)", 0.72, 0.86),
}
_MODES: Final = {
    "plain BM25": "plain BM25, for comparison",
    "bm25_only": "Mnemic, words",
    "vec_only": "Mnemic, vectors",
    "hybrid": "Mnemic, both",
}
_FOUND: Final = [
    *(Column(f"recall@{k}", f"recall@{k}", share) for k in (5, 10, 20)),
    Column("MRR", "mrr", share),
    Column("CPU ms per question", "cpu_ms_per_question"),
]
_PAIRS: Final = [
    Column("pairs", "pairs"),
    *columns({"precision": "precision", "recall": "recall", "F1": "f1"}, share),
]


def write(results: dict[str, Any]) -> str:
    """Return everything about quality that was measured."""
    quality = results["quality"]
    parts = (
        write_found(quality),
        _categories(quality),
        _duplicates(quality),
        _superseded(quality),
        _filters(quality),
    )
    return "\n".join(part for part in parts if part)


def write_found(quality: dict[str, Any]) -> str:
    """Return what each mode finds in each data set."""
    sets = [
        section(
            f"### {title}",
            f"{found['texts']:,} texts, {found['questions']:,} questions, development half.\n",
            records("", _FOUND, [(shown, found[m]) for m, shown in _MODES.items() if m in found]),
        )
        for name, (title, *_) in SETS.items()
        if (found := quality.get(name))
    ]
    if not sets:
        return ""
    note = (
        "The share of the right memories among the first 5, 10 and 20. "
        f"Measured on {day(quality)}.\n"
    )
    return section("## What is found", note, *sets)


def _categories(quality: dict[str, Any]) -> str:
    rows = [
        [language, sentences, share(right), share(with_trigger), share(without)]
        for language, sentences, right, _, with_trigger, _, without, *_ in _languages(quality)
    ]
    titles = ["language", "sentences", "right", "with a trigger word", "without one"]
    return section("## Category of a sentence", table(titles, rows) if rows else "")


def _duplicates(quality: dict[str, Any]) -> str:
    rows = [
        (f"{language}, {guard}", scores)
        for guard in ("guard on", "guard off")
        for language, scores in (lookup(quality, f"dedup/{guard}") or {}).items()
        if language in ("all", "en", "zh")
    ]
    pairs = records("", _PAIRS, rows)
    return section("## Duplicates", NOTES["duplicates"], pairs) if pairs else ""


def _superseded(quality: dict[str, Any]) -> str:
    rows = [
        [
            f"{half.replace('_', ' ')}, {lang}",
            *(own[name] for name in ("pairs", "updates")),
            share(own["precision"]),
            share(own["recall"]),
        ]
        for half in ("mended_against", "unseen")
        for lang, own in (lookup(quality, f"supersession/{half}") or {}).items()
    ]
    titles = ["half, language", "pairs", "updates", "precision", "recall"]
    return section("## What a newer memory ends", table(titles, rows) if rows else "")


def _filters(quality: dict[str, Any]) -> str:
    rows = [
        [kind, cases, right] for kind, cases, right, _ in lookup(quality, "filters/kinds") or ()
    ]
    answered = table(["", "cases", "answered exactly"], rows) if rows else ""
    return section("## Filters and distances on ALFRED trials", answered)


def _languages(quality: dict[str, Any]) -> list[Any]:
    return lookup(quality, "classify/languages") or []


def goals(results: dict[str, Any]) -> list[Goal]:
    """Return how much was to be found, and how many categories were to be right."""
    quality = results["quality"]
    judged: list[Goal] = []
    for name, (title, *least) in SETS.items():
        what = f"{title}, recall@5 / @10, development half"
        hybrid: dict[str, float] = lookup(quality, f"{name}/hybrid") or {}
        found = [hybrid[f"recall@{k}"] for k in (5, 10)] if hybrid else []
        met = all(map(float.__ge__, found, least)) if hybrid else None
        measured = " / ".join(map(share, found)) or share(None)
        judged.append(Goal(what, " / ".join(f"≥ {limit:.2f}" for limit in least), measured, met))
    for language, _, right, *_ in _languages(quality):
        spoken = {"en": "English", "zh": "Chinese"}[language]
        what = f"category of a sentence, {spoken}, development half"
        judged.append(goal(what, "≥", 0.85, right, form=share))
    return judged
