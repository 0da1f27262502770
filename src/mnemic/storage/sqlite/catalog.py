"""What the index keeps in memory of each document, caught up with the store."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from mnemic.storage.sqlite.arrays import GrowingArray
from mnemic.storage.sqlite.bits import BitSketches
from mnemic.storage.sqlite.postings import Ordinals, Postings
from mnemic.storage.sqlite.scoring import Field
from mnemic.storage.terms import unpack_documents

_MOST: Final = np.iinfo(np.uint16).max
# Rows read at once: a million documents are taken in without holding them all twice.
_CHUNK: Final = 16_384


class Reader(Protocol):
    """The part of the database that the catalog reads from."""

    def tuples(self, name: str, /, **values: object) -> list[tuple[Any, ...]]:
        """Run a named statement and return its rows as plain tuples."""
        ...


@dataclass(slots=True)
class ScopeEntry:
    """One scope's documents, dead ones included, and the totals of its live ones."""

    ordinals: GrowingArray[np.uint32] = field(default_factory=lambda: GrowingArray(np.uint32))
    live: int = 0
    length: int = 0


class Catalog:
    """Documents in the order in which they were written; an ordinal is a place in that order."""

    def __init__(self, database: Reader) -> None:
        self._database = database
        self.seq = 0
        self.postings = Postings()
        self.docs = GrowingArray(np.int64)
        self.lengths = GrowingArray(np.uint16)
        self.sizes = GrowingArray(np.uint16)
        self._live = GrowingArray(np.bool_)
        self._scopes = GrowingArray(np.int32)
        self._entries: dict[int, ScopeEntry] = {}
        self._previous = GrowingArray(np.int32)
        self._following = GrowingArray(np.int32)
        self._threads = GrowingArray(np.int64)
        self._last_of: dict[tuple[int, int], int] = {}
        self._sketches: BitSketches | None = None
        self._sketched = GrowingArray(np.bool_)
        self._model_id: int | None = None

    def catch_up(self) -> None:
        """Take in everything that was committed since the last time, by whatever process."""
        [(seq,)] = self._database.tuples("clock_read")
        if seq <= self.seq:
            # Less: another thread's open transaction was seen, which this one cannot see.
            return
        since = self.seq
        last = int(self.docs.view[-1]) if len(self.docs) else 0
        self._retire(self._database.tuples("documents_retired", seq=since, last=last))
        for rows in self._portions("documents_after", "last", last):
            self._append(rows)
        if self._model_id is not None:
            self._load_vectors(self._model_id, since)
        self.seq = seq

    def sketches(self, model_id: int) -> BitSketches | None:
        """Return the sketches of one model's vectors, or None when there are none."""
        if model_id != self._model_id:
            self._model_id = model_id
            self._sketches = None
            self._sketched = GrowingArray(np.bool_)
            self._sketched.extend(np.zeros(len(self.docs), np.bool_))
            self._load_vectors(model_id, 0)
        return self._sketches

    def ordinals(self, docs: NDArray[np.int64]) -> Ordinals:
        """Return where documents stand, ascending; those that the index lacks are left out."""
        known, docs = self.docs.view, np.unique(docs)
        at = np.searchsorted(known, docs)
        there = at < len(known)
        at, docs = at[there], docs[there]
        return at[known[at] == docs].astype(np.uint32)

    def scope_field(self, scope_ids: tuple[int, ...]) -> Field:
        """Return the live documents of some scopes, ready to be searched."""
        entries = [entry for one in set(scope_ids) if (entry := self._entries.get(one))]
        size = sum(entry.live for entry in entries)
        field = Field(
            lengths=self.lengths.view,
            size=size,
            mean_length=sum(entry.length for entry in entries) / size if size else 1.0,
            neighbours=(self._previous.view, self._following.view) if self._last_of else None,
        )
        if size == len(self.docs):
            return field
        if size * 4 < len(self.docs):
            places = [entry.ordinals.view for entry in entries]
            members = np.sort(np.concatenate(places)) if places else np.empty(0, np.uint32)
            return replace(field, members=members[self._live.view[members]])
        mask = self._live.view
        if len(entries) < len(self._entries):
            wanted = [self._scopes.view == one for one in set(scope_ids)]
            mask = mask & np.logical_or.reduce(wanted)
        return replace(field, mask=mask)

    def _append(self, rows: list[tuple[Any, ...]]) -> None:
        first = len(self.docs)
        blobs: list[bytes] = [row[3] for row in rows]
        _, sizes, counts = unpack_documents(blobs)
        lengths = np.bincount(np.repeat(np.arange(len(blobs)), sizes), counts, len(blobs))
        scopes = np.array([row[1] for row in rows], np.int32)
        self.docs.extend([row[0] for row in rows])
        self.lengths.extend(np.minimum(lengths, _MOST))
        self.sizes.extend(np.minimum(sizes, _MOST))
        self._scopes.extend(scopes)
        self._live.extend(np.ones(len(rows), np.bool_))
        self._sketched.extend(np.zeros(len(rows), np.bool_))
        for scope in np.unique(scopes).tolist():
            places = np.flatnonzero(scopes == scope)
            entry = self._entries.setdefault(scope, ScopeEntry())
            entry.ordinals.extend(places + first)
            entry.live += len(places)
            entry.length += int(lengths[places].sum())
        self.postings.extend(first, blobs)
        self._thread(first, rows)

    def _thread(self, first: int, rows: list[tuple[Any, ...]]) -> None:
        """Note which documents stand next to each other in one run."""
        nobody = np.full(len(rows), -1, np.int32)
        self._previous.extend(nobody)
        self._following.extend(nobody)
        self._threads.extend([-1 if thread is None else thread for _, _, thread, _ in rows])
        for at, (_, scope, thread, _) in enumerate(rows, first):
            if thread is not None:
                self._link(self._last_of.get((scope, thread), -1), at)
                self._last_of[scope, thread] = at

    def _unthread(self, at: int) -> None:
        """Take a document out of its run: those beside it become neighbours, as if read anew."""
        before, after = int(self._previous.view[at]), int(self._following.view[at])
        self._link(before, after)
        key = (int(self._scopes.view[at]), int(self._threads.view[at]))
        if self._last_of.get(key) == at:
            self._last_of[key] = before

    def _link(self, before: int, after: int) -> None:
        if before >= 0:
            self._following.view[before] = after
        if after >= 0:
            self._previous.view[after] = before

    def _retire(self, rows: list[tuple[Any, ...]]) -> None:
        for at in self.ordinals(np.array([doc for (doc,) in rows], np.int64)).tolist():
            if self._live.view[at]:
                self._live.view[at] = False
                entry = self._entries[int(self._scopes.view[at])]
                entry.live -= 1
                entry.length -= int(self.lengths.view[at])
                self._unthread(at)

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

    def _sketch(self, blobs: dict[int, bytes]) -> None:
        places = self.ordinals(np.array(list(blobs), np.int64))
        fresh = places[~self._sketched.view[places]]
        if not len(fresh):
            return
        data = b"".join(blobs[doc] for doc in self.docs.view[fresh].tolist())
        vectors = np.frombuffer(data, "<f2").reshape(len(fresh), -1).astype(np.float32)
        if self._sketches is None:
            self._sketches = BitSketches(vectors.shape[1])
        self._sketches.extend(fresh, vectors)
        self._sketched.view[fresh] = True
