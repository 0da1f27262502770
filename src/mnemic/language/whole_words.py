"""Full-text search by every word: what a text must hold, and whether it does.

Words match by their stem, numbers with their unit as they are written, Chinese, Japanese and Korean
as a run of characters. A word with a joint in it, as `arm.py` or "don't", is asked for as its parts
one after the other. Nothing else means anything: neither quotes nor `%`, `*` or AND.
"""

from collections.abc import Callable, Container
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Self

from mnemic.language.tokens import index_terms, is_cjk, pairs_of, tokens_of, word_parts

_GAP: Final = "\n"
"""Stands between parts, and in no token."""
# Of so many characters, the terms of an index tell all: a pair is a term.
_LONGEST_TERM: Final = 2


@dataclass(frozen=True, slots=True)
class RequiredTerms:
    """The index terms that a text must hold to contain every word of a query.

    Without terms, nothing is asked for, and nothing matches. Where `exact`, a text that holds the
    terms contains the words. Otherwise it may hold them in another order, as "py" and "arm" for
    `arm.py`, or 安门 and 天安 apart for 天安门: `contains_words` decides.
    """

    terms: tuple[str, ...]
    exact: bool


def sought_words(q: str) -> RequiredTerms:
    """Return what to look for so that every text which contains all words of `q` is found.

    Stop words count like any other, order does not matter. What is no word, as punctuation or an
    emoji, is not asked for.
    """
    terms: dict[str, None] = {}
    exact = True
    for token in tokens_of(q):
        if is_cjk(token):
            terms.update(dict.fromkeys(pairs_of(token) or (token,)))
            exact = exact and len(token) <= _LONGEST_TERM
        else:
            parts = word_parts(token)
            terms.update(dict.fromkeys(parts))
            exact = exact and len(parts) == 1
    return RequiredTerms(tuple(terms), exact)


def contains_words(text: str, q: str) -> bool:
    """Tell whether a text contains every word of `q`; False where `q` has none."""
    asked = tokens_of(q)
    return bool(asked) and _Words.of(text).hold_all(asked)


def order_check(q: str) -> Callable[[str], bool]:
    """Return what tells of a text that holds the terms of `sought_words(q)` whether it contains the
    words: cheap for many texts, as only what the terms leave open is looked at.
    """
    tokens = tokens_of(q)
    runs = [token for token in tokens if is_cjk(token) and len(token) > _LONGEST_TERM]
    joined = [token for token in tokens if not is_cjk(token) and len(word_parts(token)) > 1]

    def holds(text: str) -> bool:
        # What stands there just so needs no other form.
        if not joined and all(run in text for run in runs):
            return True
        return _Words.of(text).hold_all([*runs, *joined])

    return holds


@dataclass(frozen=True)
class _Words:
    text: str
    in_order: str
    """All parts and runs, with a gap around each; two gaps around a run, so that words before and
    after it are not neighbours."""

    @classmethod
    def of(cls, text: str) -> Self:
        laid: list[str] = []
        for token in tokens_of(text):
            laid += ("", token, "") if is_cjk(token) else word_parts(token)
        return cls(text, _around(laid))

    @cached_property
    def _terms(self) -> Container[str]:
        return index_terms(self.text)

    def hold_all(self, asked: list[str]) -> bool:
        return all(self._hold(token) for token in dict.fromkeys(asked))

    def _hold(self, token: str) -> bool:
        if is_cjk(token):
            return token in self.in_order
        parts = word_parts(token)
        if len(parts) == 1:
            return parts[0] in self._terms
        return _around(parts) in self.in_order


def _around(parts: list[str] | tuple[str, ...]) -> str:
    return f"{_GAP}{_GAP.join(parts)}{_GAP}"
