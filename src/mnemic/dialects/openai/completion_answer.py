"""What a model answered, in one piece or as a stream of events: the text of the first choice."""

import json
from collections.abc import Mapping
from typing import Any

from mnemic.dialects.openai.loose_json import fields_in, objects_in
from mnemic.dialects.openai.steps import text_of


def text_in(content: bytes) -> str:
    """Return what was answered in one piece; nothing, where that is no completion."""
    return text_of(fields_in(_choice_in(content).get("message")))


def text_streamed(events: bytes) -> str:
    """Return what was answered in a stream, as far as it got."""
    return "".join(
        text_of(fields_in(_choice_in(line.removeprefix(b"data:")).get("delta")))
        for line in events.splitlines()
        if line.startswith(b"data:")
    )


def _choice_in(content: bytes) -> Mapping[str, Any]:
    """Return the choice that is kept; of several, an app shows the others when it sends them."""
    try:
        answer = json.loads(content)
    except (ValueError, RecursionError):
        # The end of a stream, half an event, or something else: the app gets it as it is.
        return {}
    choices = objects_in(fields_in(answer).get("choices"))
    return next((choice for choice in choices if choice.get("index", 0) == 0), fields_in(None))
