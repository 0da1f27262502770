"""Which items may be injected at all, and why the others may not."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mnemic.chat.injection.block_text import (
    BlockLine,
    Part,
    Style,
    line_of,
    part_of,
    passage_line_of,
    place_of,
)
from mnemic.records.conversation import Dropped
from mnemic.records.item import CHAT_SCOPES, Item
from mnemic.records.memory import Scope
from mnemic.storage.rows.passage_rows import SaidPassage

LEAST_IMPORTANCE: Final = 0.35

Breadth = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryMatch:
    """How well an item answers the query.

    `relevance` is how likely it has to do with the query, from 0 to 1; it decides. `score` orders
    the hits of one recall, `words` are those of the query that it holds, `signals` what else spoke
    for it; these only explain.
    """

    relevance: float
    score: float
    words: tuple[str, ...] = ()
    signals: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An item that may be injected; `recalled` is None where no recall found it.

    A greater `breadth` is a narrower scope: global, chat, branch, floor. Scopes of one kind come
    in the order in which they were said to be visible.
    """

    item: Item
    recalled: QueryMatch | None = None
    breadth: Breadth = (0, 0)

    @property
    def id(self) -> str:
        """The item's id."""
        return self.item.id

    @property
    def type(self) -> str:
        """The item's type."""
        return self.item.type

    @property
    def part(self) -> Part:
        """Which part of memory it belongs to."""
        return part_of(self.item)

    @property
    def is_pinned(self) -> bool:
        """Whether it goes in whatever it costs."""
        return self.item.is_pinned

    def line(self, style: Style) -> BlockLine:
        """Return it as it will stand in the text."""
        return line_of(self.item, style=style)

    def place(self, style: Style) -> tuple[object, ...]:
        """Return where it stands in the text; another item more or less does not move it."""
        first = place_of(self.part, is_pinned=self.is_pinned, style=style)
        return (*first, self.item.created_at, self.id)

    @property
    def relevance(self) -> float | None:
        """How likely it has to do with the query; None where no recall found it."""
        return self.recalled.relevance if self.recalled else None


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageCandidate:
    """A passage of what was said that may be injected, and how well it answers the query."""

    passage: SaidPassage
    recalled: QueryMatch

    @property
    def id(self) -> str:
        """Which passage it is: of which turn, which message there, from which character on."""
        return f"{self.passage.turn_id}:{self.passage.position}:{self.passage.first}"

    type: Final = "passage"
    part: Final[Part] = "passages"
    is_pinned: Final = False

    def line(self, style: Style) -> BlockLine:
        """Return it as it will stand in the text."""
        return passage_line_of(self.passage, style=style)

    def place(self, style: Style) -> tuple[object, ...]:
        """Return where it stands in the text: as it was said."""
        first = place_of(self.part, is_pinned=False, style=style)
        return (*first, self.passage.number, self.passage.position, self.passage.first)


_NOTHING_RECALLED: Final[Mapping[str, QueryMatch]] = {}
_NO_FLOORS: Final[Mapping[str, int | None]] = {}


def eligible(
    items: Iterable[Item],
    *,
    window_start: int | None,
    floors: Mapping[str, int | None] = _NO_FLOORS,
    recalled: Mapping[str, QueryMatch] = _NOTHING_RECALLED,
    visible: Sequence[Scope] = (),
) -> tuple[list[Candidate], list[Dropped]]:
    """Return the items that may be injected, and the others with the reason why not.

    `floors` and `recalled` are by item id; an item without a floor is never in the window.
    `visible` names the scopes with the widest first. Only the order among scopes of one kind is
    taken from it: a fork comes after the trunk that it left.

    What is true comes before what is worth its place: a fact overrides the same fact of a wider
    scope even where it is itself too unimportant, or too recent, to go in.
    """
    places = {scope: place for place, scope in enumerate(visible)}
    known = {
        item.id: Candidate(
            item=item,
            recalled=recalled.get(item.id),
            breadth=(_kind_order(item.scope), places.get(item.scope, 0)),
        )
        for item in items
    }
    winners = _winners(known.values())
    kept: list[Candidate] = []
    dropped: list[Dropped] = []
    for candidate in known.values():
        reason = (
            _out_of_use(candidate.item)
            or _overridden(candidate, winners)
            or _held_back(candidate.item, window_start, floors.get(candidate.item.id))
        )
        if reason is None:
            kept.append(candidate)
        else:
            dropped.append(Dropped(candidate.item.id, reason))
    return kept, dropped


def _kind_order(scope: Scope) -> int:
    """Return how narrow a kind of scope is; those that no chat has count as the widest."""
    return CHAT_SCOPES.index(scope.kind) if scope.kind in CHAT_SCOPES else 0


def _winners(candidates: Iterable[Candidate]) -> dict[str, Candidate]:
    """Return for each fact key the fact that holds: of the narrowest scope, then the newest."""
    winners: dict[str, Candidate] = {}
    for candidate in candidates:
        key = candidate.item.fact_key
        if key is None or not candidate.item.in_use:
            continue
        best = winners.get(key)
        if best is None or _precedence(candidate) > _precedence(best):
            winners[key] = candidate
    return winners


def _precedence(candidate: Candidate) -> tuple[object, ...]:
    item = candidate.item
    return (candidate.breadth, item.updated_at, item.created_at, item.id)


def _out_of_use(item: Item) -> str | None:
    if not item.in_use:
        return "compacted" if item.lifecycle == "compacted" else "deprecated"
    return None if item.content.strip() else "has no text"


def _overridden(candidate: Candidate, winners: Mapping[str, Candidate]) -> str | None:
    winner = winners.get(candidate.item.fact_key or "")
    if winner is None or winner.item.id == candidate.item.id or candidate.item.is_pinned:
        return None
    if winner.breadth > candidate.breadth:
        return f"overridden by {winner.item.id} in a narrower scope ({winner.item.scope.kind})"
    return f"overridden by {winner.item.id}, a newer fact of the same key"


def _held_back(item: Item, window_start: int | None, floor: int | None) -> str | None:
    """Return why an item in use stays out. What is pinned never does."""
    if item.is_pinned:
        return None
    if item.importance < LEAST_IMPORTANCE:
        return f"importance {item.importance:g} is below {LEAST_IMPORTANCE:g}"
    last = floor
    if item.type == "summary" and item.coverage_start is not None:
        # A summary that only reaches into the window tells of what is before it, too.
        last = item.coverage_start
    if window_start is None or last is None or last < window_start:
        return None
    return f"still in the app's window (floor {last})"
