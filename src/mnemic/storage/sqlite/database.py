"""The embedded backend: one SQLite file, shared by threads and processes."""

import json
import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from copy import copy
from pathlib import Path
from threading import Condition, Event, local
from time import monotonic
from typing import Any, Final, Self, TypeVar, cast

import numpy as np

from mnemic.errors import StateError
from mnemic.records.filters import Filter
from mnemic.runtime.encryption import EncryptionKey
from mnemic.runtime.private_files import make_folder
from mnemic.search.index import Index
from mnemic.settings import Durability
from mnemic.storage.database import FirstRows, Row
from mnemic.storage.selections import Selection, Spelling, compile_selection
from mnemic.storage.sqlite.connection import (
    Connection,
    Cursor,
    connect,
    let_go,
    migrate,
    translating,
)
from mnemic.storage.sqlite.driver import be_patient
from mnemic.storage.sqlite.filter_sql import compile_filter, json_path
from mnemic.storage.sqlite.scrubbing import clear_beside, copies_beside, rewrite
from mnemic.storage.sqlite.vectors import SketchedVectors
from mnemic.storage.sqlite.write_queue import Turns
from mnemic.storage.statements import load_statements

T = TypeVar("T")

# How long a new job of another process may go unseen; those of this one are seen at once.
_LOOK_SECONDS: Final = 0.2
# With less than this left on the disk, a write may fail: the log beside the file grows first.
_LEAST_FREE: Final = 16 * 1024 * 1024
_SPELLING: Final = Spelling(
    parameter=lambda name, _type: f":{name}",
    among=lambda parameter: f"select value from json_each({parameter})",  # noqa: S608 - a name
    collation="",
    aside="+",
    has_walls=False,
)


