"""Promises about what goes to the model and comes back: memory is added, nothing else changes."""

import json
from collections.abc import Callable
from threading import Event, Thread
from typing import Any

import httpx2
import openai
import pytest

from mnemic.worker import Worker
from tests.conftest import OpenIt
from tests.dialects.chat_calling import Api
from tests.proxy.chat_app import SESSION, SYSTEM, ChatApp, serving_here, texts
from tests.proxy.conftest import Scene, Stage
from tests.proxy.upstream_server import UPSTREAM_KEY, Answer, Received, UpstreamServer, saying
from tests.worker.gates import SECONDS, until

HELLO = {"role": "user", "content": "Hello"}


def post(scene: Scene, body: object, **headers: str) -> httpx2.Response:
    """Send a body as it is."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return httpx2.post(
        f"{scene.address}/v1/chat/completions",
        content=content,
        headers={"content-type": "application/json", "x-mnemic-session": SESSION, **headers},
        timeout=SECONDS,
    )


def test_a_body_without_a_block_goes_on_byte_for_byte(stage: Stage) -> None:
    scene = stage(saying("Hello."))
    body = b'{ "messages" : [{"role":"user","content":"Hi"}],"seed":1e-7, "vendor": {"x": [null]} }'

    assert post(scene, body).status_code == 200

    assert scene.upstream.received[0].raw == body


def test_the_block_stands_before_what_the_user_said_last_and_the_rest_stays(stage: Stage) -> None:
    scene = stage(saying("Noted."))
    remember(scene, "The light burns whale oil.")
    said = [SYSTEM, HELLO, {"role": "assistant", "content": "Hi"}]
    body = {
        "messages": [*said, {"role": "user", "content": "What oil does the light burn?"}],
        "vendor": {"x": [None]},
        "temperature": 0.3,
    }

    post(scene, body)

    sent = scene.upstream.received[0].body
    block = sent["messages"].pop(3)
    assert sent == body
    assert block["role"] == "system"
    assert "whale oil" in block["content"]


def test_what_the_app_still_shows_is_not_told_again_and_what_it_left_out_is(stage: Stage) -> None:
    scene = stage(saying("Noted."))
    app = scene.app()
    app.say("My cat is called Pharos.")
    app.say("I baked bread today.")
    Worker(scene.memory).work_off()

    app.say("What is my cat called?")
    shown = scene.upstream.received[-1].said
    app.messages = [SYSTEM, *app.messages[-2:]]
    app.say("Tell me again what my cat is called.")
    left_out = scene.upstream.received[-1].said

    assert [said for said in shown if "Pharos" in said] == ["My cat is called Pharos."]
    assert [said for said in left_out if "Pharos" in said] == left_out[-2:-1]


def test_the_app_is_known_by_its_key_and_the_model_by_its_own(
    stage: Stage, open_it: OpenIt
) -> None:
    memory = open_it()
    _, key = memory.keys.create("app", account="mira", right="write")
    _, reading = memory.keys.create("reader", account="mira", right="read")
    scene = stage(saying("Hello."), auth="keys")

    scene.app(key=key).say("Hello.")
    with pytest.raises(openai.PermissionDeniedError):
        scene.app(key="wrong").say("Hello.")
    with pytest.raises(openai.PermissionDeniedError):
        scene.app(key=reading).say("Hello.")

    [received] = scene.upstream.received
    assert received.headers["authorization"] == f"Bearer {UPSTREAM_KEY}"
    assert key not in str(received.headers)
    assert texts(scene.memory.of_account("mira")) == [["Hello.", "Hello."]]
    assert scene.memory.chat.sessions().total == 0


def test_what_an_app_says_of_itself_goes_on_and_its_cookies_do_not(stage: Stage) -> None:
    scene = stage(saying("Hello."))

    post(scene, {"messages": [HELLO]}, cookie="a=b", **{"openai-organization": "light"})

    headers = scene.upstream.received[0].headers
    assert headers["openai-organization"] == "light"
    assert not {"cookie", "x-mnemic-session"} & headers.keys()


@pytest.mark.parametrize("status", [400, 401, 404, 429, 500, 503])
def test_an_error_of_the_model_s_server_passes_through_and_nothing_is_kept(
    stage: Stage, status: int
) -> None:
    told = {"error": {"message": "No.", "type": "t", "param": None, "code": "c"}}
    headers = {
        "Content-Type": "application/json",
        "Retry-After": "7",
        "X-Request-Id": "theirs",
        "X-Ratelimit-Remaining-Tokens": "0",
    }
    scene = stage(Answer([json.dumps(told).encode()], status, headers))

    answer = post(scene, {"messages": [HELLO]}, **{"x-request-id": "ours"})

    assert (answer.status_code, answer.json()) == (status, told)
    assert answer.headers["retry-after"] == "7"
    assert answer.headers["x-ratelimit-remaining-tokens"] == "0"
    assert answer.headers["x-upstream-request-id"] == "theirs"
    assert answer.headers["x-request-id"] == "ours"
    assert texts(scene.memory) == []


def test_a_server_that_is_not_there_is_named_with_the_setting(open_it: OpenIt) -> None:
    with UpstreamServer(saying("Hello.")) as gone:
        base = gone.base
    memory = open_it(llm_url=base, llm_model="m")
    with serving_here(memory) as address:
        app = ChatApp(address)
        with pytest.raises(openai.InternalServerError, match="MNEMIC_LLM_URL") as raised:
            app.say("Hello.")
        app.close()

    assert raised.value.status_code == 502
    assert texts(memory) == []


def test_a_server_that_says_nothing_for_too_long_is_a_504(open_it: OpenIt) -> None:
    may_end = Event()

    def wait(_: Received) -> Answer:
        may_end.wait(SECONDS)
        return saying("Late.")

    with UpstreamServer(wait) as upstream:
        memory = open_it(llm_url=upstream.base, llm_model="m", llm_timeout=0.05)
        with serving_here(memory) as address:
            app = ChatApp(address)
            with pytest.raises(openai.InternalServerError, match="MNEMIC_LLM_TIMEOUT") as raised:
                app.say("Hello.")
            app.close()
        may_end.set()

    assert raised.value.status_code == 504


def test_without_a_server_to_ask_the_app_is_told_how_to_set_one(open_it: OpenIt) -> None:
    with serving_here(open_it()) as address:
        app = ChatApp(address)
        for ask in (lambda: app.say("Hello."), app.client.models.list):
            with pytest.raises(openai.APIStatusError, match="MNEMIC_LLM_URL") as raised:
                ask()
            # A status that clients do not try again.
            assert raised.value.status_code == 424
        app.close()


def test_the_models_are_those_of_the_server(stage: Stage) -> None:
    listed = {
        "object": "list",
        "data": [{"id": "m", "object": "model", "created": 1, "owned_by": ""}],
    }
    scene = stage(Answer([json.dumps(listed).encode()]))

    models = scene.app().client.models.list()

    assert [model.id for model in models] == ["m"]
    assert scene.upstream.received[0].path == "/v1/models"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"{}",
        b'{"messages": "hi"}',
        b'{"messages": ["hi"]}',
        b'{"messages": [{}]}',
    ],
)
def test_a_body_without_messages_is_refused_before_anybody_is_asked(
    stage: Stage, body: bytes
) -> None:
    scene = stage(saying("Hello."))

    answer = post(scene, body)

    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "validation_error")
    assert scene.upstream.received == []


@pytest.mark.parametrize("name", ["", "a/b", "x" * 201])
def test_a_name_that_no_session_can_have_is_refused(stage: Stage, name: str) -> None:
    scene = stage(saying("Hello."))

    answer = post(scene, {"messages": [HELLO]}, **{"x-mnemic-session": name})

    assert answer.status_code == 400
    assert "200" in answer.text


def test_the_answer_names_the_session(stage: Stage) -> None:
    scene = stage(saying("Hello."))

    longest = "x" * 200
    answer = post(scene, {"messages": [HELLO]}, **{"x-mnemic-session": longest})

    assert answer.headers["x-mnemic-session"] == longest


def test_messages_in_which_nobody_speaks_pass_through(stage: Stage) -> None:
    scene = stage(saying("Hello."))

    assert post(scene, {"messages": [SYSTEM]}).status_code == 200

    assert scene.memory.chat.sessions().total == 0


def test_who_waits_for_a_slow_model_takes_no_place_from_others(stage: Stage) -> None:
    may_answer = Event()

    def slow(_: Received) -> Answer:
        assert may_answer.wait(SECONDS)
        return saying("At last.")

    scene = stage(slow, max_requests=2)
    bodies: list[httpx2.Response] = []

    def ask(number: int) -> Callable[[], Any]:
        headers = {"x-mnemic-session": f"s{number}"}
        return lambda: bodies.append(post(scene, {"messages": [HELLO]}, **headers))

    threads = [Thread(target=ask(number)) for number in range(2)]
    for thread in threads:
        thread.start()
    until(lambda: len(scene.upstream.received) == 2)

    # All places would be taken, and of the model's answers the account waits for as many.
    listed = httpx2.get(f"{scene.address}/sessions", timeout=SECONDS)
    third = post(scene, {"messages": [HELLO]})
    may_answer.set()
    for thread in threads:
        thread.join(SECONDS)

    assert listed.status_code == 200
    assert (third.status_code, third.headers["retry-after"]) == (429, "1")
    assert [answer.status_code for answer in bodies] == [200, 200]
    assert texts(scene.memory, "s0") == texts(scene.memory, "s1") == [["Hello", "At last."]]


def test_pictures_may_be_as_large_as_the_server_allows(stage: Stage) -> None:
    most = 3 * 1024 * 1024
    scene = stage(saying("A lighthouse."), max_body=most)
    body = b'{"messages": [{"role": "user", "content": "Hello"}], "picture": "%s"}'

    fits = post(scene, body % (b"x" * (most - len(body) + 2)))
    too_large = post(scene, body % (b"x" * (most - len(body) + 3)))

    assert (fits.status_code, too_large.status_code) == (200, 413)


def remember(scene: Scene, text: str) -> None:
    """Let every session see a fact."""
    item = {"scope": "global", "scope_id": "global", "type": "fact", "content": text}
    Api(scene.memory).create("/memories", {**item, "importance": 0.9})
