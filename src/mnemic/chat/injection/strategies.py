"""Four ways to choose from candidates within a budget; each says why, for every candidate.

What does not fit is passed over, and the next one is tried: it never ends its section. What is
pinned goes in first, whatever it costs, and counts towards no limit.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal, Protocol

from mnemic.chat.injection import weights
from mnemic.chat.injection.block_text import Part, Style, tokens_of
from mnemic.chat.injection.candidates import Candidate, PassageCandidate
from mnemic.chat.injection.filling import Filling
from mnemic.chat.injection.weights import Pick
from mnemic.records.conversation import Dropped, Strategy

Queue = Literal["open_loop", "fact", "summary"]

# In the order in which they take turns.
BALANCED_MOST: Final[dict[Queue, int]] = {"open_loop": 6, "fact": 10, "summary": 8}
# Per section: its share of the budget in percent, and how many items it holds at most.
DUAL_LIMITS: Final[dict[Part, tuple[int, int]]] = {
    "facts": (35, 10),
    "loops": (20, 6),
    "micros": (20, 5),
    "macros": (25, 3),
}
_QUEUE_NAMES: Final[dict[Queue, str]] = {
    "open_loop": "open loops",
    "fact": "facts",
    "summary": "summaries",
}
# Beside what was said: which parts have which share of the budget in percent, and how many items.
_BESIDE_PASSAGES: Final[tuple[tuple[tuple[Part, ...], int, int], ...]] = (
    (("facts", "loops"), 30, 1_000),
    (("macros",), 15, 1),
)
# Of the other strategies, in percent of the budget: what passages do not use goes to the items.
_PASSAGES_SHARE: Final = 50
_TOLD: Final = "its turn is told by its passages"
_PART_NAMES: Final[dict[Part, str]] = {
    "facts": "facts",
    "loops": "open loops",
    "micros": "micro summaries",
    "macros": "macro summaries",
    "passages": "passages",
}

Passages = Sequence[PassageCandidate]
"""What was said that answers the query, the best first."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What goes in, in the order in which it was chosen, and what does not."""

    picks: tuple[Pick, ...]
    dropped: tuple[Dropped, ...]


def importance(
    candidates: Sequence[Candidate], said: Passages, *, budget: int, now: datetime
) -> Choice:
    """Choose by importance x decay alone; passages have their share before."""
    filling, others = _begun(candidates, style="plain", budget=budget)
    dropped = _fill_passages(filling, said)
    return _choice(filling, dropped + _fill(filling, weights.by_importance(others, now=now)))


