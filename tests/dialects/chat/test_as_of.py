"""What a chat app gets as of a time: the block, the lists, and the times of a memory."""

from datetime import timedelta
from typing import Any

import pytest

from mnemic.errors import InvalidInputError
from mnemic.opening import OpenMemory
from mnemic.records.conversation import ContextQuery
from mnemic.records.item import ItemFilter
from mnemic.records.memory import Draft, Scope, memory_name
from tests.conftest import NOON, Clock
from tests.dialects.chat_calling import Api, Json, wrong

DAY = 86_400_000
NOW = round(NOON.timestamp() * 1000)
STRATEGIES = ["relevance", "importance", "balanced", "dual_summary"]


@pytest.fixture
def session(api: Api) -> str:
    return api.create("/sessions", {"id": "s"})["id"]


def block(api: Api, query: str, **fields: Any) -> Json:
    return api.ok("POST", "/sessions/s/context", {"query": query, **fields})["data"]


def say(api: Api, content: str, **fields: Any) -> str:
    body = {"messages": [{"role": "user", "content": content}], **fields}
    return api.create("/sessions/s/turns", body)["floor_id"]


def test_a_block_as_of_a_time_holds_what_was_said_by_then(
    api: Api, clock: Clock, session: str
) -> None:
    say(api, "The ferry to Oslo leaves at noon.", occurred_at=NOW - 9 * DAY)
    say(api, "The ferry to Oslo leaves at dusk.")
    clock.turn(days=1)
    say(api, "The ferry to Oslo leaves at dawn.")

    def told(**fields: Any) -> list[str]:
        text = block(api, "When does the ferry to Oslo leave?", **fields)["text"]
        return [word for word in ("noon", "dusk", "dawn") if word in text]

    assert told() == ["noon", "dusk", "dawn"]
    assert told(as_of=NOW + DAY) == ["noon", "dusk", "dawn"]
    assert told(as_of=NOW + DAY - 1) == ["noon", "dusk"]
    assert told(as_of=NOW) == ["noon", "dusk"]
    assert told(as_of=NOW - 1) == ["noon"]
    assert told(as_of=NOW - 9 * DAY - 1) == []


def test_another_wording_was_not_said_before_it_came(api: Api, clock: Clock, session: str) -> None:
    floor = say(api, "The ferry to Oslo leaves at noon.")
    clock.turn(days=1)
    new = {"messages": [{"role": "user", "content": "The ferry to Oslo leaves at dusk."}]}
    api.ok("PUT", f"/sessions/s/turns/{floor}", new)

    assert "dusk" in block(api, "When does the ferry leave?", as_of=NOW + DAY)["text"]
    assert "dusk" not in block(api, "When does the ferry leave?", as_of=NOW)["text"]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_block_as_of_a_time_holds_the_facts_that_were_current_then(
    api: Api, clock: Clock, session: str, strategy: str
) -> None:
    given = {"fact_key": "user.home", "importance": 0.9}
    old = api.item("The user lives in Leeds", **given)["id"]
    clock.turn(days=1)
    api.ok("PATCH", f"/memories/{old}", {"status": "deprecated"})
    api.item("The user lives in Oslo", **given)
    # Another change does not make it go out of use later.
    clock.turn(days=1)
    api.ok("PATCH", f"/memories/{old}", {"importance": 0.8})

    def told(**fields: Any) -> list[str]:
        text = block(api, "Where does the user live?", strategy=strategy, **fields)["text"]
        return [place for place in ("Leeds", "Oslo") if place in text]

    assert told() == ["Oslo"]
    assert told(as_of=NOW + 2 * DAY) == ["Oslo"]
    assert told(as_of=NOW + DAY) == ["Oslo"]
    assert told(as_of=NOW + DAY - 1) == ["Leeds"]
    assert told(as_of=NOW - 1) == []


def test_a_fact_that_answered_then_is_found_however_unimportant(
    api: Api, clock: Clock, session: str
) -> None:
    for number in range(20):
        api.item(f"Parcel {number} left the depot.")
    old = api.item("The cat is called Mimi.", importance=0.4)["id"]
    for number in range(20, 40):
        api.item(f"Parcel {number} left the depot.")
    clock.turn(days=1)
    api.ok("PATCH", f"/memories/{old}", {"lifecycle_status": "compacted"})

    asked = "What is the cat called?"
    assert "Mimi" not in block(api, asked)["text"]
    assert "Mimi" in block(api, asked, as_of=NOW)["text"]


