"""Vectors as PostgreSQL keeps them: found by pgvector, scored by us."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from mnemic.storage.index.catalog import Catalog
from mnemic.storage.index.field import Field
from mnemic.storage.index.segments import Places
from mnemic.storage.postgres.schema import GRAPHS
from mnemic.storage.search import Vector

# Up to here every vector is compared: exact, and as fast as walking a graph.
_EXACT: Final = 8_000
# So many times as are wanted are looked at in the graph.
_REACH: Final = 3
_MOST_REACHED: Final = 1_000
# Where a filter lets less than this share through, what passes is compared one by one.
_SMALL_SHARE: Final = 0.2
# In the binary form: how many dimensions, and two bytes that are not used.
_HEADER: Final = 4


class Reader(Protocol):
    """The part of the database that vectors are read from."""

    @property
    def vector_bytes(self) -> int:
        """How many bytes each dimension takes."""
        ...

    def binary(self, name: str, /, **values: object) -> list[tuple[Any, ...]]:
        """Run a named statement and return its rows in the server's binary form."""
        ...


class StoredVectors:
    """The vectors of one account."""

    def __init__(self, catalog: Catalog, database: Reader) -> None:
        self._catalog = catalog
        self._database = database

    def closest(
        self, vector: Vector, model_id: int, field: Field, limit: int
    ) -> Mapping[int, Vector]:
        """Return the vectors that may be closest: at least so many, where there are."""
        values: dict[str, object] = {
            "vector": vector,
            "model_id": model_id,
            "limit": limit,
            "scope_ids": [part.scope for part in field.parts],
        }
        permitted = field.everything() if field.allowed is not None else None
        if permitted is not None and len(permitted) <= max(_EXACT, _SMALL_SHARE * field.size):
            docs = self._catalog.docs.view[field.ordinals(permitted)].tolist()
            rows = self._database.binary("vectors_nearest_among", docs=docs, **values)
        elif field.size <= _EXACT or len(vector) not in GRAPHS:
            rows = self._database.binary("vectors_nearest", **values)
        else:
            share = 1.0 if permitted is None else len(permitted) / field.size
            reach = min(_MOST_REACHED, int(_REACH * limit / share))
            self._database.binary("graph_settings", reach=reach)
            rows = self._database.binary("vectors_nearest_in_graph", reach=reach, **values)
        return self._at_places(rows, field)

    def of(self, places: Places, model_id: int, field: Field) -> Mapping[int, Vector]:
        """Return the vectors of some places; those that have none are left out."""
        docs = self._catalog.docs.view[field.ordinals(places)].tolist()
        rows = self._database.binary("vectors_of", docs=docs, model_id=model_id)
        return self._at_places(rows, field)

    def _at_places(self, rows: Sequence[tuple[Any, ...]], field: Field) -> Mapping[int, Vector]:
        """Return vectors by place; what the index does not know yet, or may not be found, is
        left out.
        """
        if not rows:
            return {}
        decoded = dict(zip((doc for doc, _ in rows), self._decoded(rows), strict=True))
        ordinals = self._catalog.ordinals(np.array(list(decoded), np.int64))
        places = field.permitted(field.places(ordinals))
        docs = self._catalog.docs.view[field.ordinals(places)].tolist()
        return {place: decoded[doc] for place, doc in zip(places.tolist(), docs, strict=True)}

    def _decoded(self, rows: Sequence[tuple[Any, ...]]) -> Vector:
        joined = b"".join(bytes(data)[_HEADER:] for _, data in rows)
        numbers = np.frombuffer(joined, f">f{self._database.vector_bytes}")
        return numbers.reshape(len(rows), -1).astype(np.float32)


def written(vector: NDArray[np.floating]) -> str:
    """Return a vector as pgvector reads it; five digits tell half-precision numbers apart."""
    return f"[{','.join(format(one, '.5g') for one in vector.tolist())}]"
