"""The vectors of texts, made once by the default embedder and kept for the next run."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from compared.speaking import DIMENSIONS, key_of
from mnemic.providers.use_multilingual import MultilingualEncoder
from reporting import REPOSITORY, progress

_HOME: Final = REPOSITORY / "benchmarks" / ".stores"
_STEP: Final = 4_096


def table_of(texts: Iterable[str]) -> Path:
    """Return a file with the vectors of these texts and of no others, sorted by their keys."""
    distinct = {key_of(text): text for text in texts}
    keys = np.array(sorted(distinct), np.uint64)
    _HOME.mkdir(exist_ok=True)
    path = _HOME / f"vectors-{key_of(keys.tobytes().hex()):016x}.npz"
    if not path.exists():
        rows = _embedded([distinct[key] for key in keys.tolist()])
        unfinished = path.with_suffix(".unfinished.npz")
        np.savez(unfinished, keys=keys, rows=rows)
        unfinished.rename(path)
    return path


def _embedded(texts: list[str]) -> NDArray[np.float32]:
    encoder = MultilingualEncoder()
    rows = np.empty((len(texts), DIMENSIONS), np.float32)
    for start in range(0, len(texts), _STEP):
        rows[start : start + _STEP] = encoder.embed(texts[start : start + _STEP])
        progress(f"embedded {min(start + _STEP, len(texts)):,} of {len(texts):,}")
    return rows
