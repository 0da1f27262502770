"""What items come to without looking at each: counts and sums, kept by whoever changes them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, Final

from mnemic.records.item import ITEM_TYPES, Item, ItemFilter, ItemStats, ItemType
from mnemic.storage.database import Database, Row
from mnemic.storage.selections import Selection

_BILLION: Final = 1_000_000_000
_NO_TIER: Final = ""
# What the tallies tell apart; where a filter names anything else, rows are counted.
_TALLIED: Final = ("scope_kind", "scope_name", "type", "tier", "status", "lifecycle")

Placed = Iterable[tuple[int, Item]]


def change(db: Database, after: Placed, before: Placed) -> None:
    """Count what is more and what is less, sort by sort; items come with the numbers of their
    scopes.
    """
    changes: defaultdict[tuple[Any, ...], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for sign, placed in ((1, after), (-1, before)):
        for scope_id, item in placed:
            sums = (1, round(item.importance * _BILLION), round(item.confidence * _BILLION))
            change = changes[
                scope_id, item.type, item.tier or _NO_TIER, item.status, item.lifecycle
            ]
            for at, number in enumerate((*sums, item.tokens)):
                change[at] += sign * number
    names = ("scope_id", "kind", "tier", "status", "lifecycle")
    sums = ("items", "importance", "confidence", "tokens")
    # Always in the same order, so that two writers never wait for each other.
    rows = [
        {**dict(zip(names, key, strict=True)), **dict(zip(sums, change, strict=True))}
        for key, change in sorted(changes.items())
        if any(change)
    ]
    if rows:
        db.many("item_tally_change", rows)


def of_scopes(db: Database, wanted: ItemFilter, *, scope_ids: Sequence[int] | None) -> list[Row]:
    """Return what the tallies say of all items in the scopes that a filter names, sort by sort."""
    if scope_ids is None:
        return db.all("item_tally_of_account", scope_kind=wanted.scope_kind)
    return [
        row for scope_id in scope_ids for row in db.all("item_tally_of_scope", scope_id=scope_id)
    ]


def tallied(rows: Iterable[Row], wanted: ItemFilter) -> list[Row] | None:
    """Return what of the tallies is about the items that a filter means; None where it names
    something that they do not tell apart.
    """
    return [row for row in rows if _is_meant(row, wanted)] if is_tallied(wanted) else None


def is_tallied(wanted: ItemFilter) -> bool:
    """Tell whether the tallies know how many items a filter means."""
    return all(
        getattr(wanted, field.name) is None
        for field in fields(wanted)
        if field.name not in _TALLIED
    )


def stats_by_rows(db: Database, chosen: Selection) -> ItemStats:
    """Return what the items that were chosen come to, by looking at each."""
    return stats_of(db.all("items_sums", filter=chosen))


def stats_of(rows: Iterable[Row]) -> ItemStats:
    """Return what rows of sums come to together."""
    by_type: dict[ItemType, int] = dict.fromkeys(ITEM_TYPES, 0)
    total = active = importance = confidence = tokens = 0
    for row in rows:
        by_type[row["kind"]] += row["items"]
        total += row["items"]
        active += row["items"] if row["status"] == "active" else 0
        importance += row["importance"]
        confidence += row["confidence"]
        tokens += row["tokens"]
    return ItemStats(
        total=total,
        active=active,
        deprecated=total - active,
        by_type=by_type,
        avg_importance=importance / total / _BILLION if total else 0.0,
        avg_confidence=confidence / total / _BILLION if total else 0.0,
        estimated_tokens=tokens,
    )


def _is_meant(row: Mapping[str, Any], wanted: ItemFilter) -> bool:
    return (
        wanted.type in (None, row["kind"])
        and wanted.tier in (None, row["tier"])
        and wanted.status in (None, row["status"])
        and wanted.lifecycle in (None, row["lifecycle"])
    )
