"""Embedders for benchmarks: a stand-in for the default one, and one that records what it does.

The default embedder would need the better part of an hour for a million texts. With the stand-in
a text is the mean of the vectors that the default one gives to its words, less what all words have
in common. It has the same 512 dimensions and much of the same geometry, and a word is embedded only
once. It is no good embedder: what it finds is not what Mnemic finds.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import Final

import numpy as np

from harness.sentences import VOCABULARY
from harness.vectors import DIMENSIONS, TimedEmbedder, Vectors
from mnemic import opening
from mnemic.providers.embedders.choosing import choose_embedder
from mnemic.providers.embedders.embedder import Embedder, EmbedderSource
from mnemic.providers.embedders.use_multilingual import MultilingualEncoder

WORD_MEANS: Final = "word-means"
# Larger stores are filled with the stand-in.
MOST_EMBEDDED: Final = 100_000
_WORDS: Final = re.compile(r"[\u3400-\u9fff]{1,2}|[^\W_\u3400-\u9fff]+")


def embedder_for(size: int) -> str:
    """Return the embedder for a store of some size: the default one, or the stand-in."""
    return "default" if size <= MOST_EMBEDDED else WORD_MEANS


class WordMeans(TimedEmbedder):
    """Vectors of length 1, the same in every run; `as_default` gives them its name."""

    def __init__(self, *, as_default: bool = False) -> None:
        self._encoder = MultilingualEncoder()
        super().__init__(self._encoder.name if as_default else f"{WORD_MEANS}@{DIMENSIONS}")
        known = sorted(set(_WORDS.findall(VOCABULARY.lower())))
        rows = self._encoder.embed(known)
        self._middle: Vectors = rows.mean(axis=0)
        self._vectors: dict[str, Vectors] = dict(zip(known, rows - self._middle, strict=True))

    def _rows(self, texts: Sequence[str]) -> Vectors:
        """Return one row per text; zeros for a text without words."""
        split = [_WORDS.findall(text.lower()) for text in texts]
        self._embed_words({word for words in split for word in words})
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for row, words in zip(rows, split, strict=True):
            for word in words:
                row += self._vectors[word]
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return rows / np.where(lengths, lengths, 1).astype(np.float32)

    def _embed_words(self, words: set[str]) -> None:
        unknown = sorted(words - self._vectors.keys())
        # There is no end of numbers, and a model makes little of them.
        numbers = {word for word in unknown if any(letter.isdigit() for letter in word)}
        self._vectors |= {word: _random_vector(word) for word in numbers}
        rest = [word for word in unknown if word not in numbers]
        if rest:
            rows = self._encoder.embed(rest) - self._middle
            self._vectors |= dict(zip(rest, rows, strict=True))


def choose(spec: str, **options: str | None) -> EmbedderSource | None:
    """Return the embedder that `spec` names: the stand-in, or one that Mnemic knows."""
    if spec == WORD_MEANS:
        return EmbedderSource(spec=spec, load=WordMeans)
    return choose_embedder(spec, url=options.get("url"), api_key=options.get("api_key"))


def use(embedder: Embedder) -> None:
    """Give this embedder to every memory that is opened from now on."""
    source = EmbedderSource(spec="default", load=lambda: embedder)
    opening.choose_embedder = lambda *_, **__: source


class Recorder(TimedEmbedder):
    """The embedder of every memory that is opened from now on, whichever it asks for."""

    def __init__(self) -> None:
        super().__init__("")
        self._embedder: Embedder | None = None
        opening.choose_embedder = self._choose

    def _choose(self, spec: str, **options: str | None) -> EmbedderSource | None:
        source = choose(spec, **options)
        return source and replace(source, load=lambda: self._load(source))

    def _load(self, source: EmbedderSource) -> Embedder:
        self._embedder = embedder = source.load()
        self.name, self.dimensions = embedder.name, embedder.dimensions
        self.multilingual = embedder.multilingual
        return self

    def _rows(self, texts: Sequence[str]) -> Vectors:
        if self._embedder is None:
            raise RuntimeError("no memory was opened with an embedder")
        return self._embedder.embed(texts)


def _random_vector(word: str) -> Vectors:
    seed = int.from_bytes(blake2b(word.encode("utf-8"), digest_size=8).digest(), "big")
    row = np.random.default_rng(seed).standard_normal(DIMENSIONS)
    return (row / np.linalg.norm(row)).astype(np.float32)
