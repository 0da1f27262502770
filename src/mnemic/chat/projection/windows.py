"""When summaries are taken in by a larger one, and which."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

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

_PLANNED: Final = "window:"
_FORCED: Final = "forced:"

Kind = Literal["micro", "macro"]


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
    micros: Sequence[FoldEntry], *, floor: int, covered_until: int
) -> CompactionReason | None:
    """Return the first rule that asks for a compaction, or None."""
    if len(micros) >= MOST_MICROS:
        return "micro_count_threshold"
    if sum(one.tokens for one in micros) >= MOST_TOKENS:
        return "micro_token_threshold"
    if floor - covered_until >= MOST_FLOORS:
        return "floor_gap_threshold"
    return None


def sources_among(micros: Sequence[FoldEntry]) -> tuple[FoldEntry, ...]:
    """Return the oldest that are taken in: the newest four stay, unless that leaves too few."""
    count = len(micros)
    taken = min(count - _KEPT, _MOST_SOURCES)
    if taken < FEWEST_SOURCES:
        taken = FEWEST_SOURCES if count > _KEPT else 0
    return tuple(micros[:taken])


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


def rolled_up(macros: Sequence[FoldEntry]) -> SummaryWindow | None:
    """Return the window in which the oldest macros become one, once there are enough."""
    if len(macros) < MOST_MACROS:
        return None
    return window("micro_count_threshold", macros[:_ROLLED], forced_at=None)


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
    return origin is not None and origin.startswith((_PLANNED, _FORCED))


def forced_at(origin: str) -> int | None:
    """Return after which floor somebody asked for a window; None where it followed by rule."""
    if not origin.startswith(_FORCED):
        return None
    return int(origin.removeprefix(_FORCED).partition(":")[0])
