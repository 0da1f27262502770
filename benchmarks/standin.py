"""A stand-in for the default embedder, which would need the better part of an hour for a million.

A text is the mean of the vectors that the default embedder gives to its words, less what all
words have in common. It has the same 512 dimensions and much of the same geometry, and a word is
embedded only once. It is no good embedder: what it finds is not what Mnemic finds.
"""

import re
from collections.abc import Sequence
from hashlib import blake2b
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mnemic.providers.choosing import choose_embedder
from mnemic.providers.embedder import EmbedderSource
from mnemic.providers.use_multilingual import MultilingualEncoder
from vocabulary import CHINESE, ENGLISH

STAND_IN: Final = "word-means"
_WORDS: Final = re.compile(r"[\u3400-\u9fff]{1,2}|[^\W_\u3400-\u9fff]+")

Vector = NDArray[np.float32]


class WordMeans:
    """Vectors of length 1, the same in every run."""

    name = f"{STAND_IN}@512"
    dimensions = 512
    multilingual = True

    def __init__(self) -> None:
        self._encoder = MultilingualEncoder()
        listed = " ".join([*ENGLISH.values(), *CHINESE.values()])
        known = sorted(set(_WORDS.findall(listed.lower())))
        rows = self._encoder.embed(known)
        self._middle: Vector = rows.mean(axis=0)
        self._vectors: dict[str, Vector] = dict(zip(known, rows - self._middle, strict=True))

    def embed(self, texts: Sequence[str]) -> Vector:
        """Return one row per text; zeros for a text without words."""
        split = [_WORDS.findall(text.lower()) for text in texts]
        self._learn({word for words in split for word in words})
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for row, words in zip(rows, split, strict=True):
            for word in words:
                row += self._vectors[word]
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return (rows / np.where(lengths, lengths, 1)).astype(np.float32)

    def close(self) -> None:
        """Do nothing."""

    def _learn(self, words: set[str]) -> None:
        unknown = sorted(words - self._vectors.keys())
        # There is no end of numbers, and a model makes little of them.
        numbers = {word for word in unknown if any(letter.isdigit() for letter in word)}
        self._vectors |= {word: _by_chance(word, self.dimensions) for word in numbers}
        rest = [word for word in unknown if word not in numbers]
        if rest:
            rows = self._encoder.embed(rest) - self._middle
            self._vectors |= dict(zip(rest, rows, strict=True))


def choose(spec: str, **options: str | None) -> EmbedderSource | None:
    """Return the embedder that `spec` names: the stand-in, or one that Mnemic knows."""
    if spec == STAND_IN:
        return EmbedderSource(spec=spec, load=WordMeans)
    return choose_embedder(spec, url=options.get("url"), api_key=options.get("api_key"))


def _by_chance(word: str, dimensions: int) -> Vector:
    seed = int.from_bytes(blake2b(word.encode("utf-8"), digest_size=8).digest(), "big")
    row = np.random.default_rng(seed).standard_normal(dimensions)
    return (row / np.linalg.norm(row)).astype(np.float32)
