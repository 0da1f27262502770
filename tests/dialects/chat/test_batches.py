"""Promises of batches over HTTP: in the order of the request, as a whole or not at all."""

import pytest

from tests.conftest import NOON, Clock
from tests.dialects.chat_calling import Api, Json, problem, wrong

AT_NOON = int(NOON.timestamp() * 1000)
STATUS, DELETE = "/memories/batch/status", "/memories/batch/delete"


def test_a_status_is_given_to_all_and_told_in_order(api: Api, clock: Clock) -> None:
    one = api.item("one", type="summary", lifecycle_status="compacted")
    two = api.item("two")
    clock.turn(seconds=1)

    answer = api.ok(
        "PATCH", STATUS, {"ids": [two["id"], "nothing", one["id"]], "status": "deprecated"}
    )

    after = {"status": "deprecated", "lifecycle_status": "deprecated", "updated_at": AT_NOON + 1000}
    assert answer == {
        "data": {
            "results": [
                {"index": 0, "id": two["id"], "action": "updated", "data": {**two, **after}},
                {"index": 1, "id": "nothing", "action": "not_found"},
                {"index": 2, "id": one["id"], "action": "updated", "data": {**one, **after}},
            ],
            "meta": {"total": 3, "updated": 2, "not_found": 1, "status": "deprecated"},
        }
    }
    assert api.get(f"/memories/{one['id']}") == {**one, **after}


def test_a_status_brings_items_back_into_use(api: Api) -> None:
    made = api.item(status="deprecated")

    api.ok("PATCH", STATUS, {"ids": [made["id"]], "status": "active"})

    again = api.get(f"/memories/{made['id']}")
    assert (again["status"], again["lifecycle_status"]) == ("active", "active")


def test_items_are_deleted_and_told_in_order(api: Api) -> None:
    one, two, three = (api.item(name)["id"] for name in ("one", "two", "three"))
    api.create("/memory-edges", {"from_id": one, "to_id": three, "relation": "supports"})

    answer = api.ok("POST", DELETE, {"ids": [two, "nothing", one]})

    assert answer == {
        "data": {
            "results": [
                {"index": 0, "id": two, "action": "deleted"},
                {"index": 1, "id": "nothing", "action": "not_found"},
                {"index": 2, "id": one, "action": "deleted"},
            ],
            "meta": {"total": 3, "deleted": 2, "not_found": 1},
        }
    }
    assert api.ids() == [three]
    assert api.get("/memory-edges") == []


def test_a_batch_of_which_nothing_is_there_is_no_error(api: Api) -> None:
    status = api.ok("PATCH", STATUS, {"ids": ["a", "mem_0000000001"], "status": "active"})["data"]
    deleted = api.ok("POST", DELETE, {"ids": ["a"]})["data"]

    assert [one["action"] for one in status["results"]] == ["not_found"] * 2
    assert status["meta"] == {"total": 2, "updated": 0, "not_found": 2, "status": "active"}
    assert deleted["meta"] == {"total": 1, "deleted": 0, "not_found": 1}


def test_a_hundred_ids_are_allowed(api: Api) -> None:
    made = [api.item(f"number {at}")["id"] for at in range(3)]
    ids = [*made, *(f"nothing-{at}" for at in range(97))]

    assert api.ok("PATCH", STATUS, {"ids": ids, "status": "deprecated"})["data"]["meta"] == {
        "total": 100,
        "updated": 3,
        "not_found": 97,
        "status": "deprecated",
    }
    assert api.ok("POST", DELETE, {"ids": ids})["data"]["meta"]["deleted"] == 3


@pytest.mark.parametrize(
    ("ids", "path"),
    [
        ([], "ids"),
        ([str(at) for at in range(101)], "ids"),
        (None, "ids"),
        ("abc", "ids"),
        ({"0": "a"}, "ids"),
        (["a", 1], "ids.1"),
        (["a", "b", None], "ids.2"),
        (["", "a"], "ids.0"),
        (["a\0"], "ids.0"),
        (["a", "a"], "ids.1"),
        (["a", "b", "a"], "ids.2"),
    ],
)
def test_wrong_ids_are_refused_where_they_stand_and_nothing_is_done(
    api: Api, ids: object, path: str
) -> None:
    made = api.item()

    assert wrong(api.send("PATCH", STATUS, {"ids": ids, "status": "deprecated"})) == [path]
    assert wrong(api.send("POST", DELETE, {"ids": ids})) == [path]
    assert api.get("/memories") == [made]


def test_every_repetition_is_named(api: Api) -> None:
    body: Json = {"ids": ["a", "b", "a", "b", "a"], "status": "active"}

    assert wrong(api.send("PATCH", STATUS, body)) == ["ids.2", "ids.3", "ids.4"]


@pytest.mark.parametrize("status", ["compacted", "", None, 1])
def test_a_wrong_status_is_refused(api: Api, status: object) -> None:
    assert wrong(api.send("PATCH", STATUS, {"ids": ["a"], "status": status})) == ["status"]


def test_what_a_batch_needs_must_be_given(api: Api) -> None:
    assert wrong(api.send("PATCH", STATUS, {})) == ["ids", "status"]
    assert wrong(api.send("POST", DELETE, {})) == ["ids"]


def test_only_its_own_method_reaches_a_batch(api: Api) -> None:
    response = api.send("GET", STATUS)

    problem(response, 405, "method_not_allowed")
    assert response.headers["allow"] == "PATCH"
