"""What peers find on the same data, and what it costs them."""

from collections.abc import Mapping
from typing import Any, Final

from harness.markdown import Column, columns, day, records, section, share
from report.notes import NOTES
from report.quality import SETS

PROGRAMS: Final = {
    "mnemic": "Mnemic",
    "fts5": "SQLite FTS5",
    "chroma": "Chroma",
    "langgraph": "LangGraph store",
    "mem0": "Mem0",
    "robotmem": "robotmem",
    "txtai": "txtai",
}
_FOUND: Final = [
    Column(f"{title.split(' (')[0]} @{k}", f"{name}/recall@{k}", share)
    for name, (title, *_) in SETS.items()
    for k in (5, 10)
]
_COSTS: Final = [
    *columns({"add in bulk, CPU ms": "bulk_add_cpu_ms", "add one, CPU ms": "add_cpu_ms"}),
    Column("wall ms", "add_wall_ms"),
    *columns({"search, CPU ms": "search_cpu_ms", "wall ms": "search_wall_ms"}),
    *columns({"bytes each on disk": "bytes_each", "resident MB for the store": "rss_mb_of_store"}),
]


def write(results: dict[str, Any]) -> str:
    """Return the comparison of the small run and the costs of the full one."""
    small, full = results["peers"], results["peers-full"]
    costs = [
        write_costs(run, size, measured)
        for run in (small, full)
        for size, measured in run.get("costs", {}).items()
    ]
    found = small or full
    if not found:
        return ""
    setups = program_notes(found, PROGRAMS, versions=True)
    return section(
        "## Peers", write_quality(found), *costs, section("### How they were set up", setups)
    )


def write_quality(result: dict[str, Any]) -> str:
    """Return what each program found in each data set."""
    by_program = [
        (title, {name: found.get(program, {}) for name, found in result["quality"].items()})
        for program, title in PROGRAMS.items()
        if any(program in result["quality"].get(name, {}) for name in SETS)
    ]
    note = NOTES["peers-quality"].format(day=day(result))
    return section("### What is found", note, records("", _FOUND, by_program)) if by_program else ""


def write_costs(result: dict[str, Any], size: str, costs: dict[str, Any]) -> str:
    """Return what each program needed at one size."""
    measured = [
        (title, costs[name])
        for name, title in PROGRAMS.items()
        if name in costs and "stopped" not in costs[name]
    ]
    return section(
        f"### What it costs, {int(size):,} texts in one store",
        NOTES["peers-costs"].format(day=day(result)),
        records("", _COSTS, measured),
        stopped(costs, PROGRAMS),
    )


def stopped(costs: Mapping[str, Any], titles: Mapping[str, str]) -> str:
    """Return which programs were not measured to the end, and why."""
    lines = [
        f"- {titles[name]}: {cost['stopped']}." for name, cost in costs.items() if "stopped" in cost
    ]
    return "\n".join(["Not measured to the end:\n", *lines]) + "\n" if lines else ""


def program_notes(
    result: dict[str, Any], titles: Mapping[str, str], *, versions: bool = False
) -> str:
    """Return what each program says about itself, with the versions of its packages if wanted."""
    lines: list[str] = []
    for name, title in titles.items():
        if about := result["programs"].get(name):
            installed = about.get("versions", {}) if versions else {}
            named = ", ".join(f"{package} {number}" for package, number in installed.items())
            lines.append(f"- **{title}**{f' ({named})' if named else ''}: {about['note']}.\n")
    return "".join(lines)
