"""Promises of items by hand: the memory, search, the counts and the journal stay in step."""

from collections.abc import Iterable
from typing import Any

import pytest

from mnemic import NotFoundError, Query
from mnemic.opening import OpenMemory
from mnemic.records.item import Item, ItemChange, ItemFilter, NewItem, Paging
from mnemic.records.memory import Scope, memory_name
from tests.conftest import Clock, OpenIt
from tests.memory.stored_text import tables_with

CHAT = Scope("chat", "tea")
BRANCH = Scope("branch", '["tea","main"]')
HIDDEN = "zanzibar珍珠港"


def note(memory: OpenMemory, content: str, scope: Scope = CHAT, **more: object) -> Item:
    """Store a fact and return it."""
    return memory.chat.create_item(
        NewItem(**{"scope": scope, "type": "fact", "content": content, **more})  # pyright: ignore[reportArgumentType]
    )


def listed(memory: OpenMemory, words: str, **wanted: object) -> list[str]:
    """Return the ids of items that hold some words."""
    page = memory.chat.items(ItemFilter(words=words, **wanted))  # pyright: ignore[reportArgumentType]
    assert page.total == len(page.rows)
    return [item.id for item in page.rows]


def recalled(memory: OpenMemory, text: str, *scopes: Scope) -> list[int]:
    """Return the memories that a recall over scopes finds."""
    hits = memory.recall(Query(text, scopes=scopes or (CHAT,), limit=20)).hits
    return [hit.memory.id for hit in hits]


def in_use(memory: OpenMemory, scope: Scope) -> dict[str, int]:
    """Return how many memories of each kind a scope has in use, as its profile counts them."""
    profile = memory.profile(scope)
    kinds = profile.kinds.items() if profile else ()
    return {kind: counted.memories for kind, counted in kinds if counted.memories}


def counts(memory: OpenMemory, scope: Scope) -> tuple[int, int, int]:
    """Return how many items a scope has: all, active and deprecated ones."""
    stats = memory.chat.item_stats(ItemFilter(scope_kind=scope.kind, scope_name=scope.name))
    return stats.total, stats.active, stats.deprecated


def verbs(memory: OpenMemory, item: Item) -> list[str]:
    """Return what happened to an item's memory."""
    return [event.verb for event in memory.history(item.memory_id)]


@pytest.mark.parametrize(
    "state",
    [{"status": "deprecated"}, {"lifecycle": "compacted"}, {"lifecycle": "deprecated"}],
)
def test_what_is_not_in_use_is_listed_by_its_words_and_never_recalled(
    memory: OpenMemory, state: dict[str, Any]
) -> None:
    kept = note(memory, "Mia drinks oolong 乌龙茶")
    rests = note(memory, "Mia drinks sencha 乌龙茶", **state)

    for words in ("drinks", "乌龙茶", "茶"):
        assert sorted(listed(memory, words)) == sorted([kept.id, rests.id])
        assert listed(memory, words, scope_kind="chat", scope_name="tea") == listed(memory, words)
        assert recalled(memory, words) == [kept.memory_id]
    assert listed(memory, "sencha", lifecycle=rests.lifecycle) == [rests.id]
    assert in_use(memory, CHAT) == {"fact": 1}


def test_a_status_that_goes_and_comes_takes_the_search_entry_along(memory: OpenMemory) -> None:
    item = note(memory, "Mia drinks oolong")
    steps: list[tuple[ItemChange, list[int], tuple[int, int, int]]] = [
        (ItemChange(status="deprecated"), [], (1, 0, 1)),
        (ItemChange(status="active"), [item.memory_id], (1, 1, 0)),
        (ItemChange(lifecycle="compacted"), [], (1, 1, 0)),
        (ItemChange(lifecycle="active"), [item.memory_id], (1, 1, 0)),
    ]

    for change, found, counted in steps:
        memory.chat.change_item(item.id, change)
        assert recalled(memory, "oolong") == found
        assert listed(memory, "oolong") == [item.id]
        assert counts(memory, CHAT) == counted
        assert in_use(memory, CHAT) == ({"fact": 1} if found else {})
        assert memory.get(item.memory_id).status == ("active" if found else "invalidated")
    assert verbs(memory, item) == ["created", *["revised"] * 4]


