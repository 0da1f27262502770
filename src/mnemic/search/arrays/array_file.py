"""Named arrays in one file: what an index can start from instead of reading the whole store.

The arrays are mapped, not read, so that opening costs little and processes share the memory. A
file that is damaged in any way counts as missing.
"""

import json
import mmap
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mnemic.runtime.private_files import open_new

# The number changes with what the arrays mean: an older snapshot counts as missing.
_MAGIC: Final = b"mnemic index 4\n\0"
_ALIGNMENT: Final = 64
_NUMBER: Final = np.dtype("<u8")

Arrays = Mapping[str, NDArray[np.generic]]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Arrays, and what their writer noted about them."""

    notes: Mapping[str, Any]
    arrays: Arrays


def write(path: Path, snapshot: Snapshot) -> None:
    """Write a snapshot under a name of its own: a reader must never see a part of one."""
    arrays = {name: np.ascontiguousarray(array) for name, array in snapshot.arrays.items()}
    entries: dict[str, Any] = {}
    end = 0
    for name, array in arrays.items():
        entries[name] = {
            "dtype": array.dtype.str,
            "shape": array.shape,
            "at": end,
            "check": zlib.crc32(array.data if array.size else b""),
        }
        end += _aligned(array.nbytes)
    header = json.dumps({"notes": dict(snapshot.notes), "arrays": entries}).encode()
    sizes = np.array([len(header), zlib.crc32(header), end], _NUMBER).tobytes()
    with open_new(path) as file:
        file.write(_padded(_MAGIC + sizes + header))
        for array in arrays.values():
            file.write(array.data if array.size else b"")
            file.write(b"\0" * (_aligned(array.nbytes) - array.nbytes))


def read(path: Path) -> Snapshot | None:
    """Return a snapshot whose arrays are mapped from the file, or None if there is no sound one."""
    try:
        with path.open("rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):
        # Missing, not readable, or empty: a cache may be.
        return None
    first = len(_MAGIC) + 3 * _NUMBER.itemsize
    if len(mapped) < first or mapped[: len(_MAGIC)] != _MAGIC:
        return None
    length, check, end = np.frombuffer(mapped[len(_MAGIC) : first], _NUMBER).tolist()
    data = _aligned(first + length)
    if len(mapped) != data + end or zlib.crc32(mapped[first : first + length]) != check:
        return None
    header = json.loads(mapped[first : first + length])
    arrays: dict[str, NDArray[np.generic]] = {}
    for name, entry in header["arrays"].items():
        dtype, count = np.dtype(entry["dtype"]), int(np.prod(entry["shape"], dtype=np.int64))
        array = np.frombuffer(mapped, dtype, count, data + entry["at"]).reshape(entry["shape"])
        if zlib.crc32(array.data if array.size else b"") != entry["check"]:
            return None
        arrays[name] = array
    return Snapshot(header["notes"], arrays)


def _aligned(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT


def _padded(data: bytes) -> bytes:
    return data + b"\0" * (_aligned(len(data)) - len(data))
