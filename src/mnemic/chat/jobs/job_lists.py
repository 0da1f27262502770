"""Watching background work: lists of jobs and of the states of scopes, retry and cancel."""

from collections.abc import Sequence
from typing import Final

from mnemic.errors import NotFoundError, StateError
from mnemic.memory import audit_log
from mnemic.memory.workspace import Workspace
from mnemic.records.conversation import JobFilter, JobSort, Queued, ScopeState, StateSort
from mnemic.records.item import Order, Page
from mnemic.records.memory import Job, JobStatus, ScopeKind
from mnemic.storage.chat_rows import job_rows, scope_state_rows
from mnemic.storage.selections import Operator, Where
from mnemic.storage.timestamps import to_micros

_COLUMNS: Final = {
    "scope_kind": "j.scope_kind",
    "scope_name": "j.scope_name",
    "job_type": "j.kind",
    "status": "j.status",
    "floor_id": "j.floor_id",
}
_TIMES: Final[tuple[tuple[str, str, Operator], ...]] = (
    ("created_from", "j.created_at", ">="),
    ("created_to", "j.created_at", "<="),
    ("available_from", "j.run_at", ">="),
    ("available_to", "j.run_at", "<="),
)
_SORTS: Final[dict[JobSort, str]] = {
    "created_at": "created_at",
    "updated_at": "updated_at",
    "available_at": "run_at",
}
_RETRIED: Final[tuple[JobStatus, ...]] = ("dead_letter", "cancelled")


def list_jobs(
    workspace: Workspace,
    wanted: JobFilter,
    *,
    sort: JobSort = "created_at",
    order: Order = "desc",
    limit: int = 50,
    offset: int = 0,
) -> Page[Job]:
    """Return a page of the background work that a filter means."""
    conditions = [
        Where(column, "=", getattr(wanted, name))
        for name, column in _COLUMNS.items()
        if getattr(wanted, name) is not None
    ]
    conditions += [
        Where(column, operator, to_micros(getattr(wanted, name)))
        for name, column, operator in _TIMES
        if getattr(wanted, name) is not None
    ]
    rows, total = workspace.db.read(
        lambda: job_rows.page(
            workspace.db,
            conditions,
            sort=_SORTS[sort],
            order=order,
            limit=limit,
            offset=offset,
        )
    )
    return Page(tuple(rows), total)


def get_job(workspace: Workspace, job_id: str) -> Job:
    """Return one job."""
    job = job_rows.get(workspace.db, job_id)
    if job is None:
        raise NotFoundError(f"There is no memory job {job_id[:80]!r}.", id=job_id)
    return job


def retry_job(workspace: Workspace, job_id: str) -> Queued:
    """Enqueue a dead or cancelled job anew, with all its attempts."""
    now = workspace.moment()

    def write() -> Queued:
        job = get_job(workspace, job_id)
        if not job_rows.retry(workspace.db, job_id, now=now):
            raise _refused("retried", job, _RETRIED)
        audit_log.record(workspace, "job.retry", target=job_id)
        return Queued(job_id, created=True, scope=job.scope)

    return workspace.db.write(write)


def cancel_job(workspace: Workspace, job_id: str) -> Queued:
    """Cancel a job that waits."""
    now = workspace.moment()

    def write() -> Queued:
        job = get_job(workspace, job_id)
        if not job_rows.cancel(workspace.db, job_id, now=now, among=job_rows.WAITING):
            raise _refused("cancelled", job, job_rows.WAITING)
        audit_log.record(workspace, "job.cancel", target=job_id)
        return Queued(job_id, created=True, scope=job.scope)

    return workspace.db.write(write)


def scope_states(
    workspace: Workspace,
    *,
    scope_kind: ScopeKind | None = None,
    scope_name: str | None = None,
    sort: StateSort = "updated_at",
    order: Order = "desc",
    limit: int = 50,
    offset: int = 0,
) -> Page[ScopeState]:
    """Return a page of how far the background work of scopes is."""
    asked = (("c.scope_kind", scope_kind), ("c.scope_name", scope_name))
    conditions = [Where(column, "=", value) for column, value in asked if value is not None]
    rows, total = workspace.db.read(
        lambda: scope_state_rows.page(
            workspace.db, conditions, sort=sort, order=order, limit=limit, offset=offset
        )
    )
    return Page(tuple(rows), total)


def _refused(done: str, job: Job, allowed: Sequence[JobStatus]) -> StateError:
    names = " or ".join(allowed)
    return StateError(
        f"Memory job {job.id} is {job.status}; only {names} jobs can be {done}.",
        status=job.status,
    )
