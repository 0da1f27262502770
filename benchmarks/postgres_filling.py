"""Fill Mnemic's tables in PostgreSQL with the rows of a SQLite store, in bulk.

Learning a hundred thousand memories takes PostgreSQL many minutes, whose cost is measured on a
few: see `insert`. Here only the result counts, and it is the same rows.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import apsw
import numpy as np
import psycopg

# Tables in the order of their references, with the columns that both backends have.
_MEMORY: Final = (
    "id, doc, scope_id, kind, status, content, summary, content_hash, category, protected,"
    " confidence, tags, scope_files, context, created_at, updated_at, accessed_at"
)
_DOCUMENT: Final = (
    "doc, seq, scope_id, thread, live, terms, own_terms, speaker, said_at, traits, telling"
)
_TABLES: Final = {
    "scope": "id, kind, name, created_at",
    "memory": _MEMORY,
    "document": _DOCUMENT,
    "event": "id, scope_id, memory_id, verb, actor, at, before, after",
}
_FLAGS: Final = ("protected", "live")
_VECTORS: Final = """
select v.doc, d.scope_id, v.model_id, v.data from vector v join document d on d.doc = v.doc
"""
_NUMBERS: Final = {
    "scope_number": "select max(id) from scope",
    "memory_number": "select max(id) from memory",
    "event_number": "select max(id) from event",
    "change_number": "select max(seq) from document",
}
_GRAPHS: Final = """
select indexname, indexdef from pg_indexes
 where tablename = 'memory_vector' and indexname like 'memory_vector_near_%'
"""


def copy_store(source: Path, url: str) -> None:
    """Copy every row of one account into tables that are made and still empty."""
    store = apsw.Connection(str(source), flags=apsw.SQLITE_OPEN_READONLY)
    with psycopg.connect(url) as connection:
        [account] = _row(connection, "select id from account")
        connection.execute("select set_config('mnemic.account', %s, true)", (str(account),))
        for table, columns in _TABLES.items():
            rows = store.execute(f"select {columns} from {table} order by 1")  # noqa: S608 - ours
            names = columns.split(", ")
            _copy(connection, table, f"account_id, {columns}", _with_flags(rows, names, account))
        _set_clocks(connection)
        models = store.execute("select id, name, dimensions from model")
        _copy(connection, "model", "id, name, dimensions", models)
        # A graph is built faster than it grows.
        graphs = connection.execute(_GRAPHS).fetchall()
        for name, _ in graphs:
            connection.execute(f"drop index {name}".encode())
        vectors = ((account, *row[:3], _written(row[3])) for row in store.execute(_VECTORS))
        _copy(connection, "memory_vector", "account_id, doc, scope_id, model_id, data", vectors)
        for _, definition in graphs:
            # As told, it would be made without the partitions.
            connection.execute(definition.replace(" ON ONLY ", " ON ").encode())
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("vacuum analyze")
    store.close()


def _with_flags(rows: Iterable[Any], names: list[str], account: int) -> Iterator[tuple[Any, ...]]:
    flags = [at for at, name in enumerate(names) if name in _FLAGS]
    for row in rows:
        values = list(row)
        for at in flags:
            values[at] = bool(values[at])
        yield (account, *values)


def _copy(
    connection: psycopg.Connection[Any], table: str, columns: str, rows: Iterable[Any]
) -> None:
    statement = f"copy {table} ({columns}) from stdin"
    with connection.cursor().copy(statement.encode()) as copy:
        for row in rows:
            copy.write_row(row)


def _set_clocks(connection: psycopg.Connection[Any]) -> None:
    connection.execute(
        "update scope set seq ="
        " (select coalesce(max(d.seq), 0) from document d where d.scope_id = scope.id)"
    )
    for sequence, last in _NUMBERS.items():
        connection.execute(f"select setval('{sequence}', ({last}))".encode())


def _row(connection: psycopg.Connection[Any], statement: str) -> Any:
    found = connection.execute(statement.encode()).fetchone()
    if found is None:
        raise LookupError(statement)
    return found


def _written(data: bytes) -> str:
    return str(np.frombuffer(data, "<f2").astype(np.float32).tolist())
