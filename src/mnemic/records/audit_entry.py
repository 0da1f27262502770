"""The audit log: who did what to a store, in names, ids and numbers only."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

Act = Literal[
    "key.create",
    "key.rotate",
    "key.revoke",
    "key.refused",
    "export",
    "import",
    "backup",
    "restore",
    "migrate",
    "reindex",
    "encrypt",
    "decrypt",
    "erase",
    "job.retry",
    "job.cancel",
    "scope.rebuild",
    "scope.compact",
    "scope.maintain",
]
"""What is written down: acts of who looks after a store, and keys that were refused."""

Outcome = Literal["done", "refused", "failed"]


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One act. It holds no text of a memory and nothing of a key but its id."""

    id: int
    at: datetime
    account: str | None
    """Whose memories it was about; None for a whole store, or where nobody knows."""

    actor: str
    """The name of the key, or of the user of this machine."""

    key_id: str | None
    act: Act
    target: str | None
    """What it was done to: the id of a key or a job, a file, a scope."""

    outcome: Outcome
    counts: dict[str, int] = field(default_factory=dict[str, int])
    request_id: str | None = None
    address: str | None = None
    """From where a refused key came, as the server sees it."""
