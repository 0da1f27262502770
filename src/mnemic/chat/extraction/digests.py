"""Make one short text of several without a language model, and lose no name, number or date that
the room allows.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heapreplace
from typing import Final

from mnemic.chat.extraction.anchors import Anchor, anchors, plain_words
from mnemic.language.sentences import asks, joined, sentences
from mnemic.language.token_counts import token_estimate
from mnemic.language.tokens import is_mostly_cjk, query_terms
from mnemic.runtime.patterns import linear

# A name, number or date is worth so many other words; what is decided or open, so many times more.
_ANCHOR_WORTH: Final = 3.0
_STANDING_OUT: Final = 1.3
# A sentence whose words have nearly all been said is said twice.
_NEW_WORDS: Final = 0.15
# Longer sentences are taken in parts, so that one of them cannot fill the room.
_PART_TOKENS: Final = 40
# How much of the room goes to whole sentences. The rest holds what they leave out, in fragments.
_SHARES: Final = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2)
# How many words of English, or characters of Chinese, go with an anchor in a fragment.
_WORDS_BEFORE: Final = (7, 16)
_WORDS_AFTER: Final = (2, 6)
# Each sentence also costs the reader something, so that a greeting does not win by being short.
_OVERHEAD: Final = 6

_CLAUSE: Final = linear(r"[^,;:，；：、]*(?:[,;:，；：、]+\s*)?")
_DECIDES: Final = linear(
    r"\b(?:decid|agree|promis|plan|must|need|will\b|'ll\b|want|deadline|chose|choose|refus)"
    r"|决定|约定|答应|承诺|打算|计划|必须|需要|同意|拒绝|选择|截止",
    re.IGNORECASE,
)
_NEGATION: Final = linear(
    r"\b(?:not|never|no|none|nobody|without|cannot|\w+n['’]t)\b|[不没别未无]", re.IGNORECASE
)
_WORD: Final = linear(r"[\u3400-\u4dbf\u4e00-\u9fff]|[^\W\u3400-\u4dbf\u4e00-\u9fff]+")
# What is longer is no word, and may be parted anywhere.
_LONGEST_WORD: Final = linear(rf"{_WORD.pattern[:-1]}{{1,80}}")
_ENDED: Final = linear(r"[.!?。！？…][\"'”’」』)）]*$")
_LOOSE_END: Final = linear(r"(?<![\s,;:，；：、])[\s,;:，；：、]+$")


@dataclass(frozen=True, slots=True)
class _Part:
    """A sentence or a part of one; `source` says which text it is from."""

    source: int
    text: str
    anchors: tuple[Anchor, ...]
    words: frozenset[str]
    tokens: int

    @property
    def keys(self) -> frozenset[str]:
        return frozenset(anchor.key for anchor in self.anchors)


@dataclass(slots=True)
class _Told:
    """What the parts that were taken tell."""

    keys: set[str]
    words: set[str]

    def take(self, part: _Part) -> None:
        self.keys |= part.keys
        self.words |= part.words

    def gain(self, part: _Part) -> float:
        """Return what a part adds for each of its tokens; 0 where it only repeats."""
        new_keys = len(part.keys - self.keys)
        new_words = len(part.words - self.words)
        if not new_keys and new_words <= _NEW_WORDS * len(part.words):
            return 0.0
        worth = _ANCHOR_WORTH * new_keys + new_words
        stands_out = asks(part.text) or _DECIDES.search(part.text)
        return worth * (_STANDING_OUT if stands_out else 1.0) / (part.tokens + _OVERHEAD)


def digest(texts: Sequence[str], *, tokens: int) -> str:
    """Return what the texts tell in about `tokens` tokens, in their words and order.

    Whole sentences are taken first by what they add: each text has its turn, what decides or asks
    counts more, and nothing is told twice. Names, numbers and dates of the sentences that are left
    out stay with the words around them, as far as there is room.
    """
    parts = _parts(texts)
    wanted = frozenset[str]().union(*(part.keys for part in parts))
    fair = tokens / max(1, sum(part.tokens for part in parts))
    best: dict[int, _Part] = {}
    most = -1
    for share in _SHARES:
        taken = _whole(parts, len(texts), room=round(tokens * share), fair=fair)
        left = tokens - sum(parts[at].tokens for at in taken)
        chosen = {at: parts[at] for at in taken} | _fragments(parts, taken, room=left)
        kept = len(wanted & frozenset[str]().union(*(one.keys for one in chosen.values())))
        if kept > most:
            best, most = chosen, kept
        if kept == len(wanted):
            break
    return _written(best)


def _parts(texts: Sequence[str]) -> list[_Part]:
    plain = plain_words("\n".join(texts))
    found: list[_Part] = []
    for source, text in enumerate(texts):
        for sentence in sentences(text):
            found.extend(
                _Part(
                    source,
                    piece,
                    tuple(anchors(piece, plain=plain)),
                    frozenset(query_terms(piece)),
                    _cost(piece),
                )
                for piece in _pieces(sentence)
            )
    return found


def _pieces(sentence: str) -> Iterator[str]:
    """Return a sentence, or where it is long, its clauses by as many as are short together."""
    if token_estimate(sentence) <= _PART_TOKENS:
        yield sentence
        return
    piece = ""
    for clause in _short_clauses(sentence):
        if piece and token_estimate(piece + clause) > _PART_TOKENS:
            yield piece.strip()
            piece = ""
        piece += clause
    if piece.strip():
        yield piece.strip()


def _short_clauses(sentence: str) -> Iterator[str]:
    for match in _CLAUSE.finditer(sentence):
        if token_estimate(match[0]) <= _PART_TOKENS:
            yield match[0]
        else:
            yield from _stretches(match[0])


def _stretches(clause: str) -> Iterator[str]:
    """Return a clause without a mark to part it at, by words, or characters of Chinese."""
    start = 0
    for word in _LONGEST_WORD.finditer(clause):
        if token_estimate(clause[start : word.end()]) > _PART_TOKENS and word.start() > start:
            yield clause[start : word.start()]
            start = word.start()
    yield clause[start:]


def _whole(parts: Sequence[_Part], sources: int, *, room: int, fair: float) -> set[int]:
    """Return which parts to take as they are: the best of each text that is within its `fair`
    share, then whatever adds the most.
    """
    told = _Told(set(), set())
    taken: set[int] = set()
    left = room
    for source in range(sources):
        own = [at for at, part in enumerate(parts) if part.source == source]
        share = min(left, fair * sum(parts[at].tokens for at in own))
        fitting = [at for at in own if parts[at].tokens <= share and told.gain(parts[at])]
        if fitting:
            first = max(fitting, key=lambda at: (told.gain(parts[at]), -at))
            taken.add(first)
            told.take(parts[first])
            left -= parts[first].tokens
    # Gains only shrink while parts are taken, so an entry that is still best is the best.
    heap = [(-told.gain(part), at) for at, part in enumerate(parts) if at not in taken]
    heapify(heap)
    while heap:
        claimed, at = heap[0]
        gain = told.gain(parts[at])
        if not gain or parts[at].tokens > left:
            heappop(heap)
        elif -claimed > gain:
            heapreplace(heap, (-gain, at))
        else:
            heappop(heap)
            taken.add(at)
            told.take(parts[at])
            left -= parts[at].tokens
    return taken


def _fragments(parts: Sequence[_Part], taken: set[int], *, room: int) -> dict[int, _Part]:
    """Return the shortest pieces of the other parts that tell what the taken ones do not."""
    told = {key for at in taken for key in parts[at].keys}
    found: dict[int, _Part] = {}
    others = [(at, part) for at, part in enumerate(parts) if at not in taken and part.keys - told]
    # Where the room is short, those come first that tell the most for it.
    others.sort(key=lambda one: one[1].tokens / len(one[1].keys - told))
    for at, part in others:
        lost = tuple(anchor for anchor in part.anchors if anchor.key not in told)
        if not lost:
            continue
        text = " … ".join(part.text[start:end] for start, end in _around(part.text, lost))
        fragment = replace(part, text=text, anchors=lost, tokens=_cost(text))
        if fragment.tokens <= room:
            room -= fragment.tokens
            told |= fragment.keys
            found[at] = fragment
    return found


def _around(text: str, lost: Iterable[Anchor]) -> list[tuple[int, int]]:
    """Return the stretches that hold the anchors, with the words before them that carry them."""
    spans: list[tuple[int, int]] = []
    clauses = [match.span() for match in _CLAUSE.finditer(text) if match[0]]
    for anchor in lost:
        begin = max((start for start, _ in clauses if start <= anchor.start), default=0)
        end = min((end for _, end in clauses if end >= anchor.end), default=len(text))
        start, stop = _stretch(text, anchor, begin, end)
        if spans and start <= spans[-1][1] + 1:
            spans[-1] = (spans[-1][0], max(stop, spans[-1][1]))
        else:
            spans.append((start, stop))
    return spans


def _stretch(text: str, anchor: Anchor, begin: int, end: int) -> tuple[int, int]:
    """Return how much of a clause goes with an anchor: all of it where it is short."""
    cjk = is_mostly_cjk(text)
    before = [word.start() for word in _WORD.finditer(text, begin, anchor.start)]
    after = [word.end() for word in _WORD.finditer(text, anchor.end, end)]
    most = _WORDS_BEFORE[cjk]
    start = before[-most] if len(before) > most else begin
    # Without its negation a fragment would say the opposite, if it says more than a name.
    denied = _NEGATION.search(text, begin, anchor.start)
    if denied:
        start = min(start, denied.start())
    whole = len(after) <= _WORDS_AFTER[cjk] or (
        len(before) > 1 and _NEGATION.search(text, anchor.end, end)
    )
    return start, after[-1] if after and whole else anchor.end


def _written(chosen: dict[int, _Part]) -> str:
    """Return the parts as one text in their order, each ended like a sentence where it breaks."""
    lines: list[str] = []
    order = sorted(chosen)
    for at in order:
        text = chosen[at].text.strip()
        goes_on = at + 1 in chosen and _LOOSE_END.search(text)
        lines.append(text if goes_on else _ended(text))
    return joined(lines)


def _ended(text: str) -> str:
    if _ENDED.search(text):
        return text
    return _LOOSE_END.sub("", text) + ("。" if is_mostly_cjk(text) else ".")


def _cost(text: str) -> int:
    """Return the tokens of a part in the digest, with the space that follows it in English."""
    gap = "" if is_mostly_cjk(text) else " "
    return max(1, token_estimate(_ended(text) + gap), token_estimate(text + gap))
