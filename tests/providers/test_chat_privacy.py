"""What leaves the machine for a language model, and what never does."""

import logging
import subprocess
import sys
import traceback

import pytest

from mnemic.errors import ChatServiceError, SettingsError
from mnemic.providers.chat_models.chat_model import choose_chat_model
from tests.providers.chat_server import (
    ASKED,
    HELLO,
    KEY,
    PICTURE,
    SHOWN,
    ChatServer,
    ask,
    failure_of,
    model_at,
)
from tests.providers.scripted_server import Reply


def test_only_what_the_call_needs_leaves_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another-service")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-mine")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "Authorization: Bearer other\nX-Mine: 1")
    with ChatServer(HELLO) as server:
        with model_at(server.base, key=None) as model:
            model.complete("", ASKED)
        ask(server)

    needed = {"host", "accept", "accept-encoding", "connection", "content-length", "content-type"}
    assert server.asked[0].headers.keys() == {*needed, "user-agent"}
    assert server.asked[0].headers["user-agent"].startswith("mnemic/")
    assert server.asked[1].authorization == f"Bearer {KEY}"


def test_a_proxy_is_not_asked_for_a_server_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "")
    with ChatServer(HELLO) as server:
        assert ask(server).text == "Hello."


def test_a_proxy_that_cannot_be_used_is_an_error_without_its_password(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "gopher://me:hunter2@proxy:port")
    with (
        model_at("https://host.invalid/v1") as model,
        pytest.raises(ChatServiceError, match="proxy") as failure,
    ):
        model.complete("", ASKED)

    assert "hunter2" not in "".join(traceback.format_exception(failure.value))


def test_an_address_or_a_key_that_cannot_be_used_is_refused_without_repeating_it() -> None:
    with pytest.raises(SettingsError, match="MNEMIC_LLM_API_KEY") as of_url:
        choose_chat_model("http://user:secret@host/v1", "m")
    with pytest.raises(SettingsError, match="MNEMIC_LLM_API_KEY") as of_key:
        choose_chat_model("http://host/v1", "m", "secret key")

    assert "secret" not in f"{of_url.value}{of_key.value}"


def test_pictures_never_go_to_a_model_that_is_set_not_to_see() -> None:
    with ChatServer(HELLO) as server:
        answer = ask(server, SHOWN, vision=False)

    assert not answer.saw_images
    assert PICTURE not in str(server.asked)


@pytest.mark.parametrize("status", [200, 307, 400, 401, 403, 404, 429, 500])
@pytest.mark.parametrize(
    "words",
    [
        f'{{"error": {{"message": "Incorrect API key provided: {KEY}"}}}}',
        # The excerpt ends in the middle of the key.
        f'{{"error": "{"x" * 190}{KEY}"}}',
        f'{{"choices": [{{"message": {{}}, "finish_reason": "{"x" * 50}{KEY}"}}]}}',
        f"plain {KEY}",
    ],
    ids=["openai", "cut", "reason", "plain"],
)
def test_the_key_stands_in_no_error_and_no_log(
    status: int, words: str, caplog: pytest.LogCaptureFixture
) -> None:
    loggers = ["", "openai", "openai._base_client", "httpx2", "httpcore2", "mnemic"]
    for name in loggers:
        caplog.set_level(logging.DEBUG, name)
    with ChatServer(Reply(words.encode(), status=status)) as server:
        failure = failure_of(server)

    chain = "".join(traceback.format_exception(failure))
    assert failure.__cause__ is None
    assert failure.__context__ is None
    for told in (str(failure), repr(failure.details), chain, caplog.text):
        assert "sk-very" not in told
    assert any(record.name.startswith("httpx2") for record in caplog.records)
    assert "sk-very" not in "".join(str(vars(record)) for record in caplog.records)


def test_a_chosen_model_does_not_show_its_key() -> None:
    with model_at("http://host/v1") as model:
        shown = repr(model) + repr(vars(model))

    assert KEY not in shown


def test_the_key_is_not_sent_on_to_another_server() -> None:
    with ChatServer(HELLO) as other:
        elsewhere = Reply(b"", status=307, headers=(("Location", other.base),))
        with ChatServer(elsewhere) as server:
            failure_of(server)

    assert other.asked == []


def test_neither_importing_nor_choosing_loads_a_client() -> None:
    code = (
        "import sys, mnemic\n"
        "from mnemic.providers.chat_models.chat_model import choose_chat_model as choose\n"
        "assert choose('http://host/v1', 'm', 'key')\n"
        "print([name for name in ('openai', 'httpx2', 'pydantic') if name in sys.modules])"
    )

    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert out.stdout.strip() == "[]"
