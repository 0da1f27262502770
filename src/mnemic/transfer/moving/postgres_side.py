"""A PostgreSQL database as one end of an exchange. An application's role is enough for it."""

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

import psycopg
from psycopg import sql

from mnemic.errors import BusyError, ConflictError, InvalidInputError, StorageError
from mnemic.records.audit_entry import Act
from mnemic.storage.postgres.driver_errors import TryAgainError, translating
from mnemic.storage.postgres.schema import bring_up_to_date
from mnemic.storage.postgres.server import PostgresServer
from mnemic.storage.postgres.statistics import analyze
from mnemic.storage.tables import Key, Table, Values
from mnemic.transfer.moving.clauses import as_read, as_written, key_place, marks, names
from mnemic.transfer.moving.postgres_reading import PostgresReading
from mnemic.transfer.moving.side import Numbered, Owner, ScopeRow

_MOMENT: Final = "begin isolation level repeatable read read only"


class PostgresSide(PostgresReading):
    """One database, over a connection of its own. Rows go in with `insert`: where rows have walls,
    PostgreSQL lets nobody but the owner of a table use `copy`.
    """

    def __init__(
        self,
        server: PostgresServer,
        *,
        writing: bool,
        partitions: int = 32,
        busy_seconds: float = 30.0,
    ) -> None:
        super().__init__(server, bring_up_to_date(server, partitions=partitions))
        self._server = server
        self._writing = writing
        with self._speaking():
            self._connection.execute("begin" if writing else _MOMENT)
            patience = f"{max(1, int(busy_seconds * 1000))}ms"
            self._connection.execute("select set_config('lock_timeout', %s, true)", (patience,))
            # The account is named before the first look: that is when the moment begins.
            self.enter(0)

    def commit(self) -> None:
        """Keep everything that was written, and let the planner know of it."""
        with self._speaking():
            self._connection.execute("commit")
        analyze(self._server)

    def owners(self) -> list[Owner]:
        """Return the accounts, in the order in which they were made."""
        return [
            Owner(*row) for row in self._run("select id, name, created_at from account order by id")
        ]

    def add_owner(self, name: str, created_at: int) -> int:
        """Make an account, and return its number."""
        return self._made(
            "insert into account (name, created_at) values (%s, %s) on conflict do nothing"
            " returning id",
            name,
            created_at,
        )

    def enter(self, account_id: int) -> None:
        """Be about this account from now on."""
        self._account = account_id
        self._run("select set_config('mnemic.account', %s, true)", str(account_id))

    def scopes(self) -> list[ScopeRow]:
        """Return the scopes, in the order in which they were made; a writer holds them."""
        query = (
            "select id, kind, name, decayed_at, decay_rate, created_at from scope"
            " where account_id = %s order by id"
        )
        held = f"{query} for no key update"
        rows = self._run(held if self._writing else query, self._account)
        return [ScopeRow(*row) for row in rows]

    def add_scope(self, scope: ScopeRow) -> int:
        """Make a scope under a number of this store, and return that."""
        return self._made(
            "insert into scope (account_id, kind, name, decayed_at, decay_rate, created_at)"
            " values (%s, %s, %s, %s, %s, %s) on conflict do nothing returning id",
            *(self._account, scope.kind, scope.name),
            *(scope.decayed_at, scope.decay_rate, scope.created_at),
        )

    def add_model(self, name: str, dimensions: int) -> int:
        """Make a model, and return its number."""
        return self._made(
            "insert into model (name, dimensions) values (%s, %s) on conflict do nothing"
            " returning id",
            name,
            dimensions,
        )

    def count(self, table: Table) -> int:
        """Return how many rows of a table there are."""
        query = sql.SQL("select count(*) from {} where account_id = %s")
        return self._rows(query.format(sql.Identifier(table.name)), (self._account,))[0][0]

    def portions(self, table: Table) -> Iterator[list[Values]]:
        """Return all rows in the order of the key, some at a time."""
        query = sql.SQL("select {} from {} where account_id = %s order by {}").format(
            names(table.columns), sql.Identifier(table.name), key_place(table)
        )
        # The server sorts once, and is asked for the next rows while others are read.
        with self._speaking(), self._connection.cursor(f"{table.name}_rows") as cursor:
            cursor.execute(query, (self._account,), binary=True)
            while rows := cursor.fetchmany(table.portion):
                yield [as_read(table, row, self._type) for row in rows]

    def at(self, table: Table, keys: Sequence[Key]) -> list[Values]:
        """Return the rows that have these keys, or keys that begin so, in any order."""
        if not keys:
            return []
        length = len(keys[0])
        query = sql.SQL("select {} from {} where account_id = %s and ({}) in ({})").format(
            names(table.columns),
            sql.Identifier(table.name),
            names(table.key[:length]),
            sql.SQL(", ").join([sql.SQL("({})").format(marks(length))] * len(keys)),
        )
        values = (self._account, *(part for key in keys for part in key))
        return [as_read(table, row, self._type) for row in self._rows(query, values)]

    def strangers(self, numbers: Sequence[int]) -> set[int]:
        """Return nothing: here each account has numbers of its own."""
        return set()

    def add(self, table: Table, rows: Sequence[Values]) -> None:
        """Add rows; ConflictError where something with such a key is there already."""
        self._write(table, rows, sql.Composed([]))

    def count_up(self, table: Table, rows: Iterable[Values], *, latest: Sequence[str]) -> None:
        """Add the numbers in rows to what is there under the same keys, or else the rows."""
        changes = [
            sql.SQL(
                "{0} = greatest({1}.{0}, excluded.{0})"
                if name in latest
                else "{0} = {1}.{0} + excluded.{0}"
            ).format(sql.Identifier(name), sql.Identifier(table.name))
            for name in table.columns[table.keys :]
        ]
        otherwise = sql.SQL(" on conflict ({}) do update set {}").format(
            names(("account_id", *table.key)), sql.SQL(", ").join(changes)
        )
        self._write(table, list(rows), otherwise)

    def is_free(self, what: Numbered, first: int, last: int) -> bool:
        """Tell whether nothing of this account has a number in a range."""
        table, number = ("job_queue", "number") if what == "job" else (what, "id")
        query = (
            f"select exists (select from {table} where account_id = %s"  # noqa: S608  our own names
            f" and {number} between %s and %s)"
        )
        return not self._number(query, self._account, first, last)

    def ticks(self, count: int) -> list[int]:
        """Return fresh numbers for changes of what can be found, ascending."""
        query = "select nextval('change_number') from generate_series(1, %s)"
        return sorted(number for (number,) in self._run(query, count))

    def moved_on(self, clocks: Mapping[int, int]) -> None:
        """Let those who search know how far the changes of each scope are."""
        with self._speaking(), self._connection.cursor() as cursor:
            cursor.executemany(
                "update scope set seq = greatest(seq, %s) where account_id = %s and id = %s",
                [(seq, self._account, scope_id) for scope_id, seq in sorted(clocks.items())],
            )

    def reserve(self, what: Numbered, count: int) -> int:
        """Return the first of so many numbers in a row that nobody else will ever get."""
        while True:
            query = (
                f"select min(n), max(n) from (select nextval('{what}_number') as n"  # noqa: S608  our own names
                " from generate_series(1, %s)) given"
            )
            [(first, last)] = self._run(query, count)
            # Who takes a number in between leaves a gap, and the next row of numbers is tried.
            if last - first == count - 1:
                return first

    def pass_number(self, what: Numbered, largest: int) -> None:
        """Let every number that is given out from now on be larger than this one."""
        # An application may take numbers, and not set the counter.
        given = self.reserve(what, 1)
        if given < largest:
            query = f"select count(nextval('{what}_number')) from generate_series(1, %s)"  # noqa: S608  our own names
            self._run(query, largest - given)

    def record(self, act: Act, *, at: int, actor: str, target: str, counts: str) -> None:
        """Write to the audit log what is done to the account that was entered."""
        self._run(
            "insert into audit_entry (account_number, at, actor, act, target, counts, outcome)"
            " values (%s, %s, %s, %s, %s, %s, 'done') returning id",
            *(self._account, at, actor, act, target, counts),
        )

    def _write(self, table: Table, rows: Sequence[Values], otherwise: sql.Composed) -> None:
        if not rows:
            return
        places = [sql.SQL("%s")] * (len(table.columns) + 1)
        if table.holds_vectors:
            places[-1] = sql.SQL("%s::halfvec" if self._type == "halfvec" else "%s::vector")
            rows = [as_written(table, row) for row in rows]
        query = sql.SQL("insert into {} ({}) values ({})").format(
            sql.Identifier(table.name),
            names(("account_id", *table.columns)),
            sql.SQL(", ").join(places),
        )
        try:
            with self._speaking(), self._connection.cursor() as cursor:
                cursor.executemany(query + otherwise, [(self._account, *row) for row in rows])
        except StorageError as error:
            cause = error.__cause__
            if isinstance(cause, psycopg.errors.UniqueViolation):
                raise ConflictError(f"{table.name}: {cause.diag.message_detail}") from error
            if isinstance(cause, psycopg.IntegrityError | psycopg.DataError):
                problem = cause.diag.message_primary or type(cause).__name__
                raise InvalidInputError(table.name, problem, "what an export writes") from error
            raise

    def _made(self, query: str, *values: object) -> int:
        """Return the number of what is made; who made the same meanwhile was quicker."""
        rows = self._run(query, *values)
        if not rows:
            raise BusyError(f"{self.where} was written to meanwhile; nothing was kept. Try again.")
        return rows[0][0]

    def _number(self, query: str, *values: object) -> int:
        [(number,)] = self._run(query, *values)
        return number

    @contextmanager
    def _speaking(self) -> Generator[None]:
        try:
            with translating(self.where):
                yield
        except TryAgainError as reason:
            if not reason.lost:
                raise BusyError from reason
            raise StorageError(
                f"{self.where} was lost on the way; nothing was kept. Run the same command again."
            ) from reason
