"""What each kind of recall costs, and whether it stays right."""

from typing import Any, Final

from harness.markdown import Column, columns, day, lookup, records, section, share
from report.goals import Goal, goal
from report.notes import NOTES

Sizes = list[tuple[str, dict[str, Any]]]

_COSTS: Final = columns(
    {
        "questions": "calls",
        "CPU median": "cpu_ms",
        "CPU p95": "cpu_ms_p95",
        "wall median": "wall_ms",
        "wall p95": "wall_ms_p95",
        "of it embedding, CPU": "embedding_cpu_ms",
    }
)
_COLD: Final = [
    Column("opened and answered by words, CPU ms", "words_cpu_ms"),
    Column("wall ms", "words_wall_ms"),
    Column("then with vectors, CPU ms", "vectors_cpu_ms"),
    Column("wall ms", "vectors_wall_ms"),
    Column("resident MB", "rss_mb"),
]
_RIGHT: Final = [
    Column("true best 10 by cosine found", "cosine/recall", share),
    Column(
        "learned by another process, missed by the next recall",
        "freshness",
        "{0[missed]} of {0[learned]}".format,
    ),
]


def sizes_of(results: dict[str, Any], *names: str) -> Sizes:
    """Return what was measured at each size, smallest first."""
    return [size for name in names for size in results.get(name, {}).get("sizes", {}).items()]


def write(results: dict[str, Any]) -> str:
    """Return everything about recall by kind, smallest store first."""
    sizes = sizes_of(results, "recall", "recall-full")
    if not sizes:
        return ""
    cold = [
        (f"{int(size):,}, {key} an index snapshot", measured["cold"][key])
        for size, measured in sizes
        for key in ("with", "without")
        if key in measured["cold"]
    ]
    right = [(f"{int(size):,}", measured) for size, measured in sizes]
    return section(
        "## What each kind of recall costs",
        NOTES["recall"],
        *(_kinds(int(size), measured) for size, measured in sizes),
        section("### Opened cold", NOTES["recall-cold"], records("memories", _COLD, cold)),
        section("### Whether it stays right", records("memories", _RIGHT, right)),
    )


def _kinds(size: int, measured: dict[str, Any]) -> str:
    loading, stages = measured["loading"], measured["stages"]
    conditions = (
        f"Measured on {day(measured)} with the embedder `{measured['embedder']}`. Loading took "
        f"{loading['wall_s']:,.0f} s; {loading['bytes'] / size:,.0f} bytes per memory on disk, "
        f"{measured['rss_mb']:,.0f} MB resident after all questions.\n"
    )
    kinds = {**measured["kinds"], "one learn": measured["learn"]}
    names = dict.fromkeys(name for spent in stages.values() for name in spent)
    by_stage = records("", [Column(name, name) for name in names], stages.items())
    return section(
        f"### {size:,} memories",
        conditions,
        records("", _COSTS, kinds.items()),
        f"By stage, mean CPU ms, as `explain` tells it:\n\n{by_stage}" if names else "",
    )


def goals(results: dict[str, Any]) -> list[Goal]:
    """Return what recall was to cost at a million memories, and how right it was to stay."""
    huge = lookup(results["recall-full"], "sizes/1000000/kinds") or {}
    judged = [
        goal(what, "≤", most, lookup(huge, f"{kind}/cpu_ms"))
        for what, kind, most in (
            ("recall at 1,000,000, mixed words, CPU ms", "mixed", 40),
            ("the same, common words only, CPU ms", "common words", 40),
            ("the same inside a scope of 1,000, CPU ms", "in a scope of 1,000", 10),
        )
    ]
    for size, measured in sizes_of(results, "recall", "recall-full"):
        judged += _right_goals(f"{int(size):,}", measured)
    return judged


def _right_goals(size: str, measured: dict[str, Any]) -> list[Goal]:
    found, missed = measured["cosine"]["recall"], measured["freshness"]["missed"]
    what = f"learned by another process and not found at once, at {size}"
    return [
        goal(f"true best 10 by cosine that are found, at {size}", "≥", 0.98, found, form=share),
        Goal(what, "0", str(missed), missed == 0),
    ]
