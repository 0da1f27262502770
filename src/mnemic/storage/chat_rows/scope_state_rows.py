"""How far the background work of each scope is, and how often its memory changed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from mnemic.records.conversation import ScopeState, StateSort
from mnemic.records.item import Order
from mnemic.records.memory import Scope
from mnemic.storage.database import Database, Row
from mnemic.storage.selections import Selection, Where
from mnemic.storage.timestamps import from_micros, to_micros

_STATES: Final = Selection(account="c.account_id", made="c.scope_id")
# What never happened comes before everything that did, whatever a backend thinks of nulls.
_SORTS: Final[dict[StateSort, str]] = {
    "updated_at": "c.updated_at",
    "revision": "c.revision",
    "last_compaction_at": "coalesce(c.compacted_at, -1)",
    "last_processed_floor_no": "coalesce(c.last_floor, -1)",
}


@dataclass(frozen=True, slots=True)
class ScopeProgress:
    """The part of a scope's state that its background work goes by."""

    revision: int = 0
    last_floor: int | None = None


def grow(db: Database, scope_id: int, *, now: datetime) -> int:
    """Count one more change of a scope's memory; return how many there were."""
    return db.only("scope_state_grow", scope_id=scope_id, now=to_micros(now))["revision"]


def standing(db: Database, scope_id: int | None) -> ScopeProgress:
    """Return how far a scope is; one that never changed stands at the beginning."""
    row = None if scope_id is None else db.one("scope_state_get", scope_id=scope_id)
    return ScopeProgress() if row is None else ScopeProgress(row["revision"], row["last_floor"])


def processed(db: Database, scope_id: int, number: int | None, *, now: datetime) -> None:
    """Write down the number of the last turn that was taken in."""
    db.run("scope_state_processed", scope_id=scope_id, last_floor=number, now=to_micros(now))


def compacted(db: Database, scope_id: int, *, now: datetime) -> None:
    """Write down that summaries were taken in by a larger one."""
    db.run("scope_state_compacted", scope_id=scope_id, now=to_micros(now))


def page(
    db: Database,
    conditions: Sequence[Where],
    *,
    sort: StateSort,
    order: Order,
    limit: int,
    offset: int,
) -> tuple[list[ScopeState], int]:
    """Return a page of the states that pass the conditions, and how many do."""
    chosen = _STATES.having(conditions)
    ordered = chosen.sorted_by(_SORTS[sort], order)
    rows = db.all("scope_states_page", filter=ordered, limit=limit, offset=offset)
    return [_state(row) for row in rows], db.only("scope_states_count", filter=chosen)["states"]


def _state(row: Row) -> ScopeState:
    lease, compacted_at = row["lease_until"], row["compacted_at"]
    return ScopeState(
        scope=Scope(row["scope_kind"], row["scope_name"]),
        revision=row["revision"],
        lease_owner=row["worker"],
        lease_until=None if lease is None else from_micros(lease),
        last_processed_floor=row["last_floor"],
        last_compaction_at=None if compacted_at is None else from_micros(compacted_at),
        updated_at=from_micros(row["updated_at"]),
    )
