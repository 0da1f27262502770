"""The tables of `postgres.py`: Mnemic on PostgreSQL, on SQLite, and what users write by hand."""

from typing import Any, Final

from pages import cell, day, section, share, table

_LARGE: Final = "100000"
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
_FASTER: Final = 3.0
_MORE: Final = 4.0

_NOTE: Final = """\
`python benchmarks/postgres.py`. "By hand" is one table with a `tsvector`, a `vector(512)` and a
`jsonb`, an index on each, and one statement that joins the best 50 by `ts_rank` with the best 50
by cosine (reciprocal ranks); `hnsw.ef_search` is 100, walks go on where a filter needs it, and
statements are prepared. It wants either any word of the question or all of them
(`websearch_to_tsquery`, which few memories answer); of Chinese it knows no words, so there it finds
by vectors alone. It looks for no duplicates, counts no recalls and keeps no history.

All get the same memories, questions and vectors of 512 numbers, which were made before: no time
here holds an embedding. The server runs on the same machine with `shared_buffers` of 1 GB, `fsync`
on and `jit` off. Its CPU time is that of all its processes, what Mnemic writes in the background
included, and is a mean; the client's too. Wall times are the median / the 95th percentile, in ms.
"""

Judged = tuple[str, str, float | str | None, bool | None]
Sizes = list[tuple[str, dict[str, Any]]]


def section_of(results: dict[str, dict[str, Any]]) -> str:
    """Return everything about PostgreSQL, smallest store first."""
    sizes = _sizes(results)
    parts = [_size(int(size), one) for size, one in sizes]
    parts.append(_quality(results["postgres-quality"]))
    if not any(parts):
        return ""
    return section("## PostgreSQL, SQLite and PostgreSQL by hand", _NOTE, *parts)


def goals(results: dict[str, dict[str, Any]]) -> list[Judged]:
    """Return what was to be reached with PostgreSQL, at the size that the goals name."""
    large = dict(_sizes(results)).get(_LARGE, {}).get("contestants", {})
    ours, theirs = large.get("postgres", {}), large.get("baseline, any word", {})
    faster = [
        _faster(ours, large.get(f"baseline, {words}", {}), words)
        for words in ("any word", "all words")
    ]
    return [*faster, _as_right(ours, theirs), _together(ours)]


def _faster(ours: dict[str, Any], theirs: dict[str, Any], words: str) -> Judged:
    times = [one.get("kinds", {}).get("mixed", {}).get("wall_ms") for one in (ours, theirs)]
    ratio = times[1] / times[0] if all(times) else None
    what = f"PostgreSQL at 100,000, mixed words: times as fast as by hand, {words}"
    return what, f"≥ {_FASTER:.0f}", ratio, None if ratio is None else ratio >= _FASTER


def _as_right(ours: dict[str, Any], theirs: dict[str, Any]) -> Judged:
    found = [one.get("closest", {}).get("mixed") for one in (ours, theirs)]
    what = "PostgreSQL at 100,000: true best 10 by cosine that are found"
    if None in found:
        return what, "≥ by hand", None, None
    return what, f"≥ {share(found[1])} by hand", share(found[0]), found[0] >= found[1]


def _together(ours: dict[str, Any]) -> Judged:
    """What two cores allow is less than four times one client: then they must be busy."""
    asked = ours.get("recalling", {})
    what = "PostgreSQL at 100,000: 16 clients against one, recalls per second"
    if not asked:
        return what, f"≥ {_MORE:.0f} times, or the cores are busy", None, None
    best = max(
        (one for clients, one in asked.items() if clients != "1x1"),
        key=lambda one: one["per_second"],
    )
    times = best["per_second"] / asked["1x1"]["per_second"]
    told = f"{times:.1f} times, {best['share_of_cores']:.0%} of the cores"
    goal = f"≥ {_MORE:.0f} times, or the cores are busy"
    return what, goal, told, times >= _MORE or best["share_of_cores"] >= 0.9


def _sizes(results: dict[str, dict[str, Any]]) -> Sizes:
    return [
        one
        for name in ("postgres", "postgres-full")
        for one in results[name].get("sizes", {}).items()
    ]


