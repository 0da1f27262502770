"""Jobs: background work that is kept until it is done, once, in order within each scope.

What changes a job is called in the caller's transaction, so that work and its job stand or fall
together; only a claim makes its own.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal

from mnemic.errors import StateError
from mnemic.records.item import Order
from mnemic.records.memory import Context, Job, JobStatus, Scope
from mnemic.storage.database import Database, Row
from mnemic.storage.rows import scope_rows
from mnemic.storage.selections import Selection, Where
from mnemic.storage.timestamps import from_micros, to_micros

WAITING: Final[Sequence[JobStatus]] = ("pending", "retry_waiting")
UNFINISHED: Final[Sequence[JobStatus]] = (*WAITING, "leased", "running")

_FIRST_PAUSE: Final = timedelta(seconds=1)
_LONGEST_PAUSE: Final = timedelta(seconds=30)
# So many accounts take turns before others are looked for.
_MOST_ACCOUNTS: Final = 100
_WORKERS_LOST: Final = "Each of its workers was lost before it was done."

_JOBS: Final = Selection(account="j.account_id", made="j.number")

Hold = Literal["held", "lost", "cancelled"]


@dataclass(frozen=True, slots=True)
class Claim:
    """One worker's hold on one job, of whichever account. `lease` tells it from later ones."""

    account_id: int
    lease: int
    job: Job


def back_off(attempts: int) -> timedelta:
    """Return how long to wait after so many failed attempts: 1, 2, 4 … at most 30 seconds."""
    return min(_LONGEST_PAUSE, _FIRST_PAUSE * 2 ** min(attempts - 1, 10))


def add(
    db: Database,
    job_id: str,
    *,
    scope: Scope,
    kind: str,
    payload: Context,
    now: datetime,
    run_at: datetime | None = None,
    max_attempts: int = 5,
    floor_id: str | None = None,
    revision: int | None = None,
) -> bool:
    """Enqueue a job in its scope, at once or within a minute; tell whether it is new.

    The id is the idempotency key: the second time changes nothing. Workers are woken once the
    caller's transaction is committed.
    """
    # Whoever holds the scope enqueues alone: the order of numbers is the order of commits.
    scope_id = scope_rows.hold(db, scope, now=now)
    moment = to_micros(now)
    text = json.dumps(payload, ensure_ascii=False)
    if db.one("job_add", id=job_id, payload=text, now=moment) is None:
        return False
    db.run(
        "job_line_up",
        id=job_id,
        number=db.only("job_number")["number"],
        scope_id=scope_id,
        kind=kind,
        max_attempts=max_attempts,
        run_at=moment if run_at is None else to_micros(run_at),
        now=moment,
        floor_id=floor_id,
        revision=revision,
    )
    return True


def claim(
    db: Database,
    *,
    kinds: Sequence[str],
    worker: str,
    now: datetime,
    lease: timedelta,
    scope_id: int | None = None,
    after: int = 0,
    in_order: Callable[[Sequence[int]], Sequence[int]] = tuple,
) -> Claim | None:
    """Take the oldest due job of these kinds, or None. Two workers never hold the same one.

    A store that is seen by no account serves all of them, in the order that `in_order` gives to
    those with due jobs, else by their numbers from `after` on. In a scope, one job is held at a
    time, in the order in which they were added; one that waits to be tried again keeps its place.
    A lease that ran out is taken anew; after the last attempt the job is dead. What a
    clock that was ahead put far into the future is due, too. A `scope_id` restricts it to the line
    of one scope.
    """
    times = {
        "now": to_micros(now),
        "lease_until": to_micros(now + lease),
        # Twice as far off as they can be: the clocks of two workers are never quite the same.
        "far_off": to_micros(now + 2 * _LONGEST_PAUSE),
        "lost_lease": to_micros(now + 2 * lease),
    }
    wanted = {"kinds": list(kinds), "worker": worker, "scope_id": scope_id, **times}
    if scope_id is None:
        accounts = in_order(_due_accounts(db, wanted, after=after))
        views = map(db.as_account, accounts)
    else:
        views = iter((db,))
    for own in views:
        while (row := _taken(own, wanted)) is not None:
            taken = _claim(own, row)
            # It may be gone: whoever removes a scope removes its jobs.
            if taken is not None and taken.job.attempts <= taken.job.max_attempts:
                return taken
            if taken is not None:
                _bury(own, taken, now)
    return None


