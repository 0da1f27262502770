"""Which tables, indexes, views and triggers a store has, against those that Mnemic makes."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

import apsw

_MIGRATIONS: Final = "mnemic.storage.sqlite.migrations"
_SELECT: Final = "select type, name, tbl_name, sql from sqlite_schema"
_SHOWN: Final = 5


class SchemaObject(NamedTuple):
    """What a row of `sqlite_schema` is called."""

    type: str
    name: str

    def __str__(self) -> str:
        return f"{self.type} {self.name}"


# What `analyze` leaves, and no migration makes.
_STATISTICS: Final = frozenset(SchemaObject("table", f"sqlite_stat{number}") for number in (1, 4))


@dataclass(frozen=True, slots=True)
class SchemaDifferences:
    """How a schema differs from that of its version."""

    foreign: tuple[SchemaObject, ...]
    changed: tuple[SchemaObject, ...]
    missing: tuple[SchemaObject, ...]

    @property
    def harmful(self) -> tuple[SchemaObject, ...]:
        """What may change what is learned or recalled: a trigger, or another definition of one of
        our tables and views. Another index, table or view is never run by our statements.
        """
        triggers = (
            schema_object for schema_object in self.foreign if schema_object.type == "trigger"
        )
        return (*triggers, *self.changed)

    def __bool__(self) -> bool:
        return bool(self.foreign or self.changed or self.missing)

    def __str__(self) -> str:
        parts = (
            ("not Mnemic's", self.foreign),
            ("changed", self.changed),
            ("missing", self.missing),
        )
        return "; ".join(f"{what}: {listed(objects)}" for what, objects in parts if objects)


def listed(objects: tuple[SchemaObject, ...]) -> str:
    """Name some objects, and say how many more there are."""
    # A name may be anything, and goes to terminals and logs.
    names = [ascii(str(schema_object)[:100])[1:-1] for schema_object in objects[:_SHOWN]]
    more = len(objects) - _SHOWN
    return ", ".join(names) + (f" and {more} more" if more > 0 else "")


def migrations() -> list[str]:
    """Return the steps that make the schema, in order."""
    migration_files = (file for file in files(_MIGRATIONS).iterdir() if file.name.endswith(".sql"))
    return [file.read_text("utf-8") for file in sorted(migration_files, key=lambda file: file.name)]


def differences(connection: Any, version: int) -> SchemaDifferences:
    """Compare the schema of a store with what our migrations make for its version.

    Only the schema table is read: nothing that a foreign schema defines is run.
    """
    present, wanted = _objects(connection), _made(version)
    return SchemaDifferences(
        foreign=tuple(
            schema_object
            for schema_object in present
            if schema_object not in wanted and schema_object not in _STATISTICS
        ),
        changed=tuple(
            schema_object
            for schema_object in present
            if schema_object in wanted and present[schema_object] != wanted[schema_object]
        ),
        missing=tuple(schema_object for schema_object in wanted if schema_object not in present),
    )


@lru_cache
def _made(version: int) -> Mapping[SchemaObject, tuple[str, str | None]]:
    connection: Any = apsw.Connection(":memory:")
    try:
        for step in migrations()[:version]:
            connection.execute(step)
        return _objects(connection)
    finally:
        connection.close()


def _objects(connection: Any) -> dict[SchemaObject, tuple[str, str | None]]:
    rows: list[tuple[str, str, str, str | None]] = connection.execute(_SELECT).fetchall()
    return {SchemaObject(kind, name): (table, _normal(sql)) for kind, name, table, sql in rows}


def _normal(sql: str | None) -> str | None:
    """Return a definition without what versions of SQLite may write differently when they rename:
    quotes around names, and white space.
    """
    return None if sql is None else " ".join(sql.replace('"', "").split())
