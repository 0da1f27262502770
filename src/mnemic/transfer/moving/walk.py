"""Both sides of a move, side by side: the rows as they should be, and what is there."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mnemic.errors import StorageError
from mnemic.storage.tables import SCOPES, Key, Table, Values
from mnemic.transfer.moving.move_source import Account, MoveSource
from mnemic.transfer.moving.move_target import MoveTarget


@dataclass(frozen=True, slots=True)
class Place:
    """An account, and the numbers that things have in the target; 0 where they are not there."""

    account: Account
    number: int
    scopes: Mapping[int, int]
    models: Mapping[int, int]

    def wanted(self, table: Table, rows: Iterable[Values]) -> list[Values]:
        """Return rows of the source as they are to be in the target, in the order of its key."""
        renamed: dict[str, Callable[[Any], Any]] = {
            "scope_id": self.scopes.__getitem__,
            "model_id": self.models.__getitem__,
        }
        if table.name == SCOPES.name:
            renamed["id"] = self.scopes.__getitem__
        changes = [
            (place, renamed[column])
            for place, column in enumerate(table.columns)
            if column in renamed
        ]
        made: list[Values] = []
        for row in rows:
            values = list(row)
            for place, change in changes:
                values[place] = change(values[place])
            made.append(tuple(values))
        return sorted(made, key=table.key_of)


@dataclass(frozen=True, slots=True)
class RowBatch:
    """Some rows as they should be, and everything that is there in their place."""

    table: Table
    wanted: list[Values]
    there: dict[Key, Values]

    @property
    def missing(self) -> list[Values]:
        """The rows that are not there."""
        return [row for row in self.wanted if self.table.key_of(row) not in self.there]

    @property
    def different(self) -> list[Values]:
        """The rows that are there, but not as they should be."""
        key_of, there = self.table.key_of, self.there
        return [row for row in self.wanted if there.get(key_of(row), row) != row]

    @property
    def surplus(self) -> list[Key]:
        """What is there and should not be."""
        return sorted(self.there.keys() - {self.table.key_of(row) for row in self.wanted})


def place_of(source: MoveSource, target: MoveTarget, account: Account, number: int) -> Place:
    """Return what the things of an account are called in the target."""
    with target.step():
        scopes, models = target.scopes(number), target.models()
    numbers = source.models()
    for name, (_, dimensions) in numbers.items():
        if name in models and models[name][1] != dimensions:
            raise StorageError(
                f"{target.where} knows the model {name} with {models[name][1]} dimensions, and "
                f"{source.where} with {dimensions}. Vectors of the two cannot be mixed."
            )
    source.enter(account.id)
    return Place(
        account,
        number,
        {scope.id: scopes.get((scope.kind, scope.name), 0) for scope in source.scopes()},
        {model_id: models.get(name, (0, 0))[0] for name, (model_id, _) in numbers.items()},
    )


def portions(
    source: MoveSource, target: MoveTarget, table: Table, place: Place
) -> Iterator[RowBatch]:
    """Walk through both sides of a table; the last portion is what only the target has."""
    after: Key | None = None
    source.enter(place.account.id)
    for rows in source.portions(table):
        wanted = place.wanted(table, rows)
        last = table.key_of(wanted[-1])
        with target.step():
            there = target.rows_by_key(table, place.number, after=after, upto=last)
        yield RowBatch(table, wanted, there)
        after = last
    with target.step():
        beyond = target.rows_by_key(table, place.number, after=after, upto=None)
    yield RowBatch(table, [], beyond)
