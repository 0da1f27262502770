"""Models of the `sentence-transformers` package, run by torch on this machine."""

import threading
from collections.abc import Sequence
from importlib import import_module
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mnemic.providers.embedders.embedder import embed_rows, measure_dimensions, translated_errors


class _SentenceTransformer(Protocol):
    def encode(
        self, sentences: list[str], *, normalize_embeddings: bool, show_progress_bar: bool
    ) -> NDArray[np.float32]: ...


class SentenceTransformersEmbedder:
    """A sentence-transformers model that was fetched at set-up time. Nothing is downloaded here."""

    def __init__(self, model: str, *, multilingual: bool) -> None:
        with translated_errors(_how_to_fetch(model)):
            package = import_module("sentence_transformers")
            self._model: _SentenceTransformer = package.SentenceTransformer(
                model, local_files_only=True
            )
        # Its tokenizer answers "Already borrowed" when two threads use it at once.
        self._lock = threading.Lock()
        self.multilingual = multilingual
        self.dimensions = measure_dimensions(self._encode, name=f"sentence-transformers:{model}")
        self.name = f"sentence-transformers:{model}@{self.dimensions}"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row of length 1 per text."""
        return embed_rows(texts, model=self._encode, name=self.name, dimensions=self.dimensions)

    def close(self) -> None:
        """Do nothing: the memory goes with the object."""

    def _encode(self, texts: list[str]) -> NDArray[np.float32]:
        with self._lock, translated_errors("sentence-transformers could not encode a text"):
            return self._model.encode(texts, normalize_embeddings=True, show_progress_bar=False)


def _how_to_fetch(model: str) -> str:
    return (
        f"The sentence-transformers model {model!r} could not be loaded from this machine. "
        'Fetch it once: python -c "from sentence_transformers import SentenceTransformer; '
        f"SentenceTransformer('{model}')\""
    )
