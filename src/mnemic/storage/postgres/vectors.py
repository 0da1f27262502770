"""Vectors as PostgreSQL keeps them: found by pgvector, scored by us."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from struct import pack
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray
from psycopg import adapters
from psycopg.adapt import Dumper
from psycopg.pq import Format

from mnemic.search.arrays.segments import Places
from mnemic.search.documents import Catalog
from mnemic.search.field import Field
from mnemic.search.index_queries import Vector
from mnemic.search.placed import NOTHING_PLACED, Placed
from mnemic.storage.postgres.schema import GRAPHS, Schema, VectorType

# Up to so many, comparing one by one takes no longer than a walk that finds nearly as much; where
# others stand in between, a walk takes as many times longer.
_WALK_AS_VECTORS: Final = 60_000
# A walk that cannot go on finds too few of what is less than this share of the partition.
_SHARE_OF_ONE_WALK: Final = 0.5
# How wide a walk is: a recall asks for many of the closest, dedup for a few.
_WIDTH: Final = 250
_WIDTH_FOR_FEW: Final = 100
_MANY: Final = 100
# How often the size of the partition is asked for: at every so manieth search.
_LOOK_AGAIN: Final = 1_000
# In the binary form: how many dimensions, two bytes that are not used, and the numbers.
_HEADER: Final = 4
_KINDS: Final[Mapping[VectorType, str]] = {"halfvec": ">f2", "vector": ">f4"}


class PostgresVectorReader(Protocol):
    """The part of the database that vectors are read from."""

    @property
    def schema(self) -> Schema:
        """What the database offers."""
        ...

    def tuples(self, name: str, /, **values: object) -> list[tuple[Any, ...]]:
        """Run a named statement and return its rows as plain tuples."""
        ...

    def binary(self, name: str, /, **values: object) -> list[tuple[Any, ...]]:
        """Run a named statement and return its rows in the server's binary form."""
        ...


class StoredVectors:
    """The vectors of one account."""

    def __init__(self, catalog: Catalog, database: PostgresVectorReader) -> None:
        self._catalog = catalog
        self._database = database
        self._searches = 0
        self._around = 0

    def closest(self, vector: Vector, model_id: int, field: Field, limit: int) -> Placed:
        """Return the vectors that may be closest: at least so many, where there are."""
        values: dict[str, object] = {
            "vector": vector,
            "model_id": model_id,
            "scope_ids": [part.scope for part in field.parts],
        }
        permitted = None if field.allowed is None else field.everything()
        wanted = field.size if permitted is None else len(permitted)
        if len(vector) in GRAPHS and self._is_walk_cheaper(wanted):
            # What a filter leaves out is found too, and dropped.
            limit = -(-limit * field.size // max(1, wanted))
            width = _WIDTH if limit >= _MANY else _WIDTH_FOR_FEW
            self._database.tuples(
                "graph_settings", width=width, goes_on=self._database.schema.goes_on
            )
            rows = self._database.binary("vectors_nearest_in_graph", limit=limit, **values)
        elif permitted is not None:
            docs = self._catalog.docs.view[field.ordinals(permitted)].tolist()
            rows = self._database.binary("vectors_nearest_among", docs=docs, limit=limit, **values)
        else:
            rows = self._database.binary("vectors_nearest", limit=limit, **values)
        return self._at_places(rows, field)

    def of(self, places: Places, model_id: int, field: Field) -> Placed:
        """Return the vectors of some places; those that have none are left out."""
        docs = self._catalog.docs.view[field.ordinals(places)].tolist()
        rows = self._database.binary("vectors_of", docs=docs, model_id=model_id)
        return self._at_places(rows, field)

    def _is_walk_cheaper(self, wanted: int) -> bool:
        """Tell whether the graph is quicker than comparing so many one by one."""
        if wanted <= _WALK_AS_VECTORS:
            return False
        if self._searches % _LOOK_AGAIN == 0:
            rows = self._database.tuples("graph_size")
            self._around = rows[0][0] if rows else 0
        self._searches += 1
        return is_worth_a_walk(wanted, of=self._around, goes_on=self._database.schema.goes_on)

    def _at_places(self, rows: Sequence[tuple[Any, ...]], field: Field) -> Placed:
        """Return vectors by place; what the index does not know yet, or may not be found, is
        left out.
        """
        if not rows:
            return NOTHING_PLACED
        found = np.array([doc for doc, _ in rows], np.int64)
        places = field.permitted(field.places(self._catalog.ordinals(found)))
        docs = self._catalog.docs.view[field.ordinals(places)]
        order = np.argsort(found)
        return Placed(places, self._decoded(rows)[order[found[order].searchsorted(docs)]])

    def _decoded(self, rows: Sequence[tuple[Any, ...]]) -> Vector:
        whole = np.frombuffer(b"".join([data for _, data in rows]), np.uint8)
        numbers = np.ascontiguousarray(whole.reshape(len(rows), -1)[:, _HEADER:])
        return numbers.view(_KINDS[self._database.schema.vectors or "vector"]).astype(np.float32)


def is_worth_a_walk(wanted: int, *, of: int, goes_on: bool) -> bool:
    """Tell whether walking through a graph `of` so many vectors is quicker than comparing those
    that are wanted one by one.
    """
    share = wanted / max(wanted, of)
    if not goes_on and share < _SHARE_OF_ONE_WALK:
        return False
    return wanted * share > _WALK_AS_VECTORS


@dataclass(frozen=True, slots=True)
class Bound:
    """A vector in the server's binary form."""

    data: bytes


class _BoundDumper(Dumper):
    """Sends a vector as it is; the statement says by a cast what type it is."""

    format = Format.BINARY
    oid = 0

    def dump(self, obj: Bound) -> bytes:
        return obj.data


adapters.register_dumper(Bound, _BoundDumper)


def written(vector: NDArray[np.floating]) -> str:
    """Return a vector as text; five digits tell half-precision numbers apart."""
    return f"[{','.join([format(one, '.5g') for one in vector.tolist()])}]"


def bound(vector: NDArray[np.floating], kind: VectorType) -> Bound:
    """Return a vector as it is sent to the server."""
    halves = vector.astype(np.float16).astype(_KINDS[kind])
    return Bound(pack(">HH", len(vector), 0) + halves.tobytes())
