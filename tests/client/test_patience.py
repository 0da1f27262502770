"""Promises of a client when things go wrong: it tries again, but never does anything twice."""

from typing import Any

import httpx2
import pytest

from mnemic import AsyncClient, Client
from mnemic.errors import BusyError, ServerError, SettingsError, UnreachableError
from tests.client.asking import Kind, Step, ask

DONE = httpx2.Response(200, json={"data": {"status": "done"}})
BUSY = {"error": {"code": "resource_busy", "message": "Busy.", "kinds": ["BusyError"]}}
LIMITED = {"error": {"code": "too_many_requests", "message": "Too many requests"}}
PAGE = "<html>Bad gateway</html>"


@pytest.fixture(params=["sync", "async"])
def kind(request: pytest.FixtureRequest) -> Kind:
    return request.param


def read(client: Any) -> Any:
    return client.robot.recall("mug")


def write(client: Any) -> Any:
    return client.robot.learn("12 N holds a mug")


NOT_SENT: list[Step] = [httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout]
SENT_AWAY: list[Step] = [
    httpx2.Response(429, json=LIMITED),
    httpx2.Response(429, text=PAGE),
    httpx2.Response(503, json=BUSY),
    httpx2.Response(503, json=LIMITED),
]
UNCERTAIN: list[Step] = [
    httpx2.ReadTimeout,
    httpx2.WriteTimeout,
    httpx2.ReadError,
    httpx2.RemoteProtocolError,
    httpx2.DecodingError,
    httpx2.Response(502, text=PAGE),
    httpx2.Response(503, text=PAGE),
    httpx2.Response(504, text=PAGE),
]


@pytest.mark.parametrize("step", [*NOT_SENT, *SENT_AWAY, *UNCERTAIN])
def test_what_only_reads_is_asked_again_after_every_passing_failure(kind: Kind, step: Step) -> None:
    asked = ask(kind, read, [step, step, DONE])

    assert asked.result == {"status": "done"}
    assert len(asked.requests) == 3


@pytest.mark.parametrize("step", [*NOT_SENT, *SENT_AWAY])
def test_what_writes_is_asked_again_where_nothing_can_have_been_done(
    kind: Kind, step: Step
) -> None:
    asked = ask(kind, write, [step, step, DONE])

    assert asked.result == {"status": "done"}
    assert len(asked.requests) == 3


@pytest.mark.parametrize("step", UNCERTAIN)
def test_what_writes_is_never_sent_twice_where_it_may_have_been_done(
    kind: Kind, step: Step
) -> None:
    asked = ask(kind, write, [step, DONE])

    assert len(asked.requests) == 1
    assert isinstance(asked.error, UnreachableError | ServerError)


def test_a_write_that_was_not_answered_says_that_its_outcome_is_unknown(kind: Kind) -> None:
    late = ask(kind, write, [httpx2.ReadTimeout], timeout=7).error

    assert isinstance(late, UnreachableError)
    assert late.details == {"url": "http://test", "outcome": "unknown"}
    assert str(late) == (
        "http://test was silent for 7 seconds while it was asked for robot.learn. "
        "Whether it was done is not known: look before you repeat it."
    )


@pytest.mark.parametrize(
    "answer",
    [
        httpx2.Response(200, text=PAGE),
        httpx2.Response(500, text=PAGE),
        httpx2.Response(502, text=PAGE),
        httpx2.Response(503, text=PAGE),
        httpx2.Response(500, json={"error": {"code": "internal", "message": "It broke"}}),
    ],
)
def test_a_write_whose_answer_is_lost_on_the_way_says_that_its_outcome_is_unknown(
    kind: Kind, answer: httpx2.Response
) -> None:
    wrote, looked = ask(kind, write, [answer]).error, ask(kind, read, [answer]).error

    assert isinstance(wrote, ServerError)
    assert wrote.details["outcome"] == "unknown"
    assert str(wrote).endswith("Whether it was done is not known: look before you repeat it.")
    assert isinstance(looked, ServerError)
    assert looked.details["outcome"] == "not_done"


