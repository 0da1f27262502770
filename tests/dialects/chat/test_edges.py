"""Promises of edges over HTTP: each relation between two items at most once."""

import re
from typing import Any

import pytest

from mnemic.opening import OpenMemory
from tests.conftest import NOON, Clock
from tests.dialects.chat_calling import META, Api, Json, problem, wrong

AT_NOON = int(NOON.timestamp() * 1000)
RELATIONS = ["supports", "contradicts", "updates", "derived_from", "compacts", "resolves"]


@pytest.fixture
def ends(api: Api) -> tuple[str, str]:
    return api.item("one")["id"], api.item("two")["id"]


def related(api: Api, ends: tuple[str, str], relation: str = "supports") -> Json:
    return api.create("/memory-edges", {"from_id": ends[0], "to_id": ends[1], "relation": relation})


def test_an_edge_comes_back_as_it_was_made(api: Api, ends: tuple[str, str]) -> None:
    made = related(api, ends)

    assert list(made) == ["id", "from_id", "to_id", "relation", "created_at"]
    assert re.fullmatch(r"[A-Za-z0-9_-]{21}", made["id"])
    assert made == {
        "id": made["id"],
        "from_id": ends[0],
        "to_id": ends[1],
        "relation": "supports",
        "created_at": AT_NOON,
    }
    assert api.get(f"/memory-edges/{made['id']}") == made


def test_every_relation_may_hold_between_the_same_two_and_from_one_to_itself(
    api: Api, ends: tuple[str, str]
) -> None:
    for relation in RELATIONS:
        assert related(api, ends, relation)["relation"] == relation
        related(api, (ends[1], ends[0]), relation)
        related(api, (ends[0], ends[0]), relation)

    assert api.ok("GET", "/memory-edges")["meta"]["total"] == 18


def test_the_same_edge_twice_is_a_conflict(api: Api, ends: tuple[str, str]) -> None:
    made = related(api, ends)
    body = {"from_id": ends[0], "to_id": ends[1], "relation": "supports"}

    problem(api.send("POST", "/memory-edges", body), 409, "memory_edge_conflict")

    assert api.get("/memory-edges") == [made]


@pytest.mark.parametrize("missing", ["from_id", "to_id"])
@pytest.mark.parametrize("name", ["nothing", "mem_0000000099", "雨"])
def test_an_end_that_is_not_there_is_404(
    api: Api, ends: tuple[str, str], missing: str, name: str
) -> None:
    body = {"from_id": ends[0], "to_id": ends[1], "relation": "supports", missing: name}

    told = problem(api.send("POST", "/memory-edges", body), 404, "memory_edge_node_not_found")

    assert missing in told["message"]
    assert api.get("/memory-edges") == []


def test_an_edge_may_be_called_by_another_relation(api: Api, ends: tuple[str, str]) -> None:
    made, other = related(api, ends), related(api, ends, "updates")
    path = f"/memory-edges/{made['id']}"

    changed = api.ok("PATCH", path, {"relation": "resolves", "from_id": "ignored"})["data"]
    same = api.ok("PATCH", path, {"relation": "resolves"})["data"]
    conflict = api.send("PATCH", path, {"relation": "updates"})

    assert changed == same == {**made, "relation": "resolves"}
    problem(conflict, 409, "memory_edge_conflict")
    assert api.get(f"/memory-edges/{other['id']}") == other


def test_a_deleted_edge_is_gone_and_its_ends_stay(api: Api, ends: tuple[str, str]) -> None:
    made = related(api, ends)

    deleted = api.ok("DELETE", f"/memory-edges/{made['id']}")

    assert deleted == {"data": {"id": made["id"], "deleted": True}}
    for method, body in (("GET", None), ("PATCH", {"relation": "updates"}), ("DELETE", None)):
        problem(api.send(method, f"/memory-edges/{made['id']}", body), 404, "not_found")
    assert set(api.ids()) == set(ends)


