"""Summaries that the writer of a message marked as such, with tags."""

import re
from typing import Final

from mnemic.engine.extracting.patterns import when_used

_TAGGED: Final = when_used(
    r"<(?P<tag>summary|摘要|memory|记忆|memo)(?:\s[^<>]*)?>(?P<text>.*?)</(?P=tag)\s*>",
    re.IGNORECASE | re.DOTALL,
)
_SPACE: Final = when_used(r"\s+")


def tagged_summaries(text: str) -> tuple[str, ...]:
    """Return what stands in summary tags, in order; a tag that is never closed is no tag."""
    found = (_SPACE.sub(" ", match["text"]).strip() for match in _TAGGED.finditer(text))
    return tuple(one for one in found if one)


def without_tags(text: str) -> str:
    """Return the text without its summary tags and what stands in them."""
    return _TAGGED.sub(" ", text).strip() if "<" in text else text
