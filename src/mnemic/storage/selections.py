"""Which rows of a table with plain columns are meant, and in which order: compiled to SQL.

Everything a caller gives is bound; column names are ours.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, Self

from mnemic.records.item import Order

Operator = Literal["=", ">=", "<=", "in"]
Way = Literal["gather", "walk"]
Value = bool | str | int | float | list[int] | list[str]

_TYPES: Final = {bool: "boolean", str: "text", int: "bigint", float: "double precision"}


@dataclass(frozen=True, slots=True)
class Where:
    """One condition on a column, which is given with the name of its table, or on an expression;
    `{moment}` in that stands for a time in microseconds.
    """

    column: str
    operator: Operator
    value: Value
    moment: int | None = None


@dataclass(frozen=True, slots=True)
class Selection:
    """Rows of one account that pass every condition, sorted by a column and then in the order in
    which they were made.

    `account` names the column of that, and `made` the number by which rows were made. `narrow`
    tells that the conditions name scopes of the account, so that no row of another one can pass.
    `way` tells how to get at sorted rows: where few pass, by gathering them by the conditions and
    sorting then; where many do, by walking through all in their order until enough have passed.
    """

    conditions: tuple[Where, ...] = ()
    sort: str | None = None
    order: Order = "desc"
    ties: Order = "desc"
    account: str = "i.account_id"
    made: str = "i.memory_id"
    narrow: bool = False
    way: Way | None = None

    def having(self, conditions: Sequence[Where]) -> Self:
        """Return the rows that pass these conditions, too."""
        return replace(self, conditions=(*self.conditions, *conditions))

    def sorted_by(self, column: str, order: Order, *, ties: Order | None = None) -> Self:
        """Return the same rows in another order; of equals, those made first come first, or last
        where `ties` or, without it, the order is desc.
        """
        return replace(self, sort=column, order=order, ties=ties or order)


@dataclass(frozen=True, slots=True)
class Spelling:
    """How a backend writes what differs: a parameter, one of many values, the order of texts."""

    parameter: Callable[[str, str], str]
    among: Callable[[str], str]
    collation: str
    aside: str
    """What keeps a condition from being looked up in an index."""

    has_walls: bool
    """Whether rows are kept by account: then it is named, whatever else is."""


def compile_selection(selection: Selection, spelling: Spelling) -> tuple[str, dict[str, Value]]:
    """Return what stands behind `where`, the order included, and its bindings."""
    bound: dict[str, Value] = {}
    terms: list[str] = []
    if spelling.has_walls or not selection.narrow:
        terms.append(f"{selection.account} = {spelling.parameter('account_id', 'bigint')}")
    for number, condition in enumerate(selection.conditions):
        name = f"s{number}"
        bound[name] = condition.value
        parameter = spelling.parameter(name, _type_of(condition.value))
        column = _spelled(condition.column, selection, spelling)
        if condition.moment is not None:
            bound[f"{name}_moment"] = condition.moment
            column = column.format(moment=spelling.parameter(f"{name}_moment", "bigint"))
        if condition.operator == "in":
            terms.append(f"{column} in ({spelling.among(parameter)})")
        else:
            terms.append(f"{column} {condition.operator} {parameter}")
    sql = " and ".join(terms)
    if selection.sort is not None:
        order = selection.order
        # An expression has no index: what it sorts must be gathered by the conditions.
        sort = f"{selection.sort} + 0" if selection.way == "gather" else selection.sort
        sql += f" order by {sort} {order}, {selection.made} {selection.ties}"
    return sql, bound


def _spelled(column: str, selection: Selection, spelling: Spelling) -> str:
    """Return a column of a condition as it leads to the index that is meant."""
    if column.endswith(".uid"):
        return f"{column}{spelling.collation}"
    leads = column == selection.sort or column.endswith(".scope_id")
    return column if leads or selection.way != "walk" else f"{spelling.aside}{column}"


def _type_of(value: Value) -> str:
    if isinstance(value, list):
        return f"{_TYPES[type(value[0])] if value else 'bigint'}[]"
    return _TYPES[type(value)]
