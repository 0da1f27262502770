"""Write what the benchmarks measured into docs/benchmarks.md, docs/explanation/scale.md and both
READMEs.

python benchmarks/tables.py
"""

import json
import re
from typing import Any, Final

import tables_assistant
import tables_chat
import tables_costs
import tables_goals
import tables_peers
import tables_postgres
import tables_quality
import tables_readme
import tables_recall
import tables_scale
import tables_server
from pages import table
from reporting import REPOSITORY, RESULTS

_PAGE: Final = REPOSITORY / "docs" / "benchmarks.md"
_FIGURES: Final = re.compile(r"(<!-- figures:start -->\n).*?(<!-- figures:end -->)", re.DOTALL)
_NAMES: Final = (
    "startup",
    "quality",
    "robot",
    "robot-full",
    "recall",
    "recall-full",
    "peers",
    "peers-full",
    "postgres",
    "postgres-full",
    "postgres-quality",
    "assistant",
    "assistant-full",
    "chat",
    "chat_context",
    "server",
)
_SCRIPTS: Final = {"peers": "comparing"}

_METHOD: Final = """\
# Benchmarks

This page is made by `python benchmarks/tables.py` from `benchmarks/results/*.json`. Every figure
here can be measured again:

```
make bench                          # everything small: stores of up to 10,000 memories
make bench-full                     # the same, then stores of 100,000 and 1,000,000
python benchmarks/tables.py         # this page alone, from the last results
```

The two runs keep their results apart: a small run never replaces the figures of a full one. Each
table names the day on which it was measured.

## Method

- **CPU time**, all threads, user and system: a busy machine changes it less than wall time. The
  median of the calls is shown; the first thirty of each kind (ten in the tables of recall by kind,
  of the assistant's tools and of peers) are not counted.
- **One run**: at each size every program gets the same sentences, made from one seed, one program
  after the other on one machine. Compare ratios, not milliseconds, with another machine. (The
  assistant's tools and Mem0 take turns; what peers find, not what it costs them, is measured two
  at a time.)
- **Peers** run in virtual environments of their own, through their public Python calls, with the
  versions that are named. They run offline: what they would download is not there. Those that
  take vectors get the very vectors of Mnemic's default embedder.
- **Sizes** are memories in the store before the calls are measured. In the tables of robot calls
  the stock is ten days old, so that the first end of a session has something to age.
- **Quality** is measured on the development halves of public data sets. The goals are meant for
  the other halves, which nobody here has tuned on: a goal that is reached below may still be
  missed there. The data are not part of the repository; `--data FOLDER` or `MNEMIC_DATA` names
  them.
"""


def main() -> None:
    results = read_results()
    _PAGE.write_text(page(results), "utf-8")
    for name, chinese in (("README.md", False), ("README.zh.md", True)):
        path = REPOSITORY / name
        text = path.read_text("utf-8")
        path.write_text(with_figures(text, results, chinese=chinese), "utf-8")
    tables_scale.write()
    written = [one.relative_to(REPOSITORY) for one in (_PAGE, tables_scale.PAGE)]
    print("Written:", *written, "README.md", "README.zh.md")


def read_results() -> dict[str, dict[str, Any]]:
    """Return what was measured last; a result that is not there is empty."""
    return {name: _read(name) for name in _NAMES}


def page(results: dict[str, dict[str, Any]]) -> str:
    """Return docs/benchmarks.md."""
    sections = [
        _METHOD,
        _runs(results),
        tables_goals.section_of(results),
        tables_recall.section_of(results),
        tables_postgres.section_of(results),
        tables_assistant.section_of(results),
        tables_chat.section_of(results),
        tables_server.section_of(results),
        tables_peers.section_of(results),
        tables_costs.section_of(results),
        tables_quality.section_of(results["quality"]),
        tables_costs.startup_of(results["startup"]),
    ]
    text = "\n".join(section for section in sections if section)
    return text.rstrip() + "\n"


def with_figures(readme: str, results: dict[str, dict[str, Any]], *, chinese: bool) -> str:
    """Return a README with the figures of these results between its two marks."""
    figures = tables_readme.figures(results, chinese=chinese)
    return _FIGURES.sub(lambda old: f"{old[1]}{figures}\n{old[2]}", readme)


def _read(name: str) -> dict[str, Any]:
    path = RESULTS / f"{name}.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def _runs(results: dict[str, dict[str, Any]]) -> str:
    rows: list[list[object]] = []
    versions: dict[str, str] = {}
    for name in _NAMES:
        base, _, full = name.partition("-")
        script = f"`{_SCRIPTS.get(base, base)}.py`"
        for size, run in _conditions(results[name]):
            versions |= run["versions"]
            rows.append([f"{script}{size}", full or "small", *_machine(run)])
        if not results[name]:
            rows.append([script, full or "small", *["not measured"] * 5])
        for about in results[name].get("programs", {}).values():
            versions |= about.get("versions", {})
    columns = ["script", "run", "day", "machine", "load when it began (1 / 5 / 15 min)", "Python"]
    named = ", ".join(f"{name} {number}" for name, number in versions.items())
    return f"## Runs\n\n{table([*columns, 'seed'], rows)}\nVersions: {named}.\n"


def _conditions(result: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Return the runs behind a result: one, or one per size."""
    sizes = result.get("sizes", {})
    found = [(f", {int(size):,}", one["run"]) for size, one in sizes.items()]
    return [*found, ("", result["run"])] if "run" in result else found


def _machine(run: dict[str, Any]) -> list[object]:
    machine = f"{run['cores']} cores, {run['cpu']}"
    loads = " / ".join(map(str, run["load"]))
    return [run["at"][:10], machine, loads, run["python"], run["seed"]]


if __name__ == "__main__":
    main()
