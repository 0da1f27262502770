"""Making one summary of many: when it is asked for, and the job that does it."""

from dataclasses import replace
from typing import Any, Final

from mnemic.chat import item_writes
from mnemic.chat.extraction.compaction import compact as summarise
from mnemic.chat.jobs.enqueue import enqueue_compaction
from mnemic.chat.projection.arranging import Arrangement
from mnemic.chat.projection.entries import FoldEntry, entry_of, uid_of
from mnemic.chat.projection.settle import relate, settle
from mnemic.chat.projection.taking import Link
from mnemic.chat.projection.tracks import branch_of_scope
from mnemic.chat.projection.windows import (
    FEWEST_SOURCES,
    SummaryWindow,
    by_age,
    is_window,
    planned_macro,
    reason_for,
    sources_among,
    window,
)
from mnemic.errors import StateError
from mnemic.language.token_counts import token_estimate
from mnemic.memory import audit_log, unlocked_work
from mnemic.memory.workspace import Workspace
from mnemic.records.conversation import Compaction, Queued
from mnemic.records.item import ItemFilter
from mnemic.records.memory import Job, Scope
from mnemic.storage.chat_rows import item_rows, job_rows, scope_state_rows
from mnemic.storage.chat_rows.item_rows import Card
from mnemic.storage.chat_rows.job_rows import Claim
from mnemic.storage.rows import scope_rows
from mnemic.storage.selections import Where

_SUMMARIES: Final = ItemFilter(type="summary", status="active", lifecycle="active")


def request_compaction(
    workspace: Workspace, scope: Scope, *, trigger_floor_id: str | None = None, force: bool = True
) -> Compaction:
    """Enqueue a compaction of a scope's summaries; refuse where there is nothing to compact.

    While one is under way it is told again.
    """
    now = workspace.moment()

    def write() -> Compaction:
        number = scope_rows.find(workspace.db, scope)
        if number is None:
            raise nothing_to_compact()
        holder = item_writes.hold(workspace, [scope], now=now)
        under_way = _under_way(workspace, scope)
        if under_way is not None:
            return _told(under_way, created=False)
        planned = plan(workspace, number, force=force)
        if planned is None:
            raise nothing_to_compact()
        mark(workspace, holder, scope, planned)
        queued = enqueue_compaction(workspace, scope, planned, now=now, floor_id=trigger_floor_id)
        job = job_rows.get(workspace.db, queued.job_id)
        if job is None:
            raise nothing_to_compact()
        audit_log.record(workspace, "scope.compact", target=scope)
        return _told(job, created=queued.created)

    return unlocked_work.write(workspace, write)


def nothing_to_compact() -> StateError:
    """Return what is raised where a scope has too few summaries."""
    return StateError("No compaction candidates are available for this scope")


def plan(workspace: Workspace, scope_id: int, *, force: bool) -> SummaryWindow | None:
    """Return which summaries of a scope would be taken in now; None for none."""
    standing = scope_state_rows.standing(workspace.db, scope_id)
    chosen = item_rows.selection(_SUMMARIES, scope_ids=(scope_id,))
    there = [entry_of(card) for card in item_rows.every(workspace.db, chosen)]
    free = [one for one in there if not is_window(one.displaced_by)]
    micros = sorted((one for one in free if one.tier == "micro"), key=by_age)
    covered = [one.coverage_end for one in there if one.tier == "macro" and one.coverage_end]
    floor = max([standing.last_floor or 0, *(one.coverage_end or 0 for one in micros)], default=0)
    reason = reason_for(micros, floor=floor, covered_until=max(covered, default=-1))
    if reason is None and force and len(micros) >= FEWEST_SOURCES:
        reason = "forced"
    sources = sources_among(micros) if reason else ()
    if reason is None or not sources:
        return None
    return window(reason, sources, forced_at=floor)


def mark(
    workspace: Workspace, holder: item_writes.Holder, scope: Scope, planned: SummaryWindow
) -> None:
    """Write down that summaries are to be taken in, so that nobody plans them again."""
    before = item_rows.get(workspace.db, [one.uid for one in planned.sources])
    entries = [replace(one, displaced_by=planned.origin) for one in planned.sources]
    settle(workspace, holder, scope, entries, before, job_id=None)


