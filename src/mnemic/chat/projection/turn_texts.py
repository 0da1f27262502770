"""Turns as extractors see them."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from mnemic.chat.extraction.extraction import TurnText
from mnemic.chat.extraction.tags import tagged_summaries, without_tags
from mnemic.language.bounds import READ_OF_LINE, READ_OF_TURN
from mnemic.records.conversation import Line

_MOST_SUMMARIES: Final = 20


def turn_of(
    lines: Sequence[Line], *, said_at: datetime | None = None, before: Sequence[Line] = ()
) -> TurnText:
    """Return a turn as extractors see it: the text of its tags beside the rest, and of both no
    more than is read; with the time from which its "tomorrow" is counted, and the turn before it.
    What an app tells its model is not something that was said.

    That time is the turn's own, whichever version, unless the app says another one: who mends a
    typing error a week later does not mean another day.
    """
    said: list[Line] = []
    tagged: list[str] = []
    left = READ_OF_TURN
    for line in lines:
        if line.role == "system":
            continue
        text = without_tags(line.content)[: min(READ_OF_LINE, max(left, 0))]
        said.append(replace(line, content=text))
        left -= len(text)
        tagged += [one[:READ_OF_LINE] for one in tagged_summaries(line.content)]
    return TurnText(
        tuple(said),
        tuple(tagged[:_MOST_SUMMARIES]),
        said_at,
        tuple(line for line in before if line.role != "system"),
    )
