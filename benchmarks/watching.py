"""An embedder that is watched: how long it takes, and what it answered last."""

from collections.abc import Sequence
from dataclasses import replace
from time import process_time

import numpy as np
from numpy.typing import NDArray

from mnemic import opening
from mnemic.providers.embedder import Embedder
from standin import choose


class Watch:
    """What the embedder of every memory that is opened from now on has done."""

    def __init__(self) -> None:
        self.cpu_ms = 0.0
        self.last: NDArray[np.float32] | None = None
        opening.choose_embedder = self._choose

    def _choose(self, spec: str, **options: str | None) -> object:
        source = choose(spec, **options)
        if source is None:
            return None
        return replace(source, load=lambda: _Watched(source.load(), self))


class _Watched:
    """Passes everything on."""

    def __init__(self, embedder: Embedder, watch: Watch) -> None:
        self._embedder = embedder
        self._watch = watch
        self.name = embedder.name
        self.dimensions = embedder.dimensions
        self.multilingual = embedder.multilingual

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row per text."""
        started = process_time()
        rows = self._embedder.embed(texts)
        self._watch.cpu_ms += (process_time() - started) * 1000
        self._watch.last = rows[-1] if len(rows) else None
        return rows

    def close(self) -> None:
        """Close the embedder."""
        self._embedder.close()
