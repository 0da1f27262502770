"""The seam between the engine and a backend: named statements in, rows out."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, Self, TypeVar

from mnemic.errors import StorageError
from mnemic.search.index_queries import Search

Row = dict[str, Any]
T = TypeVar("T")


class Database(Protocol):
    """One store, seen by one account. Safe to share between threads; every error it raises is
    one of ours.

    A statement may name `account_id` without being given it. A list is bound as the backend binds
    lists. A statement may hold `{filter}`: the backend compiles the value of that name, a Filter,
    into its own SQL with bound values. Nothing else is ever spliced.
    """

    @property
    def search(self) -> Search:
        """The text and vector index of this store."""
        ...

    @property
    def keeps_vectors(self) -> bool:
        """Whether this store can keep vectors at all."""
        ...

    def as_account(self, account_id: int | None) -> Self:
        """Return the same store as another account sees it; as none, where all are served."""
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

    def many(self, name: str, rows: Iterable[Mapping[str, object]], /) -> list[Row]:
        """Run a named statement once for each set of values; return what it returned, in order."""
        ...

    def write(self, work: Callable[[], T]) -> T:
        """Do work in one transaction: all of it is kept, or nothing.

        It returns only after the commit. Work may be done anew from the start where a server was
        lost or two writers were in each other's way, so it must do nothing but read and write
        this store; it is kept once.
        """
        ...

    def at_once(self, work: Callable[[], T]) -> T:
        """Do work that writes, without waiting for another writer: BusyError where there is one.
        A store behind a network always waits.
        """
        ...

    def read(self, work: Callable[[], T]) -> T:
        """Do work in which every read sees the same moment. Inside of another it adds nothing."""
        ...

    def wait(self, seconds: float, *, since: int = 0) -> int:
        """Wait until there may be a new job, of any account, but no longer than that.

        It returns a mark. Who looks for jobs after each wait, and gives the mark to the next one,
        misses nothing: what came in between ends that wait at once. A store that is closed, also
        meanwhile, raises at once.
        """
        ...

    def obstacle(self) -> str | None:
        """Return why nothing can be written now; None where nothing is known to stand against it.
        Nothing is written to find out.
        """
        ...

    def analyze(self) -> None:
        """Bring the planner's statistics up to date, after a bulk load that is committed."""
        ...

    def copies(self) -> int:
        """Return how many copies of itself the store keeps, which `scrub` removes."""
        ...

    def scrub(self) -> None:
        """Leave no trace of rows that were deleted, as far as the store itself can: in its files,
        in what lies beside them, and in the index. BusyError where somebody still reads them.
        """
        ...

    def close(self) -> None:
        """Let go of the store. A second call does nothing."""
        ...


class FirstRows(ABC):
    """What a backend need not write itself: the first of the rows that a statement returns."""

    @property
    @abstractmethod
    def where(self) -> str:
        """Where the store is, as it may be shown."""

    @abstractmethod
    def all(self, name: str, /, **values: object) -> list[Row]:
        """Run a named statement and return its rows."""

    def one(self, name: str, /, **values: object) -> Row | None:
        """Run a named statement and return its first row, or None."""
        rows = self.all(name, **values)
        return rows[0] if rows else None

    def only(self, name: str, /, **values: object) -> Row:
        """Run a named statement that always has a row, such as an insert that returns its id."""
        row = self.one(name, **values)
        if row is None:
            raise StorageError(f"{self.where}: {name} returned nothing where a row must be.")
        return row
