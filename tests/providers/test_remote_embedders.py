"""OpenAI-compatible and Ollama servers, spoken to over real sockets."""

import logging
import socket
from collections.abc import Callable

import numpy as np
import pytest

from mnemic.errors import EmbedderError
from mnemic.providers.embedders.choosing import choose_embedder
from mnemic.providers.embedders.embedder import Embedder
from mnemic.providers.remote_model import Patience
from tests.providers.embedding_server import (
    Answering,
    EmbeddingServer,
    always,
    ollama_reply,
    openai_data,
    openai_reply,
)
from tests.providers.scripted_server import Pauses, Reply

KEY = "sk-very-secret-0123456789"
HELD_BACK = Reply(b"{}", status=429)
CRASHED = Reply(b"<html>oops</html>", status=500)


def load(spec: str, server: EmbeddingServer | str, *, pauses: Pauses | None = None) -> Embedder:
    url = server if isinstance(server, str) else server.url
    patience = (Pauses() if pauses is None else pauses).patience()
    source = choose_embedder(spec, url=url, api_key=KEY, patience=patience)
    assert source is not None
    assert source.remote
    return source.load()


def test_openai_vectors_come_back_in_the_order_of_the_texts() -> None:
    with EmbeddingServer(openai_reply) as server:
        embedder = load("openai:m", f"{server.url}/v1/")
        rows = embedder.embed(["push", "lift"])
        embedder.close()

    assert np.allclose(rows, [[0.6, 0.8, 0.0], [0.0, 0.0, 1.0]])
    assert rows.dtype == np.float32
    assert embedder.name == "openai:m@3"
    assert embedder.dimensions == 3
    assert server.asked[-1].path == "/v1/embeddings"
    assert server.asked[-1].authorization == f"Bearer {KEY}"
    assert server.asked[-1].body == {"model": "m", "input": ["push", "lift"]}


def test_ollama_speaks_its_own_protocol() -> None:
    with EmbeddingServer(ollama_reply) as server:
        embedder = load("ollama:bge-m3", server)
        rows = embedder.embed(["push", "lift"])
        embedder.close()

    assert np.allclose(rows, [[0.6, 0.8, 0.0], [0.0, 0.0, 1.0]])
    assert embedder.name == "ollama:bge-m3@3"
    assert embedder.multilingual
    assert server.asked[-1].path == "/api/embed"


@pytest.mark.parametrize(
    ("spec", "answering"), [("openai", openai_reply), ("ollama", ollama_reply)]
)
def test_dimensions_in_the_spec_are_asked_for_and_need_no_probe(
    spec: str, answering: Answering
) -> None:
    with EmbeddingServer(answering) as server:
        embedder = load(f"{spec}:m@3", server)
        assert server.asked == []
        embedder.embed(["push"])
        embedder.close()

    assert embedder.name == f"{spec}:m@3"
    assert server.asked[0].body == {"model": "m", "input": ["push"], "dimensions": 3}


def test_many_texts_go_in_batches_of_64() -> None:
    texts = ["x" * (n + 1) for n in range(130)]
    with EmbeddingServer(openai_reply) as server:
        embedder = load("openai:m@3", server)
        rows = embedder.embed(texts)
        embedder.close()

    assert [len(asked.body["input"]) for asked in server.asked] == [64, 64, 2]
    assert np.allclose(rows[129], np.array([130.0, 1.0, 0.0]) / np.hypot(130.0, 1.0))


def test_blank_texts_are_zeros_and_are_never_sent() -> None:
    with EmbeddingServer(openai_reply) as server:
        embedder = load("openai:m@3", server)
        rows = embedder.embed(["", "push", " \n"])
        nothing = embedder.embed([])
        embedder.close()

    assert [asked.body["input"] for asked in server.asked] == [["push"]]
    assert np.allclose(rows, [[0, 0, 0], [0.6, 0.8, 0], [0, 0, 0]])
    assert nothing.shape == (0, 3)


def test_a_broken_character_does_not_break_the_request() -> None:
    with EmbeddingServer(openai_reply) as server:
        embedder = load("openai:m@3", server)
        embedder.embed(["broken \ud800 half"])
        embedder.close()

    assert server.asked[0].body["input"] == ["broken ? half"]


def test_a_busy_server_is_asked_again_with_longer_pauses() -> None:
    pauses = Pauses()
    with EmbeddingServer(always(HELD_BACK), always(CRASHED), openai_reply) as server:
        embedder = load("openai:m", server, pauses=pauses)
        embedder.close()

    assert embedder.dimensions == 3
    assert pauses == [0.5, 1.0]


