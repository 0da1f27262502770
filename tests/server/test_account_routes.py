"""Promises of the routes of a whole account: events, runs, places, explained answers, and keys."""

import threading
from typing import Any

import httpx2
import pytest

from mnemic.opening import OpenMemory
from tests.conftest import Clock
from tests.dialects.chat_calling import Api
from tests.server.visiting import Visitor, code_of, guarded, visitor
from tests.serving import served

Json = dict[str, Any]
PLACE = "spatial.position"


@pytest.fixture
def account(memory: OpenMemory, clock: Clock) -> Api:
    """A server on three runs of a robot: nine lessons along a line, every third one a failure."""
    robot = memory.robot
    for run in range(3):
        session = robot.start_session("kitchen", context={"task": {"run": run}})["session_id"]
        for step in range(3):
            context = {"spatial": {"position": [float(run), float(step)]}, "ok": step != 2}
            text = f"Shelf {run} holds {step} jars of honey"
            robot.learn(text, context, collection="kitchen", session_id=session)
            clock.turn(minutes=1)
        if run < 2:
            robot.end_session(session, 0.5)
    return Api(memory)


def test_events_are_paged_backwards_and_stay_in_place_while_more_happens(
    account: Api, memory: OpenMemory
) -> None:
    first = account.ok("GET", "/events", limit=5)
    memory.robot.learn("Something new about the oven", collection="kitchen")
    seen = first["data"]
    before = first["meta"]["next_before"]
    while before is not None:
        page = account.ok("GET", "/events", limit=5, before=before)
        seen += page["data"]
        before = page["meta"]["next_before"]

    assert [event["id"] for event in seen] == sorted({e["id"] for e in seen}, reverse=True)
    assert sum(event["verb"] == "created" for event in seen) == 9
    newer = account.get("/events", after=first["meta"]["last"])
    assert [event["summary"] for event in newer] == ["Something new about the oven"]
    assert account.get("/events", verb="forgotten") == []
    assert account.get("/events", scope_kind="collection", scope="attic") == []


def test_an_event_about_something_sensitive_does_not_tell_its_text(
    account: Api, memory: OpenMemory
) -> None:
    secret = {"content": "The code of the shed is 4417", "memory_type": "knowledge_vault"}
    memory.assistant.call("memory_add", secret)

    [event] = account.get("/events", limit=1)

    assert event["kind"] == "knowledge_vault"
    assert event["summary"] is None


def test_runs_are_listed_with_what_they_left(account: Api) -> None:
    answer = account.ok("GET", "/episodes", limit=2)

    assert [(run["context"]["task"]["run"], run["memories"]) for run in answer["data"]] == [
        (2, 3),
        (1, 3),
    ]
    assert answer["meta"] == {"total": 3, "limit": 2, "offset": 0, "has_more": True}
    assert [run["outcome_score"] for run in account.get("/episodes", status="ended")] == [0.5, 0.5]
    assert account.get("/episodes", scope_kind="collection", scope="attic") == []


def test_places_come_in_pages_in_a_box_and_with_a_value_to_colour_them(account: Api) -> None:
    where = f"/points?scope=kitchen&path={PLACE}"

    paths = account.get("/points/paths", scope="kitchen")
    page = account.ok("GET", f"{where}&color=ok&limit=6")
    rest = account.ok("GET", f"{where}&limit=6&before={page['meta']['next_before']}")
    boxed = account.get(f"{where}&low=0.5,0.5&high=2,1")
    run = page["data"]["episodes"][0]

    assert paths == [{"path": PLACE, "axes": 2, "memories": 9}]
    assert page["data"]["points"][0] == [2.0, 2.0]
    assert page["data"]["values"][:3] == [False, True, True]
    assert len(page["data"]["ids"]) + len(rest["data"]["ids"]) == 9
    assert rest["meta"]["next_before"] is None
    assert sorted(boxed["points"]) == [[1.0, 1.0], [2.0, 1.0]]
    assert len(account.get(f"{where}&episode_id={run}")["ids"]) == 3
    assert account.send("GET", "/points?path=a..b").status_code == 400
    assert account.send("GET", f"{where}&low=1,x").status_code == 400


def test_an_explained_answer_has_the_hits_of_recall_and_counts_none_as_used(
    account: Api, memory: OpenMemory
) -> None:
    asked = {"text": "jars of honey", "scopes": [{"kind": "collection", "name": "kitchen"}]}

    answer = account.ok("POST", "/explain", {**asked, "limit": 3})["data"]

    hits = memory.robot.recall("jars of honey", collection="kitchen", n=3)["memories"]
    assert [hit["memory"]["id"] for hit in answer["hits"]] == [hit["id"] for hit in hits]
    assert {term["term"] for term in answer["trace"]["terms"]} >= {"jar", "honey"}
    assert answer["trace"]["stages"][0]["name"] == "terms"
    assert answer["why_not"] is None


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"limit": 100}, "shown"),
        ({"limit": 1}, "below_the_cut"),
        ({"scopes": [{"kind": "collection", "name": "attic"}]}, "other_scope"),
        ({"filter": {"ok": False}}, "filtered"),
        ({"min_confidence": 1.0}, "too_uncertain"),
        ({"min_relevance": 1.0}, "below_relevance"),
        ({"episode_id": "another"}, "other_episode"),
        (
            {"near": {"field": PLACE, "target": [9, 9], "max_distance": 0.1}},
            "too_far",
        ),
        ({"text": "zebra crossing"}, "not_a_candidate"),
    ],
)
def test_why_not_this_one_tells_the_first_reason_that_keeps_a_memory_out(
    account: Api, changed: Json, reason: str
) -> None:
    asked = {
        "text": "jars of honey",
        "scopes": [{"kind": "collection", "name": "kitchen"}],
        "memory_id": 1,
    }

    found = account.ok("POST", "/explain", {**asked, **changed})["data"]["why_not"]

    assert found["reason"] == reason
    assert found["memory"]["id"] == 1


