"""How good are recall, categories, dedup and filters, on data that nobody here wrote?

    python benchmarks/quality.py [--data FOLDER] [--only locomo,memdaily,alfred,classify,...]

The data lie beside the repository (../shared/data), in --data or in MNEMIC_DATA. They are the
development halves: goals are judged on others.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from evaluation import (
    abstention,
    categories,
    duplicates,
    filters,
    matching,
    pooled,
    retrieval,
    supersession,
)
from evaluation.replay import embedding_once
from harness.datasets import SETS
from harness.markdown import show
from harness.options import DEFAULT, Options
from harness.results import Result, conditions, save
from report import quality as report

_PARTS: Final[dict[str, Callable[..., dict[str, Any]]]] = {
    "pooled": pooled.evaluate,
    "abstention": abstention.evaluate,
    "matching": matching.evaluate,
    "classify": lambda data, **_: categories.evaluate(data),
    "dedup": duplicates.evaluate,
    "supersession": supersession.evaluate,
    "filters": filters.evaluate,
}
_ALL: Final = (*SETS, *_PARTS)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = Options(__doc__)
    parser.data()
    parser.names("--only", _ALL)
    parser.embedder()
    options = parser.parse_args(arguments)
    result: Result = {"run": conditions(), "embedder": options.embedder}
    for part in sorted(options.only, key=_ALL.index):
        if part in SETS:
            result[part] = retrieval.evaluate(part, options.data, embedder=options.embedder)
            continue
        # What is not timed stores the same texts again and again.
        with embedding_once():
            result[part] = _PARTS[part](options.data, embedder=options.embedder)
    print(report.write({"quality": result}))
    for part in ("pooled", "matching"):
        show(part, result.get(part, {}))
    told_apart = result.get("abstention", {}).items()
    show("abstention", {name: _shown(measures) for name, measures in told_apart})
    complete = set(options.only) == set(_ALL) and options.embedder == DEFAULT
    save("quality", result, complete=complete)


def _shown(measures: dict[str, Any]) -> dict[str, float]:
    floors = {floor: parts["all"] for floor, parts in measures["floors"].items()}
    shares = {f"{floor} {what}": own for floor in floors for what, own in floors[floor].items()}
    return {"AUROC": measures["auroc"]["all"], "ECE": measures["ece"]["all"], **shares}


if __name__ == "__main__":
    main()
