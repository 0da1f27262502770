"""The job that takes a turn into the memory of a branch."""

import json
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from mnemic.chat import item_writes
from mnemic.chat.extraction.extraction import EXCERPT, RULES, Extraction, excerpt_of
from mnemic.chat.jobs.enqueue import enqueue_compaction
from mnemic.chat.projection.entries import entry_of
from mnemic.chat.projection.fold import Fold
from mnemic.chat.projection.playing import kept_form, known_to, read_by_rules, turn_of
from mnemic.chat.projection.replay import (
    NEVER,
    Track,
    facts_in_use,
    is_next,
    keep,
    replay,
    tail,
    take_next,
)
from mnemic.chat.projection.stored_extraction import from_stored
from mnemic.chat.projection.widening import GLOBAL, widen
from mnemic.errors import BusyError, OutOfTimeError
from mnemic.memory.unlocked_work import write
from mnemic.memory.workspace import Workspace
from mnemic.records.conversation import Line, branch_scope, chat_scope
from mnemic.records.memory import Scope
from mnemic.storage.chat_rows import job_rows, scope_state_rows, session_rows
from mnemic.storage.chat_rows.item_rows import Card
from mnemic.storage.chat_rows.job_rows import Claim
from mnemic.storage.chat_rows.session_rows import Address, TurnOnPath
from mnemic.storage.rows import scope_rows

FALLBACK: Final = "fallback"
"""The name of the extractor where a language model answered something unusable."""

_MOST_TRIES: Final = 20


@dataclass(frozen=True, slots=True)
class Task:
    """A turn to be taken in, as it stands now."""

    track: Track
    step: TurnOnPath
    lines: tuple[Line, ...]
    revision: int
    last_floor: int | None


@dataclass(frozen=True, slots=True)
class Seen:
    """A turn to be taken in, what holds before it, and what holds in wider scopes."""

    task: Task
    fold: Fold
    beside: tuple[Card, ...]


def ingest(workspace: Workspace, held: Claim) -> None:
    """Take in a turn, once: the memory and the end of the job are kept together.

    A language model is asked, or the rules read, outside of the transaction. If the memory of the
    branch changes meanwhile, the answer of the model is applied to what it is then, and the rules
    read again. Where they take too long, an excerpt of the turn is kept, and the job has failed.
    """
    asked: Extraction | None = None
    for _ in range(_MOST_TRIES):
        seen = workspace.db.read(lambda: _seen(workspace, held))
        try:
            found = asked if seen is None else asked or _found(workspace, seen)
            asked = found if workspace.chat_model is not None else None
            if write(workspace, lambda: _apply(workspace, held, seen, found)):  # noqa: B023 - called at once
                return
        except OutOfTimeError:
            _keep_excerpt(workspace, held)
            raise
    raise jobs_busy(held)


def jobs_busy(held: Claim) -> BusyError:
    """Return what is raised where a scope changes faster than work on it can be kept."""
    return BusyError(f"The memory of {held.job.scope.name[:80]} changed all the time.")


def enqueue_windows(
    workspace: Workspace, scope: Scope, fold: Fold, holder: item_writes.Holder
) -> None:
    """Enqueue the making of every summary that is planned and can be made."""
    for planned in fold.to_make():
        enqueue_compaction(workspace, scope, planned, now=holder.now)


def replay_scope(workspace: Workspace, holder: item_writes.Holder, scope: Scope) -> None:
    """Make the memory of a branch what its turns say now, where a scope is one: something that
    was known to them is gone.
    """
    track = branch_of_scope(workspace, scope)
    if track is not None:
        fold = replay(workspace, holder, track, changed_at=NEVER)
        enqueue_windows(workspace, scope, fold, holder)


def _task(workspace: Workspace, held: Claim) -> Task | None:
    """Return what is to be done; None where the turn, its version or the branch is gone."""
    payload: dict[str, Any] = dict(held.job.payload)
    session_id, branch_id = payload["session_id"], payload["branch_id"]
    scope_id = scope_rows.find(workspace.db, chat_scope(session_id))
    if scope_id is None:
        return None
    track = Track(Address(scope_id, session_id), branch_id)
    steps = session_rows.path(
        workspace.db, track.session, branch_id, first=int(payload["floor_no"])
    )
    step = next((one for one in steps if one.turn_id == held.job.floor_id), None)
    if step is None or step.version != payload["version"]:
        return None
    lines = session_rows.lines_of(workspace.db, [step.turn_id]).get(step.turn_id, ())
    standing = scope_state_rows.standing(workspace.db, scope_rows.find(workspace.db, track.scope))
    return Task(track, step, lines, standing.revision, standing.last_floor)


def _seen(workspace: Workspace, held: Claim) -> Seen | None:
    task = _task(workspace, held)
    if task is None:
        return None
    fold, beside = shown(workspace, task.track, task.step)
    return Seen(task, fold, tuple(beside))


