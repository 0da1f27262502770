"""Lining up background work: which job does what, under ids that tell the same work again."""

from datetime import datetime
from typing import Any, Final

from mnemic.chat.projection.windows import SummaryWindow
from mnemic.memory.ids import name_of
from mnemic.memory.workspace import Workspace
from mnemic.records.conversation import JobType, Queued
from mnemic.records.memory import Scope
from mnemic.storage.chat_rows import job_rows, scope_state_rows
from mnemic.storage.rows import scope_rows

KINDS: Final[tuple[JobType, ...]] = (
    "ingest_turn",
    "compact_macro",
    "maintenance",
    "rebuild_scope",
)
_ATTEMPTS: Final = 5
_MAINTENANCE_ATTEMPTS: Final = 3


def job_id_of(kind: JobType, scope: Scope, *parts: str) -> str:
    """Return the id of a job: the same for the same work."""
    return f"{kind}-{name_of(scope.kind, scope.name, *parts)}"


def ingest_job_id(scope: Scope, turn_id: str, version: int) -> str:
    """Return the id of the job that takes a version of a turn into a branch."""
    return job_id_of("ingest_turn", scope, turn_id, str(version))


def enqueue(
    workspace: Workspace,
    kind: JobType,
    scope: Scope,
    *parts: str,
    payload: dict[str, Any],
    now: datetime,
    floor_id: str | None = None,
) -> Queued:
    """Enqueue a job in its scope, unless the same work stands there already.

    Call it inside a writing transaction. Work that is over can be asked for again.
    """
    job_id = job_id_of(kind, scope, *parts)
    there = job_rows.get(workspace.db, job_id)
    if there is not None and there.finished_at is not None:
        job_rows.forget(workspace.db, job_id)
    created = job_rows.add(
        workspace.db,
        job_id,
        scope=scope,
        kind=kind,
        payload=payload,
        now=now,
        max_attempts=_MAINTENANCE_ATTEMPTS if kind == "maintenance" else _ATTEMPTS,
        floor_id=floor_id,
        revision=scope_state_rows.standing(
            workspace.db, scope_rows.find(workspace.db, scope)
        ).revision,
    )
    return Queued(job_id, created, scope)


def enqueue_ingest(
    workspace: Workspace,
    scope: Scope,
    *,
    session_id: str,
    branch_id: str,
    turn_id: str,
    version: int,
    number: int,
    now: datetime,
) -> Queued:
    """Enqueue the taking in of one version of a turn into the memory of a branch."""
    return enqueue(
        workspace,
        "ingest_turn",
        scope,
        turn_id,
        str(version),
        payload={
            "session_id": session_id,
            "branch_id": branch_id,
            "version": version,
            "floor_no": number,
        },
        floor_id=turn_id,
        now=now,
    )


def enqueue_compaction(
    workspace: Workspace,
    scope: Scope,
    planned: SummaryWindow,
    *,
    now: datetime,
    floor_id: str | None = None,
) -> Queued:
    """Enqueue the making of one summary from those of a window."""
    return enqueue(
        workspace,
        "compact_macro",
        scope,
        planned.origin,
        payload={
            "origin": planned.origin,
            "reason": planned.reason,
            "source_ids": [source.uid for source in planned.sources],
            "coverage_start_floor_no": planned.start,
            "coverage_end_floor_no": planned.end,
        },
        floor_id=floor_id,
        now=now,
    )
