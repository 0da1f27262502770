"""Promises of the routes that list scopes, perceptions, payloads and what relates."""

import base64
import json
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest

from mnemic.opening import OpenMemory
from mnemic.records.memory import Draft, Payload, Scope
from tests.conftest import NOON, Clock
from tests.dialects.chat_calling import Api
from tests.server.visiting import guarded, visitor

PICTURE = base64.b64encode(b"\x89PNG\r\n\x1a\n and so on").decode()
FELT = {
    "hz": 100,
    "newton": [0.0, 4.5, None, -2.0],
    "joints": [[0.1, 1.0], [0.2, 2.0], [0.3, 3.0]],
    "steps": [{"t": 0, "name": "a"}, {"t": 1, "name": "b"}],
    "camera": {"image": f"data:image/png;base64,{PICTURE}"},
    "words": ["neither", "this"],
}


def milliseconds(moment: Any) -> int:
    return int(moment.timestamp() * 1000)


def felt(memory: OpenMemory, data: object) -> int:
    text = data if isinstance(data, str) else json.dumps(data)
    draft = Draft("Lifting", kind="perception", payload=Payload(text), dedup=False)
    return memory.remember(draft).memory.id


@pytest.fixture
def api(memory: OpenMemory) -> Api:
    return Api(memory)


def test_scopes_are_listed_by_name_page_by_page_and_by_a_part_of_it(
    api: Api, memory: OpenMemory
) -> None:
    for name in ("anna", "bert", "Hanna", "zoë"):
        told = {"content": f"My name is {name}", "memory_type": "core", "user_id": name}
        memory.assistant.call("memory_add", told)

    first = api.ok("GET", "/scopes", kind="user", limit=3)
    rest = api.ok("GET", "/scopes", kind="user", limit=3, after=first["meta"]["next_after"])

    assert [one["name"] for one in first["data"] + rest["data"]] == ["Hanna", "anna", "bert", "zoë"]
    assert rest["meta"] == {"next_after": None}
    assert {one["memories"] for one in first["data"]} == {1}
    assert [one["name"] for one in api.get("/scopes", kind="user", part="ANN")] == ["Hanna", "anna"]
    assert api.get("/scopes", kind="collection") == []


def test_events_and_answers_are_told_as_of_a_time(
    api: Api, memory: OpenMemory, clock: Clock
) -> None:
    memory.robot.learn("The kettle holds one litre of water")
    clock.turn(hours=2)
    memory.robot.learn("The kettle whistles when the water boils")
    between = milliseconds(NOON + timedelta(hours=1))

    then = api.ok("POST", "/explain", {"text": "kettle water", "as_of": between})["data"]
    now = api.ok("POST", "/explain", {"text": "kettle water"})["data"]

    assert [event["memory_id"] for event in api.get("/events", until=between)] == [1]
    assert [hit["memory"]["id"] for hit in then["hits"]] == [1]
    assert {hit["memory"]["id"] for hit in now["hits"]} == {1, 2}
    assert now["hits"][0]["memory"]["valid_until"] is None


def test_perceptions_are_listed_of_a_scope_and_of_a_run(api: Api, memory: OpenMemory) -> None:
    session = memory.robot.start_session()["session_id"]
    memory.robot.learn("Not a perception", session_id=session)
    own = memory.robot.save_perception("Slipping", "tactile", data="{}", session_id=session)
    others = [felt(memory, {"n": [number, 1]}) for number in range(3)]

    page = api.ok("GET", "/perceptions", limit=3)
    rest = api.ok("GET", "/perceptions", limit=3, before=page["meta"]["next_before"])

    ids = [one["id"] for one in page["data"] + rest["data"]]
    assert ids == [*reversed(others), own["memory_id"]]
    assert rest["meta"] == {"next_before": None}
    [of_run] = api.get("/perceptions", episode_id=session)
    assert (of_run["id"], of_run["perception_type"]) == (own["memory_id"], "tactile")


def test_a_payload_tells_its_series_and_its_pictures(api: Api, memory: OpenMemory) -> None:
    data = json.dumps(FELT)

    parts = api.get(f"/payloads/{felt(memory, data)}")

    series = [(one["path"], one["length"], one["low"], one["high"]) for one in parts["series"]]
    assert series == [
        ("newton", 4, -2.0, 4.5),
        ("joints.0", 3, 0.1, 0.3),
        ("joints.1", 3, 1.0, 3.0),
        ("steps.t", 2, 0.0, 1.0),
    ]
    assert {one["rate"] for one in parts["series"]} == {100}
    [picture] = parts["pictures"]
    assert picture == {"path": "camera.image", "media_type": "image/png", "base64": PICTURE}
    assert parts["characters"] == len(data)


