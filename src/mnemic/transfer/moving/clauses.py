"""Pieces of statements about any table of PostgreSQL, and rows as the other side has them."""

from collections.abc import Iterable
from typing import Final

import numpy as np
from psycopg import sql

from mnemic.storage.postgres.schema import VectorType
from mnemic.storage.postgres.vectors import written
from mnemic.storage.tables import Table, Values

# In the binary form of a vector: how many dimensions, and two bytes that are not used.
_HEADER: Final = 4


def names(columns: Iterable[str]) -> sql.Composed:
    """Return the names of columns, as a list."""
    return sql.SQL(", ").join(map(sql.Identifier, columns))


def marks(count: int) -> sql.Composed:
    """Return room for so many values."""
    return sql.SQL(", ").join([sql.SQL("%s")] * count)


def key_place(table: Table, length: int | None = None) -> sql.Composed:
    """Return a row's key or its beginning, in the order of bytes that the other side has."""
    return sql.SQL(", ").join(
        sql.SQL('{} collate "C"' if column in table.texts else "{}").format(sql.Identifier(column))
        for column in table.key[:length]
    )


def as_read(table: Table, row: Values, kind: VectorType) -> Values:
    """Return a row as the other side has it: vectors as half-precision numbers."""
    if not table.holds_vectors:
        return row
    numbers = np.frombuffer(bytes(row[-1])[_HEADER:], ">f2" if kind == "halfvec" else ">f4")
    return (*row[:-1], numbers.astype("<f2").tobytes())


def as_written(table: Table, row: Values) -> Values:
    """Return a row as PostgreSQL reads it."""
    if not table.holds_vectors:
        return row
    return (*row[:-1], written(np.frombuffer(row[-1], "<f2")))
