"""How large a store is, and what waits in it."""

from dataclasses import dataclass

from mnemic.records.memory import JobStatus, ScopeKind
from mnemic.storage.database import Database


@dataclass(frozen=True, slots=True)
class Size:
    """What a store takes up, and in which shape it is."""

    bytes: int
    schema: int


def size(db: Database) -> Size:
    """Return how many bytes a store has, and the number of its schema."""
    row = db.only("store_size")
    return Size(row["bytes"], row["schema"])


def check(db: Database) -> None:
    """Read the least that shows that the store answers; it raises where it does not."""
    db.only("store_check")


def unfinished_jobs(db: Database) -> dict[tuple[str, JobStatus], int]:
    """Return how many jobs of all accounts wait or are being done, by kind and status; the store
    must be seen by no account.
    """
    return {(row["kind"], row["status"]): row["jobs"] for row in db.all("jobs_unfinished")}


def memories(db: Database) -> dict[ScopeKind, int]:
    """Return how many memories of an account are in use, by the kind of their scope."""
    return {row["kind"]: row["memories"] for row in db.all("tally_by_scope_kind")}
