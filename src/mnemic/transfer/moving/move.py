"""Move a store from SQLite to PostgreSQL while it is in use.

Both sides are walked in the same order and compared row by row; what is missing or different is
written, some thousand rows in a transaction. So the same walk moves a store, goes on where it was
interrupted, brings over what changed since, and verifies: there is no progress to be kept.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Literal

from mnemic.errors import InvalidInputError, StorageError
from mnemic.runtime.encryption import EncryptionKey
from mnemic.storage.postgres.server import PostgresServer
from mnemic.storage.postgres.statistics import analyze
from mnemic.storage.tables import EVENTS, TABLES, VECTORS, Key, Table
from mnemic.transfer.moving.move_source import Account, Later, MoveSource
from mnemic.transfer.moving.move_target import MoveTarget
from mnemic.transfer.moving.walk import Place, RowBatch, place_of, portions

Doing = Literal["moving", "verifying"]
# What is done, to which table, how many of its rows are done, and how many there are.
Progress = Callable[[Doing, str, int, int], None]


@dataclass(slots=True)
class Moved:
    """What became of one table."""

    rows: int = 0
    added: int = 0
    changed: int = 0
    removed: int = 0
    checksum: str = ""
    """Over every row, as it was read back from PostgreSQL; the source's is the same."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a move did."""

    accounts: list[str]
    tables: dict[str, Moved]
    vectors_left_out: int
    """How many vectors could not be kept, because PostgreSQL has no pgvector."""

    later: Later