def _taken(db: Database, wanted: dict[str, Any]) -> Row | None:
    return db.write(lambda: db.one("job_claim", **wanted))


def _due_accounts(db: Database, wanted: dict[str, Any], *, after: int) -> Sequence[int]:
    """Return accounts with due jobs, at most so many, from one on and then from the first."""
    due = {name: wanted[name] for name in ("kinds", "now", "far_off", "lost_lease")}

    def found(start: int) -> list[int]:
        rows = db.all("job_accounts", **due, after=start, limit=_MOST_ACCOUNTS)
        return [row["account_id"] for row in rows]

    def read() -> list[int]:
        later = found(after)
        if not after or len(later) == _MOST_ACCOUNTS:
            return later
        return later + [account for account in found(0) if account <= after]

    return db.read(read)


def heartbeat(
    db: Database, held: Claim, *, now: datetime, lease: timedelta, progress: float | None = None
) -> Hold:
    """Show that the worker lives, and how much of the job is done, from 0 to 1.

    The lease then lasts from now on. Where it is `lost` to another worker, or the job was
    `cancelled`, nothing changes and the worker may stop.
    """
    until = to_micros(now + lease)
    if _changed(db, "job_heartbeat", held, lease_until=until, progress=progress, now=now):
        return "held"
    job = get(db, held.job.id)
    return "cancelled" if job is not None and job.status == "cancelled" else "lost"


def finish(db: Database, held: Claim, *, now: datetime, note: str | None = None) -> None:
    """End a job that is done. Who lost the lease is refused, with all of the transaction.

    A `note` tells what was not as it should be, though the job is done.
    """
    _insist(db, "job_end", held, status="succeeded", now=now)
    db.run("job_set_error", id=held.job.id, error=note)


def fail(
    db: Database,
    held: Claim,
    *,
    error: str,
    now: datetime,
    retry_at: datetime | None = None,
    for_good: bool = False,
) -> JobStatus:
    """Give back a job that went wrong: to be tried again, after a pause that grows with each
    attempt if no time is given, or dead after the last, or `for_good`. Who lost the lease is
    refused.
    """
    job = held.job
    is_last = for_good or job.attempts >= job.max_attempts
    if is_last:
        _insist(db, "job_end", held, status="dead_letter", now=now)
    else:
        run_at = to_micros(retry_at or now + back_off(job.attempts))
        _insist(db, "job_postpone", held, run_at=run_at, now=now)
    db.run("job_set_error", id=job.id, error=error)
    return "dead_letter" if is_last else "retry_waiting"


def release(db: Database, held: Claim, *, now: datetime) -> bool:
    """Give back a job that was not done, as if it had never been taken, so that another worker can
    take it at once; tell whether it was still held.
    """
    if not _changed(db, "job_release", held, now=now):
        return False
    # Nothing is added, but who waits for work is to look.
    db.only("job_number")
    return True


def cancel(
    db: Database, job_id: str, *, now: datetime, among: Sequence[JobStatus] = UNFINISHED
) -> bool:
    """Cancel a job that stands in one of these; tell whether it did. A worker that holds it hears
    of it at its next heartbeat, and cannot finish it any more.
    """
    return bool(db.run("job_cancel", id=job_id, statuses=list(among), now=to_micros(now)))


def retry(db: Database, job_id: str, *, now: datetime) -> bool:
    """Enqueue a dead or cancelled job anew, with all its attempts; tell whether it was one."""
    number = db.only("job_number")["number"]
    if not db.run("job_retry", id=job_id, number=number, now=to_micros(now)):
        return False
    db.run("job_set_error", id=job_id, error=None)
    return True


