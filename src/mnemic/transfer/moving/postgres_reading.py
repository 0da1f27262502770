"""The rows of a PostgreSQL database, in the order of their keys: what both ends that speak to one
read alike, an exchange and a move.
"""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any

from psycopg import sql

from mnemic.storage.postgres.driver_errors import translating
from mnemic.storage.postgres.schema import Schema, VectorType
from mnemic.storage.postgres.server import Connection, PostgresServer
from mnemic.storage.tables import Key, Table, Values
from mnemic.transfer.moving.clauses import as_read, key_place, marks, names


class PostgresReading:
    """One database over a connection of its own, read for the account that was entered last."""

    def __init__(self, server: PostgresServer, schema: Schema) -> None:
        self.where = server.where
        self._account = 0
        self._type: VectorType = schema.vectors or "vector"
        self.keeps_vectors = schema.vectors is not None
        self._connection: Connection = server.connect_once()

    def close(self) -> None:
        """Let go of the database. What was not committed is gone."""
        self._connection.close()

    def models(self) -> dict[str, tuple[int, int]]:
        """Return each model's number and dimensions by its name."""
        rows = self._run("select name, id, dimensions from model order by id")
        return {name: (number, dimensions) for name, number, dimensions in rows}

    def rows(
        self,
        table: Table,
        *,
        after: Key | None = None,
        upto: Key | None = None,
        limit: int | None = None,
    ) -> list[Values]:
        """Return rows in the order of the key, between two keys or beginnings of keys."""
        after_it = sql.SQL(" and ({}) > ({})")
        upto_it = sql.SQL(" and ({}) <= ({})")
        bounds = [
            bound.format(key_place(table, len(key)), marks(len(key)))
            for bound, key in ((after_it, after), (upto_it, upto))
            if key is not None
        ]
        query = sql.SQL("select {} from {} where account_id = %s{} order by {} limit %s").format(
            names(table.columns),
            sql.Identifier(table.name),
            sql.Composed(bounds),
            key_place(table, table.keys),
        )
        values = (self._account, *(after or ()), *(upto or ()), limit)
        return [as_read(table, row, self._type) for row in self._rows(query, values)]

    def _run(self, query: str, *values: object) -> list[Values]:
        with self._speaking():
            return self._connection.execute(query.encode(), values).fetchall()

    def _rows(self, query: sql.Composed, values: Sequence[Any]) -> list[Values]:
        with self._speaking():
            return self._connection.execute(query, values, binary=True).fetchall()

    @contextmanager
    def _speaking(self) -> Generator[None]:
        """Say what went wrong as the end means it, which tells what was kept of its work."""
        with translating(self.where):
            yield
