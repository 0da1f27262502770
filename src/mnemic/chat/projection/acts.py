"""What somebody did by hand between turns: a replay does it again at the same place."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from mnemic.chat.projection.entries import FoldEntry, entry_of
from mnemic.chat.projection.windows import forced_at, is_window
from mnemic.storage.chat_rows.item_rows import Card


@dataclass(frozen=True, slots=True)
class Act:
    """What was made from a turn was deleted by hand, or changed to be `entry`."""

    at: datetime
    uid: str
    entry: FoldEntry | None = None

    def upon(self, there: FoldEntry) -> FoldEntry | None:
        """Return what it makes of an entry; None where it deletes it."""
        kept = self.entry
        if kept is None or kept.displaced_by is None:
            return kept
        if is_window(kept.displaced_by) and kept.status == "deprecated":
            return replace(kept, displaced_by=there.displaced_by)
        # Turns took it out of use, or in: they decide that, not who changed its text.
        return replace(
            kept,
            status=there.status,
            lifecycle=there.lifecycle,
            note=there.note,
            displaced_by=there.displaced_by,
        )


@dataclass(frozen=True, slots=True)
class RequestedWindow:
    """A window that somebody asked for after a floor: what it covers, when it was made, and which
    of its sources were written by hand.
    """

    origin: str
    floor: int
    start: int
    end: int
    at: datetime | None
    by_hand: frozenset[str]


def is_before(one: FoldEntry | Act, moment: datetime) -> bool:
    """Tell whether something was done before a turn. What is done to items in the same moment is
    done to those of the turn, too.
    """
    return one.at < moment if isinstance(one, Act) else one.at <= moment


def acts_of(cards: Iterable[Card], struck: Mapping[str, datetime]) -> list[Act]:
    """Return what was done by hand to what turns made."""
    gone = [Act(at, uid) for uid, at in struck.items()]
    changed = [
        Act(card.item.updated_at, card.item.id, entry_of(card))
        for card in cards
        if card.edited and card.origin is not None
    ]
    return [*gone, *changed]


def asked_for(cards: Iterable[Card], made: Mapping[str, FoldEntry]) -> list[RequestedWindow]:
    """Return the windows that somebody asked for, made or still waiting."""
    sources: dict[str, list[Card]] = {}
    for card in cards:
        if card.displaced_by is not None and card.item.tier == "micro":
            sources.setdefault(card.displaced_by, []).append(card)
    found: list[RequestedWindow] = []
    for origin in sources.keys() | made.keys():
        floor = forced_at(origin)
        if floor is None:
            continue
        macro = made.get(origin)
        taken = sources.get(origin, [])
        starts = [one.item.coverage_start for one in taken] if macro is None else []
        ends = [one.item.coverage_end for one in taken] if macro is None else []
        if macro is not None:
            starts, ends = [macro.coverage_start], [macro.coverage_end]
        found.append(
            RequestedWindow(
                origin=origin,
                floor=floor,
                start=min((one for one in starts if one is not None), default=0),
                end=max((one for one in ends if one is not None), default=-1),
                at=None if macro is None else macro.at,
                by_hand=frozenset(one.item.id for one in taken if one.origin is None),
            )
        )
    return sorted(found, key=lambda one: (one.floor, one.at is None, one.at, one.origin))
