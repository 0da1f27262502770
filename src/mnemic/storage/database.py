"""The seam between the engine and a backend: named statements in, rows out."""

from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol

from mnemic.storage.search import Search

Row = dict[str, Any]


class Database(Protocol):
    """One store. Safe to share between threads; every error it raises is one of ours.

    A statement may hold `{filter}`: the backend compiles the value of that name, a Filter, into
    its own SQL with bound values. Nothing else is ever spliced.
    """

    @property
    def search(self) -> Search:
        """The text and vector index of this store."""
        ...

    def one(self, name: str, /, **values: object) -> Row | None:
        """Run a named statement and return its first row, or None."""
        ...

    def only(self, name: str, /, **values: object) -> Row:
        """Run a named statement that always has a row, such as an insert that returns its id."""
        ...

    def all(self, name: str, /, **values: object) -> list[Row]:
        """Run a named statement and return its rows."""
        ...

    def run(self, name: str, /, **values: object) -> int:
        """Run a named statement and return how many rows it changed."""
        ...

    def many(self, name: str, rows: Iterable[Mapping[str, object]], /) -> None:
        """Run a named statement once for each set of values."""
        ...

    def writing(self) -> AbstractContextManager[None]:
        """Open a transaction that may write: all of it is kept, or nothing."""
        ...

    def reading(self) -> AbstractContextManager[None]:
        """Open a transaction in which every read sees the same moment."""
        ...

    def close(self) -> None:
        """Let go of the store. A second call does nothing."""
        ...
