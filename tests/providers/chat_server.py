"""A server that speaks `/v1/chat/completions`, or fails in the ways that such servers fail."""

import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from threading import Event
from typing import Any

import pytest

from mnemic.errors import ChatServiceError
from mnemic.providers.chat_models.chat_model import Completion, ServedChatModel, choose_chat_model
from mnemic.records.memory import Utterance
from tests.providers.scripted_server import Pauses, Reply, ScriptedServer

KEY = "sk-very-secret-0123456789"
PICTURE = "data:image/png;base64,iVBORw0KGgo="
ASKED = (Utterance("user", "What do I like?"),)
SHOWN = (Utterance("user", "What is this?", (PICTURE,)),)

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


HELLO = saying("Hello.")


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


@contextmanager
def model_at(
    url: str,
    *,
    key: str | None = KEY,
    seconds: float = 10.0,
    vision: bool = True,
    pauses: Pauses | None = None,
) -> Generator[ServedChatModel]:
    patience = (Pauses() if pauses is None else pauses).patience()
    model = choose_chat_model(
        url, "m", key, timeout_seconds=seconds, vision=vision, patience=patience
    )
    assert model is not None
    try:
        yield model
    finally:
        model.close()


def ask(
    server: ChatServer,
    said: tuple[Utterance, ...] = ASKED,
    *,
    vision: bool = True,
    pauses: Pauses | None = None,
) -> Completion:
    with model_at(server.base, vision=vision, pauses=pauses) as model:
        return model.complete("Be kind.", said)


def failure_of(server: ChatServer, *, pauses: Pauses | None = None) -> ChatServiceError:
    with pytest.raises(ChatServiceError) as failure:
        ask(server, pauses=pauses)
    return failure.value


def _answering(answer: Reply | Answering) -> Answering:
    return (lambda _body: answer) if isinstance(answer, Reply) else answer
