"""Look into a SQLite store without changing anything in it."""

from dataclasses import dataclass
from pathlib import Path

from mnemic.runtime.encryption import EncryptionKey
from mnemic.storage.sqlite.connection import Connection, translating
from mnemic.storage.sqlite.driver import READ_ONLY, open_file
from mnemic.storage.sqlite.schema_objects import SchemaDifferences, differences, migrations


@dataclass(frozen=True, slots=True)
class Inspected:
    """What a file says of itself; `damage` is empty where SQLite finds nothing wrong, and `changed`
    where the schema is what Mnemic made.
    """

    schema: int
    changed: SchemaDifferences
    damage: tuple[str, ...] = ()


def inspect(path: Path, *, key: EncryptionKey | None, thorough: bool = True) -> Inspected:
    """Return what is in a file; `thorough` reads all of it, about a second for each gigabyte.

    Raises StorageError for what is no database, or cannot be read.
    """
    with translating(path):
        connection: Connection = open_file(path, key=key, flags=READ_ONLY)
        try:
            schema = int(connection.pragma("user_version"))
            changed = differences(connection, min(schema, len(migrations())))
            if not thorough:
                return Inspected(schema, changed)
            told = [str(row[0]) for row in connection.execute("pragma quick_check(5)")]
        finally:
            connection.close()
    return Inspected(schema, changed, () if told == ["ok"] else tuple(told))
