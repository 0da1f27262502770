"""A large store, written by the server itself in some seconds: for what only size can show.

47 accounts hold 100,000 memories, written in turn as a fleet does. The first account has one
scope of 8,000 whose vectors have 512 dimensions; every other scope holds 1,000, with 64.
"""

from pathlib import Path
from typing import Final

import psycopg

# An account like most: its scopes 201 and 202 hold 1,000 memories each.
ACCOUNT: Final = 2
SCOPE: Final = 201
LARGE_ACCOUNT: Final = 1
LARGE_SCOPE: Final = 101
# The models of 64 and of 512 dimensions.
SHORT: Final = 1
LONG: Final = 2

_FILL: Final = Path(__file__).with_suffix(".sql")


def fill(url: str) -> None:
    """Fill an empty database that holds the tables, as its superuser."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(_FILL.read_bytes())
        # Which rows are visible to all, and so need no look at the table, is known from here on.
        connection.execute("vacuum (analyze) memory")
        connection.execute("analyze")
