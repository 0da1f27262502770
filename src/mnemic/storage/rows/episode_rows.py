"""Episode rows: one run of a robot each."""

import json
from datetime import datetime

from mnemic.records.item import Page
from mnemic.records.memory import Context, Episode, EpisodeStatus, Scope
from mnemic.storage.database import Database, Row
from mnemic.storage.timestamps import from_micros, to_micros


def start(db: Database, episode_id: str, *, scope_id: int, context: Context, now: datetime) -> bool:
    """Open an episode; tell whether nobody's has that id already."""
    text = json.dumps(context, ensure_ascii=False)
    values = {"id": episode_id, "scope_id": scope_id, "context": text, "now": to_micros(now)}
    return db.run("episode_add", **values) == 1


def get(db: Database, episode_id: str) -> Episode | None:
    """Return one of the account's episodes."""
    row = db.one("episode_get", id=episode_id)
    return None if row is None else _episode(row)


def page(
    db: Database,
    *,
    scope_id: int | None,
    status: EpisodeStatus | None,
    limit: int,
    offset: int,
) -> Page[tuple[Episode, int]]:
    """Return a page of the account's episodes, the last begun first, and of how many memories."""
    wanted = {"scope_id": scope_id, "status": status}
    rows = db.all("episodes_page", **wanted, limit=limit, offset=offset)
    total = db.only("episodes_count", **wanted)["episodes"]
    return Page(tuple((_episode(row), row["memories"]) for row in rows), total)


def end(db: Database, episode_id: str, *, outcome_score: float | None, now: datetime) -> None:
    """Close an episode."""
    db.run("episode_end", id=episode_id, outcome_score=outcome_score, now=to_micros(now))


def _episode(row: Row) -> Episode:
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
