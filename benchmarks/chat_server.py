"""`mnemic serve` as a process of its own: one connection to it, and what it costs."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from http.client import HTTPConnection
from pathlib import Path
from time import clock_gettime_ns, sleep
from types import TracebackType
from typing import Any, Final, Self

_ADDRESS: Final = re.compile(r"serving on http://([\d.]+):(\d+)")
_LOOK_SECONDS: Final = 0.5
_QUIET_LOOKS: Final = 4
_QUIET_MS: Final = 20.0
_MOST_LOOKS: Final = 600
_STARTUP_LINES: Final = 100


class Server:
    """A server on a store, while it is entered."""

    def __init__(
        self,
        database: Path,
        *,
        embedder: str,
        worker: bool,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-m", "mnemic.cli.main", "serve", "--port", "0"),
                *("--database", str(database), "--worker" if worker else "--no-worker"),
            ],
            env={**os.environ, "MNEMIC_EMBEDDER": embedder, **(environment or {})},
            stderr=subprocess.PIPE,
            text=True,
        )
        self.address = self._address()
        self._connection = HTTPConnection(*self.address)

    def __enter__(self) -> Self:
        # The model is loaded in the background; nothing of that belongs to a request.
        self.wait_until_idle()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._connection.close()
        self._process.terminate()
        self._process.wait()
        if self._process.stderr is not None:
            self._process.stderr.close()

    def get(self, path: str) -> dict[str, Any]:
        """Return what stands at an address."""
        return self._ask("GET", path, None, 200)

    def post(self, path: str, body: dict[str, Any], *, status: int) -> dict[str, Any]:
        """Send something, and return the answer."""
        return self._ask("POST", path, json.dumps(body), status)

    def open_session(self, path: str, wanted: dict[str, Any]) -> dict[str, str]:
        """Shake hands as an MCP client; return the header that names the session."""
        headers = {
            "content-type": "application/json",
            "accept": "application/json, text/event-stream",
        }
        hello = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": wanted}
        self._connection.request("POST", path, json.dumps(hello), headers)
        answer = self._connection.getresponse()
        answer.read()
        named = {"mcp-session-id": answer.headers["mcp-session-id"]}
        ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        self._connection.request("POST", path, json.dumps(ready), {**headers, **named})
        self._connection.getresponse().read()
        return named

    def cpu_ms(self) -> float:
        """Return the CPU time of all its threads so far, user and system."""
        # Linux makes the number of a process's clock from the process's own.
        return clock_gettime_ns(~self._process.pid << 3 | 2) / 1_000_000

    def resident_mb(self) -> float:
        """Return how much memory it holds."""
        [line] = [one for one in self._about("status").splitlines() if one.startswith("VmRSS")]
        return int(line.split()[1]) / 1024

    def wait_until_idle(self) -> None:
        """Return when it has done next to nothing for two seconds."""
        quiet, before = 0, self.cpu_ms()
        for _ in range(_MOST_LOOKS):
            sleep(_LOOK_SECONDS)
            now = self.cpu_ms()
            quiet = quiet + 1 if now - before < _QUIET_MS else 0
            before = now
            if quiet == _QUIET_LOOKS:
                return
        raise TimeoutError("the server did not come to rest")

    def _about(self, name: str) -> str:
        return Path(f"/proc/{self._process.pid}/{name}").read_text("ascii")

    def _ask(self, method: str, path: str, body: str | None, status: int) -> dict[str, Any]:
        headers = {"content-type": "application/json"} if body else {}
        self._connection.request(method, path, body, headers)
        answer = self._connection.getresponse()
        text = answer.read()
        if answer.status != status:
            raise RuntimeError(f"{method} {path}: {answer.status} {text[:300]!r}")
        return json.loads(text)

    def _address(self) -> tuple[str, int]:
        said: list[str] = []
        for line in self._process.stderr or ():
            if match := _ADDRESS.search(line):
                return match[1], int(match[2])
            said.append(line)
            if len(said) >= _STARTUP_LINES:
                break
        raise RuntimeError("the server did not start: " + "".join(said[-10:]))
