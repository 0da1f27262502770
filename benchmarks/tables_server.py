"""The tables of `server.py`: what a server adds to the engine, and what connections bring."""

from typing import Any, Final

from pages import section, table

Judged = tuple[str, str, float | str | None, bool | None]

_MOST_ADDED_MS: Final = 1.5
_LEAST_TIMES: Final = 3.0
_KINDS: Final = ("recall", "learn", "list")

_NOTE: Final = """\
`mnemic serve` on SQLite with the default embedder, its worker running, 10,000 memories of robots.
A process of its own asks on kept connections, over HTTP as `mnemic.Client` does (`POST
/sdk/robot.…`) and over MCP in one session (`tools/call` at `/mcp`). *CPU ms* is that of the server
per request; *added* is what remains without such a call in a program that opened the memory itself
and was measured just before, its answer as JSON included. The one who asks and the one who answers
share two cores, and Python computes on one: several connections help where the server waits, as for
a language model.
Measure it again:

```
python benchmarks/server.py
```
"""


def section_of(results: dict[str, dict[str, Any]]) -> str:
    """Return what a server costs and carries."""
    server = results["server"]
    if not server:
        return ""
    first = {(one["way"], one["kind"]): one for one in server["served"] if one["connections"] == 1}
    rows: list[list[object]] = [
        [
            f"`{one['kind']}` over {one['way']}",
            one["connections"],
            one["per_second"],
            one["p50_ms"],
            one["p95_ms"],
            one["cpu_ms"],
            one["added_ms"],
            one["per_second"] / first[one["way"], one["kind"]]["per_second"],
        ]
        for one in server["served"]
    ]
    columns = ["", "connections", "per second", "p50 ms", "p95 ms", "CPU ms", "added", "times 1"]
    waiting = table(
        ["a chat whose model takes 100 ms", "replies per second"],
        [[f"{number} connections", speed] for number, speed in server["waiting"].items()],
    )
    own = table(
        ["without a server", "CPU ms"], [[f"`{kind}`", server["engine"][kind]] for kind in _KINDS]
    )
    held = f"The server held {server['rss_mb']:.0f} MB when it was done."
    return section("## What a server adds", _NOTE, table(columns, rows), own, waiting, held)


def goals(results: dict[str, dict[str, Any]]) -> list[Judged]:
    """Return what was to be reached, with what was measured."""
    server = results["server"]
    if not server:
        return []
    judged: list[Judged] = []
    for kind in _KINDS:
        [one] = [
            one
            for one in server["served"]
            if (one["way"], one["kind"], one["connections"]) == ("HTTP", kind, 1)
        ]
        added = one["added_ms"]
        what = f"`{kind}` over HTTP: CPU ms that the server adds"
        judged.append((what, f"< {_MOST_ADDED_MS:g}", added, added < _MOST_ADDED_MS))
    waiting = server["waiting"]["8"] / server["waiting"]["1"]
    what = "8 connections against 1, a chat that waits for its model"
    judged.append((what, f"≥ {_LEAST_TIMES:g}×", waiting, waiting >= _LEAST_TIMES))
    for kind in _KINDS:
        speeds = {
            one["connections"]: one["per_second"]
            for one in server["served"]
            if (one["way"], one["kind"]) == ("HTTP", kind)
        }
        times = speeds[8] / speeds[1]
        what = f"8 connections against 1, `{kind}` over HTTP"
        judged.append((what, f"≥ {_LEAST_TIMES:g}×", times, times >= _LEAST_TIMES))
    return judged
