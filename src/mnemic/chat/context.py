"""What to inject into a prompt: gather what may matter, choose, and write down what was used."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from mnemic.chat.conversations import address_of, branch_of
from mnemic.chat.injection.candidates import (
    LEAST_IMPORTANCE,
    PassageCandidate,
    QueryMatch,
    eligible,
)
from mnemic.chat.injection.selection import choose
from mnemic.chat.injection.small_talk import amount_asked, telling_words
from mnemic.chat.injection.weights import IMPORTANT
from mnemic.chat.item_writes import resting
from mnemic.chat.past_items import item_at
from mnemic.chat.said_passages import recall_said
from mnemic.errors import InvalidInputError
from mnemic.language.bounds import READ_OF_MEMORY
from mnemic.language.tokens import is_stop_word, words_of
from mnemic.memory.retrieval.hits import DocumentHit
from mnemic.memory.retrieval.recall import recall, recall_documents
from mnemic.memory.texts.derivation import check_aware
from mnemic.memory.workspace import Workspace
from mnemic.records.conversation import ContextBlock, ContextQuery, branch_scope, chat_scope
from mnemic.records.item import ITEM_TYPES, ItemFilter, Paging
from mnemic.records.memory import Scope
from mnemic.records.query import Query
from mnemic.storage.chat_rows import item_rows, item_tally_rows, session_rows
from mnemic.storage.chat_rows.item_rows import Card
from mnemic.storage.chat_rows.past_item_rows import selected_at
from mnemic.storage.chat_rows.session_rows import Address
from mnemic.storage.rows import scope_rows as scopes
from mnemic.storage.selections import Selection, Where

MOST_TOKENS: Final = 100_000
# So many of each kind are looked at besides what is recalled and pinned: a block holds far fewer.
_IN_USE: Final = ItemFilter(status="active", lifecycle="active")
_BY_STANDING: Final = (
    (replace(_IN_USE, importance_min=LEAST_IMPORTANCE), Paging(sort="importance", limit=100)),
    (_IN_USE, Paging(limit=50)),
)
# What is not recalled goes in only if it is important; of the newest it is told why not.
_BESIDES_RECALLED: Final = (
    (replace(_IN_USE, importance_min=IMPORTANT), Paging(sort="importance", limit=30)),
    (_IN_USE, Paging(limit=10)),
)
# A recalled item takes ten tokens and more, and the last of fifty hardly ever is the answer.
_TOKENS_EACH: Final = 10
_FEWEST_RECALLED: Final = 50
_MOST_RECALLED: Final = 100
_LONGEST_QUESTION: Final = 2_000
_MOST_WORDS: Final = 4
# What may speak for a passage besides its words and meaning.
_SPOKE_FOR: Final = {
    "speaker": "said by whom the query names",
    "date": "said at the time that the query names",
    "best_of_run": "said around what answers",
}


@dataclass(frozen=True, slots=True)
class _View:
    """What a branch sees: its scopes, widest first, and the number of each turn along it."""

    session: Address
    scopes: Mapping[int, Scope]
    floors: Mapping[str, int]


def context(workspace: Workspace, query: ContextQuery) -> ContextBlock:
    """Return what to inject for a query, with reasons; what is chosen counts as used."""
    if not 1 <= query.token_budget <= MOST_TOKENS:
        raise InvalidInputError(
            "token_budget", f"{query.token_budget} is out of range", f"1 to {MOST_TOKENS}"
        )
    check_aware("as_of", query.as_of)
    query = replace(query, text=query.text[:_LONGEST_QUESTION])
    now = workspace.moment()
    view = workspace.db.read(lambda: _view(workspace, query))
    names_something = telling_words(query.text) > 0
    said = _said(workspace, query, view) if names_something else []
    recalled = _recalled(workspace, query, view) if names_something else {}
    looked_at = _BESIDES_RECALLED if _goes_by_words(query) else _BY_STANDING
    cards = workspace.db.read(
        lambda: _candidates(workspace, view, recalled, looked_at, query.as_of)
    )
    told = _told(query.text, cards, recalled)
    candidates, dropped = eligible(
        [card.item for card in cards.values()],
        window_start=query.window_start,
        floors={uid: _floor(card, view) for uid, card in cards.items()},
        recalled=told,
        visible=tuple(view.scopes.values()),
    )
    best = [one.recalled.relevance for one in said] + [found for found, _ in recalled.values()]
    block = choose(
        query,
        candidates,
        dropped,
        now=query.as_of or now,
        said=said,
        asked_for=amount_asked(query.text, best=max(best, default=0.0)),
    )
    workspace.accesses.note_used([one.id for one in block.chosen if one.id in cards], at=now)
    return block


def _view(workspace: Workspace, query: ContextQuery) -> _View:
    session = address_of(workspace, query.session_id)
    branch_of(workspace, session, query.branch_id)
    floors = {
        step.turn_id: step.number
        for step in session_rows.path(workspace.db, session, query.branch_id)
    }
    named = scopes.of_kinds(workspace.db, ("global",))
    for scope in (chat_scope(session.id), branch_scope(session.id, query.branch_id)):
        number = scopes.find(workspace.db, scope)
        if number is not None:
            named[number] = scope
    own = session_rows.scopes_named(workspace.db, "floor", list(floors))
    named |= {number: scope for scope, number in own.items()}
    return _View(session, named, floors)


def _goes_by_words(query: ContextQuery) -> bool:
    return query.strategy == "relevance" and bool(query.text.strip())


def _recalled(
    workspace: Workspace, query: ContextQuery, view: _View
) -> dict[int, tuple[float, float]]:
    """Return the memories that have to do with what is asked: how relevant, and how they score."""
    if not _goes_by_words(query) or not view.scopes:
        return {}
    asked = Query(
        query.text.strip(),
        scopes=tuple(view.scopes.values()),
        limit=_recalls(query),
        traceless=True,
        as_of=query.as_of,
    )
    found = {hit.memory.id: (hit.relevance, hit.score) for hit in recall(workspace, asked).hits}
    return found if query.as_of is None else {**_recalled_aside(workspace, asked), **found}


def _recalled_aside(workspace: Workspace, asked: Query) -> dict[int, tuple[float, float]]:
    """Return the same of what is no longer in use, and may have been at the time asked about."""

    def told(hits: list[DocumentHit]) -> list[tuple[int, tuple[float, float]]]:
        cards = item_rows.by_docs(workspace.db, [hit.doc for hit in hits])
        return [
            (cards[hit.doc].item.memory_id, (hit.relevance, hit.score))
            for hit in hits
            if hit.doc in cards
        ]

    aside = tuple(resting(scope) for scope in asked.scopes)
    everything = replace(asked, scopes=aside, as_of=None)
    found = recall_documents(workspace.dated(asked.as_of), everything, hidden=frozenset, told=told)
    return dict(found)


def _said(workspace: Workspace, query: ContextQuery, view: _View) -> list[PassageCandidate]:
    """Return what was said that has to do with what is asked, the best first."""
    hits = recall_said(
        workspace,
        view.session,
        query.text.strip(),
        branch_id=query.branch_id,
        window_start=query.window_start,
        limit=_recalls(query),
        as_of=query.as_of,
    )
    asked = _telling(query.text)
    return [
        PassageCandidate(
            passage=hit.passage,
            recalled=QueryMatch(
                relevance=hit.relevance,
                score=hit.score,
                words=_shared(asked, hit.passage.content),
                signals=tuple(
                    why for signal, why in _SPOKE_FOR.items() if hit.signals.get(signal, 0.0) > 0
                ),
            ),
        )
        for hit in hits
    ]


def _recalls(query: ContextQuery) -> int:
    return min(max(query.token_budget // _TOKENS_EACH, _FEWEST_RECALLED), _MOST_RECALLED)


def _candidates(
    workspace: Workspace,
    view: _View,
    recalled: Mapping[int, tuple[float, float]],
    looked_at: Sequence[tuple[ItemFilter, Paging]],
    as_of: datetime | None,
) -> dict[str, Card]:
    """Return what may go in: what was recalled, is pinned, important or new, and the facts of
    narrower scopes that speak of the same; as of a time, if any is given.
    """
    if not view.scopes:
        return {}
    numbers = tuple(view.scopes)
    found = _by_id(item_rows.pinned(workspace.db, numbers))
    if recalled:
        behind = Selection((Where("i.memory_id", "in", list(recalled)),), narrow=True)
        found |= _by_id(item_rows.every(workspace.db, behind))
    for number in numbers:
        found |= _standing_out(workspace, number, looked_at, as_of)
    keys = sorted({card.item.fact_key for card in found.values() if card.item.fact_key})
    if keys:
        # Not `narrow`: the index by key begins with the account.
        told = Selection(
            (
                Where("i.fact_key", "in", keys),
                Where("i.scope_id", "in", list(numbers)),
                Where("i.status", "=", "active"),
            ),
            way="gather",
        )
        found |= _by_id(item_rows.every(workspace.db, _at(told, as_of)))
    if as_of is None:
        return found
    return {
        uid: replace(card, item=item_at(workspace, card.item, as_of))
        for uid, card in found.items()
        if card.item.created_at <= as_of
    }


def _at(chosen: Selection, as_of: datetime | None) -> Selection:
    return chosen if as_of is None else selected_at(chosen, as_of)


def _standing_out(
    workspace: Workspace,
    number: int,
    looked_at: Sequence[tuple[ItemFilter, Paging]],
    as_of: datetime | None,
) -> dict[str, Card]:
    """Return the first items of a scope, kind by kind; a kind that it hardly holds is not looked
    for among all the others.
    """
    found: dict[str, Card] = {}
    sorts = item_tally_rows.of_scopes(workspace.db, ItemFilter(), scope_ids=(number,))
    held = sum(row["items"] for row in sorts)
    for type_ in ITEM_TYPES:
        for wanted, paging in looked_at:
            own = replace(wanted, type=type_)
            counted = ItemFilter(type=type_) if as_of else replace(own, importance_min=None)
            there = item_tally_rows.tallied(sorts, counted) or ()
            total = sum(row["items"] for row in there)
            if total:
                chosen = _at(item_rows.selection(own, scope_ids=(number,)), as_of)
                found |= _by_id(
                    item_rows.page(workspace.db, chosen, paging, total=total, held=held)
                )
    return found


def _by_id(cards: Iterable[Card]) -> dict[str, Card]:
    return {card.item.id: card for card in cards}


def _floor(card: Card, view: _View) -> int | None:
    """Return the number of the turn that an item came from, in this branch."""
    turn_id = card.turn_id or card.item.source_floor_id
    return None if turn_id is None else view.floors.get(turn_id)


def _told(
    text: str, cards: Mapping[str, Card], recalled: Mapping[int, tuple[float, float]]
) -> dict[str, QueryMatch]:
    asked = _telling(text)
    told: dict[str, QueryMatch] = {}
    for uid, card in cards.items():
        if card.item.memory_id in recalled:
            relevance, score = recalled[card.item.memory_id]
            told[uid] = QueryMatch(
                relevance=relevance, score=score, words=_shared(asked, card.item.content)
            )
    return told


def _telling(text: str) -> set[str]:
    return {word for word in words_of(text) if not is_stop_word(word)}


def _shared(asked: set[str], content: str) -> tuple[str, ...]:
    return tuple(sorted(asked & words_of(content[:READ_OF_MEMORY])))[:_MOST_WORDS]
