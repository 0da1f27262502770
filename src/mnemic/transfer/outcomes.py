"""What an export wrote, and what became of a file that was imported."""

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Exported:
    """What an export holds."""

    store: str
    accounts: list[str]
    lines: dict[str, int]
    has_vectors: bool

    def to_json(self) -> dict[str, Any]:
        """Return it as it is printed for machines."""
        return asdict(self)


@dataclass(slots=True)
class ImportedChanges:
    """What became of the memories that the store had already."""

    unchanged: int = 0
    updated: int = 0
    forgotten: int = 0
    restored: int = 0
    newer: int = 0
    """Changed here since the file was written."""
    kept: int = 0
    """Changed there, but changed here too: they are as they were here."""
    not_applied: dict[str, int] = field(default_factory=dict[str, int])
    """What differs there and stays as it is here, by kind."""


@dataclass(slots=True)
class Taken:
    """What became of one account of a file."""

    account: str
    read: dict[str, int] = field(default_factory=dict[str, int])
    added: dict[str, int] = field(default_factory=dict[str, int])
    vectors: int = 0
    renumbered: bool = False
    """Whether memories got new numbers, because theirs were taken."""
    changes: ImportedChanges = field(default_factory=ImportedChanges)


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did."""

    accounts: list[Taken]
    has_vectors: bool
    """Whether the file holds vectors; if not, they are still to be made."""

    def to_json(self) -> dict[str, Any]:
        """Return it as it is printed for machines."""
        return asdict(self)
