"""What the index keeps in memory of each document, caught up with the store."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from mnemic.search.arrays.array_file import Arrays, Snapshot
from mnemic.search.arrays.growing import GrowingArray, Ordinals
from mnemic.search.arrays.layout import Layout
from mnemic.search.arrays.members import Members
from mnemic.search.arrays.numbers import DocumentNumbers
from mnemic.search.arrays.postings import Postings
from mnemic.search.arrays.runs import NOBODY, Runs
from mnemic.search.arrays.segments import Places, Segment
from mnemic.search.arrays.sketches import BitSketches
from mnemic.search.arrays.traits import TraitColumns
from mnemic.search.field import Field
from mnemic.search.terms import unpack_documents

WHOLE_STORE: Final = 0
"""The clock of a store that has but one."""

_MOST: Final = np.iinfo(np.uint16).max
# Rows read at once: a million documents are taken in without holding them all twice.
_CHUNK: Final = 16_384


class DocumentReader(Protocol):
    """The part of the database that the index reads from."""

    @property
    def moment(self) -> object | None:
        """What stands for the moment that this thread reads from, while it does."""
        ...

    def tuples(self, name: str, /, **values: object) -> list[tuple[Any, ...]]:
        """Run a named statement and return its rows as plain tuples."""
        ...


class Catalog:
    """Documents in the order in which they were written; an ordinal is a place in that order."""

    def __init__(self, database: DocumentReader) -> None:
        self._database = database
        # How far each clock of the store stood, and the last document that was read under it: one
        # clock runs for the whole store, or one for each scope.
        self.clocks: dict[int, int] = {}
        self._last: dict[int, int] = {}
        self._caught_up: tuple[object, ...] = ()
        self.postings = Postings()
        self.docs = DocumentNumbers()
        self.sizes = GrowingArray(np.uint16)
        # Whether a document is also found by words that are not of its own text.
        self.mixed = GrowingArray(np.bool_)
        # Of which document each is a passage; 0 for those that begin their text.
        self.heads = GrowingArray(np.int64)
        self.has_passages = False
        self.members = Members()
        self.layout = Layout()
        self.runs = Runs()
        self.traits = TraitColumns()
        self.sketches: BitSketches | None = None
        self.model_id: int | None = None

    @classmethod
    def of_snapshot(cls, database: DocumentReader, snapshot: Snapshot) -> Self:
        """Return the catalog that a snapshot was taken from."""
        catalog = cls(database)
        catalog.docs = DocumentNumbers(snapshot.arrays["docs"])
        catalog.clocks = {WHOLE_STORE: snapshot.notes["seq"]}
        catalog._last = {WHOLE_STORE: catalog.docs.last}
        catalog.sizes = GrowingArray(np.uint16, snapshot.arrays["sizes"])
        catalog.mixed = GrowingArray(np.bool_, snapshot.arrays["mixed"])
        catalog.heads = GrowingArray(np.int64, snapshot.arrays["heads"])
        catalog.has_passages = snapshot.notes["has_passages"]
        catalog.members = Members.of_arrays(_named("members", snapshot.arrays))
        catalog.runs = Runs.of_arrays(_named("runs", snapshot.arrays))
        catalog.traits = TraitColumns.of_arrays(_named("traits", snapshot.arrays))
        catalog.postings = Postings(
            [
                Segment.of_arrays(_named(f"segment{number}", snapshot.arrays))
                for number in range(snapshot.notes["segments"])
            ]
        )
        catalog.model_id = snapshot.notes["model_id"]
        if sketches := _named("sketches", snapshot.arrays):
            catalog.sketches = BitSketches.of_arrays(sketches)
        return catalog

    def snapshot(self) -> Snapshot:
        """Return everything the catalog knows, untouched by what it learns later."""
        segments = self.postings.seal()
        parts = {
            "members": self.members.arrays(),
            "runs": self.runs.arrays(),
            "traits": self.traits.arrays(),
            "sketches": self.sketches.arrays() if self.sketches else {},
        }
        changing: dict[str, NDArray[np.generic]] = {
            "docs": self.docs.view,
            "sizes": self.sizes.view,
            "mixed": self.mixed.view,
            "heads": self.heads.view,
        }
        changing |= {
            f"{part}.{name}": one for part, own in parts.items() for name, one in own.items()
        }
        lasting = {
            f"segment{number}.{name}": array
            for number, segment in enumerate(segments)
            for name, array in segment.arrays().items()
        }
        notes = {
            "seq": self.clocks.get(WHOLE_STORE, 0),
            "model_id": self.model_id,
            "has_passages": self.has_passages,
            "segments": len(segments),
        }
        return Snapshot(notes, {name: array.copy() for name, array in changing.items()} | lasting)

    def catch_up(self, scope_ids: Sequence[int]) -> None:
        """Take in what was committed in some scopes since the last time, by whatever process."""
        # Within one moment nothing is new.
        now = (self._database.moment, tuple(scope_ids))
        if now[0] is not None and now == self._caught_up:
            return
        for clock, seq in self._database.tuples("clock_read", scope_ids=list(scope_ids)):
            # Less: another thread's open transaction was seen, which this one cannot see.
            if seq > self.clocks.get(clock, 0):
                self._catch_up(clock)
                self.clocks[clock] = seq
        self._caught_up = now

    def is_ahead(self) -> bool:
        """Tell whether something was seen that the store does not hold: after a rollback, that
        is what never came to be.
        """
        seen = dict(self.clocks)
        read = self._database.tuples("clock_read", scope_ids=list(seen))
        return any(seq < seen[clock] for clock, seq in read)

    def _catch_up(self, clock: int) -> None:
        since, last = self.clocks.get(clock, 0), self._last.get(clock, 0)
        own = {"clock": clock}
        self._retire(self._database.tuples("documents_retired", seq=since, last=last, **own))
        for rows in self._portions("documents_after", "last", last, **own):
            self._append(rows)
            self._last[clock] = rows[-1][0]
        if self.model_id is not None:
            self._load_vectors(self.model_id, since)

    def sketches_of(self, model_id: int) -> BitSketches | None:
        """Return the sketches of one model's vectors, or None when there are none."""
        if model_id != self.model_id:
            self.model_id = model_id
            self.sketches = None
            self._load_vectors(model_id, 0)
        return self.sketches

    def ordinals(self, docs: NDArray[np.int64]) -> Ordinals:
        """Return where documents stand; those that the index lacks are left out."""
        return self.docs.find(docs)

    def owners(self, ordinals: Ordinals) -> NDArray[np.int64]:
        """Return the documents under which the texts of some are known: of a passage, that of the
        beginning of its text.
        """
        docs = self.docs.view[ordinals]
        if not self.has_passages:
            return docs
        heads = self.heads.view[ordinals]
        return np.where(heads, heads, docs)

    def beginnings(self, places: Places, field: Field) -> Places:
        """Keep the places where texts begin."""
        if not self.has_passages:
            return places
        return places[self.heads.view[field.ordinals(places)] == 0]

    def _append(self, rows: Sequence[tuple[Any, ...]]) -> None:
        first = len(self.docs)
        blobs: list[bytes] = [row[3] for row in rows]
        _, sizes, counts = unpack_documents(blobs)
        lengths = np.bincount(np.repeat(np.arange(len(blobs)), sizes), counts, len(blobs))
        scopes = np.array([row[1] for row in rows], np.int64)
        self.docs.extend([row[0] for row in rows])
        own = [size if row[4] is None else row[4] for row, size in zip(rows, sizes, strict=True)]
        self.sizes.extend(np.minimum(own, _MOST))
        self.mixed.extend([row[4] is None for row in rows] | (sizes > own))
        places = self.members.extend(first, scopes, np.minimum(lengths, _MOST).astype(np.uint16))
        self.postings.extend(scopes, places, blobs)
        heads = [row[5] for row in rows]
        self.heads.extend(heads)
        self.has_passages = self.has_passages or any(heads)
        self.traits.extend([row[6:] for row in rows])
        threads = np.array([NOBODY if row[2] is None else row[2] for row in rows], np.int64)
        self.runs.extend(scopes, threads, places, self.members)

    def _retire(self, rows: list[tuple[Any, ...]]) -> None:
        for at in self.ordinals(np.array([doc for (doc,) in rows], np.int64)).tolist():
            if self.members.retire(at):
                self.runs.remove(at, self.members)
                if self.sketches is not None:
                    self.sketches.retire(at)

    def _load_vectors(self, model_id: int, since: int) -> None:
        for rows in self._portions("vectors_since", "seq", since, model_id=model_id):
            self._sketch({doc: data for _, doc, data in rows})

    def _portions(
        self, name: str, cursor: str, start: int, **values: object
    ) -> Iterator[list[tuple[Any, ...]]]:
        """Read a statement's rows in portions; their first column is where the next one starts."""
        while rows := self._database.tuples(name, **{cursor: start}, limit=_CHUNK, **values):
            yield rows
            if len(rows) < _CHUNK:
                return
            start = rows[-1][0]

    def _sketch(self, blobs: Mapping[int, bytes]) -> None:
        places = self.ordinals(np.array(list(blobs), np.int64))
        if self.sketches is not None:
            places = places[self.sketches.rows_of(places) < 0]
        if not len(places):
            return
        data = b"".join(blobs[doc] for doc in self.docs.view[places].tolist())
        vectors = np.frombuffer(data, "<f2").reshape(len(places), -1).astype(np.float32)
        if self.sketches is None:
            self.sketches = BitSketches(vectors.shape[1])
        self.sketches.extend(places, self.members.scopes.view[places], vectors)


def _named(part: str, arrays: Arrays) -> Arrays:
    """Return the arrays of one part, under their names there."""
    prefix = f"{part}."
    return {
        name.removeprefix(prefix): array
        for name, array in arrays.items()
        if name.startswith(prefix)
    }
