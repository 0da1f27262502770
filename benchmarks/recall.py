"""What does each kind of recall cost Mnemic as the store grows, and does it stay right?

    python benchmarks/recall.py [--sizes 10000,100000,1000000] [--embedder default]

Above 100,000 memories a stand-in for the default embedder is used (see harness/embedders.py):
vectors of the same length, but embedding a question costs next to nothing.
"""

import argparse
import os
import shutil
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from typing import Any, Final

from harness.embedders import embedder_for
from harness.measure import summary
from harness.options import Options
from harness.process import DriverProcess
from harness.results import Result, conditions, name_for, progress, save_sizes
from harness.sentences import Writer
from report import recall as report
from speed.recall_workload import Question, questions

_DRIVER: Final = "speed.recall_driver"
_SECONDS: Final = 60.0
_WARM_UP: Final = 10
_LEARNS: Final = 60
_EXPLAINED: Final = 10
_COLD_STARTS: Final = 3
_FRESH: Final = 50

Kinds = dict[str, list[Question]]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = Options(__doc__)
    parser.sizes(10_000)
    parser.embedder(None, help="above 100,000 a stand-in, unless named")
    parser.seed()
    options = parser.parse_args(arguments)
    for size in options.sizes:
        result = _measure(size, options)
        print(report.write({"recall": {"sizes": {str(size): result}}}))
        complete = options.embedder is None and size >= 10_000
        save_sizes(name_for("recall", [size]), {size: result}, complete=complete)


def _measure(size: int, options: argparse.Namespace) -> Result:
    embedder = options.embedder or embedder_for(size)
    kinds = questions(size, options.seed)
    with TemporaryDirectory(prefix="mnemic-recall-") as scratch:
        folder = Path(scratch)
        driver = (_DRIVER, folder, embedder)
        progress(f"{size:,}: loading; embedder {embedder}")
        with DriverProcess(*driver) as process:
            [loaded] = process.timed("load", [[size, options.seed]])
        # The conditions of the measuring, not of a loading that may take an hour.
        run = conditions(seed=options.seed)
        progress(f"{size:,}: opening it cold")
        cold = _cold(driver, folder, kinds["mixed"][0])
        progress(f"{size:,}: comparing with every stored vector")
        with DriverProcess(*driver) as process:
            asked = [asdict(question) for question in kinds["mixed"][_WARM_UP:]]
            cosine = process.call("cosine", asked)
        progress(f"{size:,}: asking")
        measured = _costs(driver, kinds)
        progress(f"{size:,}: what another process learns")
        freshness = _freshness(driver)
    seconds = {"cpu_s": loaded["cpu_ms"] / 1000, "wall_s": loaded["wall_ms"] / 1000}
    loading = {**seconds, "bytes": loaded["answer"]}
    result = {"run": run, "embedder": embedder, "loading": loading, **measured}
    return {**result, "cold": cold, "cosine": cosine, "freshness": freshness}


def _costs(driver: Sequence[Any], kinds: Kinds) -> dict[str, Any]:
    """Return what every kind of question costs in one open store, and then one learn."""
    costs: dict[str, Any] = {}
    stages: dict[str, dict[str, float]] = {}
    with DriverProcess(*driver) as process:
        for kind, asked in kinds.items():
            each = [[asdict(question)] for question in asked]
            timed = process.timed_within(_SECONDS, "recall", each)
            nothing = sum(not call["answer"] for call in timed[_WARM_UP:])
            costs[kind] = {**summary(timed, warm_up=min(_WARM_UP, len(timed) - 1))}
            costs[kind]["nothing"] = nothing
            explained = process.timed_within(_SECONDS, "explain", each[-_EXPLAINED:])
            stages[kind] = _mean_stages([call["answer"] for call in explained])
        rss_mb = process.call("resident_mb")
        lessons = Writer(4_711).experiences(_LEARNS + _WARM_UP)
        learns = process.timed("learn", [[lesson.text, lesson.context] for lesson in lessons])
    learn = summary(learns, warm_up=_WARM_UP)
    return {"kinds": costs, "stages": stages, "rss_mb": rss_mb, "learn": learn}


def _mean_stages(explained: Sequence[dict[str, float]]) -> dict[str, float]:
    spent: defaultdict[str, float] = defaultdict(float)
    for stages in explained:
        for name, cpu_ms in stages.items():
            spent[name] += cpu_ms / len(explained)
    return dict(spent)


def _cold(driver: Sequence[Any], folder: Path, question: Question) -> dict[str, Any]:
    """Measure the first answers of new processes, with and without an index snapshot."""
    _cold_start(driver, question)
    result: dict[str, Any] = {
        "snapshot": {path.name: path.stat().st_size for path in _snapshots(folder)}
    }
    for name in ("with", "without"):
        starts: list[dict[str, float]] = []
        for _ in range(_COLD_STARTS):
            for path in _snapshots(folder) if name == "without" else ():
                shutil.rmtree(path) if path.is_dir() else path.unlink()
            _drop_page_cache(folder)
            starts.append(_cold_start(driver, question))
        result[name] = {key: median(start[key] for start in starts) for key in starts[0]}
    return result


def _snapshots(folder: Path) -> list[Path]:
    """Return what the product keeps beside its database to open faster."""
    names = ("memory.db", "memory.db-wal", "memory.db-shm")
    return [path for path in folder.iterdir() if path.name not in names]


def _drop_page_cache(folder: Path) -> None:
    """Ask the system to forget what it has read of a store, as after a start of the machine."""
    for file in folder.rglob("*"):
        if file.is_file():
            descriptor = os.open(file, os.O_RDONLY)
            os.fsync(descriptor)
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(descriptor)


def _cold_start(driver: Sequence[Any], question: Question) -> dict[str, float]:
    """Ask by words, then with vectors; the second answer includes loading the embedder."""
    costs: dict[str, float] = {}
    with DriverProcess(*driver) as process:
        for name, mode in (("words", "bm25_only"), ("vectors", "hybrid")):
            [timed] = process.timed("recall", [[asdict(replace(question, mode=mode))]])
            costs |= {f"{name}_{key}": timed[key] for key in ("cpu_ms", "wall_ms")}
        costs["rss_mb"] = process.call("resident_mb")
        process.call("close")
    return costs


def _freshness(driver: Sequence[Any]) -> dict[str, Any]:
    """Let one process learn and another recall it at once; count what it does not find."""
    missed, cpu = 0, list[float]()
    with DriverProcess(*driver) as writer, DriverProcess(*driver) as reader:
        reader.call("find", "nothing in particular")
        for number in range(_FRESH):
            text = f"wordnobodyused{number} stands here"
            learned = writer.call("learn", text, {})
            [found] = reader.timed("find", [[text]])
            missed += not (learned and found["answer"])
            cpu.append(found["cpu_ms"])
    return {"learned": _FRESH, "missed": missed, "cpu_ms": mean(cpu)}


if __name__ == "__main__":
    main()
