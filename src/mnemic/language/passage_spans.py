"""Passages: pieces of a text that are short enough to be found, and to be read, by themselves."""

from typing import Final

from mnemic.language.sentences import sentence_spans
from mnemic.language.token_counts import token_estimate
from mnemic.runtime.patterns import linear

MOST_TOKENS: Final = 100
"""The longest passage, as `token_counts` counts."""

# No token has more characters, so more than this many never fit a passage.
_MOST_CHARACTERS: Final = 4 * MOST_TOKENS
# Where a sentence is too long for one passage, it is cut after one of these.
_BREAK: Final = linear(r"[\s,;:，；：、—]")

Span = tuple[int, int]
"""From which character of a text to which."""


def passages(text: str) -> list[Span]:
    """Return a text in passages, cut between sentences where that is possible.

    A text that fits one passage is one, with all its white space.
    """
    if _fits(text):
        return [(0, len(text))]
    found: list[Span] = []
    first = last = 0
    for start, end in _pieces(text):
        if first == last:
            first, last = start, end
        elif end - first <= _MOST_CHARACTERS and _fits(text[first:end]):
            last = end
        else:
            found.append((first, last))
            first, last = start, end
    return [*found, (first, last)] if first < last else found or [(0, len(text))]


def _fits(text: str) -> bool:
    if len(text) <= MOST_TOKENS:
        return True
    return len(text) <= _MOST_CHARACTERS and token_estimate(text) <= MOST_TOKENS


def _pieces(text: str) -> list[Span]:
    """Return the sentences of a text, those that are too long in parts."""
    pieces: list[Span] = []
    for start, end in sentence_spans(text):
        first = start
        while not _fits(text[first : min(end, first + _MOST_CHARACTERS + 1)]):
            cut = _cut(text[first : first + _MOST_CHARACTERS])
            pieces.append((first, first + cut))
            first += cut
        if first < end:
            pieces.append((first, end))
    return pieces


def _cut(text: str) -> int:
    """Return after how many characters to cut a text that is too long for one passage."""
    longest = len(text)
    while token_estimate(text[:longest]) > MOST_TOKENS:
        # What is over is in characters that count for a token each, or in shorter ones.
        longest -= max(1, token_estimate(text[:longest]) - MOST_TOKENS)
    breaks = [match.end() for match in _BREAK.finditer(text[:longest])]
    return breaks[-1] if breaks and breaks[-1] > longest // 2 else longest
