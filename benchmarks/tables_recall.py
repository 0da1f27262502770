"""The tables of `recall.py`: what each kind of question costs, and whether it stays right."""

from typing import Any, Final

from pages import day, section, share, table

_COLUMNS: Final = ("cpu_ms", "cpu_ms_p95", "wall_ms", "wall_ms_p95", "embedding_cpu_ms")
_TITLES: Final = ["CPU median", "CPU p95", "wall median", "wall p95", "of it embedding, CPU"]
_COLD: Final = ("words_cpu_ms", "words_wall_ms", "vectors_cpu_ms", "vectors_wall_ms", "rss_mb")

_NOTE: Final = """\
Milliseconds per recall of ten memories, with words and vectors, the embedding of the question
included. Most memories lie in one scope, and a fifth is Chinese. "Common words" are questions of
words that each stand in a tenth to a half of all memories: the worst case of a text index. A
store that names `word-means` as its embedder was filled with a stand-in, because the default one
would take the better part of an hour for a million texts: its vectors have the same 512 numbers,
but a question costs next to nothing to embed.
"""


def section_of(results: dict[str, dict[str, Any]]) -> str:
    """Return everything about recall by kind, smallest store first."""
    sizes = [
        one for name in ("recall", "recall-full") for one in results[name].get("sizes", {}).items()
    ]
    if not sizes:
        return ""
    parts = [_kinds(int(size), one) for size, one in sizes]
    return section("## What each kind of recall costs", _NOTE, *parts, _cold(sizes), _right(sizes))


def _kinds(size: int, one: dict[str, Any]) -> str:
    rows = [
        [kind, cost["calls"], *(cost[column] for column in _COLUMNS)]
        for kind, cost in {**one["kinds"], "one learn": one["learn"]}.items()
    ]
    loading = one["loading"]
    told = (
        f"Measured on {day(one)} with the embedder `{one['embedder']}`. Loading took "
        f"{loading['wall_s']:,.0f} s; {loading['bytes'] / size:,.0f} bytes per memory on disk, "
        f"{one['rss_mb']:,.0f} MB resident after all questions.\n"
    )
    costs = table(["", "questions", *_TITLES], rows)
    return section(f"### {size:,} memories", told, costs, _stages(one["stages"]))


def _stages(stages: dict[str, dict[str, float]]) -> str:
    names = list(dict.fromkeys(name for one in stages.values() for name in one))
    if not names:
        return ""
    rows = [[kind, *(one.get(name) for name in names)] for kind, one in stages.items()]
    return f"By stage, mean CPU ms, as `explain` tells it:\n\n{table(['', *names], rows)}"


def _cold(sizes: list[tuple[str, dict[str, Any]]]) -> str:
    rows = [
        [f"{int(size):,}, {key} an index snapshot", *map(cold.get, _COLD)]
        for size, one in sizes
        for key in ("with", "without")
        if (cold := one["cold"].get(key))
    ]
    columns = ["memories", "opened and answered by words, CPU ms", "wall ms"]
    columns += ["then with vectors, CPU ms", "wall ms", "resident MB"]
    note = (
        "A new process, the files not in the system's cache, median of three. The answer with "
        "vectors includes loading the embedder.\n"
    )
    return section("### Opened cold", note, table(columns, rows))


def _right(sizes: list[tuple[str, dict[str, Any]]]) -> str:
    rows: list[list[object]] = []
    for size, one in sizes:
        agreed = one["agreement"] or {}
        places = [share(agreed.get(kind, {}).get("same_place")) for kind in _agreed_kinds(sizes)]
        fresh = one["freshness"]
        missed = f"{fresh['missed']} of {fresh['learned']}"
        rows.append([f"{int(size):,}", share(one["cosine"]["recall"]), *places, missed])
    columns = ["memories", "true best 10 by cosine found"]
    columns += [f"{kind}: in the exact place" for kind in _agreed_kinds(sizes)]
    columns.append("learned by another process, missed by the next recall")
    return section("### Whether it stays right", table(columns, rows))


def _agreed_kinds(sizes: list[tuple[str, dict[str, Any]]]) -> list[str]:
    return list(dict.fromkeys(kind for _, one in sizes for kind in one["agreement"] or ()))
