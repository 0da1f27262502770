"""Mnemic on PostgreSQL, on SQLite, and what users write by hand."""

from typing import Any, Final

from harness.markdown import Column, cell, columns, day, lookup, records, section, share, table
from report.goals import Goal, goal, ratio
from report.notes import NOTES
from report.recall import sizes_of

_NAMES: Final = {
    "sqlite": "Mnemic, SQLite",
    "postgres": "Mnemic, PostgreSQL",
    "baseline, any word": "by hand, any word",
    "baseline, all words": "by hand, all words",
}
_CLIENTS: Final = {
    "1x1": "1 client",
    "1x16": "16 clients, one process",
    "4x4": "16 clients, 4 processes",
}
_SETS: Final = {"locomo": "LoCoMo", "memdaily": "MemDaily (Chinese)"}


def _wall(cost: dict[str, Any] | None) -> str:
    return f"{cell(cost['wall_ms'])} / {cell(cost['wall_ms_p95'])}" if cost else "–"


def _cpu(cost: dict[str, Any] | None) -> str:
    return f"{cell(cost['client_cpu_ms'])} + {cell(cost['server_cpu_ms'])}" if cost else "–"


_TOGETHER: Final = [
    Column("per second", "per_second"),
    Column("times one client", "times", "{:.1f}".format),
    Column("share of all cores used", "share_of_cores", "{:.0%}".format),
    Column("per second if all cores were used", "cores_would_allow"),
    Column("wall ms", _wall),
    Column("CPU ms, client + server", _cpu),
]
_FIRST: Final = columns(
    {
        "wall ms": "first/wall_ms",
        "client CPU ms": "first/client_cpu_ms",
        "server CPU ms": "first/server_cpu_ms",
        "resident MB after all questions": "rss_mb",
        "bytes per memory on disk": "loading/bytes",
    }
)
_FOUND: Final = columns({"recall@5": "recall@5", "recall@10": "recall@10", "MRR": "mrr"}, share)


def write(results: dict[str, Any]) -> str:
    """Return everything about PostgreSQL, smallest store first."""
    sizes = [write_size(int(size), run) for size, run in _sizes(results)]
    found = write_quality(results["postgres-quality"])
    title = "## PostgreSQL, SQLite and PostgreSQL by hand"
    return section(title, NOTES["postgres"], *sizes, found) if sizes or found else ""


def write_size(size: int, run: dict[str, Any]) -> str:
    """Return what each contestant costs at one size."""
    measured: dict[str, dict[str, Any]] = {
        name: run["contestants"][name] for name in _NAMES if name in run["contestants"]
    }
    first = records("", _FIRST, [(_NAMES[name], costs) for name, costs in measured.items()])
    return section(
        f"### PostgreSQL, {size:,} memories",
        f"Measured on {day(run)}; vectors of the embedder `{run['embedder']}`.\n",
        _costs("Recall of ten, one client", measured, "kinds"),
        _costs("Inserts, each", measured, "insert"),
        _clients("Recalls, mixed words", measured, "recalling"),
        _clients("Inserts, each client into a scope of its own", measured, "inserting"),
        _closest({name: costs["closest"] for name, costs in measured.items() if costs["closest"]}),
        f"Opened by a new process, up to its first answer (median of three):\n\n{first}",
    )


def write_quality(quality: dict[str, Any]) -> str:
    """Return what each contestant finds in the data sets."""
    rows = [
        (f"{title}, {shown}", found)
        for name, title in _SETS.items()
        for contestant, shown in _NAMES.items()
        if (found := lookup(quality, f"{name}/{contestant}"))
    ]
    return section("### What is found on PostgreSQL", records("development halves", _FOUND, rows))


def _costs(title: str, measured: dict[str, dict[str, Any]], phase: str) -> str:
    costs = {name: contestant[phase] for name, contestant in measured.items() if contestant[phase]}
    described = [
        Column(f"{_NAMES[name]}: {unit}", lambda kind, name=name: costs[name].get(kind), form)
        for name in costs
        for unit, form in (("wall", _wall), ("CPU", _cpu))
    ]
    kinds = dict.fromkeys(kind for cost in costs.values() for kind in cost)
    shown = records("", described, [(kind, kind) for kind in kinds])
    return f"{title}: wall ms median / p95, and CPU ms of client + server.\n\n{shown}"


def _clients(title: str, measured: dict[str, dict[str, Any]], phase: str) -> str:
    rows = [
        (
            f"{_NAMES[name]}, {shown}",
            {**costs[clients], "times": costs[clients]["per_second"] / costs["1x1"]["per_second"]},
        )
        for name, contestant in measured.items()
        if (costs := contestant[phase])
        for clients, shown in _CLIENTS.items()
    ]
    return f"{title}:\n\n{records('', _TOGETHER, rows)}"


def _closest(found: dict[str, dict[str, Any]]) -> str:
    kinds = dict.fromkeys(kind for shares in found.values() for kind in shares)
    rows = [[kind, *(share(shares.get(kind)) for shares in found.values())] for kind in kinds]
    shown = [_NAMES[name].replace(", any word", "") for name in found]
    return f"The share of the true best ten by cosine that is found:\n\n{table(['', *shown], rows)}"


def _sizes(results: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return sizes_of(results, "postgres", "postgres-full")


def goals(results: dict[str, Any]) -> list[Goal]:
    """Return what was to be reached with PostgreSQL, at the size that the goals name."""
    large = lookup(dict(_sizes(results)), "100000/contestants") or {}
    ours = large.get("postgres", {})
    wall = lookup(ours, "kinds/mixed/wall_ms")
    faster = [
        goal(
            f"PostgreSQL at 100,000, mixed words: times as fast as by hand, {words}",
            "≥",
            3,
            ratio(lookup(large, f"baseline, {words}/kinds/mixed/wall_ms"), wall),
        )
        for words in ("any word", "all words")
    ]
    by_hand = lookup(large, "baseline, any word/closest/mixed")
    return [*faster, _closest_goal(lookup(ours, "closest/mixed"), by_hand), _clients_goal(ours)]


def _closest_goal(ours: float | None, by_hand: float | None) -> Goal:
    what = "PostgreSQL at 100,000: true best 10 by cosine that are found"
    if ours is None or by_hand is None:
        return Goal(what, "≥ by hand", share(None), None)
    return Goal(what, f"≥ {share(by_hand)} by hand", share(ours), ours >= by_hand)


def _clients_goal(ours: dict[str, Any]) -> Goal:
    """What two cores allow is less than four times one client: then they must be busy."""
    what = "PostgreSQL at 100,000: 16 clients against one, recalls per second"
    wanted = "≥ 4 times, or the cores are busy"
    recalls = dict(ours.get("recalling", {}))
    if not recalls:
        return Goal(what, wanted, share(None), None)
    alone = recalls.pop("1x1")["per_second"]
    best = max(recalls.values(), key=lambda run: run["per_second"])
    times, busy = best["per_second"] / alone, best["share_of_cores"]
    return Goal(
        what, wanted, f"{times:.1f} times, {busy:.0%} of the cores", times >= 4 or busy >= 0.9
    )
