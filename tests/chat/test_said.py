"""Promises of what was said: found passage by passage, from the branch that it was said in."""

import pytest

from mnemic.administration.splitting import split_texts
from mnemic.chat.conversations import address_of
from mnemic.chat.said_passages import SaidHit, recall_said
from mnemic.engine.chat_verbs import ChatMemory
from mnemic.memory.workspace import Workspace
from mnemic.opening import OpenMemory
from mnemic.records.conversation import MAIN, Line
from mnemic.storage.rows import document_rows
from tests.chat.chatting import said
from tests.conftest import OpenIt

LONG = " ".join(f"Note {number} lists what the smith of Tarn sold." for number in range(60))


@pytest.fixture
def chat(memory: OpenMemory) -> ChatMemory:
    memory.chat.create_session("s")
    return memory.chat


def workspace_of(memory: OpenMemory) -> Workspace:
    return memory._workspace  # pyright: ignore[reportPrivateUsage]


def hits(
    memory: OpenMemory, text: str, *, branch_id: str = MAIN, window_start: int | None = None
) -> list[SaidHit]:
    workspace = workspace_of(memory)
    session = address_of(workspace, "s")
    return recall_said(workspace, session, text, branch_id=branch_id, window_start=window_start)


def found(
    memory: OpenMemory, text: str, *, branch_id: str = MAIN, window_start: int | None = None
) -> list[str]:
    """Return what was said that answers, the best first."""
    answers = hits(memory, text, branch_id=branch_id, window_start=window_start)
    return [hit.passage.content for hit in answers]


def test_what_was_said_is_found_as_soon_as_it_is_kept(memory: OpenMemory, chat: ChatMemory) -> None:
    chat.add_turn("s", said("My dog is called Biscuit.", "What a lovely name!"))
    chat.add_turn("s", [Line("user", LONG + " The smith hid a zebra.", "Brenna")])

    [hit, *_] = hits(memory, "zebra of the smith")

    assert "zebra" in hit.passage.content
    assert len(hit.passage.content) <= 400
    assert (hit.passage.number, hit.passage.name) == (1, "Brenna")
    assert found(memory, "What is the dog called?")[0] == "My dog is called Biscuit."


def test_instructions_to_a_model_are_not_what_somebody_said(
    memory: OpenMemory, chat: ChatMemory
) -> None:
    chat.add_turn(
        "s", [Line("system", "You are a pirate with a parrot."), Line("user", "A parrot?")]
    )

    assert found(memory, "parrot") == ["A parrot?"]


def test_a_swipe_is_found_by_what_it_says_now(memory: OpenMemory, chat: ChatMemory) -> None:
    turn, _ = chat.add_turn("s", said("Who is there?", "A giraffe."))

    chat.change_turn("s", turn.id, lines=said("Who is there?", "A zebra."))
    assert found(memory, "giraffe") == []
    assert found(memory, "zebra")[0] == "A zebra."

    chat.change_turn("s", turn.id, version=0)
    assert found(memory, "zebra") == []
    assert found(memory, "giraffe")[0] == "A giraffe."

    chat.delete_turn("s", turn.id)
    assert found(memory, "giraffe") == []


def test_a_branch_finds_its_trunk_up_to_the_fork_and_nothing_beside_it(
    memory: OpenMemory, chat: ChatMemory
) -> None:
    chat.add_turn("s", said("The zebra is in the barn."))
    chat.create_branch("s", "fork", at_floor_no=0)
    chat.add_turn("s", said("The zebra is in the mill."))
    chat.add_turn("s", said("The zebra is in the well."), branch_id="fork")

    barn, mill, well = (f"The zebra is in the {place}." for place in ("barn", "mill", "well"))
    assert set(found(memory, "zebra")) == {barn, mill}
    assert set(found(memory, "zebra", branch_id="fork")) == {barn, well}
    assert found(memory, "zebra", window_start=1) == [barn]

    chat.delete_branch("s", "fork")
    assert set(found(memory, "zebra")) == {barn, mill}


def test_what_was_said_gets_its_meaning_in_the_background(open_it: OpenIt) -> None:
    memory = open_it(embedder="hashing")
    memory.chat.create_session("s")
    memory.chat.add_turn("s", said("My dog is called Biscuit.", LONG))

    done = memory.embed_missing()

    assert done >= 3
    [hit, *_] = hits(memory, "Biscuit")
    assert hit.passage.content == "My dog is called Biscuit."


def test_nothing_is_found_of_a_session_that_is_gone(memory: OpenMemory, chat: ChatMemory) -> None:
    chat.add_turn("s", said("My dog is called Biscuit."))
    chat.delete_session("s")
    chat.create_session("s")

    assert found(memory, "Biscuit") == []


def test_a_store_from_before_there_were_passages_gets_them(
    memory: OpenMemory, chat: ChatMemory
) -> None:
    chat.add_turn("s", said("My dog is called Biscuit."))
    chat.add_turn("s", said("My cat is called Toast."))
    workspace = workspace_of(memory)
    db = workspace.db
    turns = [turn.id for turn in chat.turns("s").rows]
    scope_id = db.only("scope_find", kind="said", name="s")["id"]
    db.write(lambda: document_rows.retire_said(db, turns, scope_id=scope_id))
    assert found(memory, "Biscuit") == []

    assert sum(split_texts(workspace)) == 2
    assert found(memory, "Biscuit")[0] == "My dog is called Biscuit."
    assert sum(split_texts(workspace)) == 0
