"""A turn, what was known before it, and a model on a scripted server that is asked about it."""

import json
from typing import Any

from mnemic.chat.extraction.by_model import extract
from mnemic.chat.extraction.extraction import Extraction, Known, KnownFact, KnownLoop, TurnText
from mnemic.records.conversation import Line
from tests.providers.chat_server import Answering, ChatServer, model_at, saying
from tests.providers.scripted_server import Pauses, Reply

TURN = TurnText(
    (
        Line("user", "I moved to Porto on 3 May. The train tickets are booked.", name="Ann"),
        Line("assistant", "Congratulations, Ann! Porto is lovely. Do you like it? Tell me. More."),
    )
)
KNOWN = Known(
    facts=(
        KnownFact("fact-city", "ann.city", "Lisbon", 0.9),
        KnownFact("fact-job", "ann.job", "baker", 0.5),
    ),
    loops=(KnownLoop("loop-tickets", "Ann wants to book tickets."), KnownLoop("loop-b", "Why?")),
    summaries=("Ann spoke of her job.", "Ann said hello."),
)
ANSWER: dict[str, Any] = {
    "micro_summary": "Ann moved to Porto on 3 May.",
    "facts_to_add": [
        {"key": " Ann.Move  Date ", "value": "3 May", "scope": "chat", "importance": 0.8},
        {"key": "ann.name", "value": "Ann"},
    ],
    "facts_to_update": [{"id": "fact-city", "value": "Porto"}],
    "facts_to_deprecate": [{"id": "fact-job", "reason": "she gave it up"}],
    "open_loops_to_add": ["Does Ann like Porto?", {"text": "Ann wants to tell more."}],
    "open_loops_to_resolve": [{"id": "loop-tickets", "resolution": "they are booked"}],
}


def extracted(
    *answers: Reply | Answering | str | dict[str, Any],
    turn: TurnText = TURN,
    known: Known = KNOWN,
    pauses: Pauses | None = None,
) -> Extraction:
    """Return what comes of a turn when the server gives these answers."""
    with ChatServer(*map(_reply, answers)) as server, model_at(server.base, pauses=pauses) as model:
        return extract(model, turn, known)


def asked_by(turn: TurnText, known: Known) -> tuple[str, str]:
    """Return the instructions and the data that a server gets."""
    with ChatServer(saying("{}")) as server, model_at(server.base) as model:
        extract(model, turn, known)
    assert len(server.asked) == 1
    system, user = server.asked[0].body["messages"]
    assert (system["role"], user["role"]) == ("system", "user")
    return system["content"], user["content"]


def block(mark: str, data: str) -> list[Any]:
    """Return the entries of a block, read as a careful reader would: line by line."""
    lines = data.splitlines()
    assert lines.count(f"<{mark}>") == lines.count(f"</{mark}>") == 1
    return [
        json.loads(line) for line in lines[lines.index(f"<{mark}>") + 1 : lines.index(f"</{mark}>")]
    ]


def _reply(answer: Reply | Answering | str | dict[str, Any]) -> Reply | Answering:
    if isinstance(answer, dict):
        return saying(json.dumps(answer, ensure_ascii=False))
    return saying(answer) if isinstance(answer, str) else answer
