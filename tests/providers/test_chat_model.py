"""Language models on OpenAI-compatible servers, spoken to over real sockets."""

import socket
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from mnemic.errors import ChatServiceError, SettingsError
from mnemic.providers.chat_models.chat_model import Completion, choose_chat_model
from mnemic.records.memory import Utterance
from tests.providers.chat_server import (
    ASKED,
    HELLO,
    KEY,
    PICTURE,
    SHOWN,
    ChatServer,
    after,
    ask,
    failing,
    failure_of,
    model_at,
    saying,
)
from tests.providers.scripted_server import Pauses, Reply


def test_a_model_gets_the_instructions_and_what_was_said_and_its_answer_comes_back() -> None:
    said = (Utterance("user", "你好"), Utterance("assistant", "你好！"), *ASKED)
    with ChatServer(saying(" 茶。\n")) as server:
        answer = ask(server, said)

    assert answer == Completion("茶。", saw_images=False)
    assert server.asked[0].path == "/v1/chat/completions"
    assert server.asked[0].body == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "Be kind."},
            {"role": "user", "content": "你好"},
            {"role": "assistant", "content": "你好！"},
            {"role": "user", "content": "What do I like?"},
        ],
    }


def test_a_local_server_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with ChatServer(HELLO) as server, model_at(server.base, key=None) as model:
        assert model.complete("", ASKED).text == "Hello."

    assert server.asked[0].authorization is None


def test_threads_may_ask_one_model_at_once() -> None:
    with (
        ChatServer(lambda body: saying(body["messages"][1]["content"])) as server,
        model_at(server.base) as model,
        ThreadPoolExecutor(8) as threads,
    ):
        said = [(Utterance("user", f"{number}!"),) for number in range(24)]
        answers = list(threads.map(model.complete, [""] * 24, said))

    assert [answer.text for answer in answers] == [f"{number}!" for number in range(24)]


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ("", "/v1/chat/completions"),
        ("/", "/v1/chat/completions"),
        ("/v1/", "/v1/chat/completions"),
        ("/v1/chat/completions", "/v1/chat/completions"),
        ("/chat/completions/", "/chat/completions"),
        ("/api/v3", "/api/v3/chat/completions"),
    ],
)
def test_an_address_may_be_given_as_people_paste_it(given: str, path: str) -> None:
    with ChatServer(HELLO) as server, model_at(server.url + given) as model:
        model.complete("", ASKED)

    assert server.asked[0].path == path


def test_without_address_and_model_there_is_none() -> None:
    assert choose_chat_model(None, None) is None
    assert choose_chat_model(" ", "", KEY) is None


@pytest.mark.parametrize(
    ("url", "model", "missing"),
    [("http://host/v1", None, "MNEMIC_LLM_MODEL"), (None, "m", "MNEMIC_LLM_URL")],
)
def test_half_a_setting_is_answered_with_the_other_half(
    url: str | None, model: str | None, missing: str
) -> None:
    with pytest.raises(SettingsError, match=f"{missing}: missing"):
        choose_chat_model(url, model)


def test_a_busy_server_is_asked_again_with_longer_pauses() -> None:
    pauses = Pauses()
    with ChatServer(failing(429), failing(503), HELLO) as server:
        answer = ask(server, pauses=pauses)

    assert answer.text == "Hello."
    assert pauses == [0.5, 1.0]


@pytest.mark.parametrize(("asked", "pause"), [("2", 2.0), ("3600", 5.0), ("soon", 0.5)])
def test_the_pause_follows_the_server_within_limits(asked: str, pause: float) -> None:
    pauses = Pauses()
    with ChatServer(failing(429, retry_after=asked), HELLO) as server:
        ask(server, pauses=pauses)

    assert pauses == [pause]


def test_a_server_that_always_crashes_is_given_up_on() -> None:
    pauses = Pauses()
    with ChatServer(Reply(b"<html>oops</html>", status=500)) as server:
        failure = failure_of(server, pauses=pauses)

    assert "answered 500. Try again" in str(failure)
    assert failure.details == {"retryable": True}
    assert len(server.asked) == 3
    assert pauses == [0.5, 1.0]


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (307, "set MNEMIC_LLM_URL to the final address"),
        (400, "answered 400: some words. The model may take shorter"),
        (401, "answered 401. The key was refused. Check MNEMIC_LLM_API_KEY."),
        (403, "answered 403. The key was refused. Check MNEMIC_LLM_API_KEY."),
        (404, "answered 404: some words. Check MNEMIC_LLM_MODEL, and MNEMIC_LLM_URL"),
        (409, "answered 409: some words."),
    ],
)
def test_a_refusal_is_told_with_the_next_step_and_not_repeated(status: int, told: str) -> None:
    with ChatServer(failing(status, "some words.")) as server:
        failure = failure_of(server)

    assert told in str(failure)
    assert failure.details == {"retryable": False}
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "body", [b'{"error": "no such m"}', b'{"detail": "no such m"}', b'{"message": "no such m"}']
)
def test_the_words_of_other_servers_are_understood(body: bytes) -> None:
    with ChatServer(Reply(body, status=404)) as server:
        assert "404: no such m. Check" in str(failure_of(server))