def _size(size: int, one: dict[str, Any]) -> str:
    each: dict[str, dict[str, Any]] = one["contestants"]
    told = f"Measured on {day(one)}; vectors of the embedder `{one['embedder']}`.\n"
    return section(
        f"### PostgreSQL, {size:,} memories",
        told,
        _costs("Recall of ten, one client", {name: one["kinds"] for name, one in each.items()}),
        _costs("Inserts, each", {name: one["insert"] for name, one in each.items()}),
        _clients("Recalls, mixed words", {name: one["recalling"] for name, one in each.items()}),
        _clients(
            "Inserts, each client into a scope of its own",
            {name: one["inserting"] for name, one in each.items()},
        ),
        _closest({name: one["closest"] for name, one in each.items() if one["closest"]}),
        _first(each),
    )


def _costs(title: str, each: dict[str, dict[str, Any]]) -> str:
    kinds = list(dict.fromkeys(kind for one in each.values() for kind in one))
    named = [name for name in _NAMES if each.get(name)]
    columns = [f"{_NAMES[name]}: {what}" for name in named for what in ("wall", "CPU")]
    rows = [
        [kind, *(shown for name in named for shown in _cost(each[name].get(kind)))]
        for kind in kinds
    ]
    note = f"{title}: wall ms median / p95, and CPU ms of client + server.\n"
    return f"{note}\n{table(['', *columns], rows)}"


def _cost(one: dict[str, Any] | None) -> tuple[str, str]:
    if one is None:
        return "–", "–"
    wall = f"{cell(one['wall_ms'])} / {cell(one['wall_ms_p95'])}"
    return wall, f"{cell(one['client_cpu_ms'])} + {cell(one['server_cpu_ms'])}"


def _clients(title: str, each: dict[str, dict[str, Any]]) -> str:
    rows: list[list[object]] = []
    for name in (name for name in _NAMES if each.get(name)):
        alone = each[name]["1x1"]["per_second"]
        for clients, shown in _CLIENTS.items():
            one = each[name][clients]
            times = f"{one['per_second'] / alone:.1f}"
            busy = f"{one['share_of_cores']:.0%}"
            per_second = [one["per_second"], times, busy, one["cores_would_allow"]]
            rows.append([f"{_NAMES[name]}, {shown}", *per_second, *_cost(one)])
    columns = ["", "per second", "times one client", "share of all cores used"]
    columns += ["per second if all cores were used", "wall ms", "CPU ms, client + server"]
    return f"{title}:\n\n{table(columns, rows)}"


def _closest(each: dict[str, dict[str, Any]]) -> str:
    kinds = list(dict.fromkeys(kind for one in each.values() for kind in one))
    rows = [[kind, *(share(one.get(kind)) for one in each.values())] for kind in kinds]
    shown = ["by hand" if name not in ("sqlite", "postgres") else _NAMES[name] for name in each]
    return f"The share of the true best ten by cosine that is found:\n\n{table(['', *shown], rows)}"


def _first(each: dict[str, dict[str, Any]]) -> str:
    rows = [
        [
            _NAMES[name],
            *(one["first"][key] for key in ("wall_ms", "client_cpu_ms", "server_cpu_ms")),
            one["rss_mb"],
            one["loading"]["bytes"],
        ]
        for name, one in each.items()
    ]
    columns = ["", "wall ms", "client CPU ms", "server CPU ms", "resident MB after all questions"]
    title = "Opened by a new process, up to its first answer (median of three):"
    return f"{title}\n\n{table([*columns, 'bytes per memory on disk'], rows)}"


def _quality(quality: dict[str, Any]) -> str:
    rows = [
        [f"{title}, {shown}", *(share(found[key]) for key in ("recall@5", "recall@10", "mrr"))]
        for name, title in _SETS.items()
        for kind, shown in _NAMES.items()
        if (found := quality.get(name, {}).get(kind))
    ]
    if not rows:
        return ""
    columns = ["development halves", "recall@5", "recall@10", "MRR"]
    return section("### What is found on PostgreSQL", table(columns, rows))
