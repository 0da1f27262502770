"""What the engine gathers for an answer, whoever gives it."""

import pytest

from mnemic import Draft
from mnemic.assistant.answering.gathering import gather
from mnemic.assistant.answering.reply import reply
from mnemic.memory.workspace import Workspace
from mnemic.opening import OpenMemory
from mnemic.records.memory import Scope, Utterance

HOME = Scope("user", "home")


def workspace_of(memory: OpenMemory) -> Workspace:
    """Return what the engine's verbs work with."""
    return memory._workspace  # pyright: ignore[reportPrivateUsage]  # no dialect shows evidence


@pytest.fixture
def home(memory: OpenMemory) -> OpenMemory:
    """A few facts, on each backend in turn."""
    for text in ("I love green tea.", "My sister Anna lives in Lyon."):
        memory.remember(Draft(text, scope=HOME, kind="core"))
    secret = {"sensitivity": "high"}
    memory.remember(
        Draft("The door code is 4455.", scope=HOME, kind="knowledge_vault", context=secret)
    )
    return memory


def test_gathering_leaves_no_trace(home: OpenMemory) -> None:
    before = [(one.id, one.access_count, one.accessed_at) for one in home.browse(HOME)]

    for message in ("What do I like to drink?", "What did I do yesterday?", "Who am I?"):
        gather(workspace_of(home), message, [], scope=HOME)

    assert [(one.id, one.access_count, one.accessed_at) for one in home.browse(HOME)] == before


def test_the_memories_of_others_are_no_evidence(home: OpenMemory) -> None:
    home.remember(Draft("I love espresso.", scope=Scope("user", "other"), kind="core"))
    stranger = [
        Utterance("user", "Do I drink espresso?"),
        Utterance("assistant", "[mem_0000000004]"),
    ]

    evidence = gather(workspace_of(home), "why?", stranger, scope=HOME)

    assert all(hit.memory.scope == HOME for hit in evidence.hits)


def test_the_evidence_for_a_prompt_holds_no_secret(home: OpenMemory) -> None:
    evidence = gather(workspace_of(home), "What is the door code?", [], scope=HOME)

    assert all("4455" not in hit.memory.content for hit in evidence.hits)
    assert [hit.memory.content for hit in evidence.withheld] == ["The door code is 4455."]


def test_an_answer_may_be_made_of_evidence_that_was_gathered_before(home: OpenMemory) -> None:
    workspace = workspace_of(home)
    evidence = gather(workspace, "Where does my sister live?", [], scope=HOME)
    home.forget(evidence.hits[0].memory.id, reason="moved")

    answer = reply(workspace, "Where does my sister live?", evidence, memorizing=False)

    assert "Lyon" in answer.text


def test_what_is_not_close_is_there_for_whoever_can_judge_it(home: OpenMemory) -> None:
    asked = "Which of my love of tea and my sister in Lyon matters more to the universe?"

    narrow = gather(workspace_of(home), asked, [], scope=HOME)
    wide = gather(workspace_of(home), asked, [], scope=HOME, wide=True)

    assert {hit.memory.id for hit in narrow.hits} <= {hit.memory.id for hit in wide.hits}
    assert len(wide.hits) == 2
    assert wide.close == narrow.close
