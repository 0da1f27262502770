"""Clients that write at the same time, each a process of its own, and what they were told."""

import subprocess
import sys
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from tests.ha import processes

_ROOT: Final = Path(__file__).parents[2]

# A client that waits for a fail-over gives up after two minutes; until then it is only slow.
_PATIENCE: Final = 180


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """A write that a client was told is kept, and when (on the machine's monotonic clock)."""

    client: int
    number: int
    memory_id: int
    at: float


@dataclass(frozen=True, slots=True)
class Gap:
    """Two acknowledgements with none between them."""

    before: float
    after: float

    @property
    def seconds(self) -> float:
        """How long there was none."""
        return self.after - self.before


class Clients:
    """Processes that write until the block is left; all of them are gone then."""

    def __init__(self, url: str, folder: Path, *, count: int) -> None:
        self._url = url
        self._folder = folder
        self._numbers = range(1, count + 1)

    def __enter__(self) -> Self:
        self._running = [self._start(number) for number in self._numbers]
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for process in self._running:
            processes.kill(process)

    def wait_for_writes(self, count: int, *, since: float = 0.0) -> None:
        """Wait until every client was acknowledged that many writes after `since`."""

        def enough() -> bool | None:
            self._check_all_run()
            late = [one.client for one in self.acknowledged() if one.at > since]
            return min(late.count(number) for number in self._numbers) >= count or None

        processes.until(enough, f"{count} writes of each client", seconds=_PATIENCE, pause=0.5)

    def stop(self) -> None:
        """Let every client end by itself, in good order."""
        (self._folder / "stop").touch()
        for number, process in zip(self._numbers, self._running, strict=True):
            if process.wait(timeout=_PATIENCE) != 0:
                raise AssertionError(self._complaint(number))

    def acknowledged(self) -> list[Acknowledged]:
        """Everything that was acknowledged so far, by client and in the order of writing."""
        return [one for number in self._numbers for one in self._read(number)]

    def _start(self, number: int) -> subprocess.Popen[bytes]:
        journal = self._journal(number)
        journal.touch()
        stop = self._folder / "stop"
        command = [sys.executable, "-m", "tests.ha.writing", self._url, str(number)]
        with (self._folder / f"client{number}.err").open("wb") as complaints:
            return subprocess.Popen(
                [*command, str(journal), str(stop)], stderr=complaints, cwd=_ROOT
            )

    def _read(self, number: int) -> list[Acknowledged]:
        lines = self._journal(number).read_text().split("\n")[:-1]
        fields = [line.split() for line in lines]
        return [Acknowledged(number, int(one), int(two), float(at)) for one, two, at in fields]

    def _journal(self, number: int) -> Path:
        return self._folder / f"client{number}.txt"

    def _check_all_run(self) -> None:
        for number, process in zip(self._numbers, self._running, strict=True):
            if process.poll() is not None:
                raise AssertionError(self._complaint(number))

    def _complaint(self, number: int) -> str:
        said = (self._folder / f"client{number}.err").read_text().splitlines()[-20:]
        return "\n".join([f"client {number} ended with an error:", *said])


def longest_gap(writes: list[Acknowledged], *, start: float, end: float) -> Gap:
    """The longest time without an acknowledgement that reaches into a span."""
    times = sorted(one.at for one in writes)
    gaps = [Gap(*pair) for pair in pairwise(times) if pair[1] >= start and pair[0] <= end]
    return max(gaps, key=lambda gap: gap.seconds)
