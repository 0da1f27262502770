"""Promises of errors over HTTP: one envelope on every route, and nothing of the inside."""

import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import apsw
import pytest
from fastapi import FastAPI
from pydantic import TypeAdapter

import mnemic
from mnemic import errors
from mnemic.chat.edges import NoSuchEndError, SameEdgeError
from mnemic.dialects.chat.error_answers import STATUS, answer_to
from mnemic.dialects.chat.router import chat_router
from mnemic.errors import MnemicError
from mnemic.opening import OpenMemory
from tests.dialects.chat_calling import Api, problem, wrong

MOST_BYTES = 1024 * 1024
GOOD = {"scope": "chat", "scope_id": "s", "type": "fact", "content": "x"}


def _kinds(kind: type[MnemicError]) -> Iterator[type[MnemicError]]:
    yield kind
    for one in kind.__subclasses__():
        yield from _kinds(one)


def test_every_error_of_the_engine_has_its_status_and_its_code() -> None:
    kinds = {kind for kind in _kinds(MnemicError) if kind.__module__.startswith("mnemic.")}
    assert all(kind in STATUS for kind in kinds if kind.__base__ is MnemicError)
    told: dict[type[MnemicError], tuple[int, str]] = {}
    for kind in kinds:
        error = (
            kind("q", "it is blank", "words")  # type: ignore[arg-type]
            if issubclass(kind, errors.InvalidInputError)
            else kind("It went wrong.")
        )
        response = answer_to(error)
        told[kind] = (response.status_code, json.loads(bytes(response.body))["error"]["code"])
    known = {
        errors.InvalidInputError: (400, "validation_error"),
        errors.NotFoundError: (404, "not_found"),
        NoSuchEndError: (404, "memory_edge_node_not_found"),
        errors.StateError: (409, "invalid_state"),
        errors.ConflictError: (409, "conflict"),
        SameEdgeError: (409, "memory_edge_conflict"),
        errors.BusyError: (503, "resource_busy"),
        errors.ChatServiceError: (502, "chat_service_error"),
        errors.StorageError: (500, "internal_error"),
        errors.EmbedderError: (500, "internal_error"),
        errors.SettingsError: (500, "internal_error"),
        MnemicError: (500, "internal_error"),
    }
    assert {kind: told[kind] for kind in known} == known


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/nothing"),
        ("GET", "/nothing"),
        ("POST", "/memories/"),
        ("GET", "/memories/a/b"),
        ("DELETE", "/memories/batch/delete/x"),
        ("GET", "/memory"),
        ("GET", "/redoc"),
        # Whole: a client takes what follows two strokes for the name of a server.
        ("GET", "http://localhost//"),
        ("GET", "http://localhost//memories"),
        ("GET", "/%E9%9B%A8"),
    ],
)
def test_an_unknown_address_is_404_in_the_envelope(api: Api, method: str, path: str) -> None:
    problem(api.send(method, path), 404, "not_found")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/memories", "GET, POST"),
        ("DELETE", "/memories", "GET, POST"),
        ("HEAD", "/memories", "GET, POST"),
        ("OPTIONS", "/memories", "GET, POST"),
        ("POST", "/memories/items", "GET"),
        ("DELETE", "/memories/items", "GET"),
        ("PATCH", "/memories/stats", "GET"),
        ("DELETE", "/memories/stats", "GET"),
        ("POST", "/memories/abc", "DELETE, GET, PATCH"),
        ("GET", "/memories/batch/delete", "POST"),
        ("PATCH", "/memory-edges", "GET, POST"),
        ("PUT", "/memory-edges/abc", "DELETE, GET, PATCH"),
        ("POST", "/memory/jobs", "GET"),
        ("DELETE", "/memory/scopes", "GET"),
        ("GET", "/memory/scopes/chat/a/compact", "POST"),
        ("PATCH", "/sessions", "GET, POST"),
        ("PUT", "/sessions/abc", "DELETE, GET"),
        ("GET", "/sessions/abc/context", "POST"),
        ("POST", "/sessions/abc/turns/x", "DELETE, GET, PUT"),
        ("POST", "/health/live", "GET"),
    ],
)
def test_a_wrong_method_is_405_and_says_which_are_right(
    api: Api, method: str, path: str, allowed: str
) -> None:
    response = api.send(method, path)

    if method != "HEAD":
        problem(response, 405, "method_not_allowed")
    assert response.status_code == 405
    assert response.headers["allow"] == allowed


@pytest.mark.parametrize(
    "raw",
    [
        *(b"{", b'{"scope": x}', b"\xff\xfe", b"[]", b'"x"', b"5", b"null", b"true", b"{}{}"),
        b"[" * 100_000,
        b'{"importance": ' + b"9" * 5_000 + b"}",
        b'{"content": "\\ud83d"}',
    ],
)
def test_a_body_that_is_no_json_object_is_400(api: Api, raw: bytes) -> None:
    for method, path in (("POST", "/memories"), ("PATCH", "/memories/x"), ("POST", "/sessions")):
        assert wrong(api.send(method, path, raw=raw)) == ["body"]


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "x", ""]
)
def test_a_body_of_another_type_is_415(api: Api, kind: str) -> None:
    headers = {"content-type": kind} if kind else {}

    response = api.send("POST", "/memories", GOOD, headers=headers)

    problem(response, 415, "unsupported_media_type")


@pytest.mark.parametrize(
    "kind", ["application/json", "Application/JSON; charset=utf-8", "application/merge-patch+json"]
)
def test_json_may_be_called_by_all_its_names(api: Api, kind: str) -> None:
    response = api.send("POST", "/memories", GOOD, headers={"content-type": kind})

    assert response.status_code == 201


