"""A real HTTP server in the test process that answers like OpenAI or Ollama, or badly."""

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

VECTORS = {"push": [3.0, 4.0, 0.0], "lift": [0.0, 0.0, 2.0], "dimensions": [1.0, 0.0, 0.0]}


@dataclass(frozen=True)
class Reply:
    """What the server sends back."""

    body: bytes
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Asked:
    """What the server was sent."""

    path: str
    authorization: str | None
    body: dict[str, Any]


Answering = Callable[[list[str]], Reply]


def vector_of(text: str) -> list[float]:
    return VECTORS.get(text, [float(len(text)), 1.0, 0.0])


def openai_reply(texts: list[str]) -> Reply:
    """Answer correctly, but in the opposite order, which the protocol allows."""
    data = [{"index": i, "embedding": vector_of(text)} for i, text in enumerate(texts)]
    return Reply(json.dumps({"object": "list", "data": data[::-1]}).encode())


def ollama_reply(texts: list[str]) -> Reply:
    answer = {"model": "m", "embeddings": [vector_of(text) for text in texts]}
    return Reply(json.dumps(answer).encode())


def openai_data(*vectors: list[float]) -> Answering:
    data = [{"index": i, "embedding": vector} for i, vector in enumerate(vectors)]
    return always(Reply(json.dumps({"data": data}).encode()))


def always(reply: Reply) -> Answering:
    return lambda _texts: reply


class EmbeddingServer:
    """Gives the answers in turn and repeats the last one; `asked` is what came in."""

    def __init__(self, *answers: Answering) -> None:
        self.asked: list[Asked] = []
        self._answers = list(answers)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> "EmbeddingServer":
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
        return answering(asked.body["input"])

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        answer = self._answer

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                body = json.loads(self.rfile.read(length))
                reply = answer(Asked(self.path, self.headers["Authorization"], body))
                self.send_response(reply.status)
                self.send_header("Content-Length", str(len(reply.body)))
                for name, value in reply.headers:
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(reply.body)

            def log_message(self, format: str, *args: object) -> None:
                """Keep the test's output quiet."""

        return Handler