def test_a_changed_text_is_found_by_its_new_words_only(memory: OpenMemory) -> None:
    item = note(memory, "Mia drinks oolong 乌龙茶", importance=0.3)

    after = memory.chat.change_item(item.id, ItemChange(content="Mia drinks coffee 咖啡"))

    assert after.importance == 0.3
    assert memory.get(item.memory_id).content == "Mia drinks coffee 咖啡"
    for old, new in (("oolong", "coffee"), ("乌龙", "咖啡"), ("茶", "啡")):
        assert listed(memory, old) == []
        assert listed(memory, new) == [item.id]
    assert recalled(memory, "coffee") == [item.memory_id]
    [_, revised] = memory.history(item.memory_id)
    assert (revised.before or {})["content"] == "Mia drinks oolong 乌龙茶"
    assert (revised.after or {})["content"] == "Mia drinks coffee 咖啡"


@pytest.mark.parametrize("status", ["active", "deprecated"])
def test_an_item_that_moves_is_found_where_it_is(memory: OpenMemory, status: str) -> None:
    item = note(memory, "Mia drinks oolong", status=status)
    other = note(memory, "Mia drinks water")

    moved = memory.chat.change_item(
        item.id, ItemChange(scope_kind="branch", scope_name=BRANCH.name)
    )

    assert moved.scope == BRANCH
    assert listed(memory, "mia", scope_kind="branch") == [item.id]
    assert listed(memory, "mia", scope_kind="chat") == [other.id]
    assert recalled(memory, "mia drinks") == [other.memory_id]
    is_active = status == "active"
    assert recalled(memory, "mia drinks", BRANCH) == ([item.memory_id] if is_active else [])
    assert (counts(memory, CHAT)[0], counts(memory, BRANCH)[0]) == (1, 1)
    assert in_use(memory, CHAT) == {"fact": 1}
    assert in_use(memory, BRANCH) == ({"fact": 1} if is_active else {})


def test_another_type_counts_as_that_type(memory: OpenMemory) -> None:
    item = note(memory, "Who pays for the tea?", fact_key="Payer")

    loop = memory.chat.change_item(item.id, ItemChange(type="open_loop"))

    assert loop.fact_key is None
    stats = memory.chat.item_stats(ItemFilter(scope_kind="chat"))
    assert stats.by_type == {"fact": 0, "summary": 0, "open_loop": 1}
    assert in_use(memory, CHAT) == {"open_loop": 1}
    assert listed(memory, "pays", type="open_loop") == [item.id]
    assert memory.get(item.memory_id).kind == "open_loop"


def test_what_is_deleted_stands_in_no_table(
    memory: OpenMemory, database: str, clock: Clock
) -> None:
    kept = note(memory, "Mia drinks oolong")
    gone = note(memory, f"The word is {HIDDEN} 1", fact_key=HIDDEN)
    rested = note(memory, f"The word was {HIDDEN} 2", status="deprecated")
    memory.chat.change_item(gone.id, ItemChange(content=f"The word is not {HIDDEN} 3"))
    for end in (gone, rested):
        memory.chat.create_edge(kept.id, end.id, "supports")
        memory.chat.create_edge(end.id, kept.id, "updates")
    recalled(memory, HIDDEN)
    memory.count()
    assert {"memory", "event", "item"} <= tables_with(database, HIDDEN)

    assert memory.chat.delete_items([gone.id, "missing", rested.id]) == [True, False, True]

    assert tables_with(database, HIDDEN, gone.id, rested.id, HIDDEN[:8], HIDDEN[8:]) == set()
    assert memory.chat.edges().total == 0
    assert counts(memory, CHAT) == (1, 1, 0)
    assert in_use(memory, CHAT) == {"fact": 1}
    assert listed(memory, HIDDEN) == []
    assert listed(memory, "word") == []
    assert recalled(memory, f"oolong {HIDDEN}") == [kept.memory_id]
    for one in (gone, rested):
        with pytest.raises(NotFoundError):
            memory.chat.item(one.id)
        with pytest.raises(NotFoundError):
            memory.get(one.memory_id)


