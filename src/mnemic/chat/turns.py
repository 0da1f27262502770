"""Turns: add, swipe, edit and delete what was said, and what follows for the memory of it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from mnemic.chat import item_writes
from mnemic.chat.conversations import address_of, branch_of, check_id
from mnemic.chat.jobs.enqueue import enqueue_ingest
from mnemic.chat.jobs.ingest import enqueue_windows
from mnemic.chat.projection.replay import Track, replay
from mnemic.chat.projection.widening import narrow
from mnemic.errors import ConflictError, InvalidInputError, NotFoundError
from mnemic.memory import unlocked_work
from mnemic.memory.ids import name_of
from mnemic.memory.texts.derivation import check_length, check_text
from mnemic.memory.workspace import Workspace
from mnemic.records.conversation import Line, Queued, Turn, branch_scope, chat_scope
from mnemic.records.item import Order, Page
from mnemic.storage.chat_rows import session_rows
from mnemic.storage.chat_rows.session_rows import Address

_MOST_LINES: Final = 100


class SameKeyError(ConflictError):
    """The idempotency key was used for another turn."""

    code = "idempotency_conflict"


def add(
    workspace: Workspace,
    session_id: str,
    lines: Sequence[Line],
    *,
    branch_id: str,
    idempotency_key: str | None,
) -> tuple[Turn, str | None]:
    """Add a turn to a branch, and the job that takes it in; return both once they are kept."""
    _check_lines(lines)
    if idempotency_key is not None:
        check_id("idempotency_key", idempotency_key)
    now = workspace.moment()
    turn_id = name_of(workspace.new_id())
    named = _named(workspace, lines)

    def write() -> tuple[Turn, str | None]:
        item_writes.hold(workspace, [chat_scope(session_id)], now=now)
        session = address_of(workspace, session_id)
        branch_of(workspace, session, branch_id)
        if idempotency_key is not None:
            known = session_rows.turn_with_key(workspace.db, session, idempotency_key)
            if known is not None:
                return _added_before(workspace, session, known, lines), None
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
        floor = _floor(workspace, session, turn_id)
        [queued] = _line_up(workspace, session, floor, now)
        return floor, queued.job_id

    return workspace.db.write(write)


def listed(
    workspace: Workspace,
    session_id: str,
    *,
    branch_id: str,
    order: Order,
    limit: int,
    offset: int,
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


def get(workspace: Workspace, session_id: str, floor_id: str) -> Turn:
    """Return one turn with its active version."""
    return workspace.db.read(lambda: _floor(workspace, address_of(workspace, session_id), floor_id))


def change(
    workspace: Workspace,
    session_id: str,
    floor_id: str,
    *,
    lines: Sequence[Line] | None,
    version: int | None,
) -> tuple[Turn, list[Queued]]:
    """Give a turn a new version, or make another one active; what came from the version before is
    gone at once, in every branch that the turn stands in.
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
        # It stands before the summaries that are to be made: some of these will be others then.
        queued = _line_up(workspace, session, after, now)
        _retract(workspace, session, floor_id, now)
        return after, queued

    return unlocked_work.write(workspace, write)


def delete(workspace: Workspace, session_id: str, floor_id: str) -> None:
    """Delete a turn from every branch, with what came from it. The other turns keep their
    numbers.
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
        session_rows.drop_turns(workspace.db, [floor_id])
        session_rows.touch(workspace.db, session, now=now)
        for track in tracks:
            fold = replay(workspace, holder, track, changed_at=places[track.branch_id])
            enqueue_windows(workspace, track.scope, fold, holder)

    unlocked_work.write(workspace, write)


def _retract(workspace: Workspace, session: Address, floor_id: str, now: datetime) -> None:
    """Take back what came from the version before, as if nobody had looked at the turn yet."""
    places = session_rows.places_of(workspace.db, floor_id)
    tracks = [Track(session, branch_id) for branch_id in places]
    holder = item_writes.hold(workspace, [track.scope for track in tracks], now=now)
    active = session_rows.floor(workspace.db, session, floor_id)
    narrow(workspace, holder, [floor_id], version=None if active is None else active.version)
    for track in tracks:
        fold = replay(workspace, holder, track, changed_at=places[track.branch_id])
        enqueue_windows(workspace, track.scope, fold, holder)


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
