"""Vectors as SQLite keeps them: half-precision blobs, found through sketches in memory."""

from typing import Any, Final, Protocol

import numpy as np

from mnemic.search.arrays.growing import Ordinals
from mnemic.search.arrays.segments import Places
from mnemic.search.documents import Catalog
from mnemic.search.field import Field
from mnemic.search.index_queries import Vector
from mnemic.search.placed import NOTHING_PLACED, KeptVectors, Placed

# So many times as are wanted are read and scored exactly: of the true best hundred, less than one
# is then missed. From `_LARGE` on more, because the closest ones of many are closer together.
_READ: Final = 4
_READ_OF_MANY: Final = 8
_LARGE: Final = 200_000
# So many are kept once they were read, a kilobyte each: questions about one thing come in a row.
_KEPT: Final = 10_000


class SqliteVectorReader(Protocol):
    """The part of the database that vectors are read from."""

    def tuples(self, name: str, /, **values: object) -> list[tuple[Any, ...]]:
        """Run a named statement and return its rows as plain tuples."""
        ...


class SketchedVectors:
    """The vectors of one file; sketches of all of them tell which are worth reading."""

    def __init__(self, catalog: Catalog, database: SqliteVectorReader) -> None:
        self._catalog = catalog
        self._database = database
        self._kept = KeptVectors(_KEPT)

    def closest(self, vector: Vector, model_id: int, field: Field, limit: int) -> Placed:
        """Return the vectors that may be closest: at least so many, where there are."""
        sketches = self._catalog.sketches_of(model_id)
        if sketches is None:
            return NOTHING_PLACED
        limit *= _READ_OF_MANY if field.size > _LARGE else _READ
        if field.allowed is None and field.size * 3 > len(sketches):
            scopes = [part.scope for part in field.parts]
            near = field.places(sketches.closest(vector, limit, scopes))
        else:
            among = field.ordinals(field.everything())
            near = field.places(sketches.closest_among(vector, limit, among))
        return self.of(near, model_id, field)

    def of(self, places: Places, model_id: int, field: Field) -> Placed:
        """Return the vectors of some places; those that have none are left out."""
        ordinals = field.ordinals(places)
        rows = self._kept.rows_of(ordinals, model_id)
        missing = ordinals[rows < 0]
        if len(missing):
            # Where there is no room, everything that is wanted now is read anew, together.
            self._read(missing if self._kept.has_room_for(len(missing)) else ordinals, model_id)
            rows = self._kept.rows_of(ordinals, model_id)
        there = rows >= 0
        return Placed(places[there], self._kept.take(rows[there]))

    def _read(self, ordinals: Ordinals, model_id: int) -> None:
        docs: list[int] = self._catalog.docs.view[ordinals].tolist()
        ordinal_of = dict(zip(docs, ordinals.tolist(), strict=True))
        rows = self._database.tuples("vectors_of", docs=docs, model_id=model_id)
        if rows:
            whole = np.frombuffer(b"".join([data for _, data in rows]), "<f2")
            found = np.array([ordinal_of[doc] for doc, _ in rows], np.uint32)
            self._kept.add(found, whole.reshape(len(rows), -1))
