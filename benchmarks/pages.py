"""How figures are written down: tables and numbers in Markdown."""

from collections.abc import Sequence
from typing import Any


def table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a table with the first column to the left and the others to the right."""
    lines = [list(columns), ["---", *(["---:"] * (len(columns) - 1))]]
    lines += [[cell(one) for one in row] for row in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def cell(value: object) -> str:
    """Return a value as it is shown: numbers with no more digits than they deserve."""
    if value is None:
        return "–"
    if isinstance(value, float):
        if abs(value) >= 100:
            return f"{value:,.0f}"
        return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def share(value: float | None) -> str:
    """Return a share of one with three digits."""
    return "–" if value is None else f"{value:.3f}"


def section(title: str, *parts: str) -> str:
    """Return a heading with what stands under it, or nothing where nothing does."""
    filled = [part for part in parts if part]
    return "\n".join([f"{title}\n", *filled]) if filled else ""


def day(result: dict[str, Any]) -> str:
    """Return the day of a run."""
    return result["run"]["at"][:10]
