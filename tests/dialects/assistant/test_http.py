"""Promises of `POST /tools/{name}`: the envelope, and a status that says the same."""

import json
import logging
import socket
import subprocess
import sys
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import apsw
import httpx2
import pytest
import uvicorn
from fastapi import FastAPI
from jsonschema import Draft202012Validator

import mnemic
from mnemic.dialects.assistant.catalog import PROFILES
from mnemic.dialects.assistant.router import tools_router
from mnemic.opening import OpenMemory
from tests.conftest import OpenIt
from tests.providers.chat_server import ChatServer, failing

MOST_BYTES = 45 * 1024 * 1024


def app_of(memory: OpenMemory) -> FastAPI:
    app = FastAPI()
    app.include_router(tools_router(memory.assistant))
    return app


def send(memory: OpenMemory, method: str, path: str, **more: Any) -> httpx2.Response:
    """Send one request to the app, without a socket."""

    async def once() -> httpx2.Response:
        transport = httpx2.ASGITransport(app=app_of(memory))
        async with httpx2.AsyncClient(transport=transport, base_url="http://test") as client:
            return await client.request(method, path, **more)

    return anyio.run(once)


def post(memory: OpenMemory, tool: str, **params: Any) -> httpx2.Response:
    return send(memory, "POST", f"/tools/{tool}", content=json.dumps(params))


def problem(response: httpx2.Response) -> dict[str, Any]:
    envelope = response.json()
    assert set(envelope) == {"success", "error", "timestamp"}, envelope
    assert envelope["success"] is False
    return envelope["error"]


