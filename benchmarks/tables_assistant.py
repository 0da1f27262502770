"""The tables of `assistant.py`: what the assistant's tools cost, beside Mem0."""

from typing import Any, Final

from pages import day, section, share, table

Judged = tuple[str, str, float | str | None, bool | None]

PROGRAMS: Final = {"mnemic": "Mnemic", "mem0": "Mem0"}
_CALLS: Final = {
    "add": "memory_add",
    "search": "memory_search",
    "profile": "memory_get_profile",
    "chat": "memory_chat",
}
_COSTS: Final = {
    "cpu_ms": "CPU median",
    "cpu_ms_p95": "CPU p95",
    "wall_ms": "wall median",
    "wall_ms_p95": "wall p95",
    "embedding_cpu_ms": "of it embedding, CPU",
    "cpu_ms_rest": "CPU less embedding",
    "wall_ms_rest": "wall less embedding",
}
_COMPARED_AT: Final = "10000"
_LARGEST: Final = "100000"
_GOALS: Final = {"search": 20, "add": 10}
_PROFILE_MS: Final = 50
# By CPU and by wall time: of the whole call, and of what is left without the embedding.
_WHOLE: Final = ("cpu_ms", "wall_ms")
_REST: Final = ("cpu_ms_rest", "wall_ms_rest")

_NOTE: Final = """\
Milliseconds per call, all memories of one user, the tools of the assistant dialect beside the calls
of Mem0. Both embed what is added or asked with the same model while they are measured, and that is
most of an add: whatever a store does beside it, two programs with one model cannot be far apart
there. The columns "less embedding" leave that part out, call by call. The stores were filled in
bulk, which is not measured. A chat is answered without a language model. The searches ask for ten
memories with about half of the words of one that is known, half of them in English and half in
Chinese. The programs take turns, fifty calls each. Ten calls of each kind come first and are not
counted. Measure it again:

```
python benchmarks/assistant.py --sizes 1000,10000
python benchmarks/assistant.py --sizes 100000
```
"""


def section_of(results: dict[str, dict[str, Any]]) -> str:
    """Return what the tools cost at every size, and what both programs do in a call."""
    measured = [results[name] for name in ("assistant", "assistant-full") if results[name]]
    if not measured:
        return ""
    sizes = [_size(one, size) for one in measured for size in one["costs"]]
    title = "## What the tools of an assistant cost"
    return section(title, _NOTE, _ratios(measured), *sizes, _programs(measured[-1]))


def goals(results: dict[str, dict[str, Any]]) -> list[Judged]:
    """Return what the tools were to reach, with what was measured."""
    compared = _costs_at(results, _COMPARED_AT)
    judged: list[Judged] = []
    for call, least in _GOALS.items():
        for keys, told in ((_WHOLE, "embedding included"), (_REST, "embedding left out")):
            found = [ratio for key in keys if (ratio := _ratio(compared, call, key)) is not None]
            reached = min(found, default=None)
            what = f"`{_CALLS[call]}` at 10,000, {told}: times as fast as Mem0"
            met = None if reached is None else reached >= least
            judged.append((what, f"≥ {least}", reached, met))
    profile = _costs_at(results, _LARGEST).get("mnemic", {}).get("profile", {}).get("wall_ms")
    met = None if profile is None else profile < _PROFILE_MS
    what = "`memory_get_profile` at 100,000, wall ms"
    return [*judged, (what, f"< {_PROFILE_MS}", profile, met)]


def _costs_at(results: dict[str, dict[str, Any]], size: str) -> dict[str, Any]:
    for name in ("assistant", "assistant-full"):
        if found := results[name].get("costs", {}).get(size):
            return found
    return {}


def _ratio(costs: dict[str, Any], call: str, key: str) -> float | None:
    """Return how many times as long Mem0 takes; None where one of the two was not measured."""
    ours, theirs = (costs.get(name, {}).get(call, {}).get(key) for name in PROGRAMS)
    return theirs / ours if ours and theirs else None


def _ratios(measured: list[dict[str, Any]]) -> str:
    rows = [
        [
            f"{call}, {int(size):,} memories",
            *(_ratio(costs, call, key) for key in (*_WHOLE, *_REST)),
        ]
        for call in _GOALS
        for result in measured
        for size, costs in result["costs"].items()
    ]
    columns = ["", "CPU", "wall", "CPU, less embedding", "wall, less embedding"]
    note = (
        "How many times as long Mem0 takes, median by median. The goals are judged by the smaller "
        "of CPU and wall.\n"
    )
    return section("### Mem0 against Mnemic", note, table(columns, rows))


def _size(result: dict[str, Any], size: str) -> str:
    costs = result["costs"][size]
    rows = [
        [
            _title(call, program),
            costs[program][call]["calls"],
            *map(costs[program][call].get, _COSTS),
        ]
        for call in _CALLS
        for program in PROGRAMS
        if call in costs.get(program, {})
    ]
    return section(
        f"### {int(size):,} memories of one user",
        f"Measured on {day(result)}.\n",
        table(["", "calls", *_COSTS.values()], rows),
        _found(costs),
        _stopped(costs),
    )


def _title(call: str, program: str) -> str:
    return f"Mnemic: `{_CALLS[call]}`" if program == "mnemic" else f"{PROGRAMS[program]}: `{call}`"


def _found(costs: dict[str, Any]) -> str:
    rows = [
        [
            title,
            *(share(one["search"][f"hit_rate_{language}"]) for language in ("English", "Chinese")),
            share(one.get("found_after_add")),
            one["bytes_each"],
            one["rss_mb_of_store"],
        ]
        for program, title in PROGRAMS.items()
        if "search" in (one := costs.get(program, {}))
    ]
    columns = ["", "known memory among ten, English", "Chinese", "just added, found by its text"]
    columns += ["bytes each on disk", "resident MB for the store"]
    return table(columns, rows) if rows else ""


def _stopped(costs: dict[str, Any]) -> str:
    lines = [
        f"- {PROGRAMS[name]}: {one['stopped']}." for name, one in costs.items() if "stopped" in one
    ]
    return "\n".join(["Not measured to the end:\n", *lines]) + "\n" if lines else ""


def _programs(result: dict[str, Any]) -> str:
    lines = [
        f"- **{title}**: {about['note']}."
        for name, title in PROGRAMS.items()
        if (about := result["programs"].get(name))
    ]
    return section("### What each does in a call", "\n".join(lines) + "\n") if lines else ""
