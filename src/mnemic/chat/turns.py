"""Turns: add, swipe, edit and delete what was said, and what follows for the memory of it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from mnemic.chat import item_writes
from mnemic.chat.conversations import address_of, branch_of, check_id
from mnemic.chat.jobs.enqueue import enqueue_ingest, ingest_job_id
from mnemic.chat.jobs.execute import work_off
from mnemic.chat.jobs.job_lists import get_job
from mnemic.chat.projection.branch_reading import BranchChange
from mnemic.chat.projection.replay import follow, step_at
from mnemic.chat.projection.tracks import Track
from mnemic.chat.projection.widening import narrow
from mnemic.chat.said_passages import add_said, drop_said, passages_of, replace_said
from mnemic.errors import ConflictError, InvalidInputError, NotFoundError
from mnemic.memory import unlocked_work
from mnemic.memory.ids import name_of
from mnemic.memory.texts.derivation import check_length, check_text
from mnemic.memory.workspace import Workspace
from mnemic.records.conversation import (
    MAIN,
    Ingest,
    IngestMode,
    Line,
    Queued,
    Turn,
    branch_scope,
    chat_scope,
)
from mnemic.records.item import Order, Page
from mnemic.storage.chat_rows import session_rows
from mnemic.storage.chat_rows.session_rows import Address

_MOST_LINES: Final = 100
_SYNC_WORKER: Final = "sync"


class SameKeyError(ConflictError):
    """The idempotency key was used for another turn."""

    code = "idempotency_conflict"


def add_turn(
    workspace: Workspace,
    session_id: str,
    lines: Sequence[Line],
    *,
    branch_id: str = MAIN,
    mode: IngestMode = "async",
    idempotency_key: str | None = None,
) -> tuple[Turn, Ingest]:
    """Add a turn; it is taken in by a worker, or, with `sync`, before this returns."""
    _check_lines(lines)
    if idempotency_key is not None:
        check_id("idempotency_key", idempotency_key)
    now = workspace.moment()
    turn_id = name_of(workspace.new_id())
    named = _named(workspace, lines)
    found = passages_of(lines, now)

    def write() -> tuple[Turn, Queued]:
        item_writes.hold(workspace, [chat_scope(session_id)], now=now)
        session = address_of(workspace, session_id)
        branch_of(workspace, session, branch_id)
        if idempotency_key is not None:
            known = session_rows.turn_with_key(workspace.db, session, idempotency_key)
            if known is not None:
                turn = _added_before(workspace, session, known, lines)
                scope = branch_scope(session_id, branch_id)
                job_id = ingest_job_id(scope, turn.id, turn.version)
                return turn, Queued(job_id, created=False, scope=scope)
        last = session_rows.last_number(workspace.db, session, branch_id)
        session_rows.add_turn(
            workspace.db,
            session,
            turn_id,
            branch_id=branch_id,
            number=0 if last is None else last + 1,
            idempotency_key=idempotency_key,
            now=now,
        )
        session_rows.add_version(workspace.db, turn_id, 0, named, now=now)
        session_rows.touch(workspace.db, session, now=now)
        turn = _floor(workspace, session, turn_id)
        add_said(workspace, turn, found)
        [queued] = _line_up(workspace, session, turn, now)
        return turn, queued

    turn, queued = workspace.db.write(write)
    return turn, _ingested(workspace, mode, [queued])


def list_turns(
    workspace: Workspace,
    session_id: str,
    *,
    branch_id: str = MAIN,
    order: Order = "asc",
    limit: int = 50,
    offset: int = 0,
) -> Page[Turn]:
    """Return a page of a branch's turns, each with its active version."""

    def read() -> Page[Turn]:
        session = address_of(workspace, session_id)
        branch = branch_of(workspace, session, branch_id)
        rows = session_rows.floors(
            workspace.db, session, branch_id, order=order, limit=limit, offset=offset
        )
        return Page(tuple(rows), branch.floors)

    return workspace.db.read(read)


def get_turn(workspace: Workspace, session_id: str, floor_id: str) -> Turn:
    """Return one turn with its active version."""
    return workspace.db.read(lambda: _floor(workspace, address_of(workspace, session_id), floor_id))


def change_turn(
    workspace: Workspace,
    session_id: str,
    floor_id: str,
    *,
    lines: Sequence[Line] | None = None,
    version: int | None = None,
    mode: IngestMode = "async",
) -> tuple[Turn, Ingest]:
    """Give a turn a new version, or make another one active. What came from the one before is
    gone at once.
    """
    if (lines is None) == (version is None):
        raise InvalidInputError("messages", "give either messages or version", "one of both")
    if lines is not None:
        _check_lines(lines)
    named = _named(workspace, lines or ())
    now = workspace.moment()

    def write() -> tuple[Turn, list[Queued]]:
        item_writes.hold(workspace, [chat_scope(session_id)], now=now)
        session = address_of(workspace, session_id)
        before = _floor(workspace, session, floor_id)
        if version is not None:
            if not 0 <= version < before.versions:
                allowed = f"0 to {before.versions - 1}"
                raise InvalidInputError("version", f"there is no version {version}", allowed)
            if version == before.version:
                return before, []
            session_rows.activate(workspace.db, floor_id, version, now=now)
        else:
            session_rows.add_version(workspace.db, floor_id, before.versions, named, now=now)
        session_rows.touch(workspace.db, session, now=now)
        after = _floor(workspace, session, floor_id)
        replace_said(workspace, after)
        # It stands before the summaries that are to be made: some of these will be others then.
        queued = _line_up(workspace, session, after, now)
        _retract(workspace, session, floor_id, now)
        return after, queued

    turn, queued = unlocked_work.write(workspace, write)
    return turn, _ingested(workspace, mode, queued)


