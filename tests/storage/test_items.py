"""Promises of item rows: lists in a stable order, and sums that always say what is there."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test

from mnemic.records.item import ItemFilter, ItemSort, Order, Paging
from mnemic.records.memory import Scope
from mnemic.storage.chat_rows import item_rows, item_tally_rows
from mnemic.storage.chat_rows.item_rows import Card
from mnemic.storage.database import Database
from mnemic.storage.rows import scope_rows
from mnemic.storage.selections import Selection, Spelling, Where, compile_selection
from tests.conftest import NOON
from tests.storage.carding import CHAT, card, purge, store
from tests.storage.workers import account

BILLION = 1_000_000_000
ANYTHING = ItemFilter()
SORTS: tuple[ItemSort, ...] = ("created_at", "updated_at", "importance", "confidence")
ORDERS: tuple[Order, ...] = ("asc", "desc")
SPELLING = Spelling(
    parameter=lambda name, _type: f":{name}",
    among=lambda parameter: f"each {parameter}",
    collation="",
    aside="+",
    has_walls=False,
)


def drawn() -> st.SearchStrategy[dict[str, Any]]:
    """Return what an item may be in all that the tallies tell apart or add up."""
    sorts = [
        {"type": "fact", "tier": None},
        {"type": "summary", "tier": "micro"},
        {"type": "summary", "tier": "macro"},
    ]
    rest = st.fixed_dictionaries(
        {
            "status": st.sampled_from(["active", "deprecated"]),
            "lifecycle": st.sampled_from(["active", "compacted", "deprecated"]),
            "importance": st.floats(0, 1),
            "confidence": st.floats(0, 1),
            "tokens": st.integers(0, 10_000),
        }
    )
    return st.tuples(st.sampled_from(sorts), rest).map(lambda both: {**both[0], **both[1]})


def counted(db: Database, wanted: ItemFilter, scope_id: int | None) -> list[tuple[Any, ...]]:
    """Return the tallies of a scope, or of the account, as far as a filter means them."""
    scope_ids = None if scope_id is None else [scope_id]
    rows = item_tally_rows.tallied(
        item_tally_rows.of_scopes(db, wanted, scope_ids=scope_ids), wanted
    )
    assert rows is not None
    names = ("kind", "tier", "status", "lifecycle", "items", "importance", "confidence", "tokens")
    return sorted(tuple(row[name] for name in names) for row in rows if row["items"])


def expected(cards: list[Card]) -> list[tuple[Any, ...]]:
    """Return what the tallies must say of some items."""
    sums: dict[tuple[Any, ...], list[int]] = {}
    for one in (kept.item for kept in cards):
        key = (one.type, one.tier or "", one.status, one.lifecycle)
        added = (1, round(one.importance * BILLION), round(one.confidence * BILLION), one.tokens)
        before = sums.get(key, [0, 0, 0, 0])
        sums[key] = [a + b for a, b in zip(before, added, strict=True)]
    return sorted((*key, *values) for key, values in sums.items())


class Tallies(RuleBasedStateMachine):
    """Items come, change, move and go; the tallies of two scopes are compared after each step."""

    def __init__(self, whole: Database) -> None:
        super().__init__()
        self.db = account(whole, uuid4().hex)
        self.scopes = [Scope("chat", "一"), Scope("branch", '["s","main"]')]
        self.kept: list[Card] = []

    @rule(scope=st.integers(0, 1), what=drawn())
    def comes(self, scope: int, what: dict[str, Any]) -> None:
        self.kept += store(self.db, card(self.scopes[scope], **what))
        self.compare()

    @precondition(lambda self: self.kept)
    @rule(data=st.data(), scope=st.integers(0, 1), what=drawn())
    def changes(self, data: st.DataObject, scope: int, what: dict[str, Any]) -> None:
        before = data.draw(st.sampled_from(self.kept))
        where = self.scopes[scope]

        def write() -> Card:
            scope_id = scope_rows.hold(self.db, where, now=NOON)
            after = replace(
                before, scope_id=scope_id, item=replace(before.item, scope=where, **what)
            )
            item_rows.put(self.db, [after], before=[before])
            return after

        self.kept[self.kept.index(before)] = self.db.write(write)
        self.compare()

    @precondition(lambda self: self.kept)
    @rule(data=st.data())
    def goes(self, data: st.DataObject) -> None:
        gone = data.draw(st.lists(st.sampled_from(self.kept), unique_by=lambda one: one.item.id))
        purge(self.db, *gone)
        self.kept = [one for one in self.kept if one not in gone]
        self.compare()

    def compare(self) -> None:
        for scope in self.scopes:
            mine = [one for one in self.kept if one.item.scope == scope]
            for scope_id in {one.scope_id for one in mine}:
                assert counted(self.db, ANYTHING, scope_id) == expected(mine)
                self.compare_with_counting(scope_id, mine)
            only = ItemFilter(scope_kind=scope.kind, status="active")
            active = [one for one in mine if one.item.status == "active"]
            assert counted(self.db, only, None) == expected(active)

    def compare_with_counting(self, scope_id: int, mine: list[Card]) -> None:
        chosen = item_rows.selection(ANYTHING, scope_ids=[scope_id])
        by_rows = item_tally_rows.stats_by_rows(self.db, chosen)
        by_tally = item_tally_rows.stats_of(
            item_tally_rows.of_scopes(self.db, ANYTHING, scope_ids=[scope_id])
        )
        assert item_rows.count(self.db, chosen) == len(mine)
        # Half a billionth may be rounded up or down.
        assert abs(by_rows.avg_importance - by_tally.avg_importance) < 2 / BILLION
        assert abs(by_rows.avg_confidence - by_tally.avg_confidence) < 2 / BILLION
        same = {"avg_importance": 0.0, "avg_confidence": 0.0}
        assert replace(by_rows, **same) == replace(by_tally, **same)


def test_tallies_say_what_counting_says_whatever_came_changed_and_went(whole: Database) -> None:
    class OfThisStore(Tallies):
        def __init__(self) -> None:
            super().__init__(whole)

    run_state_machine_as_test(
        OfThisStore,
        settings=settings(
            max_examples=15,
            stateful_step_count=12,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )


@pytest.fixture(name="whole")
def whole_store(store: Database) -> Database:
    """The store as workers see it."""
    return store


def test_sums_do_not_drift_however_often_an_item_changes(db: Database) -> None:
    [one, other] = store(db, card(importance=0.1, confidence=0.3), card(importance=0.7))
    now = one
    for step in range(200):
        after = replace(now, item=replace(now.item, importance=step / 7 % 1, confidence=0.1))
        db.write(lambda after=after, now=now: item_rows.put(db, [after], before=[now]))
        now = after
    purge(db, now)

    assert counted(db, ANYTHING, one.scope_id) == expected([other])
    purge(db, other)
    assert (
        item_tally_rows.stats_of(
            item_tally_rows.of_scopes(db, ANYTHING, scope_ids=[one.scope_id])
        ).total
        == 0
    )


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("order", ORDERS)
def test_pages_follow_each_other_also_where_many_items_are_equal(
    db: Database, sort: ItemSort, order: Order
) -> None:
    at = [NOON + timedelta(seconds=number // 5) for number in range(17)]
    made = store(
        db,
        *(
            card(
                id=f"{'Zaé茶'[number % 4]}{number * 7 % 17}",
                importance=number % 3 / 2,
                confidence=number % 2 / 2,
                created_at=moment,
                updated_at=NOON + (at[-1] - moment),
            )
            for number, moment in enumerate(at)
        ),
    )
    chosen = item_rows.selection(ANYTHING, scope_ids=[made[0].scope_id])
    read = [
        one.item
        for offset in range(0, 18, 4)
        for one in item_rows.page(db, chosen, Paging(sort, order, 4, offset), total=17, held=17)
    ]

    falling = order == "desc"
    in_order = made[::-1] if falling and sort.endswith("_at") else made
    items = (one.item for one in in_order)
    wanted = sorted(items, key=lambda item: getattr(item, sort), reverse=falling)
    assert [one.id for one in read] == [one.id for one in wanted]


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("held", [12, 1_000_000])
def test_a_page_is_the_same_whichever_way_leads_to_it(
    db: Database, sort: ItemSort, held: int
) -> None:
    made = store(
        db,
        *(
            card(
                type=("fact", "open_loop")[number % 2],
                status=("active", "deprecated")[number % 3 == 0],
                importance=number / 12,
                confidence=1 - number / 12,
                updated_at=NOON + timedelta(seconds=-number),
            )
            for number in range(12)
        ),
    )
    for wanted in (
        ItemFilter(type="open_loop"),
        ItemFilter(status="active", importance_min=0.2),
        ItemFilter(type="fact", confidence_max=0.5, updated_from=NOON + timedelta(seconds=-9)),
    ):
        chosen = item_rows.selection(wanted, scope_ids=[made[0].scope_id])
        total = item_rows.count(db, chosen)
        found = item_rows.page(db, chosen, Paging(sort), total=total, held=held)
        assert 0 < total == len(found) < 12
        latest = sorted(
            item_rows.every(db, chosen),
            key=lambda one: one.item.memory_id,
            reverse=sort.endswith("_at"),
        )
        every = sorted(latest, key=lambda one: getattr(one.item, sort), reverse=True)
        assert found == every


def test_what_a_turn_made_or_took_out_of_use_is_found_and_nothing_else(db: Database) -> None:
    other = Scope("branch", '["one","main"]')
    made, moved, taken, by_hand, elsewhere = store(
        db,
        card(origin="turn", turn_id="t1", version=0),
        card(origin="turn", turn_id="t2", version=3),
        card(displaced_by="t1"),
        card(),
        card(other, origin="turn", turn_id="t1", version=0),
    )

    projected = {one.item.id for one in item_rows.projected(db, made.scope_id)}
    assert projected == {made.item.id, moved.item.id, taken.item.id}
    assert {one.item.id for one in item_rows.of_turn(db, "t1")} == {made.item.id, elsewhere.item.id}
    assert item_rows.of_turn(db, "t3") == []
    assert item_rows.get(db, [taken.item.id, by_hand.item.id, "missing"]) == {
        taken.item.id: taken,
        by_hand.item.id: by_hand,
    }


def test_what_is_struck_stays_so_from_the_first_time_on(db: Database) -> None:
    [made] = store(db, card(origin="turn", turn_id="t1", version=0))

    gone = [(made.scope_id, made.item.id, made.origin)]
    for now in (NOON, NOON + timedelta(hours=1)):
        db.write(lambda: item_rows.strike(db, gone, now=now))  # noqa: B023

    assert item_rows.struck(db, made.scope_id) == {made.item.id: NOON}
    assert item_rows.struck(db, made.scope_id + 1) == {}


def test_when_an_item_was_used_never_goes_back(db: Database) -> None:
    [one] = store(db, card())
    later = NOON + timedelta(hours=1)
    for now in (NOON, later, NOON):
        db.write(lambda now=now: item_rows.note_use(db, [one.item.id], now=now))

    assert item_rows.get(db, [one.item.id])[one.item.id].item.used_at == later


def test_accounts_never_see_items_of_each_other(whole: Database) -> None:
    ours, theirs = account(whole, "ours"), account(whole, "theirs")
    [mine] = store(ours, card(id="same", fact_key="k", source_floor_id="f"))
    [other] = store(theirs, card(id="same", fact_key="k", source_floor_id="f", content="theirs"))

    for wanted in (ANYTHING, ItemFilter(fact_key="k"), ItemFilter(source_floor_id="f")):
        chosen = item_rows.selection(wanted, scope_ids=None)
        assert item_rows.every(ours, chosen) == [mine]
        assert item_rows.every(theirs, chosen) == [other]
    assert item_rows.by_docs(ours, [mine.doc, other.doc]) == {mine.doc: mine}
    assert item_rows.of_turn(theirs, "t") == []


def test_whatever_is_asked_for_is_bound_and_never_part_of_the_statement() -> None:
    hostile = "x' or 1=1 --"
    wanted = ItemFilter(
        fact_key=hostile, source_floor_id=hostile, importance_min=0.25, created_from=NOON
    )
    chosen = item_rows.selection(wanted, scope_ids=[7], docs=[1, 2]).sorted_by(
        "i.created_at", "asc"
    )

    sql, bound = compile_selection(chosen, SPELLING)

    assert hostile not in sql
    assert "0.25" not in sql
    assert [value for value in bound.values() if value == hostile] == [hostile] * 2
    assert [1, 2] in bound.values()
    assert all(f":{name}" in sql for name in bound)


def test_a_selection_names_the_account_unless_its_scopes_are_named_where_there_are_no_walls() -> (
    None
):
    narrow = Selection((Where("i.scope_id", "=", 7),), narrow=True)
    for walls in (True, False):
        spelling = replace(SPELLING, has_walls=walls)
        for one in (Selection(), narrow):
            sql, _ = compile_selection(one, spelling)
            assert ("account_id" in sql) == (walls or one is not narrow)


def test_a_chat_scope_that_nobody_filled_counts_nothing(db: Database) -> None:
    [one] = store(db, card(Scope("floor", "f")))

    assert counted(db, ItemFilter(scope_kind=CHAT.kind), None) == []
    assert item_tally_rows.tallied([], ItemFilter(fact_key="k")) is None
    assert counted(db, ItemFilter(scope_kind="floor"), None) == expected([one])
