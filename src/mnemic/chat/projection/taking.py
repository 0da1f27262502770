"""Taking one turn in: what it adds to what is remembered, changes in it and takes out of use."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from mnemic.chat.extraction.extraction import Extraction
from mnemic.chat.projection.entries import FoldEntry, origin_of, referred, says_the_same, uid_of
from mnemic.chat.projection.told import Wide
from mnemic.language.token_counts import token_estimate
from mnemic.records.item import ItemType, Relation
from mnemic.records.memory import Scope
from mnemic.storage.chat_rows.session_rows import TurnOnPath

MICRO_IMPORTANCE: Final = 0.6
LOOP_IMPORTANCE: Final = 0.6
REPLACED: Final = "A newer value took over."
BY_HAND: Final = "by hand"
"""What stands in the place of a turn where a person decided whether an item is in use."""

Link = tuple[str, str, Relation]


def made_in(
    scope: Scope, step: TurnOnPath, type_: ItemType, text: str, *, extractor: str
) -> FoldEntry:
    """Return what a turn makes of a text."""
    origin = origin_of(step.turn_id, step.version, type_, text)
    return FoldEntry(
        uid=uid_of(scope, origin),
        type=type_,
        content=text,
        at=step.said_at,
        origin=origin,
        turn_id=step.turn_id,
        version=step.version,
        tokens=token_estimate(text),
        extractor=extractor,
        born=step.number,
    )


def opened_in(scope: Scope, step: TurnOnPath, text: str, *, extractor: str) -> FoldEntry:
    """Return the open loop that a turn makes of a text."""
    entry = made_in(scope, step, "open_loop", text, extractor=extractor)
    return replace(entry, importance=LOOP_IMPORTANCE)


class Taking:
    """One turn while it is taken in. `known` is what is in use just before it; `born` and `ended`
    are what it makes and takes out of use.
    """

    def __init__(self, scope: Scope, step: TurnOnPath, known: Iterable[FoldEntry]) -> None:
        self.born: dict[str, FoldEntry] = {}
        self.ended: dict[str, FoldEntry] = {}
        self.mentioned: dict[str, FoldEntry] = {}
        self.links: set[Link] = set()
        self.wide: list[Wide] = []
        self._scope = scope
        self._step = step
        self._known = {one.uid: one for one in known}

    @property
    def known(self) -> Iterable[FoldEntry]:
        """What is in use just before the turn."""
        return self._known.values()

    def take(self, found: Extraction) -> None:
        """Apply what was found in the turn."""
        micro = self._summary(found)
        for fact in found.facts:
            if fact.scope == "branch":
                self._hold(found, fact.key, fact.value, fact.importance)
            else:
                self.wide.append(Wide(self._step, found.extractor, fact=fact))
        for update in found.updates:
            self._update(found, update.id, update.value)
        for gone in found.retirements:
            target = self._target(found, gone.id, "fact", note=gone.reason)
            if target is not None:
                self._end(target, note=gone.reason)
        for text in found.loops:
            self._open_loop(found, text)
        for solved in found.resolutions:
            target = self._target(found, solved.id, "open_loop", note=solved.text)
            if target is not None:
                self._end(target, note=solved.text)
                if micro is not None:
                    self.links.add((micro.uid, target.uid, "resolves"))

    def _new(self, found: Extraction, type_: ItemType, text: str) -> FoldEntry:
        return made_in(self._scope, self._step, type_, text, extractor=found.extractor)

    def _bear(self, entry: FoldEntry) -> FoldEntry:
        self.born[entry.uid] = entry
        self.ended.pop(entry.uid, None)
        return entry

    def _summary(self, found: Extraction) -> FoldEntry | None:
        if not found.summary.strip():
            return None
        number = self._step.number
        entry = self._new(found, "summary", found.summary)
        return self._bear(
            replace(
                entry,
                tier="micro",
                importance=MICRO_IMPORTANCE,
                coverage_start=number,
                coverage_end=number,
                note=found.note,
            )
        )

    def _hold(self, found: Extraction, key: str, value: str, importance: float) -> None:
        """Keep a fact; what was held under its key gives way."""
        entry = self._new(found, "fact", f"{key}: {value}")
        kept = self._bear(replace(entry, key=key, importance=importance))
        for loser in self._in_use("fact"):
            if loser.key == key and loser.uid != kept.uid:
                self._supersede(kept, loser)

    def _supersede(self, winner: FoldEntry, loser: FoldEntry) -> None:
        self._end(loser, note=REPLACED)
        self.links.add((winner.uid, loser.uid, "updates"))
        if not says_the_same(winner.content, loser.content):
            self.links.add((winner.uid, loser.uid, "contradicts"))

    def _update(self, found: Extraction, ref: str, value: str) -> None:
        target = self._target(found, ref, "fact", value=value)
        if target is None:
            return
        if target.key is not None:
            self._hold(found, target.key, value, target.importance)
            return
        entry = self._new(found, "fact", value)
        kept = self._bear(replace(entry, importance=target.importance))
        if kept.uid != target.uid:
            self._supersede(kept, target)

    def _open_loop(self, found: Extraction, text: str) -> None:
        for one in self._in_use("open_loop"):
            if says_the_same(one.content, text):
                self.mentioned[one.uid] = replace(one, mentioned_at=self._step.said_at)
                return
        self._bear(opened_in(self._scope, self._step, text, extractor=found.extractor))

    def _in_use(self, type_: ItemType) -> list[FoldEntry]:
        there = self._known | self.born
        return [one for uid, one in there.items() if one.type == type_ and uid not in self.ended]

    def _target(
        self,
        found: Extraction,
        ref: str,
        type_: ItemType,
        *,
        value: str | None = None,
        note: str | None = None,
    ) -> FoldEntry | None:
        """Return what a reference means, where it is in use in the branch; one that the branch
        never had is of a wider scope.
        """
        uid = referred(self._scope, ref)
        entry = self.born.get(uid) or self._known.get(uid)
        if entry is None:
            wide = Wide(self._step, found.extractor, target=uid, value=value, note=note)
            self.wide.append(wide)
            return None
        return entry if entry.type == type_ and uid not in self.ended else None

    def _end(self, entry: FoldEntry, *, note: str) -> None:
        """Take an entry out of use. What a person changed stays as it is for those that come after
        that, and for everybody, where it is in use because a person said so.
        """
        step = self._step
        if entry.edited and entry.origin is not None:
            since = entry.edited_at
            if entry.displaced_by == BY_HAND or since is None or since <= step.added_at:
                return
        self.ended[entry.uid] = replace(
            entry,
            status="deprecated",
            lifecycle="deprecated",
            note=note,
            displaced_by=step.turn_id,
            died=step.number,
        )
