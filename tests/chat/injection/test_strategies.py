"""What each strategy chooses, and what it says about it."""

from datetime import timedelta
from typing import Any

import pytest

from mnemic.chat.injection.weights import (
    DECAY_FLOOR,
    IMPORTANT,
    LEAST_BEST,
    LEAST_RELEVANCE,
    LEAST_UNSURE,
    decay,
)
from mnemic.records.conversation import Strategy
from tests.chat.injection.by_hand import (
    DAY,
    NOW,
    Sort,
    an_item,
    block_of,
    candidate,
    ids,
    pinned,
    reasons,
    refusals,
)

ALL: list[Strategy] = ["relevance", "importance", "balanced", "dual_summary"]


def test_what_is_old_counts_less_but_never_nothing() -> None:
    ages = [0, 10, 100, 1000, 100_000]
    fresh = [decay(an_item("x", updated_at=NOW - age * DAY), now=NOW) for age in ages]

    assert fresh[0] == 1.0
    assert fresh == sorted(fresh, reverse=True)
    assert fresh[-1] == pytest.approx(DECAY_FLOOR)


def test_a_fact_stays_fresh_longer_than_a_macro_and_a_macro_longer_than_a_micro() -> None:
    then = NOW - 30 * DAY
    sorts: list[Sort] = ["fact", "macro", "micro"]
    fact, macro, micro = (
        decay(an_item("x", sort=sort, updated_at=then), now=NOW) for sort in sorts
    )

    assert fact > macro > micro


def test_a_use_keeps_an_item_fresh_but_not_for_ever() -> None:
    def at(days: int, **fields: Any) -> float:
        return decay(an_item("x", updated_at=NOW - days * DAY, **fields), now=NOW)

    assert at(60) < at(60, used_at=NOW) < at(0)
    assert at(60, used_at=NOW) > at(600, used_at=NOW)
    assert at(60, used_at=NOW - 90 * DAY) == at(60)


def test_a_change_that_lies_ahead_of_the_clock_counts_as_just_now() -> None:
    assert decay(an_item("x", updated_at=NOW + timedelta(hours=1)), now=NOW) == 1.0


def test_importance_prefers_what_matters_and_of_equals_what_is_fresh() -> None:
    block = block_of(
        an_item("minor", "a minor thing", importance=0.5),
        an_item("stale", "a stale thing", importance=0.9, updated_at=NOW - 700 * DAY),
        an_item("major", "a major thing", importance=0.9, used_at=NOW),
        budget=15,
    )

    assert ids(block) == ["major", "minor"]
    assert reasons(block) == {
        "major": "important (0.9), last used today",
        "minor": "importance 0.5, changed today",
    }
    assert refusals(block) == {"stale": "does not fit: 6 tokens, 1 left"}


def test_a_reason_tells_when_an_item_was_last_used_or_changed() -> None:
    block = block_of(
        an_item("a", importance=0.9, updated_at=NOW - 9 * DAY, used_at=NOW - 2 * DAY),
        an_item("b", importance=0.4, updated_at=NOW - DAY, used_at=NOW - 2 * DAY),
    )

    assert reasons(block) == {
        "a": "important (0.9), last used 2 days ago",
        "b": "importance 0.4, changed 1 day ago",
    }


def test_balanced_lets_loops_facts_and_summaries_take_turns() -> None:
    facts = [an_item(f"fact{n}", "f" * 31, importance=0.9) for n in range(9)]
    loops = [an_item(f"loop{n}", "l" * 26, sort="open_loop", importance=0.4) for n in range(9)]
    micros = [an_item(f"micro{n}", "m" * 28, sort="micro", importance=0.4) for n in range(9)]

    block = block_of(*facts, *loops, *micros, strategy="balanced", budget=64)

    assert [each.type for each in block.chosen].count("fact") == 2
    assert [each.type for each in block.chosen].count("summary") == 2
    assert [each.type for each in block.chosen].count("open_loop") == 2