def test_a_text_that_was_changed_reads_as_it_did(api: Api, clock: Clock, session: str) -> None:
    name = api.item("The cat is called Mimi.", importance=0.9)["id"]
    clock.turn(days=1)
    api.ok("PATCH", f"/memories/{name}", {"content": "The cat is called Tofu."})

    assert "Mimi" in block(api, "What is the cat called?", as_of=NOW)["text"]
    assert "Tofu" in block(api, "What is the cat called?", as_of=NOW + DAY)["text"]
    assert api.texts(as_of=NOW) == ["The cat is called Mimi."]


def test_a_list_as_of_a_time_holds_what_was_there_as_it_stood(api: Api, clock: Clock) -> None:
    first, second = api.item("red door")["id"], api.item("blue door", type="open_loop")["id"]
    clock.turn(days=1)
    api.ok("PATCH", f"/memories/{first}", {"status": "deprecated"})
    third = api.item("green door")["id"]

    assert set(api.ids(as_of=NOW)) == {first, second}
    assert set(api.ids(as_of=NOW, status="active")) == {first, second}
    assert set(api.ids(as_of=NOW, lifecycle_status="active", scope="chat")) == {first, second}
    assert set(api.ids(as_of=NOW, q="door", scope="chat", scope_id="s")) == {first, second}
    assert api.ids(as_of=NOW, status="deprecated") == []
    assert api.ids(as_of=NOW - 1) == []
    assert set(api.ids(as_of=NOW + DAY, status="active")) == {second, third}
    assert api.ids(as_of=NOW + DAY, status="deprecated") == [first]
    assert {one["status"] for one in api.get("/memories/items", as_of=NOW)} == {"active"}

    page = api.ok("GET", "/memories", as_of=NOW, limit=1, sort_order="asc")
    assert [one["id"] for one in page["data"]] == [first]
    assert (page["meta"]["total"], page["meta"]["has_more"]) == (2, True)


@pytest.mark.parametrize("value", [-1, 253_402_300_800_000, "2021-05-03", 1.5])
def test_as_of_is_a_time_in_milliseconds(api: Api, session: str, value: object) -> None:
    assert wrong(api.send("POST", "/sessions/s/context", {"as_of": value})) == ["as_of"]
    assert wrong(api.send("GET", "/memories", as_of=value)) == ["as_of"]


@pytest.mark.parametrize("as_of", [0, 253_402_300_799_999])
def test_a_day_that_is_named_at_the_ends_of_the_calendar_is_no_error(
    api: Api, session: str, as_of: int
) -> None:
    say(api, "The ferry leaves at noon.")

    for asked in ("Which ferry left tonight?", "Which ferry left yesterday?", "明天的船？"):
        block(api, asked, as_of=as_of)


def test_a_memory_that_is_no_item_is_shown_with_the_times_that_it_carries(
    api: Api, memory: OpenMemory
) -> None:
    ada = Scope("user", "ada")
    until = NOON + timedelta(days=1)
    before = NOON - timedelta(days=1)
    old = memory.remember(Draft("I live in Leeds", ada, occurred_at=before, expires_at=until))
    new = memory.remember(Draft("I go to Oslo by train", ada))
    memory.supersede(new.memory.id, [old.memory.id])

    names = ("occurred_at", "valid_until", "superseded_by", "expires_at")
    told = api.get(f"/memories/{memory_name(old.memory.id)}")
    plain = api.get(f"/memories/{memory_name(new.memory.id)}")
    assert [told[name] for name in names] == [
        *(NOW - DAY, NOW, memory_name(new.memory.id), NOW + DAY),
    ]
    assert not plain.keys() & set(names)


def test_in_python_as_of_is_a_time_with_a_zone(memory: OpenMemory) -> None:
    chat = memory.chat
    chat.create_session("s")
    naive = NOON.replace(tzinfo=None)

    assert chat.context(ContextQuery(session_id="s", as_of=NOON)).text == ""
    with pytest.raises(InvalidInputError, match="as_of"):
        chat.context(ContextQuery(session_id="s", as_of=naive))
    with pytest.raises(InvalidInputError, match="as_of"):
        chat.items(ItemFilter(), as_of=naive)
