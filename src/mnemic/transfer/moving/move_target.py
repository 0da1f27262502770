"""Where a store is moved to: a PostgreSQL database, as the owner of its tables sees it."""

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import closing, contextmanager

import psycopg
from psycopg import sql

from mnemic.errors import StorageError
from mnemic.storage.postgres.driver_errors import TryAgainError, translating
from mnemic.storage.postgres.schema import look
from mnemic.storage.postgres.server import PostgresServer
from mnemic.storage.tables import Key, Table, Values
from mnemic.transfer.moving.clauses import as_written, names
from mnemic.transfer.moving.extent import Extent
from mnemic.transfer.moving.postgres_reading import PostgresReading
from mnemic.transfer.moving.side import ScopeRow


class MoveTarget(PostgresReading):
    """One database. What is done within a `step` is kept together, or not at all."""

    def __init__(self, server: PostgresServer) -> None:
        with closing(server.connect_once()) as connection, translating(server.where):
            schema = look(connection)
        super().__init__(server, schema)

    @contextmanager
    def step(self) -> Generator[None]:
        """Do something in one transaction."""
        with self._speaking(), self._connection.transaction():
            # A role that does not see every row gets an error, instead of some of the rows.
            self._connection.execute("set local row_security = off")
            yield

    def account(self, name: str) -> tuple[int, int] | None:
        """Return an account's number and when it was made."""
        row = self._one("select id, created_at from account where name = %s", name)
        return None if row is None else (row[0], row[1])

    def make_account(self, name: str, *, created_at: int, origin: bytes, extent: Extent) -> int:
        """Make an account that is moved here from a store of that extent; return its number."""
        row = self._one(
            "insert into account (name, created_at) values (%s, %s)"
            " on conflict (name) do update set created_at = excluded.created_at returning id",
            name,
            created_at,
        )
        number = row[0] if row else 0
        self._connection.execute(
            "insert into migration (account_id, origin, last_event, last_edge, last_said)"
            " values (%s, %s, %s, %s, %s) on conflict (account_id) do update set"
            " last_event = excluded.last_event, last_edge = excluded.last_edge,"
            " last_said = excluded.last_said",
            (number, origin, extent.event, extent.edge, extent.said),
        )
        return number

    def origin(self, account_id: int) -> bytes | None:
        """Return which store an account was moved from, or None for one that was not moved."""
        row = self._one("select origin from migration where account_id = %s", account_id)
        return None if row is None else row[0]

    def extent(self, account_id: int) -> Extent | None:
        """Return how far the store was when it was last moved; None where nobody wrote it down."""
        row = self._one(
            "select last_event, last_edge, last_said from migration"
            " where account_id = %s and last_event is not null",
            account_id,
        )
        return None if row is None else Extent(*row)

    def went_beyond(self, account_id: int, extent: Extent) -> bool:
        """Tell whether anything was written here since."""
        row = self._one(
            "select exists (select from event where account_id = %s and id > %s)"
            " or exists (select from edge where account_id = %s and id > %s)"
            " or exists (select from turn where account_id = %s and updated_at > %s)",
            *(account_id, extent.event, account_id, extent.edge, account_id, extent.said),
        )
        return row is not None and bool(row[0])

    def scopes(self, account_id: int) -> dict[tuple[str, str], int]:
        """Return the numbers of an account's scopes by kind and name."""
        rows = self._connection.execute(
            "select kind, name, id from scope where account_id = %s", (account_id,)
        )
        return {(kind, name): number for kind, name, number in rows}

    def make_scopes(self, account_id: int, scopes: Iterable[ScopeRow]) -> None:
        """Make the scopes that are not there yet, empty."""
        with self._connection.cursor() as cursor:
            cursor.executemany(
                "insert into scope (account_id, kind, name, created_at) values (%s, %s, %s, %s)"
                " on conflict (account_id, kind, name) do nothing",
                [(account_id, scope.kind, scope.name, scope.created_at) for scope in scopes],
            )

    def make_models(self, models: Iterable[tuple[str, int]]) -> None:
        """Make the models that are not there yet."""
        with self._connection.cursor() as cursor:
            cursor.executemany(
                "insert into model (name, dimensions) values (%s, %s)"
                " on conflict (name) do nothing",
                list(models),
            )

    def pass_numbers(self, given_out: Mapping[str, int]) -> None:
        """Let every number that is given out from now on be larger than these."""
        for name, largest in given_out.items():
            sequence = sql.Identifier(name)
            # Until the commit nobody else takes a number; else one might be given out twice.
            self._connection.execute(sql.SQL("alter sequence {} increment by 1").format(sequence))
            self._connection.execute(
                sql.SQL("select setval(%s, %s) from {} where last_value <= %s").format(sequence),
                (name, largest, largest),
            )

    def rows_by_key(
        self, table: Table, account_id: int, *, after: Key | None, upto: Key | None
    ) -> dict[Key, Values]:
        """Return an account's rows between two keys, the second included, as they are there."""
        self._account = account_id
        return {table.key_of(row): row for row in self.rows(table, after=after, upto=upto)}

    def add(self, table: Table, account_id: int, rows: Sequence[Values]) -> None:
        """Add rows that are not there yet."""
        if not rows:
            return
        query = sql.SQL("copy {} ({}) from stdin").format(
            sql.Identifier(table.name), names(("account_id", *table.columns))
        )
        with self._connection.cursor() as cursor, cursor.copy(query) as copy:
            for row in rows:
                copy.write_row((account_id, *as_written(table, row)))

    def change(self, table: Table, account_id: int, rows: Sequence[Values]) -> None:
        """Make rows that are there what they should be."""
        rest = table.columns[table.keys :]
        settings = sql.SQL(", ").join(
            sql.SQL("{} = %s").format(sql.Identifier(column)) for column in rest
        )
        query = sql.SQL("update {} set {} where account_id = %s and {}").format(
            sql.Identifier(table.name), settings, _is_key(table)
        )
        values = [
            (*as_written(table, row)[table.keys :], account_id, *table.key_of(row)) for row in rows
        ]
        with self._connection.cursor() as cursor:
            cursor.executemany(query, values)

    def remove(self, table: Table, account_id: int, keys: Sequence[Key]) -> None:
        """Remove rows that should not be there."""
        query = sql.SQL("delete from {} where account_id = %s and {}").format(
            sql.Identifier(table.name), _is_key(table)
        )
        with self._connection.cursor() as cursor:
            cursor.executemany(query, [(account_id, *key) for key in keys])

    def _one(self, query: str, *values: object) -> Values | None:
        return self._connection.execute(query.encode(), values).fetchone()

    @contextmanager
    def _speaking(self) -> Generator[None]:
        try:
            with translating(self.where):
                yield
        except TryAgainError as reason:
            raise StorageError(
                f"{self.where} was lost on the way. Run the same command again: it goes on from "
                "where it was."
            ) from reason
        except StorageError as error:
            if isinstance(error.__cause__, psycopg.errors.InsufficientPrivilege):
                raise StorageError(
                    f"{self.where}: this role does not see every row. Move a store as the owner of "
                    "the tables."
                ) from error
            raise


def _is_key(table: Table) -> sql.Composed:
    return sql.SQL(" and ").join(
        sql.SQL("{} = %s").format(sql.Identifier(column)) for column in table.key
    )
