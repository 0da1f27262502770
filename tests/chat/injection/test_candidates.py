"""Which items may be injected at all."""

import pytest

from mnemic.chat.injection.candidates import QueryMatch, eligible
from mnemic.records.conversation import branch_scope
from mnemic.records.item import Item
from tests.chat.injection.by_hand import (
    BRANCH,
    CHAT,
    DAY,
    FLOOR,
    GLOBAL,
    NOW,
    Sifted,
    an_item,
    pinned,
    sifted,
)


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        (an_item("x", status="deprecated", lifecycle="deprecated"), "deprecated"),
        (an_item("x", lifecycle="deprecated"), "deprecated"),
        (an_item("x", status="deprecated"), "deprecated"),
        (an_item("x", sort="micro", lifecycle="compacted"), "compacted"),
        (an_item("x", importance=0.2), "importance 0.2 is below 0.35"),
        (an_item("x", " \n "), "has no text"),
        (pinned("x", lifecycle="compacted"), "compacted"),
    ],
)
def test_what_is_not_in_use_or_not_important_enough_stays_out(item: Item, reason: str) -> None:
    assert sifted(item) == Sifted([], {"x": reason})


def test_the_least_importance_is_enough() -> None:
    assert sifted(an_item("x", importance=0.35)).kept == ["x"]


def test_a_fact_of_a_narrower_scope_overrides_the_same_fact_of_wider_ones() -> None:
    facts = [
        an_item(scope.kind, fact_key="name", scope=scope, updated_at=NOW - age * DAY)
        for age, scope in enumerate([GLOBAL, CHAT, BRANCH, FLOOR])
    ]

    for narrowest in (2, 3, 4):
        seen = sifted(*facts[:narrowest])
        winner = facts[narrowest - 1]
        reason = f"overridden by {winner.id} in a narrower scope ({winner.scope.kind})"
        assert seen.kept == [winner.id]
        assert seen.dropped == {fact.id: reason for fact in facts[: narrowest - 1]}


def test_of_two_facts_of_one_key_and_scope_the_newest_holds() -> None:
    seen = sifted(
        an_item("new", fact_key="name"),
        an_item("old", fact_key="name", updated_at=NOW - DAY),
    )

    assert seen == Sifted(["new"], {"old": "overridden by new, a newer fact of the same key"})


def test_a_forks_own_fact_overrides_its_trunks_even_if_that_was_changed_later() -> None:
    fork = branch_scope("s", "what if")
    own = an_item("own", fact_key="name", scope=fork, updated_at=NOW - DAY)
    trunk = an_item("trunk", fact_key="name")

    seen = sifted(own, trunk, visible=(GLOBAL, CHAT, BRANCH, fork))

    assert seen == Sifted(["own"], {"trunk": "overridden by own in a narrower scope (branch)"})


def test_facts_without_a_key_and_facts_of_other_keys_override_nothing() -> None:
    items = [an_item("a"), an_item("b", scope=GLOBAL), an_item("c", fact_key="name")]

    assert sifted(*items).kept == ["a", "b", "c"]


def test_a_fact_that_no_longer_holds_overrides_nothing() -> None:
    gone = an_item("gone", fact_key="name", status="deprecated", lifecycle="deprecated")

    assert sifted(gone, an_item("wide", fact_key="name", scope=GLOBAL)).kept == ["wide"]


@pytest.mark.parametrize(
    ("importance", "floor", "reason"),
    [
        (0.1, 3, "importance 0.1 is below 0.35"),
        (0.5, 9, "still in the app's window (floor 9)"),
    ],
)
def test_a_fact_that_stays_out_itself_still_overrides(
    importance: float, floor: int, reason: str
) -> None:
    near = an_item("near", fact_key="name", importance=importance)
    wide = an_item("wide", fact_key="name", scope=GLOBAL)

    seen = sifted(near, wide, window_start=9, floors={"near": floor})

    overridden = "overridden by near in a narrower scope (branch)"
    assert seen == Sifted([], {"near": reason, "wide": overridden})


def test_what_came_from_the_apps_window_stays_out() -> None:
    seen = sifted(
        an_item("before"),
        an_item("first"),
        an_item("later", sort="open_loop"),
        an_item("by hand"),
        window_start=12,
        floors={"before": 11, "first": 12, "later": 15, "by hand": None},
    )

    assert seen.kept == ["before", "by hand"]
    assert seen.dropped == {
        "first": "still in the app's window (floor 12)",
        "later": "still in the app's window (floor 15)",
    }


def test_a_summary_is_in_the_window_if_all_that_it_covers_is() -> None:
    seen = sifted(
        an_item("past", sort="macro", coverage_start=0, coverage_end=11),
        an_item("into", sort="macro", coverage_start=8, coverage_end=12),
        an_item("inside", sort="micro", coverage_start=12, coverage_end=12),
        an_item("written by hand", sort="macro"),
        window_start=12,
        floors={"past": 20},
    )

    assert seen.kept == ["past", "into", "written by hand"]
    assert seen.dropped == {"inside": "still in the app's window (floor 12)"}


def test_without_a_window_nothing_is_left_out_for_it() -> None:
    assert sifted(an_item("x"), floors={"x": 3}).kept == ["x"]


def test_what_is_pinned_may_be_in_the_window() -> None:
    assert sifted(pinned("x"), window_start=0, floors={"x": 3}).kept == ["x"]


def test_an_item_that_is_given_twice_is_one_candidate() -> None:
    assert sifted(an_item("x", fact_key="k"), an_item("x", fact_key="k")).kept == ["x"]


def test_a_candidate_knows_how_well_it_was_recalled() -> None:
    found = QueryMatch(relevance=0.4, score=1.0, words=("dog",))

    kept, _ = eligible([an_item("a"), an_item("b")], window_start=None, recalled={"a": found})

    assert [each.recalled for each in kept] == [found, None]
    assert [each.relevance for each in kept] == [0.4, None]
