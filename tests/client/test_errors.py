"""Promises of a client's errors: those of an open memory, and a few that only a server brings."""

import asyncio
from typing import Any

import httpx2
import pytest

import mnemic
from mnemic import Client, InvalidInputError, NotFoundError, OpenMemory, Query, StateError
from mnemic.client.sending import server_at
from mnemic.errors import AuthError, BusyError, ServerError
from tests.client.asking import Kind, ask
from tests.client.connecting import async_client_of, client_of


@pytest.fixture(params=["sync", "async"])
def kind(request: pytest.FixtureRequest) -> Kind:
    return request.param


def get(client: Any) -> Any:
    return client.get(7)


def answering(kind: Kind, status: int, **error: object) -> Any:
    """Return the error that a client raises for an error in the envelope."""
    return ask(kind, get, [httpx2.Response(status, json={"error": error})], retries=0).error


@pytest.mark.parametrize("status", [401, 403])
def test_a_key_that_is_refused_is_told_with_the_next_step(kind: Kind, status: int) -> None:
    error = answering(kind, status, code="auth_invalid", message="No such key")

    assert isinstance(error, AuthError)
    assert "No such key" in str(error)
    assert "MNEMIC_API_KEY" in str(error)


def test_the_key_is_sent_and_shown_nowhere(kind: Kind) -> None:
    asked = ask(kind, get, [httpx2.Response(401, text="secret-key?")], key="secret-key")

    assert asked.requests[0].headers["authorization"] == "Bearer secret-key"
    assert "secret-key" not in str(asked.error)
    with Client("http://test", "secret-key") as client:
        assert "secret-key" not in repr(client)
    server = server_at("http://test", "secret-key", timeout=1, retries=0, random=lambda: 0.0)
    assert "secret-key" not in repr(server)


def test_address_and_key_may_stand_in_the_environment(
    kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MNEMIC_URL", "http://memory.example:8000/")
    monkeypatch.setenv("MNEMIC_API_KEY", "from-outside")

    asked = ask(kind, get, [httpx2.Response(401, text="")], url=None)

    assert str(asked.requests[0].url) == "http://memory.example:8000/sdk/get"
    assert asked.requests[0].headers["authorization"] == "Bearer from-outside"


def test_a_server_that_lacks_a_verb_is_told_from_a_memory_that_is_not_there(kind: Kind) -> None:
    error = answering(kind, 404, code="unknown_verb", message="This server has no verb 'get'")

    assert isinstance(error, ServerError)
    assert not isinstance(error, NotFoundError)
    assert "version" in str(error)


@pytest.mark.parametrize(
    "response",
    [
        httpx2.Response(200, text="<html>Welcome</html>"),
        httpx2.Response(200, json=[1]),
        httpx2.Response(200, json={"data": {"id": "seven"}}),
        httpx2.Response(200, json={}),
        httpx2.Response(404, text="Not found"),
        httpx2.Response(500, json={"error": "text"}),
        httpx2.Response(302, headers={"location": "http://elsewhere"}),
    ],
)
def test_what_is_no_answer_of_a_mnemic_server_is_told_as_such(
    kind: Kind, response: httpx2.Response
) -> None:
    asked = ask(kind, get, [response])

    assert isinstance(asked.error, ServerError)
    assert "http://test" in str(asked.error)
    assert len(asked.requests) == 1


def test_a_server_that_has_no_time_raises_what_a_busy_store_raises(kind: Kind) -> None:
    error = answering(kind, 429, code="too_many_requests", message="Too many requests")

    assert isinstance(error, BusyError)


def test_an_error_that_is_unknown_here_is_raised_as_the_nearest_that_is_known(kind: Kind) -> None:
    kinds = ["NewerError", "NotFoundError", "MnemicError"]
    error = answering(
        kind, 404, code="newer", message="Gone.", kinds=kinds, details={"memory_id": 7}
    )

    assert type(error) is NotFoundError
    assert (str(error), error.details) == ("Gone.", {"memory_id": 7})


@pytest.mark.parametrize("kinds", [5, None, "NotFoundError", ["NotFoundError"], []])
def test_an_error_of_a_newer_server_is_still_one_of_ours(kind: Kind, kinds: object) -> None:
    details = {"message": "new", "self": 1, "memory_id": 7}
    error = answering(kind, 404, code="newer", message="Gone", kinds=kinds, details=details)

    assert type(error) is (NotFoundError if kinds == ["NotFoundError"] else ServerError)
    assert "Gone" in str(error)


def test_an_error_of_the_store_at_the_server_is_raised_here(small: OpenMemory) -> None:
    with client_of(small) as client:
        assert client.count() == 0
        small.close()
        with pytest.raises(StateError, match="This memory is closed"):
            client.get(1)


def test_a_value_that_cannot_be_sent_is_named(small: OpenMemory) -> None:
    with client_of(small) as client:
        with pytest.raises(InvalidInputError, match="context: it cannot be sent"):
            client.robot.learn("x", {"what": object()})
        with pytest.raises(InvalidInputError, match="sampling"):
            client.assistant.call("memory_chat", {}, sampling=object())  # pyright: ignore[reportCallIssue]


def test_a_call_that_no_method_takes_is_the_same_mistake_as_on_an_open_memory(
    small: OpenMemory,
) -> None:
    with client_of(small) as client:
        for one in (small, client):
            with pytest.raises(TypeError, match="reason"):
                one.forget(1, reasons="x")  # pyright: ignore[reportCallIssue]
            with pytest.raises(AttributeError):
                one.fly()  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]


def test_a_closed_client_says_so(small: OpenMemory) -> None:
    with client_of(small) as client:
        pass
    with pytest.raises(StateError, match="closed"):
        client.recall(Query("x"))

    async def late() -> None:
        async with async_client_of(small) as other:
            pass
        await other.recall(Query("x"))

    with pytest.raises(StateError, match="closed"):
        asyncio.run(late())


def test_the_clients_are_loaded_when_they_are_asked_for() -> None:
    assert mnemic.Client is Client
    with pytest.raises(AttributeError, match="Clients"):
        _ = mnemic.Clients  # pyright: ignore[reportAttributeAccessIssue]
