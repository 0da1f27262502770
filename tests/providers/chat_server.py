"""A server that speaks `/v1/chat/completions`, or fails in the ways that such servers fail."""

import json
from collections.abc import Callable
from threading import Event
from typing import Any

from tests.providers.scripted_server import Reply, ScriptedServer

Answering = Callable[[dict[str, Any]], Reply]


def saying(text: str | None, *, finish: str = "stop", **message: object) -> Reply:
    """Return a complete answer with that text."""
    said = {"role": "assistant", "content": text, **message}
    choice = {"index": 0, "message": said, "finish_reason": finish}
    return Reply(
        json.dumps(
            {
                "id": "c",
                "object": "chat.completion",
                "created": 1,
                "model": "m",
                "choices": [choice],
            }
        ).encode(),
        headers=(("Content-Type", "application/json"),),
    )


def failing(status: int, words: str = "", *, retry_after: str | None = None) -> Reply:
    """Return an error as OpenAI words it."""
    headers = () if retry_after is None else (("Retry-After", retry_after),)
    return Reply(json.dumps({"error": {"message": words}}).encode(), status, headers)


def after(event: Event, reply: Reply) -> Answering:
    """Answer only when the test says so."""

    def answer(_body: dict[str, Any]) -> Reply:
        event.wait(timeout=30)
        return reply

    return answer


class ChatServer(ScriptedServer):
    """Gives replies, or what is made from the request, in turn."""

    def __init__(self, *answers: Reply | Answering) -> None:
        super().__init__(*(_answering(answer) for answer in answers))

    @property
    def base(self) -> str:
        """What belongs into MNEMIC_LLM_URL."""
        return f"{self.url}/v1"


def _answering(answer: Reply | Answering) -> Answering:
    return (lambda _body: answer) if isinstance(answer, Reply) else answer