@contextmanager
def served(app: FastAPI) -> Generator[str]:
    """Serve an app on a free port of this machine, and return its address."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        config = uvicorn.Config(app, log_level="error", ws="none", lifespan="off")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


def test_the_tools_work_over_a_real_connection(memory: OpenMemory) -> None:
    with served(app_of(memory)) as url, httpx2.Client(base_url=url) as client:
        added = client.post(
            "/tools/memory_add", json={"content": "我喜欢乌龙茶 😀", "memory_type": "core"}
        )
        found = client.post("/tools/memory_search", json={"query": "乌龙茶"})
        replied = client.post("/tools/memory_chat", json={"message": "我喜欢喝什么茶？"})
        profile = client.post("/tools/memory_get_profile", json={})
        refused = client.post("/tools/memory_add", json={"content": ""})

    assert [one.status_code for one in (added, found, replied, profile)] == [200] * 4
    assert added.headers["content-type"] == "application/json"
    assert list(added.json()) == ["success", "data", "message", "timestamp", "execution_time"]
    [hit] = found.json()["data"]["results"]
    assert hit["content"] == "我喜欢乌龙茶 😀"
    assert replied.json()["data"]["mode"] == "extractive"
    assert profile.json()["data"]["profile"]["memory_types"]["core"]["count"] == 1
    assert refused.status_code == 400
    assert problem(refused)["code"] == "INVALID_CONTENT"


def test_the_answer_is_what_python_gets(memory: OpenMemory) -> None:
    post(memory, "memory_add", content="I like tea", memory_type="core", context={"of": "me"})

    over_http = post(memory, "memory_list").json()
    in_python = memory.assistant.call("memory_list", {})

    assert over_http["data"] == in_python["data"]
    assert over_http["data"]["memories"][0]["context"] == {"of": "me"}


@pytest.mark.parametrize(
    ("tool", "params", "code"),
    [
        ("memory_add", {"memory_type": "core"}, "INVALID_CONTENT"),
        ("memory_add", {"content": "x", "memory_type": "no"}, "INVALID_MEMORY_TYPE"),
        ("memory_add", {"content": "half \ud83d", "memory_type": "core"}, "INVALID_CONTENT"),
        ("memory_search", {"query": 5}, "INVALID_QUERY"),
        ("memory_search", {"query": "half \ud83d"}, "INVALID_QUERY"),
        ("memory_search", {"query": "x", "memory_types": "core"}, "INVALID_MEMORY_TYPES"),
        ("memory_search", {"query": "x", "limit": 101}, "INVALID_LIMIT"),
        ("memory_chat", {"message": "x" * 5_001}, "INVALID_MESSAGE"),
        ("memory_chat", {"message": "x", "image_uris": ["ftp://a/b"]}, "INVALID_IMAGE_URI"),
        ("memory_get_profile", {"colour": 1}, "INVALID_PARAMETER"),
        ("memory_get_profile", {"half \ud83d": 1}, "INVALID_PARAMETER"),
        ("memory_get_profile", {"user_id": "half \ud83d"}, "INVALID_USER_ID"),
        ("memory_get_profile", {"memory_types": ["\ud83d"]}, "INVALID_MEMORY_TYPES"),
        ("memory_add", {"content": "x", "memory_type": "core", "context": 5}, "INVALID_CONTEXT"),
        (
            "memory_add",
            {"content": "x", "memory_type": "core", "context": {"a": float("nan")}},
            "INVALID_CONTEXT",
        ),
    ],
)
def test_a_wrong_parameter_is_400_with_its_code(
    memory: OpenMemory, tool: str, params: dict[str, Any], code: str
) -> None:
    response = post(memory, tool, **params)

    assert response.status_code == 400
    assert problem(response)["code"] == code


@pytest.mark.parametrize(
    "body",
    [
        *(b"{", b'{"content": x}', b"\xff\xfe", b'["content"]', b'"content"', b"5", b"true"),
        b"[" * 100_000,
        b'{"content": ' + b"9" * 5_000 + b"}",
    ],
)
def test_a_body_that_is_no_json_object_is_400(memory: OpenMemory, body: bytes) -> None:
    response = send(memory, "POST", "/tools/memory_add", content=body)

    assert response.status_code == 400
    assert problem(response)["code"] == "INVALID_PARAMETER"


@pytest.mark.parametrize("body", [b"", b"{}", b"null"])
def test_an_empty_body_is_no_parameters(memory: OpenMemory, body: bytes) -> None:
    profile = send(memory, "POST", "/tools/memory_get_profile", content=body)
    added = send(memory, "POST", "/tools/memory_add", content=body)

    assert profile.status_code == 200
    assert problem(added)["code"] == "INVALID_CONTENT"


def test_what_is_not_there_is_404(memory: OpenMemory) -> None:
    nobody = post(memory, "memory_get_profile", user_id="nobody")
    nothing = post(memory, "memory_delete", memory_id="mem_0000000099")
    unknown = post(memory, "memory_ad", content="x")

    assert [one.status_code for one in (nobody, nothing, unknown)] == [404] * 3
    assert problem(nobody)["code"] == "PROFILE_NOT_FOUND"
    assert problem(nothing)["code"] == "NOT_FOUND"
    assert problem(unknown)["code"] == "NOT_FOUND"
    assert "memory_get_profile" in problem(unknown)["details"]


def test_a_chat_service_that_fails_is_502(open_it: OpenIt) -> None:
    with ChatServer(failing(401, "wrong key")) as server:
        memory = open_it(llm_url=server.base, llm_model="m")
        response = post(memory, "memory_chat", message="hello")
        memory.close()

    assert response.status_code == 502
    assert problem(response)["code"] == "CHAT_SERVICE_ERROR"


def test_a_store_that_cannot_be_written_is_503(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with mnemic.open(path, embedder="none", busy_seconds=0) as memory:
        blocker: Any = apsw.Connection(str(path))
        blocker.execute("begin immediate")
        response = post(memory, "memory_add", content="x", memory_type="core")
        blocker.execute("rollback")
        blocker.close()

    assert response.status_code == 503
    assert problem(response)["code"] == "BACKEND_ERROR"
    assert problem(response)["retryable"] is True


def test_a_bug_is_500_that_is_logged_but_not_shown(
    memory: OpenMemory, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def break_down(*_: object) -> None:
        raise ZeroDivisionError("a secret of the inside")

    monkeypatch.setattr(memory, "remember", break_down)

    with caplog.at_level(logging.ERROR, logger="mnemic.assistant_tools"):
        response = post(memory, "memory_add", content="x", memory_type="core")

    assert response.status_code == 500
    assert problem(response)["code"] == "INTERNAL_ERROR"
    assert "secret" not in response.text
    assert "a secret of the inside" in caplog.text
    assert post(memory, "memory_get_profile").status_code == 200


class Endless:
    """A body that goes on and on; `taken` is how much of it was read."""

    def __init__(self) -> None:
        self.taken = 0

    async def receive(self) -> dict[str, Any]:
        part = b" " * (1024 * 1024)
        self.taken += len(part)
        return {"type": "http.request", "body": part, "more_body": True}


def answer_to(memory: OpenMemory, receive: Any) -> tuple[int, dict[str, Any]]:
    """Return what an app answers to a body that arrives as a test wants it."""
    sent: list[dict[str, Any]] = []
    scope: dict[str, Any] = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "path": "/tools/memory_chat",
        "raw_path": b"/tools/memory_chat",
        "query_string": b"",
        "headers": [],
    }

    async def keep(message: Any) -> None:
        sent.append(message)

    anyio.run(app_of(memory), scope, receive, keep)
    body = b"".join(one.get("body", b"") for one in sent)
    return sent[0]["status"], json.loads(body)


def test_a_body_beyond_the_limit_is_413_and_is_not_read_on(memory: OpenMemory) -> None:
    body = Endless()

    status, envelope = answer_to(memory, body.receive)

    assert status == 413
    assert envelope["error"]["code"] == "PAYLOAD_TOO_LARGE"
    assert body.taken == MOST_BYTES + 1024 * 1024


def test_a_client_that_leaves_in_the_middle_is_no_bug(
    memory: OpenMemory, caplog: pytest.LogCaptureFixture
) -> None:
    parts: Iterator[dict[str, Any]] = iter(
        [
            {"type": "http.request", "body": b'{"message": ', "more_body": True},
            {"type": "http.disconnect"},
        ]
    )

    async def receive() -> dict[str, Any]:
        return next(parts)

    status, envelope = answer_to(memory, receive)

    assert status == 400
    assert envelope["error"]["code"] == "INVALID_PARAMETER"
    assert caplog.text == ""


def test_the_tools_are_listed(memory: OpenMemory) -> None:
    response = send(memory, "GET", "/tools")

    assert response.status_code == 200
    listed = response.json()["tools"]
    assert [one["name"] for one in listed] == list(PROFILES["assistant-extended"])
    for tool in listed:
        assert tool["description"]
        Draft202012Validator.check_schema(tool["input_schema"])
        Draft202012Validator.check_schema(tool["output_schema"])


def test_a_profile_may_offer_less(memory: OpenMemory) -> None:
    app = FastAPI()
    app.include_router(tools_router(memory.assistant, profile="assistant"), prefix="/memory")

    paths = app.openapi()["paths"]

    four = PROFILES["assistant"]
    assert set(paths) == {"/memory/tools", *(f"/memory/tools/{one}" for one in four)}


def test_the_openapi_document_tells_what_each_tool_takes_and_answers(memory: OpenMemory) -> None:
    document = send(memory, "GET", "/openapi.json").json()

    assert document["openapi"].startswith("3.")
    identities: list[str] = []
    for name in PROFILES["assistant-extended"]:
        described = document["paths"][f"/tools/{name}"]["post"]
        identities.append(described["operationId"])
        assert described["description"]
        taken = described["requestBody"]["content"]["application/json"]["schema"]
        Draft202012Validator.check_schema(taken)
        assert taken["additionalProperties"] is False
        assert set(described["responses"]) == {"200", "4XX", "5XX"}
        for answer in described["responses"].values():
            assert answer["description"]
            schema = answer["content"]["application/json"]["schema"]
            Draft202012Validator.check_schema(schema)
            assert {"success", "timestamp"} <= set(schema["required"])
    assert identities == list(PROFILES["assistant-extended"])
    assert "/tools/{name}" not in document["paths"]


def test_whoever_needs_no_http_does_not_load_it() -> None:
    code = "import sys, mnemic; sys.exit('fastapi' in sys.modules or 'mcp' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
