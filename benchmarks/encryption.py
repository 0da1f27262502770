"""What does encryption at rest cost? A plain and an encrypted store, in turns, in one run.

python benchmarks/encryption.py [--memories 20000] [--rounds 3] [--calls 200]
"""

import os
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, Final

import mnemic
from harness.markdown import table
from harness.options import Options
from harness.results import conditions, progress, save
from harness.sentences import Writer
from mnemic.opening import OpenMemory
from mnemic.settings import Settings
from mnemic.transfer.backup import back_up

_SEED: Final = 15
_BATCH: Final = 500
_PUBLISHED: Final = {"memories": 20_000, "rounds": 3, "calls": 200}
_FIRST_ANSWER: Final = """
import sys, time
import mnemic
with mnemic.open(sys.argv[1], embedder="none") as memory:
    memory.robot.recall("anything")
print(time.process_time())
"""


class EncryptionTrial:
    """A store with a key or without one, filled alike."""

    def __init__(self, folder: Path, key: str | None, memories: int) -> None:
        progress(f"filling {'an encrypted' if key else 'a plain'} store")
        self.path = folder / ("plain.db" if key is None else "encrypted.db")
        self._key, writer = key, Writer(_SEED)
        with self._open() as memory:
            lessons = [{"insight": text} for text in writer.texts(memories)]
            for start in range(0, memories, _BATCH):
                memory.robot.learn_many(lessons[start : start + _BATCH])
            memory.robot.recall("anything")
        self._fresh = writer.texts(1_000_000)
        self._questions = writer.questions(1_000)

    def _open(self) -> OpenMemory:
        """Open it; the work of an embedder would only hide what is measured."""
        key = self._key
        return mnemic.open(self.path, encryption_key=key, embedder="none", durability="normal")

    def measure(self, calls: int) -> dict[str, float]:
        """Return the CPU milliseconds of single calls, and of what reads the whole store."""
        settings = Settings(database=str(self.path), encryption_key=self._key)
        copy, now = self.path.with_suffix(".copy"), datetime.now(UTC)
        with self._open() as memory:
            robot, questions = memory.robot, iter(self._questions)
            robot.recall("anything")
            costs = {
                "learn": _cpu_ms(calls, lambda: robot.learn(next(self._fresh))),
                "recall": _cpu_ms(calls, lambda: robot.recall(next(questions))),
                "list of 100": _cpu_ms(max(1, calls // 10), lambda: robot.list(n=100)),
            }
        costs["backup, checked"] = _cpu_ms(1, lambda: back_up(settings, copy, now=now, force=True))
        command = [sys.executable, "-c", _FIRST_ANSWER, str(self.path)]
        environment = {**os.environ, "MNEMIC_ENCRYPTION_KEY": self._key or ""}
        printed = subprocess.check_output(command, env=environment, text=True)
        return {**costs, "first answer of a process": float(printed) * 1_000}


def _cpu_ms(count: int, call: Callable[[], object]) -> float:
    started = process_time()
    for _ in range(count):
        call()
    return (process_time() - started) / count * 1_000


def main(arguments: Sequence[str] | None = None) -> None:
    parser = Options(__doc__)
    for name, usual in _PUBLISHED.items():
        parser.add_argument(f"--{name}", type=int, default=usual)
    options = parser.parse_args(arguments)
    run = conditions(seed=_SEED)
    with tempfile.TemporaryDirectory() as scratch:
        keys = (None, secrets.token_hex(32))
        trials = [EncryptionTrial(Path(scratch), key, options.memories) for key in keys]
        rounds: list[list[dict[str, float]]] = []
        for number in range(options.rounds):
            progress(f"round {number + 1} of {options.rounds}")
            rounds.append([trial.measure(options.calls) for trial in trials])
        plain, encrypted = (trial.path.stat().st_size / 1e6 for trial in trials)
    file = ["file, MB", round(plain, 1), round(encrypted, 1), round(encrypted / plain, 2)]
    rows = [*_rows(rounds), file]
    print(f"{options.memories:,} memories, words only, CPU ms\n")
    print(table(("what", "plain", "encrypted", "ratio"), rows))
    complete = all(vars(options)[name] >= least for name, least in _PUBLISHED.items())
    save("encryption", {"run": run, "memories": options.memories, "rows": rows}, complete=complete)


def _rows(rounds: list[list[dict[str, float]]]) -> list[list[Any]]:
    """Return the medians of all rounds, and that of the ratios of each round."""
    rows: list[list[Any]] = []
    for what in rounds[0][0]:
        pairs = [(plain[what], encrypted[what]) for plain, encrypted in rounds]
        ratios = [encrypted / plain for plain, encrypted in pairs]
        medians = [median(costs) for costs in (*zip(*pairs, strict=True), ratios)]
        rows.append([what, *(round(value, 2) for value in medians)])
    return rows


if __name__ == "__main__":
    main()
