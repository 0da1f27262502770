"""An embedder without a model: words and letters hashed into a vector. For tests and demos."""

import hashlib
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from mnemic.providers.embedders.embedder import embed_rows
from mnemic.runtime.patterns import linear

_DIMENSIONS = 512
_LETTERS = 3
# Chinese, Japanese and Korean are written without spaces, so each character is a word.
_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WORDS = linear(rf"[{_CJK}]|[^\W{_CJK}]+")


class HashingEmbedder:
    """Gives close vectors to texts that share words or parts of words, the same in every run.

    It knows spelling, not meaning: a translation is as far away as any other text.
    """

    name = f"hashing-2@{_DIMENSIONS}"
    dimensions = _DIMENSIONS
    multilingual = True

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row of length 1 per text; zeros for a text without words."""
        return embed_rows(texts, model=_vectors, name=self.name, dimensions=self.dimensions)

    def close(self) -> None:
        """Do nothing: there is nothing to let go of."""


def _vectors(texts: list[str]) -> NDArray[np.float32]:
    rows = np.zeros((len(texts), _DIMENSIONS), dtype=np.float32)
    for row, text in zip(rows, texts, strict=True):
        for feature, weight in _features(text):
            slot, sign = _slot(feature)
            row[slot] += sign * weight
    return _spread(_spread(rows, b"first"), b"second")


def _spread(rows: NDArray[np.float32], seed: bytes) -> NDArray[np.float32]:
    """Turn the rows, so that every dimension tells something, as a model's do: angles stay.

    The signs of some dimensions are changed, then sums and differences of pairs are taken, of
    pairs of those, and so on (a Hadamard transform).
    """
    bits = np.frombuffer(hashlib.shake_128(seed).digest(_DIMENSIONS // 8), np.uint8)
    rows = rows * (1 - 2 * np.unpackbits(bits).astype(np.float32))
    width = 1
    while width < _DIMENSIONS:
        pairs = rows.reshape(len(rows), -1, 2, width)
        left, right = pairs[:, :, 0], pairs[:, :, 1]
        rows = np.stack([left + right, left - right], axis=2).reshape(len(rows), _DIMENSIONS)
        width *= 2
    return rows / np.float32(_DIMENSIONS**0.5)


def _features(text: str) -> Iterator[tuple[str, float]]:
    words: list[str] = _WORDS.findall(unicodedata.normalize("NFKC", text).casefold())
    for word in words:
        yield word, 1.0
        padded = f"<{word}>"
        grams = [padded[start : start + _LETTERS] for start in range(len(padded) - _LETTERS + 1)]
        for gram in grams:
            # The parts of a word weigh as much as the word, however long it is.
            yield gram, 1.0 / len(grams)
    for left, right in pairwise(words):
        yield f"{left} {right}", 0.5


def _slot(feature: str) -> tuple[int, float]:
    digest = hashlib.blake2b(feature.encode("utf-8"), digest_size=8).digest()
    # Signs let collisions cancel out instead of piling up.
    sign = 1.0 if digest[0] & 1 else -1.0
    return int.from_bytes(digest[1:], "big") % _DIMENSIONS, sign