def relevance(
    candidates: Sequence[Candidate], said: Passages, *, budget: int, now: datetime
) -> Choice:
    """Choose what has to do with the query, and use what is left for what is important.

    What is neither stays out, even if there is room. Beside what was said, facts, loops and macros
    have a share each, and what the turns' summaries tell again stays out.
    """
    filling, others = _begun(candidates, style="plain", budget=budget)
    picks, unrelated = weights.by_relevance(others, now=now)
    dropped = [Dropped(one.id, "not relevant to the query") for one in sorted(unrelated, key=_id)]
    if not said:
        return _choice(filling, _fill(filling, picks) + dropped)
    left = filling.left
    for parts, percent, most in _BESIDE_PASSAGES:
        own = [pick for pick in picks if pick.candidate.part in parts]
        passed = _fill_share(filling, own, share=left * percent // 100, most=most)
        dropped += [Dropped(pick.id, f"beyond {percent} % of the budget") for pick in passed]
    micros = [pick for pick in picks if pick.candidate.part == "micros"]
    by_hand = [pick for pick in micros if not _tells_again(pick)]
    dropped += [Dropped(pick.id, _TOLD) for pick in micros if _tells_again(pick)]
    rest = sorted([*by_hand, *weights.passages(said)], key=lambda pick: -pick.score)
    return _choice(filling, dropped + _fill(filling, rest))


def balanced(
    candidates: Sequence[Candidate], said: Passages, *, budget: int, now: datetime
) -> Choice:
    """Let open loops, facts and summaries take turns, each by importance x decay; passages have
    their share before.
    """
    filling, others = _begun(candidates, style="plain", budget=budget)
    queues: dict[Queue, list[Pick]] = {queue: [] for queue in BALANCED_MOST}
    for pick in weights.by_importance(others, now=now):
        queues[_queue_of(pick.candidate.part)].append(pick)
    waiting = {queue: iter(picks) for queue, picks in queues.items()}
    dropped = _fill_passages(filling, said)
    for turn in range(max(BALANCED_MOST.values())):
        for queue, most in BALANCED_MOST.items():
            if turn < most:
                dropped += _serve(filling, waiting[queue])
    for queue, most in BALANCED_MOST.items():
        dropped += [_full(pick, most, _QUEUE_NAMES[queue]) for pick in waiting[queue]]
    return _choice(filling, dropped)


def dual_summary(
    candidates: Sequence[Candidate], said: Passages, *, budget: int, now: datetime
) -> Choice:
    """Give each section its share of the budget, then what is left to whatever still fits.

    The shares are of what pinned items and passages leave. The limits on the number of items hold
    throughout.
    """
    filling, others = _begun(candidates, style="dual", budget=budget)
    dropped = _fill_passages(filling, said)
    ranked = weights.by_importance(others, now=now)
    counts: Counter[Part] = Counter()
    open_tokens = filling.left
    skipped: list[Pick] = []
    for part, (percent, most) in DUAL_LIMITS.items():
        picks = [pick for pick in ranked if pick.candidate.part == part]
        share = open_tokens * percent // 100
        passed = _fill_share(filling, picks, share=share, most=most)
        counts[part] = len(picks) - len(passed)
        skipped += passed
    return _choice(filling, dropped + _top_up(filling, skipped, counts))


class Chooser(Protocol):
    """A strategy as a function: every candidate is either chosen or dropped with a reason."""

    def __call__(
        self, candidates: Sequence[Candidate], said: Passages, *, budget: int, now: datetime
    ) -> Choice:
        """Choose what fits the budget."""
        ...


CHOOSERS: Final[dict[Strategy, Chooser]] = {
    "relevance": relevance,
    "importance": importance,
    "balanced": balanced,
    "dual_summary": dual_summary,
}


def style_of(strategy: Strategy) -> Style:
    """Return in which form the choice of a strategy is written."""
    return "dual" if strategy == "dual_summary" else "plain"


def _begun(
    candidates: Sequence[Candidate], *, style: Style, budget: int
) -> tuple[Filling, list[Candidate]]:
    """Return a block with all that is pinned in it, and the candidates that compete."""
    pinned = [weights.pinned(each) for each in candidates if each.item.is_pinned]
    filling = Filling(style=style, budget=budget, pinned=pinned)
    return filling, [each for each in candidates if not each.item.is_pinned]


def _choice(filling: Filling, dropped: Iterable[Dropped]) -> Choice:
    return Choice(tuple(filling.picks), tuple(dropped))


def _fill(filling: Filling, picks: Iterable[Pick]) -> list[Dropped]:
    """Put in all that fits, in order, and return the others."""
    return [Dropped(pick.id, filling.misfit(pick)) for pick in picks if not filling.take(pick)]


def _fill_passages(filling: Filling, said: Passages) -> list[Dropped]:
    """Put in what was said, within its share."""
    share = filling.left * _PASSAGES_SHARE // 100
    passed = _fill_share(filling, weights.passages(said), share=share, most=len(said))
    return [Dropped(pick.id, f"beyond {_PASSAGES_SHARE} % of the budget") for pick in passed]


def _serve(filling: Filling, waiting: Iterator[Pick]) -> list[Dropped]:
    """Put in the next that fits, and return those that had to be passed over on the way."""
    passed: list[Dropped] = []
    for pick in waiting:
        if filling.take(pick):
            break
        passed.append(Dropped(pick.id, filling.misfit(pick)))
    return passed


def _fill_share(filling: Filling, picks: Iterable[Pick], *, share: int, most: int) -> list[Pick]:
    """Put in what fits a section's share, and return what was passed over."""
    spent = count = 0
    passed: list[Pick] = []
    for pick in picks:
        price = filling.price(pick)
        if count < most and tokens_of(spent + price) <= share and filling.take(pick):
            spent += price
            count += 1
        else:
            passed.append(pick)
    return passed


def _top_up(filling: Filling, skipped: Iterable[Pick], counts: Counter[Part]) -> list[Dropped]:
    """Use what the shares left for what was passed over, the best first."""
    dropped: list[Dropped] = []
    for pick in weights.in_order(skipped):
        part = pick.candidate.part
        most = DUAL_LIMITS[part][1]
        if counts[part] >= most:
            dropped.append(_full(pick, most, _PART_NAMES[part]))
        elif filling.take(replace(pick, reason=f"{pick.reason}; beyond its section's share")):
            counts[part] += 1
        else:
            dropped.append(Dropped(pick.id, filling.misfit(pick)))
    return dropped


def _full(pick: Pick, most: int, name: str) -> Dropped:
    return Dropped(pick.id, f"already {most} {name}")


def _tells_again(pick: Pick) -> bool:
    """Tell whether a summary was made of a turn, whose passages say it themselves."""
    candidate = pick.candidate
    return isinstance(candidate, Candidate) and candidate.item.extractor is not None


def _id(candidate: Candidate) -> str:
    return candidate.id


def _queue_of(part: Part) -> Queue:
    """Return whose turn an item waits for; what is neither a loop nor a summary is a fact."""
    if part == "loops":
        return "open_loop"
    return "fact" if part == "facts" else "summary"
