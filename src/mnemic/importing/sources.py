"""What every reader makes of a file: entries, one for each memory, and what goes with them."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Literal

from mnemic.engine.arriving import Arrival
from mnemic.items import Relation
from mnemic.records import Episode


@dataclass(frozen=True, slots=True)
class Entry:
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
class Source:
    """An opened file. `total` is how many entries there will be.

    Where `runs` are given, the drafts name them by the ids that they have in the file.
    """

    total: int
    entries: Iterable[Entry]
    runs: tuple[Episode, ...] = ()
    links: tuple[NamedLink, ...] = ()