def compact(workspace: Workspace, held: Claim) -> None:
    """Make one summary of those that a job names, once, and take these in."""
    job = held.job
    sources = workspace.db.read(lambda: _sources(workspace, job))
    made: FoldEntry | None = None
    if sources is not None:
        text, extractor = summarise(workspace.chat_model, [one.content for one in sources])
        planned = SummaryWindow(_origin(job), _reason(job), tuple(sources))
        made = replace(
            planned_macro(job.scope, planned),
            content=text,
            tokens=token_estimate(text),
            extractor=extractor,
            at=workspace.moment(),
        )
    unlocked_work.write(workspace, lambda: _apply(workspace, held, sources, made))


def _apply(
    workspace: Workspace, held: Claim, sources: list[FoldEntry] | None, made: FoldEntry | None
) -> None:
    now = workspace.moment()
    holder = item_writes.hold(workspace, [held.job.scope], now=now)
    # Only what is still planned, and still says the same, is taken in.
    if made is not None and sources is not None and _sources(workspace, held.job) == sources:
        _take_in(workspace, holder, held.job, sources, made)
    job_rows.finish(workspace.db, held, now=now)


def _take_in(
    workspace: Workspace,
    holder: item_writes.Holder,
    job: Job,
    sources: list[FoldEntry],
    made: FoldEntry,
) -> None:
    before = item_rows.get(workspace.db, [one.uid for one in sources])
    taken = [replace(one, lifecycle="compacted") for one in sources if one.in_use]
    after = settle(workspace, holder, job.scope, [*taken, made], before, job_id=job.id)
    links: set[Link] = {(made.uid, one.uid, "compacts") for one in sources}
    links |= {(made.uid, one.uid, "derived_from") for one in sources}
    relate(workspace, links, after, now=holder.now)
    scope_state_rows.compacted(workspace.db, holder.number(job.scope), now=holder.now)
    track = branch_of_scope(workspace, job.scope)
    # Without a model, a timeline of timelines would only be longer.
    if track is not None and workspace.chat_model is not None:
        Arrangement(workspace, holder, track).roll_up()


def _sources(workspace: Workspace, job: Job) -> list[FoldEntry] | None:
    """Return the summaries that a job names; None where one is gone or no longer planned."""
    ids: list[str] = list(job.payload["source_ids"])
    there = item_rows.get(workspace.db, ids)
    found = [there[one] for one in ids if one in there]
    if len(found) < len(ids) or not all(_waits(card, job) for card in found):
        return None
    if uid_of(job.scope, _origin(job)) in item_rows.get(
        workspace.db, [uid_of(job.scope, _origin(job))]
    ):
        return None
    return [entry_of(card) for card in found]


def _waits(card: Card, job: Job) -> bool:
    # What grew old since still tells what happened.
    is_free = card.item.lifecycle != "compacted"
    return is_free and card.displaced_by == _origin(job) and card.item.scope == job.scope


def _under_way(workspace: Workspace, scope: Scope) -> Job | None:
    conditions = [
        Where("j.scope_kind", "=", scope.kind),
        Where("j.scope_name", "=", scope.name),
        Where("j.kind", "=", "compact_macro"),
        Where("j.status", "in", list(job_rows.UNFINISHED)),
    ]
    page: dict[str, Any] = {"sort": "created_at", "order": "asc", "limit": 1, "offset": 0}
    found, _ = job_rows.page(workspace.db, conditions, **page)
    return found[0] if found else None


def _told(job: Job, *, created: bool) -> Compaction:
    return Compaction(
        queued=Queued(job.id, created, job.scope),
        reason=_reason(job),
        source_ids=tuple(job.payload["source_ids"]),
        coverage_start=job.payload["coverage_start_floor_no"],
        coverage_end=job.payload["coverage_end_floor_no"],
    )


def _origin(job: Job) -> str:
    return job.payload["origin"]


def _reason(job: Job) -> Any:
    return job.payload["reason"]
