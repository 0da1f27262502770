"""Items by hand: create, list, search, count, change and delete what a chat remembers."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from mnemic.chat import item_writes
from mnemic.chat.projection.by_hand import branch_changes, follow_all
from mnemic.chat.projection.taking import BY_HAND
from mnemic.chat.projection.windows import is_window
from mnemic.errors import InvalidInputError, NotFoundError, StateError
from mnemic.language.token_counts import token_estimate
from mnemic.memory import unlocked_work
from mnemic.memory.ids import name_of
from mnemic.memory.texts.derivation import check_length, check_text
from mnemic.memory.workspace import Workspace
from mnemic.records.item import Item, ItemChange, ItemStatus, Lifecycle, NewItem, Unset
from mnemic.records.memory import Memory, Scope, memory_name
from mnemic.storage.chat_rows import item_rows
from mnemic.storage.chat_rows.item_rows import Card
from mnemic.storage.rows import memory_rows

_LONGEST_NAME: Final = 1_000
_MEMORY: Final = "mem_"
# These change together or follow from others, so that they are not copied field by field.
_DERIVED: Final = ("scope_kind", "scope_name", "fact_key", "tier", "status", "lifecycle")
_FIELDS: Final = tuple(name for name in ItemChange.__dataclass_fields__ if name not in _DERIVED)


def create_item(workspace: Workspace, new: NewItem) -> Item:
    """Store an item as it was written; return it once it is kept."""
    check_item_text(new.content)
    _check_scope(new.scope)
    status, lifecycle = _initial(new.status, new.lifecycle)
    now = workspace.moment()
    item = Item(
        id=name_of(workspace.new_id()),
        memory_id=0,
        scope=new.scope,
        type=new.type,
        content=new.content,
        wrapped=new.wrapped,
        tier=new.tier if new.type == "summary" else None,
        fact_key=_key(new.fact_key) if new.type == "fact" else None,
        importance=new.importance,
        confidence=new.confidence,
        source_floor_id=new.source_floor_id,
        source_message_id=new.source_message_id,
        status=status,
        lifecycle=lifecycle,
        tokens=token_estimate(new.content),
        pinned=new.pinned,
        created_at=now,
        updated_at=now,
    )

    def add() -> Item:
        holder = item_writes.hold(workspace, [item.scope], now=now)
        [card] = item_writes.add(workspace, holder, [Card(item=item, doc=0, scope_id=0)])
        return card.item

    return unlocked_work.write(workspace, add)


def get_item(workspace: Workspace, item_id: str) -> Item:
    """Return an item; a memory of a robot or a user, called `mem_…`, is shown as one."""
    workspace.accesses.flush()
    card = item_rows.get(workspace.db, [item_id]).get(item_id)
    if card is not None:
        return card.item
    memory = memory_called(workspace, item_id)
    if memory is None:
        raise _missing(item_id)
    return _as_item(memory)


def memory_called(workspace: Workspace, name: str) -> Memory | None:
    """Return the memory that is called `mem_…`, if the account has it."""
    digits = name.removeprefix(_MEMORY)
    if digits == name or not (digits.isascii() and digits.isdecimal()) or len(digits) > 18:
        return None
    memory = memory_rows.get(workspace.db, int(digits))
    return memory if memory is not None and memory_name(memory.id) == name else None


def change_item(workspace: Workspace, item_id: str, wanted: ItemChange) -> Item:
    """Change what is named of an item; return it as it is then."""
    if not isinstance(wanted.content, Unset):
        check_item_text(wanted.content)
    now = workspace.moment()

    def write() -> Item:
        before = _card(workspace, item_id)
        after = _changed(before, wanted, now)
        _check_scope(after.item.scope)
        holder = item_writes.hold(workspace, [before.item.scope, after.item.scope], now=now)
        # Read again: it may have changed before its scope was held.
        before = _card(workspace, item_id)
        after = _changed(before, wanted, now)
        changes = branch_changes(workspace, holder, [(before, after)])
        item_writes.change(workspace, holder, before, after)
        follow_all(workspace, holder, changes)
        return _card(workspace, item_id).item

    return unlocked_work.write(workspace, write)


def delete_item(workspace: Workspace, item_id: str) -> None:
    """Delete an item, with its edges."""
    if not delete_items(workspace, [item_id])[0]:
        raise _missing(item_id)


def delete_items(workspace: Workspace, ids: Sequence[str]) -> list[bool]:
    """Delete items, all in one transaction; tell of each whether it was there."""
    now = workspace.moment()

    def write() -> list[bool]:
        holder = _held(workspace, ids, now)
        found = item_rows.get(workspace.db, ids)
        gone = [found[one] for one in ids if one in found]
        changes = branch_changes(workspace, holder, [(card, None) for card in gone])
        made = [(card.scope_id, card.item.id, card.origin) for card in gone if card.origin]
        item_rows.strike(workspace.db, made, now=now)
        item_writes.remove(workspace, holder, gone)
        follow_all(workspace, holder, changes)
        return [one in found for one in ids]

    return unlocked_work.write(workspace, write)


def set_status(workspace: Workspace, ids: Sequence[str], status: ItemStatus) -> list[Item | None]:
    """Give items a status, all in one transaction; None for what is not there."""
    now = workspace.moment()
    wanted = ItemChange(status=status)

    def write() -> list[Item | None]:
        holder = _held(workspace, ids, now)
        found = sorted(item_rows.get(workspace.db, ids).items())
        changed = [(card, _changed(card, wanted, now)) for _, card in found]
        changes = branch_changes(workspace, holder, changed)
        for before, after in changed:
            item_writes.change(workspace, holder, before, after)
        follow_all(workspace, holder, changes)
        there = item_rows.get(workspace.db, ids)
        return [there[one].item if one in there else None for one in ids]

    return unlocked_work.write(workspace, write)


def check_item_text(content: str) -> None:
    """Refuse what cannot be kept. Blanks are kept: nothing is trimmed."""
    if not content:
        raise InvalidInputError("content", "it is empty", "a text with at least one character")
    check_text("content", content if content.strip() else "blank")
    check_length("content", len(content))


def _held(workspace: Workspace, ids: Sequence[str], now: datetime) -> item_writes.Holder:
    found = item_rows.get(workspace.db, ids)
    return item_writes.hold(workspace, [card.item.scope for card in found.values()], now=now)


def _card(workspace: Workspace, item_id: str) -> Card:
    card = item_rows.get(workspace.db, [item_id]).get(item_id)
    if card is None:
        raise _missing(item_id)
    return card


def _missing(item_id: str) -> NotFoundError:
    return NotFoundError(f"There is no memory item {item_id[:80]!r}.", id=item_id)


def _initial(
    status: ItemStatus | None, lifecycle: Lifecycle | None
) -> tuple[ItemStatus, Lifecycle]:
    """Return both, each following from the other where it is not given."""
    if status is None:
        return ("deprecated" if lifecycle == "deprecated" else "active"), lifecycle or "active"
    if lifecycle is None:
        return status, status
    if (status == "deprecated") != (lifecycle == "deprecated"):
        raise StateError(
            f"status {status} and lifecycle_status {lifecycle} do not go together; allowed: "
            "active with active or compacted, deprecated with deprecated.",
            status=status,
            lifecycle_status=lifecycle,
        )
    return status, lifecycle


def _changed(card: Card, wanted: ItemChange, now: datetime) -> Card:
    """Return a card with the changes, and with what follows from them."""
    before = card.item
    given: dict[str, Any] = {
        name: value for name in _FIELDS if not isinstance(value := getattr(wanted, name), Unset)
    }
    kind = before.scope.kind if isinstance(wanted.scope_kind, Unset) else wanted.scope_kind
    name = before.scope.name if isinstance(wanted.scope_name, Unset) else wanted.scope_name
    tier = before.tier if isinstance(wanted.tier, Unset) else wanted.tier
    key = before.fact_key if isinstance(wanted.fact_key, Unset) else _key(wanted.fact_key)
    type_ = given.get("type", before.type)
    status = before.status if isinstance(wanted.status, Unset) else wanted.status
    lifecycle: Lifecycle = before.lifecycle
    if not isinstance(wanted.lifecycle, Unset):
        lifecycle = wanted.lifecycle
    elif not isinstance(wanted.status, Unset):
        lifecycle = wanted.status
    item = replace(
        before,
        **given,
        scope=Scope(kind, name),
        tier=tier if type_ == "summary" else None,
        fact_key=key if type_ == "fact" else None,
        status=status,
        lifecycle=lifecycle,
        tokens=token_estimate(given["content"]) if "content" in given else before.tokens,
        updated_at=now,
    )
    decided = not (isinstance(wanted.status, Unset) and isinstance(wanted.lifecycle, Unset))
    # A turn's summary that a larger one took in stays one of its sources.
    is_source = card.origin is not None and status != "active" and is_window(card.displaced_by)
    if not decided or is_source:
        displaced_by = card.displaced_by
    else:
        displaced_by = None if card.origin is None else BY_HAND
        # Why a turn took it out of use no longer matters.
        item = replace(item, note=None)
    made = card.origin is not None
    return replace(
        card,
        item=item,
        edited=made,
        edited_at=(card.edited_at or now) if made else None,
        decided_at=now if made and decided else card.decided_at,
        displaced_by=displaced_by,
    )


def _key(key: str | None) -> str | None:
    if key is None:
        return None
    plain = key.strip().lower()
    if not plain:
        raise InvalidInputError("fact_key", "it is blank", "at least one character, or null")
    check_text("fact_key", plain)
    return plain


def _check_scope(scope: Scope) -> None:
    if not 1 <= len(scope.name) <= _LONGEST_NAME:
        raise InvalidInputError(
            "scope_id", f"it has {len(scope.name)} characters", f"1 to {_LONGEST_NAME}"
        )
    check_text("scope_id", scope.name)


def _as_item(memory: Memory) -> Item:
    in_use: ItemStatus = "active" if memory.status == "active" else "deprecated"
    later = memory.superseded_by
    return Item(
        id=memory_name(memory.id),
        memory_id=memory.id,
        scope=memory.scope,
        type=memory.kind,
        content=memory.content,
        confidence=memory.confidence,
        status=in_use,
        lifecycle=in_use,
        tokens=token_estimate(memory.content),
        used_at=memory.accessed_at if memory.access_count else None,
        created_at=memory.created_at,
        updated_at=memory.updated_at,
        occurred_at=memory.occurred_at if memory.occurred_at != memory.created_at else None,
        valid_until=memory.valid_until,
        superseded_by=None if later is None else memory_name(later),
        expires_at=memory.expires_at,
    )
