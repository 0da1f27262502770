"""Promises about requests' ids: one for each, told to the client, in the log and in the store."""

import logging
import re

import psycopg
import pytest

from mnemic.engine.chat_verbs import ChatMemory
from mnemic.storage.postgres.database import PostgresDatabase
from mnemic.telemetry.request_ids import answering, current_request
from tests.dialects.chat_calling import Api


@pytest.mark.parametrize("given", ["a", "my-id.1_x", "x" * 64])
def test_an_id_that_the_client_gives_is_kept(api: Api, given: str) -> None:
    answer = api.send("GET", "/version", headers={"x-request-id": given})

    assert answer.headers.get_list("x-request-id") == [given]


@pytest.mark.parametrize("given", ["", "x" * 65, "two words", "a\tb", "a/b", "é"])
def test_an_odd_id_is_replaced(api: Api, given: str) -> None:
    sent = {"x-request-id": given.encode("latin-1")}

    answer = api.send("GET", "/version", headers=sent)

    [made] = answer.headers.get_list("x-request-id")
    assert re.fullmatch("[0-9a-f]{32}", made)


@pytest.mark.parametrize("path", ["/memories", "/nothing", "/docs", "/tools", "/memories/%00"])
def test_every_answer_has_an_id_of_its_own(api: Api, path: str) -> None:
    ids = [api.send("GET", path).headers.get_list("x-request-id") for _ in range(2)]

    assert [len(one) for one in ids] == [1, 1]
    assert ids[0] != ids[1]


def test_an_error_that_is_our_fault_is_told_under_the_id_of_its_request(
    api: Api, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def break_down(*_: object) -> None:
        raise ZeroDivisionError

    def bug() -> None:
        break_down()

    monkeypatch.setattr(ChatMemory, "items", break_down)
    api.app.add_api_route("/bug", bug)

    with caplog.at_level(logging.ERROR, logger="mnemic.http"):
        sent = [
            api.send("GET", path, headers={"x-request-id": f"mine-{number}"})
            for number, path in enumerate(("/memories", "/bug"))
        ]

    for number, answer in enumerate(sent):
        assert answer.status_code == 500
        assert answer.json()["error"]["details"] == {"request_id": f"mine-{number}"}
        assert answer.headers.get_list("x-request-id") == [f"mine-{number}"]
        assert f"mine-{number}" in caplog.text


def test_the_server_of_a_store_sees_for_which_request_it_works(postgres_database: str) -> None:
    database = PostgresDatabase(postgres_database)

    def names() -> set[str]:
        with psycopg.connect(postgres_database) as other:
            found = other.execute(
                "select application_name from pg_stat_activity"
                " where datname = current_database() and state = 'idle in transaction'"
            ).fetchall()
        return {name for (name,) in found}

    try:
        with answering("r-1"):
            reading = database.read(names)
        with answering("x" * 64):
            writing = database.write(names)
        without = database.read(names)
    finally:
        database.close()

    assert reading == {"mnemic:r-1"}
    assert writing == {"mnemic:" + "x" * 56}
    assert not any(name.startswith("mnemic:") for name in without)


def test_an_id_holds_inside_and_no_longer() -> None:
    with answering("outer"), answering() as inner:
        assert current_request() == inner
    assert current_request() is None
