"""From candidates to the block that an app injects, and how it came about."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from mnemic.chat.injection.block_text import rendered
from mnemic.chat.injection.candidates import Candidate, PassageCandidate
from mnemic.chat.injection.small_talk import SMALL_TALK_TOKENS, AskedAmount
from mnemic.chat.injection.strategies import CHOOSERS, Choice, style_of
from mnemic.language.token_counts import token_estimate
from mnemic.language.tokens import normalise
from mnemic.records.conversation import Chosen, ContextBlock, ContextQuery, Dropped, Strategy


def choose(
    query: ContextQuery,
    candidates: Sequence[Candidate],
    dropped: Sequence[Dropped],
    *,
    now: datetime,
    said: Sequence[PassageCandidate] = (),
    asked_for: AskedAmount = "all",
) -> ContextBlock:
    """Return the block for a query, within its budget unless what is pinned alone is more. `said`
    are the passages that answer it, the best first; where little is asked for, `relevance` says
    little.

    `dropped` is what never became a candidate; it is told with the rest. The chosen items come in
    the order of the text, and each candidate is either chosen or dropped. A line's tokens are
    rounded up by themselves, so together they may come to a little more than the text. Without a
    text to go by, `relevance` chooses like `importance`.
    """
    order = _order(query)
    budget = query.token_budget
    if order == "relevance" and asked_for != "all":
        budget = min(budget, SMALL_TALK_TOKENS)
    different, repeated = _different(said)
    dropped = (*dropped, *repeated)
    choice = CHOOSERS[order](candidates, different, budget=budget, now=now)
    style = style_of(order)
    picks = sorted(choice.picks, key=lambda pick: pick.candidate.place(style))
    lines = [pick.candidate.line(style) for pick in picks]
    chosen = tuple(
        Chosen(
            id=pick.id,
            type=pick.candidate.type,
            score=round(pick.score, 4),
            tokens=token_estimate(line.text),
            reason=pick.reason,
        )
        for pick, line in zip(picks, lines, strict=True)
    )
    text = rendered(lines)
    count = token_estimate(text)
    return ContextBlock(
        text=text,
        chosen=chosen,
        token_count=count,
        dropped=(*dropped, *choice.dropped),
        trace=_trace(query, [*candidates, *different], dropped, choice, asked_for, tokens=count),
    )


def _different(
    said: Sequence[PassageCandidate],
) -> tuple[list[PassageCandidate], list[Dropped]]:
    """Return the best of passages that say the same, and the others with the reason why not."""
    first: dict[str, PassageCandidate] = {}
    repeated: list[Dropped] = []
    for one in said:
        best = first.setdefault(normalise(one.passage.content), one)
        if best is not one:
            reason = f"said in the same words on floor {best.passage.number}"
            repeated.append(Dropped(one.id, reason))
    return list(first.values()), repeated


def _order(query: ContextQuery) -> Strategy:
    """Return the strategy that decides."""
    if query.strategy == "relevance" and not query.text.strip():
        return "importance"
    return query.strategy


def _trace(
    query: ContextQuery,
    candidates: Sequence[Candidate | PassageCandidate],
    dropped: Sequence[Dropped],
    choice: Choice,
    asked_for: AskedAmount,
    *,
    tokens: int,
) -> dict[str, Any]:
    chosen = [pick.candidate for pick in choice.picks]
    return {
        "strategy": query.strategy,
        "ordered_by": _order(query),
        "queries": [query.text] if query.text.strip() else [],
        "asked_for": asked_for,
        "token_budget": query.token_budget,
        "token_count": tokens,
        "over_budget": tokens > query.token_budget,
        "window_start_floor_no": query.window_start,
        "counts": {
            "considered": len(candidates) + len(dropped),
            "eligible": len(candidates),
            "recalled": sum(each.recalled is not None for each in candidates),
            "pinned": sum(one.is_pinned for one in chosen),
            "chosen": len(chosen),
            "dropped": len(dropped) + len(choice.dropped),
        },
        "chosen_by_part": dict(Counter(one.part for one in chosen)),
    }
