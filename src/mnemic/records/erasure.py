"""What an erasure leaves behind: a receipt that says what kind of thing went, not what it said."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from mnemic.records.access_key import Right

ErasedKind = Literal["memory", "conversation", "session", "user", "collection", "account"]
ERASED_KINDS: Final[tuple[ErasedKind, ...]] = (
    *("memory", "conversation", "session", "user", "collection", "account"),
)
REDACTED: Final = "[erased]"
"""What stands in a message in the place of a text that was erased."""


@dataclass(frozen=True, slots=True)
class Erasure:
    """The receipt of an erasure, or what a dry run found. It holds nothing of what was erased.

    `mark` is a hash by which the same thing is recognised in an older copy of the store, `account`
    the one of its account, `made_at` when it had come into being, and `number` the one that a
    memory had. `counts` says how many rows of which kind went. `finished_at`
    is None while traces may be left in free pages or in the log: the next start removes them.
    """

    id: str
    kind: ErasedKind
    account: str
    mark: str
    made_at: datetime
    number: int | None
    counts: Mapping[str, int]
    actor: str
    erased_at: datetime
    finished_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class AppliedReceipts:
    """What receipts of another copy did to this one: what was erased, and the ids of receipts that
    could mean one of several memories, of which none was erased.
    """

    erased: tuple[Erasure, ...]
    undecided: tuple[str, ...] = ()


def right_to_erase(kind: object) -> Right:
    """Return the right that erasing needs: who may write may take back what was written, and a
    whole account is an administrator's business.
    """
    return "admin" if kind == "account" else "write"
