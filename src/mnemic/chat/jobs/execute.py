"""Doing background work: take a job, do it, and say how it went."""

import logging
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from time import perf_counter
from typing import Final

from mnemic.chat.jobs.compact import compact
from mnemic.chat.jobs.enqueue import KINDS
from mnemic.chat.jobs.ingest import ingest
from mnemic.chat.jobs.maintain import maintain
from mnemic.chat.jobs.rebuild import rebuild
from mnemic.errors import MnemicError, OutOfTimeError, StateError
from mnemic.memory.workspace import Workspace
from mnemic.records.memory import Job, JobStatus, Scope
from mnemic.storage.chat_rows import job_rows
from mnemic.storage.chat_rows.job_rows import Claim
from mnemic.storage.rows import scope_rows
from mnemic.storage.selections import Where

_LOG: Final = logging.getLogger("mnemic.worker")
LEASE: Final = timedelta(seconds=120)
_LONGEST_ERROR: Final = 500
_LOOK_SECONDS: Final = 0.05
_MOST_LOOKS: Final = 600


class LeaseLostError(StateError):
    """Another worker has the job now, or it was cancelled: what was done of it is not kept."""

    code = "lease_lost"


@dataclass(frozen=True, slots=True)
class LeasedJob:
    """A job that this worker holds, and the memory of the account that it belongs to."""

    workspace: Workspace
    claim: Claim

    @property
    def job(self) -> Job:
        """The job as it was when it was taken."""
        return self.claim.job

    def beat(self, progress: float | None = None) -> None:
        """Show that the worker lives, and how much is done; raise where the job is lost."""
        now = self.workspace.clock()
        db = self.workspace.db
        kept = db.write(
            lambda: job_rows.heartbeat(db, self.claim, now=now, lease=LEASE, progress=progress)
        )
        if kept != "held":
            raise LeaseLostError(f"{self.job.id} is no longer held by {self.job.worker}: {kept}.")

    def release(self) -> bool:
        """Give the job back undone, for another worker to take at once; tell whether it was still
        held. What is being done of it meanwhile is not kept.
        """
        db, now = self.workspace.db, self.workspace.clock()
        return db.write(lambda: job_rows.release(db, self.claim, now=now))

    def do(self) -> JobStatus:
        """Do the job; what went wrong is kept with it, and it is tried again or is dead."""
        with self.workspace.work_shares.spending(self.claim.account_id):
            return self._watched()

    def _watched(self) -> JobStatus:
        watcher = self.workspace.watcher
        if watcher is None:
            return self._done()
        kind, started = self.job.kind, perf_counter()
        with watcher.doing("job", kind) if watcher.follows else nullcontext():
            status = self._done()
        watcher.worked(kind, status, perf_counter() - started)
        return status

    def _done(self) -> JobStatus:
        work: dict[str, Callable[[], None]] = {
            "ingest_turn": partial(ingest, self.workspace, self.claim),
            "compact_macro": partial(compact, self.workspace, self.claim),
            "maintenance": partial(maintain, self.workspace, self.claim),
            "rebuild_scope": partial(rebuild, self.workspace, self.claim, self.beat),
        }
        try:
            self.beat()
            with self.workspace.job():
                work[self.job.kind]()
        except OutOfTimeError as error:
            # It would take as long again.
            return self._fail(str(error), for_good=True)
        except LeaseLostError as error:
            _LOG.info("%s", error)
            return "leased"
        except MnemicError as error:
            return self._fail(str(error))
        except Exception as error:
            # A worker outlives whatever a job does; the job tells what it was.
            _LOG.exception("%s failed", self.job.id)
            return self._fail(f"{type(error).__name__}: {error}")
        return "succeeded"

    def _fail(self, told: str, *, for_good: bool = False) -> JobStatus:
        db, now = self.workspace.db, self.workspace.clock()
        error = told[:_LONGEST_ERROR]
        try:
            return db.write(
                lambda: job_rows.fail(db, self.claim, error=error, now=now, for_good=for_good)
            )
        except StateError as lost:
            _LOG.info("%s", lost)
            return "leased"


def take_job(workspace: Workspace, worker: str, *, scope: Scope | None = None) -> LeasedJob | None:
    """Take the oldest job that is due, of the account whose turn it is, or the next one of a scope
    of this account.
    """
    shares = workspace.work_shares
    claim_of = partial(
        job_rows.claim, kinds=KINDS, worker=worker, now=workspace.clock(), lease=LEASE
    )
    if scope is None:
        everywhere = workspace.db.as_account(None)
        claim = claim_of(everywhere, after=shares.last, in_order=shares.in_order)
    else:
        scope_id = scope_rows.find(workspace.db, scope)
        claim = None if scope_id is None else claim_of(workspace.db, scope_id=scope_id)
    if claim is None:
        return None
    own = workspace.db.as_account(claim.account_id)
    return LeasedJob(replace(workspace, db=own), claim)


def work_off(workspace: Workspace, job_id: str, scope: Scope, *, worker: str) -> None:
    """Do what stands in a scope's line until a job is over, or nobody can do it now: one that is
    before it waits to be tried again. Where another worker holds one of them, it is waited for.
    """
    mark = 0
    for _ in range(_MOST_LOOKS):
        job = job_rows.get(workspace.db, job_id)
        if job is None or job.finished_at is not None:
            return
        held = take_job(workspace, worker, scope=scope)
        if held is not None:
            held.do()
        elif _is_held(workspace, scope):
            mark = workspace.db.wait(_LOOK_SECONDS, since=mark)
        else:
            return


def _is_held(workspace: Workspace, scope: Scope) -> bool:
    """Tell whether a worker holds a job of a scope. The scope's state does not tell of the first
    one: it begins with what that remembers.
    """
    place = [Where("j.scope_kind", "=", scope.kind), Where("j.scope_name", "=", scope.name)]
    held = Where("j.status", "in", ["leased", "running"])
    jobs, _ = job_rows.page(
        workspace.db, [*place, held], sort="created_at", order="asc", limit=1, offset=0
    )
    return bool(jobs)
