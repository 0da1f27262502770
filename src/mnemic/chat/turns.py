"""Turns: add, swipe, edit and delete what was said, and what follows for the memory of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Self

from mnemic.chat import item_writes
from mnemic.chat.conversations import address_of, branch_of, check_branch, check_id
from mnemic.chat.jobs.enqueue import enqueue_ingest, ingest_job_id
from mnemic.chat.jobs.execute import work_off
from mnemic.chat.jobs.job_lists import get_job
from mnemic.chat.projection.branch_reading import BranchChange
from mnemic.chat.projection.replay import follow, step_at
from mnemic.chat.projection.tracks import Track
from mnemic.chat.projection.widening import narrow
from mnemic.chat.said_passages import add_said, drop_said, passages_of, replace_said
from mnemic.errors import BusyError, ConflictError, InvalidInputError, NotFoundError
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
    TurnDraft,
    VersionDraft,
    branch_scope,
    chat_scope,
)
from mnemic.records.item import Order, Page
from mnemic.storage.chat_rows import session_rows
from mnemic.storage.chat_rows.session_rows import Address
from mnemic.storage.rows.document_rows import NewDocument

_MOST_LINES: Final = 100
MOST_TURNS: Final = 5_000
"""So many turns come in one call."""

_BATCH: Final = 100
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
    occurred_at: datetime | None = None,
) -> tuple[Turn, Ingest]:
    """Add a turn; it is taken in by a worker, or, with `sync`, before this returns. `occurred_at`
    tells when it was said, where that was not just now.
    """
    _check_lines(lines)
    draft = TurnDraft((VersionDraft(tuple(lines), occurred_at),), idempotency_key=idempotency_key)
    [(turn, queued)] = _add(workspace, session_id, [draft], branch_id=branch_id)
    return turn, _ingested(workspace, mode, [queued])


def add_turns(
    workspace: Workspace,
    session_id: str,
    turns: Sequence[TurnDraft],
    *,
    branch_id: str = MAIN,
) -> list[tuple[Turn, Queued]]:
    """Add turns in their order, with all of their versions; workers take them in. Of each it is
    told where it stands, and which job takes it in: one with a known `idempotency_key` is there
    already. So many go into a transaction; where something goes wrong, the error tells how many
    turns are kept, and the same call goes on there.
    """
    if not 1 <= len(turns) <= MOST_TURNS:
        raise InvalidInputError("turns", f"there are {len(turns)}", f"1 to {MOST_TURNS:,} turns")
    for at, draft in enumerate(turns):
        for number, version in enumerate(draft.versions):
            _check_lines(version.lines, f"turns.{at}.versions.{number}.messages")
    added: list[tuple[Turn, Queued]] = []
    while len(added) < len(turns):
        batch = turns[len(added) : len(added) + _BATCH]
        try:
            added += _add(workspace, session_id, batch, branch_id=branch_id)
        except (BusyError, SameKeyError) as error:
            kept = f"{len(added):,} of {len(turns):,} turns are kept."
            raise type(error)(f"{error} {kept}", **error.details) from error
    return added


def _add(
    workspace: Workspace, session_id: str, drafts: Sequence[TurnDraft], *, branch_id: str
) -> list[tuple[Turn, Queued]]:
    """Add turns in one transaction."""
    now = workspace.moment()
    new = [_NewTurn.of(workspace, session_id, branch_id, draft, now) for draft in drafts]

    def write() -> list[tuple[Turn, Queued]]:
        item_writes.hold(workspace, [chat_scope(session_id)], now=now)
        session = address_of(workspace, session_id)
        check_branch(workspace, session, branch_id)
        last = session_rows.last_number(workspace.db, session, branch_id)
        number = 0 if last is None else last + 1
        added: list[tuple[Turn, Queued]] = []
        for one in new:
            known = _known(workspace, session, one)
            added.append(known or _store(workspace, session, one, number, now))
            number += known is None
        session_rows.touch(workspace.db, session, now=now)
        return added

    return workspace.db.write(write)


@dataclass(frozen=True, slots=True)
class _NewTurn:
    """A turn that is to be added, with all that follows from its texts."""

    turn: Turn
    versions: tuple[tuple[list[tuple[str, Line]], datetime | None], ...]
    idempotency_key: str | None
    found: list[NewDocument]

    @classmethod
    def of(
        cls, workspace: Workspace, session_id: str, branch_id: str, draft: TurnDraft, now: datetime
    ) -> Self:
        """Work out what needs no lock."""
        if draft.idempotency_key is not None:
            check_id("idempotency_key", draft.idempotency_key)
        versions = len(draft.versions)
        active = versions - 1 if draft.active is None else draft.active
        if not 0 <= active < versions:
            raise InvalidInputError("active", f"it is {active}", f"0 to {versions - 1}")
        given_at = draft.versions[active].occurred_at
        named = tuple((_named(workspace, one.lines), one.occurred_at) for one in draft.versions)
        turn = Turn(
            id=name_of(workspace.new_id()),
            session_id=session_id,
            number=0,
            version=active,
            versions=versions,
            lines=tuple(replace(line, id=name) for name, line in named[active][0]),
            created_at=now,
            updated_at=now,
            branch_id=branch_id,
            given_at=given_at,
        )
        found = passages_of(turn.lines, given_at or now)
        return cls(turn, named, draft.idempotency_key, found)


def _known(workspace: Workspace, session: Address, new: _NewTurn) -> tuple[Turn, Queued] | None:
    """Return the turn that was added under the same key, and the job that takes it in."""
    key, branch_id = new.idempotency_key, new.turn.branch_id
    known = None if key is None else session_rows.turn_with_key(workspace.db, session, key)
    if known is None:
        return None
    turn = _added_before(workspace, session, known, [line for _, line in new.versions[0][0]])
    scope = branch_scope(session.id, branch_id)
    return turn, Queued(ingest_job_id(scope, turn.id, turn.version), created=False, scope=scope)


def _store(
    workspace: Workspace, session: Address, new: _NewTurn, number: int, now: datetime
) -> tuple[Turn, Queued]:
    turn = replace(new.turn, number=number)
    session_rows.add_turn(
        workspace.db,
        session,
        turn.id,
        branch_id=turn.branch_id,
        number=number,
        idempotency_key=new.idempotency_key,
        now=now,
    )
    for at, (lines, when) in enumerate(new.versions):
        session_rows.add_version(workspace.db, turn.id, at, lines, occurred_at=when, now=now)
    if turn.version < turn.versions - 1:
        session_rows.activate(workspace.db, turn.id, turn.version, now=now)
    add_said(workspace, turn, new.found)
    [queued] = _line_up(workspace, session, turn, {turn.branch_id: number}, now)
    return turn, queued


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


def turn_versions(
    workspace: Workspace, session_id: str, floor_id: str
) -> tuple[tuple[Line, ...], ...]:
    """Return what was said in each version of a turn, by their numbers."""

    def read() -> tuple[tuple[Line, ...], ...]:
        turn = _floor(workspace, address_of(workspace, session_id), floor_id)
        said = session_rows.versions_of(workspace.db, floor_id)
        return tuple(said.get(version, ()) for version in range(turn.versions))

    return workspace.db.read(read)


def change_turn(
    workspace: Workspace,
    session_id: str,
    floor_id: str,
    *,
    lines: Sequence[Line] | None = None,
    version: int | None = None,
    mode: IngestMode = "async",
    occurred_at: datetime | None = None,
) -> tuple[Turn, Ingest]:
    """Give a turn a new version, or make another one active. What came from the one before is
    gone at once. A new version was said when the one before was, unless `occurred_at` tells.
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
            number, when = before.versions, occurred_at or before.given_at
            session_rows.add_version(
                workspace.db, floor_id, number, named, occurred_at=when, now=now
            )
        session_rows.touch(workspace.db, session, now=now)
        after = _floor(workspace, session, floor_id)
        replace_said(workspace, after)
        # It stands before the summaries that are to be made: some of these will be others then.
        places = session_rows.places_of(workspace.db, floor_id)
        queued = _line_up(workspace, session, after, places, now)
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


def _line_up(
    workspace: Workspace, session: Address, floor: Turn, places: Mapping[str, int], now: datetime
) -> list[Queued]:
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


def _check_lines(lines: Sequence[Line], where: str = "messages") -> None:
    if not 1 <= len(lines) <= _MOST_LINES:
        problem = f"there are {len(lines)}"
        raise InvalidInputError(where, problem, f"1 to {_MOST_LINES} messages")
    check_length(where, sum(len(line.content) for line in lines))
    for at, line in enumerate(lines):
        if not line.content:
            raise InvalidInputError(
                f"{where}.{at}.content", "it is empty", "a text with at least one character"
            )
        check_text(f"{where}.{at}.content", line.content if line.content.strip() else "blank")
        if line.name is not None:
            check_id(f"{where}.{at}.name", line.name)
        if line.id is not None:
            check_id(f"{where}.{at}.id", line.id)
