"""Promises of erasing what search made of a text: its passages, its vectors, and those of others
that it helped to make.
"""

from collections import Counter
from dataclasses import replace

import pytest

from mnemic.opening import OpenMemory
from mnemic.records.conversation import branch_scope
from mnemic.records.memory import Draft, Scope
from tests.administration.erasing.traces import MARKER, Traces, rows_of
from tests.chat.chatting import items_in, said, work
from tests.conftest import Clock
from tests.postgres import Server

LONG = " ".join(f"Pump {number} was greased with care." for number in range(200)) + (
    f" At last the {MARKER} valve was opened."
)


@pytest.fixture
def kept(memory: OpenMemory, database: str, request: pytest.FixtureRequest) -> "Kept":
    """Tells what search keeps of the texts that are there."""
    server = request.getfixturevalue("postgres") if "postgres" in database else None
    return Kept(memory, database, server)


class Kept:
    """What search keeps of texts."""

    def __init__(self, memory: OpenMemory, database: str, server: Server | None) -> None:
        self._memory, self._database, self._server = memory, database, server

    def passages(self) -> int:
        """Return how many passages are known."""
        return len(self._rows("passage"))

    def vectors(self) -> Counter[bytes]:
        """Return every vector."""
        name = "vector" if self._server is None else "memory_vector"
        return Counter(str(row[-1]).encode() for row in self._rows(name))

    def _rows(self, table: str) -> list[tuple[object, ...]]:
        return rows_of(self._database, self._server, table)


def test_a_long_memory_goes_with_every_passage_and_vector(
    memory: OpenMemory, kept: Kept, traces: Traces
) -> None:
    memory.remember(Draft("The door opens inwards"))
    before = (kept.passages(), kept.vectors())
    number = memory.remember(Draft(LONG)).memory.id
    memory.embed_missing()
    assert kept.passages() > 10
    assert kept.vectors().total() > 10

    memory.erase("memory", number)

    assert (kept.passages(), kept.vectors()) == before
    assert traces() == []


def test_the_vector_of_an_answer_is_made_anew_without_the_question_that_was_erased(
    memory: OpenMemory, kept: Kept
) -> None:
    hall = Scope("collection", "hall")
    answer = Draft("It is in the hall.", scope=hall, context={"speaker": "Ben"})
    memory.remember(replace(answer, scope=Scope("collection", "alone")))
    alone = kept.vectors()
    episode, _ = memory.start_episode(hall)
    asked = replace(answer, content="Where is the valve?", context={"speaker": "Ada"})
    question, _ = (
        memory.remember(replace(draft, episode_id=episode.id)).memory for draft in (asked, answer)
    )
    assert len(kept.vectors()) == 3

    memory.erase("memory", question.id)

    assert kept.vectors() == alone + alone


def test_passages_of_an_erased_turn_go_and_those_of_others_stay(
    memory: OpenMemory, kept: Kept, clock: Clock, traces: Traces
) -> None:
    chat = memory.chat
    chat.create_session("s1")
    for text, reply in (("I like tea.", "Noted."), (f"My cat is called {MARKER}.", LONG)):
        clock.turn(seconds=1)
        chat.add_turn("s1", said(text, reply))
        work(chat)
    memory.embed_missing()
    assert kept.passages() > 10

    main = branch_scope("s1", "main")
    while told := [item for item in items_in(chat, main) if MARKER in item.content]:
        memory.erase("memory", told[0].id)
        work(chat)

    assert kept.passages() == 2
    assert traces() == []


def test_passages_of_an_erased_session_go(memory: OpenMemory, kept: Kept, traces: Traces) -> None:
    memory.remember(Draft("The door opens inwards"))
    before = (kept.passages(), kept.vectors())
    memory.chat.create_session("s1")
    memory.chat.add_turn("s1", said(f"My cat is called {MARKER}.", LONG))
    work(memory.chat)
    memory.embed_missing()
    memory.chat.create_branch("s1", "other")

    memory.erase("session", "s1")

    assert (kept.passages(), kept.vectors()) == before
    assert traces() == []
