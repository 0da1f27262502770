"""What the tools of an assistant cost, beside Mem0."""

from typing import Any, Final

from harness.markdown import Column, columns, day, lookup, records, section, share, table
from report.goals import Goal, goal, ratio
from report.notes import NOTES
from report.peers import program_notes, stopped

PROGRAMS: Final = {"mnemic": "Mnemic", "mem0": "Mem0"}
_CALLS: Final = {
    "add": "memory_add",
    "search": "memory_search",
    "profile": "memory_get_profile",
    "chat": "memory_chat",
}
_COSTS: Final = columns(
    {
        "calls": "calls",
        "CPU median": "cpu_ms",
        "CPU p95": "cpu_ms_p95",
        "wall median": "wall_ms",
        "wall p95": "wall_ms_p95",
        "of it embedding, CPU": "embedding_cpu_ms",
        "CPU less embedding": "cpu_ms_rest",
        "wall less embedding": "wall_ms_rest",
    }
)
_STORE: Final = [
    Column("known memory among ten, English", "search/hit_rate_English", share),
    Column("Chinese", "search/hit_rate_Chinese", share),
    Column("just added, found by its text", "found_after_add", share),
    *columns({"bytes each on disk": "bytes_each", "resident MB for the store": "rss_mb_of_store"}),
]
_FASTER: Final = {"search": 20, "add": 10}
_WHOLE: Final = {"CPU": "cpu_ms", "wall": "wall_ms"}
_REST: Final = {"CPU, less embedding": "cpu_ms_rest", "wall, less embedding": "wall_ms_rest"}


def write(results: dict[str, Any]) -> str:
    """Return what the tools cost at every size, and what both programs do in a call."""
    runs = [results[name] for name in ("assistant", "assistant-full") if results[name]]
    if not runs:
        return ""
    sizes = [write_size(run, size) for run in runs for size in run["costs"]]
    notes = program_notes(runs[-1], PROGRAMS)
    title = "## What the tools of an assistant cost"
    does = section("### What each does in a call", notes)
    return section(title, NOTES["assistant"], _ratios(runs), *sizes, does)


def write_size(run: dict[str, Any], size: str) -> str:
    """Return what each call costs each program at one size."""
    costs = run["costs"][size]
    calls = [
        (f"{title}: `{tool if program == 'mnemic' else call}`", costs[program][call])
        for call, tool in _CALLS.items()
        for program, title in PROGRAMS.items()
        if call in costs.get(program, {})
    ]
    stores = [
        (title, costs[program])
        for program, title in PROGRAMS.items()
        if "search" in costs.get(program, {})
    ]
    return section(
        f"### {int(size):,} memories of one user",
        f"Measured on {day(run)}.\n",
        records("", _COSTS, calls),
        records("", _STORE, stores),
        stopped(costs, PROGRAMS),
    )


def _ratios(runs: list[dict[str, Any]]) -> str:
    paths = {**_WHOLE, **_REST}
    rows = [
        [
            f"{call}, {int(size):,} memories",
            *(_times_as_long(costs, call, key) for key in paths.values()),
        ]
        for call in _FASTER
        for run in runs
        for size, costs in run["costs"].items()
    ]
    ratios = table(["", *paths], rows)
    return section("### Mem0 against Mnemic", NOTES["assistant-ratios"], ratios)


def _times_as_long(costs: dict[str, Any], call: str, key: str) -> float | None:
    return ratio(lookup(costs, f"mem0/{call}/{key}"), lookup(costs, f"mnemic/{call}/{key}"))


def goals(results: dict[str, Any]) -> list[Goal]:
    """Return what the tools were to reach; ratios are judged by the smaller of CPU and wall."""
    small, full = results["assistant"], results["assistant-full"]
    costs = {**full.get("costs", {}), **small.get("costs", {})}
    compared = costs.get("10000", {})
    judged: list[Goal] = []
    for call, least in _FASTER.items():
        for keys, what in ((_WHOLE, "embedding included"), (_REST, "embedding left out")):
            ratios = [_times_as_long(compared, call, key) for key in keys.values()]
            reached = min((times for times in ratios if times is not None), default=None)
            what = f"`{_CALLS[call]}` at 10,000, {what}: times as fast as Mem0"
            judged.append(goal(what, "≥", least, reached))
    profile = lookup(costs, "100000/mnemic/profile/wall_ms")
    return [*judged, goal("`memory_get_profile` at 100,000, wall ms", "<", 50, profile)]