class SqliteDatabase(FirstRows):
    """One SQLite file. Each thread gets a connection of its own; SQLite does the rest."""

    def __init__(
        self,
        path: Path | None,
        *,
        key: EncryptionKey | None = None,
        busy_seconds: float = 30.0,
        durability: Durability = "full",
    ) -> None:
        self._scratch = None if path else tempfile.TemporaryDirectory(prefix="mnemic-")
        self._path = path or Path(self._scratch.name if self._scratch else "") / "memory.db"
        self._key = key
        self._busy_seconds = busy_seconds
        self._durability: Durability = durability
        self._statements = load_statements("mnemic.storage.sqlite")
        self._thread = local()
        # Weak: the connection of a thread that ended closes itself.
        self._connections: weakref.WeakSet[Connection] = weakref.WeakSet()
        self._inherited: list[object] = []
        self._account_id: int | None = None
        self._closing = Event()
        self._turns = Turns()
        self._written = Condition()
        with translating(self._path):
            make_folder(self._path.parent)
            migrate(self._connection(), self._path, key=key)
        # What is gone when it is closed needs no snapshot, and of what is encrypted there may be
        # none: it is mapped from the file as it is.
        is_kept = path is not None and key is None
        beside = self._path.with_name(f"{self._path.name}-index") if is_kept else None
        self._index = Index(self, lambda catalog: SketchedVectors(catalog, self), beside)

    @property
    def where(self) -> str:
        """Where the store is, as it may be shown."""
        return str(self._path)

    @property
    def path(self) -> Path:
        """Where the store lies."""
        return self._path

    @property
    def search(self) -> Index:
        """The in-process index over the documents of this store."""
        return self._index

    @property
    def keeps_vectors(self) -> bool:
        """Whether this store can keep vectors: always."""
        return True

    @property
    def moment(self) -> object | None:
        """What stands for the moment that this thread reads from, while it does."""
        return getattr(self._thread, "moment", None)

    def as_account(self, account_id: int | None) -> Self:
        """Return the same store as another account sees it; what one closes is closed for all."""
        view = copy(self)
        view._account_id = account_id
        return view

    def all(self, name: str, /, **values: object) -> list[Row]:
        """Run a named statement and return its rows."""
        sql, bound = self._prepare(name, values)
        with translating(self._path):
            return _rows(self._connection().execute(sql, bound))

    def tuples(self, name: str, /, **values: object) -> list[tuple[Any, ...]]:
        """Run a named statement and return its rows as plain tuples: cheap for many rows."""
        sql, bound = self._prepare(name, values)
        with translating(self._path):
            return self._connection().execute(sql, bound).fetchall()

    def run(self, name: str, /, **values: object) -> int:
        """Run a named statement and return how many rows it changed."""
        sql, bound = self._prepare(name, values)
        with translating(self._path):
            connection = self._connection()
            connection.execute(sql, bound)
            return connection.changes()

    def many(self, name: str, rows: Iterable[Mapping[str, object]], /) -> list[Row]:
        """Run a named statement once for each set of values; return what it returned, in order."""
        bound = [self._bound(row) for row in rows]
        with translating(self._path):
            return _rows(self._connection().executemany(self._statements[name], bound))

    def write(self, work: Callable[[], T]) -> T:
        """Do work in one transaction: all of it is kept, or nothing.

        The write lock is taken at the start: what is read inside is what will be changed.
        """
        hurried = getattr(self._thread, "hurried", False)
        with self._turns.taken(0 if hurried else self._busy_seconds):
            result = self._done(work)
        self._wake()
        return result

    def _done(self, work: Callable[[], T]) -> T:
        with translating(self._path):
            connection = self._connection()
            connection.execute("begin immediate")
        seq = 0
        try:
            [(_, seq)] = self.tuples("clock_read")
            result = work()
            with translating(self._path):
                connection.execute("commit")
        except BaseException:
            # Before the rollback: afterwards the numbers of what never came to be are used anew.
            self._index.forget_after(seq)
            with translating(self._path):
                if connection.in_transaction:
                    connection.execute("rollback")
            raise
        return result

    def at_once(self, work: Callable[[], T]) -> T:
        """Do work that writes, without waiting for another writer: BusyError where there is one."""
        connection = self._connection()
        be_patient(connection, 0)
        self._thread.hurried = True
        try:
            return work()
        finally:
            self._thread.hurried = False
            be_patient(connection, self._busy_seconds)

    def read(self, work: Callable[[], T]) -> T:
        """Do work in which every read sees the same moment. Inside of another it adds nothing."""
        connection = self._connection()
        if connection.in_transaction:
            return work()
        with translating(self._path):
            connection.execute("begin")
        self._thread.moment = object()
        try:
            return work()
        finally:
            self._thread.moment = None
            with translating(self._path):
                connection.execute("commit")

    def wait(self, seconds: float, *, since: int = 0) -> int:
        """Wait until there may be a new job; return the mark for the next wait."""
        deadline = monotonic() + seconds
        while True:
            mark: int = self.only("job_clock_read")["number"]
            left = deadline - monotonic()
            if mark != since or left <= 0:
                return mark
            with self._written:
                self._written.wait(min(left, _LOOK_SECONDS))

    def obstacle(self) -> str | None:
        """Return why nothing can be written now: the file's permission, or a disk that is full."""
        folder = self._path.parent
        # The log beside the file is written first, so the folder counts as well.
        if not (os.access(self._path, os.W_OK) and os.access(folder, os.W_OK)):
            return "its file is read-only or gone"
        with translating(self._path):
            free = shutil.disk_usage(folder).free
        return "the disk is full" if free < _LEAST_FREE else None

    def analyze(self) -> None:
        """Do nothing: no plan here depends on statistics."""

    def copies(self) -> int:
        """Return how many copies of the file are kept beside it."""
        return len(copies_beside(self._path))

    def scrub(self) -> None:
        """Write the file anew from its rows, and remove what lies beside it."""
        self.write(lambda: self.run("snapshot_discard"))
        # It may hold what is gone; who is asked next reads what there is.
        self._index.forget()
        with self._turns.taken(self._busy_seconds), translating(self._path):
            clear_beside(self._path)
            connection = connect(
                self._path,
                busy_seconds=self._busy_seconds,
                durability=self._durability,
                key=self._key,
            )
            try:
                rewrite(connection, in_memory=self._key is not None)
            finally:
                connection.close()

    def close(self) -> None:
        """Close every connection. A second call does nothing."""
        with translating(self._path), ExitStack() as parts:
            if self._scratch:
                parts.callback(self._scratch.cleanup)
            for connection in list(self._connections):
                parts.callback(let_go, connection)
            parts.callback(self._wake)
            parts.callback(self._closing.set)
            if not self._closing.is_set():
                self._index.keep()

    def _wake(self) -> None:
        with self._written:
            self._written.notify_all()

    def _connection(self) -> Connection:
        if self._closing.is_set():
            raise StateError("This memory is closed. Open it again with mnemic.open().")
        connection: Connection | None = getattr(self._thread, "connection", None)
        if connection is not None and self._thread.process != os.getpid():
            # A forked child must neither use nor close its parent's connection.
            self._inherited.append(connection)
            self._connections.discard(connection)
            connection = None
        if connection is None:
            connection = connect(
                self._path,
                key=self._key,
                busy_seconds=self._busy_seconds,
                durability=self._durability,
            )
            self._connections.add(connection)
            self._thread.connection = connection
            self._thread.process = os.getpid()
        return connection

    def _prepare(self, name: str, values: dict[str, object]) -> tuple[str, dict[str, Any]]:
        sql = self._statements[name]
        bound = self._bound(values)
        if isinstance(chosen := values.get("filter"), Filter):
            expression, extra = compile_filter(chosen)
            sql = sql.replace("{filter}", expression)
            bound.update(extra)
        elif isinstance(chosen, Selection):
            expression, rows = compile_selection(chosen, _SPELLING)
            sql = sql.replace("{filter}", expression)
            bound.update(self._bound(rows))
        bound.pop("filter", None)
        return sql, bound

    def _bound(self, values: Mapping[str, object]) -> dict[str, Any]:
        bound = {
            # Nearly all values are plain, and there are dozens of them for each row.
            name: value if type(value) in _PLAIN else _as_sqlite(value)
            for name, value in values.items()
        }
        bound.setdefault("account_id", self._account_id)
        return bound


_PLAIN: Final = frozenset({str, int, float, bool, bytes, type(None)})


def _rows(cursor: Cursor) -> list[Row]:
    first = cursor.fetchone()
    if first is None:
        return []
    names = [column[0] for column in cursor.get_description()]
    return [dict(zip(names, row, strict=True)) for row in (first, *cursor)]


def _as_sqlite(value: object) -> object:
    """Return a value as SQLite takes it: lists as JSON, paths and vectors in its own forms."""
    if isinstance(value, list):
        return json.dumps(value)
    if isinstance(value, tuple):
        return json_path(cast("tuple[str, ...]", value))
    if isinstance(value, np.ndarray):
        return cast("np.ndarray[Any, Any]", value).astype("<f2").tobytes()
    return value
