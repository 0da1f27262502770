"""Rebuilding a scope: its turns are read again from the first to the last, and compacted again."""

from collections.abc import Callable
from dataclasses import replace

from mnemic.engine import cards
from mnemic.engine.compacting import mark, plan
from mnemic.engine.extracting.extraction import RULES, Extraction
from mnemic.engine.ingesting import FALLBACK, branch_of_scope, jobs_busy, line_up_windows
from mnemic.engine.projecting.fold import Fold
from mnemic.engine.projecting.replaying import (
    Track,
    keep,
    kept_form,
    known_to,
    replay,
    said_in,
    turn_of,
)
from mnemic.engine.projecting.widening import narrow, widen
from mnemic.engine.queueing import line_up, line_up_compaction
from mnemic.engine.workspace import Workspace
from mnemic.records import Scope
from mnemic.sessions import Queued
from mnemic.storage import items, jobs, sessions
from mnemic.storage.jobs import Claim
from mnemic.storage.sessions import Step

_MOST_TRIES = 5
Beat = Callable[[float], None]


def ask_for(
    workspace: Workspace, scope: Scope, *, trigger_floor_id: str | None, force_compaction: bool
) -> Queued:
    """Line up the rebuilding of a scope, unless it stands in line already."""
    now = workspace.moment()
    payload = {"force_compaction": force_compaction, "trigger_floor_id": trigger_floor_id}
    return workspace.db.write(
        lambda: line_up(
            workspace, "rebuild_scope", scope, payload=payload, now=now, floor_id=trigger_floor_id
        )
    )


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
        if workspace.db.write(lambda: _apply(workspace, held, track, steps, found)):  # noqa: B023 - called at once
            return
    raise jobs_busy(held)


def _steps(workspace: Workspace, track: Track) -> list[Step]:
    return workspace.db.read(lambda: sessions.path(workspace.db, track.session, track.branch_id))


def _read_again(
    workspace: Workspace,
    track: Track,
    steps: list[Step],
    found: dict[tuple[str, int], Extraction],
    beat: Beat,
) -> None:
    from mnemic.engine.extracting import by_model  # noqa: PLC0415  pydantic is slow to load

    model = workspace.chat_model
    said = workspace.db.read(
        lambda: sessions.lines_of(workspace.db, [one.turn_id for one in steps])
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
    steps: list[Step],
    found: dict[tuple[str, int], Extraction],
) -> bool:
    now = workspace.moment()
    scope = held.job.scope
    holder = cards.hold(workspace, [scope], now=now)
    if branch_of_scope(workspace, scope) != track:
        return False
    if track is not None:
        if sessions.path(workspace.db, track.session, track.branch_id) != steps:
            return False
        _replace(workspace, holder, track, steps, found, held)
    if held.job.payload.get("force_compaction"):
        _force(workspace, holder, scope)
    jobs.finish(workspace.db, held, now=now)
    return True


def _replace(
    workspace: Workspace,
    holder: cards.Holder,
    track: Track,
    steps: list[Step],
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
            for card in items.projected(workspace.db, scope_id)
            if card.item.tier == "macro" and not card.edited
        ]
        cards.remove(workspace, holder, macros)
    narrow(workspace, holder, [one.turn_id for one in steps])
    fold = replay(workspace, holder, track, changed_at=0, job_id=held.job.id)
    widen(workspace, holder, track.session.id, fold.wide, job_id=held.job.id)
    line_up_windows(workspace, track.scope, fold, holder)


def _force(workspace: Workspace, holder: cards.Holder, scope: Scope) -> None:
    """Compact what is left over, if it is enough."""
    planned = plan(workspace, holder.number(scope), force=True)
    if planned is not None:
        mark(workspace, holder, scope, planned)
        line_up_compaction(workspace, scope, planned, now=holder.now)