def test_a_body_of_one_mebibyte_is_read_and_one_byte_more_is_413(api: Api) -> None:
    frame = len(json.dumps({**GOOD, "colour": ""}))
    most = {**GOOD, "colour": "x" * (MOST_BYTES - frame)}

    assert api.send("POST", "/memories", most).status_code == 201
    more = {**most, "colour": most["colour"] + "x"}
    problem(api.send("POST", "/memories", more), 413, "payload_too_large")
    assert len(api.get("/memories")) == 1


def _answer(app: FastAPI, receive: Any) -> tuple[int, dict[str, Any]]:
    """Return what an app answers to a body that arrives as a test wants it."""
    sent: list[dict[str, Any]] = []
    scope: dict[str, Any] = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "path": "/memories",
        "raw_path": b"/memories",
        "root_path": "",
        "query_string": b"",
        "headers": [
            (b"host", b"localhost"),
            (b"content-type", b"application/json"),
            (b"content-length", b"5"),
        ],
    }

    async def keep(message: Any) -> None:
        sent.append(message)

    anyio.run(app, scope, receive, keep)
    return sent[0]["status"], json.loads(b"".join(one.get("body", b"") for one in sent))


def test_a_body_beyond_the_limit_is_not_read_on_whatever_its_header_says(api: Api) -> None:
    taken = 0

    async def receive() -> dict[str, Any]:
        nonlocal taken
        taken += 65_536
        return {"type": "http.request", "body": b" " * 65_536, "more_body": True}

    status, answer = _answer(api.app, receive)

    assert (status, answer["error"]["code"]) == (413, "payload_too_large")
    assert taken == MOST_BYTES + 65_536


def test_a_client_that_leaves_in_the_middle_is_no_bug(
    api: Api, caplog: pytest.LogCaptureFixture
) -> None:
    parts: Iterator[dict[str, Any]] = iter(
        [
            {"type": "http.request", "body": b'{"scope": ', "more_body": True},
            {"type": "http.disconnect"},
        ]
    )

    async def receive() -> dict[str, Any]:
        return next(parts)

    status, answer = _answer(api.app, receive)

    assert (status, answer["error"]["code"]) == (400, "validation_error")
    assert caplog.text == ""


def test_a_store_that_stays_locked_is_503_and_can_still_be_read(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with mnemic.open(path, embedder="none", busy_seconds=0) as memory:
        api = Api(memory)
        made = api.item()
        blocker: Any = apsw.Connection(str(path))
        blocker.execute("begin immediate")
        refused = [
            api.send("POST", "/memories", GOOD),
            api.send("PATCH", f"/memories/{made['id']}", {"importance": 1}),
            api.send("POST", "/memories/batch/delete", {"ids": [made["id"]]}),
        ]
        assert api.get(f"/memories/{made['id']}") == made
        blocker.execute("rollback")
        blocker.close()

        for response in refused:
            problem(response, 503, "resource_busy")
        assert api.get("/memories") == [made]


def test_a_bug_is_500_with_a_number_under_which_the_log_has_more(
    api: Api,
    memory: OpenMemory,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    said = " ".join(["text", "of", "a", "memory"])

    def break_down(*_: object) -> None:
        raise ZeroDivisionError(said)

    monkeypatch.setattr(type(memory.chat), "item", break_down)
    monkeypatch.setattr(type(memory.chat), "items", break_down)

    with caplog.at_level(logging.ERROR, logger="mnemic.http"):
        responses = [api.send("GET", "/memories/x"), api.send("GET", "/memories")]

    numbers: set[str] = set()
    for response in responses:
        told = problem(response, 500, "internal_error")
        number = told["details"]["request_id"]
        assert re.fullmatch("[0-9a-f]{32}", number)
        assert response.headers["x-request-id"] == number
        assert number in caplog.text
        assert said not in response.text
        numbers.add(number)
    assert len(numbers) == 2
    assert "ZeroDivisionError" in caplog.text
    assert "break_down" in caplog.text
    assert said not in caplog.text
    assert api.send("GET", "/health/live").status_code == 200


def test_what_others_check_with_pydantic_is_no_mistake_of_the_client(
    api: Api, memory: OpenMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down(*_: object) -> None:
        TypeAdapter(int).validate_python("the answer of a model")

    monkeypatch.setattr(type(memory.chat), "items", break_down)

    response = api.send("GET", "/memories")

    problem(response, 500, "internal_error")


def test_routes_that_leave_the_checking_to_fastapi_have_the_same_envelope(api: Api) -> None:
    def double(number: int) -> int:
        return 2 * number

    api.app.add_api_route("/double", double)

    assert api.send("GET", "/double?number=2").json() == 4
    assert wrong(api.send("GET", "/double?number=x")) == ["number"]


def test_ids_in_addresses_hold_no_nul(api: Api) -> None:
    assert wrong(api.send("GET", "/memories/a%00b")) == ["memory_id"]
    assert wrong(api.send("GET", "/memory-edges/%00")) == ["edge_id"]


def test_another_app_may_mount_the_routes_under_its_own_addresses(memory: OpenMemory) -> None:
    app = FastAPI()
    app.include_router(chat_router(memory.chat), prefix="/chat")
    api = Api(memory)
    api.app = app

    made = api.create("/chat/memories", GOOD)

    assert api.get(f"/chat/memories/{made['id']}") == made
    assert api.get("/chat/memories", q="x") == [made]
    problem(api.send("GET", "/chat/memories/nothing"), 404, "not_found")
    assert wrong(api.send("POST", "/chat/memories", {})) == ["scope", "scope_id", "type", "content"]
