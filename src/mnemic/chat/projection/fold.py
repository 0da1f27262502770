"""The fold itself: turn after turn, what is remembered after it follows from what was before."""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Final

from mnemic.chat.extraction.extraction import Extraction, Fact
from mnemic.chat.projection.acts import Act, RequestedWindow, is_before
from mnemic.chat.projection.entries import FoldEntry, origin_of, referred, says_the_same, uid_of
from mnemic.chat.projection.told import TurnVersion, Wide
from mnemic.chat.projection.windows import (
    SummaryWindow,
    by_age,
    is_window,
    planned_macro,
    reason_for,
    rolled_up,
    sources_among,
    window,
)
from mnemic.language.token_counts import token_estimate
from mnemic.records.item import ItemType, Lifecycle, Relation
from mnemic.records.memory import Scope

MICRO_IMPORTANCE: Final = 0.6
LOOP_IMPORTANCE: Final = 0.6
REPLACED: Final = "A newer value took over."
_SHELVES: Final = ("fact", "open_loop", "micro", "macro", "larger", "by hand")

Link = tuple[str, str, Relation]


class Fold:
    """The memory of one branch while turns are taken in, one after the other.

    It starts from entries that are there already. `made` are the texts of larger summaries that
    exist, by what they were made of; without its text a window is only planned. What was done
    `by_hand`, in `acts` and `asked` for is done again between the same turns as then.
    """

    def __init__(
        self,
        scope: Scope,
        *,
        present: Iterable[FoldEntry] = (),
        by_hand: Iterable[FoldEntry] = (),
        made: Mapping[str, FoldEntry] | None = None,
        acts: Iterable[Act] = (),
        asked: Iterable[RequestedWindow] = (),
    ) -> None:
        self.scope = scope
        self.entries: dict[str, FoldEntry] = {}
        self.links: set[Link] = set()
        self.windows: list[SummaryWindow] = []
        self.rolled: tuple[SummaryWindow, ...] = ()
        self.wide: list[Wide] = []
        self._shelves: dict[str, dict[str, FoldEntry]] = {name: {} for name in _SHELVES}
        self._keyed: dict[str, set[str]] = {}
        waiting: list[FoldEntry | Act] = [*by_hand, *acts]
        self._waiting = deque(sorted(waiting, key=lambda one: (one.at, one.uid)))
        self._early: list[Act] = []
        self._asked = deque(asked)
        self._made = dict(made or {})
        self._gone = {one.uid for one in waiting if isinstance(one, Act) and one.entry is None}
        for one in present:
            self._keep(one)

    def take(self, said: TurnVersion, found: Extraction) -> None:
        """Apply what was found in the next turn, and plan the summaries that follow from it."""
        self.reach(said)
        micro = self._summary(said, found)
        for fact in found.facts:
            self._add_fact(said, found, fact)
        for update in found.updates:
            self._update(said, found, update.id, update.value)
        for gone in found.retirements:
            self._retire(said, found, gone.id, gone.reason)
        for text in found.loops:
            self._open_loop(said, found, text)
        for solved in found.resolutions:
            self._resolve(said, found, solved.id, solved.text, micro)
        # A wrong clock may say that something was done to an item before the turn that made it.
        early, self._early = self._early, []
        for act in early:
            self._introduce(act)
        self._plan(said.number)

    def pass_over(self, said: TurnVersion) -> None:
        """Keep the place of a turn that is about to be read, so that windows do not move."""
        self.reach(said)
        origin = origin_of(said.turn_id, said.version, "summary", "")
        self._keep(
            FoldEntry(
                uid=uid_of(self.scope, origin),
                type="summary",
                content="",
                at=said.at,
                origin=origin,
                tier="micro",
                coverage_start=said.number,
                coverage_end=said.number,
                unread=True,
            )
        )
        self._plan(said.number)

    def to_make(self) -> list[SummaryWindow]:
        """Return the windows that are planned and can be made now."""
        return [one for one in self.windows if not one.unread and not self._is_made(one)]

    def reach(self, said: TurnVersion) -> None:
        """Do what was done by hand before a turn."""
        self._catch_up(said.added, said.number)

    def finish(self) -> None:
        """Do what was done by hand after the last turn."""
        self._catch_up(None, None)

    def facts(self) -> list[FoldEntry]:
        """Return the facts that hold, the most important first."""
        held = self._shelves["fact"].values()
        return sorted(held, key=lambda one: (one.importance, one.uid), reverse=True)

    def loops(self) -> list[FoldEntry]:
        """Return the open loops, the newest first."""
        held = self._shelves["open_loop"].values()
        return sorted(held, key=lambda one: (one.at, one.uid), reverse=True)

    def summaries(self, tier: str) -> list[FoldEntry]:
        """Return the summaries of a tier that are in use and in no window, oldest first."""
        return sorted(self._shelves[tier].values(), key=by_age)

    def knows_by_hand(self) -> bool:
        """Tell whether what holds now was in part written by hand."""
        return bool(self._shelves["by hand"])

    def restore(self) -> None:
        """Plan again what was planned when entries were written down: windows that are not made,
        and the roll-up of larger summaries.
        """
        waiting: dict[str, list[FoldEntry]] = {}
        for one in list(self.entries.values()):
            if one.tier == "micro" and one.in_use and is_window(one.displaced_by):
                waiting.setdefault(one.displaced_by or "", []).append(one)
            elif one.tier == "macro" and one.in_use and is_window(one.displaced_by):
                self._keep(replace(one, displaced_by=None))
        for origin, sources in waiting.items():
            planned = SummaryWindow(origin, "forced", tuple(sorted(sources, key=by_age)))
            self._keep(planned_macro(self.scope, planned))
        self.roll_up()
        self.rolled = tuple(self.windows)
        self.windows.clear()

    def roll_up(self) -> None:
        """Plan the summaries of larger summaries, while there are enough of those."""
        while (rolled := rolled_up(self.summaries("macro"))) is not None:
            self._take_in(rolled)

    def _catch_up(self, until: datetime | None, number: int | None) -> None:
        while True:
            first = self._waiting[0] if self._waiting else None
            if first is not None and until is not None and not is_before(first, until):
                first = None
            asked = self._asked[0] if self._asked else None
            if asked is not None and number is not None and asked.floor >= number:
                asked = None
            if asked is not None and (
                first is None or (asked.at is not None and asked.at < first.at)
            ):
                self._plan_asked(self._asked.popleft())
            elif first is not None:
                self._introduce(self._waiting.popleft())
            else:
                return

    def _introduce(self, one: FoldEntry | Act) -> None:
        if isinstance(one, Act):
            there = self.entries.get(one.uid)
            if there is None:
                self._early.append(one)
            else:
                self._drop(there)
                if (after := one.upon(there)) is not None:
                    self._keep(after)
            return
        # A turn takes it out of use anew, if it still does.
        if one.displaced_by is not None:
            one = replace(one, status="active", lifecycle="active", note=None, displaced_by=None)
        self._keep(one)

    def _keep(self, entry: FoldEntry) -> FoldEntry:
        self._unshelve(entry.uid)
        self.entries[entry.uid] = entry
        if entry.in_use and not _is_planned(entry):
            if entry.type != "summary":
                self._shelves[entry.type][entry.uid] = entry
                if entry.origin is None:
                    self._shelves["by hand"][entry.uid] = entry
            elif entry.tier is not None and entry.origin is not None:
                self._shelves[entry.tier][entry.uid] = entry
        if entry.tier == "macro" and entry.in_use:
            self._shelves["larger"][entry.uid] = entry
        if entry.key is not None:
            self._keyed.setdefault(entry.key, set()).add(entry.uid)
        return entry

    def _drop(self, entry: FoldEntry) -> None:
        self._unshelve(entry.uid)
        del self.entries[entry.uid]

    def _unshelve(self, uid: str) -> None:
        for shelf in self._shelves.values():
            shelf.pop(uid, None)

    def _new(self, said: TurnVersion, found: Extraction, type_: ItemType, text: str) -> FoldEntry:
        origin = origin_of(said.turn_id, said.version, type_, text)
        return FoldEntry(
            uid=uid_of(self.scope, origin),
            type=type_,
            content=text,
            at=said.at,
            origin=origin,
            turn_id=said.turn_id,
            version=said.version,
            tokens=token_estimate(text),
            extractor=found.extractor,
        )

    def _summary(self, said: TurnVersion, found: Extraction) -> FoldEntry | None:
        if not found.summary.strip():
            return None
        entry = self._new(said, found, "summary", found.summary)
        return self._keep(
            replace(
                entry,
                tier="micro",
                importance=MICRO_IMPORTANCE,
                coverage_start=said.number,
                coverage_end=said.number,
                note=found.note,
            )
        )

    def _add_fact(self, said: TurnVersion, found: Extraction, fact: Fact) -> None:
        if fact.scope != "branch":
            self.wide.append(Wide(said, found.extractor, fact=fact))
            return
        self._hold(said, found, fact.key, fact.value, fact.importance)

    def _hold(
        self, said: TurnVersion, found: Extraction, key: str, value: str, importance: float
    ) -> None:
        """Keep a fact; what was held under its key gives way."""
        entry = self._new(said, found, "fact", f"{key}: {value}")
        kept = self._keep(replace(entry, key=key, importance=importance))
        for uid in sorted(self._keyed.get(key, ())):
            loser = self.entries.get(uid)
            if loser is not None and loser.in_use and loser.key == key and uid != kept.uid:
                self._supersede(said, kept, loser)

    def _supersede(self, said: TurnVersion, winner: FoldEntry, loser: FoldEntry) -> None:
        self._displace(said, loser, note=REPLACED)
        self.links.add((winner.uid, loser.uid, "updates"))
        if not says_the_same(winner.content, loser.content):
            self.links.add((winner.uid, loser.uid, "contradicts"))

    def _update(self, said: TurnVersion, found: Extraction, ref: str, value: str) -> None:
        target = self._target(ref, "fact")
        if target is None:
            self._beyond(said, found, ref, value=value)
        elif target.key is not None:
            self._hold(said, found, target.key, value, target.importance)
        else:
            entry = self._new(said, found, "fact", value)
            kept = self._keep(replace(entry, importance=target.importance))
            if kept.uid != target.uid:
                self._supersede(said, kept, target)

    def _retire(self, said: TurnVersion, found: Extraction, ref: str, reason: str) -> None:
        target = self._target(ref, "fact")
        if target is None:
            self._beyond(said, found, ref, note=reason)
        else:
            self._displace(said, target, note=reason)

    def _open_loop(self, said: TurnVersion, found: Extraction, text: str) -> None:
        for one in self._shelves["open_loop"].values():
            if says_the_same(one.content, text):
                self._keep(replace(one, mentioned_at=said.at))
                return
        entry = self._new(said, found, "open_loop", text)
        self._keep(replace(entry, importance=LOOP_IMPORTANCE))

    def _resolve(
        self, said: TurnVersion, found: Extraction, ref: str, text: str, micro: FoldEntry | None
    ) -> None:
        target = self._target(ref, "open_loop")
        if target is None:
            self._beyond(said, found, ref, note=text)
            return
        self._displace(said, target, note=text)
        if micro is not None:
            self.links.add((micro.uid, target.uid, "resolves"))

    def _beyond(
        self,
        said: TurnVersion,
        found: Extraction,
        ref: str,
        *,
        value: str | None = None,
        note: str | None = None,
    ) -> None:
        uid = referred(self.scope, ref)
        if uid not in self.entries:
            self.wide.append(Wide(said, found.extractor, target=uid, value=value, note=note))

    def _target(self, ref: str, type_: ItemType) -> FoldEntry | None:
        entry = self.entries.get(referred(self.scope, ref))
        return entry if entry is not None and entry.type == type_ and entry.in_use else None

    def _displace(self, said: TurnVersion, entry: FoldEntry, *, note: str) -> None:
        if entry.edited:
            return
        self._keep(
            replace(
                entry,
                status="deprecated",
                lifecycle="deprecated",
                note=note,
                displaced_by=said.turn_id,
            )
        )

    def _plan(self, floor: int) -> None:
        micros = self.summaries("micro")
        ends = (one.coverage_end for one in self._shelves["larger"].values())
        covered = max((end for end in ends if end is not None), default=-1)
        reason = reason_for(micros, floor=floor, covered_until=covered)
        sources = sources_among(micros) if reason else ()
        if reason and sources:
            self._take_in(window(reason, sources, forced_at=None))
        self.roll_up()

    def _plan_asked(self, asked: RequestedWindow) -> None:
        """Honour a window that somebody asked for, if its sources are still there."""
        pool = [
            one
            for one in self.summaries("micro")
            if one.coverage_start is not None and asked.start <= one.coverage_start <= asked.end
        ]
        for one in [one for one in self._waiting if one.uid in asked.by_hand]:
            self._waiting.remove(one)
            self._introduce(one)
        pool += [self.entries[uid] for uid in asked.by_hand if uid in self.entries]
        if not pool:
            return
        planned = window("forced", sorted(pool, key=by_age), forced_at=asked.floor)
        if planned.origin == asked.origin:
            self._take_in(planned)
            self.roll_up()

    def _is_made(self, planned: SummaryWindow) -> bool:
        """Tell whether the summary of a window exists, or was deleted by hand."""
        return planned.origin in self._made or uid_of(self.scope, planned.origin) in self._gone

    def _take_in(self, planned: SummaryWindow) -> None:
        """Plan a window; where its text exists, or was deleted by hand, it has its sources."""
        self.windows.append(planned)
        made = self._made.get(planned.origin)
        lifecycle: Lifecycle = "compacted" if self._is_made(planned) else "active"
        for source in planned.sources:
            self._keep(replace(source, lifecycle=lifecycle, displaced_by=planned.origin))
        macro = planned_macro(self.scope, planned)
        if made is None:
            # It counts as one that is there: what follows is planned as if it were.
            self._keep(macro)
            return
        self._keep(
            replace(
                made,
                uid=macro.uid,
                status="active",
                lifecycle="active",
                note=None,
                displaced_by=None,
                edited=False,
            )
        )
        for source in planned.sources:
            self.links.add((macro.uid, source.uid, "compacts"))
            self.links.add((macro.uid, source.uid, "derived_from"))


def _is_planned(entry: FoldEntry) -> bool:
    return entry.tier is not None and is_window(entry.displaced_by)