def test_balanced_takes_at_most_six_loops_ten_facts_and_eight_summaries() -> None:
    sorts: list[Sort] = ["open_loop", "fact", "micro", "macro"]
    items = [an_item(f"{sort}{n:02}", sort=sort) for sort in sorts for n in range(12)]

    block = block_of(*items, strategy="balanced", budget=10_000)

    types = [each.type for each in block.chosen]
    assert (types.count("open_loop"), types.count("fact"), types.count("summary")) == (6, 10, 8)
    assert set(refusals(block).values()) == {
        "already 6 open loops",
        "already 10 facts",
        "already 8 summaries",
    }


def test_dual_summary_limits_the_items_of_each_section_also_when_topping_up() -> None:
    sorts: list[Sort] = ["fact", "open_loop", "micro", "macro"]
    items = [an_item(f"{sort}{n:02}", sort=sort) for sort in sorts for n in range(12)]

    block = block_of(*items, strategy="dual_summary", budget=10_000)

    chosen = [id_.rstrip("0123456789") for id_ in ids(block)]
    assert [chosen.count(sort) for sort in sorts] == [10, 6, 5, 3]
    assert refusals(block)["macro11"] == "already 3 macro summaries"


def test_dual_summary_keeps_a_share_for_each_section() -> None:
    # Facts alone would fill the budget, and are the most important.
    items = [
        *(an_item(f"fact{n}", "f" * 76, importance=0.9) for n in range(10)),
        an_item("loop", "l" * 60, sort="open_loop", importance=0.4),
        an_item("micro", "m" * 40, sort="micro", importance=0.4),
        an_item("macro", "s" * 80, sort="macro", importance=0.4),
    ]

    block = block_of(*items, strategy="dual_summary", budget=100)

    assert [id_ for id_ in ids(block) if not id_.startswith("fact")] == ["loop", "micro", "macro"]
    assert block.token_count <= 100


def test_dual_summary_gives_what_a_section_leaves_to_others() -> None:
    facts = [an_item(f"fact{n}", "f" * 76, importance=0.9) for n in range(6)]

    block = block_of(*facts, strategy="dual_summary", budget=100)

    assert len(block.chosen) == 4
    within = "important (0.9), changed today"
    beyond = f"{within}; beyond its section's share"
    assert sorted(each.reason for each in block.chosen) == [within, beyond, beyond, beyond]


def test_dual_summary_shares_out_what_pinned_items_leave() -> None:
    # The whole budget's share for facts would hold both facts, and leave the loop no room.
    block = block_of(
        pinned("pin", "p" * 220),
        *(an_item(f"fact{n}", "f" * 40, importance=0.9) for n in range(2)),
        an_item("loop", "l", sort="open_loop", importance=0.4),
        strategy="dual_summary",
        budget=85,
    )

    assert ids(block) == ["pin", "fact0", "loop"]


def test_what_clearly_fits_the_query_beats_what_is_merely_important() -> None:
    block = block_of(
        candidate(an_item("vet", "the dog goes to the vet", importance=0.4), 0.5, "dog", "vet"),
        candidate(an_item("king", "the king must never know", importance=0.99), 0.1),
        candidate(an_item("oath", "an oath was sworn at dawn", importance=0.99)),
        strategy="relevance",
        budget=12,
    )

    assert reasons(block) == {"vet": "matches the query: dog, vet (score 0.82)"}
    assert list(refusals(block)) == ["king", "oath"]


@pytest.mark.parametrize("better", [{"importance": 0.9}, {"updated_at": NOW}])
def test_of_two_that_fit_equally_the_important_or_the_fresh_goes_in(better: dict[str, Any]) -> None:
    usual: dict[str, Any] = {"importance": 0.5, "updated_at": NOW - 300 * DAY}
    block = block_of(
        candidate(an_item("a", "t" * 40, **usual), 0.4),
        candidate(an_item("b", "t" * 40, **(usual | better)), 0.4),
        strategy="relevance",
        budget=18,
    )

    assert ids(block) == ["b"]


def test_what_has_nothing_to_do_with_the_query_goes_in_only_if_important() -> None:
    block = block_of(
        candidate(an_item("best", importance=0.4), LEAST_BEST),
        candidate(an_item("found", importance=0.4), LEAST_RELEVANCE),
        candidate(an_item("far", importance=0.6), LEAST_RELEVANCE / 2),
        candidate(an_item("unfound", importance=0.6)),
        candidate(an_item("weighty", importance=IMPORTANT)),
        strategy="relevance",
    )

    assert reasons(block) == {
        "best": "close to the query (score 0.82)",
        "found": "close to the query (score 0.82)",
        "weighty": "important (0.7), changed today",
    }
    assert refusals(block) == {
        "far": "not relevant to the query",
        "unfound": "not relevant to the query",
    }


