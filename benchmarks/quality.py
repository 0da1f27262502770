"""How good are recall, categories, dedup and filters, on data that nobody here wrote?

    python benchmarks/quality.py [--data FOLDER] [--only locomo,memdaily,alfred,classify,...]

The data lie beside the repository (../shared/data), in --data or in MNEMIC_DATA. They are the
development halves: goals are judged on others.
"""

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import abstention
import filtering
import judgements
import pooled
import retrieval
from replay import embedding_once
from reporting import REPOSITORY, conditions, save, state

_PARTS: Final = (*retrieval.SETS, "pooled", "abstention", "classify", "dedup", "filters")


def main() -> None:
    options = _options()
    run = conditions()
    state(run)
    print(f"Embedder {options.embedder}; every set is its development half, of {options.data}\n")
    result: dict[str, Any] = {"run": run, "embedder": options.embedder}
    timed = [part for part in options.only if part in retrieval.SETS]
    for part in timed:
        result[part] = _measuring(part, options)()
    # The others only judge what is found, and store the same texts again and again.
    with embedding_once():
        for part in options.only:
            if part not in timed:
                result[part] = _measuring(part, options)()
    everything = tuple(options.only) == _PARTS
    save("quality" if everything else f"quality-{'-'.join(options.only)}", result)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    usual = os.environ.get("MNEMIC_DATA") or REPOSITORY.parent / "shared" / "data"
    parser.add_argument("--data", type=Path, default=Path(usual))
    parser.add_argument("--only", type=_parts, default=_PARTS, help=",".join(_PARTS))
    parser.add_argument("--embedder", default="default")
    return parser.parse_args()


def _parts(text: str) -> list[str]:
    parts = text.split(",")
    if unknown := set(parts) - set(_PARTS):
        raise argparse.ArgumentTypeError(f"{sorted(unknown)} unknown; there are {_PARTS}")
    return parts


def _measuring(part: str, options: argparse.Namespace) -> Callable[[], dict[str, Any]]:
    data, embedder = options.data, options.embedder
    if part in retrieval.SETS:
        return lambda: retrieval.evaluate(part, data, embedder=embedder)
    return {
        "pooled": lambda: pooled.evaluate(data, embedder=embedder),
        "abstention": lambda: abstention.evaluate(data, embedder=embedder),
        "classify": lambda: judgements.classification(data),
        "dedup": lambda: judgements.duplicates(data, embedder=embedder),
        "filters": lambda: filtering.filter_cases(data, embedder=embedder),
    }[part]


if __name__ == "__main__":
    main()
