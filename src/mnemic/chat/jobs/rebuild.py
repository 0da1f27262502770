"""Rebuilding a scope: its turns are read again from the first to the last, and compacted again."""

from collections.abc import Callable
from dataclasses import replace

from mnemic.chat import item_writes
from mnemic.chat.extraction.extraction import RULES, Extraction
from mnemic.chat.jobs.compact import mark, plan
from mnemic.chat.jobs.enqueue import enqueue, enqueue_compaction
from mnemic.chat.jobs.ingest import FALLBACK, branch_of_scope, enqueue_windows, jobs_busy
from mnemic.chat.projection.fold import Fold
from mnemic.chat.projection.playing import kept_form, known_to, said_in, turn_of
from mnemic.chat.projection.replay import Track, keep, replay
from mnemic.chat.projection.widening import narrow, widen
from mnemic.memory import audit_log
from mnemic.memory.unlocked_work import write
from mnemic.memory.workspace import Workspace
from mnemic.records.conversation import Queued
from mnemic.records.memory import Scope
from mnemic.storage.chat_rows import item_rows, job_rows, session_rows
from mnemic.storage.chat_rows.job_rows import Claim
from mnemic.storage.chat_rows.session_rows import TurnOnPath

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
        queued = enqueue(
            workspace, "rebuild_scope", scope, payload=payload, now=now, floor_id=trigger_floor_id
        )
        audit_log.record(workspace, "scope.rebuild", target=scope)
        return queued

    return workspace.db.write(write)


def rebuild(workspace: Workspace, held: Claim, beat: Beat) -> None:
    """Read all turns of a branch again, and make its memory what they say, once.

    A language model reads outside of the transaction. If a turn changes meanwhile, those that
    stayed the same are not read again.
    """
    found: dict[tuple[str, int], Extraction] = {}
    for _ in range(_MOST_TRIES):
        track = workspace.db.read(lambda: branch_of_scope(workspace, held.job.scope))
        steps = [] if track is None else _steps(workspace, track)
        if track is not None and workspace.chat_model is not None:
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
    found: dict[tuple[str, int], Extraction],
    beat: Beat,
) -> None:
    from mnemic.chat.extraction import by_model  # noqa: PLC0415  pydantic is slow to load

    model = workspace.chat_model
    said = workspace.db.read(
        lambda: session_rows.lines_of(workspace.db, [one.turn_id for one in steps])
    )
    fold = Fold(track.scope)
    for at, step in enumerate(steps):
        key = (step.turn_id, step.version)
        if key not in found and model is not None:
            turn = turn_of(said.get(step.turn_id, ()))
            answer = by_model.extract(model, turn, known_to(fold))
            named = kept_form(fold, answer)
            found[key] = _named(named)
        fold.take(said_in(step), found[key])
        beat((at + 1) / (len(steps) + 1))


def _named(found: Extraction) -> Extraction:
    return replace(found, extractor=FALLBACK) if found.extractor == RULES else found


def _apply(
    workspace: Workspace,
    held: Claim,
    track: Track | None,
    steps: list[TurnOnPath],
    found: dict[tuple[str, int], Extraction],
) -> bool:
    now = workspace.moment()
    scope = held.job.scope
    holder = item_writes.hold(workspace, [scope], now=now)
    if branch_of_scope(workspace, scope) != track:
        return False
    if track is not None:
        if session_rows.path(workspace.db, track.session, track.branch_id) != steps:
            return False
        _replace(workspace, holder, track, steps, found, held)
    if held.job.payload.get("force_compaction"):
        _force(workspace, holder, scope)
    job_rows.finish(workspace.db, held, now=now)
    return True


def _replace(
    workspace: Workspace,
    holder: item_writes.Holder,
    track: Track,
    steps: list[TurnOnPath],
    found: dict[tuple[str, int], Extraction],
    held: Claim,
) -> None:
    unread = Extraction(summary="", extractor=RULES)
    for step in steps:
        keep(workspace, step, found.get((step.turn_id, step.version), unread))
    scope_id = holder.number(track.scope)
    if held.job.payload.get("force_compaction"):
        # They are made again, from what the turns say now.
        macros = [
            card
            for card in item_rows.projected(workspace.db, scope_id)
            if card.item.tier == "macro" and not card.edited
        ]
        item_writes.remove(workspace, holder, macros)
    narrow(workspace, holder, [one.turn_id for one in steps])
    fold = replay(workspace, holder, track, changed_at=0, job_id=held.job.id)
    widen(workspace, holder, track.session.id, fold.wide, job_id=held.job.id)
    enqueue_windows(workspace, track.scope, fold, holder)


def _force(workspace: Workspace, holder: item_writes.Holder, scope: Scope) -> None:
    """Compact what is left over, if it is enough."""
    planned = plan(workspace, holder.number(scope), force=True)
    if planned is not None:
        mark(workspace, holder, scope, planned)
        enqueue_compaction(workspace, scope, planned, now=holder.now)
