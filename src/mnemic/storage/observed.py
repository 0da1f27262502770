"""A store whose statements somebody follows, by their names and never by their values."""

from collections.abc import Callable, Iterable, Mapping
from typing import Self, TypeVar

from mnemic.search.index_queries import Search
from mnemic.storage.database import Database, Row
from mnemic.telemetry.observer import Watcher

T = TypeVar("T")


class WatchedDatabase:
    """The same store, with a watcher that is told of each named statement.

    What the index reads for itself is not told; the stages of a recall tell of that.
    """

    def __init__(self, db: Database, watcher: Watcher) -> None:
        self._db = db
        self._watcher = watcher

    @property
    def search(self) -> Search:
        """The text and vector index of this store."""
        return self._db.search

    @property
    def keeps_vectors(self) -> bool:
        """Whether this store can keep vectors at all."""
        return self._db.keeps_vectors

    def as_account(self, account_id: int | None) -> Self:
        """Return the same store as another account sees it, watched as well."""
        return type(self)(self._db.as_account(account_id), self._watcher)

    def one(self, name: str, /, **values: object) -> Row | None:
        """Run a named statement and return its first row, or None."""
        with self._watcher.doing("statement", name):
            return self._db.one(name, **values)

    def only(self, name: str, /, **values: object) -> Row:
        """Run a named statement that always has a row."""
        with self._watcher.doing("statement", name):
            return self._db.only(name, **values)

    def all(self, name: str, /, **values: object) -> list[Row]:
        """Run a named statement and return its rows."""
        with self._watcher.doing("statement", name):
            return self._db.all(name, **values)

    def run(self, name: str, /, **values: object) -> int:
        """Run a named statement and return how many rows it changed."""
        with self._watcher.doing("statement", name):
            return self._db.run(name, **values)

    def many(self, name: str, rows: Iterable[Mapping[str, object]], /) -> list[Row]:
        """Run a named statement once for each set of values."""
        with self._watcher.doing("statement", name):
            return self._db.many(name, rows)

    def write(self, work: Callable[[], T]) -> T:
        """Do work in one transaction."""
        with self._watcher.doing("statement", "write"):
            return self._db.write(work)

    def at_once(self, work: Callable[[], T]) -> T:
        """Do work that writes, without waiting for another writer."""
        return self._db.at_once(work)

    def read(self, work: Callable[[], T]) -> T:
        """Do work in which every read sees the same moment."""
        with self._watcher.doing("statement", "read"):
            return self._db.read(work)

    def wait(self, seconds: float, *, since: int = 0) -> int:
        """Wait until there may be a new job."""
        return self._db.wait(seconds, since=since)

    def obstacle(self) -> str | None:
        """Return why nothing can be written now; None where nothing is known to stand against
        it.
        """
        return self._db.obstacle()

    def analyze(self) -> None:
        """Bring the planner's statistics up to date."""
        with self._watcher.doing("statement", "analyze"):
            self._db.analyze()

    def copies(self) -> int:
        """Return how many copies of itself the store keeps."""
        return self._db.copies()

    def scrub(self) -> None:
        """Leave no trace of rows that were deleted."""
        with self._watcher.doing("statement", "scrub"):
            self._db.scrub()

    def close(self) -> None:
        """Let go of the store."""
        self._db.close()
