"""What does a robot's call cost as its memory grows, for us and for robotmem?

    python benchmarks/robot.py [--sizes 1000,10000,100000] [--skip-peer] [--skip-vectors]

All programs get the same sentences, in one run; CPU time counts every thread of a process.
"""

import argparse
import shutil
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from drivers.environments import interpreters
from harness.measure import Timed, summary
from harness.options import DEFAULT, Options
from harness.process import DriverProcess
from harness.results import Result, conditions, name_for, progress, save
from harness.sentences import Writer
from report import robot as report

_CELL: Final = "cell-7"
_CELL_SIZE: Final = 1_000
_AGE_DAYS: Final = 10
_LEARNS: Final = 205
_QUESTIONS: Final = 105
_SESSIONS: Final = 5
_LESSONS: Final = 10
# Calls that are not measured, for every program alike: what is prepared once is no call's cost.
_WARM_UP: Final = 30
_SUCCEEDED: Final = {"task.success": True}

Lessons = list[list[Any]]
"""Texts with their contexts."""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = Options(__doc__)
    parser.sizes(1_000, 10_000)
    parser.add_argument("--skip-peer", action="store_true")
    parser.add_argument("--skip-vectors", action="store_true")
    parser.seed()
    parser.embedder(help="for the trial with vectors")
    options = parser.parse_args(arguments)
    result: Result = {"run": conditions(seed=options.seed), "trials": {}}
    pythons = interpreters([] if options.skip_peer else ["robotmem"], {})
    for size in options.sizes:
        with tempfile.TemporaryDirectory(prefix="mnemic-bench-") as scratch:
            for name, measured in _measure(Path(scratch), size, options, pythons).items():
                result["trials"].setdefault(name, []).append(measured)
    print(report.write_run(result, "run"))
    complete = len(result["trials"]) == len(report.PROGRAMS) and options.embedder == DEFAULT
    save(name_for("robot", options.sizes), result, complete=complete)


def _measure(
    folder: Path, size: int, options: argparse.Namespace, pythons: dict[str, Path]
) -> dict[str, Any]:
    """Measure every program at one size; each phase is a process of its own."""
    writer = Writer(options.seed)
    # A second collection, to see what a search inside a small scope costs.
    cell = _CELL_SIZE if size >= 10 * _CELL_SIZE else 0
    stock = {"default": _lessons(writer, size - cell), _CELL: _lessons(writer, cell)}
    calls = _Calls(writer, size, has_cell=cell > 0)
    words, vectors, robotmem = (folder / name for name in ("words", "vectors", "robotmem"))
    results: dict[str, Any] = {}
    words.mkdir()
    loading = _run(("drivers.mnemic_robot", words, "none"), "load", stock, _AGE_DAYS)
    if not options.skip_vectors:
        shutil.copytree(words, vectors)
        driver = ("drivers.mnemic_robot", vectors, options.embedder)
        embedding = _run(driver, "embed")
        results["vectors"] = calls.measure(driver) | {"bulk_embedding": embedding}
        results["vectors"]["loading"] = loading
    results["words"] = calls.measure(("drivers.mnemic_robot", words, "none"))
    results["words"]["loading"] = loading
    for peer in pythons.values():
        robotmem.mkdir()
        driver = ("drivers.robotmem_robot", robotmem)
        loading = _run(driver, "load", stock, _AGE_DAYS, python=peer)
        results["robotmem"] = calls.measure(driver, python=peer) | {"loading": loading}
    return results


def _lessons(writer: Writer, count: int) -> Lessons:
    return [[lesson.text, lesson.context] for lesson in writer.experiences(count)]


def _run(driver: Sequence[Any], name: str, *arguments: object, **options: Any) -> dict[str, Any]:
    """Call a method in a process of its own; return its answer with what it cost."""
    progress(" ".join(map(str, (*driver, name))))
    with DriverProcess(*driver, **options) as process:
        [timed] = process.timed(name, [arguments])
    seconds = {"cpu_s": timed["cpu_ms"] / 1000, "wall_s": timed["wall_ms"] / 1000}
    return {**timed["answer"], **seconds}


class _Calls:
    """What is learned and asked once a store is loaded."""

    def __init__(self, writer: Writer, size: int, *, has_cell: bool) -> None:
        self._size = size
        self._has_cell = has_cell
        self._learns = _lessons(writer, _LEARNS)
        self._questions = writer.questions(_QUESTIONS)
        self._sessions = [_lessons(writer, _LESSONS) for _ in range(_SESSIONS)]

    def measure(self, driver: Sequence[Any], **options: Any) -> dict[str, Any]:
        """Open a store and return what its calls cost."""
        progress(" ".join(map(str, (*driver, "measuring"))))
        questions = self._questions
        with DriverProcess(*driver, **options) as process:
            opened = process.timed("open", [[questions[0]]])
            recall = process.timed("recall", [[text] for text in questions])
            asked = [[text, "default", _SUCCEEDED] for text in questions]
            filtered = process.timed("recall", asked)
            asked = [[text, _CELL] for text in questions if self._has_cell]
            in_cell = process.timed("recall", asked)
            rss_mb = process.call("resident_mb")
            learn = process.timed("learn", self._learns)
            ended = [self._end_session(process, lessons) for lessons in self._sessions]
        # The first end of a day also ages the store.
        first = {"cpu_ms_first": ended[0]["cpu_ms"], "wall_ms_first": ended[0]["wall_ms"]}
        result = {
            "size": self._size,
            "open": summary(opened),
            "recall": _costs(recall),
            "recall_filtered": _costs(filtered),
            **({"recall_in_cell": _costs(in_cell)} if in_cell else {}),
            "rss_mb": rss_mb,
            "learn": _costs(learn),
            "end_session": {**summary(ended), **first},
        }
        result["embedding"] = {"learn_cpu_ms": result["learn"]["embedding_cpu_ms"]}
        return result

    def _end_session(self, process: DriverProcess, lessons: Lessons) -> Timed:
        session = process.call("start_session")
        process.timed("learn", [[*lesson, session] for lesson in lessons])
        return process.timed("end_session", [[session]])[0]


def _costs(timed: list[Timed]) -> dict[str, Any]:
    answers = [call["answer"] for call in timed[_WARM_UP:]]
    counts = Counter(
        answer if isinstance(answer, str) else "found" if answer else "nothing"
        for answer in answers
    )
    return {**summary(timed, warm_up=_WARM_UP), "answers": counts}


if __name__ == "__main__":
    main()
