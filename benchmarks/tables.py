"""Write what the benchmarks measured into the docs and both READMEs.

    python benchmarks/tables.py [--check]

The pages are docs/benchmarks.md, the blocks `generated:NAME` in docs/explanation/scale.md and
recall.md, and the figures of README.md and README.zh.md. With --check nothing is written, and the
exit code says whether they show the results that are kept.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final

from harness.markdown import fill_blocks, table
from harness.options import Options
from harness.results import REPOSITORY, read
from report import (
    ablation,
    assistant,
    chat,
    console,
    fairness,
    goals,
    peers,
    persona,
    postgres,
    quality,
    readme,
    recall,
    robot,
    scale,
    server,
    startup,
)
from report.notes import NOTES

_SECTIONS: Final = (
    recall,
    postgres,
    assistant,
    chat,
    server,
    fairness,
    console,
    peers,
    robot,
    quality,
    persona,
    startup,
)
_WITH_GOALS: Final = (
    robot,
    recall,
    postgres,
    assistant,
    chat,
    server,
    fairness,
    console,
    quality,
    startup,
)
# The results of docs/benchmarks.md, in the order of its list of runs.
NAMES: Final = (
    *("startup", "quality", "robot", "robot-full", "recall", "recall-full", "peers", "peers-full"),
    *("postgres", "postgres-full", "postgres-quality", "assistant", "assistant-full"),
    *("chat", "chat_edits", "chat_context", "server", "fairness", "console", "persona"),
    "secret_recognition",
)
_FIGURES: Final = re.compile(r"(<!-- figures:start -->\n).*?(<!-- figures:end -->)", re.DOTALL)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = Options(__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail on a difference")
    check = parser.parse_args(arguments).check
    changed = {path: text for path, text in pages() if path.read_text("utf-8") != text}
    for path, text in {} if check else changed.items():
        path.write_text(text, "utf-8")
    names = ", ".join(str(path.relative_to(REPOSITORY)) for path in changed)
    if check and changed:
        sys.exit(f"Not what was measured last: {names}. Run python benchmarks/tables.py.")
    print(f"Written: {names}" if changed else "Every page shows the results that are kept.")


def pages() -> Iterator[tuple[Path, str]]:
    """Return every page with the figures of the results that are kept."""
    results = {name: read(name) for name in NAMES}
    docs = REPOSITORY / "docs"
    yield docs / "benchmarks.md", write(results)
    for name, chinese in (("README.md", False), ("README.zh.md", True)):
        figures = readme.write(results, chinese=chinese)
        text = (REPOSITORY / name).read_text("utf-8")
        yield (
            REPOSITORY / name,
            _FIGURES.sub(lambda old, new=figures: f"{old[1]}{new}\n{old[2]}", text),
        )
    explained = {
        "scale.md": scale.blocks(read("postgres-rows")),
        "recall.md": ablation.blocks({name: read(name) for name in ("ablation", "tuning")}),
    }
    for name, blocks in explained.items():
        path = docs / "explanation" / name
        yield path, fill_blocks(path.read_text("utf-8"), blocks)


def write(results: dict[str, dict[str, Any]]) -> str:
    """Return docs/benchmarks.md; a result that was not measured is empty."""
    sections = [
        NOTES["method"],
        _runs(results),
        goals.write(chain.from_iterable(module.goals(results) for module in _WITH_GOALS)),
        *(module.write(results) for module in _SECTIONS),
    ]
    return "\n".join(section for section in sections if section).rstrip() + "\n"


def _runs(results: dict[str, dict[str, Any]]) -> str:
    rows: list[list[object]] = []
    versions: dict[str, str] = {}
    for name, result in results.items():
        script, _, full = name.partition("-")
        for size, run in _conditions(result):
            versions |= run["versions"]
            rows.append([f"`{script}.py`{size}", full or "small", *_machine(run)])
        if not result:
            rows.append([f"`{script}.py`", full or "small", *["not measured"] * 5])
        for about in result.get("programs", {}).values():
            versions |= about.get("versions", {})
    titles = ["script", "run", "day", "machine", "load when it began (1 / 5 / 15 min)", "Python"]
    named = ", ".join(f"{name} {number}" for name, number in versions.items())
    return f"## Runs\n\n{table([*titles, 'seed'], rows)}\nVersions: {named}.\n"


def _conditions(result: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Return the runs behind a result: one, or one per size."""
    sizes = result.get("sizes", {})
    runs = [(f", {int(size):,}", measured["run"]) for size, measured in sizes.items()]
    return [*runs, ("", result["run"])] if "run" in result else runs


def _machine(run: dict[str, Any]) -> list[object]:
    machine = f"{run['cores']} cores, {run['cpu']}"
    loads = " / ".join(map(str, run["load"]))
    return [run["at"][:10], machine, loads, run["python"], run["seed"]]


if __name__ == "__main__":
    main()
