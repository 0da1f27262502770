"""Sessions: begin, branch and end a conversation, and what follows for its memory."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Final

from mnemic.engine import cards
from mnemic.engine.cards import Holder
from mnemic.engine.names import name_of
from mnemic.engine.projecting.entries import Entry, entry_of, uid_of
from mnemic.engine.projecting.fold import Fold
from mnemic.engine.projecting.replaying import NEVER, Track, replay
from mnemic.engine.projecting.widening import narrow
from mnemic.engine.projecting.windows import is_window
from mnemic.engine.queueing import line_up_compaction, line_up_ingest
from mnemic.engine.wording import check_text
from mnemic.engine.workspace import Workspace
from mnemic.errors import ConflictError, InvalidInputError, NotFoundError, StateError
from mnemic.items import ItemFilter, Order, Page
from mnemic.records import Scope
from mnemic.sessions import MAIN, Branch, Session, SessionSort, branch_scope, chat_scope
from mnemic.storage import items, scope_states, scopes, sessions
from mnemic.storage.items import Card
from mnemic.storage.sessions import Address

_LONGEST_ID: Final = 200


class ProtectedBranchError(StateError):
    """The main branch of a session cannot be deleted."""

    code = "protected_branch"


def create(workspace: Workspace, session_id: str | None = None) -> Session:
    """Begin a session, under an id of the caller's or a new one."""
    name = name_of(workspace.new_id()) if session_id is None else session_id
    check_id("id", name)
    now = workspace.moment()

    def write() -> Session:
        holder = cards.hold(workspace, [chat_scope(name)], now=now)
        session = Address(holder.number(chat_scope(name)), name)
        if sessions.find(workspace.db, session.scope_id) is not None:
            raise ConflictError(f"There is a session {name[:80]!r} already.", id=name)
        sessions.begin(workspace.db, session, now=now)
        sessions.add_branch(workspace.db, session, MAIN, parent=None, forked_at=None, now=now)
        return existing(workspace, name)

    return workspace.db.write(write)


def existing(workspace: Workspace, session_id: str) -> Session:
    """Return a session, or refuse what is none."""
    scope_id = scopes.find(workspace.db, chat_scope(session_id))
    session = None if scope_id is None else sessions.find(workspace.db, scope_id)
    if session is None:
        raise _missing(session_id)
    return session


def address_of(workspace: Workspace, session_id: str) -> Address:
    """Return where a session is kept, or refuse what is none."""
    scope_id = scopes.find(workspace.db, chat_scope(session_id))
    if scope_id is None or sessions.find(workspace.db, scope_id) is None:
        raise _missing(session_id)
    return Address(scope_id, session_id)


def listed(
    workspace: Workspace, *, sort: SessionSort, order: Order, limit: int, offset: int
) -> Page[Session]:
    """Return a page of the account's sessions."""
    rows, total = workspace.db.read(
        lambda: sessions.page(workspace.db, sort=sort, order=order, limit=limit, offset=offset)
    )
    return Page(tuple(rows), total)


def delete(workspace: Workspace, session_id: str) -> None:
    """Delete a session with everything that was said in it, remembered of it and to be done."""
    now = workspace.moment()

    def write() -> None:
        holder = cards.hold(workspace, [chat_scope(session_id)], now=now)
        session = address_of(workspace, session_id)
        turns = sessions.turn_ids(workspace.db, session)
        lines = [branch.id for branch in sessions.branches(workspace.db, session)]
        narrow(workspace, holder, turns)
        own = [branch_scope(session_id, one) for one in lines]
        _clear(workspace, holder, [chat_scope(session_id), *own], turns)
        sessions.drop(workspace.db, session)

    workspace.db.write(write)


def branches(workspace: Workspace, session_id: str) -> list[Branch]:
    """Return the branches of a session, in the order in which they were made."""

    def read() -> list[Branch]:
        return sessions.branches(workspace.db, address_of(workspace, session_id))

    return workspace.db.read(read)


def fork(
    workspace: Workspace, session_id: str, branch_id: str, *, parent: str, at: int | None
) -> Branch:
    """Begin a branch with the turns of another one, up to a floor, and with what is remembered
    of them. Nothing of it ever reaches the other one.
    """
    check_id("branch_id", branch_id)
    now = workspace.moment()
    track_scope = branch_scope(session_id, branch_id)

    def write() -> Branch:
        wanted = [chat_scope(session_id), track_scope, branch_scope(session_id, parent)]
        holder = cards.hold(workspace, wanted, now=now)
        session = address_of(workspace, session_id)
        branch_of(workspace, session, parent)
        forked_at = _fork_point(workspace, session, parent, at)
        if not sessions.add_branch(
            workspace.db, session, branch_id, parent=parent, forked_at=forked_at, now=now
        ):
            raise ConflictError(f"There is a branch {branch_id[:80]!r} already.", id=branch_id)
        sessions.touch(workspace.db, session, now=now)
        _inherit(workspace, holder, Track(session, parent), Track(session, branch_id), forked_at)
        return branch_of(workspace, session, branch_id)

    return workspace.db.write(write)


def delete_branch(workspace: Workspace, session_id: str, branch_id: str) -> None:
    """Delete a branch with the turns that no other one shares, its memory and its jobs."""
    now = workspace.moment()

    def write() -> None:
        scope = branch_scope(session_id, branch_id)
        holder = cards.hold(workspace, [chat_scope(session_id), scope], now=now)
        session = address_of(workspace, session_id)
        branch_of(workspace, session, branch_id)
        if branch_id == MAIN:
            raise ProtectedBranchError(
                "The branch 'main' cannot be deleted; delete the session instead.", id=branch_id
            )
        alone = sessions.drop_branch(workspace.db, session, branch_id)
        narrow(workspace, holder, alone)
        _clear(workspace, holder, [scope], alone)
        sessions.drop_turns(workspace.db, alone)
        sessions.touch(workspace.db, session, now=now)

    workspace.db.write(write)


