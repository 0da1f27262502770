"""The tables of `comparing.py`: what peers find on the same data, and what it costs them."""

from typing import Any, Final

from pages import day, section, share, table
from tables_quality import SETS

PROGRAMS: Final = {
    "mnemic": "Mnemic",
    "fts5": "SQLite FTS5",
    "chroma": "Chroma",
    "langgraph": "LangGraph store",
    "mem0": "Mem0",
    "robotmem": "robotmem",
    "txtai": "txtai",
}
_COSTS: Final = {
    "bulk_add_cpu_ms": "add in bulk, CPU ms",
    "add_cpu_ms": "add one, CPU ms",
    "add_wall_ms": "wall ms",
    "search_cpu_ms": "search, CPU ms",
    "search_wall_ms": "wall ms",
    "bytes_each": "bytes each on disk",
    "rss_mb_of_store": "resident MB for the store",
}


def section_of(results: dict[str, dict[str, Any]]) -> str:
    """Return the comparison of the small run and the costs of the full one."""
    small, full = results["peers"], results["peers-full"]
    measured = small or full
    if not measured:
        return ""
    return section(
        "## Peers",
        _quality(measured),
        *(_costs(result, size) for result in (small, full) for size in result.get("costs", {})),
        _programs(measured),
    )


def _quality(result: dict[str, Any]) -> str:
    rows = [
        [title, *(share(_found(result, name, at, k)) for name in SETS for k in (5, 10))]
        for at, title in PROGRAMS.items()
        if any(at in result["quality"].get(name, {}) for name in SETS)
    ]
    columns = [
        "",
        *(f"{title.split(' (')[0]} @{k}" for title, *_ in SETS.values() for k in (5, 10)),
    ]
    note = (
        f"Measured on {day(result)}. Recall@5 and @10, development halves; one store or collection "
        "per user. Every program gets the same texts, with the speaker's name where it is part of "
        "them; Mnemic is also told the session, the speaker and the time, as its callers would. "
        "Programs that know vectors only stand or fall with the embedder: with another one they "
        "may find more, above all on LoCoMo, where names in a question drown its meaning.\n"
    )
    return section("### What is found", note, table(columns, rows)) if rows else ""


def _found(result: dict[str, Any], name: str, program: str, k: int) -> float | None:
    return result["quality"].get(name, {}).get(program, {}).get(f"recall@{k}")


def _costs(result: dict[str, Any], size: str) -> str:
    costs = result["costs"][size]
    rows = [
        [title, *(costs[name].get(key) for key in _COSTS)]
        for name, title in PROGRAMS.items()
        if name in costs and "stopped" not in costs[name]
    ]
    stopped = [
        f"- {PROGRAMS[name]}: {one['stopped']}." for name, one in costs.items() if "stopped" in one
    ]
    note = (
        f"Measured on {day(result)}. Median, less the embedding, with the vectors of the texts "
        "given. Searches return ten.\n"
    )
    told = "\n".join(["Not measured to the end:\n", *stopped]) + "\n" if stopped else ""
    shown = table(["", *_COSTS.values()], rows)
    return section(f"### What it costs, {int(size):,} texts in one store", note, shown, told)


def _programs(result: dict[str, Any]) -> str:
    lines = [
        f"- **{title}**{_versions(about)}: {about['note']}."
        for name, title in PROGRAMS.items()
        if (about := result["programs"].get(name))
    ]
    return section("### How they were set up", "\n".join(lines) + "\n")


def _versions(about: dict[str, Any]) -> str:
    named = ", ".join(f"{name} {number}" for name, number in about.get("versions", {}).items())
    return f" ({named})" if named else ""
