"""Promises about streams: each piece goes on at once, and what came is kept, whatever ends it."""

import json
import socket
from threading import Event
from typing import Any
from urllib.parse import urlsplit

import openai
import pytest

from tests.proxy.chat_app import SYSTEM, texts, versions
from tests.proxy.conftest import Scene, Stage
from tests.proxy.upstream_server import EVENTS, Answer, event, saying, streaming
from tests.worker.gates import SECONDS, until

CUT = "The answer was cut short."


def ask(scene: Scene, text: str = "Tell me.", **more: Any) -> Any:
    """Ask for a stream."""
    app = scene.app()
    app.messages.append({"role": "user", "content": text})
    return app.complete(stream=True, **more)


def test_a_stream_is_told_word_by_word_and_kept_when_it_ends(stage: Stage) -> None:
    scene = stage(streaming("High ", "at ", "nine."))

    words = [chunk.choices[0].delta.content for chunk in ask(scene) if chunk.choices]

    assert "".join(word or "" for word in words) == "High at nine."
    # As soon as the app has seen the end: nobody waits here.
    assert texts(scene.memory) == [["Tell me.", "High at nine."]]


def test_nothing_of_a_stream_waits_for_the_rest(stage: Stage) -> None:
    may_go_on = Event()
    scene = stage(streaming("High ", "tide.", before_last=lambda: may_go_on.wait(SECONDS)))

    chunks = iter(ask(scene))
    first = [next(chunks).choices[0].delta.content for _ in range(2)]
    waited = not may_go_on.is_set()
    may_go_on.set()
    rest = [chunk.choices[0].delta.content for chunk in chunks if chunk.choices]

    assert waited
    assert first == ["", "High "]
    assert rest[0] == "tide."


def test_the_usage_of_a_stream_passes_through(stage: Stage) -> None:
    scene = stage(streaming("High."))

    chunks = list(ask(scene, stream_options={"include_usage": True}))

    assert chunks[-1].choices == []
    assert chunks[-1].usage.total_tokens == 5
    assert scene.upstream.received[0].body["stream_options"] == {"include_usage": True}


def test_an_app_that_leaves_in_the_middle_ends_the_request_and_what_came_is_kept(
    stage: Stage,
) -> None:
    may_go_on = Event()

    def words() -> Any:
        yield event(content="High tide ")
        yield event(content="is at ")
        while not scene.upstream.left.is_set():
            yield b": still\n\n"
            may_go_on.wait(0.01)

    scene = stage(Answer(words(), headers=EVENTS), saying("Nine."))
    stream = ask(scene)
    said = [next(iter(stream)).choices[0].delta.content for _ in range(2)]
    stream.close()

    assert scene.upstream.left.wait(SECONDS)
    until(lambda: bool(texts(scene.memory)))
    assert said == ["High tide ", "is at "]
    assert texts(scene.memory) == [["Tell me.", "High tide is at", CUT]]

    app = scene.app()
    # An app may have shown less of it than was sent.
    app.messages += [
        {"role": "user", "content": "Tell me."},
        {"role": "assistant", "content": "High tide"},
    ]
    app.say("Go on.")
    assert texts(scene.memory)[0] == ["Tell me.", "High tide is at", CUT]
    assert len(versions(scene.memory, turn=0)) == 1


def test_an_app_that_leaves_before_the_first_word_ends_the_request_too(stage: Stage) -> None:
    asked, may_go_on = Event(), Event()

    def wait(_: object) -> Answer:
        asked.set()
        may_go_on.wait(SECONDS)
        return saying("Too late.")

    scene = stage(wait)
    body = json.dumps({"messages": [SYSTEM, {"role": "user", "content": "Tell me."}]})
    parts = urlsplit(scene.address)
    with socket.create_connection((parts.hostname, parts.port), timeout=SECONDS) as connection:
        head = (
            "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nX-Mnemic-Session: seaside\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        connection.sendall((head + body).encode())
        assert asked.wait(SECONDS)

    until(lambda: bool(texts(scene.memory)))
    may_go_on.set()
    assert texts(scene.memory) == [["Tell me.", CUT]]


def test_a_model_that_breaks_off_is_an_error_and_what_came_is_kept(stage: Stage) -> None:
    words = [event(content="High "), event(content="tide")]
    scene = stage(Answer(words, headers=EVENTS, breaks_off=True))

    with pytest.raises(openai.APIError, match="could not be asked"):
        list(ask(scene))

    assert texts(scene.memory) == [["Tell me.", "High tide", CUT]]


def test_the_same_message_again_after_an_answer_was_cut_short_replaces_it(stage: Stage) -> None:
    broken = Answer([event(content="High ")], headers=EVENTS, breaks_off=True)
    scene = stage(broken, streaming("High ", "at ", "nine."))

    with pytest.raises(openai.APIError):
        list(ask(scene))
    list(ask(scene))

    assert texts(scene.memory) == [["Tell me.", "High at nine."]]
