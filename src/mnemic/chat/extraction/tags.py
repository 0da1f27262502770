"""Summaries that the writer of a message marked as such, with tags."""

import re
from collections.abc import Iterator
from typing import Final

from mnemic.runtime.patterns import linear

_TAG: Final = linear(
    r"<(?P<closes>/)?(?P<name>summary|摘要|memory|记忆|memo)(?:\s[^<>]*)?>", re.IGNORECASE
)
_SPACE: Final = linear(r"\s+")


def tagged_summaries(text: str) -> tuple[str, ...]:
    """Return what stands in summary tags, in order; a tag that is never closed is no tag."""
    found = (_SPACE.sub(" ", text[begin:end]).strip() for _, begin, end, _ in _tagged(text))
    return tuple(one for one in found if one)


def without_tags(text: str) -> str:
    """Return the text without its summary tags and what stands in them."""
    kept: list[str] = []
    at = 0
    for start, _, _, stop in _tagged(text):
        kept.append(text[at:start])
        at = stop
    return " ".join([*kept, text[at:]]).strip() if kept else text


def _tagged(text: str) -> Iterator[tuple[int, int, int, int]]:
    """Yield where a tag opens, where what it holds begins and ends, and where it has closed."""
    tags = list(_TAG.finditer(text))
    last_closed = {tag["name"].lower(): tag.start() for tag in tags if tag["closes"]}
    opened: re.Match[str] | None = None
    for tag in tags:
        name = tag["name"].lower()
        if opened is None:
            if not tag["closes"] and last_closed.get(name, -1) > tag.start():
                opened = tag
        elif tag["closes"] and opened["name"].lower() == name:
            yield opened.start(), opened.end(), tag.start(), tag.end()
            opened = None