def test_why_not_tells_what_is_out_of_use_and_what_is_not_there(
    account: Api, memory: OpenMemory
) -> None:
    memory.robot.forget(1, "counted wrongly")
    asked = {"text": "honey", "scopes": [{"kind": "collection", "name": "kitchen"}]}

    found = account.ok("POST", "/explain", {**asked, "memory_id": 1})["data"]["why_not"]

    assert (found["reason"], found["memory"]["status_reason"]) == ("not_in_use", "counted wrongly")
    assert account.send("POST", "/explain", {**asked, "memory_id": 4711}).status_code == 404


def test_the_overview_counts_what_is_there_and_attention_what_is_amiss(
    account: Api, memory: OpenMemory
) -> None:
    held = account.get("/overview")
    amiss = account.get("/attention")

    assert held["memories"] == {"collection": {"fact": 9}}
    assert held["fullest"] == [{"kind": "collection", "name": "kitchen", "memories": 9}]
    assert held["days"] == [{"day": "2026-03-09", "events": {"created": 9, "decayed": 1}}]
    assert held["right"] == "admin"
    assert amiss == {"conflicts": 0, "jobs": {}, "vectors_missing": None, "embedder": "off"}


def test_no_account_sees_another(memory: OpenMemory) -> None:
    memory.robot.learn("The safe stands behind the clock")
    app = guarded(memory)
    stranger = visitor(memory, app, "guests", "admin")
    own = visitor(memory, app, right="read")

    assert stranger.get("/events").json()["data"] == []
    assert stranger.get("/overview").json()["data"]["memories"] == {}
    assert stranger.get("/points?path=a.b").json()["data"]["ids"] == []
    asked = {"text": "safe", "memory_id": 1}
    assert stranger.send("POST", "/explain", asked).status_code == 404
    assert len(own.get("/events").json()["data"]) == 1


def test_keys_are_made_shown_once_replaced_and_revoked(memory: OpenMemory) -> None:
    app = guarded(memory)
    admin = visitor(memory, app, right="admin")

    made = admin.send("POST", "/keys", {"name": "arm", "right": "read"}).json()["data"]
    listed = admin.get("/keys").json()["data"]
    arm = Visitor(app, made["text"])
    assert arm.get("/overview").status_code == 200
    rotated = admin.send("POST", f"/keys/{made['id']}/rotate", {}).json()["data"]
    assert Visitor(app, rotated["text"]).get("/overview").status_code == 200
    assert admin.send("DELETE", f"/keys/{rotated['id']}").json()["data"]["revoked_at"]

    assert {key["name"]: key["is_own"] for key in listed} == {
        "default's program": True,
        "arm": False,
    }
    assert not any("text" in key or "secret" in str(key) for key in listed)
    assert memory.keys.opened_by(made["text"]) is None
    assert memory.keys.opened_by(rotated["text"]) is None
    acts = admin.get("/audit").json()["data"]
    assert [act["act"] for act in acts].count("key.create") == 3


def test_keys_need_admin_and_an_admin_of_another_account_sees_its_own_only(
    memory: OpenMemory,
) -> None:
    app = guarded(memory)
    writer = visitor(memory, app)
    guest = visitor(memory, app, "guests", "admin")
    [own] = [key for key in memory.keys.listed() if key.account == "default"]

    for method, path in (("GET", "/keys"), ("POST", "/keys"), ("DELETE", f"/keys/{own.id}")):
        assert code_of(writer.send(method, path, {"name": "x"})) == "auth_insufficient_scope"
    assert [key["account"] for key in guest.get("/keys").json()["data"]] == ["guests"]
    assert guest.send("DELETE", f"/keys/{own.id}").status_code == 404
    assert guest.send("POST", f"/keys/{own.id}/rotate", {}).status_code == 404
    elsewhere = guest.send("POST", "/keys", {"name": "x", "account": "default"})
    assert elsewhere.status_code == 404
    assert guest.send("POST", "/keys", {"name": "x"}).json()["data"]["account"] == "guests"


def test_a_stream_tells_what_happens_and_goes_on_where_it_broke(tmp_path: Any) -> None:
    with served(tmp_path / "memory.db") as address, httpx2.Client(base_url=address) as client:
        for text in ("The first kettle is blue", "The second towel is red"):
            client.post("/sdk/robot.learn", json={"insight": text})

        def learn() -> None:
            client.post("/sdk/robot.learn", json={"insight": "The third spoon is wooden"})

        later = threading.Timer(0.2, learn)
        with httpx2.stream(
            "GET", f"{address}/events/stream", headers={"last-event-id": "1"}, timeout=30
        ) as stream:
            later.start()
            told = ""
            for part in stream.iter_text():
                told += part
                if "wooden" in told:
                    break
        later.join()

    assert stream.headers["content-type"].startswith("text/event-stream")
    assert "blue" not in told
    assert "id: 2\n" in told
    assert "red" in told
