"""The tables in docs/explanation/recall.md, from the last ablation and the last tuning."""

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from reporting import REPOSITORY, RESULTS
from retrieval import HALVES, SETS

PAGE: Final = REPOSITORY / "docs" / "explanation" / "recall.md"
_BLOCK: Final = "(<!-- generated:{name} -->\n).*?(<!-- /generated -->)"
_MEASURES: Final = ("recall@5", "recall@10")
_PARTS: Final = ("all", *HALVES)
_FULL: Final = "everything"


def write(name: str, result: dict[str, Any]) -> None:
    """Put the table of a result into the page."""
    PAGE.write_text(filled(PAGE.read_text("utf-8"), name, result), "utf-8")
    print(f"Written to {PAGE.relative_to(REPOSITORY)}")


def current(page: str) -> str:
    """Return a page with the tables of the results that were kept last."""
    for name in _TABLES:
        page = filled(page, name, json.loads((RESULTS / f"{name}.json").read_text("utf-8")))
    return page


def filled(page: str, name: str, result: dict[str, Any]) -> str:
    """Return a page with the table of a result in its place."""
    block = re.compile(_BLOCK.format(name=name), re.DOTALL)
    return block.sub(lambda old: f"{old[1]}{_TABLES[name](result)}\n{old[2]}", page)


def _ablation(result: dict[str, Any]) -> str:
    sets = [result[name] for name in SETS]
    rows = [
        ["nothing" if variant == _FULL else variant]
        + [_change(scores, variant, measure) for scores in sets for measure in _MEASURES]
        for variant in sets[0]
    ]
    return _table("taken away", rows)


def _change(scores: dict[str, Any], variant: str, measure: str) -> str:
    """Return a share for the full recipe, and else what changes, in points, with both halves."""
    own = [scores[variant][part][measure] for part in _PARTS]
    full = [scores[_FULL][part][measure] for part in _PARTS]
    if variant == _FULL:
        return "{:.3f} ({:.3f}, {:.3f})".format(*own)
    if own == full:
        return "same"
    changes = [100 * (one - before) for one, before in zip(own, full, strict=True)]
    return "{} ({}, {})".format(*map(_signed, changes))


def _signed(points: float) -> str:
    return f"{points:+.1f}".replace("-", "−") if abs(points) >= 0.05 else "0"


def _tuning(result: dict[str, Any]) -> str:
    rows = [
        [f"{weights}, on the {half} half"]
        + [f"{scores[name][measure]:.3f}" for name in SETS for measure in _MEASURES]
        for half in HALVES
        for weights, scores in result[half]["scores"].items()
    ]
    return _table("weights", rows)


def _table(first: str, rows: Sequence[Sequence[str]]) -> str:
    titles = [title.split()[0] for title in SETS.values()]
    columns = [f"{title} {measure[6:]}" for title in titles for measure in _MEASURES]
    lines = [[first, *columns], ["---", *(["---:"] * len(columns))], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


_TABLES: Final[dict[str, Callable[[dict[str, Any]], str]]] = {
    "ablation": _ablation,
    "tuning": _tuning,
}