def test_an_address_that_is_not_there_was_not_asked_for_anything(kind: Kind) -> None:
    told = {"error": {"code": "not_found", "message": "There is no such address"}}
    error = ask(kind, write, [httpx2.Response(404, json=told)]).error

    assert isinstance(error, ServerError)
    assert error.details["outcome"] == "not_done"
    assert "Check the address" in str(error)


def test_an_address_where_no_server_is_says_so_and_what_to_do(kind: Kind) -> None:
    asked = ask(kind, write, [httpx2.ConnectError])

    assert isinstance(asked.error, UnreachableError)
    assert len(asked.requests) == 3
    assert asked.error.details["outcome"] == "not_done"
    assert "http://test (ConnectError: it went wrong)" in str(asked.error)
    assert "mnemic serve" in str(asked.error)


def test_calls_that_wait_for_a_connection_of_their_own_client_are_in_no_hurry(kind: Kind) -> None:
    [request] = ask(kind, read, [DONE], timeout=7).requests

    assert request.extensions["timeout"] == {"connect": 5.0, "read": 7, "write": 7, "pool": None}


def test_the_pauses_grow_and_differ_by_chance(kind: Kind) -> None:
    most = ask(kind, read, [httpx2.ConnectError], retries=3, random=lambda: 1.0)
    least = ask(kind, read, [httpx2.ConnectError], retries=3, random=lambda: 0.0)

    assert most.pauses == [0.2, 0.4, 0.8]
    assert least.pauses == [0.1, 0.2, 0.4]


def test_a_server_says_itself_when_to_come_back(kind: Kind) -> None:
    step = httpx2.Response(429, json=LIMITED, headers={"Retry-After": "7"})

    assert ask(kind, write, [step, DONE]).pauses == [7.0]


def test_nobody_waits_longer_than_half_a_minute_for_another_try(kind: Kind) -> None:
    asked = ask(kind, read, [httpx2.Response(429, json=LIMITED, headers={"Retry-After": "3600"})])

    assert isinstance(asked.error, BusyError)
    assert asked.pauses == []


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 500])
def test_a_refusal_is_not_asked_for_twice(kind: Kind, status: int) -> None:
    refused = httpx2.Response(status, json={"error": {"code": "no", "message": "No"}})

    assert len(ask(kind, read, [refused]).requests) == 1


def test_what_a_server_says_of_its_language_model_is_not_asked_for_twice(kind: Kind) -> None:
    told = {"code": "chat_service_error", "message": "No answer.", "kinds": ["ChatServiceError"]}

    assert len(ask(kind, read, [httpx2.Response(502, json={"error": told})]).requests) == 1


def test_without_retries_every_call_is_sent_once(kind: Kind) -> None:
    assert len(ask(kind, read, [httpx2.ConnectError], retries=0).requests) == 1


@pytest.mark.parametrize(
    "given",
    [
        {"url": "127.0.0.1:7077"},
        {"url": "ftp://127.0.0.1"},
        {"url": "http://user:word@127.0.0.1"},
        {"url": "http://memory..example"},
        {"url": f"http://{'long' * 16}.example"},
        {"url": " "},
        {"timeout": 0},
        {"timeout": float("nan")},
        {"retries": -1},
        {"key": "schlüssel"},
    ],
)
def test_a_setting_that_cannot_work_is_refused_at_once_and_no_key_is_shown(
    kind: Kind, given: dict[str, Any]
) -> None:
    error = ask(kind, read, [DONE], **given).error

    assert isinstance(error, SettingsError)
    assert next(iter(given)) in str(error)
    assert "schlüssel" not in str(error)
    assert "word" not in str(error)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ALL_PROXY", "gopher://proxy.example:1"),
        ("SSL_CERT_FILE", "no-such-file.pem"),
    ],
)
def test_a_proxy_or_certificates_that_cannot_be_used_are_told_as_a_setting(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)

    for client in (Client, AsyncClient):
        with pytest.raises(SettingsError, match=r"https://memory\.example .* proxies or cert"):
            client("https://memory.example")
        # What is on this machine needs neither.
        assert client("http://127.0.0.1:7077").url == "http://127.0.0.1:7077"
