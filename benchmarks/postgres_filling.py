"""Fill Mnemic's tables in PostgreSQL with the rows of a SQLite store, in bulk.

Learning a hundred thousand memories takes PostgreSQL many minutes, whose cost is measured on a
few: see `insert`. Here only the result counts, and it is the same rows.
"""

from pathlib import Path
from typing import Final

import psycopg

from mnemic.opening import move_to_postgres
from mnemic.settings import Settings

_GRAPHS: Final = """
select indexname, indexdef from pg_indexes
 where tablename = 'memory_vector' and indexname like 'memory_vector_near_%'
"""


def copy_store(source: Path, url: str) -> None:
    """Move a store into tables that are made and still empty; a graph is built faster than it
    grows.
    """
    with psycopg.connect(url, autocommit=True) as connection:
        graphs = connection.execute(_GRAPHS).fetchall()
        for name, _ in graphs:
            connection.execute(f"drop index {name}".encode())
        move_to_postgres(source, Settings(database=url))
        for _, definition in graphs:
            # As told, it would be made without the partitions.
            connection.execute(definition.replace(" ON ONLY ", " ON ").encode())
        connection.execute("vacuum analyze")
