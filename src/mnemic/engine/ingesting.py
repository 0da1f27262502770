"""The job that takes a turn into the memory of a branch."""

import json
from dataclasses import dataclass, replace
from typing import Any, Final

from mnemic.engine import cards
from mnemic.engine.extracting.extraction import RULES, Extraction, Turn
from mnemic.engine.projecting.entries import entry_of
from mnemic.engine.projecting.fold import Fold
from mnemic.engine.projecting.replaying import (
    NEVER,
    Track,
    facts_in_use,
    is_next,
    keep,
    kept_form,
    known_to,
    read_by_rules,
    replay,
    tail,
    take_next,
    turn_of,
)
from mnemic.engine.projecting.stored import from_stored
from mnemic.engine.projecting.widening import GLOBAL, widen
from mnemic.engine.queueing import line_up_compaction
from mnemic.engine.workspace import Workspace
from mnemic.errors import BusyError
from mnemic.providers.chat_model import ChatModel
from mnemic.records import Scope
from mnemic.sessions import Line, branch_scope, chat_scope
from mnemic.storage import jobs, scope_states, scopes, sessions
from mnemic.storage.items import Card
from mnemic.storage.jobs import Claim
from mnemic.storage.sessions import Address, Step

FALLBACK: Final = "fallback"
"""The name of the extractor where a language model answered something unusable."""

_MOST_TRIES: Final = 20


@dataclass(frozen=True, slots=True)
class Task:
    """A turn to be taken in, as it stands now."""

    track: Track
    step: Step
    lines: tuple[Line, ...]
    revision: int
    last_floor: int | None


def ingest(workspace: Workspace, held: Claim) -> None:
    """Take in a turn, once: the memory and the end of the job are kept together.

    A language model is asked outside of the transaction. If the memory of the branch changes
    meanwhile, the answer is applied to what it is then.
    """
    asked: Extraction | None = None
    for _ in range(_MOST_TRIES):
        task = workspace.db.read(lambda: _task(workspace, held))
        if task is not None and asked is None and workspace.chat_model is not None:
            asked = _known_extraction(task) or _ask(workspace, workspace.chat_model, task)
        if workspace.db.write(lambda: _apply(workspace, held, task, asked)):  # noqa: B023 - called at once
            return
    raise jobs_busy(held)


def jobs_busy(held: Claim) -> BusyError:
    """Return what is raised where a scope changes faster than work on it can be kept."""
    return BusyError(f"The memory of {held.job.scope.name[:80]} changed all the time.")


def line_up_windows(workspace: Workspace, scope: Scope, fold: Fold, holder: cards.Holder) -> None:
    """Line up the making of every summary that is planned and can be made."""
    for planned in fold.to_make():
        line_up_compaction(workspace, scope, planned, now=holder.now)


def replay_scope(workspace: Workspace, holder: cards.Holder, scope: Scope) -> None:
    """Make the memory of a branch what its turns say now, where a scope is one: something that
    was known to them is gone.
    """
    track = branch_of_scope(workspace, scope)
    if track is not None:
        fold = replay(workspace, holder, track, changed_at=NEVER)
        line_up_windows(workspace, scope, fold, holder)


def _task(workspace: Workspace, held: Claim) -> Task | None:
    """Return what is to be done; None where the turn, its version or the branch is gone."""
    payload: dict[str, Any] = dict(held.job.payload)
    session_id, branch_id = payload["session_id"], payload["branch_id"]
    scope_id = scopes.find(workspace.db, chat_scope(session_id))
    if scope_id is None:
        return None
    track = Track(Address(scope_id, session_id), branch_id)
    steps = sessions.path(workspace.db, track.session, branch_id, first=int(payload["floor_no"]))
    step = next((one for one in steps if one.turn_id == held.job.floor_id), None)
    if step is None or step.version != payload["version"]:
        return None
    lines = sessions.lines_of(workspace.db, [step.turn_id]).get(step.turn_id, ())
    standing = scope_states.standing(workspace.db, scopes.find(workspace.db, track.scope))
    return Task(track, step, lines, standing.revision, standing.last_floor)


def _known_extraction(task: Task) -> Extraction | None:
    """Return what a model found in this version before; rules look again."""
    if task.step.extraction is None:
        return None
    found = from_stored(task.step.extraction)
    return None if found.extractor == RULES else found


def _ask(workspace: Workspace, model: ChatModel, task: Task) -> Extraction:
    """Return what a language model finds in a turn, with references instead of ids."""
    from mnemic.engine.extracting import by_model  # noqa: PLC0415  pydantic is slow to load

    fold, beside = workspace.db.read(lambda: shown(workspace, task.track, task.step))
    turn: Turn = turn_of(task.lines)
    found = by_model.extract(model, turn, known_to(fold, beside))
    if found.extractor == RULES:
        found = replace(found, extractor=FALLBACK)
    return kept_form(fold, found)


def shown(workspace: Workspace, track: Track, step: Step) -> tuple[Fold, list[Card]]:
    """Return what holds in a branch, and in the wider scopes that it sees."""
    own = scopes.find(workspace.db, track.scope)
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
        number = scopes.find(workspace.db, scope)
        if number is not None:
            beside += tail(workspace, number).values()
            beside += facts_in_use(workspace, number).values()
    return fold, beside


def _apply(workspace: Workspace, held: Claim, task: Task | None, asked: Extraction | None) -> bool:
    """Apply what was found and end the job; False where the memory changed in between."""
    now = workspace.moment()
    if task is None:
        # Another turn, version or branch took its place: there is nothing left to do.
        jobs.finish(workspace.db, held, now=now)
        return True
    holder = cards.hold(workspace, [task.track.scope], now=now)
    if _task(workspace, held) != task:
        return False
    track, step = task.track, task.step
    scope_id = holder.number(track.scope)
    if is_next(workspace, scope_id, step, task.last_floor):
        fold = _take_in_order(workspace, holder, task, asked, held.job.id)
        scope_states.processed(workspace.db, scope_id, step.number, now=now)
    else:
        keep(workspace, step, asked or Extraction(summary="", extractor=RULES))
        fold = replay(workspace, holder, track, changed_at=step.number, job_id=held.job.id)
    line_up_windows(workspace, track.scope, fold, holder)
    own = [one for one in fold.wide if one.said.turn_id == step.turn_id]
    widen(workspace, holder, track.session.id, own, job_id=held.job.id)
    scope_states.grow(workspace.db, scope_id, now=now)
    jobs.finish(workspace.db, held, now=now, note=None if asked is None else asked.note)
    return True


def _take_in_order(
    workspace: Workspace,
    holder: cards.Holder,
    task: Task,
    asked: Extraction | None,
    job_id: str,
) -> Fold:
    found, by_hand = asked, False
    if found is None:
        fold, _ = shown(workspace, task.track, task.step)
        found, by_hand = read_by_rules(fold, task.lines), fold.knows_by_hand()
    keep(workspace, task.step, found, by_hand=by_hand)
    return take_next(workspace, holder, task.track, task.step, found, job_id)


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
            number = scopes.find(workspace.db, chat_scope(session_id))
        case _:
            return None
    if number is None or branch_scope(session_id, branch_id) != scope:
        return None
    track = Track(Address(number, session_id), branch_id)
    there = {branch.id for branch in sessions.branches(workspace.db, track.session)}
    return track if branch_id in there else None
