"""A SQLite file as one end of an exchange."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast

import apsw

from mnemic.errors import ConflictError, InvalidInputError, StorageError, UnusableStoreError
from mnemic.records.audit_entry import Act
from mnemic.runtime.encryption import EncryptionKey
from mnemic.runtime.private_files import make_folder
from mnemic.settings import Durability
from mnemic.storage.sqlite.connection import connect, migrate, translating
from mnemic.storage.tables import BOOLEANS, VECTORS, Key, Table, Values
from mnemic.transfer.moving.side import Numbered, Owner, ScopeRow

_OF_ACCOUNT: Final = "scope in (select id from scope where account_id = :account)"
# The others know their account by their scope.
_WITH_ACCOUNT: Final = frozenset({"item", "job", "job_queue"})


_TAKEN: Final = (apsw.SQLITE_CONSTRAINT_UNIQUE, apsw.SQLITE_CONSTRAINT_PRIMARYKEY)


class SqliteSide:
    """One file. Who writes holds the write lock from the beginning on."""

    keeps_vectors = True

    def __init__(
        self,
        path: Path,
        *,
        key: EncryptionKey | None,
        writing: bool,
        busy_seconds: float = 30.0,
        durability: Durability,
    ) -> None:
        if not writing and not path.exists():
            raise UnusableStoreError(f"{path} is not there.")
        self.where = str(path)
        self._path = path
        self._account = 0
        with translating(path):
            make_folder(path.parent)
            self._connection = connect(
                path, key=key, busy_seconds=busy_seconds, durability=durability
            )
            migrate(self._connection, path, key=key)
            self._connection.execute("begin immediate" if writing else "begin")

    def close(self) -> None:
        """Let go of the file. What was not committed is gone."""
        self._connection.close()

    def commit(self) -> None:
        """Keep everything that was written."""
        with translating(self._path):
            self._connection.execute("commit")

    def owners(self) -> list[Owner]:
        """Return the accounts, in the order in which they were made."""
        rows = self._run("select id, name, created_at from account order by id")
        return [Owner(*row) for row in rows]

    def add_owner(self, name: str, created_at: int) -> int:
        """Make an account, and return its number."""
        return self._number(
            "insert into account (name, created_at) values (:name, :at) returning id",
            name=name,
            at=created_at,
        )

    def enter(self, account_id: int) -> None:
        """Be about this account from now on."""
        self._account = account_id

    def scopes(self) -> list[ScopeRow]:
        """Return the scopes, in the order in which they were made."""
        rows = self._run(
            "select id, kind, name, decayed_at, decay_rate, created_at from scope"
            " where account_id = :account order by id"
        )
        return [ScopeRow(*row) for row in rows]

    def add_scope(self, scope: ScopeRow) -> int:
        """Make a scope under a number of this store, and return that."""
        return self._number(
            "insert into scope (account_id, kind, name, decayed_at, decay_rate, created_at)"
            " values (:account, :kind, :name, :decayed_at, :rate, :at) returning id",
            kind=scope.kind,
            name=scope.name,
            decayed_at=scope.decayed_at,
            rate=scope.decay_rate,
            at=scope.created_at,
        )

    def models(self) -> dict[str, tuple[int, int]]:
        """Return each model's number and dimensions by its name."""
        rows = self._run("select name, id, dimensions from model order by id")
        return {name: (number, dimensions) for name, number, dimensions in rows}

    def add_model(self, name: str, dimensions: int) -> int:
        """Make a model, and return its number."""
        return self._number(
            "insert into model (name, dimensions) values (:name, :size) returning id",
            name=name,
            size=dimensions,
        )

    def count(self, table: Table) -> int:
        """Return how many rows of a table there are."""
        return self._number(f"select count(*) from {table.source} where {_OF_ACCOUNT}")  # noqa: S608  our own names

    def rows(
        self,
        table: Table,
        *,
        after: Key | None = None,
        upto: Key | None = None,
        limit: int | None = None,
    ) -> list[Values]:
        """Return rows in the order of the key, between two keys or beginnings of keys."""
        bounds = [
            _bound(table, sign, name, len(key))
            for sign, name, key in ((">", "a", after), ("<=", "u", upto))
            if key is not None
        ]
        sql = (
            f"select {', '.join(table.columns)} from {table.source}"  # noqa: S608  our own names
            f" where {' and '.join([_OF_ACCOUNT, *bounds])}"
            f" order by {', '.join(table.key)} limit :limit"
        )
        values = {f"a{place}": value for place, value in enumerate(after or ())}
        values |= {f"u{place}": value for place, value in enumerate(upto or ())}
        return _read(table, self._run(sql, limit=-1 if limit is None else limit, **values))

    def portions(self, table: Table) -> Iterator[list[Values]]:
        """Return all rows in the order of the key, some at a time."""
        after: Key | None = None
        while rows := self.rows(table, after=after, limit=table.portion):
            yield rows
            after = table.key_of(rows[-1])

    def at(self, table: Table, keys: Sequence[Key]) -> list[Values]:
        """Return the rows that have these keys, or keys that begin so, in any order."""
        length = len(keys[0]) if keys else table.keys
        parts = ", ".join(f"value ->> {place}" for place in range(length))
        sql = (
            f"select {', '.join(table.columns)} from {table.source} where {_OF_ACCOUNT}"  # noqa: S608  our own names
            f" and ({', '.join(table.key[:length])}) in (select {parts} from json_each(:keys))"
        )
        return _read(table, self._run(sql, keys=json.dumps(keys)))

    def strangers(self, numbers: Sequence[int]) -> set[int]:
        """Return which of these numbers memories of other accounts have."""
        rows = self._run(
            "select m.id from memory m join scope s on s.id = m.scope_id"
            " where m.id in (select value from json_each(:numbers)) and s.account_id != :account",
            numbers=json.dumps(numbers),
        )
        return {number for (number,) in rows}

    def add(self, table: Table, rows: Sequence[Values]) -> None:
        """Add rows; ConflictError where something with such a key is there already."""
        self._write(table, rows, "")

    def count_up(self, table: Table, rows: Iterable[Values], *, latest: Sequence[str]) -> None:
        """Add the numbers in rows to what is there under the same keys, or else the rows."""
        changes = ", ".join(
            f"{name} = max({name}, excluded.{name})"
            if name in latest
            else f"{name} = {name} + excluded.{name}"
            for name in table.columns[table.keys :]
        )
        self._write(
            table, list(rows), f"on conflict ({', '.join(table.key)}) do update set {changes}"
        )

    def is_free(self, what: Numbered, first: int, last: int) -> bool:
        """Tell whether nothing that shares numbers with this account has one in a range."""
        number, mine = ("number", "and account_id = :account") if what == "job" else ("id", "")
        table = "job_queue" if what == "job" else what
        sql = (
            f"select exists (select 1 from {table} where {number} between :first and :last {mine})"  # noqa: S608  our own names
        )
        return not self._number(sql, first=first, last=last)

    def ticks(self, count: int) -> list[int]:
        """Return fresh numbers for changes of what can be found, ascending."""
        last = self._number("update clock set seq = seq + :count returning seq", count=count)
        return list(range(last - count + 1, last + 1))

    def moved_on(self, clocks: Mapping[int, int]) -> None:
        """Nothing is to be told: here, there is one clock for all scopes."""

    def reserve(self, what: Numbered, count: int) -> int:
        """Return the first of so many numbers in a row that nobody else will ever get."""
        last = self._last(what)
        self.pass_number(what, last + count)
        return last + 1

    def pass_number(self, what: Numbered, largest: int) -> None:
        """Let every number that is given out from now on be larger than this one."""
        if what == "job":
            self._run("update job_clock set number = max(number, :largest)", largest=largest)
        elif self._last(what) < largest:
            self._run("delete from sqlite_sequence where name = :what", what=what)
            self._run(
                "insert into sqlite_sequence (name, seq) values (:what, :largest)",
                what=what,
                largest=largest,
            )

    def record(self, act: Act, *, at: int, actor: str, target: str, counts: str) -> None:
        """Write to the audit log what is done to the account that was entered."""
        self._run(
            "insert into audit_entry (account_number, at, actor, act, target, counts, outcome)"
            " values (:account, :at, :actor, :act, :target, :counts, 'done')",
            at=at,
            actor=actor,
            act=act,
            target=target,
            counts=counts,
        )

    def _last(self, what: Numbered) -> int:
        if what == "job":
            return self._number("select number from job_clock")
        return self._number(
            "select coalesce(max(seq), 0) from sqlite_sequence where name = :what", what=what
        )

    def _write(self, table: Table, rows: Sequence[Values], otherwise: str) -> None:
        columns = table.columns
        name = table.name
        if table.name == VECTORS.name:
            # Here a vector knows its scope by its document.
            name, columns = "vector", ("doc", "model_id", "data")
            rows = [(doc, model, data) for doc, _, model, data in rows]
        extra = ("account_id",) if name in _WITH_ACCOUNT else ()
        marks = ", ".join(f":c{place}" for place in range(len(columns) + len(extra)))
        sql = f"insert into {name} ({', '.join((*columns, *extra))}) values ({marks}) {otherwise}"  # noqa: S608  our own names
        bound = [
            {f"c{place}": value for place, value in enumerate((*row, self._account))}
            for row in rows
        ]
        try:
            with translating(self._path):
                self._connection.executemany(sql, bound)
        except StorageError as error:
            cause = error.__cause__
            if not isinstance(cause, apsw.ConstraintError):
                raise
            if cast("Any", cause).extendedresult in _TAKEN:
                raise ConflictError(f"{table.name}: {cause}") from error
            raise InvalidInputError(table.name, str(cause), "what an export writes") from error

    def _number(self, sql: str, **values: Any) -> int:
        [(number,)] = self._run(sql, **values)
        return number

    def _run(self, sql: str, **values: Any) -> list[Values]:
        values.setdefault("account", self._account)
        with translating(self._path):
            return self._connection.execute(sql, values).fetchall()


def _bound(table: Table, sign: str, name: str, length: int) -> str:
    marks = ", ".join(f":{name}{place}" for place in range(length))
    return f"({', '.join(table.key[:length])}) {sign} ({marks})"


def _read(table: Table, rows: list[Values]) -> list[Values]:
    places = [place for place, name in enumerate(table.columns) if name in BOOLEANS]
    if not places:
        return rows
    return [
        tuple(bool(value) if place in places else value for place, value in enumerate(row))
        for row in rows
    ]
