"""Sessions: begin, branch and end a conversation, and what follows for its memory."""

from collections.abc import Iterable
from typing import Final

from mnemic.chat import item_writes
from mnemic.chat.item_writes import Holder
from mnemic.chat.projection.forking import inherit
from mnemic.chat.projection.tracks import Track
from mnemic.chat.projection.widening import narrow
from mnemic.chat.said_passages import drop_said
from mnemic.errors import ConflictError, InvalidInputError, NotFoundError, StateError
from mnemic.memory import unlocked_work
from mnemic.memory.ids import name_of
from mnemic.memory.texts.derivation import check_text
from mnemic.memory.workspace import Workspace
from mnemic.records.conversation import MAIN, Branch, Session, SessionSort, branch_scope, chat_scope
from mnemic.records.item import ItemFilter, Order, Page
from mnemic.records.memory import Scope
from mnemic.storage.chat_rows import item_rows, session_rows
from mnemic.storage.chat_rows.session_rows import Address
from mnemic.storage.rows import scope_rows

_LONGEST_ID: Final = 200
BEFORE_ALL: Final = -1
"""Where a branch is forked that shares no turn with the one it came from."""


class ProtectedBranchError(StateError):
    """The main branch of a session cannot be deleted."""

    code = "protected_branch"


def create_session(workspace: Workspace, session_id: str | None = None) -> Session:
    """Begin a session, under an id of the caller's or a new one."""
    name = name_of(workspace.new_id()) if session_id is None else session_id
    check_id("id", name)
    now = workspace.moment()

    def write() -> Session:
        holder = item_writes.hold(workspace, [chat_scope(name)], now=now)
        session = Address(holder.number(chat_scope(name)), name)
        if session_rows.find(workspace.db, session.scope_id) is not None:
            raise ConflictError(f"There is a session {name[:80]!r} already.", id=name)
        session_rows.begin(workspace.db, session, now=now)
        session_rows.add_branch(workspace.db, session, MAIN, parent=None, forked_at=None, now=now)
        return get_session(workspace, name)

    return workspace.db.write(write)


def get_session(workspace: Workspace, session_id: str) -> Session:
    """Return one session."""
    scope_id = scope_rows.find(workspace.db, chat_scope(session_id))
    session = None if scope_id is None else session_rows.find(workspace.db, scope_id)
    if session is None:
        raise _missing(session_id)
    return session


def address_of(workspace: Workspace, session_id: str) -> Address:
    """Return where a session is kept, or refuse what is none."""
    scope_id = scope_rows.find(workspace.db, chat_scope(session_id))
    session = None if scope_id is None else Address(scope_id, session_id)
    if session is None or not session_rows.is_there(workspace.db, session):
        raise _missing(session_id)
    return session


def list_sessions(
    workspace: Workspace,
    *,
    sort: SessionSort = "created_at",
    order: Order = "desc",
    limit: int = 50,
    offset: int = 0,
) -> Page[Session]:
    """Return a page of the sessions."""
    rows, total = workspace.db.read(
        lambda: session_rows.page(workspace.db, sort=sort, order=order, limit=limit, offset=offset)
    )
    return Page(tuple(rows), total)


def delete_session(workspace: Workspace, session_id: str) -> None:
    """Delete a session with all that was said, is remembered and is to be done."""
    now = workspace.moment()

    def write() -> None:
        holder = item_writes.hold(workspace, [chat_scope(session_id)], now=now)
        session = address_of(workspace, session_id)
        turns = session_rows.turn_ids(workspace.db, session)
        lines = [branch.id for branch in session_rows.branches(workspace.db, session)]
        narrow(workspace, holder, turns)
        drop_said(workspace, session_id, turns)
        own = [branch_scope(session_id, one) for one in lines]
        _clear(workspace, holder, [chat_scope(session_id), *own], turns)
        session_rows.drop(workspace.db, session)

    workspace.db.write(write)


def list_branches(
    workspace: Workspace, session_id: str, *, order: Order = "asc", limit: int = 50, offset: int = 0
) -> Page[Branch]:
    """Return a page of a session's branches, by the time they were made."""
    branches = workspace.db.read(
        lambda: session_rows.branches(workspace.db, address_of(workspace, session_id))
    )
    ordered = branches[::-1] if order == "desc" else branches
    return Page(tuple(ordered[offset : offset + limit]), len(branches))


