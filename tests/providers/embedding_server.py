"""A server that answers like OpenAI's `/embeddings` or like Ollama, or badly."""

import json
from collections.abc import Callable
from typing import Any

from tests.providers.scripted_server import Reply, ScriptedServer

VECTORS = {"push": [3.0, 4.0, 0.0], "lift": [0.0, 0.0, 2.0], "dimensions": [1.0, 0.0, 0.0]}

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


class EmbeddingServer(ScriptedServer):
    """Answers to the texts that are to be embedded."""

    def __init__(self, *answers: Answering) -> None:
        super().__init__(*(_to_texts(answer) for answer in answers))


def _to_texts(answering: Answering) -> Callable[[dict[str, Any]], Reply]:
    return lambda body: answering(body["input"])
