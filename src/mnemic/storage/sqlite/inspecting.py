"""Look into a SQLite store without changing anything in it."""

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import cast

import apsw

from mnemic.storage.sqlite.connection import Connection, translating


@dataclass(frozen=True, slots=True)
class Inspected:
    """What a file says of itself; `damage` is empty where SQLite finds nothing wrong."""

    schema: int
    damage: tuple[str, ...] = ()


def inspect(path: Path, *, thorough: bool = True) -> Inspected:
    """Return what is in a file; `thorough` reads all of it, about a second for each gigabyte.

    Raises StorageError for what is no database, or cannot be read.
    """
    with translating(path):
        connection = cast("Connection", apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY))
        try:
            schema = int(connection.pragma("user_version"))
            if not thorough:
                return Inspected(schema)
            told = [str(row[0]) for row in connection.execute("pragma quick_check(5)")]
        finally:
            connection.close()
    return Inspected(schema, () if told == ["ok"] else tuple(told))


def newest_schema() -> int:
    """Return the schema that this Mnemic writes."""
    steps = files("mnemic.storage.sqlite.migrations").iterdir()
    return sum(step.name.endswith(".sql") for step in steps)
