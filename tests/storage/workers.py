"""What workers do with jobs, in as few words as tests need."""

from datetime import datetime, timedelta

from mnemic.opening import open_database
from mnemic.records.memory import JobStatus, Scope
from mnemic.settings import read_settings
from mnemic.storage.chat_rows import job_rows
from mnemic.storage.chat_rows.job_rows import Claim
from mnemic.storage.database import Database
from mnemic.storage.rows import scope_rows
from tests.conftest import NOON

LEASE = timedelta(minutes=2)
SECOND = timedelta(seconds=1)
KITCHEN = Scope("collection", "kitchen")
GARDEN = Scope("collection", "garden")
KIND = "compact"


def open_store(database: str) -> Database:
    """Return the store as workers see it: of no account."""
    return open_database(read_settings({"database": database, "durability": "off"}, {}))


def account(store: Database, name: str) -> Database:
    return store.as_account(scope_rows.ensure_account(store, name, now=NOON))


def add(db: Database, job_id: str, scope: Scope = KITCHEN, **more: object) -> bool:
    values = {"kind": KIND, "payload": {"turn": 1}, "now": NOON, **more}
    return db.write(lambda: job_rows.add(db, job_id, scope=scope, **values))  # pyright: ignore[reportArgumentType]


def take(db: Database, now: datetime = NOON, kind: str = KIND, worker: str = "w") -> Claim | None:
    return job_rows.claim(db, kinds=[kind], worker=worker, now=now, lease=LEASE)


def must_take(db: Database, now: datetime = NOON) -> Claim:
    taken = take(db, now)
    assert taken is not None
    return taken


def finish(db: Database, held: Claim, now: datetime = NOON) -> None:
    mine = db.as_account(held.account_id)
    mine.write(lambda: job_rows.finish(mine, held, now=now))


def fail(db: Database, held: Claim, now: datetime = NOON) -> JobStatus:
    return db.write(lambda: job_rows.fail(db, held, error="no answer", now=now))


def beat(db: Database, held: Claim, now: datetime = NOON, progress: float | None = None) -> str:
    return db.write(lambda: job_rows.heartbeat(db, held, now=now, lease=LEASE, progress=progress))


def cancel(db: Database, job_id: str) -> bool:
    return db.write(lambda: job_rows.cancel(db, job_id, now=NOON))


def taken_id(taken: Claim | None) -> str | None:
    return taken.job.id if taken else None


def status(db: Database, job_id: str) -> str | None:
    job = job_rows.get(db, job_id)
    return job.status if job else None
