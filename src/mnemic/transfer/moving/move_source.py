"""The store that is moved: a SQLite file, read as it was at one moment while others write."""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from mnemic.errors import StorageError
from mnemic.runtime.encryption import EncryptionKey
from mnemic.storage.sqlite.connection import (
    connect,
    migrate,
    refuse_differences,
    schema_versions,
    translating,
)
from mnemic.storage.sqlite.schema_objects import differences
from mnemic.storage.tables import SCOPES, Key, Table, Values
from mnemic.transfer.moving.extent import Extent

_OF_ACCOUNT: Final = "scope in (select id from scope where account_id = :account)"


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


class MoveSource:
    """One SQLite file. Everything is read from the moment at which it was opened, for as long as
    it stays open; others may write meanwhile.
    """

    def __init__(
        self, path: Path, *, key: EncryptionKey | None, busy_seconds: float, portion: int
    ) -> None:
        if not path.exists():
            raise StorageError(f"{path} is not there, so there is nothing to move.")
        self.path = path
        self._portion = portion
        with translating(path):
            self._connection = connect(path, key=key, busy_seconds=busy_seconds, durability="full")
            migrate(self._connection, path, key=key)
            self._connection.execute("begin")
            refuse_differences(path, differences(self._connection, schema_versions()))
            self._seq = self._clock()
            self._version = self._connection.pragma("data_version")

    def close(self) -> None:
        """Let go of the file and of the moment."""
        self._connection.close()

    def accounts(self) -> list[Account]:
        """Return the accounts that hold something."""
        rows = self._rows(
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

    def scopes(self, account: Account) -> dict[int, tuple[str, str, int]]:
        """Return the kind, the name and the time of each of an account's scopes."""
        rows = self._rows(
            "select id, kind, name, created_at from scope where account_id = :account order by id",
            account=account.id,
        )
        return {number: (kind, name, created_at) for number, kind, name, created_at in rows}

    def models(self) -> dict[int, tuple[str, int]]:
        """Return the name and the dimensions of each model."""
        rows = self._rows("select id, name, dimensions from model order by id")
        return {number: (name, dimensions) for number, name, dimensions in rows}

    def numbers(self) -> dict[str, int]:
        """Return the largest number that was given out for each kind of thing."""
        given = dict(self._rows("select name, seq from sqlite_sequence"))
        [(job,)] = self._rows("select number from job_clock")
        return {
            **{f"{name}_number": given.get(name, 0) for name in ("memory", "event", "edge")},
            "change_number": self._seq,
            "job_number": job,
        }

    def extent(self, account: Account) -> Extent:
        """Return how far an account is."""
        numbers = self.numbers()
        [(said,)] = self._rows(
            "select coalesce(max(updated_at), 0) from turn"
            " where scope_id in (select id from scope where account_id = :account)",
            account=account.id,
        )
        return Extent(numbers["event_number"], numbers["edge_number"], said)

    def count(self, table: Table, account: Account) -> int:
        """Return how many rows of a table an account has."""
        sql = f"select count(*) from {table.source} where {_OF_ACCOUNT}"  # noqa: S608  our own names
        [(counted,)] = self._rows(sql, account=account.id)
        return counted

    def portions(self, table: Table, account: Account) -> Iterator[list[Values]]:
        """Return an account's rows of a table in the order of its key, some at a time."""
        after: Key | None = None
        limit = table.portion if table is SCOPES else min(table.portion, self._portion)
        while True:
            rows = self._after(table, account, after, limit)
            if rows:
                yield rows
            if len(rows) < limit:
                return
            after = table.key_of(rows[-1])

    def later(self) -> Later:
        """End the moment, and tell what came since."""
        with translating(self.path):
            self._connection.execute("commit")
            seq = self._clock()
            return Later(seq - self._seq, self._connection.pragma("data_version") != self._version)

    def _after(self, table: Table, account: Account, after: Key | None, limit: int) -> list[Values]:
        names = [f"k{number}" for number in range(table.keys)]
        beyond = (
            f"and ({', '.join(table.key)}) > ({', '.join(':' + name for name in names)})"
            if after is not None
            else ""
        )
        sql = (
            f"select {', '.join(table.columns)} from {table.source}"  # noqa: S608  our own names
            f" where {_OF_ACCOUNT} {beyond} order by {', '.join(table.key)} limit :limit"
        )
        bound = dict(zip(names, after or (), strict=False))
        return self._rows(sql, account=account.id, limit=limit, **bound)

    def _clock(self) -> int:
        [(seq,)] = self._rows("select seq from clock")
        return seq

    def _rows(self, sql: str, **values: Any) -> list[Values]:
        with translating(self.path):
            return self._connection.execute(sql, values).fetchall()
