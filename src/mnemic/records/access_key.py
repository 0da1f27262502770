"""Keys: who may use a server, as which account, and for what."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, get_args

Right = Literal["read", "write", "admin"]
"""`read` looks things up and recalls, `write` changes what is remembered, `admin` steers background
work and reads what a server tells of itself. Each includes the ones before it."""

RIGHTS: Final[tuple[Right, ...]] = get_args(Right)


@dataclass(frozen=True, slots=True)
class Key:
    """A key as it is known here: all but the secret itself."""

    id: str
    account: str
    name: str
    right: Right
    """The most that it allows."""

    created_at: datetime
    revoked_at: datetime | None = None
    expires_at: datetime | None = None
    """From when on it opens nothing; None where it never ends by itself."""

    def has_expired(self, now: datetime) -> bool:
        """Tell whether it has ended by itself."""
        return self.expires_at is not None and now >= self.expires_at


def includes(held: Right, wanted: Right) -> bool:
    """Tell whether who has one right may do what needs another."""
    return RIGHTS.index(held) >= RIGHTS.index(wanted)
