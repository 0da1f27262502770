"""The patterns that meet people's text: compiled when first used, and shown to be linear.

`re` tries every path through a pattern, and a text can be written so that there are a great many.
The suite therefore goes over everything that is registered here, and shows that no text leads over
a number of paths that grows with its length (tests/language/test_linear_time.py).
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple, Protocol, cast

_SPACES: Final = 8
_GROUPS: Final = 8
_CHARACTERS: Final = 32
_PHRASE: Final = 64
_METHODS: Final = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub")


class Opening(Protocol):
    """A pattern that is only ever tried where a text begins."""

    def match(self, string: str, /) -> re.Match[str] | None:
        """Return the match with which a text begins."""
        ...

    def fullmatch(self, string: str, /) -> re.Match[str] | None:
        """Return the match that is a whole text."""
        ...


class PatternSource(NamedTuple):
    """What a pattern is compiled from, and whether a text is searched for it."""

    source: str
    flags: int
    searched: bool


_sources: dict[PatternSource, None] = {}


def linear(source: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern that costs nothing until somebody searches with it."""
    return cast("re.Pattern[str]", _registered(source, flags, searched=True))


def opening(source: str, flags: int = 0) -> Opening:
    """Return a pattern that can be tried at the beginning of a text only."""
    return cast("Opening", _registered(source, flags, searched=False))


def short(source: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern for a few words: its `*` and `+` go no further than words do.

    Up to 8 spaces, 8 times a group, 32 characters of a word, 64 of several words; `.*` and `.+`
    stay as they are.
    """
    return linear(bounded(source), flags)


def literals(words: Iterable[str], flags: int = 0, *, whole: bool = False) -> re.Pattern[str]:
    """Return a pattern for words that are known only now, the longest of them first."""
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    source = "|".join(map(re.escape, longest_first))
    return re.compile(rf"\b(?:{source})\b" if whole else source, flags)


def registered() -> Iterator[PatternSource]:
    """Yield the source of every pattern of the modules that were imported."""
    yield from list(_sources)


def bounded(source: str) -> str:
    """Return a pattern's source with a bound instead of each `*` and `+`, but for those of `.`."""
    written: list[str] = []
    at, most = 0, 0
    while at < len(source):
        atom = _ATOM.match(source, at)
        if atom is None:
            raise ValueError(f"no pattern: {source!r}")
        piece = atom[0]
        at = atom.end()
        if piece in "*+" and most:
            piece = f"{{{int(piece == '+')},{most}}}"
        written.append(piece)
        most = _most(piece)
    return "".join(written)


_ATOM: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\{[0-9,]+\}|\(\?|.", re.DOTALL)


def _most(piece: str) -> int:
    """Return how often a piece may be repeated; 0 if it is nothing to repeat, or any character."""
    if piece == ")":
        return _GROUPS
    if piece in (".", "(", "(?", "|", "^", "$", "?", "*", "+") or piece.startswith("{"):
        return 0
    spaced = " " in piece or r"\s" in piece
    if piece.startswith("[^") or (spaced and (r"\w" in piece or "a-z" in piece)):
        return _PHRASE
    return _SPACES if spaced else _CHARACTERS


def _registered(source: str, flags: int, *, searched: bool) -> Any:
    key = PatternSource(source, int(flags), searched)
    _sources[key] = None
    return _Uncompiled(key)


class _Uncompiled:
    """Stands for a pattern; it takes over the methods of the real one at the first call."""

    def __init__(self, key: PatternSource) -> None:
        self._key = key

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self._key.source, self._key.flags)
        for method in _METHODS if self._key.searched else ("match", "fullmatch"):
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)
