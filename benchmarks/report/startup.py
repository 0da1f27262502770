"""How soon Mnemic answers."""

from typing import Any

from harness.markdown import Column, columns, day, lookup, records
from report.goals import Goal, goal


def write(results: dict[str, Any]) -> str:
    """Return what imports take, and a server up to its first answers."""
    startup = results["startup"]
    if not startup:
        return ""
    imports = [(f"`import {measured['module']}`", measured) for measured in startup["imports"]]
    server = [
        (name, {"median": value})
        for name, value in startup["server"].items()
        if not name.startswith("first")
    ]
    return (
        f"## Start\n\nMeasured on {day(startup)}; medians of {len(startup['starts'])} runs.\n\n"
        f"{records('', columns({'wall ms': 'wall_ms', 'CPU ms': 'cpu_ms'}), imports)}\n"
        f"`{startup['command']}`, from its start, over {startup['memories']:,} memories. The first "
        "answers are found by words; the embedder is loaded meanwhile.\n\n"
        f"{records('', [Column('median', 'median')], server)}"
    )


def goals(results: dict[str, Any]) -> list[Goal]:
    """Return how soon the first answer was to come."""
    first = lookup(results["startup"], "server/to the first answer, wall ms")
    return [goal("`mnemic mcp` to its first answer, wall ms", "<", 1_000, first)]
