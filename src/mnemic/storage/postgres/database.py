"""The backend for fleets: one PostgreSQL database, shared by any number of processes."""

import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from threading import Lock
from typing import Any, Final, Self, TypeVar, cast

import numpy as np
from psycopg.rows import dict_row

from mnemic.errors import MnemicError, StorageError
from mnemic.records.filters import Filter
from mnemic.search.index import Index
from mnemic.settings import Durability
from mnemic.storage.database import FirstRows, Row
from mnemic.storage.postgres.driver_errors import NoServerError, TryAgainError, translating
from mnemic.storage.postgres.filter_sql import compile_filter, json_path, value_at
from mnemic.storage.postgres.listening import Listener
from mnemic.storage.postgres.schema import Schema, bring_up_to_date
from mnemic.storage.postgres.server import Connection, PostgresServer
from mnemic.storage.postgres.statistics import analyze
from mnemic.storage.postgres.transactions import Transactions
from mnemic.storage.postgres.vectors import StoredVectors, bound
from mnemic.storage.selections import Selection, Spelling, compile_selection
from mnemic.storage.statements import load_statements

T = TypeVar("T")

_LOG = logging.getLogger("mnemic")
_STATEMENTS: Final = "mnemic.storage.postgres"
_PAUSE: Final = 0.5
# The tables that hold what people said, or what follows from it.
_VACUUM: Final = (
    "vacuum (skip_locked) memory, payload, document, edge, event, episode, scope, account,"
    " activity, conversation, turn, message, version, source, item, job, erasure"
)
_SPELLING: Final = Spelling(
    parameter=lambda name, type: f"%({name})s::{type}",
    among=lambda parameter: f"select unnest({parameter})",
    collation=' collate "C"',
    aside="",
    has_walls=True,
)
# So often at least an index that is too large is used before it is given up.
_SEARCHES_BETWEEN: Final = 100


class PostgresDatabase(FirstRows):
    """One database, seen by one account. Safe to share between threads."""

    def __init__(
        self,
        url: str,
        *,
        busy_seconds: float = 30.0,
        durability: Durability = "full",
        pool_size: int = 8,
        partitions: int = 32,
        cached_memories: int = 1_000_000,
        listen_url: str | None = None,
    ) -> None:
        self._listener = Listener(listen_url or url)
        self._server = PostgresServer(url, pool_size=pool_size)
        self._schema = _opened(self._server, partitions=partitions, patience=busy_seconds)
        self._statements = _completed(load_statements(_STATEMENTS), self._schema)
        self._transactions = Transactions(
            self._server,
            self._statements["receipt_add"],
            patience=busy_seconds,
            durability=durability,
        )
        self._account_id: int | None = None
        self._indexes = _Indexes(cached_memories)

    @property
    def where(self) -> str:
        """Where the store is, as it may be shown."""
        return self._server.where

    @property
    def schema(self) -> Schema:
        """What the database offers."""
        return self._schema

    @property
    def keeps_vectors(self) -> bool:
        """Whether this store can keep vectors: where pgvector is installed."""
        return self._schema.vectors is not None

    @property
    def moment(self) -> object | None:
        """What stands for the moment that this thread reads from, while it does."""
        return self._transactions.moment

    @property
    def search(self) -> Index:
        """The in-process index over the documents of this account."""
        return self._indexes.of(self._account_id, self._new_index)

    def as_account(self, account_id: int | None) -> Self:
        """Return the same store as another account sees it; what one closes is closed for all."""
        view = copy(self)
        view._account_id = account_id
        return view

    def all(self, name: str, /, **values: object) -> list[Row]:
        """Run a named statement and return its rows."""
        names, rows, _ = self._execute(name, values)
        return [dict(zip(names, row, strict=True)) for row in rows]

    def tuples(self, name: str, /, **values: object) -> list[tuple[Any, ...]]:
        """Run a named statement and return its rows as plain tuples."""
        return self._execute(name, values)[1]

    def binary(self, name: str, /, **values: object) -> list[tuple[Any, ...]]:
        """Run a named statement and return its rows in the server's binary form."""
        return self._execute(name, values, binary=True)[1]

    def run(self, name: str, /, **values: object) -> int:
        """Run a named statement and return how many rows it changed."""
        return self._execute(name, values)[2]

    def many(self, name: str, rows: Iterable[Mapping[str, object]], /) -> list[Row]:
        """Run a named statement once for each set of values, in one round trip; return what it
        returned, in order.
        """
        sql, given = self._statements[name], [self._bound(row) for row in rows]

        def send() -> list[Row]:
            with (
                translating(self.where),
                self._lent().cursor(row_factory=dict_row) as cursor,
            ):
                answers = "returning" in sql
                cursor.executemany(_query(sql), given, returning=answers)
                return [row for result in cursor.results() for row in result] if answers else []

        return self._in_transaction(send)

    def write(self, work: Callable[[], T]) -> T:
        """Do work in one transaction: all of it is kept, once, or nothing.

        Where the server is lost, another one is looked for and the work is done anew, for as long
        as `busy_seconds`.
        """
        return self._transactions.write(self._account_id, work, undone=self._undone)

    def at_once(self, work: Callable[[], T]) -> T:
        """Do work that writes; the server is always waited for."""
        return work()

    def read(self, work: Callable[[], T]) -> T:
        """Do work in which every read sees the same moment. Inside of another it adds nothing."""
        return self._transactions.read(self._account_id, work, undone=self._undone)

    def wait(self, seconds: float, *, since: int = 0) -> int:
        """Wait until there may be a new job; return the mark for the next wait."""
        return self._listener.wait(seconds, since=since)

    def obstacle(self) -> str | None:
        """Return why nothing can be written now: a server that only follows another one."""
        return "it is read-only" if self.only("store_check")["read_only"] else None

    def analyze(self) -> None:
        """Bring the planner's statistics up to date, after a bulk load that is committed."""
        analyze(self._server)

    def copies(self) -> int:
        """Return how many copies the store keeps of itself: none."""
        return 0

    def scrub(self) -> None:
        """Let the server free what deleted rows took up, where this role owns the tables. It says
        so where it does not; autovacuum does the same in time.
        """
        index = self._indexes.known(self._account_id)
        if index is not None:
            index.forget()
        try:
            with self._server.connect_once() as connection, translating(self.where):
                connection.execute(_VACUUM)
        except TryAgainError as reason:
            raise reason.final from reason.__cause__

    def close(self) -> None:
        """Close every connection. A second call does nothing."""
        self._listener.close()
        self._server.close()

    def _execute(
        self, name: str, values: Mapping[str, object], *, binary: bool = False
    ) -> tuple[list[str], list[tuple[Any, ...]], int]:
        sql, given = self._prepare(name, values)

        def send() -> tuple[list[str], list[tuple[Any, ...]], int]:
            with translating(self.where):
                cursor = self._lent().execute(_query(sql), given, binary=binary)
                if cursor.description is None:
                    return [], [], cursor.rowcount
                names = [column.name for column in cursor.description]
                return names, cursor.fetchall(), cursor.rowcount

        return self._in_transaction(send)

    def _in_transaction(self, send: Callable[[], T]) -> T:
        if self._transactions.current is not None:
            return send()
        return self.read(send)

    def _lent(self) -> Connection:
        connection = self._transactions.current
        if connection is None:
            raise StorageError(f"{self.where}: there is no transaction.")
        return connection

    def _undone(self, *, lost: bool) -> None:
        """Forget what the index saw of work that came to nothing."""
        index = self._indexes.known(self._account_id)
        if index is None:
            return
        if lost:
            index.forget()
            return
        try:
            index.forget_ahead()
        except MnemicError:
            index.forget()

    def _new_index(self) -> Index:
        return Index(self, lambda catalog: StoredVectors(catalog, self), None)

    def _prepare(self, name: str, values: Mapping[str, object]) -> tuple[str, dict[str, Any]]:
        sql = self._statements[name]
        given = self._bound(values)
        if isinstance(chosen := values.get("filter"), Filter):
            expression, extra = compile_filter(chosen)
            sql = sql.replace("{filter}", expression)
            given.update(extra)
            given.pop("filter", None)
        elif isinstance(chosen, Selection):
            expression, rows = compile_selection(chosen, _SPELLING)
            sql = sql.replace("{filter}", expression)
            given.update(rows)
            given.pop("filter", None)
        if isinstance(vector := values.get("vector"), np.ndarray) and self._schema.vectors:
            dimensions = len(cast("np.ndarray[Any, Any]", vector))
            sql = sql.replace("{dimensions}", str(dimensions))
        return sql, given

    def _bound(self, values: Mapping[str, object]) -> dict[str, Any]:
        given = {name: self._as_postgres(value) for name, value in values.items()}
        given.setdefault("account_id", self._account_id)
        return given

    def _as_postgres(self, value: object) -> object:
        """Return a value as the driver takes it: paths and vectors in PostgreSQL's own forms."""
        if isinstance(value, tuple):
            return json_path(cast("tuple[str, ...]", value))
        if isinstance(value, np.ndarray):
            kind = self._schema.vectors or "vector"
            return bound(cast("np.ndarray[Any, Any]", value), kind)
        return value


