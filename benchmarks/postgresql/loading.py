"""Fill Mnemic's tables in PostgreSQL with the rows of SQLite stores, in bulk.

Learning a hundred thousand memories takes PostgreSQL many minutes, whose cost is measured on a
few: see `insert`. Here only the result counts, and it is the same rows.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import psycopg

from mnemic.opening import move_to_postgres
from mnemic.settings import Settings

_GRAPHS: Final = """
select indexname, indexdef from pg_indexes
 where tablename = 'memory_vector' and indexname like 'memory_vector_near_%'
"""


def copy_stores(sources: Mapping[str | None, Path], url: str) -> None:
    """Move stores into the accounts that they are named for; None stands for their own.

    The graph is built anew: that is faster than to let it grow.
    """
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("set maintenance_work_mem = '1GB'")
        graphs = connection.execute(_GRAPHS).fetchall()
        for name, _ in graphs:
            connection.execute(f"drop index {name}".encode())
        for account, source in sources.items():
            move_to_postgres(source, Settings(database=url), account=account)
        for _, definition in graphs:
            # As it stands, it would be made without the partitions.
            connection.execute(definition.replace(" ON ONLY ", " ON ").encode())
        connection.execute("vacuum analyze")
        connection.execute("checkpoint")