def test_where_even_the_best_hardly_fits_only_the_nearest_go_in() -> None:
    block = block_of(
        candidate(an_item("best", importance=0.6), LEAST_BEST - 0.01),
        candidate(an_item("far", importance=0.6), LEAST_UNSURE - 0.001),
        candidate(an_item("weighty", importance=0.9), LEAST_RELEVANCE),
        strategy="relevance",
        text="哈哈好的",
    )

    assert reasons(block) == {
        "best": "close to the query (score 0.82)",
        "weighty": "important (0.9), changed today",
    }
    assert refusals(block) == {"far": "not relevant to the query"}


def test_anything_relevant_counts_more_than_anything_that_is_only_important() -> None:
    old = NOW - 10_000 * DAY
    block = block_of(
        candidate(an_item("best"), 0.9),
        candidate(an_item("found", importance=0.35, updated_at=old), LEAST_RELEVANCE),
        candidate(an_item("weighty", importance=1.0)),
        strategy="relevance",
    )

    scores = {each.id: each.score for each in block.chosen}
    assert scores["found"] > scores["weighty"] > 0


@pytest.mark.parametrize("text", ["", "  \n"])
def test_without_a_query_relevance_chooses_like_importance(text: str) -> None:
    items = [an_item(f"i{n}", importance=0.35 + n / 20) for n in range(8)]

    by_relevance = block_of(*items, strategy="relevance", budget=30, text=text)
    by_importance = block_of(*items, strategy="importance", budget=30, text=text)

    assert by_relevance.text == by_importance.text != ""
    assert by_relevance.chosen == by_importance.chosen
    assert by_relevance.trace["ordered_by"] == "importance"


@pytest.mark.parametrize("strategy", ALL)
def test_what_does_not_fit_is_passed_over_and_the_next_is_tried(strategy: Strategy) -> None:
    block = block_of(
        candidate(an_item("long", "很" * 200, importance=0.9), 0.9),
        candidate(an_item("short", "小狗叫旺财", importance=0.5), 0.5),
        strategy=strategy,
        budget=60,
    )

    assert ids(block) == ["short"]
    assert refusals(block)["long"].startswith("does not fit: 20")


@pytest.mark.parametrize("strategy", ALL)
def test_what_is_pinned_goes_in_whatever_it_costs(strategy: Strategy) -> None:
    block = block_of(
        pinned("p1", "永远记住" * 20),
        pinned("p2", "always " * 40, sort="open_loop"),
        candidate(an_item("other", importance=0.99), 0.9),
        strategy=strategy,
        budget=50,
    )

    assert reasons(block) == {"p1": "pinned", "p2": "pinned"}
    assert refusals(block)["other"].endswith("0 left")
    assert block.trace["over_budget"] is True
    assert block.trace["counts"]["pinned"] == 2


def test_what_is_pinned_counts_towards_no_limit() -> None:
    pins = [pinned(f"pin{n}") for n in range(12)]
    facts = [an_item(f"fact{n:02}") for n in range(12)]

    for strategy in ("balanced", "dual_summary"):
        block = block_of(*pins, *facts, strategy=strategy, budget=10_000)
        assert len(block.chosen) == 22


def test_the_trace_tells_how_the_block_came_about() -> None:
    block = block_of(
        candidate(an_item("a"), 0.5),
        candidate(an_item("b", sort="macro"), 0.5),
        candidate(an_item("c")),
        strategy="relevance",
        text="dog",
    )

    assert block.trace == {
        "strategy": "relevance",
        "ordered_by": "relevance",
        "queries": ["dog"],
        "asked_for": "all",
        "token_budget": 500,
        "token_count": block.token_count,
        "over_budget": False,
        "window_start_floor_no": None,
        "counts": {
            "considered": 3,
            "eligible": 3,
            "recalled": 2,
            "pinned": 0,
            "chosen": 2,
            "dropped": 1,
        },
        "chosen_by_part": {"facts": 1, "macros": 1},
    }