class _Indexes:
    """The index of each account that was lately searched. Beyond so many memories in all, those
    that were not searched for longest are given up; they are read again when they are needed.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = Lock()
        self._kept: OrderedDict[int | None, Index] = OrderedDict()
        self._searches = 0

    def known(self, account_id: int | None) -> Index | None:
        return self._kept.get(account_id)

    def of(self, account_id: int | None, made: Callable[[], Index]) -> Index:
        with self._lock:
            index = self._kept.get(account_id)
            if index is None:
                index = self._kept[account_id] = made()
            self._kept.move_to_end(account_id)
            self._searches += 1
            while len(self._kept) > 1 and self._held() > self._most:
                self._kept.popitem(last=False)
            # One account with very many scopes: what it searches now is read again.
            if self._searches >= _SEARCHES_BETWEEN and self._held() > self._most:
                index.forget()
                self._searches = 0
            return index

    def _held(self) -> int:
        return sum(len(index) for index in self._kept.values())


def _opened(server: PostgresServer, *, partitions: int, patience: float) -> Schema:
    """Return what is there. A server that is starting, or about to take over, is waited for; what
    else is wrong is said at once.
    """
    deadline = time.monotonic() + patience
    told = False
    try:
        while True:
            try:
                return bring_up_to_date(server, partitions=partitions)
            except NoServerError:
                if time.monotonic() > deadline or not server.may_come_up():
                    raise
                if not told:
                    _LOG.warning("%s is not there yet; waiting up to %g s.", server.where, patience)
                told = True
                time.sleep(_PAUSE)
    except BaseException:
        server.close()
        raise


def _completed(statements: Mapping[str, str], schema: Schema) -> dict[str, str]:
    kind = schema.vectors or "vector"
    value = value_at("%(path)s")
    return {
        name: sql.replace("{type}", kind).replace("{value}", value)
        for name, sql in statements.items()
    }


def _query(sql: str) -> bytes:
    # The driver's types take only literals, to keep values out of the text; ours come from files.
    return sql.encode()
