"""A chat app in tests: what it says, the worker beside it, and what is remembered then."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from mnemic.engine.chat_verbs import ChatMemory
from mnemic.records.conversation import Line, Turn, branch_scope
from mnemic.records.item import Item, ItemFilter, Paging
from mnemic.records.memory import Scope

Picture = list[tuple[Any, ...]]


def said(*texts: str) -> list[Line]:
    """Return messages, by the user and the assistant in turn."""
    return [Line("assistant" if at % 2 else "user", text) for at, text in enumerate(texts)]


def work(chat: ChatMemory, most: int = 10_000) -> int:
    """Do what stands in line, or the first of it; return how many jobs that were."""
    done = 0
    while done < most and (held := chat.take_job("worker")) is not None:
        assert held.do() == "succeeded", chat.job(held.job.id).last_error
        done += 1
    return done


def floors_of(chat: ChatMemory, session: str, branch: str = "main") -> list[Turn]:
    """Return all turns of a branch."""
    found: list[Turn] = []
    while True:
        page = chat.turns(session, branch_id=branch, limit=100, offset=len(found))
        found += page.rows
        if len(found) >= page.total:
            return found


def items_in(chat: ChatMemory, scope: Scope, **wanted: Any) -> list[Item]:
    """Return all items of a scope that a filter means, oldest first."""
    chosen = ItemFilter(scope_kind=scope.kind, scope_name=scope.name, **wanted)
    found: list[Item] = []
    while True:
        page = chat.items(chosen, Paging(order="asc", limit=100, offset=len(found)))
        found += page.rows
        if len(found) >= page.total:
            return found


def texts_in(chat: ChatMemory, scope: Scope, **wanted: Any) -> list[str]:
    """Return the texts of items of a scope, sorted."""
    return sorted(one.content for one in items_in(chat, scope, **wanted))


def relations_of(chat: ChatMemory, found: Sequence[Item]) -> list[tuple[str, str, str]]:
    """Return the relations that begin at items, by the ids of their ends."""
    return [
        (edge.from_id, edge.relation, edge.to_id)
        for one in found
        for edge in chat.edges(from_id=one.id, limit=100).rows
    ]


def picture(chat: ChatMemory, session: str, branch: str = "main") -> Picture:
    """Return what a branch remembers, so that two of them can be held against each other: floors
    are told by their place in line, relations by what they relate.
    """
    found = items_in(chat, branch_scope(session, branch))
    floors = floors_of(chat, session, branch)
    places: dict[Any, int] = {floor.number: at for at, floor in enumerate(floors)}
    places |= {floor.id: at for at, floor in enumerate(floors)}

    def place(key: object) -> int:
        return -1 if key is None else places.get(key, -2)

    shown = {
        one.id: (
            one.type,
            one.tier or "",
            one.content,
            place(one.source_floor_id),
            place(one.coverage_start),
            place(one.coverage_end),
            one.fact_key or "",
            one.status,
            one.lifecycle,
            one.importance,
            one.derived_from or 0,
            one.note or "",
            one.extractor or "",
            one.tokens,
        )
        for one in found
    }
    related = [
        ("edge", relation, *shown[one][:6], *shown[other][:6])
        for one, relation, other in relations_of(chat, found)
    ]
    return sorted(shown.values()) + sorted(related)


def differences(one: Picture, other: Picture) -> tuple[Picture, Picture]:
    """Return what only the one shows, and what only the other does."""
    here, there = Counter(one), Counter(other)
    return sorted((here - there).elements()), sorted((there - here).elements())