def delete_turn(workspace: Workspace, session_id: str, floor_id: str) -> None:
    """Delete a turn from every branch, with what came from it.

    The other turns keep their numbers.
    """
    now = workspace.moment()

    def write() -> None:
        item_writes.hold(workspace, [chat_scope(session_id)], now=now)
        session = address_of(workspace, session_id)
        _floor(workspace, session, floor_id)
        places = session_rows.places_of(workspace.db, floor_id)
        tracks = [Track(session, branch_id) for branch_id in places]
        holder = item_writes.hold(workspace, [track.scope for track in tracks], now=now)
        narrow(workspace, holder, [floor_id])
        drop_said(workspace, session_id, [floor_id])
        session_rows.drop_turns(workspace.db, [floor_id])
        session_rows.touch(workspace.db, session, now=now)
        for track in tracks:
            follow(workspace, holder, track, BranchChange({places[track.branch_id]: None}))

    unlocked_work.write(workspace, write)


def _retract(workspace: Workspace, session: Address, floor_id: str, now: datetime) -> None:
    """Take back what came from the version before, as if nobody had looked at the turn yet."""
    places = session_rows.places_of(workspace.db, floor_id)
    tracks = [Track(session, branch_id) for branch_id in places]
    holder = item_writes.hold(workspace, [track.scope for track in tracks], now=now)
    active = session_rows.floor(workspace.db, session, floor_id)
    narrow(workspace, holder, [floor_id], version=None if active is None else active.version)
    for track in tracks:
        number = places[track.branch_id]
        change = BranchChange({number: step_at(workspace, track, number)})
        follow(workspace, holder, track, change)


def _ingested(workspace: Workspace, mode: IngestMode, queued: Sequence[Queued]) -> Ingest:
    """Tell how far the taking in of a turn is; with `sync`, do it first."""
    if not queued:
        return Ingest(mode, "succeeded", None)
    if mode == "sync":
        for job in queued:
            work_off(workspace, job.job_id, job.scope, worker=_SYNC_WORKER)
    job = get_job(workspace, queued[0].job_id)
    return Ingest(mode, job.status, job.id, job.last_error)


def _line_up(workspace: Workspace, session: Address, floor: Turn, now: datetime) -> list[Queued]:
    places = session_rows.places_of(workspace.db, floor.id)
    return [
        enqueue_ingest(
            workspace,
            branch_scope(session.id, branch_id),
            session_id=session.id,
            branch_id=branch_id,
            turn_id=floor.id,
            version=floor.version,
            number=number,
            now=now,
        )
        for branch_id, number in sorted(places.items(), key=lambda one: (one[0] != "main", one))
    ]


def _floor(workspace: Workspace, session: Address, floor_id: str) -> Turn:
    floor = session_rows.floor(workspace.db, session, floor_id)
    if floor is None:
        raise NotFoundError(
            f"Session {session.id[:80]!r} has no turn {floor_id[:80]!r}.", id=floor_id
        )
    return floor


def _added_before(
    workspace: Workspace, session: Address, floor_id: str, lines: Sequence[Line]
) -> Turn:
    """Return the turn that was added under the same key, if it is the same turn."""
    floor = _floor(workspace, session, floor_id)
    first = session_rows.said_at_first(workspace.db, floor_id)
    said = [(line.role, line.name, line.content) for line in first]
    if said != [(one.role, one.name, one.content) for one in lines]:
        raise SameKeyError(
            "This idempotency_key was used for a turn with other messages.", floor_id=floor_id
        )
    return floor


def _named(workspace: Workspace, lines: Sequence[Line]) -> list[tuple[str, Line]]:
    """Return messages with their ids: the app's, or new ones."""
    return [(line.id or name_of(workspace.new_id()), line) for line in lines]


def _check_lines(lines: Sequence[Line]) -> None:
    if not 1 <= len(lines) <= _MOST_LINES:
        problem = f"there are {len(lines)}"
        raise InvalidInputError("messages", problem, f"1 to {_MOST_LINES} messages")
    check_length("messages", sum(len(line.content) for line in lines))
    for at, line in enumerate(lines):
        if not line.content:
            raise InvalidInputError(
                f"messages.{at}.content", "it is empty", "a text with at least one character"
            )
        check_text(f"messages.{at}.content", line.content if line.content.strip() else "blank")
        if line.name is not None:
            check_id(f"messages.{at}.name", line.name)
        if line.id is not None:
            check_id(f"messages.{at}.id", line.id)
