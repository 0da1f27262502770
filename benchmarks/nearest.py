"""How close the truly nearest memories are: every stored vector is read and compared."""

import heapq
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Final

import apsw
import numpy as np
from numpy.typing import NDArray

_STEP: Final = 20_000
_VECTORS: Final = """
    select v.data
      from memory m
      join scope s on s.id = m.scope_id
      join vector v on v.doc = m.doc
     where m.status = 'active' and s.name = ?
"""


def best(
    database: Path, questions: Sequence[NDArray[np.float32]], *, scope: str, limit: int
) -> list[list[float]]:
    """Return, for each question's vector, the cosines of the closest memories of a scope."""
    asked = np.stack(questions).astype(np.float32)
    kept: list[list[float]] = [[] for _ in questions]
    connection = apsw.Connection(str(database), flags=apsw.SQLITE_OPEN_READONLY)
    cursor = connection.execute(_VECTORS, (scope,))
    while rows := list(islice(cursor, _STEP)):
        blobs = b"".join(bytes(data) for (data,) in rows)
        cosines = np.frombuffer(blobs, "<f2").reshape(len(rows), -1).astype(np.float32) @ asked.T
        for at, column in enumerate(cosines.T):
            top = np.partition(column, max(0, len(rows) - limit))[-limit:]
            kept[at] = heapq.nlargest(limit, kept[at] + top.tolist())
    connection.close()
    return kept