def forget(db: Database, job_id: str) -> None:
    """Remove a job that is over, so that its id can be used again."""
    db.run("job_forget", id=job_id)


def get(db: Database, job_id: str) -> Job | None:
    """Return one of the account's jobs."""
    row = db.one("job_get", id=job_id)
    return None if row is None else _job(row)


def listed(
    db: Database,
    *,
    statuses: Sequence[JobStatus] | None = None,
    kinds: Sequence[str] | None = None,
    limit: int = 50,
    offset: int = 0,
) -> list[Job]:
    """Return a page of the account's jobs, the last to enqueue first."""
    rows = db.all(
        "jobs_list",
        statuses=None if statuses is None else list(statuses),
        kinds=None if kinds is None else list(kinds),
        limit=limit,
        offset=offset,
    )
    return [_job(row) for row in rows]


def page(
    db: Database,
    conditions: Sequence[Where],
    *,
    sort: str,
    order: Order,
    limit: int,
    offset: int,
) -> tuple[list[Job], int]:
    """Return a page of the account's jobs that pass the conditions, and how many do."""
    chosen = _JOBS.having(conditions)
    ordered = chosen.sorted_by(f"j.{sort}", order)
    rows = db.all("jobs_page", filter=ordered, limit=limit, offset=offset)
    return [_job(row) for row in rows], db.only("jobs_count", filter=chosen)["jobs"]


def maintained(db: Database, *, day: str) -> set[Scope]:
    """Return the scopes for which a maintenance of that day was enqueued."""
    rows = db.all("jobs_maintaining", day=day)
    return {Scope(row["scope_kind"], row["scope_name"]) for row in rows}


def counts(db: Database) -> dict[JobStatus, int]:
    """Return how many of the account's jobs stand in which status; what has none is left out."""
    return {row["status"]: row["jobs"] for row in db.all("job_counts")}


def purge(db: Database, *, before: datetime, limit: int = 1000) -> int:
    """Remove the account's jobs that were over before then, the oldest first and at most `limit`,
    so that nobody waits long; return how many. Their ids are forgotten with them.
    """
    return db.run("jobs_purge", before=to_micros(before), limit=limit)


def _claim(db: Database, taken: Row) -> Claim | None:
    job = get(db.as_account(taken["account_id"]), taken["job_id"])
    return None if job is None else Claim(taken["account_id"], taken["lease"], job)


def _bury(db: Database, taken: Claim, now: datetime) -> None:
    def end() -> None:
        if _changed(db, "job_end", taken, status="dead_letter", now=now):
            db.run("job_set_error", id=taken.job.id, error=_WORKERS_LOST)

    db.write(end)


def _changed(db: Database, name: str, held: Claim, *, now: datetime, **values: object) -> bool:
    """Run a statement that only the holder may run; tell whether it was the holder."""
    return bool(db.run(name, id=held.job.id, lease=held.lease, now=to_micros(now), **values))


def _insist(db: Database, name: str, held: Claim, *, now: datetime, **values: object) -> None:
    if not _changed(db, name, held, now=now, **values):
        raise StateError(
            f"{held.job.id} is no longer held by {held.job.worker}: its lease ran out, or the job "
            "was cancelled. Nothing was changed."
        )


def _job(row: Row) -> Job:
    times: dict[str, Any] = {
        name: None if row[name] is None else from_micros(row[name])
        for name in ("run_at", "lease_until", "created_at", "updated_at", "finished_at")
    }
    return Job(
        id=row["id"],
        scope=Scope(row["scope_kind"], row["scope_name"]),
        kind=row["kind"],
        status=row["status"],
        payload=json.loads(row["payload"]),
        progress=row["progress"],
        attempts=row["attempts"],
        max_attempts=row["max_attempts"],
        worker=row["worker"],
        last_error=row["last_error"],
        floor_id=row["floor_id"],
        revision=row["revision"],
        **times,
    )
