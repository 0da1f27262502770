"""Models of the `fastembed` package, run by onnxruntime on this machine."""

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mnemic.providers.embedders.embedder import embed_rows, measure_dimensions, translated_errors


class _TextEmbedding(Protocol):
    def embed(self, documents: list[str]) -> Iterable[NDArray[np.float32]]: ...


class FastembedEmbedder:
    """A fastembed model that was fetched at set-up time. Nothing is downloaded here."""

    def __init__(self, model: str, *, multilingual: bool) -> None:
        with translated_errors(_how_to_fetch(model)):
            package = import_module("fastembed")
            self._model: _TextEmbedding = package.TextEmbedding(
                model_name=model, local_files_only=True
            )
        self.multilingual = multilingual
        self.dimensions = measure_dimensions(self._encode, name=f"fastembed:{model}")
        self.name = f"fastembed:{model}@{self.dimensions}"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row of length 1 per text. Threads may call this at once."""
        return embed_rows(texts, model=self._encode, name=self.name, dimensions=self.dimensions)

    def close(self) -> None:
        """Do nothing: the memory goes with the object."""

    def _encode(self, texts: list[str]) -> list[NDArray[np.float32]]:
        with translated_errors("fastembed could not encode a text"):
            # The model answers with a generator: it fails while it is read, not when called.
            return list(self._model.embed(texts))


def _how_to_fetch(model: str) -> str:
    # Its default cache is in the temporary directory and does not outlive a restart.
    return (
        f"The fastembed model {model!r} could not be loaded from this machine. Fetch it once, "
        "with FASTEMBED_CACHE_PATH set to a lasting directory there and here: "
        f"python -c \"from fastembed import TextEmbedding; TextEmbedding('{model}')\""
    )
