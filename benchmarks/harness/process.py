"""A program that is measured, in a process of its own, with a limit on its time."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from time import monotonic
from typing import IO, Any, Final, Self

from harness.results import REPOSITORY

_OFFLINE: Final = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "ANONYMIZED_TELEMETRY": "False",
    "MEM0_TELEMETRY": "False",
    "DO_NOT_TRACK": "1",
    "PYTHONWARNINGS": "ignore",
    # Whatever still tries to reach the network is refused at once.
    "HTTP_PROXY": "http://127.0.0.1:9",
    "HTTPS_PROXY": "http://127.0.0.1:9",
}
# The Mnemic of this repository, whichever other one is installed.
_IMPORTS: Final = os.pathsep.join(str(REPOSITORY / name) for name in ("benchmarks", "src"))
_LEAST_CALLS: Final = 5
_NO_LIMIT: Final = 24 * 3_600.0


class DriverError(Exception):
    """The program failed or took too long; the message says which, and where it was."""


class DriverProcess:
    """A module that serves calls over its standard input and output (see driver.py).

    Every answer is waited for until the process has lived for `seconds`.
    """

    def __init__(
        self,
        module: str,
        *arguments: object,
        python: Path | str = sys.executable,
        seconds: float = _NO_LIMIT,
        environment: dict[str, str] | None = None,
        errors: IO[str] | None = None,
    ) -> None:
        self._seconds = seconds
        self._deadline = monotonic() + seconds
        self._errors = errors
        self._process = subprocess.Popen(
            [str(python), "-m", module, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env={**os.environ, "PYTHONPATH": _IMPORTS, **(environment or {})},
        )

    def call(self, name: str, *arguments: object) -> Any:
        """Call a method and return its answer, or raise DriverError."""
        [timed] = self.timed(name, [arguments])
        return timed["answer"]

    def timed(self, name: str, each: Any) -> list[dict[str, Any]]:
        """Call a method with each of these arguments; return the answers with their costs."""
        self.send(name, each)
        return self.receive(name)

    def timed_within(self, seconds: float, name: str, each: Any) -> list[dict[str, Any]]:
        """Do the same one call after the other; once the time is up, no more after the fifth."""
        started, timed = monotonic(), list[dict[str, Any]]()
        for arguments in each:
            if len(timed) >= _LEAST_CALLS and monotonic() - started > seconds:
                break
            timed += self.timed(name, [arguments])
        return timed

    def send(self, name: str, each: Any) -> None:
        """Ask, without waiting for the answer."""
        try:
            if self._process.stdin is not None:
                self._process.stdin.write(json.dumps({"call": name, "each": list(each)}) + "\n")
                self._process.stdin.flush()
        except BrokenPipeError:
            # There will be no answer, and whoever waits for it will say why.
            return

    def receive(self, name: str) -> list[dict[str, Any]]:
        """Return the answer to what was sent."""
        timer = Timer(max(0.0, self._deadline - monotonic()), self._process.kill)
        timer.start()
        line = self._process.stdout.readline() if self._process.stdout else ""
        timer.cancel()
        if line:
            return json.loads(line)
        if monotonic() >= self._deadline:
            raise DriverError(f"stopped after {self._seconds:,.0f} s, in {name}")
        raise DriverError(f"failed in {name}: {self._last_error()}")

    def _last_error(self) -> str:
        code = self._process.wait()
        if self._errors is None:
            return f"it ended with code {code}"
        self._errors.seek(0)
        lines = [line.strip() for line in self._errors if line.strip()]
        return lines[-1] if lines else f"it ended with code {code}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.kill()
        self._process.communicate()


@contextmanager
def store_process(
    python: Path | str, name: str, vectors: Path, *, seconds: float
) -> Generator[DriverProcess]:
    """Run a store under comparison, offline, with a folder and a home of its own."""
    with tempfile.TemporaryDirectory(prefix=f"mnemic-{name}-") as scratch:
        store, home = (Path(scratch) / part for part in ("store", "home"))
        store.mkdir()
        home.mkdir()
        environment = {**_OFFLINE, "HOME": str(home), "TMPDIR": str(home)}
        with (
            (Path(scratch) / "stderr").open("w+", encoding="utf-8") as errors,
            DriverProcess(
                f"drivers.{name}",
                store,
                vectors,
                python=python,
                seconds=seconds,
                environment=environment,
                errors=errors,
            ) as process,
        ):
            yield process
