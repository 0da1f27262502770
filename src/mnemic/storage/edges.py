"""Named relations between two memories."""

from datetime import datetime

from mnemic.storage.database import Database
from mnemic.storage.times import to_micros


def link(db: Database, from_id: int, to_id: int, relation: str, *, now: datetime) -> None:
    """Say that one memory relates to another; saying it twice changes nothing."""
    db.run("edge_add", from_id=from_id, to_id=to_id, relation=relation, now=to_micros(now))


def targets(db: Database, from_id: int, relation: str) -> list[int]:
    """Return the memories that one relates to."""
    rows = db.all("edge_targets", from_id=from_id, relation=relation)
    return [row["to_id"] for row in rows]
