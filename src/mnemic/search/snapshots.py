"""Keeping the index between processes: a snapshot beside the database, under a stamp.

The stamp of the snapshot that counts is written into the store itself, in a transaction that is
later than everything the snapshot holds. So a snapshot can be trusted exactly when its stamp is
there: a store that was restored from a backup, copied or replaced has another one.
"""

import logging
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar
from uuid import uuid4

from mnemic.errors import MnemicError
from mnemic.search.arrays import array_file
from mnemic.search.arrays.array_file import Snapshot
from mnemic.search.documents import WHOLE_STORE, Catalog

T = TypeVar("T")

_LOG = logging.getLogger("mnemic")
# So many changes since the last snapshot are worth a new one: reading them takes longer than that.
_WORTH_IT: Final = 2_000


class Store(Protocol):
    """The part of the database that a snapshot is kept beside."""

    @property
    def moment(self) -> object | None:
        """What stands for the moment that this thread reads from, while it does."""
        ...

    def tuples(self, name: str, /, **values: object) -> list[tuple[Any, ...]]:
        """Run a named statement and return its rows as plain tuples."""
        ...

    def run(self, name: str, /, **values: object) -> int:
        """Run a named statement and return how many rows it changed."""
        ...

    def write(self, work: Callable[[], T]) -> T:
        """Do work in one transaction: all of it is kept, or nothing."""
        ...


class Keeper:
    """Loads and saves the index of one store; without a path it does neither."""

    def __init__(self, store: Store, path: Path | None) -> None:
        self._store = store
        self._path = path
        self._saved = 0
        self._erasures = 0

    def load(self) -> Catalog:
        """Return the index as it was saved, or an empty one."""
        if self._path is not None:
            self._erasures = self._erased()
        snapshot = None if self._path is None else array_file.read(self._path)
        if snapshot is not None and self._is_ours(snapshot):
            self._saved = int(snapshot.notes["seq"])
            return Catalog.of_snapshot(self._store, snapshot)
        return Catalog(self._store)

    def is_worth_saving(self, catalog: Catalog) -> bool:
        """Tell whether so much changed since the last snapshot that a start would feel it."""
        return (
            self._path is not None and catalog.clocks.get(WHOLE_STORE, 0) - self._saved >= _WORTH_IT
        )

    def save(self, taken: Snapshot, is_current: Callable[[], bool]) -> None:
        """Put a snapshot beside the store, if `is_current` still holds once nobody writes.

        It is only a cache: where it cannot be written, the next start is slower, and no more.
        """
        if self._path is None:
            return
        fresh = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        stamp = uuid4().hex
        try:
            array_file.write(fresh, Snapshot({**taken.notes, "stamp": stamp}, taken.arrays))
            self._store.write(lambda: self._put(fresh, stamp, is_current))
            self._saved = int(taken.notes["seq"])
        except (MnemicError, OSError) as error:
            _LOG.info("The index could not be kept for the next start: %s", error)
        finally:
            with suppress(OSError):
                fresh.unlink(missing_ok=True)

    def _put(self, fresh: Path, stamp: str, is_current: Callable[[], bool]) -> None:
        # An index that was read before an erasure holds what is gone.
        if self._path is not None and is_current() and self._erased() == self._erasures:
            self._store.run("snapshot_stamp", stamp=stamp)
            fresh.replace(self._path)

    def _erased(self) -> int:
        [(erasures,)] = self._store.tuples("snapshot_erasures")
        return erasures

    def _is_ours(self, snapshot: Snapshot) -> bool:
        [(stamp,)] = self._store.tuples("snapshot_stamped")
        return snapshot.notes["stamp"] == stamp
