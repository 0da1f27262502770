"""Erasing: write down what is to go, delete it in one transaction, then remove its last traces.

An erasure that is interrupted goes on when the store is next opened. What is written down first is
an address, and that goes with the rows; what stays is a receipt.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from mnemic.administration.erasing.derived import erase_conversation, erase_memories
from mnemic.administration.erasing.erasure_targets import ErasureTarget, TargetPlace, find_target
from mnemic.administration.erasing.marks import mark_of
from mnemic.administration.erasing.redacted_turns import clear_session, erase_item
from mnemic.errors import BusyError, StateError
from mnemic.memory import audit_log, unlocked_work
from mnemic.memory.remember import hold_scopes
from mnemic.memory.workspace import Workspace
from mnemic.records.erasure import ErasedKind, Erasure
from mnemic.records.item import Page
from mnemic.records.memory import DEFAULT_USER, Scope
from mnemic.runtime.budgets import unlimited
from mnemic.storage.chat_rows import item_rows
from mnemic.storage.rows import erasure_rows


class _OnlyLookedError(Exception):
    """Takes back what a dry run did, and carries what it found."""

    def __init__(self, counts: Counter[str]) -> None:
        super().__init__()
        self.counts = counts


def erase(
    workspace: Workspace,
    kind: ErasedKind,
    name: str | int,
    *,
    user: str = DEFAULT_USER.name,
    dry_run: bool = False,
) -> Erasure:
    """Remove something with all that follows from it, for ever: see `Engine.erase`."""
    return erase_many(workspace, [ErasureTarget(kind, str(name), user)], dry_run=dry_run)[0]


def erase_many(
    workspace: Workspace, targets: Iterable[ErasureTarget], *, dry_run: bool = False
) -> list[Erasure]:
    """Erase things, and remove the traces of all of them together; return their receipts.

    What was erased before returns its receipt again. A dry run changes nothing, and returns what
    would go. Where somebody reads the store's log meanwhile, the receipts are not finished, and
    the last traces go when the store is next opened.
    """
    workspace.accesses.flush()
    receipts: list[Erasure] = []
    begun = False
    for target in targets:
        place = find_target(workspace, target)
        if isinstance(place, Erasure):
            receipts.append(place)
        elif dry_run:
            receipts.append(_looked_at(workspace, place))
        else:
            receipts.append(_erase(workspace, place))
            begun = True
    return _scrubbed(workspace, receipts) if begun else receipts


def receipts(workspace: Workspace) -> list[Erasure]:
    """Return the receipts of the account, the oldest first."""
    return [begun.erasure for begun in erasure_rows.listed(workspace.db)]


def list_receipts(workspace: Workspace, *, limit: int = 50, offset: int = 0) -> Page[Erasure]:
    """Return a page of the receipts of what was erased, the newest first."""
    newest_first = receipts(workspace)[::-1]
    return Page(tuple(newest_first[offset : offset + limit]), len(newest_first))


def go_on(workspace: Workspace) -> int:
    """Finish what was interrupted; return how many erasures that were."""
    waiting = erasure_rows.unfinished(workspace.db)
    for begun in waiting:
        own = replace(workspace, db=workspace.db.as_account(begun.account_id))
        if begun.subject is not None:
            _empty(own, begun.erasure, begun.subject)
    if waiting:
        _scrub(workspace, [(begun.account_id, begun.erasure.id) for begun in waiting])
    return len(waiting)


def _scrubbed(workspace: Workspace, erased: list[Erasure]) -> list[Erasure]:
    """Remove the traces of what is gone, also of what was interrupted before."""
    waiting = erasure_rows.unfinished(workspace.db)
    if not _scrub(workspace, [(begun.account_id, begun.erasure.id) for begun in waiting]):
        return erased
    finished = {receipt.id: receipt for receipt in receipts(workspace)}
    return [finished.get(receipt.id, receipt) for receipt in erased]


def _scrub(workspace: Workspace, waiting: list[tuple[int, str]]) -> bool:
    try:
        workspace.db.scrub()
    except BusyError:
        return False
    now = workspace.clock()
    for account_id, erasure_id in waiting:
        db = workspace.db.as_account(account_id)
        db.write(lambda db=db, id=erasure_id: erasure_rows.finish(db, id, now=now))
    return True


def _erase(workspace: Workspace, place: TargetPlace) -> Erasure:
    erasure = _receipt(workspace, place, f"erasure_{workspace.new_id()}", Counter())
    workspace.db.write(lambda: erasure_rows.begin(workspace.db, erasure, place.subject))
    return _empty(workspace, erasure, place.subject)


def _empty(workspace: Workspace, erasure: Erasure, subject: dict[str, Any]) -> Erasure:
    workspace = _at_one_time(workspace)

    def write() -> Erasure:
        begun = erasure_rows.get(workspace.db, erasure.id)
        if begun is None or begun.subject is None:
            # Somebody else who opened the store went on with it.
            return erasure if begun is None else begun.erasure
        counts = _delete(workspace, erasure.kind, subject)
        counts["copies"] += workspace.db.copies()
        erasure_rows.emptied(workspace.db, erasure, counts)
        audit_log.record(workspace, "erase", target=erasure.id, counts=+counts)
        return replace(erasure, counts=+counts)

    with unlimited():
        return unlocked_work.write(workspace, write)


def _at_one_time(workspace: Workspace) -> Workspace:
    """Return a workspace whose clock stands still: a transaction may be done twice."""
    now = workspace.clock()
    return replace(workspace, clock=lambda: now)


def _looked_at(workspace: Workspace, place: TargetPlace) -> Erasure:
    workspace = _at_one_time(workspace)

    def write() -> None:
        counts = _delete(workspace, place.target.kind, place.subject)
        raise _OnlyLookedError(counts + Counter(copies=workspace.db.copies()))

    try:
        with unlimited():
            unlocked_work.write(workspace, write)
    except _OnlyLookedError as looked:
        return _receipt(workspace, place, "", looked.counts)
    raise StateError("A dry run came to no end.")


def _receipt(
    workspace: Workspace, place: TargetPlace, erasure_id: str, counts: Counter[str]
) -> Erasure:
    return Erasure(
        id=erasure_id,
        kind=place.target.kind,
        account=mark_of("account", workspace.settings.account),
        mark=place.mark,
        made_at=place.made_at,
        number=place.number,
        counts=dict(sorted((+counts).items())),
        actor=workspace.settings.actor,
        erased_at=workspace.clock(),
    )


def _delete(workspace: Workspace, kind: ErasedKind, subject: dict[str, Any]) -> Counter[str]:
    """Delete what a subject names; call it inside a writing transaction."""
    db = workspace.db
    match kind:
        case "memory":
            return _delete_memory(workspace, subject)
        case "conversation":
            scope = Scope("user", subject["user"])
            return erase_conversation(workspace, scope, subject["conversation"])
        case "session":
            return drop_session(workspace, subject["session"])
        case "user" | "collection":
            return _purge_scopes(workspace, [Scope(kind, subject["name"])])
        case "account":
            counts = _purge_scopes(workspace, erasure_rows.scopes_of_account(db))
            return counts + erasure_rows.purge_account(db)


def drop_session(workspace: Workspace, session_id: str) -> Counter[str]:
    """Delete a session of a chat with its memory; call it inside a writing transaction."""
    return _purge_scopes(workspace, clear_session(workspace, session_id))


def _delete_memory(workspace: Workspace, subject: dict[str, Any]) -> Counter[str]:
    uid = subject.get("item")
    if uid is None:
        return erase_memories(workspace, [subject["memory"]])
    there = item_rows.get(workspace.db, [uid])
    return erase_item(workspace, uid) if uid in there else Counter()


def _purge_scopes(workspace: Workspace, gone: Iterable[Scope]) -> Counter[str]:
    counts: Counter[str] = Counter()
    left = [scope for scope in gone if not erasure_rows.is_erased(scope)]
    for scope_id in hold_scopes(workspace, left, workspace.clock()).values():
        counts += erasure_rows.purge_scope(workspace.db, scope_id)
    return counts
