"""Words of SQL that compiled filters share, whatever the backend."""

from collections.abc import Mapping
from typing import Final

from mnemic.records.filters import Op

COMPARISONS: Final[Mapping[Op, str]] = {
    "eq": "=",
    "ne": "<>",
    "lt": "<",
    "lte": "<=",
    "gt": ">",
    "gte": ">=",
}
WORDS: Final[Mapping[bool | None, str]] = {None: "'null'", False: "'false'", True: "'true'"}
"""How JSON writes what is neither a text nor a number, as literals."""
