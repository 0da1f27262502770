"""Promises of what an account tells of itself as a whole."""

import pytest

from mnemic.errors import InvalidInputError
from mnemic.records.item import NewItem
from mnemic.records.memory import Draft, Scope
from tests.conftest import Clock, OpenIt

USER = Scope("user", "mira")
OTHER = Scope("collection", "kitchen")


def test_an_overview_counts_scopes_and_memories_in_use(open_it: OpenIt) -> None:
    memory = open_it()
    memory.of_account("other").remember(Draft("Somebody else's"))
    for content in ("Keep left", "Never run"):
        memory.remember(Draft(content))
    kept = memory.remember(Draft("Mind the step", scope=OTHER)).memory
    memory.remember(Draft("I like tea", scope=USER, kind="core"))
    memory.forget(kept.id, reason="wrong")
    memory.chat.create_item(NewItem(scope=Scope("chat", "s"), type="fact", content="It rains"))

    held = memory.overview()

    assert dict(held.scopes) == {"chat": 1, "collection": 2, "user": 1}
    assert held.memories == {
        "chat": {"fact": 1},
        "collection": {"fact": 2},
        "user": {"core": 1},
    }
    assert held.collections == {"default": 2, "kitchen": 0}


def test_a_new_account_holds_nothing(open_it: OpenIt) -> None:
    memory = open_it()

    assert memory.overview().memories == {}
    assert memory.newest() == []


def test_the_newest_come_from_all_scopes_of_the_account(open_it: OpenIt, clock: Clock) -> None:
    memory = open_it()
    for number in range(3):
        for scope in (USER, OTHER, Scope("collection", "default")):
            clock.turn(minutes=1)
            memory.remember(Draft(f"{number} in {scope.name}", scope=scope, dedup=False))
    clock.turn(minutes=1)
    memory.of_account("other").remember(Draft("Somebody else's"))
    [oldest] = memory.browse(OTHER, before_id=memory.browse(OTHER, limit=2)[-1].id)
    clock.turn(minutes=1)
    memory.forget(oldest.id, reason="the scope that changed last has not the newest memory")

    assert [one.content for one in memory.newest(limit=4)] == [
        *("2 in default", "2 in kitchen", "2 in mira", "1 in default"),
    ]
    assert len(memory.newest()) == 8


def test_what_is_secret_is_not_among_the_newest(open_it: OpenIt) -> None:
    memory = open_it(sensitive_types="knowledge_vault")
    high = {"note": {"sensitivity": "high"}, "sensitivity": "high"}
    memory.remember(Draft("My door code", scope=USER, kind="core", context=high))
    memory.remember(Draft("My safe", scope=USER, kind="knowledge_vault"))
    memory.remember(Draft("I like tea", scope=USER, kind="core"))

    assert [one.content for one in memory.newest()] == ["I like tea"]


@pytest.mark.parametrize("limit", [0, -1, 1_001])
def test_a_wrong_number_of_newest_is_refused(open_it: OpenIt, limit: int) -> None:
    memory = open_it()
    memory.remember(Draft("Keep left"))

    with pytest.raises(InvalidInputError, match="limit"):
        memory.newest(limit=limit)