def move(
    path: Path,
    server: PostgresServer,
    *,
    key: EncryptionKey | None = None,
    busy_seconds: float = 30.0,
    account: str | None = None,
    portion: int = 2_000,
    verify_only: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Bring everything in a SQLite store to a database whose tables are there, and verify it.

    What is written meanwhile is not moved; the next call moves that. It may be interrupted
    anywhere and called again. With `verify_only` nothing is changed. `account` is the name that
    the store's only account gets in the target, else its own; a transaction writes at most
    `portion` rows of a table.
    """
    with (
        closing(MoveSource(path, key=key, busy_seconds=busy_seconds, portion=portion)) as source,
        closing(MoveTarget(server)) as target,
    ):
        moving = _Moving(source, target, _named(source, account), progress or _silent)
        if not verify_only:
            moving.refuse_what_is_not_ours()
            moving.make_room()
            moving.remove_what_is_gone()
            moving.move()
            analyze(server)
        moving.verify()
        return moving.report()


def _named(source: MoveSource, name: str | None) -> list[Account]:
    """Return the accounts of the source, under the names that they are to have."""
    accounts = source.accounts()
    if name is None:
        return accounts
    if len(accounts) > 1:
        raise InvalidInputError(
            "account", f"{source.where} holds {len(accounts)} accounts", "it for a store with one"
        )
    return [replace(account, name=name) for account in accounts]


def _silent(_doing: Doing, _table: str, _done: int, _total: int) -> None:
    """Tell nobody."""


class _Moving:
    """One move, from one moment of the source."""

    def __init__(
        self, source: MoveSource, target: MoveTarget, accounts: list[Account], progress: Progress
    ) -> None:
        self._source = source
        self._target = target
        self._progress = progress
        self._accounts = accounts
        kept = target.keeps_vectors
        self._tables = [table for table in TABLES if kept or table is not VECTORS]
        self._moved = {table.name: Moved() for table in self._tables}

    def refuse_what_is_not_ours(self) -> None:
        """Raise an error where the target holds what did not come from this store, or was
        written to since: nothing of that is ever overwritten.
        """
        for account in self._accounts:
            with self._target.step():
                number, _ = self._target.account(account.name) or (0, 0)
                scopes = self._target.scopes(number)
                origin = self._target.origin(number)
            if origin is None and not scopes:
                continue
            where = f"{self._target.where} holds the account {account.name} already"
            if origin is None:
                raise StorageError(f"{where}, with memories of its own. Use another database.")
            if origin != account.origin:
                raise StorageError(f"{where}, moved from another store. Use another database.")
            self._source.enter(account.id)
            known = {(scope.kind, scope.name) for scope in self._source.scopes()}
            if scopes.keys() - known or self._went_on(account, number):
                raise StorageError(
                    f"{where}, and it was written to since it was moved there. Moving it again "
                    "would undo that; nothing was changed."
                )

    def make_room(self) -> None:
        """Make accounts, scopes and models, and let fresh numbers be larger than moved ones."""
        with self._target.step():
            self._target.pass_numbers(self._source.numbers())
            models = self._source.models().items()
            self._target.make_models((name, dimensions) for name, (_, dimensions) in models)
        for account in self._accounts:
            self._source.enter(account.id)
            with self._target.step():
                number = self._target.make_account(
                    account.name,
                    created_at=account.created_at,
                    origin=account.origin,
                    extent=self._source.extent(),
                )
                self._target.make_scopes(number, self._source.scopes())

    def remove_what_is_gone(self) -> None:
        """Remove what was moved and deleted in the source since, first what refers to others: so
        nothing refers to what goes, and what takes the place of something else finds room.
        """
        places = [self._place(account) for account in self._accounts]
        for table in reversed([table for table in self._tables if table.shrinks]):
            for place in places:
                for portion in portions(self._source, self._target, table.bare, place):
                    surplus = portion.surplus
                    with self._target.step():
                        self._target.remove(table, place.number, surplus)
                    self._moved[table.name].removed += len(surplus)

    def move(self) -> None:
        """Write what is missing or different."""
        for place, portion in self._walk("moving"):
            missing, different, surplus = portion.missing, portion.different, portion.surplus
            table = portion.table
            if surplus:
                raise StorageError(self._told(place, table, surplus[0], "is only there"))
            with self._target.step():
                self._target.add(table, place.number, missing)
                self._target.change(table, place.number, different)
            moved = self._moved[table.name]
            moved.added += len(missing)
            moved.changed += len(different)

    def verify(self) -> None:
        """Read everything back and compare; raise an error that names the first difference."""
        sums = {table.name: (sha256(), sha256()) for table in self._tables}
        for place, portion in self._walk("verifying"):
            self._refuse_difference(place, portion)
            name, key_of = portion.table.name, portion.table.key_of
            for row in portion.wanted:
                sums[name][0].update(repr(row).encode())
                sums[name][1].update(repr(portion.there[key_of(row)]).encode())
            self._moved[name].rows += len(portion.wanted)
        for name, (ours, theirs) in sums.items():
            if ours.digest() != theirs.digest():
                raise StorageError(f"{self._target.where}: the checksum of {name} differs.")
            self._moved[name].checksum = theirs.hexdigest()

    def report(self) -> Report:
        """Return what was done, and what came since."""
        left_out = 0 if self._target.keeps_vectors else sum(self._count(VECTORS))
        names = [account.name for account in self._accounts]
        return Report(names, self._moved, left_out, self._source.later())

    def _walk(self, doing: Doing) -> Iterator[tuple[Place, RowBatch]]:
        """Return every table of every account in portions; each counts as done when the next one
        is asked for.
        """
        places = [self._place(account) for account in self._accounts]
        for table in self._tables:
            total = sum(self._count(table))
            done = 0
            self._progress(doing, table.name, done, total)
            for place in places:
                for portion in portions(self._source, self._target, table, place):
                    yield place, portion
                    done += len(portion.wanted)
                    self._progress(doing, table.name, done, total)

    def _count(self, table: Table) -> Iterator[int]:
        for account in self._accounts:
            self._source.enter(account.id)
            yield self._source.count(table)

    def _place(self, account: Account) -> Place:
        with self._target.step():
            known = self._target.account(account.name)
        if known is None or known[1] != account.created_at:
            raise StorageError(
                f"{self._target.where}: the account {account.name} was not moved there."
            )
        return place_of(self._source, self._target, account, known[0])

    def _went_on(self, account: Account, number: int) -> bool:
        """Tell whether the target holds anything that did not come from this store.

        What the source deleted is only there, too. So it counts how far the source was when it was
        last moved; where nobody wrote that down, the target's journal must be a beginning of the
        source's.
        """
        place = place_of(self._source, self._target, account, number)
        with self._target.step():
            extent = self._target.extent(number)
            beyond = extent is not None and self._target.went_beyond(number, extent)
        now = self._source.extent()
        # A copy that stayed behind, from which what came later would seem to be deleted.
        behind = extent is not None and (now.event < extent.event or now.edge < extent.edge)
        if beyond or behind:
            return True
        walk = portions(self._source, self._target, EVENTS, place)
        return any(portion.different or (extent is None and portion.surplus) for portion in walk)

    def _refuse_difference(self, place: Place, portion: RowBatch) -> None:
        table = portion.table
        for row in (*portion.missing, *portion.different):
            key = table.key_of(row)
            there = portion.there.get(key)
            if there is None:
                raise StorageError(self._told(place, table, key, "is not there"))
            pairs = zip(table.columns, row, there, strict=True)
            [column, *_] = [name for name, wanted, actual in pairs if wanted != actual]
            raise StorageError(self._told(place, table, key, f"has another {column}"))
        for key in portion.surplus:
            raise StorageError(self._told(place, table, key, "is only there"))

    def _told(self, place: Place, table: Table, key: Key, problem: str) -> str:
        row = " ".join(map(str, key))
        return f"{self._target.where}: {table.name} {row} of {place.account.name} {problem}."
