"""What is to be erased, and where it is in a store."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from mnemic.administration.erasing.marks import conversation_mark, item_mark, mark_of, memory_mark
from mnemic.errors import InvalidInputError, NotFoundError
from mnemic.memory.workspace import Workspace
from mnemic.records.conversation import chat_scope
from mnemic.records.erasure import ERASED_KINDS, ErasedKind, Erasure
from mnemic.records.memory import DEFAULT_USER, Scope
from mnemic.runtime.patterns import opening
from mnemic.storage.chat_rows import item_rows
from mnemic.storage.rows import conversation_rows, erasure_rows, memory_rows, scope_rows

_NUMBER: Final = opening("[0-9]{1,18}")


@dataclass(frozen=True, slots=True)
class ErasureTarget:
    """What is to be erased: of which kind, under which name, and of which user where it is a
    conversation. A memory is named by its number, as `mem_…`, or by the id of a chat's item.
    """

    kind: ErasedKind
    name: str
    user: str = DEFAULT_USER.name


@dataclass(frozen=True, slots=True)
class TargetPlace:
    """A target in the store: how it is recognised elsewhere, and where it is here."""

    target: ErasureTarget
    mark: str
    made_at: datetime
    subject: dict[str, Any]
    number: int | None = None


@dataclass(frozen=True, slots=True)
class _Absent:
    """A target that is not there, as receipts know it."""

    mark: str
    number: int | None = None


def find_target(workspace: Workspace, target: ErasureTarget) -> TargetPlace | Erasure:
    """Return where a target is, or the receipt of what was erased before."""
    if target.kind not in ERASED_KINDS:
        raise InvalidInputError("kind", f"{target.kind!r} is none", ", ".join(ERASED_KINDS))
    place = _FINDERS[target.kind](workspace, target)
    if isinstance(place, TargetPlace):
        return place
    for begun in reversed(erasure_rows.listed(workspace.db)):
        own = begun.erasure
        is_same = own.number == place.number if place.number else own.mark == place.mark
        if own.kind == target.kind and is_same:
            return own
    raise NotFoundError(
        f"There is no {target.kind} {target.name[:80]!r}.", kind=target.kind, name=target.name
    )


def _memory(workspace: Workspace, target: ErasureTarget) -> TargetPlace | _Absent:
    """Find a memory by its number, as `mem_…`, or by the id of a chat's item."""
    db, name = workspace.db, target.name
    digits = name.removeprefix("mem_")
    number = int(digits) if _NUMBER.fullmatch(digits) else None
    called = None if number is None else memory_rows.get(db, number)
    uids = [name] if called is None else erasure_rows.item_uids(db, [called.id])
    for uid, card in item_rows.get(db, uids).items():
        subject, made_at = {"item": uid}, card.item.created_at
        return TargetPlace(target, item_mark(uid), made_at, subject, card.item.memory_id)
    if called is None:
        return _Absent(item_mark(name), number)
    mark = memory_mark(called.scope, called.kind, called.created_at)
    return TargetPlace(target, mark, called.created_at, {"memory": called.id}, called.id)


def _conversation(workspace: Workspace, target: ErasureTarget) -> TargetPlace | _Absent:
    db, scope = workspace.db, Scope("user", target.user)
    mark = conversation_mark(scope, target.name)
    scope_id = scope_rows.find(db, scope)
    conversation = None if scope_id is None else conversation_rows.get(db, scope_id, target.name)
    if conversation is None:
        return _Absent(mark)
    subject = {"user": target.user, "conversation": target.name}
    return TargetPlace(target, mark, conversation.created_at, subject)


def _session(workspace: Workspace, target: ErasureTarget) -> TargetPlace | _Absent:
    # One that was deleted still has a name here.
    return _scoped(workspace, target, chat_scope(target.name), {"session": target.name})


def _user(workspace: Workspace, target: ErasureTarget) -> TargetPlace | _Absent:
    return _scoped(workspace, target, Scope("user", target.name), {"name": target.name})


def _collection(workspace: Workspace, target: ErasureTarget) -> TargetPlace | _Absent:
    return _scoped(workspace, target, Scope("collection", target.name), {"name": target.name})


def _scoped(
    workspace: Workspace, target: ErasureTarget, scope: Scope, subject: dict[str, Any]
) -> TargetPlace | _Absent:
    mark = mark_of(target.kind, target.name)
    scope_id = scope_rows.find(workspace.db, scope)
    if scope_id is None:
        return _Absent(mark)
    return TargetPlace(target, mark, scope_rows.made_at(workspace.db, scope_id), subject)


def _account(workspace: Workspace, target: ErasureTarget) -> TargetPlace | _Absent:
    if target.name != workspace.settings.account:
        raise NotFoundError(
            f"There is no account {target.name[:80]!r} in this memory, which is that of "
            f"{workspace.settings.account!r}. An account is erased in its own memory.",
            account=target.name,
        )
    mark = mark_of("account", target.name)
    if erasure_rows.account_name(workspace.db) != target.name:
        return _Absent(mark)
    return TargetPlace(target, mark, scope_rows.made_at(workspace.db, None), {})


_FINDERS: Final[dict[ErasedKind, Callable[[Workspace, ErasureTarget], TargetPlace | _Absent]]] = {
    "memory": _memory,
    "conversation": _conversation,
    "session": _session,
    "user": _user,
    "collection": _collection,
    "account": _account,
}
