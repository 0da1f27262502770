"""Plain BM25, to see what is gained over it: no stems, no stop words, no vectors."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

_K1: Final = 1.2
_B: Final = 0.75
_WORDS: Final = re.compile(r"[^\W_\u3400-\u9fff]+|[\u3400-\u9fff]+")


class PlainBm25:
    """One store's texts, ranked by shared words alone."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._counts = [Counter(_tokens(text)) for text in texts]
        self._lengths = [counts.total() for counts in self._counts]
        self._mean = sum(self._lengths) / max(1, len(texts))
        spread = Counter(token for counts in self._counts for token in counts)
        self._weights = {
            token: math.log(1 + (len(texts) - many + 0.5) / (many + 0.5))
            for token, many in spread.items()
        }

    def best(self, question: str, limit: int) -> list[int]:
        """Return the places of the best texts; those that share no word are left out."""
        asked = set(_tokens(question)) & self._weights.keys()
        scores = [self._score(asked, at) for at in range(len(self._counts))]
        found = [at for at, score in enumerate(scores) if score > 0]
        return sorted(found, key=lambda at: (-scores[at], at))[:limit]

    def _score(self, asked: set[str], at: int) -> float:
        counts = self._counts[at]
        norm = _K1 * (1 - _B + _B * self._lengths[at] / self._mean)
        return sum(
            self._weights[token] * count * (_K1 + 1) / (count + norm)
            for token in asked
            if (count := counts.get(token))
        )


def _tokens(text: str) -> list[str]:
    """Return lower-case words, and Chinese as pairs of characters."""
    tokens: list[str] = []
    for word in _WORDS.findall(text.lower()):
        if word[0] < "\u3400" or len(word) == 1:
            tokens.append(word)
        else:
            tokens += [word[at : at + 2] for at in range(len(word) - 1)]
    return tokens
