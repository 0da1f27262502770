"""Rebuilding a scope: its turns are read again from the first to the last, and compacted again."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from mnemic.chat import item_writes
from mnemic.chat.extraction import rules
from mnemic.chat.extraction.extraction import TurnText
from mnemic.chat.jobs.compact import mark, plan
from mnemic.chat.jobs.enqueue import enqueue, enqueue_compaction
from mnemic.chat.jobs.ingest import jobs_busy, kept_form
from mnemic.chat.projection.arranging import Arrangement
from mnemic.chat.projection.branch_reading import BranchChange
from mnemic.chat.projection.entries import FoldEntry
from mnemic.chat.projection.projecting import MOST_FACTS, known_among
from mnemic.chat.projection.replay import follow
from mnemic.chat.projection.stored_extraction import from_stored, stored_reading, to_stored
from mnemic.chat.projection.taking import Taking
from mnemic.chat.projection.tracks import Track, branch_of_scope
from mnemic.chat.projection.turn_texts import turn_of
from mnemic.chat.projection.widening import narrow, widen
from mnemic.errors import NotFoundError
from mnemic.memory import audit_log
from mnemic.memory.unlocked_work import write
from mnemic.memory.workspace import Workspace
from mnemic.providers.chat_models.chat_model import ChatModel
from mnemic.records.conversation import Queued
from mnemic.records.memory import Scope
from mnemic.storage.chat_rows import job_rows, session_rows
from mnemic.storage.chat_rows.job_rows import Claim
from mnemic.storage.chat_rows.session_rows import TurnOnPath
from mnemic.storage.rows import scope_rows

_MOST_TRIES = 5
Beat = Callable[[float], None]


def request_rebuild(
    workspace: Workspace,
    scope: Scope,
    *,
    trigger_floor_id: str | None = None,
    force_compaction: bool = True,
) -> Queued:
    """Enqueue the rebuilding of a scope from its turns."""
    now = workspace.moment()
    payload = {"force_compaction": force_compaction, "trigger_floor_id": trigger_floor_id}

    def write() -> Queued:
        if not _is_there(workspace, scope):
            raise NotFoundError(f"There is no scope {scope.kind}/{scope.name[:80]}.")
        queued = enqueue(
            workspace, "rebuild_scope", scope, payload=payload, now=now, floor_id=trigger_floor_id
        )
        audit_log.record(workspace, "scope.rebuild", target=scope)
        return queued

    return workspace.db.write(write)


def _is_there(workspace: Workspace, scope: Scope) -> bool:
    """Tell whether anything was ever kept in a scope; a branch is there from its beginning."""
    known = scope_rows.find(workspace.db, scope) is not None
    return known or branch_of_scope(workspace, scope) is not None


def rebuild(workspace: Workspace, held: Claim, beat: Beat) -> None:
    """Read all turns of a branch again, and make its memory what they say, once.

    They are read outside of the transaction. If a turn changes meanwhile, those that stayed the
    same are not read again.
    """
    found: dict[tuple[str, int], dict[str, Any]] = {}
    for _ in range(_MOST_TRIES):
        track = workspace.db.read(lambda: branch_of_scope(workspace, held.job.scope))
        steps = [] if track is None else _steps(workspace, track)
        if track is not None:
            _read_again(workspace, track, steps, found, beat)
        if write(workspace, lambda: _apply(workspace, held, track, steps, found)):  # noqa: B023 - called at once
            workspace.loaded(len(steps))
            return
    raise jobs_busy(held)


def _steps(workspace: Workspace, track: Track) -> list[TurnOnPath]:
    return workspace.db.read(
        lambda: session_rows.path(workspace.db, track.session, track.branch_id)
    )


def _read_again(
    workspace: Workspace,
    track: Track,
    steps: list[TurnOnPath],
    found: dict[tuple[str, int], dict[str, Any]],
    beat: Beat,
) -> None:
    said = workspace.db.read(
        lambda: session_rows.lines_of(workspace.db, [one.turn_id for one in steps])
    )
    known: dict[str, FoldEntry] = {}
    for at, step in enumerate(steps):
        key = (step.turn_id, step.version)
        if key not in found:
            before = said.get(steps[at - 1].turn_id, ()) if at else ()
            lines = said.get(step.turn_id, ())
            turn = turn_of(lines, said_at=step.dated, before=before)
            found[key] = _read(workspace.chat_model, turn, known)
        if workspace.chat_model is not None:
            taking = Taking(track.scope, step, known.values())
            taking.take(from_stored(found[key]))
            known |= taking.born
            for uid in taking.ended:
                known.pop(uid, None)
        beat((at + 1) / (len(steps) + 1))


def _read(
    model: ChatModel | None, turn: TurnText, known: Mapping[str, FoldEntry]
) -> dict[str, Any]:
    if model is None or not turn.lines:
        return stored_reading(rules.read(turn))
    from mnemic.chat.extraction import by_model  # noqa: PLC0415  pydantic is slow to load

    answer = by_model.extract(model, turn, known_among(known.values(), most_facts=MOST_FACTS))
    return to_stored(kept_form(answer, known.values()))


def _apply(
    workspace: Workspace,
    held: Claim,
    track: Track | None,
    steps: list[TurnOnPath],
    found: dict[tuple[str, int], dict[str, Any]],
) -> bool:
    now = workspace.moment()
    scope = held.job.scope
    holder = item_writes.hold(workspace, [scope], now=now)
    if branch_of_scope(workspace, scope) != track:
        return False
    is_forced = bool(held.job.payload.get("force_compaction"))
    if track is not None:
        there = session_rows.path(workspace.db, track.session, track.branch_id)
        if there != steps:
            return False
        again = [
            replace(one, found=session_rows.written(found[one.turn_id, one.version]))
            for one in steps
        ]
        _replace(workspace, holder, track, again, held, is_forced=is_forced)
    if is_forced:
        _force(workspace, holder, scope)
    job_rows.finish(workspace.db, held, now=now)
    return True


def _replace(
    workspace: Workspace,
    holder: item_writes.Holder,
    track: Track,
    steps: list[TurnOnPath],
    held: Claim,
    *,
    is_forced: bool,
) -> None:
    for step in steps:
        session_rows.keep_extraction(workspace.db, step.turn_id, step.version, step.extraction)
    narrow(workspace, holder, [one.turn_id for one in steps])
    change = BranchChange({step.number: step for step in steps})
    projection = follow(workspace, holder, track, change, job_id=held.job.id)
    widen(workspace, holder, track.session.id, projection.wide, job_id=held.job.id)
    if is_forced:
        Arrangement(workspace, holder, track).make_again([step.number for step in steps])


def _force(workspace: Workspace, holder: item_writes.Holder, scope: Scope) -> None:
    """Compact what is left over, if it is enough."""
    planned = plan(workspace, holder.number(scope), force=True)
    if planned is not None:
        mark(workspace, holder, scope, planned)
        enqueue_compaction(workspace, scope, planned, now=holder.now)