def test_a_list_of_edges_is_filtered_sorted_and_paged(
    api: Api, ends: tuple[str, str], clock: Clock
) -> None:
    first = related(api, ends)
    clock.turn(seconds=1)
    second, third = related(api, ends, "updates"), related(api, (ends[1], ends[0]))
    tied = [second["id"], third["id"]]

    def ids(**params: object) -> list[str]:
        return [one["id"] for one in api.get("/memory-edges", **params)]

    assert ids() == [*reversed(tied), first["id"]]
    assert ids(sort_order="asc") == [first["id"], *tied]
    assert ids(from_id=ends[1]) == [third["id"]]
    assert ids(to_id=ends[1], relation="updates") == [second["id"]]
    assert ids(relation="supports", sort_by="created_at") == [third["id"], first["id"]]
    assert ids(from_id="nothing") == ids(relation="resolves") == []
    pages = [ids(limit=1, offset=at, sort_order="asc") for at in range(4)]
    assert pages == [[first["id"]], [tied[0]], [tied[1]], []]
    meta = api.ok("GET", "/memory-edges", limit=2)["meta"]
    assert list(meta) == META
    assert (meta["total"], meta["has_more"], meta["sort_by"]) == (3, True, "created_at")


WRONG: list[tuple[str, Any]] = [
    *(("from_id", one) for one in ("", 5, None, "a\0", "half \ud83d")),
    *(("to_id", one) for one in ("", True, "x" * 1_001)),
    *(("relation", one) for one in ("likes", "", None, 1, "Supports")),
]


@pytest.mark.parametrize(("field", "value"), WRONG)
def test_a_wrong_value_of_an_edge_is_refused(
    api: Api, ends: tuple[str, str], field: str, value: object
) -> None:
    good = {"from_id": ends[0], "to_id": ends[1], "relation": "supports"}
    made = related(api, ends)

    assert wrong(api.send("POST", "/memory-edges", {**good, field: value})) in ([field], ["body"])
    if field == "relation":
        response = api.send("PATCH", f"/memory-edges/{made['id']}", {field: value})
        assert wrong(response) == [field]


def test_a_changed_edge_needs_its_relation(api: Api, ends: tuple[str, str]) -> None:
    made = related(api, ends)

    assert wrong(api.send("PATCH", f"/memory-edges/{made['id']}", {})) == ["relation"]
    assert wrong(api.send("POST", "/memory-edges", {})) == ["from_id", "to_id", "relation"]


@pytest.mark.parametrize(
    ("name", "value"),
    [("from_id", ""), ("to_id", ""), ("relation", "x"), ("sort_by", "id"), ("limit", "0")],
)
def test_a_wrong_filter_of_edges_is_refused(api: Api, name: str, value: str) -> None:
    assert wrong(api.send("GET", "/memory-edges", **{name: value})) == [name]


def test_what_a_robot_learned_can_be_related_to_an_item(api: Api, memory: OpenMemory) -> None:
    memory.robot.learn("Grip force 12.5 N holds a mug")
    item = api.item("The mug broke")["id"]

    made = related(api, (item, "mem_0000000001"), "contradicts")

    assert api.get("/memory-edges", to_id="mem_0000000001") == [made]


def test_turns_may_change_after_somebody_renamed_a_relation_that_they_made(api: Api) -> None:
    api.create("/sessions", {"id": "s"})
    told = ["My name is Mira.", "My name is Tara now.", "I live in Leeds."]
    floors = [
        api.create(
            "/sessions/s/turns",
            {"messages": [{"role": "user", "content": text}], "mode": "sync"},
        )["floor_id"]
        for text in told
    ]
    made = api.get("/memory-edges", relation="updates")[0]

    renamed = api.ok("PATCH", f"/memory-edges/{made['id']}", {"relation": "supports"})["data"]
    api.ok("DELETE", f"/sessions/s/turns/{floors[2]}")

    assert api.get(f"/memory-edges/{made['id']}") == renamed
