"""When summaries are taken in by a larger one, and which.

Windows never reach beyond a block of floors, and what becomes of one block depends on no other: a
changed turn changes the windows of its own.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mnemic.chat.projection.entries import FoldEntry, uid_of
from mnemic.memory.ids import name_of
from mnemic.records.conversation import CompactionReason
from mnemic.records.memory import Scope

MOST_MICROS: Final = 12
MOST_TOKENS: Final = 900
MOST_FLOORS: Final = 12
FEWEST_SOURCES: Final = 3
_KEPT: Final = 4
_MOST_SOURCES: Final = 12
MOST_MACROS: Final = 6
_ROLLED: Final = 4
MACRO_IMPORTANCE: Final = 0.65
BLOCK: Final = 24
"""So many floors stand in a block: three windows, where each turn has a short summary."""

SETTLED: Final = MOST_FLOORS
"""So many floors behind a block its last window is due."""

_PLANNED: Final = "window:"
_FORCED: Final = "forced:"
_ROLLED_UP: Final = "rolled:"
_WINDOWS: Final = (_PLANNED, _FORCED, _ROLLED_UP)


@dataclass(frozen=True, slots=True)
class SummaryWindow:
    """Summaries that are to become one, oldest first; `origin` is what that one is made of."""

    origin: str
    reason: CompactionReason
    sources: tuple[FoldEntry, ...]

    @property
    def unread(self) -> bool:
        """Whether a turn that it covers is still to be read."""
        return any(one.unread for one in self.sources)

    @property
    def start(self) -> int | None:
        """The first floor that it covers; None where its sources tell of none."""
        return min(
            (one.coverage_start for one in self.sources if one.coverage_start is not None),
            default=None,
        )

    @property
    def end(self) -> int | None:
        """The last floor that it covers."""
        return max(
            (one.coverage_end for one in self.sources if one.coverage_end is not None), default=None
        )


def reason_for(
    micros: Sequence[FoldEntry], *, floor: int, covered_until: int, behind: int = 0
) -> CompactionReason | None:
    """Return the first rule that asks for a compaction, or None. So many floors more stand behind
    these summaries, where others belong to another block.
    """
    if len(micros) + behind >= MOST_MICROS:
        return "micro_count_threshold"
    if sum(one.tokens for one in micros) >= MOST_TOKENS:
        return "micro_token_threshold"
    if floor - covered_until >= MOST_FLOORS:
        return "floor_gap_threshold"
    return None


def sources_among(micros: Sequence[FoldEntry], *, behind: int = 0) -> tuple[FoldEntry, ...]:
    """Return the oldest that are taken in: the newest four stay, unless that leaves too few."""
    count = len(micros) + behind
    taken = min(count - _KEPT, _MOST_SOURCES)
    if taken < FEWEST_SOURCES:
        taken = FEWEST_SOURCES if count > _KEPT else 0
    return tuple(micros[:taken])


def windows_in(
    block: int, micros: Sequence[FoldEntry], *, asked: Mapping[str, int], last: int
) -> Iterator[SummaryWindow]:
    """Return the windows of a block of floors once the turns up to the last floor are read. `asked`
    tells of the summaries in a window that somebody asked for after which floor that was: up to
    then they stood there like the others.
    """
    end = block * BLOCK + BLOCK - 1
    covered = block * BLOCK - 1
    free = sorted(micros, key=by_age)
    for floor in range(block * BLOCK, min(last, end + SETTLED) + 1):
        there = [one for one in free if (one.coverage_start or 0) <= floor]
        behind = max(0, floor - end)
        reason = reason_for(there, floor=floor, covered_until=covered, behind=behind)
        sources = sources_among(there, behind=behind) if reason and there else ()
        sources = tuple(one for one in sources if one.uid not in asked)
        if reason and sources:
            yield window(reason, sources, forced_at=None)
        taken = [*sources, *(one for one in there if asked.get(one.uid) == floor)]
        gone = {one.uid for one in taken}
        free = [one for one in free if one.uid not in gone]
        covered = max([covered, *(one.coverage_end or 0 for one in taken)])


def rolled_up(scope: Scope, macros: Sequence[FoldEntry]) -> Iterator[SummaryWindow]:
    """Return the windows in which larger summaries become one: four at a time, once six stand. What
    became one counts among its like.
    """
    level, of_level = 0, sorted(macros, key=by_age)
    while len(of_level) >= MOST_MACROS:
        level += 1
        made: list[FoldEntry] = []
        behind = len(of_level)
        for group in _groups(of_level, floors=BLOCK * _ROLLED**level):
            behind -= len(group)
            if behind >= MOST_MACROS - _ROLLED and len(group) > 1:
                made_of = name_of("window", *(one.origin or one.uid for one in group))
                origin = f"{_ROLLED_UP}{level}:{made_of}"
                yield (planned := SummaryWindow(origin, "micro_count_threshold", group))
                made.append(planned_macro(scope, planned))
        of_level = made


def _groups(macros: Sequence[FoldEntry], *, floors: int) -> Iterator[tuple[FoldEntry, ...]]:
    """Return summaries by fours, of which none reaches beyond a block of so many floors."""
    blocks: dict[int, list[FoldEntry]] = {}
    for one in macros:
        blocks.setdefault((one.coverage_start or 0) // floors, []).append(one)
    for there in blocks.values():
        for at in range(0, len(there), _ROLLED):
            yield tuple(there[at : at + _ROLLED])


def window(
    reason: CompactionReason, sources: Sequence[FoldEntry], *, forced_at: int | None
) -> SummaryWindow:
    """Return a window; one that somebody asked for is told from those that follow by rule."""
    made_of = name_of("window", *(one.origin or one.uid for one in sources))
    prefix = _PLANNED if forced_at is None else f"{_FORCED}{forced_at}:"
    return SummaryWindow(prefix + made_of, reason, tuple(sources))


def by_age(one: FoldEntry) -> tuple[int, float, str]:
    """Return what summaries are sorted by, oldest first: what tells of no floor comes first."""
    start = -1 if one.coverage_start is None else one.coverage_start
    return start, one.at.timestamp(), one.uid


def planned_macro(scope: Scope, planned: SummaryWindow) -> FoldEntry:
    """Return the summary that a window is to become, without its text."""
    return FoldEntry(
        uid=uid_of(scope, planned.origin),
        type="summary",
        content="",
        at=planned.sources[-1].at,
        origin=planned.origin,
        tier="macro",
        importance=MACRO_IMPORTANCE,
        coverage_start=planned.start,
        coverage_end=planned.end,
        derived_from=len(planned.sources),
        unread=planned.unread,
    )


def is_window(origin: str | None) -> bool:
    """Tell whether an origin is that of a summary of summaries."""
    return origin is not None and origin.startswith(_WINDOWS)


def is_rolled_up(origin: str | None) -> bool:
    """Tell whether an origin is that of a summary of larger summaries."""
    return origin is not None and origin.startswith(_ROLLED_UP)


def forced_at(origin: str) -> int | None:
    """Return after which floor somebody asked for a window; None where it followed by rule."""
    if not origin.startswith(_FORCED):
        return None
    return int(origin.removeprefix(_FORCED).partition(":")[0])
