"""How a chat app sees the engine's records: plain objects, in the order of the contract."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from mnemic.chat.jobs.maintain import Aged
from mnemic.dialects.chat.body_fields import maybe_milliseconds, to_milliseconds
from mnemic.records.conversation import (
    Branch,
    Compaction,
    ContextBlock,
    Ingest,
    Line,
    Queued,
    ScopeState,
    Session,
    Turn,
    branch_scope,
)
from mnemic.records.item import Edge, Item, ItemStats, Page
from mnemic.records.memory import Job, Scope

T = TypeVar("T")
Json = dict[str, Any]


def single(data: Mapping[str, Any]) -> Json:
    """Return one thing in its envelope."""
    return {"data": data}


def deleted(name: str) -> Json:
    """Return that something is gone, in its envelope."""
    return {"data": {"id": name, "deleted": True}}


def listed(page: Page[T], shape: Callable[[T], Json], query: Any) -> Json:
    """Return a page in its envelope; `query` tells which part it is."""
    return {
        "data": [shape(row) for row in page.rows],
        "meta": {
            "total": page.total,
            "limit": query.limit,
            "offset": query.offset,
            "has_more": query.offset + query.limit < page.total,
            "sort_by": query.sort_by,
            "sort_order": query.sort_order,
        },
    }


def item_json(item: Item) -> Json:
    """Return an item with all fields of the contract, and those that say more where they do."""
    shape: Json = {
        "id": item.id,
        "scope": item.scope.kind,
        "scope_id": item.scope.name,
        "type": item.type,
        "summary_tier": item.tier,
        "content": {"text": item.content} if item.wrapped else item.content,
        "fact_key": item.fact_key,
        "importance": item.importance,
        "confidence": item.confidence,
        "source_floor_id": item.source_floor_id,
        "source_message_id": item.source_message_id,
        "status": item.status,
        "lifecycle_status": item.lifecycle,
        "source_job_id": item.source_job_id,
        "token_count_estimate": item.tokens,
        "last_used_at": maybe_milliseconds(item.used_at),
        "coverage_start_floor_no": item.coverage_start,
        "coverage_end_floor_no": item.coverage_end,
        "derived_from_count": item.derived_from,
        "created_at": to_milliseconds(item.created_at),
        "updated_at": to_milliseconds(item.updated_at),
    }
    if item.extractor is not None:
        shape["extractor"] = item.extractor
    if item.note is not None:
        shape["note"] = item.note
    if item.pinned:
        shape["pinned"] = True
    return shape


def stats_json(stats: ItemStats) -> Json:
    """Return what some items come to."""
    return {
        "total": stats.total,
        "active": stats.active,
        "deprecated": stats.deprecated,
        "by_type": dict(stats.by_type),
        "avg_importance": stats.avg_importance,
        "avg_confidence": stats.avg_confidence,
        "estimated_tokens": stats.estimated_tokens,
    }


def edge_json(edge: Edge) -> Json:
    """Return an edge."""
    return {
        "id": edge.id,
        "from_id": edge.from_id,
        "to_id": edge.to_id,
        "relation": edge.relation,
        "created_at": to_milliseconds(edge.created_at),
    }


def job_json(job: Job) -> Json:
    """Return a job, and how far it is."""
    return {
        "id": job.id,
        "scope": job.scope.kind,
        "scope_id": job.scope.name,
        "job_type": job.kind,
        "status": job.status,
        "floor_id": job.floor_id,
        "based_on_revision": job.revision,
        "payload": dict(job.payload),
        "attempt_count": job.attempts,
        "max_attempts": job.max_attempts,
        "available_at": to_milliseconds(job.run_at),
        "lease_owner": job.worker,
        "lease_until": maybe_milliseconds(job.lease_until),
        "last_error": job.last_error,
        "created_at": to_milliseconds(job.created_at),
        "updated_at": to_milliseconds(job.updated_at),
        "finished_at": maybe_milliseconds(job.finished_at),
        "progress": job.progress,
    }


def state_json(state: ScopeState) -> Json:
    """Return how far the background work of a scope is."""
    return {
        "scope": state.scope.kind,
        "scope_id": state.scope.name,
        "revision": state.revision,
        "lease_owner": state.lease_owner,
        "lease_until": maybe_milliseconds(state.lease_until),
        "last_processed_floor_no": state.last_processed_floor,
        "last_compaction_at": maybe_milliseconds(state.last_compaction_at),
        "updated_at": to_milliseconds(state.updated_at),
    }


def queued_json(queued: Queued) -> Json:
    """Return a job that was enqueued."""
    return {
        "job_id": queued.job_id,
        "created": queued.created,
        "scope": queued.scope.kind,
        "scope_id": queued.scope.name,
    }


def aged_json(scope: Scope, due: Sequence[Aged], queued: Queued | None) -> Json:
    """Return what is due in a scope, and the job that does it."""
    return {
        "job_id": None if queued is None else queued.job_id,
        "created": queued is not None and queued.created,
        "scope": scope.kind,
        "scope_id": scope.name,
        "actions": [{"id": one.item_id, "action": one.action, "reason": one.reason} for one in due],
    }


def compaction_json(compaction: Compaction) -> Json:
    """Return a compaction that was enqueued."""
    return {
        **queued_json(compaction.queued),
        "reason": compaction.reason,
        "source_micro_ids": list(compaction.source_ids),
        "coverage_start_floor_no": compaction.coverage_start,
        "coverage_end_floor_no": compaction.coverage_end,
    }


def session_json(session: Session) -> Json:
    """Return a session."""
    return {
        "id": session.id,
        "branch_count": session.branches,
        "floor_count": session.floors,
        "created_at": to_milliseconds(session.created_at),
        "updated_at": to_milliseconds(session.updated_at),
    }


def branch_json(branch: Branch) -> Json:
    """Return a branch, with the scope of its own memory."""
    return {
        "branch_id": branch.id,
        "session_id": branch.session_id,
        "from_branch": branch.parent,
        "at_floor_no": branch.forked_at,
        "floor_count": branch.floors,
        "scope_id": branch_scope(branch.session_id, branch.id).name,
        "created_at": to_milliseconds(branch.created_at),
    }


def turn_json(floor: Turn) -> Json:
    """Return a turn with the messages of its active version."""
    return {
        "floor_id": floor.id,
        "session_id": floor.session_id,
        "branch_id": floor.branch_id,
        "floor_no": floor.number,
        "version": floor.version,
        "version_count": floor.versions,
        "messages": [_line_json(line) for line in floor.lines],
        "created_at": to_milliseconds(floor.created_at),
        "updated_at": to_milliseconds(floor.updated_at),
    }


def added_json(floor: Turn, ingest: Ingest) -> Json:
    """Return where a turn stands now, and what becomes of its memory."""
    return {
        "floor_id": floor.id,
        "floor_no": floor.number,
        "memory": {
            "mode": ingest.mode,
            "status": ingest.status,
            "job_id": ingest.job_id,
            "error": ingest.error,
        },
    }


def context_json(block: ContextBlock) -> Json:
    """Return the text to inject, what it is made of and what was left out."""
    return {
        "text": block.text,
        "items": [
            {
                "id": one.id,
                "type": one.type,
                "score": one.score,
                "tokens": one.tokens,
                "reason": one.reason,
            }
            for one in block.chosen
        ],
        "token_count": block.token_count,
        "dropped": [{"id": one.id, "reason": one.reason} for one in block.dropped],
        "trace": dict(block.trace),
    }


def batch(results: Iterable[Json], meta: Json) -> Json:
    """Return what became of each item of a batch, in the order of the request."""
    return {"data": {"results": list(results), "meta": meta}}


def _line_json(line: Line) -> Json:
    return {"id": line.id, "role": line.role, "name": line.name, "content": line.content}
