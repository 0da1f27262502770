"""The tables of `quality.py`: what is found, and what is decided about a text."""

from typing import Any, Final

from pages import day, share, table

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
_MEASURES: Final = ("recall@5", "recall@10", "recall@20", "mrr")


def section_of(quality: dict[str, Any]) -> str:
    """Return everything about quality."""
    return "\n".join(part for part in (_retrieval(quality), _judgements(quality)) if part)


def _retrieval(quality: dict[str, Any]) -> str:
    if not quality:
        return ""
    parts = [
        f"## What is found\n\nThe share of the right memories among the first 5, 10 and 20. "
        f"Measured on {day(quality)}.\n"
    ]
    for name, (title, *_) in SETS.items():
        if result := quality.get(name):
            rows = [
                [shown, *map(share, map(result[mode].get, _MEASURES)), _asking(result[mode])]
                for mode, shown in _MODES.items()
                if mode in result
            ]
            size = f"{result['texts']:,} texts, {result['questions']:,} questions"
            found = table(["", *_MEASURES[:3], "MRR", "CPU ms per question"], rows)
            parts.append(f"### {title}\n\n{size}, development half.\n\n{found}")
    return "\n".join(parts) if len(parts) > 1 else ""


def _asking(result: dict[str, Any]) -> float | None:
    return result.get("cpu_ms_per_question")


def _judgements(quality: dict[str, Any]) -> str:
    parts: list[str] = []
    if found := quality.get("classify"):
        rows = [
            [one[0], one[1], *map(share, (one[2], one[4], one[6]))] for one in found["languages"]
        ]
        columns = ["language", "sentences", "right", "with a trigger word", "without one"]
        parts.append(f"## Category of a sentence\n\n{table(columns, rows)}")
    if found := quality.get("dedup"):
        rows = [
            [f"{language}, {guard}", one["pairs"]]
            + [share(one[key]) for key in ("precision", "recall", "f1")]
            for guard in ("guard on", "guard off")
            for language, one in found[guard].items()
            if language in ("all", "en", "zh")
        ]
        note = (
            "Pairs of sentences from MRPC, STS-B, SICK, LCQMC, AFQMC, OPPO, PAWS-X and BQ. Their "
            'labels mean "paraphrase", which is wider than "the same lesson". Precision '
            "counts more here: a lesson that is refused by mistake is no longer found.\n"
        )
        columns = ["", "pairs", "precision", "recall", "F1"]
        parts.append(f"## Duplicates\n\n{note}\n{table(columns, rows)}")
    if found := quality.get("filters"):
        rows = [[kind, cases, right] for kind, cases, right, _ in found["kinds"]]
        title = "## Filters and distances on ALFRED trials"
        parts.append(f"{title}\n\n{table(['', 'cases', 'answered exactly'], rows)}")
    return "\n".join(parts)