def test_a_server_that_is_not_there_is_tried_again_and_named() -> None:
    pauses = Pauses()
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]

    with (
        model_at(f"http://127.0.0.1:{port}/v1", pauses=pauses) as model,
        pytest.raises(ChatServiceError, match=r"ConnectError.*MNEMIC_LLM_URL") as failure,
    ):
        model.complete("", ASKED)

    assert failure.value.details == {"retryable": True}
    assert pauses == [0.5, 1.0]


def test_a_silent_server_is_not_asked_twice() -> None:
    pauses = Pauses()
    enough = Event()
    with ChatServer(after(enough, HELLO)) as server:
        with (
            model_at(server.base, seconds=0.2, pauses=pauses) as model,
            pytest.raises(ChatServiceError, match=r"within 0\.2 s.*MNEMIC_LLM_TIMEOUT") as failure,
        ):
            model.complete("", ASKED)
        enough.set()

    assert failure.value.details == {"retryable": True}
    assert len(server.asked) == 1
    assert pauses == []


def test_a_connection_that_breaks_off_is_tried_again() -> None:
    broken = Reply(HELLO.body, breaks_off=True)
    with ChatServer(broken, HELLO) as server:
        assert ask(server).text == "Hello."
    with ChatServer(broken) as server:
        assert "RemoteProtocolError" in str(failure_of(server))
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    ("reply", "told", "retryable"),
    [
        (Reply(b"{broken"), "did not answer like a chat server", False),
        (Reply(b""), "did not answer like a chat server", False),
        (
            Reply(b"<html>Welcome</html>", headers=(("Content-Type", "text/html"),)),
            "MNEMIC_LLM_URL",
            False,
        ),
        (Reply(b'{"choices": null}'), "did not answer like a chat server", False),
        (Reply(b'{"choices": [{"text": "old"}]}'), "did not answer like a chat server", False),
        (Reply(b'{"error": {"message": "out of order"}}'), "chat server: out of order", False),
        (Reply(b'{"choices": []}'), "without a choice", True),
        (saying(None, finish="length"), "without text (it stopped because: length)", True),
        (saying("  \n"), "without text (it stopped because: stop)", True),
        (saying("<think>I wonder", finish="length"), "without text", True),
    ],
)
def test_an_answer_without_text_is_an_error(reply: Reply, told: str, retryable: bool) -> None:
    with ChatServer(reply) as server:
        failure = failure_of(server)

    assert told in str(failure)
    assert failure.details == {"retryable": retryable}
    assert len(server.asked) == 1


def test_a_refusal_of_the_model_is_its_answer() -> None:
    with ChatServer(saying(None, refusal="I will not say that.")) as server:
        assert ask(server).text == "I will not say that."


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("<think>\nHm.\n</think>\n\nTea.", "Tea."),
        ("\n<think></think>茶。", "茶。"),
        ("Hm, they said tea.\n</think>\n\nTea.", "Tea."),
        ("Tea. <think>Hm</think>", "Tea. <think>Hm</think>"),
        ("Close it with </think> at the end.", "Close it with </think> at the end."),
        ("Write:\n<think>\nHm\n</think>\nso.", "Write:\n<think>\nHm\n</think>\nso."),
    ],
)
def test_what_a_model_thinks_aloud_before_its_answer_is_left_out(text: str, answer: str) -> None:
    with ChatServer(saying(text)) as server:
        assert ask(server).text == answer


def test_an_answer_in_parts_is_put_together() -> None:
    parts = (
        b'{"choices": [{"message": {"content": [{"type": "thinking", "thinking": []},'
        b' {"type": "text", "text": "Green "}, {"type": "text", "text": "tea."}]}}]}'
    )
    with ChatServer(Reply(b"\n\n" + parts)) as server:
        assert ask(server).text == "Green tea."


def test_pictures_go_to_a_model_that_sees() -> None:
    with ChatServer(HELLO) as server:
        answer = ask(server, SHOWN)

    assert answer.saw_images
    assert server.asked[0].body["messages"][1]["content"] == [
        {"type": "text", "text": "What is this?"},
        {"type": "image_url", "image_url": {"url": PICTURE}},
    ]


@pytest.mark.parametrize("status", [400, 413, 415, 422])
def test_a_server_that_refuses_pictures_is_asked_once_more_without_them(status: int) -> None:
    with ChatServer(failing(status, "text only"), HELLO) as server:
        answer = ask(server, SHOWN)

    assert answer == Completion("Hello.", saw_images=False)
    assert server.asked[1].body["messages"][1] == {"role": "user", "content": "What is this?"}


def test_a_request_that_is_bad_without_its_pictures_too_is_an_error() -> None:
    with (
        ChatServer(failing(400, "text only"), failing(400, "too long")) as server,
        pytest.raises(ChatServiceError, match="too long"),
    ):
        ask(server, SHOWN)

    assert len(server.asked) == 2


def test_a_broken_character_does_not_break_the_request() -> None:
    with ChatServer(HELLO) as server:
        ask(server, (Utterance("user", "broken \ud800 half"),))

    assert server.asked[0].body["messages"][1]["content"] == "broken ? half"
