"""The store that is moved: a SQLite file, read as it was at one moment while others write."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from mnemic.errors import StorageError
from mnemic.runtime.encryption import EncryptionKey
from mnemic.storage.sqlite.connection import refuse_differences, schema_versions, translating
from mnemic.storage.sqlite.schema_objects import differences
from mnemic.storage.tables import SCOPES, Table, Values
from mnemic.transfer.moving.extent import Extent
from mnemic.transfer.moving.sqlite_side import SqliteSide


@dataclass(frozen=True, slots=True)
class Account:
    """An account that holds something."""

    id: int
    name: str
    created_at: int
    origin: bytes
    """Tells this account of this store from every other one, however much it grows."""


@dataclass(frozen=True, slots=True)
class Later:
    """What came after the moment at which the store was read."""

    changes: int
    """How many numbers the store's clock gave out since."""

    anything: bool
    """Whether anything was written at all: a recall is counted without moving the clock."""


class MoveSource(SqliteSide):
    """One SQLite file, read as an export reads it: everything is of the moment at which it was
    opened, and others may write meanwhile.
    """

    def __init__(
        self, path: Path, *, key: EncryptionKey | None, busy_seconds: float, portion: int
    ) -> None:
        if not path.exists():
            raise StorageError(f"{path} is not there, so there is nothing to move.")
        super().__init__(path, key=key, writing=False, busy_seconds=busy_seconds, durability="full")
        self._portion = portion
        with translating(path):
            refuse_differences(path, differences(self._connection, schema_versions()))
            self._seq = self._clock()
            self._version = self._connection.pragma("data_version")

    def accounts(self) -> list[Account]:
        """Return the accounts that hold something."""
        rows = self._run(
            "select a.id, a.name, a.created_at, s.kind, s.name, s.created_at"
            " from account a join scope s"
            "   on s.id = (select min(o.id) from scope o where o.account_id = a.id)"
            " order by a.id"
        )
        # When an account and its first scope came into being never changes, and is known to the
        # microsecond.
        return [
            Account(row[0], row[1], row[2], sha256(repr(row[1:]).encode()).digest()) for row in rows
        ]

    def numbers(self) -> dict[str, int]:
        """Return the largest number that was given out for each kind of thing."""
        given = {f"{what}_number": self._last(what) for what in ("memory", "event", "edge", "job")}
        return {**given, "change_number": self._seq}

    def extent(self) -> Extent:
        """Return how far the account is that was entered."""
        numbers = self.numbers()
        said = self._number(
            "select coalesce(max(updated_at), 0) from turn"
            " where scope_id in (select id from scope where account_id = :account)"
        )
        return Extent(numbers["event_number"], numbers["edge_number"], said)

    def portions(self, table: Table) -> Iterator[list[Values]]:
        """Return all rows in the order of the key, at most a portion of the move at a time."""
        limit = table.portion if table is SCOPES else min(table.portion, self._portion)
        return super().portions(replace(table, portion=limit))

    def later(self) -> Later:
        """End the moment, and tell what came since."""
        self.commit()
        with translating(self._path):
            seq = self._clock()
            return Later(seq - self._seq, self._connection.pragma("data_version") != self._version)

    def _clock(self) -> int:
        return self._number("select seq from clock")
