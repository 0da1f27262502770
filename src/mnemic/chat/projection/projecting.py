"""What a branch remembers after some of its turns changed: those turns are taken in anew, and after
them only turns that have to do with what is different then.

Everything here reads and works out; nothing is written.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

from mnemic.chat.extraction import rules
from mnemic.chat.extraction.extraction import RULES, Known, KnownFact, KnownLoop
from mnemic.chat.projection.branch_reading import BranchReading
from mnemic.chat.projection.entries import FoldEntry, referred
from mnemic.chat.projection.stored_extraction import from_stored, reading_from
from mnemic.chat.projection.taking import Link, Taking, opened_in
from mnemic.chat.projection.told import Wide
from mnemic.chat.projection.turn_texts import turn_of
from mnemic.runtime.budgets import check_time
from mnemic.storage.chat_rows.session_rows import TurnOnPath

REACH: Final = 96
"""So many floors back a turn corrects, repeats and resolves by its words. By a key, or by name,
it reaches as far as there is something.
"""

_STRETCH: Final = 48
_KNOWN: Final = ("fact", "open_loop")
MOST_FACTS: Final = 50
"""So many facts a language model is shown."""

_MOST_LOOPS: Final = 25
_MOST_SUMMARIES: Final = 20

_BEGINNING: Final = datetime(1970, 1, 1, tzinfo=UTC)
_NEVER: Final = 2**62


class Projection:
    """The memory of a branch, as far as it was looked at. `before` is as it is stored and
    `entries` as it is to be; `retold` is what begins all relations that are to be told anew.
    """

    def __init__(self, reading: BranchReading) -> None:
        self.before: dict[str, FoldEntry] = {}
        self.entries: dict[str, FoldEntry] = {}
        self._stored: dict[str, FoldEntry] = {}
        self.retold: set[str] = set()
        self.links: set[Link] = set()
        self.wide: list[Wide] = []
        self.floors: list[int] = []
        self._reading = reading
        self._scope = reading.track.scope
        self._steps: dict[int, TurnOnPath] = {}
        self._numbers: list[int] = []
        self._turn_ids: dict[int, str] = {}
        self._stretches: set[int] = set()
        self._by_hand_until: datetime | None = None
        self._first = 0
        self._touched: set[str] = set()
        self._different: set[str] = set()
        self._parting: dict[str, int] = {}
        self._named: tuple[set[str], int | None] = (set(), None)

    def run(
        self,
        changed: Iterable[int],
        *,
        by_hand: Sequence[tuple[FoldEntry, FoldEntry | None]] = (),
    ) -> None:
        """Take in anew what changed, and what has to do with that. Of what a person changed, the
        turns after it are looked at.
        """
        waiting = sorted(changed)
        self._first = waiting[0] if waiting and not by_hand else 0
        for former, after in by_hand:
            self._person_changed(former, after)
        number = self._next(-1, waiting)
        while number is not None:
            self._reach(number)
            self._take(number)
            number = self._next(number, waiting)

    def changed(self) -> Iterator[FoldEntry]:
        """Return what is new, or is not as it is stored, or as a person has it now."""
        for uid in sorted(self._touched):
            entry = self.entries.get(uid)
            if entry is not None and not entry.struck and entry != self._stored.get(uid):
                yield entry

    def gone(self) -> list[str]:
        """Return the ids of what no turn says any more."""
        return [
            uid
            for uid in sorted(self._touched & self.before.keys())
            if uid not in self.entries or self.entries[uid].struck
        ]

    def _take(self, number: int) -> None:
        step = self._steps.get(number)
        self.floors.append(number)
        if number in self._turn_ids:
            self._add(self._reading.along([self._turn_ids[number]]))
        former = self._undo(number)
        if step is None or not step.is_read:
            return
        taking = self._taking(step, step.extraction)
        for entry in taking.born.values():
            self._bear(taking.ended.get(entry.uid, entry), former)
        for entry in (*taking.ended.values(), *taking.mentioned.values()):
            if entry.uid not in taking.born:
                self._put(entry)
        self.retold |= taking.born.keys()
        self.links |= taking.links
        self.wide += taking.wide

    def _taking(self, step: TurnOnPath, kept: dict[str, Any]) -> Taking:
        if kept["extractor"] == RULES:
            # Where other rules kept it, the turn is read again.
            # What was not read, as an excerpt, takes no time.
            check_time()
            reading = reading_from(kept)
            if reading is None:
                lines = self._reading.said_in(step.turn_id)
                reading = rules.read(turn_of(lines, said_at=step.dated))
            known = self._known(step, set(rules.keys_named(reading)), set())
            found = rules.judged(reading, known_among(known))
        else:
            found = from_stored(kept)
            named = (*found.updates, *found.retirements, *found.resolutions)
            ids = {referred(self._scope, one.id) for one in named}
            known = self._known(step, {fact.key for fact in found.facts}, ids)
        taking = Taking(self._scope, step, known)
        taking.take(found)
        return taking

    def _undo(self, number: int) -> dict[str, FoldEntry]:
        """Take back what a turn did; return what it had made."""
        former = {
            uid: one
            for uid, one in self.entries.items()
            if one.born == number and one.tier != "macro"
        }
        for uid in former:
            self._touch(uid)
            del self.entries[uid]
        for one in list(self.entries.values()):
            if one.died == number:
                self._put(
                    replace(
                        one,
                        status="active",
                        lifecycle="active",
                        note=None,
                        displaced_by=None,
                        died=None,
                    )
                )
        self.links = {link for link in self.links if link[0] not in former}
        self.retold |= former.keys()
        return former

    def _bear(self, entry: FoldEntry, former: dict[str, FoldEntry]) -> None:
        """Put what a turn makes; what it had made before keeps what became of it later."""
        there = former.get(entry.uid)
        if entry.uid in self._reading.struck:
            entry = replace(entry, struck=True, changed_at=self._reading.struck[entry.uid])
        elif there is not None and there.edited:
            entry = there
        elif there is not None and entry.died is None and there.died != entry.born:
            entry = replace(
                entry,
                status=there.status,
                lifecycle=there.lifecycle,
                note=entry.note if there.status == "active" else there.note,
                displaced_by=there.displaced_by,
                died=there.died,
                changed_at=there.changed_at,
            )
        self._put(entry)

    def _put(self, entry: FoldEntry) -> None:
        self._touch(entry.uid)
        self.entries[entry.uid] = entry

    def _touch(self, uid: str) -> None:
        self._touched.add(uid)
        self._different.add(uid)

    def _known(self, step: TurnOnPath, keys: set[str], ids: set[str]) -> list[FoldEntry]:
        """Return what is in use just before a turn and may have to do with it: what came shortly
        before, and what it names.
        """
        if unknown := sorted(ids - self.entries.keys()):
            self._add(self._reading.along(ids=unknown, kinds=_KNOWN))
        keys |= {key for uid in ids if (one := self.entries.get(uid)) and (key := one.key)}
        if keys:
            self._add(self._reading.held(sorted(keys), step.number))
        return [
            one
            for one in self.entries.values()
            if one.type != "summary"
            and one.is_known_to(step)
            and (one.key in keys or one.uid in ids or self._is_near(one, step))
        ]

    def _is_near(self, entry: FoldEntry, step: TurnOnPath) -> bool:
        if entry.origin is not None:
            return entry.born is not None and entry.born >= step.number - REACH
        return entry.at >= self._horizon(step)

    def _horizon(self, step: TurnOnPath) -> datetime:
        """Return since when a turn knows what was written by hand."""
        if step.number <= REACH:
            return _BEGINNING
        at = bisect_left(self._numbers, step.number - REACH)
        return self._steps[self._numbers[at]].added_at

    def _person_changed(self, former: FoldEntry, after: FoldEntry | None) -> None:
        self.before[former.uid] = former
        self._touch(former.uid)
        self._stored[former.uid] = former
        if after is not None:
            self.entries[after.uid] = self._stored[former.uid] = after
            ended = {former.died, after.died} - {None}
            if former.died != after.died and ended:
                self._parting[former.uid] = min(one for one in ended if one is not None)

    def _next(self, number: int, waiting: Sequence[int]) -> int | None:
        """Return the next turn to be taken in anew."""
        at = bisect_right(waiting, number)
        found = [waiting[at]] if at < len(waiting) else []
        names: set[str] = set()
        for uid in sorted(self._different):
            former, after = self.before.get(uid), self.entries.get(uid)
            entry = after or former
            if entry is None or entry.type == "summary" or _is_alike(former, after, number):
                if self._parting.get(uid, -1) > number:
                    # What a person decided on differs only from where a turn had ended it.
                    found.append(self._parting[uid])
                    continue
                # What differed did so up to here: turns that were not taken in anew did the same.
                self._different.discard(uid)
                continue
            near = self._next_near(entry, number)
            if near is not None:
                found.append(near)
            names |= {entry.name, entry.key or "", (former.key if former else None) or ""}
        named = self._next_naming(names - {""}, number)
        return min(found if named is None else [*found, named], default=None)

    def _next_naming(self, names: set[str], number: int) -> int | None:
        """Return the next turn that names one of these; for fewer of them it may be a later one."""
        if not names:
            return None
        known, named = self._named
        if not names <= known or (named is not None and named <= number):
            named = self._reading.next_naming(names, after=number)
            self._named = names, named
        return named

    def _seen_from(self, entry: FoldEntry) -> int:
        """Return the first floor that may know an entry."""
        if entry.born is not None:
            return entry.born + 1
        first = self._reading.first_since(entry.at)
        return _NEVER if first is None else first

    def _next_near(self, entry: FoldEntry, number: int) -> int | None:
        """Return the next turn that may read an entry by its words."""
        since = self._seen_from(entry)
        first, last = max(number + 1, since), since - 1 + REACH
        if since == _NEVER:
            return None
        for stretch in range(first // _STRETCH, last // _STRETCH + 1):
            self._load(stretch)
            for at in self._numbers[bisect_left(self._numbers, first) :]:
                if at > last:
                    return None
                if _may_read(self._steps[at], entry):
                    return at
        return None

    def _reach(self, number: int) -> None:
        """Load what a turn may know, unless it is there."""
        for stretch in range(max(number - REACH, 0) // _STRETCH, number // _STRETCH + 1):
            self._load(stretch)
        step = self._steps.get(number)
        until = self._by_hand_until
        if step is not None and (until is None or until < step.added_at):
            since = self._horizon(step)
            since = since if until is None else max(until, since)
            self._add(self._reading.by_hand(since, step.added_at))
            self._by_hand_until = step.added_at

    def _load(self, stretch: int) -> None:
        """Load some turns with what they made and ended."""
        if stretch in self._stretches:
            return
        self._stretches.add(stretch)
        first = stretch * _STRETCH
        steps, turn_ids = self._reading.turns(first, first + _STRETCH - 1)
        self._turn_ids |= turn_ids
        self._steps |= {step.number: step for step in steps}
        self._numbers = sorted(self._steps)
        self._add(self._reading.along(list(turn_ids.values()), kinds=_KNOWN, number=self._first))
        self._add_struck(steps)

    def _add_struck(self, steps: Iterable[TurnOnPath]) -> None:
        """Keep in mind which loops a person deleted: they are not opened again."""
        if not self._reading.struck:
            return
        for step in steps:
            kept = step.extraction
            for text in kept.get("reading", kept).get("loops", ()):
                entry = opened_in(self._scope, step, text, extractor=kept["extractor"])
                at = self._reading.struck.get(entry.uid)
                if at is not None and entry.uid not in self.entries:
                    self._add([replace(entry, struck=True, changed_at=at)])

    def _add(self, found: Iterable[FoldEntry]) -> None:
        for entry in found:
            if entry.uid not in self.before and entry.uid not in self.entries:
                self.before[entry.uid] = self._stored[entry.uid] = entry
                self.entries[entry.uid] = entry


def known_among(entries: Iterable[FoldEntry], *, most_facts: int | None = None) -> Known:
    """Return what an extractor is shown of what is in use. Where only so many facts are, it is the
    most important ones.
    """
    newest = sorted(entries, key=lambda one: (one.at, one.uid), reverse=True)
    facts = [one for one in newest if one.type == "fact" and not one.struck]
    if most_facts is not None:
        facts = sorted(facts, key=lambda one: one.importance, reverse=True)[:most_facts]
    loops = [one for one in newest if one.type == "open_loop"]
    told = [one for one in newest if one.type == "summary"]
    return Known(
        facts=tuple(
            KnownFact(one.uid, one.key or "", value_of(one), one.importance) for one in facts
        ),
        loops=tuple(KnownLoop(one.uid, one.content) for one in loops[:_MOST_LOOPS]),
        summaries=tuple(one.content for one in told[:_MOST_SUMMARIES]),
    )


def value_of(entry: FoldEntry) -> str:
    """Return a fact without its key."""
    if entry.key is not None:
        before, _, after = entry.content.partition(":")
        if before.strip().casefold() == entry.key.casefold():
            return after.strip()
    return entry.content


def _is_alike(former: FoldEntry | None, after: FoldEntry | None, floor: int) -> bool:
    """Tell whether turns behind a floor know the same of an entry as before."""
    held = former is not None and former.holds_after(floor)
    holds = after is not None and after.holds_after(floor)
    if not (held and holds) or former is None or after is None:
        return held == holds
    return (former.content, former.key) == (after.content, after.key)


def _may_read(step: TurnOnPath, entry: FoldEntry) -> bool:
    """Tell whether a turn may have to do with an entry by its words."""
    if not step.is_read or entry.type == "open_loop":
        return step.is_read
    kept = step.extraction
    return kept["extractor"] == RULES and kept.get("asks", True)
