"""What holds for every block, whatever is in it: the budget, the reasons, the order."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemic.chat.injection.block_text import tokens_of
from mnemic.chat.injection.candidates import Candidate, QueryMatch, eligible
from mnemic.chat.injection.selection import choose
from mnemic.language.token_counts import token_estimate, token_quarters
from mnemic.records.conversation import ContextBlock, ContextQuery, Strategy
from mnemic.records.item import Item
from tests.chat.injection.by_hand import BRANCH, CHAT, DAY, GLOBAL, NOW, Sort, an_item, ids

CHINESE = "她说明天早上要带小狗去看兽医，别忘了。"
ENGLISH = "She takes the dog to the vet: tomorrow!\n "
texts = st.text(CHINESE + ENGLISH, min_size=1, max_size=80)
strategies = st.sampled_from(["relevance", "importance", "balanced", "dual_summary"])
budgets = st.integers(0, 300)
# Nothing here depends on the clock, however busy the machine is.
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
sorts: st.SearchStrategy[Sort] = st.sampled_from(["fact", "micro", "macro", "open_loop"])


@st.composite
def some_items(draw: st.DrawFn, *, with_pinned: bool = False) -> list[Item]:
    """Draw items of both languages, all sorts, ages and scopes, some with the same key."""
    items: list[Item] = []
    for number in range(draw(st.integers(0, 25))):
        sort = draw(sorts)
        age = draw(st.integers(0, 400))
        item = an_item(
            f"i{number:02}",
            draw(texts),
            sort=sort,
            fact_key=draw(st.sampled_from([None, "name", "名字"])) if sort == "fact" else None,
            scope=draw(st.sampled_from([GLOBAL, CHAT, BRANCH])),
            importance=draw(st.sampled_from([0.1, 0.35, 0.6, 0.7, 0.9])),
            created_at=NOW - age * DAY,
            updated_at=NOW - draw(st.integers(0, age)) * DAY,
        )
        if with_pinned and draw(st.booleans()):
            item = replace(item, pinned=True, importance=1.0)
        items.append(item)
    return items


@st.composite
def found_candidates(draw: st.DrawFn) -> list[Candidate]:
    """Draw candidates, some of them found by a recall."""
    items = draw(some_items())
    fits = st.none() | st.sampled_from([0.01, 0.1, 0.4, 0.9])
    found = {item.id: draw(fits) for item in items}
    recalled = {
        id_: QueryMatch(relevance=fit, score=fit) for id_, fit in found.items() if fit is not None
    }
    kept, _ = eligible(items, window_start=None, recalled=recalled)
    return kept


def block(candidates: Sequence[Candidate], strategy: Strategy, budget: int) -> ContextBlock:
    query = ContextQuery(session_id="s", text="dog", token_budget=budget, strategy=strategy)
    return choose(query, candidates, [], now=NOW)


@unhurried
@given(parts=st.lists(texts))
def test_the_cost_of_pieces_adds_up_to_that_of_the_whole(parts: list[str]) -> None:
    assert tokens_of(sum(token_quarters(part) for part in parts)) == token_estimate("".join(parts))


@unhurried
@given(candidates=found_candidates(), strategy=strategies, budget=budgets)
def test_no_block_costs_more_than_its_budget(
    candidates: list[Candidate], strategy: Strategy, budget: int
) -> None:
    made = block(candidates, strategy, budget)

    assert made.token_count == token_estimate(made.text) <= budget
    assert made.trace["over_budget"] is False


@unhurried
@given(items=some_items(with_pinned=True), strategy=strategies, budget=budgets)
def test_only_what_is_pinned_goes_over_the_budget(
    items: list[Item], strategy: Strategy, budget: int
) -> None:
    kept, _ = eligible(items, window_start=None)
    made = block(kept, strategy, budget)

    pinned = {each.item.id for each in kept if each.item.is_pinned}
    assert pinned <= set(ids(made))
    assert made.trace["over_budget"] is (made.token_count > budget)
    if made.token_count > budget:
        assert set(ids(made)) == pinned


@unhurried
@given(items=some_items(with_pinned=True), strategy=strategies, budget=budgets)
def test_every_item_is_chosen_or_dropped_once_and_with_a_reason(
    items: list[Item], strategy: Strategy, budget: int
) -> None:
    kept, dropped = eligible(items, window_start=None)
    query = ContextQuery(session_id="s", text="dog", token_budget=budget, strategy=strategy)
    made = choose(query, kept, dropped, now=NOW)

    told = [(each.id, each.reason) for each in (*made.chosen, *made.dropped)]
    assert sorted(id_ for id_, _ in told) == [item.id for item in items]
    assert all(reason for _, reason in told)


@unhurried
@given(candidates=found_candidates(), strategy=strategies, budget=budgets, random=st.randoms())
def test_the_order_in_which_candidates_are_given_does_not_matter(
    candidates: list[Candidate], strategy: Strategy, budget: int, random: Random
) -> None:
    shuffled = random.sample(candidates, len(candidates))

    assert block(shuffled, strategy, budget) == block(candidates, strategy, budget)


@unhurried
@given(candidates=found_candidates(), strategy=strategies, budget=budgets)
def test_what_is_said_not_to_fit_would_not_have_fitted_at_the_end_either(
    candidates: list[Candidate], strategy: Strategy, budget: int
) -> None:
    made = block(candidates, strategy, budget)

    chosen = [each for each in candidates if each.item.id in ids(made)]
    for dropped in made.dropped:
        if dropped.reason.startswith("does not fit"):
            missing = next(each for each in candidates if each.item.id == dropped.id)
            together = block([*chosen, missing], strategy, 10_000)
            if len(together.chosen) == len(chosen) + 1:
                assert together.token_count > budget


@unhurried
@given(
    candidates=found_candidates(),
    strategy=strategies,
    budget=budgets,
    age=st.integers(0, 400),
    text=texts.filter(str.strip),
)
def test_one_more_fact_does_not_reorder_the_others(
    candidates: list[Candidate], strategy: Strategy, budget: int, age: int, text: str
) -> None:
    more = an_item("more", text, importance=0.9, created_at=NOW - age * DAY)

    before = ids(block(candidates, strategy, budget))
    after = ids(block([*candidates, Candidate(item=more)], strategy, budget))

    assert [id_ for id_ in after if id_ in before] == [id_ for id_ in before if id_ in after]


@unhurried
@given(candidates=found_candidates(), strategy=strategies)
def test_a_block_with_room_for_one_more_fact_only_grows_by_it(
    candidates: list[Candidate], strategy: Strategy
) -> None:
    few = [each for each in candidates if each.item.type != "fact"]
    more = Candidate(item=an_item("more", "小狗叫旺财", importance=0.9))

    before = block(few, strategy, 10_000).text.splitlines()
    after = block([*few, more], strategy, 10_000).text.splitlines()

    headers = ["[Memory]", "[Memory Facts]", ""]
    lines = [line for line in after if line not in ("- 小狗叫旺财", "- (fact) 小狗叫旺财")]
    assert [line for line in lines if line not in headers] == [
        line for line in before if line not in headers
    ]
