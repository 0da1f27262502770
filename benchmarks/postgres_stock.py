"""What every contestant of the PostgreSQL benchmark is given: the same rows, questions and vectors.

The memories and questions are those of `recall.py`. Every text is embedded once, by the default
embedder of Mnemic or by the stand-in, and looked up afterwards: what a call costs here is what
storing and finding cost.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from compared.speaking import key_of
from known_vectors import table_of
from mnemic.engine.context_words import embedding_text
from mnemic.providers.use_multilingual import MultilingualEncoder
from recall_stock import EVERYWHERE, Question, Row, rows
from standin import WordMeans

_LESSONS: Final = 2_000

Vectors = NDArray[np.float32]
Kinds = dict[str, list[Question]]


def lessons(seed: int) -> list[Row]:
    """Return what is inserted while it is measured; no text of it is in the store."""
    return [replace(row, scope=EVERYWHERE) for row in rows(_LESSONS, seed + 100)]


def vectors_of_store(size: int, seed: int) -> Path:
    """Return the file of the vectors of all memories."""
    return table_of(embedded(row.text, row.context) for row in rows(size, seed))


def vectors_of_calls(seed: int, kinds: Kinds) -> Path:
    """Return the file of the vectors that calls need once the store is loaded."""
    taught = (embedded(row.text, row.context) for row in lessons(seed))
    return table_of(chain(taught, (one.text for kind in kinds.values() for one in kind)))


def embedded(text: str, context: Mapping[str, Any]) -> str:
    """Return what the engine wants to be embedded for a memory."""
    return embedding_text(text, context, None)


class Known:
    """An embedder that looks texts up. One that is not there is embedded, and counted."""

    name = "known@512"
    dimensions = 512
    multilingual = True

    def __init__(self, *tables: Path) -> None:
        read = [np.load(table) for table in tables]
        keys = np.concatenate([one["keys"] for one in read])
        order = np.argsort(keys, kind="stable")
        self._keys: NDArray[np.uint64] = keys[order]
        self._rows: Vectors = np.concatenate([one["rows"] for one in read])[order]
        self.unknown = 0

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row of length 1 per text."""
        keys = np.array([key_of(text) for text in texts], np.uint64)
        places = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        found = self._rows[places]
        for at in np.flatnonzero(self._keys[places] != keys).tolist():
            self.unknown += 1
            found[at] = self._encoder.embed([texts[at]])[0]
        return found

    def close(self) -> None:
        """Do nothing."""

    @cached_property
    def _encoder(self) -> MultilingualEncoder:
        return MultilingualEncoder()


def embedder_of(*tables: Path) -> Known | WordMeans:
    """Return the embedder of every contestant: the stand-in, unless vectors were made before."""
    return Known(*tables) if tables else WordMeans()