def branch_of(workspace: Workspace, session: Address, branch_id: str) -> Branch:
    """Return a branch of a session, or refuse what is none."""
    for branch in sessions.branches(workspace.db, session):
        if branch.id == branch_id:
            return branch
    raise NotFoundError(
        f"Session {session.id[:80]!r} has no branch {branch_id[:80]!r}.", id=branch_id
    )


def check_id(parameter: str, name: str) -> None:
    """Refuse what cannot be an id of a session, a branch or a message."""
    if not 1 <= len(name) <= _LONGEST_ID:
        problem = f"it has {len(name)} characters"
        raise InvalidInputError(parameter, problem, f"1 to {_LONGEST_ID} characters")
    check_text(parameter, name)


def _missing(session_id: str) -> NotFoundError:
    return NotFoundError(f"There is no session {session_id[:80]!r}.", id=session_id)


def _fork_point(workspace: Workspace, session: Address, parent: str, at: int | None) -> int | None:
    last = sessions.last_number(workspace.db, session, parent)
    if at is None:
        return last
    if last is None or not 0 <= at <= last:
        allowed = "none: the branch has no floors" if last is None else f"0 to {last}"
        raise InvalidInputError("at_floor_no", f"{at} is no floor of {parent!r}", allowed)
    return at


def _inherit(
    workspace: Workspace, holder: Holder, parent: Track, child: Track, forked_at: int | None
) -> None:
    """Give a fork the memory of its trunk, as it was at the fork."""
    after = NEVER if forked_at is None else forked_at
    beyond = [
        step
        for step in sessions.path(workspace.db, parent.session, parent.branch_id)
        if step.number > after
    ]
    scope_states.grow(workspace.db, holder.number(child.scope), now=holder.now)
    _copy_by_hand(workspace, holder, parent, child, until=beyond[0].added_at if beyond else None)
    made = _summaries_of(workspace, holder, parent)
    fold = replay(workspace, holder, child, changed_at=NEVER, made=made)
    if _strike_again(workspace, holder, parent, child, fold):
        fold = replay(workspace, holder, child, changed_at=NEVER, made=made)
    for planned in fold.to_make():
        line_up_compaction(workspace, child.scope, planned, now=holder.now)
    for step in sessions.path(workspace.db, child.session, child.branch_id):
        if step.extraction is None:
            line_up_ingest(
                workspace,
                child.scope,
                session_id=child.session.id,
                branch_id=child.branch_id,
                turn_id=step.turn_id,
                version=step.version,
                number=step.number,
                now=holder.now,
            )


def _copy_by_hand(
    workspace: Workspace, holder: Holder, parent: Track, child: Track, *, until: datetime | None
) -> None:
    """Copy what was written by hand in the trunk before the fork, and what was changed by hand
    of what turns made.
    """
    chosen = items.selection(ItemFilter(), scope_ids=(holder.number(parent.scope),))
    held = [
        card
        for card in items.every(workspace.db, chosen)
        if card.origin is None
        and (card.item.in_use or card.displaced_by is not None)
        and (until is None or card.item.created_at < until)
    ]
    copies = [
        Card(
            item=replace(
                card.item,
                id=name_of(workspace.new_id()),
                scope=child.scope,
                status="active",
                lifecycle="active",
                note=None,
                used_at=None,
            ),
            doc=0,
            scope_id=0,
        )
        for card in sorted(held, key=lambda card: (card.item.created_at, card.item.id))
    ]
    edited = [
        replace(
            card,
            item=replace(
                card.item, id=uid_of(child.scope, card.origin), scope=child.scope, used_at=None
            ),
        )
        for card in items.projected(workspace.db, holder.number(parent.scope))
        if card.edited and card.origin is not None
    ]
    cards.add(workspace, holder, [*copies, *edited])


def _strike_again(
    workspace: Workspace, holder: Holder, parent: Track, child: Track, fold: Fold
) -> bool:
    """Delete from a fork what was deleted by hand from its trunk; tell whether there was any."""
    struck = items.struck(workspace.db, holder.number(parent.scope))
    found = False
    for one in fold.entries.values() if struck else ():
        at = None if one.origin is None else struck.get(uid_of(parent.scope, one.origin))
        if at is not None:
            items.strike(workspace.db, [(holder.number(child.scope), one.uid)], now=at)
            found = True
    return found


def _summaries_of(workspace: Workspace, holder: Holder, track: Track) -> dict[str, Entry]:
    """Return the larger summaries of a branch by what they were made of: a fork that plans the
    same ones need not have them made again.
    """
    there = items.projected(workspace.db, holder.number(track.scope))
    return {
        card.origin: replace(entry_of(card), displaced_by=None, edited=False)
        for card in there
        if card.origin is not None and is_window(card.origin) and not card.edited
    }


def _clear(workspace: Workspace, holder: Holder, own: Iterable[Scope], turn_ids: list[str]) -> None:
    """Delete everything in scopes that go with a branch or a session."""
    there = {scope: number for scope in own if (number := scopes.find(workspace.db, scope))}
    there |= sessions.scopes_named(workspace.db, "floor", turn_ids)
    for scope in sorted(there, key=lambda one: (one.kind, one.name)):
        chosen = items.selection(ItemFilter(), scope_ids=(holder.number(scope),))
        cards.remove(workspace, holder, items.every(workspace.db, chosen))
    sessions.drop_work(workspace.db, sorted(there.values()))