@pytest.mark.parametrize(
    "data", ["plain text", "[]", "[1]", "[NaN, Infinity]", "[[]]", "[" * 99], ids=range(6)
)
def test_a_payload_without_numbers_shows_nothing(api: Api, memory: OpenMemory, data: str) -> None:
    parts = api.get(f"/payloads/{felt(memory, data)}")

    assert all(one["low"] is None for one in parts["series"])
    assert parts["pictures"] == []


def test_a_bare_picture_is_a_picture_and_a_drawing_that_could_hold_a_script_is_not(
    api: Api, memory: OpenMemory
) -> None:
    drawing = "data:image/svg+xml;base64," + base64.b64encode(b"<svg/>").decode()

    assert len(api.get(f"/payloads/{felt(memory, PICTURE)}")["pictures"]) == 1
    assert api.get(f"/payloads/{felt(memory, json.dumps([drawing, 'x']))}")["pictures"] == []


def test_values_come_whole_where_they_fit_and_else_with_every_peak(
    api: Api, memory: OpenMemory
) -> None:
    numbers = [0.0] * 1_000
    numbers[501], numbers[777] = 9.0, -9.0
    where = f"/payloads/{felt(memory, {'f': numbers, 'few': [1, None, 3]})}/values"

    few = api.get(f"{where}?path=few")
    many = api.get(f"{where}?path=f&values=10")
    near = api.get(f"{where}?path=f&start=500&end=504")

    assert (few["step"], few["low"], few["high"]) == (1, [1, None, 3], [1, None, 3])
    assert (many["step"], len(many["low"])) == (100, 10)
    assert (max(many["high"]), min(many["low"])) == (9.0, -9.0)
    assert (near["start"], near["low"]) == (500, [0, 9, 0, 0])


def test_what_has_no_payload_shows_nothing_and_what_is_not_there_is_refused(
    api: Api, memory: OpenMemory
) -> None:
    memory.robot.learn("Words only")
    with_one = felt(memory, {"f": [1, 2]})

    assert api.get("/payloads/1") == {"characters": 0, "series": [], "pictures": []}
    assert api.send("GET", "/payloads/4711").status_code == 404
    assert api.send("GET", f"/payloads/{with_one}/values?path=g").status_code == 404
    assert api.send("GET", f"/payloads/{with_one}/values?path=f&values=0").status_code == 400


def test_the_graph_holds_what_relates_over_some_edges(api: Api) -> None:
    items = [api.item(f"Fact {number}", fact_key=f"k{number}")["id"] for number in range(5)]
    for one, other in pairwise(items):
        edge = {"from_id": one, "to_id": other, "relation": "supports"}
        api.create("/memory-edges", edge)

    near = api.get("/graph", memory_id=2, hops=1)
    far = api.get("/graph", memory_id=1, hops=3)
    cut = api.get("/graph", memory_id=1, hops=4, limit=2)

    assert [(node["memory"]["id"], node["hops"]) for node in near["nodes"]] == [
        (2, 0),
        (1, 1),
        (3, 1),
    ]
    assert {(edge["from_id"], edge["to_id"]) for edge in near["edges"]} == {(1, 2), (2, 3)}
    assert near["is_whole"]
    assert [node["hops"] for node in far["nodes"]] == [0, 1, 2, 3]
    assert (len(cut["nodes"]), cut["is_whole"]) == (2, False)
    assert api.send("GET", "/graph?memory_id=99").status_code == 404


def test_sources_tell_what_was_said_and_into_which_passages_a_long_text_was_cut(
    api: Api, memory: OpenMemory
) -> None:
    said = {"message": "I am allergic to peanuts.", "user_id": "anna"}
    memory.assistant.call("memory_chat", said)
    [made] = memory.browse(Scope("user", "anna"))
    long = memory.remember(Draft(" ".join(f"Line {n} tells of jar {n}." for n in range(90))))

    origin = api.get(f"/sources/{made.id}")
    parts = api.get(f"/sources/{long.memory.id}")["passages"]

    first = origin["sources"][0]
    assert (first["role"], first["content"]) == ("user", "I am allergic to peanuts.")
    assert first["scope"] == {"kind": "user", "name": "anna"}
    assert origin["passages"] == []
    assert parts[0][0] == 0 or len(parts) > 1
    assert parts[-1][1] == len(long.memory.content)


def test_no_account_sees_the_scopes_perceptions_payloads_and_edges_of_another(
    memory: OpenMemory,
) -> None:
    own = felt(memory, FELT)
    stranger = visitor(memory, guarded(memory), "guests", "admin")

    assert stranger.get("/scopes?kind=collection").json()["data"] == []
    assert stranger.get("/perceptions").json()["data"] == []
    for address in (
        f"/payloads/{own}",
        f"/payloads/{own}/values?path=newton",
        f"/graph?memory_id={own}",
        f"/sources/{own}",
    ):
        assert stranger.get(address).status_code == 404
