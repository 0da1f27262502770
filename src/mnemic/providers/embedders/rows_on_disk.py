"""A large table whose rows are read from a file when they are needed.

The default embedder has a row for each of 128,000 word pieces, 65 MB in all, and a text needs a
dozen of them. In a file they cost a process no memory, and all processes of a machine share what
the system keeps of it.
"""

import logging
import os
import tempfile
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_LOG = logging.getLogger("mnemic")
_CHUNK: Final = 1024 * 1024
_CLOSED: Final = -1


class RowsOnDisk:
    """The rows of a table by number, as an array has them. Threads may share it."""

    def __init__(self, path: Path, *, width: int) -> None:
        self._file = os.open(path, os.O_RDONLY)
        self._width = width

    def __getitem__(self, numbers: NDArray[np.int64]) -> NDArray[np.uint8]:
        """Return a copy of some rows."""
        width = self._width
        rows = b"".join(os.pread(self._file, width, width * int(number)) for number in numbers)
        return np.frombuffer(rows, dtype=np.uint8).reshape(len(numbers), width)

    def close(self) -> None:
        """Let go of the file. Rows that are asked for afterwards are an error."""
        if self._file != _CLOSED:
            os.close(self._file)
            self._file = _CLOSED


def put_on_disk(table: NDArray[np.uint8], name: str) -> RowsOnDisk | None:
    """Return a table's rows from a file in the user's cache, which is made where there is none;
    None where that cannot be.
    """
    if not hasattr(os, "pread") or table.dtype != np.uint8:
        return None
    path = _cache() / name
    try:
        if not _holds(path, table):
            _write(path, table)
        return RowsOnDisk(path, width=table.shape[1])
    except OSError as error:
        _LOG.info("The embedder's table stays in memory: %s", error)
        return None


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mnemic"


def _holds(path: Path, table: NDArray[np.uint8]) -> bool:
    """Tell whether a file holds just this table: half a file or another's would go unnoticed."""
    if not path.is_file() or path.stat().st_size != table.nbytes:
        return False
    wanted: NDArray[Any] = table.reshape(-1)
    with path.open("rb") as file:
        return all(
            np.array_equal(np.frombuffer(file.read(_CHUNK), np.uint8), wanted[at : at + _CHUNK])
            for at in range(0, table.nbytes, _CHUNK)
        )


def _write(path: Path, table: NDArray[np.uint8]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # Another process may be at the same: each writes a file of its own and then gives it the name.
    number, written = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(number, "wb") as file:
            table.tofile(file)
        Path(written).replace(path)
    except OSError:
        Path(written).unlink(missing_ok=True)
        raise
