"""What a quiet tenant notices of one that floods the server."""

from typing import Any, Final

from harness.markdown import columns, records, section
from report.goals import Goal, goal
from report.notes import NOTES

_COLUMNS: Final = columns(
    {"p50 ms": "p50_ms", "p95 ms": "p95_ms", "times alone": "ratio", "refused": "refused"}
)


def write(results: dict[str, Any]) -> str:
    """Return how a quiet tenant fares."""
    found = results["fairness"]
    if not found:
        return ""
    rows = list(found["rows"].items())
    return section(
        "## One tenant beside another", NOTES["fairness"], records("meanwhile", _COLUMNS, rows)
    )


def goals(results: dict[str, Any]) -> list[Goal]:
    """Judge the worst flood."""
    found = results["fairness"]
    if not found:
        return []
    worst = max(row["ratio"] for row in found["rows"].values())
    what = "p95 of a quiet tenant while another floods, against alone"
    return [goal(what, "≤", 2, worst, unit="×")]
