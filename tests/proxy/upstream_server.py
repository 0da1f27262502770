"""A server that speaks OpenAI's API, for a proxy to ask: it answers what a test tells it to."""

import json
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Final, Self

Json = dict[str, Any]
UPSTREAM_KEY: Final = "sk-upstream-0123456789"
EVENTS: Final = {"Content-Type": "text/event-stream; charset=utf-8"}


@dataclass
class Answer:
    """What is sent back, piece by piece; of one that `breaks_off`, the end never comes."""

    pieces: Iterable[bytes]
    status: int = 200
    headers: dict[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})
    breaks_off: bool = False


@dataclass(frozen=True)
class Received:
    """What came in; the names of headers are in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: Json
    raw: bytes

    @property
    def said(self) -> list[str]:
        """The texts of the messages."""
        return [one["content"] for one in self.body["messages"]]


Script = Callable[[Received], Answer]


class UpstreamServer:
    """Gives answers in turn and repeats the last; `left` is set when a client did not wait."""

    def __init__(self, *answers: Answer | Script) -> None:
        self.received: list[Received] = []
        self.left = threading.Event()
        self._answers = list(answers)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    @property
    def base(self) -> str:
        """What belongs into MNEMIC_LLM_URL."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def answer(self, received: Received) -> Answer:
        """Note a request and return what to answer."""
        script = self._answers[min(len(self.received), len(self._answers) - 1)]
        self.received.append(received)
        return script(received) if callable(script) else script

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


def saying(text: str | None, *others: str, **message: object) -> Answer:
    """Return an answer in one piece; others are further choices."""
    choices = [
        {
            "index": index,
            "message": {"role": "assistant", "content": said, **message},
            "finish_reason": "stop",
        }
        for index, said in enumerate((text, *others))
    ]
    return Answer([json.dumps(_completion("chat.completion", choices)).encode()])


def event(**delta: object) -> bytes:
    """Return one event of a stream."""
    finish = delta.pop("finish_reason", None)
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return _event(_completion("chat.completion.chunk", [choice]))


def streaming(*words: str, before_last: Callable[[], object] = lambda: None) -> Answer:
    """Return a stream with an event for each word; it ends with the usage and the mark."""

    def pieces() -> Iterator[bytes]:
        yield event(role="assistant", content="")
        for at, word in enumerate(words):
            if at == len(words) - 1:
                before_last()
            yield event(content=word)
        yield event(finish_reason="stop")
        usage = {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}
        yield _event(_completion("chat.completion.chunk", []) | {"usage": usage})
        yield b"data: [DONE]\n\n"

    return Answer(pieces(), headers=EVENTS)


def _completion(kind: str, choices: list[Json]) -> Json:
    return {"id": "c", "object": kind, "created": 1, "model": "m", "choices": choices}


def _event(data: Json) -> bytes:
    return f"data: {json.dumps(data)}\n\n".encode()


def _handler(server: UpstreamServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._answer(b"")

        def do_POST(self) -> None:
            self._answer(self.rfile.read(int(self.headers["Content-Length"])))

        def _answer(self, raw: bytes) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            body: Json = json.loads(raw or b"{}")
            answer = server.answer(Received(self.command, self.path, headers, body, raw))
            self.send_response(answer.status)
            for name, value in {**answer.headers, "Transfer-Encoding": "chunked"}.items():
                self.send_header(name, value)
            self.end_headers()
            try:
                for piece in answer.pieces:
                    self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
                    self.wfile.flush()
                if not answer.breaks_off:
                    self.wfile.write(b"0\r\n\r\n")
            except OSError:
                server.left.set()
            self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            """Keep the test's output quiet."""

    return Handler
