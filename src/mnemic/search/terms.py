"""The compact form in which a document's terms are stored and compared: hashes and counts."""

from collections.abc import Mapping, Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint32]
Counts = NDArray[np.uint8]

_HASH_BYTES = 4


def hash_term(term: str) -> int:
    """Return the number of a term: 32 bits, the same on every machine and in every version."""
    return crc32(term.encode("utf-8", "surrogatepass"))


def pack_terms(terms: Mapping[str, int]) -> bytes:
    """Return a document's terms as bytes: all hashes in ascending order, then all counts."""
    counts: dict[int, int] = {}
    for term, count in terms.items():
        number = hash_term(term)
        counts[number] = min(255, counts.get(number, 0) + count)
    ordered = sorted(counts)
    hashes = np.array(ordered, dtype="<u4").tobytes()
    return hashes + bytes(counts[number] for number in ordered)


def unpack_terms(blob: bytes) -> tuple[Hashes, Counts]:
    """Return the hashes and the counts of a packed document, as views of it."""
    middle = _middle(blob)
    return np.frombuffer(blob[:middle], "<u4"), np.frombuffer(blob[middle:], np.uint8)


def unpack_documents(blobs: Sequence[bytes]) -> tuple[Hashes, NDArray[np.int64], Counts]:
    """Return all hashes, how many each document has, and all counts, in one pass over many."""
    sizes = np.array([len(blob) // (_HASH_BYTES + 1) for blob in blobs], np.int64)
    hashes = b"".join([blob[: _middle(blob)] for blob in blobs])
    counts = b"".join([blob[_middle(blob) :] for blob in blobs])
    return np.frombuffer(hashes, "<u4"), sizes, np.frombuffer(counts, np.uint8)


def _middle(blob: bytes) -> int:
    return len(blob) // (_HASH_BYTES + 1) * _HASH_BYTES
