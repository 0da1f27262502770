"""A recall and a list may be held to some kinds of memory, before anything is ranked."""

from mnemic import Draft, Query, parse_filter
from mnemic.opening import OpenMemory
from mnemic.records.filters import of_kinds
from tests.conftest import OpenIt

PERCEIVED = of_kinds(["perception"])


def fill(memory: OpenMemory, count: int = 600) -> None:
    """Store many facts about cups, and three perceptions of one."""
    drafts = [
        Draft(f"the cup number {at} is red", context={"kind": "perception"}, dedup=False)
        for at in range(count)
    ]
    seen = [
        Draft(f"a cup seen at place {at}", kind="perception", context={"kind": "fact", "at": at})
        for at in range(3)
    ]
    memory.remember_many([*seen, *drafts])


def test_a_rare_kind_is_found_among_many_of_another(open_it: OpenIt) -> None:
    for embedder in ("none", "hashing"):
        memory = open_it(embedder=embedder)
        if not memory.count():
            fill(memory)
        for _ in range(4):
            hits = memory.recall(Query("the red cup", filter=PERCEIVED, limit=10)).hits

            assert {hit.memory.kind for hit in hits} == {"perception"}
            assert len(hits) == 3


def test_a_kind_is_no_key_of_a_context(memory: OpenMemory) -> None:
    fill(memory, 40)

    by_key = parse_filter({"kind": "fact"})
    both = by_key & PERCEIVED & parse_filter({"at": {"$gte": 1}})

    assert {one.memory.kind for one in memory.recall(Query("cup", filter=by_key)).hits} == {
        "perception"
    }
    assert len(memory.recall(Query("cup", filter=both)).hits) == 2
    assert not memory.recall(Query("cup", filter=by_key & of_kinds(["fact"]))).hits


def test_a_new_memory_of_a_kind_is_found_at_once_and_a_forgotten_one_no_longer(
    memory: OpenMemory,
) -> None:
    fill(memory)
    for _ in range(4):
        memory.recall(Query("cup", filter=PERCEIVED))
    fresh = memory.remember(Draft("a cup behind the door", kind="perception")).memory
    memory.remember(Draft("a cup on the roof"))

    def found() -> set[int]:
        return {hit.memory.id for hit in memory.recall(Query("cup", filter=PERCEIVED)).hits}

    assert len(found()) == 4
    memory.forget(fresh.id, reason="wrong")
    assert len(found()) == 3
    assert fresh.id not in found()


def test_a_list_can_be_held_to_kinds(memory: OpenMemory) -> None:
    fill(memory, 40)

    seen = memory.browse(filter=PERCEIVED)
    both = memory.browse(filter=of_kinds(["perception", "fact"]), limit=100)

    assert [one.content for one in seen] == [f"a cup seen at place {at}" for at in (2, 1, 0)]
    assert len(both) == 43
    assert memory.browse(filter=PERCEIVED & parse_filter({"at": 1}))[0].context["at"] == 1
    assert memory.browse(filter=of_kinds([])) == []
