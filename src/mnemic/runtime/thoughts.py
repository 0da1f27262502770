"""What a model thinks aloud before it answers, which nobody is told."""

import re
from typing import Final

from mnemic.runtime.patterns import linear

# A model that thinks aloud does so first. Where the server puts the opening mark into the prompt,
# only the closing one comes back, on a line of its own; a mark in a sentence is left alone.
_THOUGHTS: Final = linear(
    r"\A\s*<think>.*?(?:</think>|\Z)|\A(?:(?!<think>).)*?^[ \t]*</think>[ \t]*$",
    re.DOTALL | re.MULTILINE,
)


def without_thoughts(answer: str) -> str:
    """Return an answer without what the model thought aloud before it."""
    return _THOUGHTS.sub("", answer, count=1)
