"""Write what the benchmarks measured into docs/benchmarks.md and both READMEs.

python benchmarks/tables.py
"""

import json
import re
from collections.abc import Sequence
from typing import Any, Final

from reporting import REPOSITORY, RESULTS

_PAGE: Final = REPOSITORY / "docs" / "benchmarks.md"
_FIGURES: Final = re.compile(r"(<!-- figures:start -->\n).*?(<!-- figures:end -->)", re.DOTALL)
_LARGEST: Final = 100_000
_PROGRAMS: Final = {
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
_SETS: Final = {
    "locomo": ("LoCoMo (English conversations)", 0.72, 0.82),
    "memdaily": ("MemDaily (Chinese)", 0.50, 0.65),
    "alfred": ("ALFRED (robot trials, English)", 0.72, 0.86),
}
_MODES: Final = {
    "plain BM25": "plain BM25, for comparison",
    "bm25_only": "Mnemic, words",
    "vec_only": "Mnemic, vectors",
    "hybrid": "Mnemic, both",
}
_MEASURES: Final = ("recall@5", "recall@10", "recall@20", "mrr")

_METHOD: Final = """\
# Benchmarks

This page is made by `python benchmarks/tables.py` from `benchmarks/results/*.json`. Every figure
here can be measured again:

```
make bench                          # startup.py, quality.py and robot.py, then this page
python benchmarks/tables.py         # this page alone, from the last results
```

## Method

- **CPU time**, all threads, user and system: a busy machine changes it less than wall time. The
  median of the calls is shown; the first thirty of each kind are not counted.
- **One run**: at each size every program gets the same sentences, made from one seed, one program
  after the other on one machine. Compare ratios, not milliseconds, with another machine.
- **Peers** run in a virtual environment of their own, through their public Python calls, with the
  versions that are named. robotmem runs with words only.
- **Sizes** are memories in the store before the calls are measured. The stock is ten days old, so
  that the first end of a session has something to age.
- **Quality** is measured on the development halves of public data sets. The goals are meant for
  the other halves, which nobody here has tuned on: a goal that is reached below may still be
  missed there. The data are not part of the repository; `quality.py --data FOLDER` names them.
"""


def main() -> None:
    results = {name: _read(name) for name in ("robot", "quality", "startup")}
    sections = [
        _METHOD,
        _machines(results),
        _goals(results),
        _costs(results["robot"]),
        _stores(results["robot"]),
        _retrieval(results["quality"]),
        _judgements(results["quality"]),
        _startup(results["startup"]),
    ]
    text = "\n".join(section for section in sections if section)
    _PAGE.write_text(text.rstrip() + "\n", "utf-8")
    for name, chinese in (("README.md", False), ("README.zh.md", True)):
        _fill(name, _figures(results, chinese=chinese))
    print(f"Written: {_PAGE.relative_to(REPOSITORY)}, README.md, README.zh.md")


def _read(name: str) -> dict[str, Any]:
    path = RESULTS / f"{name}.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def _fill(name: str, figures: str) -> None:
    path = REPOSITORY / name
    text = path.read_text("utf-8")
    path.write_text(_FIGURES.sub(lambda old: f"{old[1]}{figures}\n{old[2]}", text), "utf-8")


def _table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    lines = [list(columns), ["---", *(["---:"] * (len(columns) - 1))]]
    lines += [[_cell(one) for one in row] for row in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def _cell(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        if abs(value) >= 100:
            return f"{value:,.0f}"
        return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _machines(results: dict[str, dict[str, Any]]) -> str:
    rows: list[list[object]] = []
    for name, result in results.items():
        if run := result.get("run"):
            machine = f"{run['cores']} cores, {run['cpu']}"
            loads = " / ".join(map(str, run["load"]))
            seed = "–" if run["seed"] is None else run["seed"]
            rows.append([f"`{name}.py`", run["at"][:10], machine, loads, run["python"], seed])
        else:
            rows.append([f"`{name}.py`", *["not measured"] * 5])
    columns = ["script", "day", "machine", "load when it began (1 / 5 / 15 min)", "Python", "seed"]
    versions = results["robot"].get("run", {}).get("versions", {})
    named = ", ".join(f"{name} {number}" for name, number in versions.items())
    return f"## Runs\n\n{_table(columns, rows)}" + (f"\nVersions: {named}.\n" if named else "")


def _goals(results: dict[str, dict[str, Any]]) -> str:
    judged = [*_cost_goals(results["robot"]), *_quality_goals(results["quality"])]
    first = results["startup"].get("server", {}).get("to the first answer, wall ms")
    judged.append(
        ("`mnemic mcp` to its first answer, wall ms", "< 1,000", first, _under(first, 1000))
    )
    rows = [
        [what, goal, "–" if value is None else value, _verdict(met=met)]
        for what, goal, value, met in judged
    ]
    table = _table(["what", "goal", "measured", ""], rows)
    return f"## Goals, and whether they were reached\n\n{table}"


Judged = tuple[str, str, float | str | None, bool | None]


def _verdict(*, met: bool | None) -> str:
    return "not measured" if met is None else ("reached" if met else "**missed**")


def _under(value: float | None, most: float) -> bool | None:
    return None if value is None else value <= most


def _at(robot: dict[str, Any], program: str, size: int = _LARGEST) -> dict[str, Any]:
    trials: list[dict[str, Any]] = robot.get("trials", {}).get(program, [])
    return next((one for one in trials if one["size"] == size), {})


def _cost_goals(robot: dict[str, Any]) -> list[Judged]:
    ours = _at(robot, "vectors")
    learn, alone = _cpu(ours, "learn"), ours.get("embedding", {}).get("learn_cpu_ms")
    rest = None if learn is None or alone is None else learn - alone
    size = _bytes(ours) if ours else None
    goals = [
        ("learn at 100,000, without embedding, CPU ms", 1, rest),
        (
            "recall at 100,000, words and vectors, embedding included, CPU ms",
            12,
            _cpu(ours, "recall"),
        ),
        ("the same inside a collection of 1,000, CPU ms", 5, _cpu(ours, "recall_in_cell")),
        ("recall at 1,000,000, CPU ms", 40, None),
        ("end of a session at 100,000, CPU ms", 10, _cpu(ours, "end_session")),
        ("bytes per memory on disk, with its vector", 2_500, size),
    ]
    return [(what, f"≤ {most:,}", value, _under(value, most)) for what, most, value in goals]


def _cpu(one: dict[str, Any], call: str) -> float | None:
    return one[call]["cpu_ms"] if call in one else None


def _bytes(one: dict[str, Any]) -> float:
    return (one.get("bulk_embedding") or one["loading"])["bytes"] / one["size"]


def _quality_goals(quality: dict[str, Any]) -> list[Judged]:
    judged: list[Judged] = []
    for name, (title, five, ten) in _SETS.items():
        found = quality.get(name, {}).get("hybrid")
        shown = f"{found['recall@5']:.3f} / {found['recall@10']:.3f}" if found else None
        met = found["recall@5"] >= five and found["recall@10"] >= ten if found else None
        goal = f"≥ {five:.2f} / ≥ {ten:.2f}"
        judged.append((f"{title}, recall@5 / @10, development half", goal, shown, met))
    for language, _, right, *_ in quality.get("classify", {}).get("languages", []):
        spoken = {"en": "English", "zh": "Chinese"}[language]
        what = f"category of a sentence, {spoken}, development half"
        judged.append((what, "≥ 0.85", _share(right), right >= 0.85))
    return judged


def _trials(robot: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    found = robot.get("trials", {})
    return [(title, one) for name, title in _PROGRAMS.items() for one in found.get(name, [])]


def _costs(robot: dict[str, Any]) -> str:
    parts = ["## What a call costs\n\nMilliseconds per call.\n"]
    for call, title in _CALLS.items():
        rows = [
            [name, one["size"], *(one[call][key] for key in ("cpu_ms", "cpu_ms_worst", "wall_ms"))]
            for name, one in _trials(robot)
            if call in one
        ]
        if rows:
            columns = ["", "memories", "CPU median", "CPU worst", "wall median"]
            parts.append(f"### {title}\n\n{_table(columns, rows)}")
    return "\n".join(parts)


def _stores(robot: dict[str, Any]) -> str:
    rows = [
        [
            name,
            one["size"],
            _bytes(one),
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
    return f"### The store\n\n{note}\n{_table(columns, rows)}" if rows else ""


def _retrieval(quality: dict[str, Any]) -> str:
    parts = ["## What is found\n\nThe share of the right memories among the first 5, 10 and 20.\n"]
    for name, (title, *_) in _SETS.items():
        if result := quality.get(name):
            rows = [
                [shown, *map(_share, map(result[mode].get, _MEASURES)), _asking(result[mode])]
                for mode, shown in _MODES.items()
                if mode in result
            ]
            size = f"{result['texts']:,} texts, {result['questions']:,} questions"
            table = _table(["", *_MEASURES[:3], "MRR", "CPU ms per question"], rows)
            parts.append(f"### {title}\n\n{size}, development half.\n\n{table}")
    return "\n".join(parts) if len(parts) > 1 else ""


def _asking(result: dict[str, Any]) -> float | None:
    return result.get("cpu_ms_per_question")


def _judgements(quality: dict[str, Any]) -> str:
    parts: list[str] = []
    if found := quality.get("classify"):
        rows = [
            [one[0], one[1], *map(_share, (one[2], one[4], one[6]))] for one in found["languages"]
        ]
        columns = ["language", "sentences", "right", "with a trigger word", "without one"]
        parts.append(f"## Category of a sentence\n\n{_table(columns, rows)}")
    if found := quality.get("dedup"):
        rows = [
            [f"{language}, {guard}", one["pairs"]]
            + [_share(one[key]) for key in ("precision", "recall", "f1")]
            for guard in ("guard on", "guard off")
            for language, one in found[guard].items()
            if language in ("all", "en", "zh")
        ]
        note = (
            "Pairs of sentences from MRPC, STS-B, SICK, LCQMC, AFQMC, OPPO, PAWS-X and BQ. Their "
            'labels mean "paraphrase", which is wider than "the same lesson". Precision '
            "counts more here: a lesson that is refused by mistake is no longer found.\n"
        )
        columns = ["", "pairs", "precision", "recall", "F1"]
        parts.append(f"## Duplicates\n\n{note}\n{_table(columns, rows)}")
    if found := quality.get("filters"):
        rows = [[kind, cases, right] for kind, cases, right, _ in found["kinds"]]
        title = "## Filters and distances on ALFRED trials"
        parts.append(f"{title}\n\n{_table(['', 'cases', 'answered exactly'], rows)}")
    return "\n".join(parts)


def _startup(startup: dict[str, Any]) -> str:
    if not startup:
        return ""
    imports = [
        [f"`import {one['module']}`", one["wall_ms"], one["cpu_ms"]] for one in startup["imports"]
    ]
    server = [
        [name, value] for name, value in startup["server"].items() if not name.startswith("first")
    ]
    runs = len(startup["starts"])
    return (
        f"## Start\n\nMedians of {runs} runs.\n\n{_table(['', 'wall ms', 'CPU ms'], imports)}\n"
        f"`mnemic mcp --profile robot`, from its start, over 1,000 memories. The first answers are "
        f"found by words; the embedder is loaded meanwhile.\n\n{_table(['', 'median'], server)}"
    )


def _figures(results: dict[str, dict[str, Any]], *, chinese: bool) -> str:
    """Return the small tables of a README."""
    robot, quality = results["robot"], results["quality"]
    sizes = [one["size"] for one in robot.get("trials", {}).get("words", [])]
    parts: list[str] = []
    if sizes:
        shown = {name: _at(robot, name, max(sizes)) for name in _PROGRAMS}
        names = [name for name, one in shown.items() if one]
        words = _CHINESE if chinese else _ENGLISH
        rows = [
            [words[call], *(_cpu(shown[name], call) for name in names)]
            for call in ("learn", "recall", "end_session")
        ]
        rows.append([words["bytes"], *(_bytes(shown[name]) for name in names)])
        columns = [words["costs"].format(size=max(sizes)), *(words[name] for name in names)]
        parts.append(_table(columns, rows))
    if quality:
        words = _CHINESE if chinese else _ENGLISH
        rows = [
            [
                words[name],
                *(_share(quality[name][mode]["recall@10"]) for mode in ("plain BM25", "hybrid")),
            ]
            for name in _SETS
            if name in quality
        ]
        parts.append(_table([words["found"], words["plain"], words["ours"]], rows))
    return "\n".join(parts)


_ENGLISH: Final = {
    "costs": "CPU ms per call, {size:,} memories",
    "learn": "learn",
    "recall": "recall",
    "end_session": "end of a session",
    "bytes": "bytes per memory on disk",
    **_PROGRAMS,
    "found": "recall@10, development half",
    "plain": "plain BM25",
    "ours": "Mnemic",
    **{name: title for name, (title, *_) in _SETS.items()},
}
_CHINESE: Final = {
    "costs": "每次调用的 CPU 毫秒数，{size:,} 条记忆",
    "learn": "learn（学习）",
    "recall": "recall（回忆）",
    "end_session": "结束一次会话",
    "bytes": "每条记忆占用的磁盘字节数",
    "words": "Mnemic，仅用词语",
    "vectors": "Mnemic，加上向量",
    "robotmem": "robotmem 0.1.3，仅用词语",
    "found": "recall@10，开发集",
    "plain": "普通 BM25",
    "ours": "Mnemic",
    "locomo": "LoCoMo（英文对话）",
    "memdaily": "MemDaily（中文）",
    "alfred": "ALFRED（机器人任务，英文）",
}


if __name__ == "__main__":
    main()
