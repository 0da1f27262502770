"""Maintenance: what grows old in a scope goes out of use, and in the end goes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Literal

from mnemic.chat import item_writes
from mnemic.chat.jobs.enqueue import enqueue
from mnemic.chat.projection.taking import BY_HAND
from mnemic.chat.projection.windows import is_window
from mnemic.memory import audit_log, unlocked_work
from mnemic.memory.workspace import Workspace
from mnemic.records.conversation import Queued
from mnemic.records.item import CHAT_SCOPES, ItemFilter
from mnemic.records.memory import Scope
from mnemic.storage.chat_rows import item_rows, job_rows
from mnemic.storage.chat_rows.item_rows import Card
from mnemic.storage.chat_rows.job_rows import Claim
from mnemic.storage.rows import memory_rows, scope_rows

Ageing = Literal["deprecate", "purge"]
_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Aged:
    """What maintenance does to an item, and why."""

    item_id: str
    action: Ageing
    reason: str


def planned_maintenance(workspace: Workspace, scope: Scope) -> list[Aged]:
    """Return what maintenance of a scope would do now, without doing it."""

    def read() -> list[Aged]:
        number = scope_rows.find(workspace.db, scope)
        found = [] if number is None else _old(workspace, number, workspace.moment())
        return [aged for _, aged in found]

    return workspace.db.read(read)


def request_maintenance(workspace: Workspace, scope: Scope) -> Queued:
    """Enqueue the maintenance of a scope."""
    return enqueue_maintenance(workspace, scope, audited=True)


def request_all_maintenance(workspace: Workspace) -> int:
    """Enqueue the maintenance of every scope that needs it and had none today; return of how
    many.
    """
    scopes = due(workspace)
    for scope in scopes:
        enqueue_maintenance(workspace, scope, audited=True)
    return len(scopes)


def enqueue_maintenance(workspace: Workspace, scope: Scope, *, audited: bool) -> Queued:
    """Enqueue the maintenance of a scope, at most once a day. What a person asks for is audited."""
    now = workspace.moment()
    day = now.date().isoformat()

    def write() -> Queued:
        queued = enqueue(workspace, "maintenance", scope, day, payload={"day": day}, now=now)
        if audited:
            audit_log.record(workspace, "scope.maintain", target=scope)
        return queued

    return workspace.db.write(write)


def due(workspace: Workspace) -> list[Scope]:
    """Return the scopes that hold something old, and were not maintained today."""
    now = workspace.moment()

    def read() -> list[Scope]:
        ageing: set[int] = set()
        for _, wanted, _, _ in _rules(workspace, now):
            chosen = item_rows.selection(wanted, scope_ids=None)
            ageing |= item_rows.scope_ids_of(workspace.db, chosen)
        if not ageing:
            return []
        there = scope_rows.of_kinds(workspace.db, CHAT_SCOPES)
        done = job_rows.maintained(workspace.db, day=now.date().isoformat())
        return [one for number, one in there.items() if number in ageing and one not in done]

    return workspace.db.read(read)


def maintain(workspace: Workspace, held: Claim) -> None:
    """Do what is due in a scope, once: with it ends the job."""

    def write() -> None:
        now = workspace.moment()
        holder = item_writes.hold(workspace, [held.job.scope], now=now)
        old = _old(workspace, holder.number(held.job.scope), now)
        for card, aged in old:
            if aged.action == "deprecate":
                item = replace(
                    card.item,
                    status="deprecated",
                    lifecycle="deprecated",
                    note=aged.reason,
                    updated_at=now,
                )
                # As if by hand: a replay does it again, at the same place.
                made = card.origin is not None
                after = replace(
                    card,
                    item=item,
                    edited=made,
                    edited_at=(card.edited_at or now) if made else None,
                    decided_at=now if made else None,
                )
                if not is_window(card.displaced_by):
                    after = replace(after, displaced_by=BY_HAND if made else None)
                item_writes.change(workspace, holder, card, after)
        gone = [card for card, aged in old if aged.action == "purge"]
        made = [
            (card.scope_id, card.item.id, card.origin) for card in gone if card.origin is not None
        ]
        item_rows.strike(workspace.db, made, now=now)
        item_writes.remove(workspace, holder, gone)
        job_rows.finish(workspace.db, held, now=now)

    unlocked_work.write(workspace, write)


def _old(workspace: Workspace, scope_id: int, now: datetime) -> list[tuple[Card, Aged]]:
    found: list[tuple[Card, Aged]] = []
    for days, wanted, action, reason in _rules(workspace, now):
        chosen = item_rows.selection(wanted, scope_ids=(scope_id,))
        cards_there = [
            card for card in item_rows.every(workspace.db, chosen) if not card.item.is_pinned
        ]
        young = _stored_since(workspace, cards_there, now - days * _DAY)
        found += [
            (card, Aged(card.item.id, action, reason.format(days=days)))
            for card in cards_there
            if card.doc not in young
        ]
    return sorted(found, key=lambda one: (one[0].item.created_at, one[0].item.id))


def _stored_since(workspace: Workspace, there: Sequence[Card], moment: datetime) -> set[int]:
    """Return the documents of what came into the store since a moment, whatever its own times say:
    a clock may have been behind when it was made. What was used meanwhile no longer tells.
    """
    found = memory_rows.by_docs(workspace.db, [card.doc for card in there])
    return {
        doc
        for doc, memory in found.items()
        if not memory.access_count and memory.accessed_at > moment
    }


def _rules(workspace: Workspace, now: datetime) -> list[tuple[int, ItemFilter, Ageing, str]]:
    """Return what is old, after how many days, what is done to it, and why."""
    settings = workspace.settings
    rules: Sequence[tuple[int, ItemFilter, Ageing, str]] = (
        (
            settings.micro_days,
            ItemFilter(type="summary", tier="micro", status="active", lifecycle="compacted"),
            "deprecate",
            "A larger summary took it in more than {days} days ago.",
        ),
        (
            settings.loop_days,
            ItemFilter(type="open_loop", status="active", lifecycle="active"),
            "deprecate",
            "Nobody mentioned it for more than {days} days.",
        ),
        (
            settings.purge_days,
            ItemFilter(status="deprecated"),
            "purge",
            "It was deprecated more than {days} days ago.",
        ),
    )
    return [
        (days, replace(wanted, updated_to=now - days * _DAY), action, reason)
        for days, wanted, action, reason in rules
        if days
    ]
