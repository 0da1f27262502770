"""Lists of items: pages, full-text search and sums, which cost the same however many there are."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from mnemic.chat import item_writes
from mnemic.chat.past_items import item_at
from mnemic.language.whole_words import order_check, sought_words
from mnemic.memory.texts.derivation import check_aware
from mnemic.memory.workspace import Workspace
from mnemic.records.item import CHAT_SCOPES, FIRST_PAGE, Item, ItemFilter, ItemStats, Page, Paging
from mnemic.records.memory import Scope
from mnemic.storage.chat_rows import item_rows, item_tally_rows
from mnemic.storage.chat_rows.item_rows import Card
from mnemic.storage.chat_rows.past_item_rows import selected_at
from mnemic.storage.database import Row
from mnemic.storage.rows import scope_rows
from mnemic.storage.selections import Selection

Docs = NDArray[np.int64]


def list_items(
    workspace: Workspace,
    wanted: ItemFilter,
    paging: Paging = FIRST_PAGE,
    *,
    as_of: datetime | None = None,
) -> Page[Item]:
    """Return a page of the items that a filter means, and how many those are in all. `as_of` asks
    for those of a time, as they stood then; words are looked for in what they say now.
    """
    check_aware("as_of", as_of)

    def read() -> Page[Item]:
        scope_ids = _scopes_of(workspace, wanted)
        if scope_ids == ():
            return Page((), 0)
        if wanted.words is not None:
            return _holding(workspace, wanted, wanted.words, paging, as_of)
        held = item_tally_rows.of_scopes(workspace.db, wanted, scope_ids=scope_ids)
        chosen = item_rows.selection(wanted, scope_ids=scope_ids)
        if as_of is not None:
            return _page_at(workspace, chosen, paging, held=_items_in(held), as_of=as_of)
        tallied = item_tally_rows.tallied(held, wanted)
        total = item_rows.count(workspace.db, chosen) if tallied is None else _items_in(tallied)
        return _page(workspace, chosen, paging, total=total, held=_items_in(held))

    return workspace.db.read(read)


def item_stats(workspace: Workspace, wanted: ItemFilter) -> ItemStats:
    """Return what the items that a filter means come to."""

    def read() -> ItemStats:
        scope_ids = _scopes_of(workspace, wanted)
        if scope_ids == ():
            return item_tally_rows.stats_of(())
        if item_tally_rows.is_tallied(wanted):
            held = item_tally_rows.of_scopes(workspace.db, wanted, scope_ids=scope_ids)
            return item_tally_rows.stats_of(item_tally_rows.tallied(held, wanted) or ())
        if wanted.words is None:
            return item_tally_rows.stats_by_rows(
                workspace.db, item_rows.selection(wanted, scope_ids=scope_ids)
            )
        docs, _ = _docs_holding(workspace, wanted, wanted.words)
        return item_tally_rows.stats_by_rows(workspace.db, _behind(wanted, docs.tolist()))

    return workspace.db.read(read)


def _page(
    workspace: Workspace, chosen: Selection, paging: Paging, *, total: int, held: int
) -> Page[Item]:
    if paging.offset >= total:
        return Page((), total)
    items = item_rows.page(workspace.db, chosen, paging, total=total, held=held)
    return Page(tuple(card.item for card in items), total)


def _page_at(
    workspace: Workspace, chosen: Selection, paging: Paging, *, held: int, as_of: datetime
) -> Page[Item]:
    chosen = selected_at(chosen, as_of)
    total = item_rows.count(workspace.db, chosen)
    page = _page(workspace, chosen, paging, total=total, held=held)
    return replace(page, rows=tuple(item_at(workspace, item, as_of) for item in page.rows))


def _items_in(rows: Iterable[Row]) -> int:
    return sum(row["items"] for row in rows)


def _scopes_of(workspace: Workspace, wanted: ItemFilter) -> tuple[int, ...] | None:
    """Return the scopes that a filter names; None where it names none, or all of a kind."""
    if wanted.scope_name is None:
        return None
    kinds = CHAT_SCOPES if wanted.scope_kind is None else (wanted.scope_kind,)
    return workspace.scope_ids(tuple(Scope(kind, wanted.scope_name) for kind in kinds))


def _searched(workspace: Workspace, wanted: ItemFilter) -> tuple[int, ...]:
    """Return the scopes in which the texts are found that a filter may mean, resting ones too."""
    kinds = CHAT_SCOPES if wanted.scope_kind is None else (wanted.scope_kind,)
    if wanted.scope_name is not None:
        named = [Scope(kind, wanted.scope_name) for kind in kinds]
        return workspace.scope_ids((*named, *(item_writes.resting(scope) for scope in named)))
    return tuple(
        number
        for number, scope in scope_rows.of_kinds(workspace.db, (*kinds, "resting")).items()
        if scope.kind != "resting" or scope.name.partition("/")[0] in kinds
    )


def _docs_holding(workspace: Workspace, wanted: ItemFilter, words: str) -> tuple[Docs, Docs]:
    """Return the documents that hold all words, and when they were made."""
    sought = sought_words(words)
    held = workspace.db.search.holding(sought.terms, scope_ids=_searched(workspace, wanted))
    if sought.exact or not len(held.docs):
        return held.docs, held.said_at
    # The terms stand there, but perhaps not in the order that makes the word.
    texts, contains = item_rows.texts(workspace.db, held.docs.tolist()), order_check(words)
    sure = [doc in texts and contains(texts[doc]) for doc in held.docs.tolist()]
    return held.docs[sure], held.said_at[sure]


def _behind(wanted: ItemFilter, docs: list[int]) -> Selection:
    return item_rows.selection(wanted, scope_ids=None, docs=docs)


def _holding(
    workspace: Workspace, wanted: ItemFilter, words: str, paging: Paging, as_of: datetime | None
) -> Page[Item]:
    docs, made_at = _docs_holding(workspace, wanted, words)
    if not len(docs):
        return Page((), 0)
    if as_of is not None:
        chosen = _behind(replace(wanted, scope_kind=None), docs.tolist())
        return _page_at(workspace, chosen, paging, held=len(docs), as_of=as_of)
    plain = replace(wanted, words=None, scope_kind=None, scope_name=None)
    if paging.sort != "created_at" or plain != ItemFilter():
        chosen = _behind(replace(wanted, scope_kind=None), docs.tolist())
        total = item_rows.count(workspace.db, chosen)
        return _page(workspace, chosen, paging, total=total, held=len(docs))
    cards = _by_time(workspace, docs, made_at, paging)
    return Page(tuple(card.item for card in cards), len(docs))


def _by_time(workspace: Workspace, docs: Docs, made_at: Docs, paging: Paging) -> list[Card]:
    """Return a page by time without reading the rest: only those made at the same moment as its
    ends need to be told apart.
    """
    offset, limit = paging.offset, paging.limit
    last = min(offset + limit, len(docs)) - 1
    if offset > last:
        return []
    if not np.all(made_at[1:] >= made_at[:-1]):
        # A changed text is a new document with its old time.
        order = np.argsort(made_at, kind="stable")
        docs, made_at = docs[order], made_at[order]
    descending = paging.order == "desc"
    if descending:
        first, final = len(docs) - 1 - last, len(docs) - 1 - offset
    else:
        first, final = offset, last
    ends = made_at[[first, final]]
    begin = int(np.searchsorted(made_at, ends, "left")[0])
    end = int(np.searchsorted(made_at, ends, "right")[1])
    skipped = end - 1 - final if descending else first - begin
    cards = list(item_rows.by_docs(workspace.db, docs[begin:end].tolist()).values())
    cards.sort(key=lambda card: (card.item.created_at, card.item.memory_id), reverse=descending)
    return cards[skipped : skipped + limit]
