"""Vectors as SQLite keeps them: half-precision blobs, found through sketches in memory."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

import numpy as np

from mnemic.storage.index.catalog import Catalog
from mnemic.storage.index.field import Field
from mnemic.storage.index.segments import Places
from mnemic.storage.search import Vector

# So many times as are wanted are read and scored exactly: of the true best hundred, less than one
# is then missed. From `_LARGE` on more, because the closest ones of many are closer together.
_READ: Final = 4
_READ_OF_MANY: Final = 8
_LARGE: Final = 200_000


class Reader(Protocol):
    """The part of the database that vectors are read from."""

    def tuples(self, name: str, /, **values: object) -> list[tuple[Any, ...]]:
        """Run a named statement and return its rows as plain tuples."""
        ...


class SketchedVectors:
    """The vectors of one file; sketches of all of them tell which are worth reading."""

    def __init__(self, catalog: Catalog, database: Reader) -> None:
        self._catalog = catalog
        self._database = database

    def closest(
        self, vector: Vector, model_id: int, field: Field, limit: int
    ) -> Mapping[int, Vector]:
        """Return the vectors that may be closest: at least so many, where there are."""
        sketches = self._catalog.sketches_of(model_id)
        if sketches is None:
            return {}
        limit *= _READ_OF_MANY if field.size > _LARGE else _READ
        if field.allowed is None and field.size * 3 > len(sketches):
            scopes = [part.scope for part in field.parts]
            near = field.places(sketches.closest(vector, limit, scopes))
        else:
            among = field.ordinals(field.everything())
            near = field.places(sketches.closest_among(vector, limit, among))
        return self.of(near, model_id, field)

    def of(self, places: Places, model_id: int, field: Field) -> Mapping[int, Vector]:
        """Return the vectors of some places; those that have none are left out."""
        docs = self._catalog.docs.view[field.ordinals(places)].tolist()
        rows = self._database.tuples("vectors_of", docs=docs, model_id=model_id)
        place_of = dict(zip(docs, places.tolist(), strict=True))
        decoded = _decode([data for _, data in rows])
        return {place_of[doc]: vector for (doc, _), vector in zip(rows, decoded, strict=True)}


def _decode(blobs: Sequence[bytes]) -> Vector:
    if not blobs:
        return np.empty((0, 0), np.float32)
    return np.frombuffer(b"".join(blobs), "<f2").reshape(len(blobs), -1).astype(np.float32)