@pytest.mark.parametrize(("asked", "pause"), [("2", 2.0), ("3600", 5.0), ("Thu, 01 Jan", 0.5)])
def test_the_pause_follows_the_server_within_limits(asked: str, pause: float) -> None:
    pauses = Pauses()
    busy = Reply(b"{}", status=503, headers=(("Retry-After", asked),))
    with EmbeddingServer(always(busy), openai_reply) as server:
        load("openai:m", server, pauses=pauses).close()

    assert pauses == [pause]


def test_a_server_that_always_crashes_is_given_up_on() -> None:
    pauses = Pauses()
    with (
        EmbeddingServer(always(CRASHED)) as server,
        pytest.raises(EmbedderError, match=r"answered 500\."),
    ):
        load("openai:m", server, pauses=pauses)

    assert len(server.asked) == 3
    assert pauses == [0.5, 1.0]


def test_a_server_that_is_not_there_is_given_up_on() -> None:
    pauses = Pauses()
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]

    with pytest.raises(EmbedderError, match="MNEMIC_EMBEDDER_URL") as failure:
        load("ollama:m", f"http://127.0.0.1:{port}", pauses=pauses)

    assert KEY not in str(failure.value)
    assert pauses == [0.5, 1.0]


def test_a_silent_server_is_not_asked_twice() -> None:
    pauses = Pauses()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        source = choose_embedder(
            "openai:m",
            url=f"http://127.0.0.1:{silent.getsockname()[1]}",
            patience=Patience(read_seconds=0.05, sleep=pauses.append),
        )
        assert source is not None
        with pytest.raises(EmbedderError, match="ReadTimeout"):
            source.load()

    assert pauses == []


def test_a_missing_model_is_reported_in_the_servers_words() -> None:
    missing = Reply(b'{"error": "model \\"m\\" not found, try pulling it first"}', status=404)
    with (
        EmbeddingServer(always(missing)) as server,
        pytest.raises(EmbedderError, match=r"404: model .* not found, try pulling it first"),
    ):
        load("ollama:m", server)

    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("answering", "problem"),
    [
        (always(Reply(b"{not json")), "did not answer with embeddings"),
        (always(Reply(b'{"data": "none"}')), "did not answer with embeddings"),
        (always(Reply(b'{"data": [{"index": 0, "embedding": ["a"]}]}')), "did not answer"),
        (openai_data(), "do not match"),
        (openai_data([1.0], [2.0]), "do not match"),
        (openai_data([float("nan"), 1.0]), "not finite"),
        (openai_data([]), "shape"),
    ],
)
def test_a_bad_answer_is_an_error_and_never_a_vector(answering: Answering, problem: str) -> None:
    with EmbeddingServer(answering) as server, pytest.raises(EmbedderError, match=problem):
        load("openai:m", server)


def test_an_ollama_answer_with_a_vector_too_few_is_an_error() -> None:
    with (
        EmbeddingServer(always(Reply(b'{"embeddings": []}'))) as server,
        pytest.raises(EmbedderError, match="0 vectors for 1 texts"),
    ):
        load("ollama:m", server)


def test_a_model_that_changes_its_dimensions_is_an_error() -> None:
    with EmbeddingServer(openai_data([1.0, 0.0]), openai_data([1.0, 0.0, 0.0])) as server:
        embedder = load("openai:m", server)
        with pytest.raises(EmbedderError, match="3 dimensions instead of 2"):
            embedder.embed(["push"])
        embedder.close()


@pytest.mark.parametrize("status", [400, 401, 403, 404, 429, 500])
@pytest.mark.parametrize(
    "words",
    [
        lambda: f'{{"error": {{"message": "Incorrect API key provided: {KEY}"}}}}',
        # The excerpt ends in the middle of the key.
        lambda: f'{{"error": "{"x" * 190}{KEY}"}}',
        lambda: f"plain {KEY}",
    ],
)
def test_the_key_stands_in_no_error_and_no_log(
    status: int, words: Callable[[], str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with (
        EmbeddingServer(always(Reply(words().encode(), status=status))) as server,
        pytest.raises(EmbedderError) as failure,
    ):
        load("openai:m", server)

    for told in (str(failure.value), repr(failure.value.details), caplog.text):
        assert "sk-very" not in told


def test_the_key_is_not_sent_on_to_another_server() -> None:
    with EmbeddingServer(openai_reply) as other:
        elsewhere = Reply(b"", status=307, headers=(("Location", other.url),))
        with (
            EmbeddingServer(always(elsewhere)) as server,
            pytest.raises(EmbedderError, match="307"),
        ):
            load("openai:m", server)

    assert other.asked == []
