"""What an import tells when it is done."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something that was not taken in: where it stands in the file, and why."""

    where: str
    reason: str


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What became of everything that was read: `read` is `added`, `known` and `skipped` together.

    `known` counts what was in the memory already, or earlier in the file, with the same text,
    context and time. `edges` and `episodes` count those that are new.
    """

    format: str
    read: int
    added: int
    known: int
    skipped: tuple[Skipped, ...]
    edges: int
    episodes: int

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON has it."""
        return asdict(self) | {"skipped": [asdict(line) for line in self.skipped]}
