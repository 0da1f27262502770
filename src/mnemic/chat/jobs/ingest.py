"""The job that takes a turn into the memory of a branch."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from mnemic.chat import item_writes
from mnemic.chat.extraction import rules
from mnemic.chat.extraction.extraction import RULES, Extraction, excerpt_of
from mnemic.chat.projection.branch_reading import BranchChange
from mnemic.chat.projection.entries import FoldEntry, entry_of, reference
from mnemic.chat.projection.projecting import MOST_FACTS, known_among
from mnemic.chat.projection.replay import follow
from mnemic.chat.projection.stored_extraction import (
    renamed,
    stored_reading,
    to_stored,
)
from mnemic.chat.projection.tracks import Track
from mnemic.chat.projection.turn_texts import turn_of
from mnemic.chat.projection.widening import GLOBAL, widen
from mnemic.errors import BusyError, OutOfTimeError
from mnemic.memory.unlocked_work import write
from mnemic.memory.workspace import Workspace
from mnemic.records.conversation import Line, chat_scope
from mnemic.records.item import ItemFilter, Paging
from mnemic.records.memory import Scope
from mnemic.storage.chat_rows import item_rows, job_rows, session_rows
from mnemic.storage.chat_rows.job_rows import Claim
from mnemic.storage.chat_rows.session_rows import Address, TurnOnPath
from mnemic.storage.rows import scope_rows

FALLBACK: Final = "fallback"
"""The name of the extractor where a language model answered something unusable."""

_MOST_TRIES: Final = 20
_IN_USE: Final = ItemFilter(status="active", lifecycle="active")
# What a language model is shown of a scope: the most important facts, and the newest of the rest.
_SHOWN: Final = (
    (replace(_IN_USE, type="fact"), Paging(sort="importance", limit=50)),
    (replace(_IN_USE, type="open_loop"), Paging(limit=25)),
    (replace(_IN_USE, type="summary"), Paging(limit=20)),
)


@dataclass(frozen=True, slots=True)
class Task:
    """A turn to be taken in, as it stands now."""

    track: Track
    step: TurnOnPath
    lines: tuple[Line, ...]
    before: tuple[Line, ...] = ()


def ingest(workspace: Workspace, held: Claim) -> None:
    """Take in a turn, once: the memory and the end of the job are kept together.

    A language model is asked, or the rules read, outside of the transaction; what the turn says is
    kept with its version. Where they take too long, an excerpt of the turn is kept, and the job has
    failed.
    """
    found: dict[str, Any] | None = None
    asked: Task | None = None
    for _ in range(_MOST_TRIES):
        task = workspace.db.read(lambda: _task(workspace, held))
        try:
            if task is not None and (asked is None or asked.lines != task.lines):
                found, asked = _found(workspace, task), task
            if write(workspace, lambda: _apply(workspace, held, task, found)):  # noqa: B023 - called at once
                return
        except OutOfTimeError:
            if task is not None:
                _keep_excerpt(workspace, held)
            raise
    raise jobs_busy(held)


def jobs_busy(held: Claim) -> BusyError:
    """Return what is raised where a scope changes faster than work on it can be kept."""
    return BusyError(f"The memory of {held.job.scope.name[:80]} changed all the time.")


def _task(workspace: Workspace, held: Claim) -> Task | None:
    """Return what is to be done; None where the turn, its version or the branch is gone."""
    payload: dict[str, Any] = dict(held.job.payload)
    session_id, branch_id = payload["session_id"], payload["branch_id"]
    scope_id = scope_rows.find(workspace.db, chat_scope(session_id))
    if scope_id is None:
        return None
    track = Track(Address(scope_id, session_id), branch_id)
    number = int(payload["floor_no"])
    # Only a model is shown the turn before.
    first = number if workspace.chat_model is None else max(number - 1, 0)
    steps = session_rows.path(workspace.db, track.session, branch_id, first=first, last=number)
    step = steps[-1] if steps else None
    if step is None or (step.turn_id, step.version) != (held.job.floor_id, payload["version"]):
        return None
    said = session_rows.lines_of(workspace.db, [one.turn_id for one in steps])
    before = said.get(steps[0].turn_id, ()) if len(steps) > 1 else ()
    return Task(track, step, said.get(step.turn_id, ()), before)


def _found(workspace: Workspace, task: Task) -> dict[str, Any]:
    """Return what a turn says, as it is kept: what the rules read, or what the language model
    found, with references for ids.
    """
    model = workspace.chat_model
    turn = turn_of(task.lines, said_at=task.step.dated, before=task.before)
    if model is None or not turn.lines:
        return stored_reading(rules.read(turn))
    from mnemic.chat.extraction import by_model  # noqa: PLC0415  pydantic is slow to load

    kept = task.step.extraction
    if kept and kept["extractor"] != RULES:
        # A model was asked before.
        return kept
    own, wider = workspace.db.read(lambda: _shown(workspace, task.track, task.step))
    found = by_model.extract(model, turn, known_among([*own, *wider], most_facts=MOST_FACTS))
    return to_stored(kept_form(found, own))


def kept_form(found: Extraction, own: Iterable[FoldEntry]) -> Extraction:
    """Return what a model found with references instead of ids, as it is kept with the turn. What
    is not of the branch's own memory has no other name.
    """
    names = {one.uid: one.name for one in own}
    named = renamed(found, lambda uid: names.get(uid, reference(uid, None)))
    return replace(named, extractor=FALLBACK) if named.extractor == RULES else named


def _shown(
    workspace: Workspace, track: Track, step: TurnOnPath
) -> tuple[list[FoldEntry], list[FoldEntry]]:
    """Return what holds in a branch just before a turn, and in the wider scopes that it sees, as
    much as a model is shown.
    """
    until = max(step.added_at, step.said_at)
    own = _holding(workspace, track.scope, until)
    wider = (GLOBAL, chat_scope(track.session.id), Scope("floor", step.turn_id))
    return own, [one for scope in wider for one in _holding(workspace, scope, None)]


def _holding(workspace: Workspace, scope: Scope, until: datetime | None) -> list[FoldEntry]:
    number = scope_rows.find(workspace.db, scope)
    if number is None:
        return []
    return [
        entry_of(card)
        for wanted, paging in _SHOWN
        for card in item_rows.page(
            workspace.db,
            item_rows.selection(replace(wanted, created_to=until), scope_ids=(number,)),
            paging,
        )
    ]


def _apply(
    workspace: Workspace, held: Claim, task: Task | None, found: dict[str, Any] | None
) -> bool:
    """Apply what was found and end the job; False where the turn changed in between."""
    now = workspace.moment()
    if task is None or found is None:
        # Another turn, version or branch took its place: there is nothing left to do.
        job_rows.finish(workspace.db, held, now=now)
        return True
    if not _taken_in(workspace, held, task, found, now):
        return False
    job_rows.finish(workspace.db, held, now=now, note=found.get("note"))
    return True


def _taken_in(
    workspace: Workspace, held: Claim, task: Task, found: dict[str, Any], now: datetime
) -> bool:
    track, step, job_id = task.track, task.step, held.job.id
    holder = item_writes.hold(workspace, [track.scope], now=now)
    if _task(workspace, held) != task:
        return False
    session_rows.keep_extraction(workspace.db, step.turn_id, step.version, found)
    change = BranchChange({step.number: replace(step, found=session_rows.written(found))})
    projection = follow(workspace, holder, track, change, job_id=job_id)
    own = [one for one in projection.wide if one.said.turn_id == step.turn_id]
    widen(workspace, holder, track.session.id, own, job_id=job_id)
    return True


def _keep_excerpt(workspace: Workspace, held: Claim) -> None:
    """Take in the beginning of a turn as it was said; the job is not ended."""
    for _ in range(_MOST_TRIES):
        task = workspace.db.read(lambda: _task(workspace, held))
        if task is None or _is_excerpt_kept(workspace, held, task):
            return


def _is_excerpt_kept(workspace: Workspace, held: Claim, task: Task) -> bool:
    found, now = to_stored(excerpt_of(turn_of(task.lines))), workspace.moment()
    try:
        return write(workspace, lambda: _taken_in(workspace, held, task, found, now))
    except OutOfTimeError:
        # Other turns would have to be read again: it stands there when they are.
        step = task.step
        workspace.db.write(
            lambda: session_rows.keep_extraction(workspace.db, step.turn_id, step.version, found)
        )
        return True
