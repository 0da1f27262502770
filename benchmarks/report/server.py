"""What a server adds to the engine, and what connections bring."""

from typing import Any, Final

from harness.markdown import Column, columns, records, section, table
from report.goals import Goal, goal, ratio
from report.notes import NOTES

KINDS: Final = ("recall", "learn", "list")
_SERVED: Final = [
    Column("connections", "connections"),
    *columns({"per second": "per_second", "p50 ms": "p50_ms", "p95 ms": "p95_ms"}),
    *columns({"CPU ms": "cpu_ms", "added": "added_ms", "times 1": "times"}),
]


def write(results: dict[str, Any]) -> str:
    """Return what a server costs and carries."""
    server = results["server"]
    if not server:
        return ""
    rows = {(row["way"], row["kind"], row["connections"]): row for row in server["served"]}
    served = [
        (
            f"`{kind}` over {way}",
            {**row, "times": row["per_second"] / rows[way, kind, 1]["per_second"]},
        )
        for (way, kind, _), row in rows.items()
    ]
    own = table(
        ["without a server", "CPU ms"], [[f"`{kind}`", server["engine"][kind]] for kind in KINDS]
    )
    waiting = table(
        ["a chat whose model takes 100 ms", "replies per second"],
        [[f"{number} connections", speed] for number, speed in server["waiting"].items()],
    )
    resident = f"The server held {server['rss_mb']:.0f} MB when it was done."
    return section(
        "## What a server adds",
        NOTES["server"],
        records("", _SERVED, served),
        own,
        waiting,
        resident,
    )


def goals(results: dict[str, Any]) -> list[Goal]:
    """Return how little a server was to add, and how much several connections were to bring."""
    server = results["server"]
    if not server:
        return []
    rows = {
        (row["kind"], row["connections"]): row for row in server["served"] if row["way"] == "HTTP"
    }
    added = [
        goal(
            f"`{kind}` over HTTP: CPU ms that the server adds", "<", 1.5, rows[kind, 1]["added_ms"]
        )
        for kind in KINDS
    ]
    waiting = ratio(server["waiting"]["8"], server["waiting"]["1"])
    times = {"a chat that waits for its model": waiting} | {
        f"`{kind}` over HTTP": ratio(rows[kind, 8]["per_second"], rows[kind, 1]["per_second"])
        for kind in KINDS
    }
    return added + [
        goal(f"8 connections against 1, {what}", "≥", 3, measured, unit="×")
        for what, measured in times.items()
    ]
