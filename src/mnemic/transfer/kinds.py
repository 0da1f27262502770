"""The kinds of lines: which table each is of, and what its fields are called."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from mnemic.errors import InvalidInputError
from mnemic.storage import tables
from mnemic.storage.tables import Table, Values
from mnemic.transfer.cells import cell_of

# What a column is called in a line, where that differs.
_FIELDS: Final = {
    "scope_id": "scope",
    "memory_id": "memory",
    "turn_id": "turn",
    "conversation_id": "conversation",
    "branch_id": "branch",
    "episode_id": "episode",
    "job_id": "job",
    "floor_id": "floor",
    "from_id": "from",
    "to_id": "to",
    # `kind` is what a line itself is.
    "kind": "type",
}

# Memories go in the order in which search knows them: neighbours in a run stay neighbours.
BY_DOCUMENT: Final = replace(
    tables.MEMORIES,
    columns=("doc", *(column for column in tables.MEMORIES.columns if column != "doc")),
    portion=500,
)


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of line: a row of a table, without the columns that follow from others."""

    name: str
    table: Table
    left_out: frozenset[str] = field(default_factory=frozenset[str])

    def line(self, row: Values, scopes: Mapping[int, dict[str, str]]) -> dict[str, Any]:
        """Return a row as an object; what is null is left out."""
        told: dict[str, Any] = {"kind": self.name}
        for column, value in zip(self.table.columns, row, strict=True):
            if value is not None and column not in self.left_out:
                told[field_of(column)] = (
                    scopes[value] if column == "scope_id" else cell_of(column).write(value)
                )
        return told

    def row(self, told: Mapping[str, Any], scopes: Mapping[tuple[str, str], int]) -> dict[str, Any]:
        """Return what an object says, by column; InvalidInputError where it cannot be read."""
        row: dict[str, Any] = {}
        for column in self.table.columns:
            if column not in self.left_out:
                value = told.get(field_of(column))
                row[column] = (
                    scope_number(value, scopes)
                    if column == "scope_id"
                    else read_cell(column, value)
                )
        return row


def field_of(column: str) -> str:
    """Return what a column is called in a line."""
    return _FIELDS.get(column, column)


def scope_number(value: Any, scopes: Mapping[tuple[str, str], int]) -> int:
    """Return the number of a scope; InvalidInputError where no line before has named it."""
    try:
        return scopes[value["kind"], value["name"]]
    except (KeyError, TypeError) as error:
        raise InvalidInputError(
            "scope", f"{value!r} is not named before", "a scope that has a line of its own"
        ) from error


def read_cell(column: str, value: Any) -> Any:
    """Return a value of a line as it is stored; InvalidInputError where it cannot be read."""
    if value is None:
        return None
    cell = cell_of(column)
    if not isinstance(value, cell.types):
        allowed = " or ".join(kind.__name__ for kind in cell.types)
        raise InvalidInputError(field_of(column), f"it is a {type(value).__name__}", allowed)
    try:
        return cell.read(value)
    except ValueError as error:
        raise InvalidInputError(field_of(column), str(error), "what an export writes") from error


EPISODE: Final = Kind("episode", tables.EPISODES)
MEMORY: Final = Kind("memory", BY_DOCUMENT, frozenset({"doc", "content_hash", "measurement"}))
PERCEPTION: Final = Kind("perception", tables.PAYLOADS)
EDGE: Final = Kind("edge", tables.EDGES)
EVENT: Final = Kind("event", tables.EVENTS)
TALLY: Final = Kind("tally", tables.TALLIES, frozenset({"memories"}))
ACTIVITY: Final = Kind("activity", tables.ACTIVITIES)
USAGE: Final = Kind("usage", tables.USAGES)
CONVERSATION: Final = Kind("conversation", tables.CONVERSATIONS)
TURN: Final = Kind("turn", replace(tables.TURNS, portion=500))
VERSION: Final = Kind("version", tables.VERSIONS, frozenset({"turn_id"}))
MESSAGE: Final = Kind("message", tables.MESSAGES, frozenset({"turn_id"}))
SOURCE: Final = Kind("source", tables.SOURCES)
BRANCH: Final = Kind("branch", tables.BRANCHES)
PATH: Final = Kind("path", tables.PATHS)
ITEM: Final = Kind("item", tables.ITEMS, frozenset({"doc", "scope_kind"}))
STRUCK: Final = Kind("struck", tables.STRUCK)
SCOPE_STATE: Final = Kind("scope_state", tables.SCOPE_STATES)
JOB: Final = Kind("job", tables.JOBS)
QUEUED: Final = Kind("job_queue", tables.QUEUED, frozenset({"job_id"}))

# In the order in which they refer to each other; a turn holds its versions and messages, a job its
# place in the queue.
KINDS: Final = (
    *(EPISODE, MEMORY, PERCEPTION, EDGE, EVENT, TALLY, ACTIVITY, USAGE, CONVERSATION, TURN),
    *(SOURCE, BRANCH, PATH, ITEM, STRUCK, SCOPE_STATE, JOB),
)