def test_the_terms_of_a_deleted_text_are_emptied(memory: OpenMemory, open_it: OpenIt) -> None:
    gone = note(memory, HIDDEN)
    memory.chat.delete_item(gone.id)

    again = open_it()

    assert listed(again, HIDDEN) == []
    assert again.chat.items(ItemFilter()).total == 0
    with pytest.raises(NotFoundError):
        again.chat.delete_item(gone.id)


def test_a_number_that_once_meant_an_item_never_means_another(memory: OpenMemory) -> None:
    first = note(memory, "one")
    memory.chat.delete_item(first.id)
    second = note(memory, "two")
    edge = memory.chat.create_edge(second.id, second.id, "supports")

    assert second.memory_id > first.memory_id
    assert verbs(memory, second) == ["created"]
    assert memory.chat.edges(from_id=second.id).rows == (edge,)


def test_a_robots_memory_can_be_an_end_of_an_edge_and_is_shown_as_an_item(
    memory: OpenMemory,
) -> None:
    number = memory.robot.learn("The mug at station 0 needs 0.5 N").get("memory_id", 0)
    item = note(memory, "Mia drinks from a mug")
    name = memory_name(number)

    edge = memory.chat.create_edge(item.id, name, "derived_from")

    shown = memory.chat.item(name)
    assert (shown.id, shown.content) == (name, "The mug at station 0 needs 0.5 N")
    assert (shown.scope, shown.in_use) == (Scope("collection", "default"), True)
    assert (edge.from_id, edge.to_id) == (item.id, name)
    assert memory.chat.edges(to_id=name).rows == (edge,)
    memory.chat.delete_item(item.id)
    assert memory.chat.edges().total == 0
    assert memory.robot.get(number)["content"].startswith("The mug")
    # It is no item: lists and counts of items know nothing of it.
    assert listed(memory, "mug") == []
    with pytest.raises(NotFoundError):
        memory.chat.delete_item(name)


def test_a_recall_over_a_collection_and_a_branch_finds_both(memory: OpenMemory) -> None:
    collection = Scope("collection", "default")
    learned = memory.robot.learn("The oolong tin stands on shelf three").get("memory_id", 0)
    told = note(memory, "Mia hides the oolong tin", BRANCH)

    assert sorted(recalled(memory, "oolong tin", collection, BRANCH)) == sorted(
        [learned, told.memory_id]
    )
    assert recalled(memory, "oolong tin", collection) == [learned]


def test_vectors_are_given_to_items_in_use_only(open_it: OpenIt) -> None:
    plain = open_it()
    used = note(plain, "Mia drinks oolong in the garden")
    note(plain, "Mia drinks oolong in the kitchen", status="deprecated")
    wakes = note(plain, "Mia drinks oolong in the attic", lifecycle="compacted")
    hybrid = open_it(embedder="hashing")
    told: list[tuple[int, int]] = []

    assert hybrid.embed_missing(progress=lambda done, total: told.append((done, total))) == 1
    assert told[-1] == (1, 1)
    assert hybrid.embed_missing() == 0
    hybrid.chat.change_item(wakes.id, ItemChange(lifecycle="active"))
    assert hybrid.embed_missing() <= 1
    found = hybrid.recall(Query("oolong", scopes=(CHAT,), mode="vec_only")).hits
    assert {hit.memory.id for hit in found} == {used.memory_id, wakes.memory_id}


def test_a_batch_tells_of_each_in_the_order_in_which_it_was_asked(memory: OpenMemory) -> None:
    items = [note(memory, f"note {number}") for number in range(3)]
    ids = [item.id for item in items]

    after = memory.chat.set_status([ids[2], "missing", ids[0]], "deprecated")

    assert [one.id if one else None for one in after] == [ids[2], None, ids[0]]
    assert counts(memory, CHAT) == (3, 1, 2)
    assert stats_by_reading(memory.chat.items(ItemFilter(), Paging(limit=100)).rows) == (3, 1, 2)


def stats_by_reading(rows: Iterable[Item]) -> tuple[int, int, int]:
    statuses = [item.status for item in rows]
    return len(statuses), statuses.count("active"), statuses.count("deprecated")
