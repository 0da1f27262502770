"""`mnemic serve` as a process of its own: a connection to it, its costs, and a slow model."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any, Final, Self

from harness.measure import process_cpu_ms, resident_mb

_ADDRESS: Final = re.compile(r"serving on http://([\d.]+):(\d+)")
_LOOK_SECONDS: Final = 0.5
_QUIET_LOOKS: Final = 4
_QUIET_MS: Final = 20.0
_MOST_LOOKS: Final = 600
_STARTUP_LINES: Final = 100
_JSON: Final = {"content-type": "application/json", "accept": "application/json, text/event-stream"}

_MESSAGE: Final = {"role": "assistant", "content": "Tea, I think."}
_CHOICE: Final = {"index": 0, "finish_reason": "stop", "message": _MESSAGE}
_ANSWER: Final = json.dumps(
    {"id": "x", "object": "chat.completion", "created": 0, "model": "slow", "choices": [_CHOICE]}
).encode()


class Server:
    """A server on a store, while it is entered."""

    def __init__(self, database: Path, *, embedder: str, worker: bool, **environment: str) -> None:
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-m", "mnemic.cli.main", "serve", "--port", "0"),
                *("--database", str(database), "--worker" if worker else "--no-worker"),
            ],
            env={**os.environ, "MNEMIC_EMBEDDER": embedder, **environment},
            stderr=subprocess.PIPE,
            text=True,
        )
        self.address = self._address()
        self._connection = HTTPConnection(*self.address)

    def __enter__(self) -> Self:
        # The model is loaded in the background; nothing of that belongs to a request.
        self.wait_until_idle()
        return self

    def __exit__(self, *error: object) -> None:
        self._connection.close()
        self._process.terminate()
        self._process.communicate()

    def get(self, path: str) -> dict[str, Any]:
        return json.loads(self._request("GET", path, 200)[1])

    def post(self, path: str, body: dict[str, Any], *, status: int) -> dict[str, Any]:
        return json.loads(self._request("POST", path, status, json.dumps(body))[1])

    def open_session(self, path: str, protocol: str) -> dict[str, str]:
        """Shake hands as an MCP client; return the headers that name the session."""
        client = {"name": "benchmark", "version": "1"}
        params = {"protocolVersion": protocol, "capabilities": {}, "clientInfo": client}
        hello = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}
        headers, _ = self._request("POST", path, 200, json.dumps(hello))
        session = {"mcp-session-id": headers["mcp-session-id"]}
        ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        self._request("POST", path, 202, json.dumps(ready), session)
        return {**session, "mcp-protocol-version": protocol}

    def cpu_ms(self) -> float:
        """Return the CPU time of all its threads so far, user and system."""
        return process_cpu_ms(self._process.pid)

    def resident_mb(self) -> float:
        return resident_mb(self._process.pid)

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

    def _request(
        self,
        method: str,
        path: str,
        status: int,
        body: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> tuple[HTTPMessage, bytes]:
        self._connection.request(method, path, body, {**(_JSON if body else {}), **(headers or {})})
        answer = self._connection.getresponse()
        text = answer.read()
        if answer.status != status:
            raise RuntimeError(f"{method} {path}: {answer.status} {text[:300]!r}")
        return answer.headers, text

    def _address(self) -> tuple[str, int]:
        lines: list[str] = []
        for line in self._process.stderr or ():
            if match := _ADDRESS.search(line):
                return match[1], int(match[2])
            lines.append(line)
            if len(lines) >= _STARTUP_LINES:
                break
        raise RuntimeError("the server did not start: " + "".join(lines[-10:]))


@contextmanager
def slow_model(seconds: float) -> Generator[str]:
    """Give the address of a language model that takes so many seconds for every answer."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            sleep(seconds)
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(_ANSWER)))
            self.end_headers()
            self.wfile.write(_ANSWER)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
