"""Reads follow time: what is current first, what was before behind it, dated, or turned round."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from mnemic.opening import OpenMemory
from mnemic.records.memory import Chat, Draft, Scope, Utterance
from mnemic.records.query import Query
from tests.conftest import NOON, Clock

ADA = Scope("user", "ada")
YEAR = timedelta(days=365)


@pytest.fixture
def moved(memory: OpenMemory, clock: Clock) -> OpenMemory:
    """A memory of somebody who moved twice, two years and one year ago."""
    homes = ["I live in Leeds.", "I moved to Berlin.", "I moved to Porto."]
    clock.now = NOON - 3 * YEAR
    for home in homes:
        memory.remember(Draft(home, ADA, kind="core"))
        memory.remember(
            Draft(f"I like the market where I live, year {clock.now:%Y}", ADA, kind="core")
        )
        clock.now += YEAR
    return memory


def asked(memory: OpenMemory, text: str, **params: Any) -> list[str]:
    query = Query(text, scopes=(ADA,), **params)
    return [hit.memory.content for hit in memory.recall(query).hits]


def test_what_is_current_stands_before_what_was(moved: OpenMemory) -> None:
    hits = moved.recall(Query("Where do I live, in Leeds or Berlin?", scopes=(ADA,))).hits

    over = [hit.memory.valid_until is not None for hit in hits]
    assert over == sorted(over)
    assert any(over)
    assert [hit.memory.content for hit in hits if "Porto" in hit.memory.content]
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == 1


@pytest.mark.parametrize(
    "question",
    ["Where did I live before?", "Where did I use to live, originally?", "我以前 live 在哪里?"],
)
def test_a_question_about_before_turns_it_round(moved: OpenMemory, question: str) -> None:
    hits = moved.recall(Query(question, scopes=(ADA,), limit=10)).hits
    places = [hit.memory.content for hit in hits if "year" not in hit.memory.content]

    assert places == ["I live in Leeds.", "I moved to Berlin.", "I moved to Porto."]


def test_a_hit_brings_along_what_it_superseded_where_change_is_asked_for(
    memory: OpenMemory,
) -> None:
    old = memory.remember(Draft("The spare key hangs in the shed", ADA)).memory
    new = memory.remember(Draft("Keys are kept by Zoe", ADA)).memory
    memory.supersede(new.id, [old.id])

    assert asked(memory, "Who is Zoe?") == ["Keys are kept by Zoe"]
    assert asked(memory, "What changed with Zoe?") == [
        "Keys are kept by Zoe",
        "The spare key hangs in the shed",
    ]
    assert asked(memory, "Is it in the shed?") == [
        "Keys are kept by Zoe",
        "The spare key hangs in the shed",
    ]


def test_as_of_a_time_what_was_current_then_is_current(moved: OpenMemory) -> None:
    then = datetime(2024, 1, 1, tzinfo=UTC)
    hits = moved.recall(Query("Where do I live?", scopes=(ADA,), as_of=then)).hits

    assert "I live in Leeds." in [hit.memory.content for hit in hits]
    assert all(hit.memory.valid_until is None for hit in hits)
    assert not any("Berlin" in hit.memory.content for hit in hits)


def test_as_of_a_time_a_text_reads_as_it_did_then(memory: OpenMemory, clock: Clock) -> None:
    number = memory.remember(Draft("The boiler is serviced in June", ADA)).memory.id
    clock.turn(days=10)
    memory.revise(number, "The boiler is serviced in July")

    assert asked(memory, "boiler", as_of=NOON + timedelta(days=1)) == [
        "The boiler is serviced in June"
    ]
    assert asked(memory, "boiler") == ["The boiler is serviced in July"]


def test_a_reply_quotes_what_was_superseded_with_its_end(moved: OpenMemory) -> None:
    reply = moved.converse(Chat(Utterance("user", "Where did I live before?"), ADA))

    assert "Until 9 March 2024: You live in Leeds." in reply.text
    assert "Until 9 March 2025: You moved to Berlin." in reply.text
    assert "- You moved to Porto." in reply.text


def test_a_chinese_reply_does_so_in_chinese(memory: OpenMemory) -> None:
    memory.remember(Draft("我住在成都。", ADA))
    memory.remember(Draft("我搬到杭州了。", ADA))

    reply = memory.converse(Chat(Utterance("user", "我以前住在哪里？"), ADA))

    assert "2026年3月9日" in reply.text.splitlines()[0] + reply.text
    assert "成都" in reply.text
    assert memory.get(1).superseded_by == 2


def test_a_list_as_of_a_time_holds_what_was_in_use_then(moved: OpenMemory, clock: Clock) -> None:
    then = datetime(2024, 6, 1, tzinfo=UTC)
    moved.forget(2, reason="wrong")

    texts = [memory.content for memory in moved.browse(ADA, as_of=then)]
    assert texts == [
        "I like the market where I live, year 2024",
        "I moved to Berlin.",
        "I like the market where I live, year 2023",
        "I live in Leeds.",
    ]
    over = {memory.content: memory.valid_until for memory in moved.browse(ADA, as_of=then)}
    assert over["I moved to Berlin."] is None
    assert over["I live in Leeds."] is not None
    assert all(memory.status == "active" for memory in moved.browse(ADA, as_of=then))
    asked = {"user_id": "ada", "as_of": "2024-06-01"}
    listed = moved.assistant.call("memory_list", asked)["data"]
    assert (len(listed["memories"]), listed["total"]) == (4, 4)
    moved.robot.learn("The lift is slow")
    assert moved.robot.list(as_of="2024-06-01") == []
