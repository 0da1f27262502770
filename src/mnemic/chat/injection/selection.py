"""From candidates to the block that an app injects, and how it came about."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from mnemic.chat.injection.block_text import in_text_order, line_of, part_of, rendered
from mnemic.chat.injection.candidates import Candidate
from mnemic.chat.injection.strategies import CHOOSERS, Choice, style_of
from mnemic.language.token_counts import token_estimate
from mnemic.records.conversation import Chosen, ContextBlock, ContextQuery, Dropped, Strategy


def choose(
    query: ContextQuery,
    candidates: Sequence[Candidate],
    dropped: Sequence[Dropped],
    *,
    now: datetime,
) -> ContextBlock:
    """Return the block for a query, within its budget unless what is pinned alone is more.

    `dropped` is what never became a candidate; it is told with the rest. The chosen items come in
    the order of the text, and each candidate is either chosen or dropped. A line's tokens are
    rounded up by themselves, so together they may come to a little more than the text. Without a
    text to go by, `relevance` chooses like `importance`.
    """
    order = _order(query)
    choice = CHOOSERS[order](candidates, budget=query.token_budget, now=now)
    picks = {pick.candidate.item.id: pick for pick in choice.picks}
    style = style_of(order)
    items = in_text_order([pick.candidate.item for pick in choice.picks], style=style)
    lines = [line_of(item, style=style) for item in items]
    chosen = tuple(
        Chosen(
            id=item.id,
            type=item.type,
            score=round(picks[item.id].score, 4),
            tokens=token_estimate(line.text),
            reason=picks[item.id].reason,
        )
        for item, line in zip(items, lines, strict=True)
    )
    text = rendered(lines)
    count = token_estimate(text)
    return ContextBlock(
        text=text,
        chosen=chosen,
        token_count=count,
        dropped=(*dropped, *choice.dropped),
        trace=_trace(query, candidates, dropped, choice, tokens=count),
    )


def _order(query: ContextQuery) -> Strategy:
    """Return the strategy that decides."""
    if query.strategy == "relevance" and not query.text.strip():
        return "importance"
    return query.strategy


def _trace(
    query: ContextQuery,
    candidates: Sequence[Candidate],
    dropped: Sequence[Dropped],
    choice: Choice,
    *,
    tokens: int,
) -> dict[str, Any]:
    chosen = [pick.candidate.item for pick in choice.picks]
    return {
        "strategy": query.strategy,
        "ordered_by": _order(query),
        "queries": [query.text] if query.text.strip() else [],
        "token_budget": query.token_budget,
        "token_count": tokens,
        "over_budget": tokens > query.token_budget,
        "window_start_floor_no": query.window_start,
        "counts": {
            "considered": len(candidates) + len(dropped),
            "eligible": len(candidates),
            "recalled": sum(each.recalled is not None for each in candidates),
            "pinned": sum(item.is_pinned for item in chosen),
            "chosen": len(chosen),
            "dropped": len(dropped) + len(choice.dropped),
        },
        "chosen_by_part": dict(Counter(part_of(item) for item in chosen)),
    }
