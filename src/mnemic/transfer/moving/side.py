"""One end of an exchange: a store of either backend, in one transaction."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from mnemic.records.audit_entry import Act
from mnemic.storage.tables import Key, Table, Values

# What gets its number from a counter of the store.
Numbered = Literal["memory", "event", "edge", "job"]


@dataclass(frozen=True, slots=True)
class Owner:
    """An account."""

    id: int
    name: str
    created_at: int


@dataclass(frozen=True, slots=True)
class ScopeRow:
    """A scope; its number means something in its own store only."""

    id: int
    kind: str
    name: str
    decayed_at: int | None
    decay_rate: float
    created_at: int


class Side(Protocol):
    """A store, in a transaction that begins when it is opened: who reads sees one moment, what is
    written is kept as a whole at the commit. Except for accounts and models, everything is about
    the account that was entered last. Rows are alike on both backends: true and false for
    booleans, half-precision bytes for vectors.
    """

    @property
    def where(self) -> str:
        """Where the store is, as it may be shown."""
        ...

    @property
    def keeps_vectors(self) -> bool:
        """Whether this store can keep vectors."""
        ...

    def close(self) -> None:
        """Let go of the store. What was not committed is gone."""
        ...

    def commit(self) -> None:
        """Keep everything that was written."""
        ...

    def owners(self) -> list[Owner]:
        """Return the accounts, in the order in which they were made."""
        ...

    def add_owner(self, name: str, created_at: int) -> int:
        """Make an account, and return its number."""
        ...

    def enter(self, account_id: int) -> None:
        """Be about this account from now on."""
        ...

    def scopes(self) -> list[ScopeRow]:
        """Return the scopes, in the order in which they were made. Of a store that is written to,
        nobody else changes what is in them until the end.
        """
        ...

    def add_scope(self, scope: ScopeRow) -> int:
        """Make a scope under a number of this store, and return that."""
        ...

    def models(self) -> dict[str, tuple[int, int]]:
        """Return each model's number and dimensions by its name."""
        ...

    def add_model(self, name: str, dimensions: int) -> int:
        """Make a model, and return its number."""
        ...

    def count(self, table: Table) -> int:
        """Return how many rows of a table there are."""
        ...

    def rows(
        self,
        table: Table,
        *,
        after: Key | None = None,
        upto: Key | None = None,
        limit: int | None = None,
    ) -> list[Values]:
        """Return rows in the order of the key: those after a key, up to and with another. Both may
        be the beginning of a key.
        """
        ...

    def portions(self, table: Table) -> Iterator[list[Values]]:
        """Return all rows in the order of the key, some at a time."""
        ...

    def at(self, table: Table, keys: Sequence[Key]) -> list[Values]:
        """Return the rows that have these keys, or keys that begin so, in any order."""
        ...

    def strangers(self, numbers: Sequence[int]) -> set[int]:
        """Return which of these numbers memories of other accounts have, where accounts share
        numbers.
        """
        ...

    def add(self, table: Table, rows: Sequence[Values]) -> None:
        """Add rows; ConflictError where something with such a key is there already."""
        ...

    def count_up(self, table: Table, rows: Iterable[Values], *, latest: Sequence[str]) -> None:
        """Add the numbers in rows to what is there under the same keys, or else the rows. Columns
        that are `latest` become the larger of both.
        """
        ...

    def is_free(self, what: Numbered, first: int, last: int) -> bool:
        """Tell whether nothing that shares numbers with this account has one in a range."""
        ...

    def ticks(self, count: int) -> list[int]:
        """Return fresh numbers for changes of what can be found, ascending."""
        ...

    def moved_on(self, clocks: Mapping[int, int]) -> None:
        """Let those who search know how far the changes of each scope are."""
        ...

    def reserve(self, what: Numbered, count: int) -> int:
        """Return the first of so many numbers in a row that nobody else will ever get."""
        ...

    def record(self, act: Act, *, at: int, actor: str, target: str, counts: str) -> None:
        """Write to the audit log what is done to the account that was entered, as JSON how much."""
        ...

    def pass_number(self, what: Numbered, largest: int) -> None:
        """Let every number that is given out from now on be larger than this one."""
        ...
