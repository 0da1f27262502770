"""Promises of a chat that is told while it is written."""

import json
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from mnemic.dialects.assistant.router import tools_router
from mnemic.opening import OpenMemory
from tests.conftest import OpenIt
from tests.dialects.assistant.test_llm import open_with
from tests.dialects.calling import add, done
from tests.providers.chat_server import ChatServer, failing, saying
from tests.providers.scripted_server import Reply


def streaming(*pieces: str) -> Reply:
    chunks: list[dict[str, Any]] = [
        {"choices": [{"delta": {"content": piece}}]} for piece in pieces
    ]
    chunks.append({"choices": [{"delta": {}, "finish_reason": "stop"}]})
    lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
    body = "".join([": ping\n\n", *lines, "data: [DONE]\n\n"])
    return Reply(body.encode(), headers=(("Content-Type", "text/event-stream"),))


def events(memory: OpenMemory, **params: object) -> list[tuple[str, Any]]:
    app = FastAPI()
    app.include_router(tools_router(memory.assistant))
    with TestClient(app) as client:
        answer = client.post(
            "/tools/memory_chat", json=params, headers={"Accept": "text/event-stream"}
        )
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/event-stream")
    told: list[tuple[str, Any]] = []
    for block in answer.text.strip().split("\n\n"):
        name, data = block.split("\n")
        told.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return told


def test_a_reply_is_told_piece_by_piece_and_then_whole(open_it: OpenIt) -> None:
    reply = streaming("<thi", "nk>hm</think>", "You like ", "oolong.")
    with ChatServer(reply) as server:
        memory = open_with(open_it, server)
        told = events(memory, message="Which tea do I like?", conversation_id="tea")

        assert server.asked[0].body["stream"] is True
    *pieces, (last, envelope) = told
    assert [name for name, _ in pieces] == ["delta", "delta"]
    assert "".join(data["text"] for _, data in pieces) == "You like oolong."
    assert last == "done"
    assert envelope["data"]["response"] == "You like oolong."
    kept = done(memory, "conversation_get", conversation_id="tea")["messages"]
    assert [one["content"] for one in kept] == ["Which tea do I like?", "You like oolong."]


@pytest.mark.parametrize("reply", [saying("You like oolong.")])
def test_a_server_that_does_not_stream_is_told_in_one_piece(open_it: OpenIt, reply: Reply) -> None:
    with ChatServer(reply) as server:
        told = events(open_with(open_it, server), message="Which tea do I like?")

    assert [name for name, _ in told] == ["delta", "done"]
    assert told[0][1] == {"text": "You like oolong."}


def test_without_a_model_the_quoting_reply_is_one_piece(memory: OpenMemory) -> None:
    add(memory, "I like oolong tea")

    told = events(memory, message="Which tea do I like?")

    assert [name for name, _ in told] == ["delta", "done"]
    assert "oolong" in told[0][1]["text"]


def test_an_error_is_the_envelope_that_tells_it(open_it: OpenIt) -> None:
    with ChatServer(failing(401, "no")) as server:
        memory = open_with(open_it, server)
        [(name, envelope)] = events(memory, message="Which tea do I like?")
        [(_, wrong)] = events(memory, message="")

    assert (name, envelope["error"]["code"]) == ("done", "CHAT_SERVICE_ERROR")
    assert wrong["error"]["code"] == "INVALID_MESSAGE"
