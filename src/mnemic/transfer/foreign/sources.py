"""What every reader makes of a file: entries, one for each memory, and what goes with them."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Literal

from mnemic.memory.adopt import Arrival
from mnemic.records.item import Relation
from mnemic.records.memory import Episode


@dataclass(frozen=True, slots=True)
class ForeignEntry:
    """One thing in a file: a memory, or the problem with it. Links call it by its `name`."""

    where: str
    found: Arrival | str
    name: Hashable = None


@dataclass(frozen=True, slots=True)
class NamedLink:
    """A relation between two entries."""

    from_name: Hashable
    to_name: Hashable
    relation: Relation | Literal["supersedes"]


@dataclass(frozen=True, slots=True)
class ForeignSource:
    """An opened file. `total` is how many entries there will be.

    Where `runs` are given, the drafts name them by the ids that they have in the file.
    """

    total: int
    entries: Iterable[ForeignEntry]
    runs: tuple[Episode, ...] = ()
    links: tuple[NamedLink, ...] = ()
