"""Items and candidates written by hand, for the tests of what is injected."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from mnemic.chat.injection.candidates import Candidate, QueryMatch, eligible
from mnemic.chat.injection.selection import choose
from mnemic.language.token_counts import token_estimate
from mnemic.records.conversation import (
    ContextBlock,
    ContextQuery,
    Strategy,
    branch_scope,
    chat_scope,
)
from mnemic.records.item import Item
from mnemic.records.memory import Scope

NOW = datetime(2025, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)

GLOBAL = Scope("global", "global")
CHAT = chat_scope("s")
BRANCH = branch_scope("s", "main")
FLOOR = Scope("floor", "f")

Sort = Literal["fact", "micro", "macro", "open_loop"]


def an_item(id_: str, content: str = "", *, sort: Sort = "fact", **fields: Any) -> Item:
    """Return an item that was just written in the branch, unless told otherwise."""
    content = content or f"text of {id_}"
    is_summary = sort in ("micro", "macro")
    values: dict[str, Any] = {
        "scope": BRANCH,
        "type": "summary" if is_summary else sort,
        "tier": sort if is_summary else None,
        "created_at": NOW,
        "updated_at": fields.get("created_at", NOW),
    }
    tokens = token_estimate(content)
    return Item(id=id_, memory_id=1, content=content, tokens=tokens, **(values | fields))


def pinned(id_: str, content: str = "", **fields: Any) -> Item:
    """Return an item that always goes in."""
    return an_item(id_, content, importance=1.0, pinned=True, **fields)


def candidate(item: Item, relevance: float | None = None, *words: str) -> Candidate:
    """Return an item that may go in, with how well a recall found it."""
    if relevance is None:
        return Candidate(item=item)
    return Candidate(item=item, recalled=QueryMatch(relevance=relevance, score=0.82, words=words))


def block_of(
    *candidates: Candidate | Item,
    strategy: Strategy = "importance",
    budget: int = 500,
    text: str = "the query",
) -> ContextBlock:
    """Return the block that is made of these."""
    query = ContextQuery(session_id="s", text=text, token_budget=budget, strategy=strategy)
    given = [candidate(each) if isinstance(each, Item) else each for each in candidates]
    return choose(query, given, [], now=NOW)


def ids(block: ContextBlock) -> list[str]:
    """Return what was chosen, in the order of the text."""
    return [each.id for each in block.chosen]


def reasons(block: ContextBlock) -> dict[str, str]:
    """Return why each chosen item is in the block."""
    return {each.id: each.reason for each in block.chosen}


def refusals(block: ContextBlock) -> dict[str, str]:
    """Return why each dropped item is not in it."""
    return {each.id: each.reason for each in block.dropped}


@dataclass(frozen=True, slots=True)
class Sifted:
    """What may go in, and why the rest may not."""

    kept: list[str]
    dropped: dict[str, str]


def sifted(*items: Item, window_start: int | None = None, **options: Any) -> Sifted:
    """Return what is left of items after the rules on what may be injected at all."""
    kept, dropped = eligible(items, window_start=window_start, **options)
    return Sifted([each.item.id for each in kept], {each.id: each.reason for each in dropped})
