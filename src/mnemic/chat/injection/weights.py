"""How much an item is worth a place in the prompt. All weights of the choice stand here.

Decay: the age is that of the last change. A use makes it younger, but only half way: what is used
all the time ages at half the speed. If it did not age at all, what went in once would stay in for
ever. Decay halves per half-life from 1 towards a floor, so that what is old still counts.

Relevance: `relevance x (0.7 + 0.2 x importance + 0.1 x decay)`. The parts sum to 1, so importance
and recency lift an item by at most 1/0.7: they decide between items that fit about as well, and
never carry an item past one that fits clearly better. What has nothing to do with the query goes
in only if it is important, and counts less than everything that has.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from mnemic.chat.injection.block_text import Part, part_of
from mnemic.chat.injection.candidates import Candidate, PassageCandidate, QueryMatch
from mnemic.records.item import Item

# In days. A fact holds until it is changed; what happened in one turn soon matters less.
HALF_LIVES: Final[dict[Part, float]] = {
    "facts": 120.0,
    "macros": 60.0,
    "micros": 30.0,
    "loops": 30.0,
}
DECAY_FLOOR: Final = 0.3

RELEVANCE_ALONE: Final = 0.7
IMPORTANCE_LIFT: Final = 0.2
RECENCY_LIFT: Final = 0.1

LEAST_RELEVANCE: Final = 0.01
"""Below this an item has nothing to do with the query. Relevance falls with the rank and with the
distance to the best, so that answers which take several items go on for some ranks: the budget,
not this, ends most blocks. On questions about long conversations, what answers is there for twelve
in a hundred more of them than with 0.05."""

LEAST_BEST: Final = 0.1
"""Where even the best item is below this, it is not likely that anything has to do with the query,
as with small talk: a recall always has a first hit."""

LEAST_UNSURE: Final = 0.02
"""What an item must reach where it is not likely that anything answers: only the nearest few do."""

IMPORTANT: Final = 0.7
"""From here on an item may fill what relevant ones leave of the budget. What a turn leaves by
itself (0.6, macros 0.65) stays below; it takes an author, or a model, to say more."""

_DAY: Final = 86_400.0


@dataclass(frozen=True, slots=True)
class Pick:
    """A candidate with its worth and the reason for it."""

    candidate: Candidate | PassageCandidate
    score: float
    reason: str

    @property
    def id(self) -> str:
        """Whose worth it is."""
        return self.candidate.id


def decay(item: Item, *, now: datetime) -> float:
    """Return how fresh an item is, from 1 for what just changed down to `DECAY_FLOOR`."""
    changed = _days(item.updated_at, now)
    used = changed if item.used_at is None else min(changed, _days(item.used_at, now))
    age = (changed + used) / 2
    return DECAY_FLOOR + (1 - DECAY_FLOOR) * 0.5 ** (age / HALF_LIVES[part_of(item)])


def pinned(candidate: Candidate) -> Pick:
    """Return an item that goes in whatever it is worth."""
    return Pick(candidate, candidate.item.importance, "pinned")


def by_importance(candidates: Iterable[Candidate], *, now: datetime) -> list[Pick]:
    """Return all by importance x decay, the best first; of two equal ones the newer."""
    return in_order(
        Pick(candidate, _standing(candidate.item, now), _importance_reason(candidate.item, now))
        for candidate in candidates
    )


def by_relevance(
    candidates: Sequence[Candidate], *, now: datetime
) -> tuple[list[Pick], list[Candidate]]:
    """Return what may go in, the best first, and what has nothing to do with the query.

    Relevant items come before those that are only important.
    """
    best = max((each.relevance or 0.0 for each in candidates), default=0.0)
    least = LEAST_RELEVANCE if best >= LEAST_BEST else LEAST_UNSURE
    picks: list[Pick] = []
    others: list[Candidate] = []
    for candidate in candidates:
        item = candidate.item
        if candidate.relevance is not None and candidate.relevance >= least:
            lift = IMPORTANCE_LIFT * item.importance + RECENCY_LIFT * decay(item, now=now)
            score = candidate.relevance * (RELEVANCE_ALONE + lift)
            picks.append(Pick(candidate, score, _match_reason(candidate)))
        elif item.importance >= IMPORTANT:
            # Less than the least of what is relevant, which is never lifted by nothing.
            score = LEAST_RELEVANCE * RELEVANCE_ALONE * _standing(item, now)
            picks.append(Pick(candidate, score, _importance_reason(item, now)))
        else:
            others.append(candidate)
    return in_order(picks), others


def in_order(picks: Iterable[Pick]) -> list[Pick]:
    """Return the best first; of two equal ones the newer, then by id, so that it never varies."""
    by_id = sorted(picks, key=lambda pick: pick.id)
    by_age = sorted(by_id, key=lambda pick: _age(pick.candidate), reverse=True)
    return sorted(by_age, key=lambda pick: -pick.score)


def passages(found: Iterable[PassageCandidate]) -> list[Pick]:
    """Return passages with their worth, in the order in which they were found."""
    return [Pick(one, one.recalled.relevance, _passage_reason(one)) for one in found]


def _age(candidate: Candidate | PassageCandidate) -> tuple[bool, datetime | int]:
    if isinstance(candidate, PassageCandidate):
        return (True, candidate.passage.number)
    return (False, candidate.item.updated_at)


def _standing(item: Item, now: datetime) -> float:
    return item.importance * decay(item, now=now)


def _days(then: datetime, now: datetime) -> float:
    """Return the days between; what lies ahead of a clock that is behind counts as just now."""
    return max(0.0, (now - then).total_seconds() / _DAY)


def _importance_reason(item: Item, now: datetime) -> str:
    level = f"{item.importance:.2g}"
    worth = f"important ({level})" if item.importance >= IMPORTANT else f"importance {level}"
    if item.used_at is not None and item.used_at >= item.updated_at:
        return f"{worth}, last used {_ago(_days(item.used_at, now))}"
    return f"{worth}, changed {_ago(_days(item.updated_at, now))}"


def _passage_reason(candidate: PassageCandidate) -> str:
    return "; ".join([_found_by(candidate.recalled), *candidate.recalled.signals])


def _match_reason(candidate: Candidate) -> str:
    return _found_by(candidate.recalled)


def _found_by(recalled: QueryMatch | None) -> str:
    words = ", ".join(recalled.words) if recalled else ""
    score = f"(score {recalled.score:.2f})" if recalled else ""
    return f"matches the query: {words} {score}" if words else f"close to the query {score}"


def _ago(days: float) -> str:
    whole = int(days)
    if whole == 0:
        return "today"
    return "1 day ago" if whole == 1 else f"{whole} days ago"
