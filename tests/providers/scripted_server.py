"""A real HTTP server in the test process that answers what a test tells it to."""

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from mnemic.providers.remote_model import Patience


class Pauses(list[float]):
    """The pauses that were asked for; nobody sleeps."""

    def patience(self) -> Patience:
        return Patience(sleep=self.append)


@dataclass(frozen=True)
class Reply:
    """What the server sends back. Of a reply that `breaks_off`, only the first half arrives."""

    body: bytes
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    breaks_off: bool = False


@dataclass(frozen=True)
class Asked:
    """What the server was sent; the names of headers are in lower case."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def authorization(self) -> str | None:
        return self.headers.get("authorization")


class ScriptedServer:
    """Gives the answers in turn and repeats the last one; `asked` is what came in."""

    def __init__(self, *answers: Callable[[dict[str, Any]], Reply]) -> None:
        self.asked: list[Asked] = []
        self._answers = list(answers)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _answer(self, asked: Asked) -> Reply:
        answering = self._answers[min(len(self.asked), len(self._answers) - 1)]
        self.asked.append(asked)
        return answering(asked.body)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        answer = self._answer

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                body = json.loads(self.rfile.read(length))
                headers = {name.lower(): value for name, value in self.headers.items()}
                reply = answer(Asked(self.path, headers, body))
                self.send_response(reply.status)
                self.send_header("Content-Length", str(len(reply.body)))
                for name, value in reply.headers:
                    self.send_header(name, value)
                self.end_headers()
                half = len(reply.body) // 2
                self.wfile.write(reply.body[:half] if reply.breaks_off else reply.body)

            def log_message(self, format: str, *args: object) -> None:
                """Keep the test's output quiet."""

        return Handler
