"""Looking for a text in every column of every table of a store."""

from pathlib import Path
from typing import Any

import apsw
import psycopg
from psycopg import sql

Rows = dict[str, list[tuple[Any, ...]]]


def tables_with(database: str, *needles: str) -> set[str]:
    """Return the tables in which one of the needles stands, in whichever column."""
    found: set[str] = set()
    for name, rows in _tables(database).items():
        held = [value for row in rows for value in row if isinstance(value, str | bytes)]
        if any(_holds(value, needle) for value in held for needle in needles):
            found.add(name)
    return found


def _holds(value: str | bytes, needle: str) -> bool:
    if isinstance(value, bytes):
        return needle.encode() in value
    return needle in value or needle.encode("unicode_escape").decode() in value


def _tables(database: str) -> Rows:
    return _of_server(database) if database.startswith("postgresql") else _of_file(Path(database))


def _of_file(path: Path) -> Rows:
    db: Any = apsw.Connection(str(path))
    names = db.execute("select name from sqlite_schema where type = 'table'").fetchall()
    rows = {name: db.execute(f'select * from "{name}"').fetchall() for (name,) in names}  # noqa: S608
    db.close()
    return rows


def _of_server(database: str) -> Rows:
    with psycopg.connect(database) as connection:
        connection.execute(
            "select set_config('mnemic.account', id::text, false) from account"
            " where name = 'default'"
        )
        names = connection.execute(
            "select relname from pg_class where relkind in ('r', 'p') and not relispartition"
            " and relnamespace = 'public'::regnamespace and has_table_privilege(oid, 'select')"
        ).fetchall()
        return {
            name: connection.execute(
                sql.SQL("select * from {}").format(sql.Identifier(name))
            ).fetchall()
            for (name,) in names
        }
