"""Promises of turns that were said at another time, and of many that come at once."""

from typing import Any

import pytest

from mnemic.opening import OpenMemory
from tests.chat.chatting import work
from tests.conftest import Clock
from tests.dialects.chat_calling import Api, Json, problem, wrong

# The third of May 2021, at noon.
MAY = 1_620_043_200_000
HOUR = 3_600_000


@pytest.fixture
def session(api: Api) -> str:
    return api.create("/sessions", {"id": "s"})["id"]


def said(content: str, **fields: Any) -> Json:
    return {"messages": [{"role": "user", "content": content}], **fields}


def turn(*versions: Json, **fields: Any) -> Json:
    return {"versions": list(versions), **fields}


def bulk(api: Api, *turns: Json, **fields: Any) -> Json:
    return api.create("/sessions/s/turns/bulk", {"turns": list(turns), **fields})


def test_a_turn_tells_when_it_was_said(api: Api, session: str) -> None:
    told = api.create("/sessions/s/turns", said("It rains", occurred_at=MAY))
    now = api.create("/sessions/s/turns", said("It still rains"))

    [first, second] = api.get("/sessions/s/turns")
    assert first["occurred_at"] == MAY < first["created_at"]
    assert second["occurred_at"] == second["created_at"]
    assert api.get(f"/sessions/s/turns/{told['floor_id']}")["occurred_at"] == MAY
    assert now["floor_no"] == 1


def test_a_day_is_counted_from_when_it_was_said(api: Api, memory: OpenMemory, session: str) -> None:
    text = "I promise to call my mother tomorrow."
    api.create("/sessions/s/turns", said(text, occurred_at=MAY))
    work(memory.chat)

    [loop] = api.get("/memories", type="open_loop")
    assert "2021-05-04" in loop["content"]


def test_an_edit_keeps_the_time_of_a_turn_unless_it_brings_another(
    api: Api, clock: Clock, session: str
) -> None:
    path = "/sessions/s/turns"
    floor = api.create(path, said("It rains", occurred_at=MAY))["floor_id"]
    clock.turn(days=1)

    def changed(body: Json) -> int:
        api.ok("PUT", f"{path}/{floor}", body)
        return api.get(f"{path}/{floor}")["occurred_at"]

    assert changed(said("It rained")) == MAY
    assert changed(said("It pours", occurred_at=MAY + HOUR)) == MAY + HOUR
    assert changed({"version": 0}) == MAY


@pytest.mark.parametrize("value", [-1, 253_402_300_800_000, "2021-05-03", 1.5, True])
def test_a_wrong_time_is_refused(api: Api, session: str, value: object) -> None:
    assert wrong(api.send("POST", "/sessions/s/turns", said("Hi", occurred_at=value))) == [
        "occurred_at"
    ]


def test_many_turns_stand_in_their_order_with_their_versions_and_times(
    api: Api, memory: OpenMemory, session: str
) -> None:
    answer = bulk(
        api,
        *(turn(said(f"Pier {at}", occurred_at=MAY + at * HOUR)) for at in range(150)),
        turn(said("I live in Oslo.", occurred_at=MAY), said("I live in Rome."), active=0),
    )

    assert answer["added"] == 151
    assert [one["floor_no"] for one in answer["turns"]] == list(range(151))
    assert all(one["created"] for one in answer["turns"])
    turns = api.get("/sessions/s/turns", limit=100, offset=100)
    assert [one["messages"][0]["content"] for one in turns[:50]] == [
        f"Pier {at}" for at in range(100, 150)
    ]
    assert [one["occurred_at"] for one in turns[:50]] == [MAY + at * HOUR for at in range(100, 150)]
    assert (turns[50]["version"], turns[50]["version_count"]) == (0, 2)
    work(memory.chat)
    assert [one["content"] for one in api.get("/memories", fact_key="user.home")] == [
        "user.home: Oslo"
    ]
    assert api.get(f"/memory/jobs/{answer['turns'][150]['job_id']}")["status"] == "succeeded"


def test_what_is_sent_again_under_its_keys_is_not_added_again(api: Api, session: str) -> None:
    keyed = [turn(said(f"Pier {at}"), idempotency_key=f"k{at}") for at in range(5)]

    first = bulk(api, *keyed[:3])
    again = bulk(api, *keyed)

    assert again["added"] == 2
    assert [one["created"] for one in again["turns"]] == [False, False, False, True, True]
    assert [one["floor_id"] for one in again["turns"][:3]] == [
        one["floor_id"] for one in first["turns"]
    ]
    assert len(api.get("/sessions/s/turns")) == 5


def test_a_key_of_another_turn_is_a_conflict_that_tells_what_is_kept(
    api: Api, session: str
) -> None:
    many = [turn(said(f"Pier {at}"), idempotency_key=f"k{at}") for at in range(150)]
    api.create("/sessions/s/turns", said("Other", idempotency_key="k120"))

    refused = api.send("POST", "/sessions/s/turns/bulk", {"turns": many})

    told = problem(refused, 409, "idempotency_conflict")
    assert "100 of 150 turns are kept" in told["message"]
    assert api.get("/sessions/s")["floor_count"] == 101


def test_what_is_wrong_with_one_of_many_turns_is_told_before_any_is_kept(
    api: Api, session: str
) -> None:
    def refused(*turns: Json) -> list[str]:
        return wrong(api.send("POST", "/sessions/s/turns/bulk", {"turns": list(turns)}))

    good = turn(said("Hi"))
    assert refused() == ["turns"]
    assert refused(good, turn()) == ["turns.1.versions"]
    assert refused(good, turn(said(""))) == ["turns.1.versions.0.messages.0.content"]
    assert refused(*([good] * 5_001)) == ["turns"]
    assert api.get("/sessions/s/turns") == []
    other = api.send("POST", "/sessions/s/turns/bulk", {"turns": [good], "branch_id": "none"})
    problem(other, 404, "not_found")


def test_five_thousand_turns_come_in_one_request_of_more_than_a_mebibyte(
    api: Api, session: str
) -> None:
    answer = bulk(api, *(turn(said(f"Pier {at}. " + "It rains. " * 25)) for at in range(5_000)))

    assert answer["added"] == 5_000
    assert answer["turns"][-1]["floor_no"] == 4_999
