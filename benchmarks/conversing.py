"""A compared program in a process of its own, with a limit on its time."""

import json
import os
import subprocess
import tempfile
from pathlib import Path
from threading import Timer
from time import monotonic
from typing import Any, Final, Self

_HERE: Final = Path(__file__).resolve().parent
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


class StoppedError(Exception):
    """The program failed or took too long; the message says which, and where it was."""


class Conversation:
    """One program over its standard input and output, from its start to its end.

    Every answer is waited for until the whole conversation has lasted `seconds`.
    """

    def __init__(self, python: Path, name: str, vectors: Path, *, seconds: float) -> None:
        self._scratch = tempfile.TemporaryDirectory(prefix=f"mnemic-{name}-")
        folder = Path(self._scratch.name)
        (folder / "store").mkdir()
        (folder / "home").mkdir()
        self._complaints = (folder / "stderr").open("w+", encoding="utf-8")
        self._ends_at = monotonic() + seconds
        self._seconds = seconds
        driver = _HERE / "compared" / f"{name}_store.py"
        self._process = subprocess.Popen(
            [str(python), str(driver), str(folder / "store"), str(vectors)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._complaints,
            text=True,
            env={
                **os.environ,
                **_OFFLINE,
                # The Mnemic of this folder, whichever other one is installed.
                "PYTHONPATH": os.pathsep.join([str(_HERE), str(_HERE.parent / "src")]),
                "HOME": str(folder / "home"),
                "TMPDIR": str(folder / "home"),
            },
        )

    def ask(self, do: str, **request: object) -> dict[str, Any]:
        """Send one request and return its answer, or raise StoppedError."""
        left = self._ends_at - monotonic()
        watch = Timer(max(0.0, left), self._process.kill)
        watch.start()
        try:
            self._send({"do": do, **request})
            line = self._process.stdout.readline() if self._process.stdout else ""
        except BrokenPipeError:
            line = ""
        finally:
            watch.cancel()
        if line:
            return json.loads(line)
        if monotonic() >= self._ends_at:
            raise StoppedError(f"stopped after {self._seconds:,.0f} s, in {do}")
        raise StoppedError(f"failed in {do}: {self._last_words()}")

    def _send(self, request: dict[str, Any]) -> None:
        if self._process.stdin is None:
            raise StoppedError("the program has no input")
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()

    def _last_words(self) -> str:
        self._process.wait()
        self._complaints.seek(0)
        said = [line.strip() for line in self._complaints if line.strip()]
        return said[-1] if said else f"it ended with code {self._process.returncode}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.kill()
        self._process.communicate()
        self._complaints.close()
        self._scratch.cleanup()
