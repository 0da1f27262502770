"""Turns as extractors see them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from mnemic.chat.extraction.extraction import TurnText
from mnemic.chat.extraction.tags import tagged_summaries, without_tags
from mnemic.language.bounds import READ_OF_LINE, READ_OF_TURN
from mnemic.records.conversation import Line

_MOST_SUMMARIES: Final = 20


def turn_of(lines: Sequence[Line]) -> TurnText:
    """Return a turn as extractors see it: the text of its tags beside the rest, and of both no
    more than is read.
    """
    said: list[Line] = []
    tagged: list[str] = []
    left = READ_OF_TURN
    for line in lines:
        text = without_tags(line.content)[: min(READ_OF_LINE, max(left, 0))]
        said.append(replace(line, content=text))
        left -= len(text)
        tagged += [one[:READ_OF_LINE] for one in tagged_summaries(line.content)]
    return TurnText(tuple(said), tuple(tagged[:_MOST_SUMMARIES]))