def _known_extraction(task: Task) -> Extraction | None:
    """Return what a model found in this version before; rules look again."""
    if task.step.extraction is None:
        return None
    found = from_stored(task.step.extraction)
    return None if found.extractor == RULES else found


def _found(workspace: Workspace, seen: Seen) -> Extraction:
    """Return what the language model finds in a turn, or the rules, with references for ids."""
    model = workspace.chat_model
    if model is None:
        return read_by_rules(seen.fold, seen.task.lines)
    from mnemic.chat.extraction import by_model  # noqa: PLC0415  pydantic is slow to load

    known = _known_extraction(seen.task)
    if known is not None:
        return known
    turn = turn_of(seen.task.lines)
    found = by_model.extract(model, turn, known_to(seen.fold, seen.beside))
    if found.extractor == RULES:
        found = replace(found, extractor=FALLBACK)
    return kept_form(seen.fold, found)


def shown(workspace: Workspace, track: Track, step: TurnOnPath) -> tuple[Fold, list[Card]]:
    """Return what holds in a branch, and in the wider scopes that it sees."""
    own = scope_rows.find(workspace.db, track.scope)
    present: dict[str, Card] = {}
    if own is not None:
        present = {
            **tail(workspace, own),
            **facts_in_use(workspace, own, until=max(step.added_at, step.said_at)),
        }
    fold = Fold(
        track.scope,
        present=[
            entry_of(card)
            for card in present.values()
            if card.origin is not None or card.item.created_at <= step.added_at
        ],
    )
    beside: list[Card] = []
    for scope in (GLOBAL, chat_scope(track.session.id), Scope("floor", step.turn_id)):
        number = scope_rows.find(workspace.db, scope)
        if number is not None:
            beside += tail(workspace, number).values()
            beside += facts_in_use(workspace, number).values()
    return fold, beside


def _apply(workspace: Workspace, held: Claim, seen: Seen | None, found: Extraction | None) -> bool:
    """Apply what was found and end the job; False where the memory changed in between."""
    now = workspace.moment()
    if seen is None or found is None:
        # Another turn, version or branch took its place: there is nothing left to do.
        job_rows.finish(workspace.db, held, now=now)
        return True
    if not _taken_in(workspace, held, seen, found, now):
        return False
    job_rows.finish(workspace.db, held, now=now, note=found.note)
    return True


def _taken_in(
    workspace: Workspace, held: Claim, seen: Seen, found: Extraction, now: datetime
) -> bool:
    task = seen.task
    holder = item_writes.hold(workspace, [task.track.scope], now=now)
    if _task(workspace, held) != task:
        return False
    track, step, job_id = task.track, task.step, held.job.id
    scope_id = holder.number(track.scope)
    by_hand = found.extractor == RULES and seen.fold.knows_by_hand()
    keep(workspace, step, found, by_hand=by_hand)
    if is_next(workspace, scope_id, step, task.last_floor):
        fold = take_next(workspace, holder, track, step, found, job_id)
        scope_state_rows.processed(workspace.db, scope_id, step.number, now=now)
    else:
        changed_at = NEVER if found.extractor == EXCERPT else step.number
        fold = replay(workspace, holder, track, changed_at=changed_at, job_id=job_id)
    enqueue_windows(workspace, track.scope, fold, holder)
    own = [one for one in fold.wide if one.said.turn_id == step.turn_id]
    widen(workspace, holder, track.session.id, own, job_id=job_id)
    scope_state_rows.grow(workspace.db, scope_id, now=now)
    return True


def _keep_excerpt(workspace: Workspace, held: Claim) -> None:
    """Take in the beginning of a turn as it was said; the job is not ended."""
    for _ in range(_MOST_TRIES):
        seen = workspace.db.read(lambda: _seen(workspace, held))
        if seen is None or _is_excerpt_kept(workspace, held, seen):
            return


def _is_excerpt_kept(workspace: Workspace, held: Claim, seen: Seen) -> bool:
    found, now = excerpt_of(turn_of(seen.task.lines)), workspace.moment()
    try:
        return write(workspace, lambda: _taken_in(workspace, held, seen, found, now))
    except OutOfTimeError:
        # Other turns would have to be read again: it stands there when they are.
        workspace.db.write(lambda: keep(workspace, seen.task.step, found))
        return True


def branch_of_scope(workspace: Workspace, scope: Scope) -> Track | None:
    """Return the branch whose memory a scope holds, if it is one of a session."""
    if scope.kind != "branch":
        return None
    try:
        named = json.loads(scope.name)
    except ValueError:
        return None
    match named:
        case [str(session_id), str(branch_id)]:
            number = scope_rows.find(workspace.db, chat_scope(session_id))
        case _:
            return None
    if number is None or branch_scope(session_id, branch_id) != scope:
        return None
    track = Track(Address(number, session_id), branch_id)
    there = {branch.id for branch in session_rows.branches(workspace.db, track.session)}
    return track if branch_id in there else None
