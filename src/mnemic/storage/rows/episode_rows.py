"""Episode rows: one run of a robot each."""

import json
from datetime import datetime

from mnemic.records.memory import Context, Episode, Scope
from mnemic.storage.database import Database
from mnemic.storage.timestamps import from_micros, to_micros


def start(db: Database, episode_id: str, *, scope_id: int, context: Context, now: datetime) -> bool:
    """Open an episode; tell whether nobody's has that id already."""
    text = json.dumps(context, ensure_ascii=False)
    values = {"id": episode_id, "scope_id": scope_id, "context": text, "now": to_micros(now)}
    return db.run("episode_add", **values) == 1


def get(db: Database, episode_id: str) -> Episode | None:
    """Return one of the account's episodes."""
    row = db.one("episode_get", id=episode_id)
    if row is None:
        return None
    ended_at = row["ended_at"]
    return Episode(
        id=row["id"],
        scope=Scope(row["scope_kind"], row["scope_name"]),
        status=row["status"],
        context=json.loads(row["context"]),
        started_at=from_micros(row["started_at"]),
        ended_at=None if ended_at is None else from_micros(ended_at),
        outcome_score=row["outcome_score"],
    )


def end(db: Database, episode_id: str, *, outcome_score: float | None, now: datetime) -> None:
    """Close an episode."""
    db.run("episode_end", id=episode_id, outcome_score=outcome_score, now=to_micros(now))
