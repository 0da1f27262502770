"""The tables of `robot.py` and `startup.py`: what a robot's call costs, and how soon it starts."""

from typing import Any, Final

from pages import day, section, table

PROGRAMS: Final = {
    "words": "Mnemic, words only",
    "vectors": "Mnemic, with vectors",
    "robotmem": "robotmem 0.1.3, words only",
}
_CALLS: Final = {
    "learn": "learn",
    "recall": "recall",
    "recall_filtered": "recall with a filter on the outcome",
    "recall_in_cell": "recall inside a collection of 1,000",
    "end_session": "end_session",
    "open": "opening the store and the first recall",
}


def section_of(results: dict[str, dict[str, Any]]) -> str:
    """Return what robot calls cost, the full run before the small one."""
    parts = [
        _run(results[name], title)
        for name, title in (("robot-full", "full run"), ("robot", "small run"))
        if results[name]
    ]
    return section("## What a robot's call costs", *parts)


def trial_of(robot: dict[str, Any], program: str, size: int) -> dict[str, Any]:
    """Return what one program needed at one size; empty if that was not measured."""
    trials: list[dict[str, Any]] = robot.get("trials", {}).get(program, [])
    return next((one for one in trials if one["size"] == size), {})


def cpu_of(trial: dict[str, Any], call: str) -> float | None:
    """Return the median CPU time of a call."""
    return trial[call]["cpu_ms"] if call in trial else None


def bytes_each(trial: dict[str, Any]) -> float:
    """Return how much of the disk one memory takes."""
    return (trial.get("bulk_embedding") or trial["loading"])["bytes"] / trial["size"]


def _run(robot: dict[str, Any], title: str) -> str:
    parts: list[str] = []
    for call, shown in _CALLS.items():
        rows = [
            [name, one["size"], *(one[call][key] for key in ("cpu_ms", "cpu_ms_worst", "wall_ms"))]
            for name, one in _trials(robot)
            if call in one
        ]
        if rows:
            columns = ["", "memories", "CPU median", "CPU worst", "wall median"]
            parts.append(f"#### {shown}\n\n{table(columns, rows)}")
    heading = f"### The {title} of {day(robot)}, milliseconds per call"
    return section(heading, *parts, _stores(robot))


def _trials(robot: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    found = robot.get("trials", {})
    return [(title, one) for name, title in PROGRAMS.items() for one in found.get(name, [])]


def _stores(robot: dict[str, Any]) -> str:
    rows = [
        [
            name,
            one["size"],
            bytes_each(one),
            one["rss_mb"],
            one["end_session"]["cpu_ms_first"],
            one["recall"]["answers"].get("nothing", 0),
        ]
        for name, one in _trials(robot)
    ]
    columns = ["", "memories", "bytes each on disk", "resident MB", "first end_session, CPU ms"]
    columns.append("questions answered with nothing")
    note = (
        "The first end of a session on a day also ages the collection. Of the 100 questions some "
        "are Chinese; a program that answers them with nothing also spends nothing on them.\n"
    )
    return f"#### The store\n\n{note}\n{table(columns, rows)}" if rows else ""


def startup_of(startup: dict[str, Any]) -> str:
    """Return how soon Mnemic is there."""
    if not startup:
        return ""
    imports = [
        [f"`import {one['module']}`", one["wall_ms"], one["cpu_ms"]] for one in startup["imports"]
    ]
    server = [
        [name, value] for name, value in startup["server"].items() if not name.startswith("first")
    ]
    runs, memories = len(startup["starts"]), startup.get("memories", 1_000)
    command = startup.get("command", "mnemic mcp --profile robot")
    return (
        f"## Start\n\nMeasured on {day(startup)}; medians of {runs} runs.\n\n"
        f"{table(['', 'wall ms', 'CPU ms'], imports)}\n"
        f"`{command}`, from its start, over {memories:,} memories. The first answers are found by "
        f"words; the embedder is loaded meanwhile.\n\n{table(['', 'median'], server)}"
    )