def create_branch(
    workspace: Workspace,
    session_id: str,
    branch_id: str,
    *,
    from_branch: str = MAIN,
    at_floor_no: int | None = None,
) -> Branch:
    """Fork a branch at a floor: it begins with the turns and the memory up to there, at -1 with no
    turn at all.

    Nothing of it ever reaches the branch that it came from.
    """
    check_id("branch_id", branch_id)
    now = workspace.moment()
    track_scope = branch_scope(session_id, branch_id)
    salt = workspace.new_id()

    def write() -> Branch:
        wanted = [chat_scope(session_id), track_scope, branch_scope(session_id, from_branch)]
        holder = item_writes.hold(workspace, wanted, now=now)
        session = address_of(workspace, session_id)
        branch_of(workspace, session, from_branch)
        forked_at = _fork_point(workspace, session, from_branch, at_floor_no)
        if not session_rows.add_branch(
            workspace.db, session, branch_id, parent=from_branch, forked_at=forked_at, now=now
        ):
            raise ConflictError(f"There is a branch {branch_id[:80]!r} already.", id=branch_id)
        session_rows.touch(workspace.db, session, now=now)
        both = Track(session, from_branch), Track(session, branch_id)
        inherit(workspace, holder, *both, forked_at=forked_at, salt=salt)
        return branch_of(workspace, session, branch_id)

    return unlocked_work.write(workspace, write)


def delete_branch(workspace: Workspace, session_id: str, branch_id: str) -> None:
    """Delete a branch with its own turns, memory and jobs."""
    now = workspace.moment()

    def write() -> None:
        scope = branch_scope(session_id, branch_id)
        holder = item_writes.hold(workspace, [chat_scope(session_id), scope], now=now)
        session = address_of(workspace, session_id)
        branch_of(workspace, session, branch_id)
        if branch_id == MAIN:
            raise ProtectedBranchError(
                "The branch 'main' cannot be deleted; delete the session instead.", id=branch_id
            )
        alone = session_rows.drop_branch(workspace.db, session, branch_id)
        narrow(workspace, holder, alone)
        drop_said(workspace, session_id, alone)
        _clear(workspace, holder, [scope], alone)
        session_rows.drop_turns(workspace.db, alone)
        session_rows.touch(workspace.db, session, now=now)

    workspace.db.write(write)


def check_branch(workspace: Workspace, session: Address, branch_id: str) -> None:
    """Refuse what is no branch of a session."""
    if not session_rows.is_there(workspace.db, session, branch_id):
        raise _no_branch(session, branch_id)


def branch_of(workspace: Workspace, session: Address, branch_id: str) -> Branch:
    """Return a branch of a session, or refuse what is none."""
    for branch in session_rows.branches(workspace.db, session):
        if branch.id == branch_id:
            return branch
    raise _no_branch(session, branch_id)


def _no_branch(session: Address, branch_id: str) -> NotFoundError:
    told = f"Session {session.id[:80]!r} has no branch {branch_id[:80]!r}."
    return NotFoundError(told, id=branch_id)


def check_id(parameter: str, name: str) -> None:
    """Refuse what cannot be an id of a session, a branch or a message."""
    if not 1 <= len(name) <= _LONGEST_ID:
        problem = f"it has {len(name)} characters"
        raise InvalidInputError(parameter, problem, f"1 to {_LONGEST_ID} characters")
    check_text(parameter, name)


def _missing(session_id: str) -> NotFoundError:
    return NotFoundError(f"There is no session {session_id[:80]!r}.", id=session_id)


def _fork_point(workspace: Workspace, session: Address, parent: str, at: int | None) -> int | None:
    last = session_rows.last_number(workspace.db, session, parent)
    if at is None:
        return last
    if at == BEFORE_ALL:
        return None
    if last is None or not 0 <= at <= last:
        allowed = "none: the branch has no floors" if last is None else f"0 to {last}"
        raise InvalidInputError("at_floor_no", f"{at} is no floor of {parent!r}", allowed)
    return at


def _clear(workspace: Workspace, holder: Holder, own: Iterable[Scope], turn_ids: list[str]) -> None:
    """Delete everything in scopes that go with a branch or a session."""
    there = {scope: number for scope in own if (number := scope_rows.find(workspace.db, scope))}
    there |= session_rows.scopes_named(workspace.db, "floor", turn_ids)
    for scope in sorted(there, key=lambda one: (one.kind, one.name)):
        chosen = item_rows.selection(ItemFilter(), scope_ids=(holder.number(scope),))
        item_writes.remove(workspace, holder, item_rows.every(workspace.db, chosen))
    session_rows.drop_work(workspace.db, sorted(there.values()))
