"""A language model of a few lines: it finds `key=value`, `todo=…` and `done` in a turn.

The same request has the same answer, whoever asks, and however often.
"""

import json
import re
from typing import Any

from tests.providers.chat_server import Answering, saying
from tests.providers.scripted_server import Reply

_FACT = re.compile(r"(\w+)=(\w+)(?:@(\w+))?")


def reading(body: dict[str, Any]) -> Reply:
    """Answer as a careful model would."""
    text: str = body["messages"][-1]["content"]
    if "<summaries>" in text:
        told = " ".join(json.loads(line) for line in block(text, "summaries"))
        return saying(json.dumps({"summary": f"All in all: {told[:60]}"}, ensure_ascii=False))
    return saying(json.dumps(extraction(text), ensure_ascii=False))


def extraction(text: str) -> dict[str, Any]:
    said = json.loads(block(text, "turn")[0])["text"]
    found = [match.groups() for match in _FACT.finditer(said)]
    loops = [json.loads(line) for line in block(text, "open_loops")]
    return {
        "micro_summary": f"They said: {said[:40]}",
        "facts_to_add": [
            {"key": key, "value": value, "scope": scope or "branch", "importance": 0.7}
            for key, value, scope in found
            if key != "todo"
        ],
        "open_loops_to_add": [{"text": value} for key, value, _ in found if key == "todo"],
        "open_loops_to_resolve": [
            {"id": loop["id"], "resolution": "it is done"}
            for loop in loops[:1]
            if "done" in said.split()
        ],
    }


def block(text: str, mark: str) -> list[str]:
    """Return the lines that stand between two marks."""
    inside = text.partition(f"<{mark}>\n")[2].partition(f"</{mark}>")[0]
    return [line for line in inside.splitlines() if line]


def with_facts(**fields: Any) -> Answering:
    """Answer with what `reading` would, and these fields instead of its own."""

    def answer(body: dict[str, Any]) -> Reply:
        found = extraction(body["messages"][-1]["content"])
        return saying(json.dumps({**found, **fields}, ensure_ascii=False))

    return answer
