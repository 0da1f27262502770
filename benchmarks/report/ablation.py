"""What each part of recall gives, and what weights chosen on one half find on the other."""

from collections.abc import Sequence
from typing import Any, Final

from harness.datasets import HALVES, SETS
from harness.markdown import table

_MEASURES: Final = ("recall@5", "recall@10")
_PARTS: Final = ("all", *HALVES)
FULL: Final = "everything"


def blocks(results: dict[str, Any]) -> dict[str, str]:
    """Return the two tables of docs/explanation/recall.md by their names."""
    return {"ablation": write(results["ablation"]), "tuning": write_tuning(results["tuning"])}


def write(result: dict[str, Any]) -> str:
    """Return what changes, in points, where one part is taken away."""
    sets = [result[name] for name in SETS]
    rows = [
        ["nothing" if variant == FULL else variant]
        + [_change(scores, variant, measure) for scores in sets for measure in _MEASURES]
        for variant in sets[0]
    ]
    return _table("taken away", rows)


def write_tuning(result: dict[str, Any]) -> str:
    """Return what neutral, chosen and published weights find on the half that had no say."""
    rows = [
        [f"{weights}, on the {half} half"]
        + [f"{scores[name][measure]:.3f}" for name in SETS for measure in _MEASURES]
        for half in HALVES
        for weights, scores in result[half]["scores"].items()
    ]
    return _table("weights", rows)


def _change(scores: dict[str, Any], variant: str, measure: str) -> str:
    """Return a share for the full recipe, and else what changes, in points, with both halves."""
    own = [scores[variant][part][measure] for part in _PARTS]
    full = [scores[FULL][part][measure] for part in _PARTS]
    if variant == FULL:
        return "{:.3f} ({:.3f}, {:.3f})".format(*own)
    if own == full:
        return "same"
    changes = [100 * (share - before) for share, before in zip(own, full, strict=True)]
    return "{} ({}, {})".format(*map(_signed, changes))


def _signed(points: float) -> str:
    return f"{points:+.1f}".replace("-", "−") if abs(points) >= 0.05 else "0"


def _table(first: str, rows: Sequence[Sequence[str]]) -> str:
    titles = [title.split()[0] for title in SETS.values()]
    return table([first, *(f"{title} {k[6:]}" for title in titles for k in _MEASURES)], rows)
