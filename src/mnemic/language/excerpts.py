"""Shorten a text around what matters in it."""

from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import Final

from mnemic.language.tokens import pieces
from mnemic.runtime.patterns import literals

ELLIPSIS: Final = "…"
# A question has few words that tell; a page that was pasted has hundreds, and they tell nothing.
_MOST_TERMS: Final = 60
# What stands before the first word that matters, as a share of the excerpt, so that it reads.
_LEAD: Final = 0.2


def excerpt(text: str, *, about: str, length: int) -> str:
    """Return the text, or where it is longer, the `length` characters that hold most of the words
    of `about`, with an ellipsis on each side where something is left out.

    Without any of those words it is the beginning of the text.
    """
    if len(text) <= length:
        return text
    first = _best_place(text.lower(), _terms(about), span=round(length * (1 - _LEAD)))
    start = max(0, min(first - round(length * _LEAD), len(text) - length))
    end = start + length
    return (
        (ELLIPSIS if start else "")
        + text[start:end].strip()
        + (ELLIPSIS if end < len(text) else "")
    )


def _terms(about: str) -> Sequence[str]:
    # A word's full forms and stems; single characters of Chinese stand nearly everywhere.
    telling = (term for piece in pieces(about) for term, weight in piece if weight == 1.0)
    return list(dict.fromkeys(islice(telling, _MOST_TERMS)))


def _best_place(text: str, terms: Sequence[str], *, span: int) -> int:
    """Return where the stretch of that span begins which holds the most different terms."""
    if not terms:
        return 0
    wanted = literals(terms)
    matches = [(match.start(), match[0]) for match in wanted.finditer(text)]
    best, most, left = 0, 0, 0
    inside: Counter[str] = Counter()
    for at, term in matches:
        inside[term] += 1
        while at - matches[left][0] > span:
            inside[matches[left][1]] -= 1
            left += 1
        different = sum(1 for count in inside.values() if count)
        if different > most:
            best, most = matches[left][0], different
    return best
